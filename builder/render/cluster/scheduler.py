"""Faces set by the workers of a dask cluster that share a store; the only file that opens a connection to one.

dask hands batches out, and those of a lost worker to another; here is told who may have them and when to give up.
"""

from __future__ import annotations

import logging
import pickle
import socket
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from builder.errors import ToolMissing
from builder.findings import Finding
from builder.messages import describe_os_error, gettext as _, join_messages
from builder.render import render_codes
from builder.render.cache import FaceCache
from builder.render.cluster.remote import (
    AssetBundle,
    AssetsMissing,
    RemoteTask,
    SetFaces,
    Unreachable,
    probe,
    resource,
)
from builder.render.jobs import Batch, FaceFacts
from builder.render.keys import environment
from builder.render.shared_store import SharedStore
from builder.render.workers import EngineSetup

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECTING = 10.0
"""Seconds that a scheduler has to answer."""
PATIENCE = 30
"""Seconds without any worker until the build gives up."""
AT_HAND = 2
"""Batches a worker has at hand: it need not wait for the next."""
TRIES = 3
"""How often the pack's files are put into a store in which workers do not find them."""
LOOK = 1.0
"""Seconds between two looks at who is there."""


@dataclass
class Cluster:
    """A scheduler's address (`tcp://HOST:PORT`) and the store all its workers see.

    `findings` collects what is wrong with workers.
    """

    address: str
    store: SharedStore
    findings: list[Finding] = field(default_factory=list)
    _waiting: deque[Batch] = field(default_factory=deque, init=False)
    _running: dict[Future, Batch] = field(default_factory=dict, init=False)
    _fit: set[str] = field(default_factory=set, init=False)
    _unfit: dict[str, str] = field(default_factory=dict, init=False)
    _sent: int = field(default=0, init=False)
    _manned: float = field(default_factory=time.monotonic, init=False)

    def set_all(self, batches: Iterable[Batch], setup: EngineSetup) -> Iterator[FaceFacts]:
        """Set all batches, each made when a worker may have it. Raises Unreachable.

        Faces come in no particular order and lie in the cache when they do.
        """
        cache, coming, looked = FaceCache(setup.places.cache), iter(batches), 0.0
        with _connected(self.address) as client:
            bundle = AssetBundle(setup)
            bundle.send(self.store)
            while self._more(coming) or self._running:
                if time.monotonic() - looked > LOOK:
                    self._look(client)
                    looked = time.monotonic()
                while len(self._running) < AT_HAND * len(self._fit) and self._more(coming):
                    self._submit(
                        client,
                        RemoteTask(
                            self.store.url, bundle.name, setup.engine, self._waiting.popleft()
                        ),
                    )
                for future in [each for each in self._running if each.done()]:
                    for facts, record in self._made(future, self._running.pop(future), bundle):
                        if record is not None:
                            cache.put(facts, record)
                        yield facts
                time.sleep(0.01)

    def _more(self, coming: Iterator[Batch]) -> bool:
        """True if a batch waits for a worker. The next is made only when none does."""
        if not self._waiting and (batch := next(coming, None)) is not None:
            self._waiting.append(batch)
        return bool(self._waiting)

    def _submit(self, client: Client, task: RemoteTask) -> None:
        """Have a batch set by a worker that can."""
        try:
            resources = {resource(environment(task.engine)): 1}
            future = client.submit(
                pickle.loads, pickle.dumps(task), pure=False, resources=resources
            )
        except Exception:  # the scheduler is away: told by `_look`
            self._fit.clear()
            self._waiting.append(task.batch)
        else:
            self._running[future] = task.batch

    def _look(self, client: Client) -> None:
        """See who is there and whether they can set; without anybody take everything back. Raises Unreachable."""
        place, present = shown(self.address), None
        answers: dict[str, object] = {}
        with suppress(Exception):  # it may come back
            present = set(client.sync(client.scheduler.ncores, callback_timeout=CONNECTING))
            new = present - self._fit - self._unfit.keys()
            answers = (
                client.run(probe, self.store.engine, workers=sorted(new), on_error="return")
                if new
                else {}
            )
        self._fit &= present or set()
        for worker, found in answers.items():
            self._welcome(worker, found)
        if not self._fit:
            self._waiting.extend(self._running.values())
            self._running.clear()
        if self._fit or (present and present - self._unfit.keys()):
            self._manned = time.monotonic()
        elif present:
            each = (
                _("{name}: {reason}", name=name, reason=why)
                for name, why in sorted(self._unfit.items())
            )
            form, listed = (
                _("{place}: no worker can set these cards: {listed}"),
                join_messages(each, _("{first}; {rest}")),
            )
            raise Unreachable(_(form, place=place, listed=listed), render_codes.WORKER.remedy)
        elif time.monotonic() - self._manned > PATIENCE:
            silent, empty = (
                _("{place}: no answer for {seconds} s"),
                _("{place}: no worker for {seconds} s"),
            )
            told = _(silent if present is None else empty, place=place, seconds=PATIENCE)
            hint = _(
                "Start workers (dask worker HOST:PORT --nthreads 1) and build again: what is set already is kept."
            )
            raise Unreachable(told, hint)

    def _welcome(self, worker: str, found: object) -> None:
        """Take in a worker by its answer to the probe, or leave it out and say so."""
        if isinstance(found, dict):
            form, here = _("{name} {there} there, {here} here"), environment(self.store.engine)
            other = (name for name in sorted({*here, *found}) if here.get(name) != found.get(name))
            each = (
                _(form, name=name, there=found.get(name, "-"), here=here.get(name, "-"))
                for name in other
            )
            why: str = join_messages(each, _("{first}; {rest}"))
        elif isinstance(found, ModuleNotFoundError):
            why = _(
                "it has no squadpress ({reason}): pip install 'squadpress[cluster]'", reason=found
            )
        else:
            why = (
                getattr(found, "message", None)
                or f"{type(found).__name__}: {found}".splitlines()[0]
            )
        if not why:
            self._fit.add(worker)
            return
        self._unfit[worker] = why
        told = _("the worker {worker} is left out: {reason}", worker=worker, reason=why)
        self.findings.append(render_codes.WORKER.finding(told))

    def _made(self, future: Future, batch: Batch, bundle: AssetBundle) -> SetFaces:
        """The faces of a task that is done; none where it was lost with the connection: then it is done again."""
        from distributed import KilledWorker

        try:
            made: SetFaces = pickle.loads(future.result(timeout=CONNECTING))
            return made
        except KilledWorker:
            form = (
                _("setting {face} and {many} more") if len(batch.faces) > 1 else _("setting {face}")
            )
            what = _(form, face=batch.faces[0].label, many=len(batch.faces) - 1)
            raise Unreachable(
                _(
                    "{place}: several workers died over {what}",
                    place=shown(self.address),
                    what=what,
                ),
                _(
                    "Look at their logs; squadpress build --workers 1 shows whether it is the cards' fault."
                ),
            ) from None
        except AssetsMissing:
            self._sent += 1
            if self._sent >= TRIES:
                raise
            bundle.send(self.store, again=True)
        except (
            Exception
        ):  # besides what the task raised, what dask says of a lost result, or of who hangs with it
            if future.status == "error":
                raise
        self._waiting.append(batch)
        return []


