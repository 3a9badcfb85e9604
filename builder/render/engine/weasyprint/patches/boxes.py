"""What the engine asks of every box again and again, and the style alone answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_CORNERS = tuple(f"border_{side}_{end}_radius" for side in ("top", "bottom") for end in ("left", "right"))
_NOTHING = {**dict.fromkeys(_CORNERS, (0, 0)), "background": None}


def by_style(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """An answer that depends on the style only: given once per style."""

    def answer(box: Any) -> Any:
        style = box.style
        try:
            return style.known[original]
        except AttributeError:
            return original(box)
        except KeyError:
            found = style.known[original] = original(box)
            return found

    return answer


def box_backgrounds(original: Callable[..., None]) -> Callable[..., None]:
    """A box without background, shadow, image or round corner has none of them: most boxes, told by their style."""

    def layout(page: Any, box: Any, get_image: Any, layout_children: bool = True, style: Any = None) -> None:
        known = getattr(box.style, "known", None)
        if known is None or style is not None:
            original(page, box, get_image, layout_children, style)
            return
        if "bare" not in known:
            known["bare"] = _bare(box.style)
        if not known["bare"]:
            original(page, box, get_image, layout_children)
            return
        vars(getattr(box, "_box", box)).update(_NOTHING)
        if layout_children:
            for child in box.all_children():
                layout(page, child, get_image)

    return layout


def _bare(style: Any) -> bool:
    """True if nothing is painted behind a box of this style, and its corners are square."""
    from weasyprint.draw.color import get_color

    return (
        all((0, "px") in style[corner] for corner in _CORNERS)
        and style["border_image_source"][0] == style["mask_border_source"][0] == "none"
        and all(kind == "none" for kind, _ in style["background_image"])
        and not style["box_shadow"]
        and get_color(style, "background_color").alpha == 0
    )


def margin_boxes(original: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    """The sixteen boxes around a page are made only to be dropped where no rule fills any of them."""
    edges = [f"@{edge}-{part}" for edge in ("top", "bottom") for part in ("left", "center", "right")]
    edges += [f"@{edge}-{part}" for edge in ("left", "right") for part in ("top", "middle", "bottom")]
    places = (*edges, *(f"@{end}-{side}-corner" for end in ("top", "bottom") for side in ("left", "right")))

    def make(context: Any, page: Any, state: Any) -> Iterable[Any]:
        if any(context.style_for(page.page_type, place) is not None for place in places):
            return original(context, page, state)
        return ()

    return make
