"""Worker processes that set faces: each loads the engine once and puts what it set into the cache itself.

Knows nothing of cards and templates: batches of filled-in faces come in, facts go out, in no particular order.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from itertools import chain, islice
from multiprocessing.context import BaseContext
from pathlib import Path
from threading import Thread
from typing import Any, Self, TypeAlias, cast

from builder import limits
from builder.cache import cache_at
from builder.errors import InputUnreadable, SquadpressError
from builder.files import within
from builder.findings import Box, Finding, Location, has_errors
from builder.geometry.boxes import FaceBoxes
from builder.messages import Message, gettext as _
from builder.render import render_codes
from builder.render.cache import FACES, FaceCache
from builder.render.engines import DEFAULT, Engine, SetDocument, SetFace, adapter
from builder.render.fonts import configure, remember
from builder.render.html.problems import of_face
from builder.render.jobs import Batch, FaceFacts, FaceHtml, Places, Style

BATCH = 16
"""Faces a document: fewer waste start-up, more waste memory."""
LEAST = 4
"""Faces a document towards the end, so that all processes end together: no face comes out differently for it."""
FEW = 2
"""So few batches are set by one process: starting others costs more than it saves."""
AT_HAND = 8
"""Batches a process has at hand: none waits for its next while templates are filled in, and no more lie in memory."""
LIFETIME = 250
"""Batches until all processes are exchanged for fresh ones: what the engine leaks stays bounded."""
DEATHS = 12
"""So often may processes die in one build: what they had is set again, face by face; a face that ends its process then
too is a finding."""
MEMORY = 2_000_000_000
"""Bytes that a process may take besides the program itself."""
SECONDS, SECONDS_A_FACE = 20, 5
"""Processor time that a process may take for a batch, and in addition for each of its faces."""
SECONDS_A_DOCUMENT, BYTES_A_SECOND = 120, 10_000
"""Processor time that it may take for a document of many pages, and bytes of its HTML for each further second."""

PRACTICE = "practice"
"""Under what is kept that a process sets before it is asked to set anything."""
PRELOADED = "SQUADPRESS_ENGINE"
"""How the process from which workers are forked is told which engine to load."""

_preloaded = _serving = False
"""True once the engine is loaded ahead of need, and once there is a process to fork workers from."""

_ready: limits.LimitedPool | None = None
"""One process that loads the engine, for a few faces."""

_practised = ""
"""The style that this process has set a face in."""

_missing: tuple[str, SquadpressError] | None = None
"""An engine, and what `_load` found missing: the import cannot be tried again in the same process."""


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """What an engine is opened with. `fonts` are the pack's own files; `engine` is a name of the registry."""

    places: Places
    fonts: tuple[Path, ...] = ()
    engine: str = DEFAULT


_engine: tuple[int, EngineSetup, Engine] | None = None
"""This process's engine, the process, and what it was opened with."""

Running: TypeAlias = dict["Future[list[FaceFacts]]", tuple[tuple[Batch, ...], limits.LimitedPool]]