def absent(address: str) -> str:
    """Why no scheduler is at an address; empty if one is. dask waits for ever for somebody who says nothing."""
    parts, found, late = (
        urlsplit(address),
        list[str](),
        _("no answer in {seconds:g} s", seconds=CONNECTING),
    )

    def knock() -> None:
        try:
            with socket.create_connection(
                (parts.hostname or "", parts.port or 0), timeout=CONNECTING
            ) as line:
                # A scheduler greets whoever comes before it is spoken to.
                found.append("" if line.recv(1) else _("what listens there is no scheduler"))
        except OSError as error:
            found.append(late if isinstance(error, TimeoutError) else describe_os_error(error))

    (thread := Thread(target=knock, daemon=True)).start()  # a name may be looked up for longer
    thread.join(CONNECTING)
    why = next(iter(found), late)
    return why and _("no scheduler answers at {place}: {reason}", place=shown(address), reason=why)


def shown(address: str) -> str:
    """A cluster as the user names it."""
    return address.replace("tcp://", "dask://")


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the scheduler; its own chatter is silenced, what goes wrong is told by this file."""
    try:
        from distributed import Client
    except ImportError:
        extra = _("Install it: pip install 'squadpress[cluster]'.")
        raise ToolMissing(
            _("a cluster needs dask.distributed, which is not installed"), extra
        ) from None
    remedy = _("Start one with: dask scheduler; it prints its address.")
    if why := absent(address):
        raise Unreachable(why, remedy)
    logging.getLogger("distributed").setLevel(logging.FATAL + 1)
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except OSError as error:
        why, reason = _("no scheduler answers at {place}: {reason}"), str(error).splitlines()[0]
        raise Unreachable(_(why, place=shown(address), reason=reason), remedy) from error
    with client:
        yield client
