"""Used lengths without percentages: the same for every box of a style."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LENGTHS = (
    *(f"{edge}_{side}" for edge in ("margin", "padding") for side in ("top", "right", "bottom", "left")),
    *(f"{least}{axis}" for least in ("", "min_", "max_") for axis in ("width", "height")),
)
_BORDERS = tuple(f"border_{side}_width" for side in ("top", "right", "bottom", "left"))


def one_percentage(original: Callable[[Any, str, Any], None]) -> Callable[[Any, str, Any], None]:
    """A length in pixels is itself."""

    def resolve(box: Any, name: str, refer_to: Any) -> None:
        value = box.style[name]
        if getattr(value, "unit", None) == "px":
            setattr(box, name, value.value)
        else:
            original(box, name, refer_to)

    return resolve


def percentages(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Where all of a style's lengths are pixels or `auto`, the containing block has no say: resolved once a style.

    Borders of collapsing tables are settled between cells, hence never kept; the engine's stand-in for a positioned
    box (which has a `_box`) keeps nothing of its own.
    """

    def resolve(box: Any, containing_block: Any) -> None:
        known = getattr(box.style, "known", None)
        if known is None:
            original(box, containing_block)
            return
        used, own = known.get("lengths"), box.__dict__
        if used and "_box" not in own:
            own.update(used)
        elif used is None:
            original(box, containing_block)
            known["lengths"] = (
                {name: getattr(box, name) for name in (*_LENGTHS, *_BORDERS)} if _plain(box.style) else {}
            )
        else:
            original(box, containing_block)

    return resolve


def _plain(style: Any) -> bool:
    """True if no length of a style refers to anything."""
    values = [style[name] for name in _LENGTHS]
    return style["border_collapse"] != "collapse" and all(
        value == "auto" or getattr(value, "unit", None) == "px" for value in values
    )
