"""Worker processes that render faces. Each loads the engine once and writes its faces to the cache.

This module knows no cards or templates: it is given batches of HTML and returns facts, in no
particular order.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from threading import Thread
from typing import Self

from builder import limits
from builder.errors import InputUnreadable, SquadpressError
from builder.findings import Finding, Location, has_errors
from builder.messages import Message, gettext as _
from builder.render import render_codes
from builder.render.cache import DRAFTS, FACES, FaceCache
from builder.render.engines import (
    DEFAULT,
    Engine,
    RenderedDocument,
    RenderedFace,
    find_adapter,
)
from builder.render.fonts import save_fontconfig_state
from builder.render.html.problems import add_face_label
from builder.render.jobs import Batch, FaceFacts, FaceHtml, Places, Style

MIN_FACES_PER_BATCH = 16
MAX_FACES_PER_BATCH = 64
"""Small batches start more documents, large ones take more memory."""
MAX_PENDING_BATCHES_PER_PROCESS = 2
"""A process has its next batch at hand; more would only fill the memory."""
MAX_BATCHES_PER_PROCESS = 64
"""Batches after which all processes are restarted, because the engine leaks memory."""
MAX_BROKEN_POOLS = 12
"""Pools that may break in one build before it gives up."""
MEMORY_BYTES = 2_000_000_000
"""Memory that a process may take besides the program itself."""
BATCH_SECONDS = 20
FACE_SECONDS = 5
"""Processor time that a batch may take, and in addition each of its faces."""
DOCUMENT_SECONDS = 120
BYTES_PER_SECOND = 10_000
"""Processor seconds for a document of many pages, and bytes of HTML per further second."""

_missing: tuple[str, SquadpressError] | None = None
"""The name of an engine and why it cannot be loaded. A failed import cannot be tried again."""


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """What a process needs to start an engine: its name, the folders, and the pack's fonts."""

    places: Places
    fonts: tuple[Path, ...] = ()
    engine: str = DEFAULT


_engine: tuple[int, EngineSetup, Engine] | None = None
"""The engine of the process with this id, and its setup."""


