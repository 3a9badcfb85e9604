"""No boxes around a page where no rule fills any.

The engine makes sixteen of them on each page, only to drop them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

_EDGES = [f"@{edge}-{part}" for edge in ("top", "bottom") for part in ("left", "center", "right")]
_EDGES += [f"@{edge}-{part}" for edge in ("left", "right") for part in ("top", "middle", "bottom")]
PLACES = (*_EDGES, *(f"@{end}-{side}-corner" for end in ("top", "bottom") for side in ("left", "right")))


def replacements() -> Iterator[Replacement]:
    """The making of these boxes."""
    from weasyprint.layout import page

    yield from everywhere(page.make_margin_boxes, _some(page.make_margin_boxes))


def _some(original: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    def make(context: Any, page: Any, state: Any) -> Iterable[Any]:
        if any(context.style_for(page.page_type, place) is not None for place in PLACES):
            return original(context, page, state)
        return ()

    return make
