"""Faces set by the workers of a dask cluster that share a store; the only file that opens a connection to one.

dask hands batches out, and those of a lost worker to another; here is told who may have them and when to give up.
"""

from __future__ import annotations

import logging
import pickle
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

from builder.errors import SquadpressError, ToolMissing
from builder.findings import Finding, has_errors
from builder.messages import gettext as _, joined, os_error
from builder.render import codes
from builder.render.cache import FaceCache
from builder.render.cluster.environment import differences, environment
from builder.render.cluster.remote import AssetBundle, Outcome, RemoteTask, probe
from builder.render.cluster.store import SharedStore
from builder.render.jobs import Batch, FaceFacts
from builder.render.workers import EngineSetup

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECTING = 10.0
"""Seconds that a scheduler has to answer."""
PATIENCE = 30
"""Seconds without any worker until the build gives up."""
SLOW = 60
"""Seconds after which a batch is given to another worker too: one that hangs is not lost to the scheduler for long."""
AT_HAND = 2
"""Batches a worker has at hand: it need not wait for the next."""
TRIES = 3
"""How often the same is tried where the store loses what is put into it."""
LOOK = 1.0
"""Seconds between two looks at who is there."""


class Unreachable(SquadpressError):
    """The cluster does not answer, or has no worker that can set."""

    exit_code = 4


@dataclass(slots=True)
class _Lot:
    """A batch under way: the workers that may have it, and since when."""

    batch: Batch
    given: set[str] = field(default_factory=set)
    futures: list[Future] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)


