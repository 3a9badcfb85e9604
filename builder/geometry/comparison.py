"""Pairs of pictures, before and after, laid out on pages: side by side where the paper is wide enough. Pure, mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.model.profile import Paper

MARGIN = 10.0
GAP = 8.0
CAPTION = 5.0
"""Room above each picture for its caption."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Where one pair goes: pages, counted from 0, and boxes; `before` is None where there is nothing before."""

    page: int
    after: Box
    before_page: int = 0
    before: Box | None = None


def spreads(pairs: Iterable[tuple[float, float, bool]], paper: Paper) -> Iterator[Spread]:
    """Place pairs of width, height and whether there is a before; each pair begins a row.

    Where two do not fit side by side the second stands below the first, on the next page if need be.
    """
    room_x, floor = paper.width - 2 * MARGIN, paper.height - MARGIN
    page, top = 0, MARGIN
    for width, height, both in pairs:
        tall = CAPTION + height
        page, top = (page + 1, MARGIN) if top > MARGIN and top + tall > floor else (page, top)
        first, before_page = Box(MARGIN, top + CAPTION, width, height), page
        if both and 2 * width + GAP <= room_x:
            yield Spread(page, Box(MARGIN + width + GAP, first.y, width, height), before_page, first)
        elif both:
            top += tall + GAP
            page, top = (page + 1, MARGIN) if top + tall > floor else (page, top)
            yield Spread(page, Box(MARGIN, top + CAPTION, width, height), before_page, first)
        else:
            yield Spread(page, first)
        top += tall + GAP
