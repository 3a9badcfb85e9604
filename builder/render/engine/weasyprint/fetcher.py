"""The engine's only way to files, and what it logs, heard: nothing reaches the screen."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from builder.render import codes
from builder.render.engine.complaints import Complaint, brought, not_opened, said
from builder.render.files import locate

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher


def fetcher(templates: Path, base: Path, data: Path) -> URLFetcher:
    """The engine's only way to files."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Confined(URLFetcher):  # type: ignore[misc]
        """Opens files of the pack, and data that stands in the address itself."""

        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            if url.startswith("data:"):
                return super().fetch(url, headers)
            path = locate(url, templates, base, data)
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

    return Confined(allowed_protocols=("file", "data"), allow_redirects=False)


class _Ear(logging.Handler):
    """Collects the messages of a logger."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[Complaint] = []

    def emit(self, record: logging.LogRecord) -> None:
        complaint = _understood(record)
        if complaint not in self.heard:
            self.heard.append(complaint)


def _understood(record: logging.LogRecord) -> Complaint:
    """What a message means, by the exception that it tells of, else by the part of the engine that speaks."""
    from cssselect2 import SelectorError

    text, part = record.getMessage(), PurePath(record.pathname)
    for error in record.args if isinstance(record.args, tuple) else ():
        if isinstance(error, Exception) and not isinstance(error, SelectorError):
            return not_opened(error.__context__, text)
    if font := getattr(record, "font", ""):
        return brought(font)
    if "css" in part.parts[-3:]:
        return said(codes.CSS, text)
    return said(codes.GLYPH if part.match("draw/text.py") else codes.ENGINE, text)


@contextmanager
def listen() -> Iterator[list[Complaint]]:
    """Collect everything the engine complains of meanwhile, each once; nothing reaches the screen."""
    logger, ear = logging.getLogger("weasyprint"), _Ear()
    level, propagate = logger.level, logger.propagate
    logger.addHandler(ear)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield ear.heard
    finally:
        logger.removeHandler(ear)
        logger.setLevel(level)
        logger.propagate = propagate
