"""After layout: what does not fit, and by how much. Walks the engine's box tree; changes nothing.

Lengths are the engine's pixels (96 an inch) until they leave this module in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from builder.findings import Box
from builder.units import MM_PER_INCH

PX = MM_PER_INCH / 96
TOLERANCE = 0.6
"""Pixels a line may stick out before it counts: rounding, not overflow."""

ASCENT, DESCENT = 0.95, 0.25
"""How far letters of a line reach from their base line, in em: the line's own height may be larger."""


@dataclass(frozen=True, slots=True)
class Block:
    """One box of fixed height that holds text.

    `name` is the declared block or the element's classes; `fit` is True for a block that may shrink. `over` is what
    sticks out downwards, `aside` what sticks out sideways, in mm; `lines` how many lines are cut of `count`; `fill` the
    used part of the height.
    """

    name: str
    fit: bool
    over: float
    aside: float
    lines: int
    fill: float
    box: Box
    count: int = 0

    @property
    def fits(self) -> bool:
        """True if nothing sticks out."""
        return self.over <= 0 and self.aside <= 0


@dataclass(frozen=True, slots=True)
class Line:
    """The letters of one line: their extent in pixels."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What one page holds: its fixed boxes, and the extent of all its lines (mm, from the bleed box's corner)."""

    blocks: tuple[Block, ...]
    text: tuple[tuple[Box, str], ...]


def measure(*boxes: Any) -> Measured:
    """Walk boxes of a laid-out document and all below them."""
    blocks: list[Block] = []
    text: list[tuple[Box, str]] = []
    for box in (each for root in boxes for each in _descend(getattr(root, "_box", root))):
        if _is_text_root(box):
            text.extend((_mm(line), _name(box)) for line in _lines(box, deep=False))
        if _fixed_height(box) and _name(box) and "face" not in _classes(box):
            block = _block(box)
            if block is not None:
                blocks.append(block)
    return Measured(tuple(blocks), tuple(text))


def _descend(box: Any) -> Iterator[Any]:
    """Every box below a box, itself included; placeholders of positioned boxes opened."""
    yield box
    for child in getattr(box, "children", ()):
        yield from _descend(getattr(child, "_box", child))


def _classes(box: Any) -> tuple[str, ...]:
    """The classes of the element a box comes from; none for anonymous boxes."""
    element = getattr(box, "element", None)
    if element is None or type(box).__name__.startswith("Anonymous") or getattr(element, "get", None) is None:
        return ()
    return tuple((element.get("class") or "").split())


def _name(box: Any) -> str:
    """How a finding names a box."""
    classes = _classes(box)
    fit = [name.removeprefix("fit-") for name in classes if name.startswith("fit-")]
    return fit[0] if fit else " ".join(name for name in classes if not name.startswith("step-"))


def _is_text_root(box: Any) -> bool:
    """True for a block whose direct children are lines."""
    children: Sequence[Any] = getattr(box, "children", ())
    return bool(children) and type(children[0]).__name__ == "LineBox"


def _fixed_height(box: Any) -> bool:
    """True if the style, not the content, decides the height."""
    style = getattr(box, "style", None)
    if style is None or not hasattr(box, "height") or not type(box).__name__.endswith("BlockBox"):
        return False
    if style["height"] != "auto" or style["max_height"].value != float("inf"):
        return True
    return style["position"] in ("absolute", "fixed") and style["top"] != "auto" and style["bottom"] != "auto"


def _lines(box: Any, *, deep: bool = True, icons: bool = False) -> Iterator[Line]:
    """The lines of a box, in flow only: a positioned box inside is measured for itself."""
    for child in getattr(box, "children", ()):
        if hasattr(child, "_box"):
            continue
        if type(child).__name__ == "LineBox":
            line = _ink(child, icons=icons)
            if line is not None:
                yield line
        elif deep:
            yield from _lines(child, icons=icons)


def _ink(line: Any, *, icons: bool) -> Line | None:
    """Where the letters of a line are; None for a line without any."""
    letters = [box for box in _descend(line) if getattr(box, "text", None) and box.text.strip()]
    pieces = [box for box in letters if icons or not _is_icon(box)]
    if not pieces:
        return None
    tops, bottoms = [], []
    for piece in pieces:
        size, base = piece.style["font_size"], piece.position_y + piece.baseline
        tops.append(base - ASCENT * size)
        bottoms.append(base + DESCENT * size)
    return Line(
        min(piece.position_x for piece in pieces),
        max(line.position_y, min(tops)),
        max(piece.position_x + piece.width for piece in pieces),
        min(line.position_y + line.height, max(bottoms)),
    )


def _is_icon(box: Any) -> bool:
    """True for letters of the icon font: outside running text they are drawings, which may reach anywhere.

    Where that font only stands behind another, the box holds a text.
    """
    return box.style["font_family"][0] == "icons"  # type: ignore[no-any-return]


def _block(box: Any) -> Block | None:
    """How a box of fixed height holds its text; None where it has none."""
    fit = "fit" in _classes(box)
    lines = list(_lines(box, icons=fit))
    if not lines:
        return None
    left, top = box.content_box_x(), box.content_box_y()
    right, bottom = left + box.width, top + box.height
    used = max(line.bottom for line in lines)
    aside = max(max(line.right for line in lines) - right, left - min(line.left for line in lines))
    over = max(used - bottom, top - min(line.top for line in lines))
    return Block(
        name=_name(box),
        fit=fit,
        over=round((over) * PX, 2) if over > TOLERANCE else 0.0,
        aside=round(aside * PX, 2) if aside > TOLERANCE else 0.0,
        lines=sum(line.bottom > bottom + TOLERANCE for line in lines),
        fill=round((used - top) / box.height, 4) if box.height else 1.0,
        box=Box(left * PX, top * PX, box.width * PX, box.height * PX),
        count=len(lines),
    )


def _mm(line: Line) -> Box:
    """A line's extent in mm."""
    return Box(line.left * PX, line.top * PX, (line.right - line.left) * PX, (line.bottom - line.top) * PX)
