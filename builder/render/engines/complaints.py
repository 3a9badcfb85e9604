"""The complaints of engines, which become findings."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from builder.findings import Finding, Location, Position
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.model.words import list_words
from builder.render import render_codes
from builder.render.files import AddressOutsidePack
from builder.render.html.problems import add_face_label

_AT = re.compile(r" at (\d+):(\d+)(?=[:,.]|$)")
"""The line and column that an engine states in a message."""
MAX_QUOTED_LETTERS = 40
"""Letters of a text that a complaint quotes."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A warning of the engine about a font, CSS, a file or a character.

    `font` is the font that a style sheet loads, `at` the line and column of a style sheet.
    `hint` is set if it is better than that of the code. `feature` names CSS or SVG that the
    engine lacks.
    """

    code: Code
    what: Message
    font: str = ""
    at: Position | None = None
    hint: str = ""
    feature: str = ""

    def finding(self, location: Location, subject: str = "") -> Finding:
        """Return the warning as a finding.

        `subject` is the name of the face, if it is about one.
        """
        message = add_face_label(subject, self.what) if subject else self.what
        return self.code.finding(message, location, self.hint)


def quote_engine(code: Code, text: str) -> Complaint:
    """Return a warning in the engine's own words, without the position in its text."""
    match = _AT.search(text)
    position = Position(int(match[1]), int(match[2])) if match else None
    what = _("message of the engine: {reason}", reason=_AT.sub("", text, 1))
    return Complaint(code, what, at=position)


MAX_MISSPELT_LETTERS = 2
"""Letters by which a misspelt property may differ from the right spelling."""


def report_unknown_property(
    text: str, name: str, properties: Collection[str]
) -> Complaint:
    """Return the warning about a CSS property that the engine does not know.

    It suggests a spelling only if the name is no property of CSS, but nearly one that is known.
    """
    complaint = quote_engine(render_codes.CSS, text)
    if name.lower() in load_css_properties() or name.startswith("-"):
        hint = _(
            "Use another property. This one is CSS, but the engine does not support it "
            "(docs/engines.md)."
        )
        return replace(complaint, hint=hint, feature=name)
    similar_name = find_nearest_property(name, properties)
    if similar_name is None:
        return replace(complaint, feature=name)
    return replace(complaint, hint=_("Did you mean {word}?", word=similar_name))


@cache
def load_css_properties() -> frozenset[str]:
    """Return the names of all CSS properties that browsers know."""
    path = Path(__file__).parent / "css_properties.txt"
    return frozenset(path.read_text(encoding="utf-8").split())


def find_nearest_property(name: str, properties: Collection[str]) -> str | None:
    """Return the CSS property with the most similar name, or None if none is similar."""
    lower_name = name.lower()
    # In a short name, 2 other letters make another word.
    limit = min(MAX_MISSPELT_LETTERS, len(lower_name) // 3)
    distances = [
        (_measure_edit_distance(lower_name, property_name, limit), property_name)
        for property_name in properties
    ]
    distance, nearest = min(distances, default=(limit + 1, ""))
    return nearest if distance <= limit else None


def _measure_edit_distance(first: str, second: str, limit: int) -> int:
    """Return how many letters must be added, removed, changed or swapped to make two words equal.

    Distances above `limit` are not calculated exactly.
    """
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    # Each cell is the distance of a beginning of one word from a beginning of the other.
    row_before: list[int] = []
    previous_row: list[int] = []
    row = list(range(len(second) + 1))
    for row_number, first_letter in enumerate(first, 1):
        row_before = previous_row
        previous_row = row
        row = [row_number]
        for column, second_letter in enumerate(second, 1):
            removal = previous_row[column] + 1
            addition = row[-1] + 1
            change = previous_row[column - 1] + (first_letter != second_letter)
            cost = min(removal, addition, change)
            last_of_first = first[:row_number][-2:]
            last_of_second = second[:column][-2:]
            if len(last_of_first) == 2 and last_of_first == last_of_second[::-1]:
                swap = row_before[column - 2] + 1
                cost = min(cost, swap)
            row.append(cost)
    return row[-1]


def report_missing_glyphs(characters: str) -> Complaint:
    """Return the warning about characters that no font has.

    Empty if they come from a style sheet.
    """
    if not characters:
        return Complaint(
            render_codes.GLYPH, _("no font has a character that a style sheet prints")
        )
    listed = list_words(f"{char} (U+{ord(char):04X})" for char in characters)
    return Complaint(
        render_codes.GLYPH, _("no font has the characters {letters}", letters=listed)
    )


def report_unopened_file(error: BaseException | None, text: str) -> Complaint:
    """Return the warning about a file that could not be opened."""
    match error:
        case AddressOutsidePack():
            return Complaint(render_codes.OUTSIDE_PACK, Message(error.args[0]))
        case FileNotFoundError(args=(Message() as missing,)):
            return Complaint(render_codes.MISSING, missing)
    return quote_engine(render_codes.MISSING, text)


def report_font_face(font: str) -> Complaint:
    """Return the warning about a font that a style sheet loads."""
    what = _("the font {font} is loaded by @font-face", font=font)
    return Complaint(render_codes.FONT_FACE, what, font)
