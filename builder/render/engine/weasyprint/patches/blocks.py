"""What the engine asks about blocks again and again while it stacks them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from builder.render.engine.weasyprint.patches.kept import stock


def page_values(original: Callable[[Any], tuple[str, str]]) -> Callable[[Any], tuple[str, str]]:
    """The names of the pages a box begins and ends on: its own where no element below the root names a page."""

    def values(box: Any) -> tuple[str, str]:
        if stock.named:
            return original(box)
        name = box.style["page"]
        return name, name

    return values


def page_name(original: Callable[[Any, Any], str | None]) -> Callable[[Any, Any], str | None]:
    """The page to go on with between two boxes: there is but one where no element names any."""

    def name(before: Any, after: Any) -> str | None:
        return original(before, after) if stock.named else None

    return name


def collapsed(_original: Callable[[Iterable[float]], float]) -> Callable[[Iterable[float]], float]:
    """The margin that adjoining margins collapse to: the largest above zero and the lowest below."""

    def collapse(margins: Iterable[float]) -> float:
        above: float = 0
        below: float = 0
        for margin in margins:
            if margin > above:
                above = margin
            elif margin < below:
                below = margin
        return above + below

    return collapse


def formatting_context(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether floats inside and outside of a box are kept apart: by its style and class, but for columns and items of
    flexible boxes.
    """

    def establishes(box: Any) -> bool:
        known = getattr(box.style, "known", None)
        if known is None or box.is_column or "is_floated" in box.__dict__:
            return original(box)
        key = (original, type(box))
        if key not in known:
            known[key] = original(box)
        return bool(known[key])

    return establishes
