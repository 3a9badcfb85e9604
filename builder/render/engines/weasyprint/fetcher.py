"""Give the engine access to files, and collect its log messages."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from builder.files import read_limited
from builder.render import render_codes
from builder.render.engines.complaints import (
    Complaint,
    quote_engine,
    report_font_face,
    report_missing_glyphs,
    report_unknown_property,
    report_unopened_file,
)
from builder.render.engines.support import find_lost_in_drawing, load_support
from builder.render.files import locate_file

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher


def make_fetcher(templates: Path, base: Path, data: Path) -> URLFetcher:
    """Return an object that opens files for the engine: only those of the pack."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class PackFileFetcher(URLFetcher):  # type: ignore[misc]
        """Opens files of the pack and data URLs."""

        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            if url.startswith("data:"):
                return super().fetch(url, headers)
            path = locate_file(url, templates, base, data)
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            content = read_limited(path)
            if kind == "image/svg+xml":
                _report_lost(content)
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    return PackFileFetcher(allowed_protocols=("file", "data"), allow_redirects=False)


def _report_lost(drawing: bytes) -> None:
    """Log the parts of a drawing that the engine omits, in the way of its other messages."""
    text = drawing.decode("utf-8", "replace")
    for complaint in find_lost_in_drawing(text, load_support("weasyprint")):
        logging.getLogger("weasyprint").warning("lost", extra={"complaint": complaint})


class _ComplaintCollector(logging.Handler):
    """Collects the warnings that the engine writes to its log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.complaints: list[Complaint] = []
        self.missing: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        # A missing character is logged once for each text: all of them become one complaint.
        match record.args, PurePath(record.pathname).parts[-2:]:
            case (str(character), int()), ("draw", "text.py"):
                self.missing[character] = None
                return
        complaint = _interpret_message(record)
        if complaint not in self.complaints:
            self.complaints.append(complaint)


def _interpret_message(record: logging.LogRecord) -> Complaint:
    """Return the warning that a log message stands for."""
    from cssselect2 import SelectorError
    from weasyprint.css.properties import KNOWN_PROPERTIES
    from weasyprint.css.validation.expanders import EXPANDERS

    complaint = getattr(record, "complaint", None)
    if isinstance(complaint, Complaint):
        return complaint
    text = record.getMessage()
    part = PurePath(record.pathname)
    # The engine logs the error that our fetcher raised as an argument of its message.
    for error in record.args if isinstance(record.args, tuple) else ():
        if isinstance(error, Exception) and not isinstance(error, SelectorError):
            return report_unopened_file(error.__context__, text)
    font = getattr(record, "font", "")
    if font:
        return report_font_face(font)
    match record.args:
        case (str(name), str(), int(), int(), "unknown property"):
            return report_unknown_property(text, name, (*KNOWN_PROPERTIES, *EXPANDERS))
    return quote_engine(
        render_codes.CSS if "css" in part.parts[-3:] else render_codes.ENGINE, text
    )


@contextmanager
def collect_complaints() -> Iterator[list[Complaint]]:
    """Collect all warnings of the engine during the block, each once. None is printed."""
    logger = logging.getLogger("weasyprint")
    collector = _ComplaintCollector()
    level = logger.level
    propagate = logger.propagate
    logger.addHandler(collector)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield collector.complaints
    finally:
        if collector.missing:
            collector.complaints.append(
                report_missing_glyphs("".join(collector.missing))
            )
        logger.removeHandler(collector)
        logger.setLevel(level)
        logger.propagate = propagate
