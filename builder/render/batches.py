"""Which faces are set together in one document, worked out while they are still being filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from builder.render.jobs import Batch, FaceHtml, Style

BATCH = 16
"""Faces a document: fewer waste start-up, more waste memory."""

LEAST = 4
"""Faces a document towards the end, so that all processes end together: no face comes out differently for it."""


def few() -> int:
    """So many faces are set by one process: what is done in two documents is not worth starting others."""
    from builder.render.pool import ALONE

    return ALONE * BATCH


def in_batches(faces: Iterable[tuple[Style, FaceHtml]], total: int, workers: int) -> Iterator[Batch]:
    """Faces by style, a few together, each batch as soon as it is full. `total` says how many are to come at most."""
    waiting: dict[str, tuple[Style, list[FaceHtml]]] = {}
    left, parts = total, 2 * workers if total > few() else 1
    for style, face in faces:
        group = waiting.setdefault(style.key, (style, []))[1]
        group.append(face)
        if len(group) >= min(BATCH, max(LEAST, left // parts)):
            left -= len(group)
            del waiting[style.key]
            yield Batch(style, tuple(group))
    for style, group in waiting.values():
        yield Batch(style, tuple(group))
