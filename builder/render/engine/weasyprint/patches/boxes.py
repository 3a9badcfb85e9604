"""A box without background, shadow, image or round corner has none of them: most boxes, told by their style."""

from collections.abc import Callable, Iterator
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

_CORNERS = tuple(f"border_{side}_{end}_radius" for side in ("top", "bottom") for end in ("left", "right"))
_NOTHING = {**dict.fromkeys(_CORNERS, (0, 0)), "background": None}


def replacements() -> Iterator[Replacement]:
    """The search for what is painted behind boxes."""
    from weasyprint.layout import background

    yield from everywhere(background.layout_box_backgrounds, _backgrounds(background.layout_box_backgrounds))


def _backgrounds(original: Callable[..., None]) -> Callable[..., None]:
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