class Workers:
    """A pool of worker processes that exists until the end of the block.

    With 0 this process renders, without limits.
    """

    def __init__(self, setup: EngineSetup, count: int) -> None:
        self.count = count
        self._setup = setup
        self._pool: limits.LimitedPool | None = None
        # The pool of each batch, because a broken one is replaced meanwhile.
        self._running: dict[
            Future[list[FaceFacts]], tuple[Batch, limits.LimitedPool]
        ] = {}
        self._batches_to_retry: list[Batch] = []
        self._end_cause = limits.CRASH
        self._submitted_batches = 0
        self._broken_pools = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        # After a success, sheets are composed while the processes end.
        self._close_pool(cancel=True, wait_for_end=any(error))

    def render(self, batches: Iterable[Batch], processes: int) -> Iterator[FaceFacts]:
        """Render all batches with at most `processes` workers.

        Yield the facts of each face.
        """
        if not self.count:
            for batch in batches:
                yield from render_batch(self._setup, batch)
            return
        for batch in batches:
            if self._submitted_batches >= MAX_BATCHES_PER_PROCESS * self.count:
                yield from self._collect_all()
                self._close_pool()
            self._submit(batch, processes)
            is_full = len(self._running) >= MAX_PENDING_BATCHES_PER_PROCESS * self.count
            yield from self._collect(wait_for_one=is_full)
        yield from self._collect_all()

    def _collect_all(self) -> Iterator[FaceFacts]:
        """Wait for all batches. Yield their facts, and retry batches that broke the pool."""
        while self._running:
            yield from self._collect(wait_for_one=True)
        batches = self._batches_to_retry
        self._batches_to_retry = []
        # It is not known which face ended the process: each is tried alone.
        for batch in batches:
            for face in batch.faces:
                yield from self._retry_alone(
                    replace(batch, faces=(face,), match_sizes=False)
                )

    def _retry_alone(self, batch: Batch) -> Iterator[FaceFacts]:
        """Render one face while no other face is rendered.

        If the process ends again, this face is the reason.
        """
        self._submit(batch, 1)
        yield from self._collect(wait_for_one=True)
        if self._batches_to_retry:
            self._batches_to_retry.clear()
            (face,) = batch.faces
            limit = self._end_cause.describe_limit(
                MEMORY_BYTES, BATCH_SECONDS + FACE_SECONDS
            )
            findings = (_exceeds(face, limit),)
            yield FaceFacts(face.key, face.label, findings=findings, deps=face.deps)

    def _collect(self, *, wait_for_one: bool) -> Iterator[FaceFacts]:
        """Yield the facts of the batches that are finished."""
        timeout_seconds = None if wait_for_one else 0
        for future in wait(self._running, timeout_seconds, FIRST_COMPLETED).done:
            batch, pool = self._running.pop(future)
            try:
                facts = future.result()
            except BrokenProcessPool as error:
                self._handle_broken_pool(pool, error)
                self._batches_to_retry.append(batch)
            except MemoryError:
                self._end_cause = limits.MEMORY
                self._batches_to_retry.append(batch)
            else:
                yield from facts

    def _submit(self, batch: Batch, processes: int) -> None:
        """Give a batch to the pool. Start a pool if there is none, or if it broke."""
        while True:
            if self._pool is None:
                load(self._setup.engine)  # once, before the processes are forked
                self._pool = limits.LimitedPool(
                    min(processes, self.count), MEMORY_BYTES
                )
                self._submitted_batches = 0
            try:
                future = self._pool.submit(render_batch, self._setup, batch)
            except BrokenProcessPool as error:
                self._handle_broken_pool(self._pool, error)
                continue
            self._submitted_batches += 1
            self._running[future] = batch, self._pool
            return

    def _handle_broken_pool(
        self, pool: limits.LimitedPool, error: BrokenProcessPool
    ) -> None:
        """Record why a process ended. Raise InputUnreadable after too many broken pools."""
        self._end_cause = pool.find_pool_end_cause()
        # All batches of a pool report that it broke: it counts once.
        if pool is self._pool:
            self._close_pool()
            self._broken_pools += 1
        if self._broken_pools >= MAX_BROKEN_POOLS:
            raise InputUnreadable(
                _("a rendering process crashed"),
                _("Choose fewer cards with --only to find the card."),
            ) from error

    def _close_pool(self, *, cancel: bool = False, wait_for_end: bool = False) -> None:
        """Let the processes end after their current batches.

        With `cancel`, drop the batches that did not begin.

        A thread waits for them, and the program waits for the thread before it ends.
        """
        pool = self._pool
        self._pool = None
        if pool is not None:
            end = Thread(target=pool.shutdown, kwargs={"cancel_futures": cancel})
            end.start()
            if wait_for_end:
                end.join()


def choose_batch_size(face_count: int, processes: int) -> int:
    """Return the number of faces in a batch, so that all processes have work until the end."""
    share = ceil(face_count / (2 * max(processes, 1)))
    return min(MAX_FACES_PER_BATCH, max(MIN_FACES_PER_BATCH, share))


def make_batches(
    faces: Iterable[tuple[Style, FaceHtml]],
    size: int,
    *,
    match_sizes: bool = False,
    draft: bool = False,
) -> Iterator[Batch]:
    """Group faces of one style into batches of about `size` faces.

    The faces of one card stay together. `match_sizes` and `draft` are set in each batch.
    """
    faces_by_style: dict[str, tuple[Style, list[FaceHtml]]] = {}
    for style, face in faces:
        group = faces_by_style.setdefault(style.key, (style, []))[1]
        # The faces of a card come one after the other.
        if len(group) >= size and face.card != group[-1].card:
            yield Batch(style, tuple(group), match_sizes, draft)
            group.clear()
        group.append(face)
    for style, group in faces_by_style.values():
        yield Batch(style, tuple(group), match_sizes, draft)


