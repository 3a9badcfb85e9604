"""Render faces on the workers of a dask cluster that share a store."""

from __future__ import annotations

import logging
import pickle
import socket
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from builder.errors import ToolMissing
from builder.findings import Finding
from builder.messages import Message, describe_os_error, gettext as _, join_messages
from builder.render import render_codes
from builder.render.cache import FaceCache
from builder.render.cluster import remote
from builder.render.cluster.remote import RemoteTask, Unreachable
from builder.render.jobs import Batch, FaceFacts
from builder.render.keys import describe_environment
from builder.render.shared_store import SharedStore
from builder.render.sheets.record import Record
from builder.render.workers import EngineSetup

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_TIMEOUT_SECONDS = 10.0
WORKER_TIMEOUT_SECONDS = 30
"""Seconds without any worker until the build ends."""
BATCHES_PER_WORKER = 2
"""Batches sent ahead, so that no worker waits for its next one."""
CHECK_INTERVAL_SECONDS = 1.0
"""Seconds between two checks which workers there are."""


@dataclass
class Cluster:
    """A dask cluster: the address of its scheduler and the store that all its workers share.

    `findings` collects the problems of workers.
    """

    address: str
    store: SharedStore
    findings: list[Finding] = field(default_factory=list)
    _pending: deque[Batch] = field(default_factory=deque, init=False)
    _running: dict[Future, Batch] = field(default_factory=dict, init=False)
    _usable_workers: set[str] = field(default_factory=set, init=False)
    _reasons: dict[str, str] = field(default_factory=dict, init=False)
    """Why other workers are not used, by their addresses."""
    _seen_at: float = field(default_factory=time.monotonic, init=False)
    """When there was a worker for the last time."""

    def render_all(
        self, batches: Iterable[Batch], setup: EngineSetup
    ) -> Iterator[FaceFacts]:
        """Render all batches on the cluster. Take each from `batches` only when a worker is free.

        Faces come in no particular order and are in the cache when they do. Raise Unreachable if
        the cluster does not answer.
        """
        cache = FaceCache(setup.places.cache)
        source = iter(batches)
        checked_at = 0.0
        with _connect(self.address) as client:
            bundle = remote.send_bundle(setup, self.store)
            while self._fetch_pending(source) or self._running:
                if time.monotonic() - checked_at > CHECK_INTERVAL_SECONDS:
                    self._check_workers(client)
                    checked_at = time.monotonic()
                while self._has_free_worker() and self._fetch_pending(source):
                    batch = self._pending.popleft()
                    self._submit(
                        client, RemoteTask(self.store.url, bundle, setup.engine, batch)
                    )
                for facts, record in self._collect_finished():
                    if record is not None:
                        cache.store_face(facts, record)
                    yield facts
                time.sleep(0.01)

    def _has_free_worker(self) -> bool:
        return len(self._running) < BATCHES_PER_WORKER * len(self._usable_workers)

    def _collect_finished(self) -> Iterator[tuple[FaceFacts, Record | None]]:
        for future in [future for future in self._running if future.done()]:
            yield from self._collect(future, self._running.pop(future))

    def _fetch_pending(self, source: Iterator[Batch]) -> bool:
        """Take a batch from the source if none waits for a worker. Return True if one waits."""
        if not self._pending:
            self._pending.extend(islice(source, 1))
        return bool(self._pending)

    def _submit(self, client: Client, task: RemoteTask) -> None:
        """Send a batch to a worker that can render.

        If the scheduler is away, `_check_workers` reports it.
        """
        resources = {remote.name_resource(describe_environment(task.engine)): 1}
        try:
            future = client.submit(
                pickle.loads, pickle.dumps(task), pure=False, resources=resources
            )
        except Exception:
            self._usable_workers.clear()
            self._pending.append(task.batch)
        else:
            self._running[future] = task.batch

    def _check_workers(self, client: Client) -> None:
        """Find the workers that can render. Raise Unreachable if there is none for too long."""
        present: set[str] | None = None
        answers: dict[str, object] = {}
        with suppress(Exception):  # the scheduler may come back
            timeout = CONNECT_TIMEOUT_SECONDS
            present = set(
                client.sync(client.scheduler.ncores, callback_timeout=timeout)
            )
            unknown = sorted(present - self._usable_workers - self._reasons.keys())
            engine = self.store.engine
            answers = client.run(
                remote.probe, engine, workers=unknown, on_error="return"
            )
        self._usable_workers &= present or set()
        for worker, answer in answers.items():
            self._admit_worker(worker, answer)
        if not self._usable_workers:
            # Lost batches are sent again as soon as there is a worker.
            self._pending.extend(self._running.values())
            self._running.clear()
        if self._usable_workers or (present and present - self._reasons.keys()):
            self._seen_at = time.monotonic()
        else:
            self._give_up(present)

    def _give_up(self, present: set[str] | None) -> None:
        """Raise Unreachable if no worker can render, or if none was connected for too long."""
        place = format_address(self.address)
        if present:
            reasons = [
                _("{name}: {reason}", name=name, reason=why)
                for name, why in sorted(self._reasons.items())
            ]
            form = _("{place}: no worker can render these cards: {listed}")
            listed = join_messages(reasons, _("{first}; {rest}"))
            raise Unreachable(
                _(form, place=place, listed=listed), render_codes.WORKER.remedy
            )
        if time.monotonic() - self._seen_at > WORKER_TIMEOUT_SECONDS:
            form = _("{place}: no worker within {seconds} s")
            if present is None:
                form = _("{place}: no answer within {seconds} s")
            hint = _(
                "Start workers (dask worker HOST:PORT --nthreads 1) and build again. Faces "
                "rendered so far are kept."
            )
            raise Unreachable(
                _(form, place=place, seconds=WORKER_TIMEOUT_SECONDS), hint
            )

    def _admit_worker(self, worker: str, answer: object) -> None:
        """Accept a worker with the same environment as this machine, or report why not."""
        reason = ""
        if isinstance(answer, dict):
            ours = describe_environment(self.store.engine)
            form = _("{name} is {there} on the worker and {here} on this computer")
            reasons: list[Message] = []
            for name in sorted({*ours, *answer}):
                their_version = answer.get(name, "-")
                our_version = ours.get(name, "-")
                if their_version != our_version:
                    reasons.append(
                        _(form, name=name, there=their_version, here=our_version)
                    )
            reason = join_messages(reasons, _("{first}; {rest}"))
        elif isinstance(answer, ModuleNotFoundError):
            form = _(
                "squadpress is not installed there ({reason}): pip install 'squadpress[cluster]'"
            )
            reason = _(form, reason=answer)
        else:
            reason = getattr(answer, "message", "")
            reason = reason or f"{type(answer).__name__}: {answer}".splitlines()[0]
        if reason:
            self._reasons[worker] = reason
            message = _(
                "the worker {worker} is not used: {reason}",
                worker=worker,
                reason=reason,
            )
            self.findings.append(render_codes.WORKER.finding(message))
        else:
            self._usable_workers.add(worker)

    def _collect(self, future: Future, batch: Batch) -> remote.RenderedFaces:
        """Return the faces of a finished task.

        None if it was lost with the connection and is to be repeated.
        """
        from distributed import KilledWorker

        try:
            faces: remote.RenderedFaces = pickle.loads(
                future.result(timeout=CONNECT_TIMEOUT_SECONDS)
            )
        except KilledWorker:
            face = batch.faces[0].label
            count = len(batch.faces) - 1
            what = _("rendering {face}", face=face)
            if count:
                what = _("rendering {face} and {many} more", face=face, many=count)
            form = _("{place}: several workers crashed while {what}")
            hint = _(
                "Read their logs. Run squadpress build --workers 1 to see whether the "
                "cards are the cause."
            )
            message = _(form, place=format_address(self.address), what=what)
            raise Unreachable(message, hint) from None
        except Exception:
            if future.status == "error":  # the task raised it, not dask
                raise
            self._pending.append(batch)
            return []
        return faces


