"""How a box holds its lines, for every engine that can tell where both are.

Lengths are CSS pixels (96 an inch) until they leave this module in mm.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.render.engine.search import Block
from builder.units import MM_PER_INCH

PX = MM_PER_INCH / 96
TOLERANCE = 0.6
"""Pixels a line may stick out before it counts: rounding, not overflow."""

ASCENT, DESCENT = 0.95, 0.25
"""How far letters of a line reach from their base line, in em: the line's own height may be larger."""


INK = 0.74, 0.2
"""How far their ink reaches from the base line, in em: few letters of a line reach further."""
ICON = 0.88, 0.12
"""The same of a letter of the icon font."""
MARKUP = re.compile(r"""<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>""", re.DOTALL)
"""A comment, or a tag: its slash, name and attributes."""
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
DECLARED = re.compile(r"""\sdata-(block|in)=["']([^"']*)["']""")
"""What an element's attributes say of its block: its name, the panel that it belongs into."""


class Line(NamedTuple):
    """The letters of one line, or a box: their extent in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def mm(self) -> Box:
        """The same in mm."""
        return Box(self.left * PX, self.top * PX, (self.right - self.left) * PX, (self.bottom - self.top) * PX)


class ClassNames(NamedTuple):
    """What an element's classes say: how a finding names its boxes, whether one may shrink or is a whole face."""

    name: str
    fit: bool
    face: bool


@lru_cache(maxsize=1000)
def names_of(text: str) -> ClassNames:
    """What a `class` attribute says."""
    classes = text.split()
    fit = [name.removeprefix("fit-") for name in classes if name.startswith("fit-")]
    name = fit[0] if fit else " ".join(name for name in classes if not name.startswith("step-"))
    return ClassNames(name, "fit" in classes, "face" in classes)


def painted_block(name: str, panel: str, parts: Iterable[Line]) -> PaintedBlock:
    """A block with what is painted of it, of which there is something."""
    lefts, tops, rights, bottoms = zip(*parts, strict=True)
    return PaintedBlock(name, panel, Line(min(lefts), min(tops), max(rights), max(bottoms)).mm)


def ink_of(left: float, right: float, base: float, size: float, *, icon: bool) -> Line:
    """The ink of some letters of one size on one base line."""
    above, below = ICON if icon else INK
    return Line(left, base - above * size, right, base + below * size)


def block_of(names: ClassNames, content: Line, lines: Sequence[Line]) -> Block:
    """How a box with this content box holds its lines, of which there are some."""
    used = max(line.bottom for line in lines)
    aside = max(max(line.right for line in lines) - content.right, content.left - min(line.left for line in lines))
    over = max(used - content.bottom, content.top - min(line.top for line in lines))
    height = content.bottom - content.top
    return Block(
        name=names.name,
        fit=names.fit,
        over=round(over * PX, 2) if over > TOLERANCE else 0.0,
        aside=round(aside * PX, 2) if aside > TOLERANCE else 0.0,
        lines=sum(line.bottom > content.bottom + TOLERANCE for line in lines),
        fill=round((used - content.top) / height, 4) if height else 1.0,
        box=content.mm,
        count=len(lines),
    )
