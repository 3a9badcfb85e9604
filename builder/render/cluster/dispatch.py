"""Who of a cluster gets which batch.

Only so many batches are under way as keep the workers busy: those of a lost worker are handed to another, new workers
join in, and when none is left what is set already stays.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import uuid4

from builder.errors import SquadpressError
from builder.findings import Finding
from builder.messages import Message, joined
from builder.messages import gettext as _
from builder.render import codes
from builder.render.cluster.facestore import FaceStore
from builder.render.cluster.faraway import Errand, Outcome, Task
from builder.render.cluster.shipment import Shipment
from builder.render.jobs import Batch, FaceFacts

CONNECTING = 10
"""Seconds that a scheduler has to answer."""
PATIENCE = 30
"""Seconds without any worker until the build gives up."""
SILENCE = 180
"""Seconds without any answer, though there are workers, until the build gives up."""
SLOW = 60
"""Seconds after which a batch is given to another worker too: one that hangs is not lost to the scheduler for long."""
AHEAD = 2
"""Batches a worker has at hand: it need not wait for the next."""
TRIES = 3
"""How often the same is tried where the store loses what is put into it."""
LOOK = 1.0
"""Seconds between two looks at who is there."""


NO_ANSWER, NO_WORKER = _("{place}: no answer for {seconds} s"), _("{place}: no worker for {seconds} s")


class Unreachable(SquadpressError):
    """The cluster does not answer, or has no worker that can set."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class Lot:
    """A batch under way: the workers that may have it, and since when."""

    batch: Batch
    given: frozenset[str]
    since: float


