"""Pages of gauges: heads, check lines, captions, pieces, and the pages of backs. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from builder.findings import Box
from builder.geometry.gauges.art import CHECK, Art, Path, Text, line, rect
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.draw import draw
from builder.geometry.gauges.packing import Placed, TooLarge, mirrored, pack
from builder.model.gauge import GaugeSet

MARGIN, HEAD, FOOT = 10.0, 11.0, 12.0
CHECK_LINE = 100.0
"""Length of the check line in mm."""

TICK = 0.25
"""Width of its ticks in mm; the outer ones lie inside, so that it measures true from edge to edge."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet in mm."""

    width: float
    height: float

    @property
    def area(self) -> Box:
        """Where pieces may lie."""
        return Box(MARGIN, MARGIN + HEAD, self.width - 2 * MARGIN, self.height - 2 * MARGIN - HEAD - FOOT)


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: its furniture and its pieces. On a page of backs (`back`) the pieces show their backs."""

    group: str
    furniture: tuple[Art, ...]
    pieces: tuple[Placed, ...]
    back: bool = False


def sheets(gauges: GaugeSet, context: Context, paper: Paper, title: str) -> tuple[list[Sheet], list[TooLarge]]:
    """All pages of a pack's gauges, each followed by its backs where pieces have them; what fits on no page apart."""
    planned: list[tuple[str, str, list[Placed], bool]] = []
    lost: list[TooLarge] = []
    for group in gauges.groups:
        pieces = [piece for gauge in group.gauges for piece in draw(gauge, context)]
        pages, beyond = pack(pieces, paper.area)
        lost += beyond
        for page in pages:
            head = context.say(group.title)
            planned.append((group.id, head, page, False))
            backs = [mirrored(placed, paper.width) for placed in page if placed.piece.back is not None]
            if backs:
                planned.append((group.id, f"{head} · {context.words.back}", backs, True))
    found = []
    for number, (group_id, head, page, back) in enumerate(planned, start=1):
        art = [*_head(context, paper, head, title), *_foot(context, paper, f"{number} / {len(planned)}")]
        if not back:
            art += [item for placed in page for item in _caption(context, placed)]
        found.append(Sheet(group_id, tuple(art), tuple(page), back))
    return found, lost


@dataclass(frozen=True, slots=True)
class TooLong:
    """A text that is wider than its place even at the smallest size; widths in mm."""

    gauge: str
    text: str
    wide: float
    room: float


def overlong(pages: Iterable[Sheet], context: Context) -> list[TooLong]:
    """Every text that does not fit, each once."""
    found: dict[tuple[str, str], TooLong] = {}
    for page in pages:
        pieces = ((p.piece.gauge, (p.piece.back or ()) if page.back else p.piece.front) for p in page.pieces)
        for gauge, art in (*pieces, ("", page.furniture)):
            for item in art:
                if not isinstance(item, Text) or item.limit is None:
                    continue
                wide = context.measure(item.text, item.size, item.weight)
                if wide > item.limit + 0.05:
                    found.setdefault((gauge, item.text), TooLong(gauge, item.text, wide, item.limit))
    return list(found.values())


def _head(context: Context, paper: Paper, head: str, title: str) -> list[Art]:
    style = context.style
    y = MARGIN + 2.6
    right = paper.width - MARGIN
    return [
        Path(rect(MARGIN, MARGIN - 0.4, 3.0, 6.0), fill=style.accent),
        context.line(
            head.upper(), MARGIN + 5, y, 5.2, style.ink, width=paper.width * 0.58, weight="black", anchor="start"
        ),
        context.line(f"{title} · {context.words.gauges}", right, y, 2.8, style.ink, weight="regular", anchor="end"),
        Path(line((MARGIN, MARGIN + 7.4), (right, MARGIN + 7.4)), stroke=style.ink, width=0.3),
    ]


def _foot(context: Context, paper: Paper, number: str) -> list[Art]:
    style = context.style
    y = paper.height - MARGIN - 1.5
    end = MARGIN + CHECK_LINE
    art: list[Art] = [Path(line((MARGIN, y), (end, y)), stroke=style.ink, width=0.3, tag=CHECK)]
    for step in range(11):
        x = min(max(MARGIN + step * 10, MARGIN + TICK / 2), end - TICK / 2)
        art.append(Path(line((x, y - (2.2 if step % 5 == 0 else 1.2)), (x, y)), stroke=style.ink, width=TICK))
    art.append(context.line(context.words.scale, MARGIN, y - 4.2, 2.5, style.ink, weight="regular", anchor="start"))
    art.append(context.line(number, paper.width - MARGIN, y - 1, 2.8, style.ink, anchor="end"))
    return art


def _caption(context: Context, placed: Placed) -> list[Art]:
    if not placed.piece.caption:
        return []
    box = placed.box
    lines = context.broken(placed.piece.caption, box.width + 2, 2.3, 2)
    size = min(context.fitted(item, box.width + 3, 2.3, "regular") for item in lines)
    top = box.y + box.height + 2.2
    return [
        context.line(
            item, box.x + box.width / 2, top + i * 2.6, size, context.style.ink, width=box.width + 3, weight="regular"
        )
        for i, item in enumerate(lines)
    ]
