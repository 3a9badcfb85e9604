"""What the engine logs becomes findings: nothing it complains of is only a line on a screen."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath

from builder.findings import Finding, Location
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.render import codes
from builder.render.files import Refused
from builder.render.html.problems import of_face


class Complaint(str):
    """A message of the engine, what it means, and the font that a style sheet brings along."""

    code: Code
    what: Message
    font: str


@dataclass(slots=True)
class Heard:
    """The messages of a stretch of work, each once, in order."""

    messages: list[Complaint] = field(default_factory=list)


class _Ear(logging.Handler):
    """Collects the messages of a logger."""

    def __init__(self, heard: Heard) -> None:
        super().__init__(logging.WARNING)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        complaint = Complaint(record.getMessage())
        if complaint not in self.heard.messages:
            complaint.code, complaint.what = _understood(record, complaint)
            complaint.font = getattr(record, "font", "")
            self.heard.messages.append(complaint)


def _understood(record: logging.LogRecord, text: str) -> tuple[Code, Message]:
    """What a message means, by the exception that it tells of, else by the part of the engine that speaks."""
    # A plain text: a complaint that held itself would lose its words on the way from a worker.
    what, part = _("the engine says: {reason}", reason=str(text)), PurePath(record.pathname)
    for error in record.args if isinstance(record.args, tuple) else ():
        match error:
            case Exception(__context__=Refused() as refused):
                return codes.OUTSIDE, Message(refused.args[0])
            case Exception(__context__=FileNotFoundError(args=(Message() as missing,))):
                return codes.MISSING, missing
            case Exception():
                return codes.MISSING, what
    if isinstance(record.msg, Message):
        return codes.FONT_FACE, record.msg
    if "css" in part.parts[-3:]:
        return codes.CSS, what
    return (codes.GLYPH if part.match("draw/text.py") else codes.ENGINE), what


@contextmanager
def listen() -> Iterator[Heard]:
    """Collect everything the engine warns of meanwhile; nothing reaches the screen."""
    heard = Heard()
    logger, ear = logging.getLogger("weasyprint"), _Ear(heard)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(ear)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield heard
    finally:
        logger.removeHandler(ear)
        logger.setLevel(level)
        logger.propagate = propagate


def log_finding(message: str, location: Location, subject: str = "") -> Finding:
    """One logged message as a finding."""
    if isinstance(message, Complaint):
        code, what = message.code, message.what
    else:
        code, what = codes.ENGINE, _("the engine says: {reason}", reason=message)
    return code.finding(of_face(subject, what) if subject else what, location)
