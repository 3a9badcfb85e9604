"""What the engine logs becomes findings: nothing it complains of is only a line on a screen."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.render import codes
from builder.render.html.problems import of_face


@dataclass(slots=True)
class Heard:
    """The messages of a stretch of work, each once, in order."""

    messages: list[str] = field(default_factory=list)


class _Ear(logging.Handler):
    """Collects the messages of a logger."""

    def __init__(self, heard: Heard) -> None:
        super().__init__(logging.WARNING)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self.heard.messages:
            self.heard.messages.append(message)


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


_KINDS = (
    (re.compile(r"^\.notdef glyph"), codes.GLYPH),
    (re.compile(r"lies outside the pack|disallowed protocol"), codes.OUTSIDE),
    (re.compile(r"^Failed to load (image|stylesheet)"), codes.MISSING),
    (re.compile(r"brought along by @font-face$"), codes.FONT_FACE),
    (re.compile(r"^(Ignored|Invalid|Unknown|Unsupported|Parse error|Expected|This token type)"), codes.CSS),
)


def log_finding(message: str, location: Location, subject: str = "") -> Finding:
    """One logged message as a finding."""
    code = next((code for pattern, code in _KINDS if pattern.search(message)), codes.ENGINE)
    what = _("the engine says: {reason}", reason=message)
    return code.finding(of_face(subject, what) if subject else what, location)