@dataclass(slots=True)
class Dispatch:
    """The batches of one build and the workers they are with."""

    shown: str
    """The cluster's name in messages."""
    store: FaceStore
    client: Any
    errand: Errand
    shipment: Shipment
    coming: Iterator[Batch]
    """Batches that are not even made yet: a thousand of them would fill the memory."""
    findings: list[Finding]
    waiting: deque[Batch] = field(default_factory=deque)
    running: dict[Any, Lot] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    """Batches that are begun and not set yet, by their first face."""
    repeated: set[str] = field(default_factory=set)
    asked: dict[Any, str] = field(default_factory=dict)
    """Workers that were asked whether they can set, by the question."""
    present: dict[str, int] = field(default_factory=dict)
    """All workers and their threads."""
    fit: set[str] = field(default_factory=set)
    unfit: dict[str, str] = field(default_factory=dict)
    tries: dict[Any, int] = field(default_factory=dict)
    away: bool = False
    """True while the scheduler does not answer."""
    looked: float = -LOOK
    manned: float = field(default_factory=time.monotonic)
    heard: float = field(default_factory=time.monotonic)

    def run(self) -> Iterator[tuple[Batch, tuple[FaceFacts, ...]]]:
        """Each batch as it is set."""
        while self.more() or self.left:
            self.look()
            self.hand_out()
            self.welcome()
            yield from self.collect()
            if self.left:
                self.judge()
                time.sleep(0.01)

    def more(self) -> bool:
        """True if a batch waits for a worker. The next is made only when none does."""
        while self.waiting and _name(self.waiting[0]) not in self.left:  # another worker was faster
            self.waiting.popleft()
        if not self.waiting:
            self.waiting.extend(islice(self.coming, 1))
            self.left.update(map(_name, self.waiting))
        return bool(self.waiting)

    def again(self, batch: Batch, why: str) -> None:
        """Put a batch back; a few times only."""
        self._count(_name(batch), why)
        self.left.add(_name(batch))
        self.waiting.append(batch)

    def _count(self, key: object, why: str) -> None:
        self.tries[key] = self.tries.get(key, 0) + 1
        if self.tries[key] >= TRIES:
            raise Unreachable(
                _("{name}: {reason}", name=self.shown, reason=why),
                _("All workers must see the same store: a shared folder, or a URL."),
            )

    def look(self) -> None:
        """See who is there; ask new workers, and take back what only lost ones had."""
        now = time.monotonic()
        if now - self.looked < LOOK:
            return
        self.looked = now
        try:
            self.present = dict(self.client.sync(self.client.scheduler.ncores, callback_timeout=CONNECTING))
        except Exception:
            self.away = True  # it may come back; if not, `judge` ends it
            return
        self.away = False
        self.fit &= self.present.keys()
        for question in [question for question, worker in self.asked.items() if worker not in self.present]:
            del self.asked[question]
            question.cancel()
        for future in [future for future, lot in self.running.items() if not lot.given & self.present.keys()]:
            self.waiting.appendleft(self.running.pop(future).batch)
            future.cancel()
        for lot in self.running.values():
            if now - lot.since > SLOW and _name(lot.batch) not in self.repeated and not self.more():
                self.repeated.add(_name(lot.batch))
                self.waiting.append(lot.batch)
        for worker in self.present.keys() - self.fit - self.unfit.keys() - set(self.asked.values()):
            self.ask(worker)

    def ask(self, worker: str) -> None:
        """Ask a worker whether it can set; other builds' work waits for that."""
        question = self._submit(None, [worker], priority=10)
        if question is not None:
            self.asked[question] = worker

    def hand_out(self) -> None:
        """Give the fit workers as many batches as keep them busy."""
        while self.fit and len(self.running) < AHEAD * len(self.fit) and self.more():
            future = self._submit(self.waiting[0], sorted(self.fit))
            if future is None:
                return
            self.running[future] = Lot(self.waiting.popleft(), frozenset(self.fit), time.monotonic())

    def _submit(self, batch: Batch | None, workers: list[str], priority: int = 0) -> Any:
        """A future of a batch, or of a greeting; None where the scheduler is away."""
        task, name = pickle.dumps(Task(self.errand, batch)), f"squadpress-{uuid4().hex}"
        try:
            return self.client.submit(
                pickle.loads, task, key=name, workers=workers, allow_other_workers=False, priority=priority
            )
        except Exception:
            return None

    def welcome(self) -> None:
        """Hear the answers of the workers that were asked."""
        for question in [question for question in self.asked if question.done()]:
            worker = self.asked.pop(question)
            self.heard = time.monotonic()
            outcome = self._result(question, _("the worker {worker}", worker=worker))
            if isinstance(outcome, Exception):
                self.leave_out(worker, _why(outcome))
            elif outcome is not None and self.ready(outcome, worker):
                self.fit.add(worker)
                self.count_threads(worker)

    def ready(self, outcome: Outcome, worker: str) -> bool:
        """True unless a worker said what stands in its way. Files that it does not find are sent once more."""
        if outcome.unfit:
            self.leave_out(outcome.worker, joined(outcome.unfit, _("{first}; {rest}")))
        if outcome.lacking:
            shown = self.store.blobs.shown
            form = _("the worker {worker} does not find in the store {store} what was just put there")
            self._count(worker, _(form, worker=worker, store=shown))
            self.shipment.send(self.store.blobs, again=outcome.lacking)
            self.fit.discard(worker)
        return not (outcome.unfit or outcome.lacking)

    def collect(self) -> Iterator[tuple[Batch, tuple[FaceFacts, ...]]]:
        """The batches that are set by now."""
        for future in [future for future in self.running if future.done()]:
            batch = self.running.pop(future).batch
            self.heard = time.monotonic()
            form = _("setting {face} and {many} more") if len(batch.faces) > 1 else _("setting {face}")
            outcome = self._result(future, _(form, face=batch.faces[0].label, many=len(batch.faces) - 1))
            if isinstance(outcome, Exception):
                raise outcome
            if outcome is None or not self.ready(outcome, outcome.worker):
                self.waiting.appendleft(batch)
            elif _name(batch) in self.left:
                self.left.remove(_name(batch))
                yield batch, outcome.facts

    def _result(self, future: Any, what: Message) -> Outcome | Exception | None:
        """What a task gave or raised; None where it was lost with the scheduler's connection."""
        from distributed import KilledWorker

        try:
            found: Outcome = pickle.loads(future.result(timeout=CONNECTING))
        except KilledWorker:
            return Unreachable(
                _("{place}: several workers died over {what}", place=self.shown, what=what),
                _("Look at their logs; squadpress build --workers 1 shows whether it is the cards' fault."),
            )
        except Exception as error:
            return error if future.status == "error" else None
        return found.error or found

    def leave_out(self, worker: str, why: str) -> None:
        """Give a worker nothing, and say so once."""
        self.fit.discard(worker)
        if worker not in self.unfit:
            self.unfit[worker] = why
            self.findings.append(
                codes.WORKER.finding(_("the worker {worker} is left out: {reason}", worker=worker, reason=why))
            )

    def count_threads(self, worker: str) -> None:
        """Say so where a worker has threads that it cannot use."""
        threads = self.present.get(worker, 1)
        if threads > 1:
            form = _("the worker {worker} has {threads} threads, but sets one batch at a time")
            message = _(form, worker=worker, threads=threads)
            hint = _("Start it with --nworkers {threads} --nthreads 1.", threads=threads)
            self.findings.append(codes.WORKER.finding(message, hint=hint))

    def judge(self) -> None:
        """Give up where nobody can set, or nobody answers."""
        now = time.monotonic()
        able = frozenset() if self.away else self.present.keys() - self.unfit.keys()
        if able:
            self.manned = now
        elif self.unfit and self.present and not self.away:
            told = (_("{name}: {reason}", name=worker, reason=why) for worker, why in sorted(self.unfit.items()))
            form, listed = _("{place}: no worker can set these cards: {listed}"), joined(told, _("{first}; {rest}"))
            raise Unreachable(_(form, place=self.shown, listed=listed), codes.WORKER.remedy)
        elif now - self.manned > PATIENCE:
            raise Unreachable(
                _(NO_ANSWER if self.away else NO_WORKER, place=self.shown, seconds=PATIENCE),
                _("Start workers (dask worker HOST:PORT --nthreads 1) and build again: what is set already is kept."),
            )
        if now - self.heard > SILENCE and able:
            form = _("{place}: {many} worker, but no answer for {seconds} s")
            if len(able) > 1:
                form = _("{place}: {many} workers, but no answer for {seconds} s")
            raise Unreachable(
                _(form, place=self.shown, many=len(able), seconds=SILENCE),
                _("They may be busy with other work, or hang. Build again later: what is set already is kept."),
            )


def _name(batch: Batch) -> str:
    return batch.faces[0].key


def _why(error: Exception) -> str:
    """Why a worker could not even be asked."""
    if isinstance(error, ModuleNotFoundError):
        return _("it has no squadpress ({reason}): pip install 'squadpress[cluster]'", reason=error)
    return getattr(error, "message", None) or f"{type(error).__name__}: {error}".splitlines()[0]
