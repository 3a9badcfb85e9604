"""A box without background, shadow, image, border or round corner has none of them: most boxes, told by their style."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement, everywhere

_CORNERS = tuple(f"border_{side}_{end}_radius" for side in ("top", "bottom") for end in ("left", "right"))
_SIDES = ("top", "right", "bottom", "left")
_widths = attrgetter(*(f"border_{side}_width" for side in _SIDES))
_NOTHING = {**dict.fromkeys(_CORNERS, (0, 0)), "background": None}


def replacements() -> Iterator[Replacement]:
    """The search for what is painted behind boxes, and the drawing of what is painted around them."""
    from weasyprint.draw import border
    from weasyprint.layout import background

    yield from everywhere(background.layout_box_backgrounds, _backgrounds(background.layout_box_backgrounds))
    yield from everywhere(border.draw_border, _border(border.draw_border))


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


def _border(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """No border, or one solid line all around: told by the style."""
    from weasyprint.draw.border import draw_rounded_border

    def draw(stream: Any, box: Any) -> None:
        known = getattr(box.style, "known", None)
        if known is None:
            original(stream, box)
            return
        if "border" not in known:
            known["border"] = _line(box.style)
        line = known["border"]
        # A box that goes on in another line or page has no border there.
        if line == "other" or (line and 0 in _widths(box)):
            original(stream, box)
        elif line:
            with stream.artifact(), stream.stacked():
                draw_rounded_border(stream, box, "solid", line)

    return draw


def _line(style: Any) -> Any:
    """The colour of the solid line around boxes of this style; None if there is no line, "other" if another one.

    Borders of collapsing tables are settled between cells.
    """
    from weasyprint.draw.color import get_color

    plain = style["border_image_source"][0] == "none" and style["column_width"] == style["column_count"] == "auto"
    if not plain or style["border_collapse"] == "collapse" or style["visibility"] != "visible":
        return "other"
    widths = [style[f"border_{side}_width"] for side in _SIDES]
    if not any(widths):
        return None
    colors = {get_color(style, f"border_{side}_color") for side in _SIDES}
    solid = {style[f"border_{side}_style"] for side in _SIDES} == {"solid"} and all(widths)
    return colors.pop() if solid and len(colors) == 1 and all(color.alpha for color in colors) else "other"
