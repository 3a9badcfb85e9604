"""Give the engine access to files, and collect what it writes to standard error."""

import mimetypes
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from builder.files import read_limited
from builder.render import render_codes
from builder.render.engines.complaints import (
    Complaint,
    quote_engine,
    report_unopened_file,
)
from builder.render.engines.plutoprint import unsupported
from builder.render.files import FileLocator

_WARNING = re.compile(r"^(?:WARNING|ERROR): (.*)$", re.MULTILINE)
_PICTURE = re.compile(r"Unable to load image ('.*?'): (.*)")
_REPEATED_WARNING = re.compile(r"Failed to fetch URL|Unable to complete URL")


@dataclass(slots=True)
class FetchReport:
    """The complaints about resources, without duplicates, and the refused addresses.

    With `only_sizes` pictures are laid out but not drawn: they need not be decoded.
    """

    complaints: dict[Complaint, None] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    only_sizes: bool = False

    def add_complaints(self, *complaints: Complaint) -> None:
        """Add complaints."""
        self.complaints |= dict.fromkeys(complaints)


@cache
def _open_error_file(_process: int) -> IO[bytes]:
    """Return the file that replaces standard error while the engine works.

    A process uses one: creating it is slow.
    """
    return TemporaryFile()


@contextmanager
def collect_complaints(*, only_sizes: bool = False) -> Iterator[FetchReport]:
    """Collect the engine's messages, which it writes to the standard error of the process."""
    fetch_report = FetchReport(only_sizes=only_sizes)
    error_file = _open_error_file(os.getpid())
    error_file.truncate(error_file.seek(0))
    # What Python wrote before must not end in this file.
    sys.stderr.flush()
    terminal = os.dup(2)
    os.dup2(error_file.fileno(), 2)
    try:
        yield fetch_report
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        error_file.seek(0)
        for message in _WARNING.findall(error_file.read().decode(errors="replace")):
            _add_message(fetch_report, message)


def _add_message(fetch_report: FetchReport, message: str) -> None:
    """Add a message of the engine, unless the fetcher reported the same problem."""
    picture = _PICTURE.fullmatch(message)
    if picture is None:
        if not _REPEATED_WARNING.match(message):
            code = (
                render_codes.MISSING if "data URL" in message else render_codes.ENGINE
            )
            fetch_report.add_complaints(quote_engine(code, message))
    elif picture[1].strip("'") not in fetch_report.refused:
        text = f"Failed to load image at {picture[1]}: {picture[2]}"
        fetch_report.add_complaints(quote_engine(render_codes.MISSING, text))


FONTS = "fonts:"
"""Prefix of the addresses of the pack's own fonts, before the font's hash: the engine caches fonts
by address.
"""


_SIZED_PICTURES = frozenset({"image/jpeg", "image/png"})


# The time of the last change is an argument, so that an edited picture is read again.
@lru_cache(maxsize=1000)
def _draw_placeholder(path: Path, _modified_ns: int) -> bytes | None:
    """Return an empty drawing of a picture's size, or None if the picture cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            width, height = picture.size
    except (
        UnidentifiedImageError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
    ):
        return None  # the engine reports what is wrong
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
    return svg.encode()


@lru_cache(maxsize=1000)
def _find_in_drawing(drawing: str) -> tuple[Complaint, ...]:
    return tuple(unsupported.find_in_drawing(drawing))


def make_fetcher(
    locator: FileLocator, fonts: Mapping[str, str], fetch_report: FetchReport
) -> Any:
    """Return an object that opens only files of the pack and data addresses for the engine."""
    return _define_fetcher_class()(locator, fonts, fetch_report)


@cache
def _define_fetcher_class() -> Any:
    from plutoprint import ResourceData, ResourceFetcher, default_resource_fetcher

    class PackFileFetcher(ResourceFetcher):
        """Opens files of the pack, and nothing else."""

        def __init__(
            self,
            locator: FileLocator,
            fonts: Mapping[str, str],
            fetch_report: FetchReport,
        ) -> None:
            super().__init__()
            self.locator = locator
            self.fonts = fonts
            self.fetch_report = fetch_report

        def fetch_url(self, url: str) -> Any:
            if url.startswith("data:"):
                return default_resource_fetcher.fetch_url(url)
            if url.startswith(FONTS):
                # The engine needs its own copy: it keeps fonts until the process ends, after Python
                # has stopped.
                return default_resource_fetcher.fetch_url(
                    self.fonts[url.removeprefix(FONTS)]
                )
            kind = mimetypes.guess_type(url)[0] or "application/octet-stream"
            try:
                path = self.locator.locate(url)
                if self.fetch_report.only_sizes and kind in _SIZED_PICTURES:
                    placeholder = _draw_placeholder(path, path.stat().st_mtime_ns)
                    if placeholder is not None:
                        return ResourceData(placeholder, "image/svg+xml")
                data = read_limited(path)
                if kind == "image/svg+xml":
                    self.fetch_report.add_complaints(
                        *_find_in_drawing(data.decode("utf-8", "replace"))
                    )
                return ResourceData(data, kind)
            except (OSError, ValueError) as error:
                self.fetch_report.refused.add(url)
                text = f"Failed to load {url!r}: {error}"
                self.fetch_report.add_complaints(report_unopened_file(error, text))
                return ResourceData(b"", kind)

    return PackFileFetcher
