"""The document that an engine is given: what stands around faces, and what it opens for them."""

from builder.render.jobs import Style

RESET = """
body,p,h1,h2,h3,h4,h5,h6,ul,ol,li,figure,hr{margin:0;padding:0}
h1,h2,h3,h4,h5,h6{font-size:1em;font-weight:bold}
ul,ol{list-style:none}
hr{border:0}
"""
"""Sent before a kind's own sheets, so that a template looks the same whatever the engine's own sheet is."""

GC_THRESHOLD = 50_000
"""Setting makes and drops many small objects; the collector's own pace costs a tenth of the time."""


def document(style: Style, body: str, head: str = "") -> str:
    """The HTML of a document with this body."""
    return f'<!DOCTYPE html><html lang="{style.lang}"><head><title></title>{head}</head><body>{body}</body></html>'
