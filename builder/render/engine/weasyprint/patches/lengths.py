"""Used lengths: without percentages the same for every box of a style, and with them nearly.

Borders of collapsing tables are settled between cells, hence never kept; the engine's stand-in for a positioned box
(which has a `_box`) keeps nothing of its own.
"""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

_SIDES = ("top", "right", "bottom", "left")
_ALONG = (*(f"{edge}_{side}" for edge in ("margin", "padding") for side in _SIDES), "width", "min_width", "max_width")
"""Lengths of which shares refer to the width of the containing block."""

_UP = ("height", "min_height", "max_height")
_BORDERS = tuple(f"border_{side}_width" for side in _SIDES)


class _Lengths(NamedTuple):
    """The used lengths of a style that are the same for all its boxes, its shares of a width, whether its sizes
    have still to be shrunk to the content, and whether borders of tables of this style collapse.
    """

    same: dict[str, Any]
    shares: tuple[tuple[str, float], ...] = ()
    shrunk: bool = False
    collapsing: bool = False


def replacements() -> Iterator[Replacement]:
    """The working out of used lengths."""
    from weasyprint.layout import percent

    yield from everywhere(percent.resolve_percentages, _percentages(percent.resolve_percentages))


def _percentages(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The containing block is asked for its width only where a length is a share of it."""
    from weasyprint.formatting_structure import boxes
    from weasyprint.formatting_structure.boxes import Box, PageBox

    rows = (boxes.TableRowGroupBox, boxes.TableRowBox, boxes.TableCellBox)
    tables = (*rows, boxes.TableBox, boxes.TableColumnGroupBox, boxes.TableColumnBox)

    def resolve(box: Any, containing_block: Any) -> None:
        known, own = getattr(box.style, "known", None), box.__dict__
        if known is None or "_box" in own or isinstance(box, PageBox):
            original(box, containing_block)
            return
        if "lengths" not in known:
            known["lengths"] = _lengths(box.style)
        used = known["lengths"]
        if used is None or (used.collapsing and isinstance(box, tables)):
            original(box, containing_block)
            return
        own.update(used.same)
        if used.shares:
            width = containing_block.width if isinstance(containing_block, Box) else containing_block[0]
            for name, share in used.shares:
                own[name] = width * share / 100
        if used.shrunk:
            _shrink(box)

    return resolve


def _lengths(style: Any) -> _Lengths | None:
    """The lengths of a style; None where one refers to a height, or to anything else."""
    same: dict[str, Any] = {name: style[name] for name in _BORDERS}
    collapsing = style["border_collapse"] == "collapse"
    if collapsing and any(same.values()):
        return None
    shares = []
    for name in (*_ALONG, *_UP):
        value = style[name]
        unit = getattr(value, "unit", None)
        if value == "auto":
            same[name] = 0 if name in ("min_width", "min_height") else value
        elif unit == "px":
            same[name] = value.value
        elif unit == "%" and name in _ALONG:
            shares.append((name, value.value))
        else:
            return None
    shrunk = style["box_sizing"] != "content-box"
    if shares or not shrunk:
        return _Lengths(same, tuple(shares), shrunk, collapsing)
    box = SimpleNamespace(**same, style=style)
    _shrink(box)
    return _Lengths({name: getattr(box, name) for name in same}, collapsing=collapsing)


def _shrink(box: Any) -> None:
    from weasyprint.layout.percent import adjust_box_sizing

    adjust_box_sizing(box, "width")
    adjust_box_sizing(box, "height")