class Workers:
    """As many processes as `count`, until the block ends. With none, this process sets, and nothing limits it."""

    def __init__(self, setup: EngineSetup, count: int) -> None:
        self._setup, self.count = setup, count
        self._pool: limits.LimitedPool | None = None
        self._cause = limits.CRASH
        self._given = self._deaths = 0
        self._suspects: list[tuple[Batch, ...]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close(
            cancel=True, wait=any(error)
        )  # where all went well, sheets are composed meanwhile

    def set_all(self, batches: Iterable[Batch]) -> Iterator[FaceFacts]:
        """Set all batches. A few are begun at once, many when the first face is asked for, while the last are still
        being made.
        """
        coming = iter(batches)
        first = tuple(islice(coming, FEW + 1))
        if not self.count:
            return chain.from_iterable(
                set_batches(self._setup, (batch,)) for batch in chain(first, coming)
            )
        if len(first) > FEW:
            return self._spread((batch,) for batch in chain(first, coming))
        running: Running = {}
        if first:
            self._take_ready()
            self._submit(running, first)
        return self._rest(running)

    def _spread(self, lots: Iterable[tuple[Batch, ...]]) -> Iterator[FaceFacts]:
        """Hand batches to the processes as they come, so many at a time at most."""
        running: Running = {}
        self._take_ready()
        self._close()  # it is for a few alone, and may still be at them
        for lot in lots:
            if self._given >= LIFETIME * self.count:
                yield from self._rest(running)
                self._close()
            self._submit(running, lot)
            yield from self._finished(running, wait_for_one=len(running) >= AT_HAND * self.count)
        yield from self._rest(running)

    def _rest(self, running: Running) -> Iterator[FaceFacts]:
        """All that is under way, and what was when processes died."""
        while running:
            yield from self._finished(running, wait_for_one=True)
        suspects, self._suspects = self._suspects, []
        for batch in chain.from_iterable(suspects):
            for face in batch.faces:
                yield from self._alone(Batch(batch.style, (face,)))

    def _alone(self, batch: Batch) -> Iterator[FaceFacts]:
        """A face that no other is set beside: if the process dies, it is the reason."""
        running: Running = {}
        self._submit(running, (batch,))
        yield from self._finished(running, wait_for_one=True)
        if self._suspects:
            self._suspects.clear()
            (face,) = batch.faces
            limit = self._cause.describe_limit(MEMORY, SECONDS + SECONDS_A_FACE)
            yield FaceFacts(face.key, face.label, findings=(_exceeds(face, limit),), deps=face.deps)

    def _finished(self, running: Running, *, wait_for_one: bool) -> Iterator[FaceFacts]:
        """What is set by now. What a process had that died is set apart."""
        for future in wait(running, None if wait_for_one else 0, FIRST_COMPLETED).done:
            lot, pool = running.pop(future)
            try:
                facts = future.result()
            except BrokenProcessPool as error:
                self._bury(pool, error)
                self._suspects.append(lot)
            except MemoryError:
                self._cause = limits.MEMORY
                self._suspects.append(lot)
            else:
                yield from facts

    def _submit(self, running: Running, lot: tuple[Batch, ...]) -> None:
        while True:
            if self._pool is None:
                if not _preloaded:
                    load(self._setup.engine)  # once, not in each process
                self._pool, self._given = limits.LimitedPool(self.count, MEMORY, _context()), 0
            try:
                future = self._pool.submit(set_batches, self._setup, lot)
            except BrokenProcessPool as error:
                self._bury(self._pool, error)
                continue
            self._given += len(lot)
            running[future] = lot, self._pool
            return

    def _take_ready(self) -> None:
        """Let the process that is ready for a few set them, where there is one."""
        global _ready
        self._pool, _ready = self._pool or _ready, None

    def _bury(self, pool: limits.LimitedPool, error: BrokenProcessPool) -> None:
        """A process of this pool died, and with it all others: begin anew, a few times only."""
        self._cause = pool.find_cause()
        if pool is self._pool:
            self._close()
            self._deaths += 1
        if self._deaths >= DEATHS:
            raise InputUnreadable(
                _("a process that sets cards died"),
                _("Choose fewer cards with --only to see which it is."),
            ) from error

    def _close(self, *, cancel: bool = False, wait: bool = False) -> None:
        """Give these processes nothing more: they end with what they have, for which somebody waits, unless all that
        was not begun is cancelled. A thread sees to it, which the program waits for before it ends.
        """
        pool, self._pool = self._pool, None
        if pool is not None:
            end = Thread(target=pool.shutdown, kwargs={"cancel_futures": cancel})
            end.start()
            if wait:
                end.join()


def few() -> int:
    """So many faces are set by one process."""
    return FEW * BATCH


def in_batches(
    faces: Iterable[tuple[Style, FaceHtml]], total: int, workers: int, *, agree: bool = False
) -> Iterator[Batch]:
    """Faces by style, a few together, with those of a card that follow each other; each batch as soon as it is full.
    `total` says how many are to come at most.
    """
    waiting: dict[str, tuple[Style, list[FaceHtml]]] = {}
    left, parts = total, 2 * max(workers, 1) if total > few() else 1
    for style, face in faces:
        group = waiting.setdefault(style.key, (style, []))[1]
        if len(group) >= min(BATCH, max(LEAST, left // parts)) and face.card != group[-1].card:
            left -= len(group)
            yield Batch(style, tuple(group), agree)
            group.clear()
        group.append(face)
    for style, group in waiting.values():
        yield Batch(style, tuple(group), agree)


def preload(places: Places, engine: str = DEFAULT) -> None:
    """Begin to load the engine while this process reads the pack: in a process for the few faces that changed, or,
    where none was ever set, in one from which workers are forked.

    `engine` is what will set the pack. Where processes cannot be forked nothing happens.
    """
    global _preloaded, _ready
    if _preloaded or sys.platform != "linux":
        return
    with suppress(SquadpressError):  # told by whoever sets first
        configure(places.cache, ())
    os.environ[PRELOADED] = engine
    _preloaded = True
    if cache_at(places.cache).count(FACES):
        _ready = limits.LimitedPool(1, MEMORY)
        with _uninterrupted():
            _ready.submit(_prepare, places, engine)
    else:
        _serve()


def _serve() -> None:
    """Begin the process from which workers are forked, unless there is one."""
    global _serving
    from multiprocessing import forkserver

    multiprocessing.get_context("forkserver").set_forkserver_preload(["builder.render.preload"])
    with _uninterrupted():
        forkserver.ensure_running()
    _serving = True


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Begin a process that never hears an interruption: whoever stops the program stops it by its own process, with
    which that one ends, and without a word.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _context() -> BaseContext:
    """How processes are begun: forked in a hundredth of a second, or anew where forking is not safe."""
    if _preloaded:
        _serve()
        return multiprocessing.get_context("forkserver")
    return limits.process_context()


def load(engine: str) -> None:
    """Import the engine, and nothing more: a process that only did this may still be forked.

    What stands in the way is told by `open_engine`.
    """
    global _missing
    try:
        adapter(engine).preload()
    except SquadpressError as error:
        _missing = engine, error


def _prepare(places: Places, engine: str) -> None:
    """Load the engine, and set once more what a few were set with last: a process takes five times as long for its
    first face as for its second, and has the time now. The faces are dropped, the style sheets stay.
    """
    global _practised
    load(engine)
    value = cast("dict[str, Any]", cache_at(places.cache).value(PRACTICE, places.data.name) or {})
    with suppress(
        Exception
    ):  # what stands in the way is told by who sets first; a cache may hold anything
        own = places.project, places.cache
        fonts = tuple(
            path for path in map(Path, value["fonts"]) if any(within(at, path) for at in own)
        )
        bleed, trim, safe = (Box(*box) for box in value["boxes"])
        sheets, boxes = (
            tuple(map(tuple, value["sheets"])),
            FaceBoxes(bleed, trim, safe, value["shape"]),
        )
        style = Style(value["style"], sheets, boxes, value["fit"], value["lang"])
        faces = tuple(
            FaceHtml(f"{PRACTICE} {at}", html, "", None, "")
            for at, html in enumerate(value["faces"][:2])
        )
        with limits.limit_processor_time(SECONDS + SECONDS_A_FACE * len(faces)):
            open_engine(EngineSetup(places, fonts, engine)).set_batch(Batch(style, faces))
        _practised = style.key


def _keep(setup: EngineSetup, batch: Batch) -> None:
    """Keep what a few faces are set with, for `_prepare`; of each style once in a process."""
    global _practised
    style, boxes = batch.style, batch.style.boxes
    if style.key != _practised:
        _practised = style.key
        value: dict[str, Any] = {
            "style": style.key,
            "sheets": style.sheets,
            "fit": style.fit,
            "lang": style.lang,
        }
        value |= {
            "shape": boxes.shape,
            "boxes": [astuple(box) for box in (boxes.bleed, boxes.trim, boxes.safe)],
        }
        value |= {
            "fonts": [*map(str, setup.fonts)],
            "faces": [face.html for face in batch.faces[:2]],
        }
        cache_at(setup.places.cache).write(PRACTICE, setup.places.data.name, value)


def open_engine(setup: EngineSetup) -> Engine:
    """This process's engine, opened once. Raises ToolMissing."""
    global _engine
    if _missing is not None and _missing[0] == setup.engine:
        raise _missing[1]
    if _engine is not None and _engine[:2] == (os.getpid(), setup):
        return _engine[2]
    engine = adapter(setup.engine).open(setup.places, setup.fonts)
    _engine = os.getpid(), setup, engine
    return engine


def set_batches(setup: EngineSetup, batches: Iterable[Batch]) -> list[FaceFacts]:
    """Set some batches in this process and keep what came out whole. Raises ToolMissing and OutputNotWritten."""
    engine, cache, batches = open_engine(setup), FaceCache(setup.places.cache), tuple(batches)
    asked = {face.key for batch in batches for face in batch.faces}
    with limits.limit_processor_time(SECONDS + SECONDS_A_FACE * len(asked)):
        done = [each for batch in batches for each in _set(engine, batch)]
        cache.put_all(
            (each.facts, each.record) for each in done if not has_errors(each.facts.findings)
        )
    remember(setup.places.cache)
    if batches and not any(has_errors(each.facts.findings) for each in done):
        _keep(setup, batches[0])
    return [each.facts for each in done if each.face.key in asked]


def _set(engine: Engine, batch: Batch) -> list[SetFace]:
    """What the engine makes of a batch; a face that breaks the engine itself is told, and the others are set alone."""
    try:
        return list(engine.set_batch(batch))
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:
        if len(batch.faces) > 1:
            return [
                done for face in batch.faces for done in _set(engine, Batch(batch.style, (face,)))
            ]
        (face,) = batch.faces
        facts = FaceFacts(face.key, face.label, findings=(_broke(face, error),), deps=face.deps)
        return [SetFace(face, facts, None)]


def set_document(
    setup: EngineSetup, style: Style, page: FaceHtml, *, apart: bool = True
) -> SetDocument:
    """Set a document on as many pages as it takes, `apart` in a process with limits. Raises ToolMissing."""
    if not apart:
        return _document(setup, style, page)
    if not _serving:
        load(setup.engine)
    seconds = SECONDS_A_DOCUMENT + len(page.html) // BYTES_A_SECOND
    try:
        with limits.LimitedProcess(MEMORY, seconds, _context() if _serving else None) as process:
            return process.run(_document, setup, style, page)
    except limits.LimitsExceeded as error:
        return SetDocument((), (_exceeds(page, error.cause.describe_limit(MEMORY, seconds)),))


def _document(setup: EngineSetup, style: Style, page: FaceHtml) -> SetDocument:
    engine = open_engine(setup)
    try:
        return engine.set_document(style, page)
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:
        return SetDocument((), (_broke(page, error),))


def _exceeds(face: FaceHtml, limit: Message) -> Finding:
    """The error of a face or document that exceeds a limit."""
    message = of_face(face.label, _("it takes more than {limit}", limit=limit))
    return render_codes.LIMITS.finding(message, Location(face.template or face.file))


def _broke(face: FaceHtml, error: Exception) -> Finding:
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    told = of_face(face.label, _("the engine fails at it ({reason})", reason=reason))
    return render_codes.ENGINE_FAILED.finding(told, Location(face.template or face.file))
