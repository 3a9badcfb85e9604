"""Pages of the engine taken apart and put together: boxes of parts that were laid out apart, on one face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def parts_on(page_box: Any, count: int) -> list[tuple[Any, ...]] | None:
    """The boxes of each of the `count` elements right below a page's section, in order.

    None where they can't be moved to another page: one is not placed absolutely, or there is more than these.
    """
    section = _way(page_box)[-1]
    elements = list(section.element)
    if len(elements) != count:
        return None
    boxes: dict[Any, list[Any]] = {element: [] for element in elements}
    for box in section.children:
        if box.element not in boxes or box.style["position"] != "absolute" or box.style["z_index"] != "auto":
            return None
        boxes[box.element].append(box)
    return [tuple(boxes[element]) for element in elements]


def assembled(blank: Any, parts: Sequence[tuple[Any, ...]]) -> Any:
    """A copy of a page with an empty section, the parts' boxes in it."""
    *outer, section = _way(blank)
    box = section.copy_with_children([box for part in parts for box in part])
    former = section
    for parent in reversed(outer):
        children = [box if child is former else child for child in parent.children]
        former, box = parent, parent.copy_with_children(children)
    return box


def _way(page_box: Any) -> list[Any]:
    """The boxes from the page down to its section."""
    way = [page_box]
    while way[-1].element_tag != "section":
        way.append(next(child for child in way[-1].children if child.element_tag in ("html", "body", "section")))
    return way
