"""What an engine complains of becomes findings: nothing is only a line on a screen."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from builder.findings import Finding, Location
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.model.words import nearest, some
from builder.render import codes
from builder.render.files import Refused
from builder.render.html.problems import of_face

_AT = re.compile(r" at (\d+):(\d+)(?=[:,.]|$)")
SHOWN = 40
"""Letters of a text that a complaint quotes."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an engine complains of: what it means, the font that a style sheet brings along, and the line and column of
    a style sheet, where it tells them, and what to do where that is known better than by the code.
    """

    code: Code
    what: Message
    font: str = ""
    at: tuple[int, int] | None = None
    hint: str = ""

    def finding(self, location: Location, subject: str = "") -> Finding:
        """The finding, said of a face where a `subject` is named."""
        return self.code.finding(of_face(subject, self.what) if subject else self.what, location, self.hint)


def said(code: Code, text: str) -> Complaint:
    """A complaint in the engine's own words, but for the place that they name."""
    at = _AT.search(text)
    place = (int(at[1]), int(at[2])) if at else None
    return Complaint(code, _("the engine says: {reason}", reason=_AT.sub("", text, 1)), at=place)


def unknown(text: str, name: str, properties: Iterable[str]) -> Complaint:
    """A property that the engine does not know, in its own words, with the nearest that it does."""
    near = nearest(name, properties)
    return replace(said(codes.CSS, text), hint=_("Did you mean {word}?", word=near) if near else "")


def without_glyph(characters: str) -> Complaint:
    """Characters that no font has; none are named where a style sheet writes them."""
    if not characters:
        return Complaint(codes.GLYPH, _("no font has a character that a style sheet writes"))
    listed = some(f"{char} (U+{ord(char):04X})" for char in characters)
    return Complaint(codes.GLYPH, _("no font has {letters}", letters=listed))


def not_opened(error: BaseException | None, text: str) -> Complaint:
    """A file that was not opened, by the exception that our own fetcher raised; else in the engine's own words."""
    match error:
        case Refused():
            return Complaint(codes.OUTSIDE, Message(error.args[0]))
        case FileNotFoundError(args=(Message() as missing,)):
            return Complaint(codes.MISSING, missing)
    return said(codes.MISSING, text)


def brought(font: str) -> Complaint:
    """A font that a style sheet brings along."""
    return Complaint(codes.FONT_FACE, _("the font {font} is brought along by @font-face", font=font), font)