def find_connection_error(address: str) -> str:
    """Return why the scheduler at an address does not answer, or None if it does.

    Empty if one does. dask would wait for ever.
    """
    parts = urlsplit(address)
    timeout = CONNECT_TIMEOUT_SECONDS
    reasons: list[str] = []

    def connect() -> None:
        target = parts.hostname or "", parts.port or 0
        try:
            with socket.create_connection(target, timeout=timeout) as connection:
                # A scheduler sends first.
                if connection.recv(1):
                    reasons.append("")
                else:
                    reasons.append(_("the program at this address is not a scheduler"))
        except TimeoutError:  # no answer: that is reported below
            pass
        except OSError as error:
            reasons.append(describe_os_error(error))

    # In a thread, because finding the host may take longer than the timeout.
    thread = Thread(target=connect, daemon=True)
    thread.start()
    thread.join(timeout)
    reason = (
        reasons[0] if reasons else _("no answer within {seconds:g} s", seconds=timeout)
    )
    return reason and _describe_error(address, reason)


def _describe_error(address: str, reason: str) -> str:
    form = _("no scheduler answers at {place}: {reason}")
    return _(form, place=format_address(address), reason=reason)


def format_address(address: str) -> str:
    """Return the address of a cluster as the user writes it."""
    return address.replace("tcp://", "dask://")


@contextmanager
def _connect(address: str) -> Iterator[Client]:
    """Connect to the scheduler, and silence dask's own log."""
    try:
        from distributed import Client
    except ImportError:
        message = _("a cluster needs dask.distributed, which is not installed")
        raise ToolMissing(
            message, _("Install it: pip install 'squadpress[cluster]'.")
        ) from None
    hint = _("Start a scheduler with `dask scheduler`. It prints its address.")
    connection_error = find_connection_error(address)
    if connection_error:
        raise Unreachable(connection_error, hint)
    logging.getLogger("distributed").setLevel(logging.FATAL + 1)
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False)
    except OSError as error:
        connection_error = _describe_error(address, str(error).splitlines()[0])
        raise Unreachable(connection_error, hint) from error
    with client:
        yield client