def load(engine: str) -> None:
    """Import an engine without starting it, so that this process may still be forked.

    `open_engine` raises what goes wrong here.
    """
    global _missing
    try:
        find_adapter(engine).import_engine()
    except SquadpressError as error:
        _missing = engine, error


def open_engine(setup: EngineSetup) -> Engine:
    """Return the engine of this process, which is started once.

    Raise ToolMissing if it is not installed.
    """
    global _engine
    if _missing is not None and _missing[0] == setup.engine:
        raise _missing[1]
    # A forked process must not use the engine of its parent.
    if _engine is not None and _engine[:2] == (os.getpid(), setup):
        return _engine[2]
    engine = find_adapter(setup.engine).open(setup.places, setup.fonts)
    _engine = os.getpid(), setup, engine
    return engine


def render_batch(setup: EngineSetup, batch: Batch) -> list[FaceFacts]:
    """Render a batch in this process, and cache its faces without errors.

    Return the facts of its faces.

    Faces of a draft are cached apart, with their errors. Raises ToolMissing and OutputNotWritten.
    """
    engine = open_engine(setup)
    cache = FaceCache(setup.places.cache, DRAFTS if batch.draft else FACES)
    requested_keys = {face.key for face in batch.faces}
    with limits.limit_processor_time(
        BATCH_SECONDS + FACE_SECONDS * len(requested_keys)
    ):
        faces = _render_faces(engine, batch)
        if batch.draft:
            cached_faces = [face for face in faces if face.record is not None]
        else:
            cached_faces = [
                face for face in faces if not has_errors(face.facts.findings)
            ]
        cache.store_faces((face.facts, face.record) for face in cached_faces)
    save_fontconfig_state(setup.places.cache)
    # Smaller versions, made to match a card's other face, are only cached.
    return [face.facts for face in faces if face.face.key in requested_keys]


def _render_faces(engine: Engine, batch: Batch) -> list[RenderedFace]:
    """Render the faces of a batch.

    If the engine itself fails, render each face alone. The failing one gets a finding.
    """
    try:
        return list(engine.render_batch(batch))
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:
        if len(batch.faces) == 1:
            (face,) = batch.faces
            findings = (_engine_failed(face, error),)
            facts = FaceFacts(face.key, face.label, findings=findings, deps=face.deps)
            return [RenderedFace(face, facts, None)]
    faces: list[RenderedFace] = []
    for face in batch.faces:
        faces += _render_faces(engine, replace(batch, faces=(face,), match_sizes=False))
    return faces


def render_document(
    setup: EngineSetup, style: Style, page: FaceHtml, *, limited: bool = True
) -> RenderedDocument:
    """Render a document of many pages, in a limited process if `limited` is true.

    Raises ToolMissing.
    """
    if not limited:
        return _render_document(setup, style, page)
    load(setup.engine)
    seconds = DOCUMENT_SECONDS + len(page.html) // BYTES_PER_SECOND
    try:
        with limits.LimitedProcess(MEMORY_BYTES, seconds) as process:
            return process.run(_render_document, setup, style, page)
    except limits.LimitsExceeded as error:
        limit = error.cause.describe_limit(MEMORY_BYTES, seconds)
        return RenderedDocument((), (_exceeds(page, limit),))


def _render_document(
    setup: EngineSetup, style: Style, page: FaceHtml
) -> RenderedDocument:
    engine = open_engine(setup)
    try:
        return engine.render_document(style, page)
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:
        return RenderedDocument((), (_engine_failed(page, error),))


def _exceeds(face: FaceHtml, limit: Message) -> Finding:
    """Return the error that a face or document exceeds a limit."""
    message = add_face_label(face.label, _("it needs more than {limit}", limit=limit))
    return render_codes.LIMITS.finding(message, Location(face.template or face.file))


def _engine_failed(face: FaceHtml, error: Exception) -> Finding:
    """Return the error that the engine failed with an exception on a face or document."""
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    message = add_face_label(
        face.label, _("the engine failed ({reason})", reason=reason)
    )
    return render_codes.ENGINE_FAILED.finding(
        message, Location(face.template or face.file)
    )