@dataclass
class Cluster:
    """A scheduler's address (`tcp://HOST:PORT`) and the store all its workers see.

    `findings` collects what is wrong with workers.
    """

    address: str
    store: SharedStore
    findings: list[Finding] = field(default_factory=list)
    _waiting: deque[Batch] = field(default_factory=deque, init=False)
    _running: list[_Lot] = field(default_factory=list, init=False)
    _fit: set[str] = field(default_factory=set, init=False)
    _unfit: dict[str, str] = field(default_factory=dict, init=False)
    _tries: Counter[str] = field(default_factory=Counter, init=False)
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
                    self._give(client, _Lot(self._waiting.popleft()), self._fit, bundle, setup)
                for lot in [lot for lot in self._running if time.monotonic() - lot.since > SLOW]:
                    slow = {worker for worker, keys in client.processing().items() if lot.futures[-1].key in keys}
                    self._running.remove(lot)
                    self._give(client, lot, self._fit - slow, bundle, setup)
                for lot in [lot for lot in self._running if any(each.done() for each in lot.futures)]:
                    self._drop(lot)
                    yield from self._taken(lot, bundle, cache)
                time.sleep(0.01)

    def _more(self, coming: Iterator[Batch]) -> bool:
        """True if a batch waits for a worker. The next is made only when none does."""
        if not self._waiting and (batch := next(coming, None)) is not None:
            self._waiting.append(batch)
        return bool(self._waiting)

    def _give(self, client: Client, lot: _Lot, to: set[str], bundle: AssetBundle, setup: EngineSetup) -> None:
        """Have a batch set by one of these workers."""
        task = pickle.dumps(RemoteTask(self.store.url, bundle.name, setup.engine, lot.batch))
        with suppress(Exception):  # the scheduler is away: told by `_look`
            key, workers = f"squadpress-{uuid4().hex}", sorted(to or self._fit)
            lot.futures.append(client.submit(pickle.loads, task, key=key, workers=workers))
        lot.given |= to
        lot.since = time.monotonic()
        self._running.append(lot)

    def _drop(self, lot: _Lot) -> None:
        """Nobody else is to set this any more."""
        self._running.remove(lot)
        for future in lot.futures:
            if not future.done():
                future.cancel()

    def _look(self, client: Client) -> None:
        """See who is there and whether they can set; take back what only lost workers had. Raises Unreachable."""
        place, present = shown(self.address), None
        answers: dict[str, object] = {}
        with suppress(Exception):  # it may come back
            present = set(client.sync(client.scheduler.ncores, callback_timeout=CONNECTING))
            new = present - self._fit - self._unfit.keys()
            answers = client.run(probe, workers=sorted(new), on_error="return") if new else {}
        for worker, found in answers.items():
            self._welcome(worker, found)
        if present is not None:
            self._fit &= present
            for lot in [lot for lot in self._running if not lot.given & present]:
                self._drop(lot)
                self._waiting.appendleft(lot.batch)
            if present - self._unfit.keys():
                self._manned = time.monotonic()
            elif present:
                told = (_("{name}: {reason}", name=name, reason=why) for name, why in sorted(self._unfit.items()))
                form, listed = _("{place}: no worker can set these cards: {listed}"), joined(told, _("{first}; {rest}"))
                raise Unreachable(_(form, place=place, listed=listed), codes.WORKER.remedy)
        if time.monotonic() - self._manned > PATIENCE:
            form = (
                _("{place}: no answer for {seconds} s") if present is None else _("{place}: no worker for {seconds} s")
            )
            raise Unreachable(
                _(form, place=place, seconds=PATIENCE),
                _("Start workers (dask worker HOST:PORT --nthreads 1) and build again: what is set already is kept."),
            )

    def _welcome(self, worker: str, found: object) -> None:
        """Take in a worker by its answer to the probe, or leave it out and say so."""
        if isinstance(found, dict):
            why: str = joined(differences(environment(), found), _("{first}; {rest}"))
        elif isinstance(found, ModuleNotFoundError):
            why = _("it has no squadpress ({reason}): pip install 'squadpress[cluster]'", reason=found)
        else:
            why = getattr(found, "message", None) or f"{type(found).__name__}: {found}".splitlines()[0]
        if not why:
            self._fit.add(worker)
            return
        self._unfit[worker] = why
        self.findings.append(
            codes.WORKER.finding(_("the worker {worker} is left out: {reason}", worker=worker, reason=why))
        )

    def _taken(self, lot: _Lot, bundle: AssetBundle, cache: FaceCache) -> Iterator[FaceFacts]:
        """Take what was set from the store into the cache; what the store loses is sent or set again, a few times."""
        outcome = self._outcome(lot)
        if outcome is None:
            self._waiting.appendleft(lot.batch)
            return
        if outcome.error is not None:
            raise outcome.error
        store, facts = self.store.shown, outcome.facts or ()
        stored = self.store.get_all(lot.batch.faces) if facts else {}
        if facts and all(each.key in stored or has_errors(each.findings) for each in facts):
            for found in stored.values():
                cache.put(*found)
            yield from facts
            return
        why = _("the store {store} loses what workers put into it", store=store)
        if outcome.facts is None:
            form = _("the worker {worker} does not find in the store {store} what was just put there")
            why = _(form, worker=outcome.worker, store=store)
            bundle.send(self.store, again=True)
        self._tries[why] += 1
        if self._tries[why] >= TRIES:
            remedy = _("All workers must see the same store: a shared folder, or a URL.")
            raise Unreachable(_("{name}: {reason}", name=shown(self.address), reason=why), remedy)
        self._waiting.append(lot.batch)

    def _outcome(self, lot: _Lot) -> Outcome | None:
        """What the first task gave that is done, None where it was lost with the connection; raises what it raised."""
        from distributed import KilledWorker

        future, faces = next(each for each in lot.futures if each.done()), lot.batch.faces
        if future.status not in ("finished", "error"):
            return None
        try:
            found: Outcome = pickle.loads(future.result(timeout=CONNECTING))
        except KilledWorker:
            form = _("setting {face} and {many} more") if len(faces) > 1 else _("setting {face}")
            what = _(form, face=faces[0].label, many=len(faces) - 1)
            raise Unreachable(
                _("{place}: several workers died over {what}", place=shown(self.address), what=what),
                _("Look at their logs; squadpress build --workers 1 shows whether it is the cards' fault."),
            ) from None
        except Exception:
            if future.status == "error":
                raise
            return None  # it lies with a worker that hangs
        return found


def absent(address: str) -> str:
    """Why no scheduler is at an address; empty if one is. dask waits for ever for somebody who says nothing."""
    found: list[str] = []
    thread = Thread(target=_knock, args=(address, found), daemon=True)  # a name may be looked up for longer
    thread.start()
    thread.join(CONNECTING)
    why = found[0] if found else _("no answer in {seconds:g} s", seconds=CONNECTING)
    return why and _("no scheduler answers at {place}: {reason}", place=shown(address), reason=why)


def _knock(address: str, found: list[str]) -> None:
    parts = urlsplit(address)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=CONNECTING) as line:
            # A scheduler greets whoever comes before it is spoken to.
            found.append("" if line.recv(1) else _("what listens there is no scheduler"))
    except TimeoutError:
        return
    except OSError as error:
        found.append(os_error(error))


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
        raise ToolMissing(_("a cluster needs dask.distributed, which is not installed"), extra) from None
    remedy = _("Start one with: dask scheduler; it prints its address.")
    if why := absent(address):
        raise Unreachable(why, remedy)
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.FATAL + 1)
    try:
        try:
            client = Client(address, timeout=CONNECTING, set_as_default=False)
        except OSError as error:
            why, reason = _("no scheduler answers at {place}: {reason}"), str(error).splitlines()[0]
            raise Unreachable(_(why, place=shown(address), reason=reason), remedy) from error
        with client:
            yield client
    finally:
        logger.setLevel(before)
