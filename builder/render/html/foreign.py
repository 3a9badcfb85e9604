"""What the libraries say of templates, style sheets and drawings, in wordings that can be told in another language."""

from __future__ import annotations

import re
from functools import cache

from builder.messages import Message
from builder.messages import gettext as _

WORDINGS = (
    # The engine, of fonts, files and style sheets.
    _('.notdef glyph rendered for Unicode string unsupported by fonts: "{letter}" ({number})'),
    _("the font {family} is brought along by @font-face"),
    _("Failed to load image at {url}: {reason}"),
    _("Failed to load stylesheet at {url}: {reason}"),
    _("Failed to load stylesheet at {url} : {reason}"),
    _("Failed to render SVG image {url}"),
    _("Ignored `{rule}` at {line}:{column}, {reason}."),
    _("Parse error at {line}:{column}: {reason}"),
    _("Error: {reason} at {line}:{column}."),
    _("Invalid or unsupported selector, {reason}"),
    _("Unknown rule {rule} at {line}:{column}"),
    _("Unknown empty rule {rule} at {line}:{column}"),
    _("invalid value"),
    _("unknown property"),
    _("property not supported yet"),
    # What may not be opened, or is not there.
    _("FileNotFoundError: {reason}"),
    _("Refused: {reason}"),
    _("{url} lies outside the pack"),
    _("the pack has no file {name}"),
    # Templates.
    _("{name} is undefined"),
    "'builder.render.html.view.View object' has no attribute {name}",
    _("{whole} has no attribute {name}"),
    _("{whole} has no element {name}"),
    _("no {group} is called {name}; is it {near}?"),
    _("no {group} is called {name}"),
    _("unexpected end of template, expected {wanted}."),
    _("unexpected {sign}"),
    _("Expected an expression, got {sign}"),
    _("expected token {wanted}, got {sign}"),
    _("unexpected char {sign} at {number}"),
    _("Encountered unknown tag {name}. {rest}"),
    _("Encountered unknown tag {name}."),
    _("Unexpected end of template. {rest}"),
    _("access to attribute {name} of {whole} object is unsafe."),
    _("ZeroDivisionError: {reason}"),
    _("TypeError: {reason}"),
    _("No filter named {name}."),
    _("No test named {name}."),
    # Icons.
    _("viewBox {box} is not four numbers"),
)
"""Each with gaps for what changes. What is found in a gap may be of a known wording too."""


def known(message: str) -> Message:
    """A message as one that can be told in another language, if its wording is known."""
    for wording, pattern in _patterns():
        found = pattern.fullmatch(message)
        if found:
            return _(wording, **{gap: known(text) for gap, text in found.groupdict().items()})
    return _(message)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The wordings as patterns, their gaps as groups."""
    gap = re.compile(r"\\\{(\w+)\\\}")
    return tuple((form, re.compile(gap.sub(r"(?P<\1>.+?)", re.escape(form)), re.DOTALL)) for form in WORDINGS)
