"""CSS and SVG that PlutoPrint silently ignores, found in the pack's files."""

import re
from collections.abc import Iterator
from dataclasses import replace

from builder.render import render_codes
from builder.render.engines.complaints import Complaint, quote_engine
from builder.render.engines.plutoprint.support import SUPPORT
from builder.render.engines.sheets import find_dropped_css, find_dropped_inline_css
from builder.render.engines.support import (
    find_lost_in_drawing,
    find_lost_in_html,
    find_lost_in_style_sheet,
    load_support,
)

ENGINE = "plutoprint"
_FILTER = re.compile(r"<(fe[A-Z]\w*)|\sfilter=")


def find_in_style_sheet(sheet: str) -> Iterator[Complaint]:
    """Find everything in a style sheet that PlutoPrint ignores."""
    yield from find_dropped_css(sheet, SUPPORT)
    yield from find_lost_in_style_sheet(sheet, load_support(ENGINE), SUPPORT.refuse)


def find_in_drawing(drawing: str) -> Iterator[Complaint]:
    """Find everything in an SVG file that PlutoPrint ignores."""
    yield from _find_filter(drawing)
    yield from find_lost_in_drawing(drawing, load_support(ENGINE))


def find_in_html(html: str) -> Iterator[Complaint]:
    """Find everything in inline styles and SVG that PlutoPrint ignores, without duplicates."""
    yield from find_dropped_inline_css(html, SUPPORT)
    yield from _find_filter(html)
    yield from dict.fromkeys(
        find_lost_in_html(html, load_support(ENGINE), SUPPORT.refuse)
    )


def _find_filter(markup: str) -> Iterator[Complaint]:
    """Find the first SVG filter in a text."""
    match = _FILTER.search(markup)
    if match:
        name = match[1] or ""
        complaint = quote_engine(
            render_codes.CSS, f"Unsupported filter {name} of a drawing"
        )
        yield replace(complaint, feature=f"<{name or 'filter'}>")
