"""Find boxes whose columns the engine drops. It lays out columns only in blocks in flow."""

from collections.abc import Iterable, Iterator
from typing import Any

from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import Complaint
from builder.render.engines.support import EngineSupport


def find_lost_columns(
    pages: Iterable[Any], support: EngineSupport
) -> Iterator[Complaint]:
    """Find boxes whose columns the engine drops because of their layout."""
    for page in pages:
        for box in page.descendants():
            if not _should_have_columns(box):
                continue
            context = _name_layout(box)
            # Columns are not inherited: boxes that the engine makes for a column have none of their
            # own.
            if (
                context
                and support.are_columns_dropped(context)
                and box.element is not None
            ):
                name = " ".join((box.element.get("class") or box.element_tag).split())
                form = _(
                    "WeasyPrint ignores `columns` of {box!r} because the box is laid out as "
                    "{context}"
                )
                what = _(form, box=name, context=context)
                hint = _("Move `columns` to a plain block inside the box.")
                yield Complaint(render_codes.DROPPED_CSS, what, hint=hint)


def _should_have_columns(box: Any) -> bool:
    style = getattr(box, "style", None)
    if style is None:
        return False
    return bool(style["column_count"] != "auto" or style["column_width"] != "auto")


def _name_layout(box: Any) -> str:
    """Return the layout of a box under its name in the measurements, or "" for a normal block."""
    style = box.style
    if style["position"] in ("absolute", "fixed"):
        return "absolute"
    if style["float"] in ("left", "right"):
        return "float"
    return "inline-block" if type(box).__name__ == "InlineBlockBox" else ""
