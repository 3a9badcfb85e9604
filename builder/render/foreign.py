"""What the libraries say of templates, style sheets and drawings, in wordings that can be told in another language."""

from __future__ import annotations

import re
from functools import cache

from builder.tongue.told import Told

WORDINGS = (
    # The engine, of fonts, files and style sheets.
    '.notdef glyph rendered for Unicode string unsupported by fonts: "{letter}" ({number})',
    "the font {family} is brought along by @font-face",
    "Failed to load image at {url}: {reason}",
    "Failed to load stylesheet at {url}: {reason}",
    "Failed to load stylesheet at {url} : {reason}",
    "Failed to render SVG image {url}",
    "Ignored `{rule}` at {line}:{column}, {reason}.",
    "Parse error at {line}:{column}: {reason}",
    "Error: {reason} at {line}:{column}.",
    "Invalid or unsupported selector, {reason}",
    "Unknown rule {rule} at {line}:{column}",
    "Unknown empty rule {rule} at {line}:{column}",
    "invalid value",
    "unknown property",
    "property not supported yet",
    # What may not be opened, or is not there.
    "FileNotFoundError: {reason}",
    "Refused: {reason}",
    "{url} lies outside the pack",
    "the pack has no file {name}",
    # Templates.
    "{name} is undefined",
    "'builder.render.view.View object' has no attribute {name}",
    "{whole} has no attribute {name}",
    "{whole} has no element {name}",
    "no {group} is called {name}; is it {near}?",
    "no {group} is called {name}",
    "unexpected end of template, expected {wanted}.",
    "unexpected {sign}",
    "Expected an expression, got {sign}",
    "expected token {wanted}, got {sign}",
    "unexpected char {sign} at {number}",
    "Encountered unknown tag {name}. {rest}",
    "Encountered unknown tag {name}.",
    "Unexpected end of template. {rest}",
    "access to attribute {name} of {whole} object is unsafe.",
    "ZeroDivisionError: {reason}",
    "TypeError: {reason}",
    "No filter named {name}.",
    "No test named {name}.",
    # Icons.
    "viewBox {box} is not four numbers",
)
"""Each with gaps for what changes. What is found in a gap may be of a known wording too."""


def known(message: str) -> Told:
    """A message as one that can be told in another language, if its wording is known."""
    for wording, pattern in _patterns():
        found = pattern.fullmatch(message)
        if found:
            return Told(wording, **{gap: known(text) for gap, text in found.groupdict().items()})
    return Told(message)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The wordings as patterns, their gaps as groups."""
    gap = re.compile(r"\\\{(\w+)\\\}")
    return tuple((form, re.compile(gap.sub(r"(?P<\1>.+?)", re.escape(form)), re.DOTALL)) for form in WORDINGS)
