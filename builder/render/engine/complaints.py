"""What an engine complains of becomes findings: nothing is only a line on a screen."""

from dataclasses import dataclass

from builder.findings import Finding, Location
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.render import codes
from builder.render.files import Refused
from builder.render.html.problems import of_face

SHOWN = 40
"""Letters of a text that a complaint quotes."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an engine complains of: what it means, and the font that a style sheet brings along."""

    code: Code
    what: Message
    font: str = ""

    def finding(self, location: Location, subject: str = "") -> Finding:
        """The finding, said of a face where a `subject` is named."""
        return self.code.finding(of_face(subject, self.what) if subject else self.what, location)


def said(code: Code, text: str) -> Complaint:
    """A complaint in the engine's own words."""
    return Complaint(code, _("the engine says: {reason}", reason=text))


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
