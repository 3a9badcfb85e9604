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
from typing import IO, Any, NamedTuple

from builder.files import read_limited
from builder.render import render_codes
from builder.render.engines.complaints import (
    Complaint,
    quote_engine,
    report_unopened_file,
)
from builder.render.engines.plutoprint import unsupported
from builder.render.files import FileLocator
from builder.render.jobs import Places

_WARNING = re.compile(r"^(?:WARNING|ERROR): (.*)$", re.MULTILINE)
_PICTURE = re.compile(r"Unable to load image ('.*?'): (.*)")
_REPEATED_WARNING = re.compile(r"Failed to fetch URL|Unable to complete URL")


@dataclass(slots=True)
class FetchReport:
    """The warnings about files of a document, without duplicates, and the refused addresses.

    With `only_sizes` pictures are laid out but not drawn: they need not be decoded.
    """

    complaints: dict[Complaint, None] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    only_sizes: bool = False

    def add_complaints(self, *complaints: Complaint) -> None:
        """Add warnings, unless they are known already."""
        self.complaints |= dict.fromkeys(complaints)


@cache
def _open_error_file(_process: int) -> IO[bytes]:
    """Return the file that replaces standard error while the engine works.

    A process uses one: creating it is slow.
    """
    return TemporaryFile()


@contextmanager
def collect_complaints(*, only_sizes: bool = False) -> Iterator[FetchReport]:
    """Collect the messages that the engine writes to standard error during the block."""
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
    """Add a message of the engine, unless the same problem is known already."""
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
SVG = "image/svg+xml"
MAX_REMEMBERED_BYTES = 100_000
"""The size up to which a file stays in memory for a batch: faces share symbols, not photos."""
_SVG_BEGINNING = re.compile(
    rb"""(?P<before>.*?<svg\b(?:"[^"]*"|'[^']*'|[^'">])*?)(?P<end>/?>)""", re.DOTALL
)
_DECIDES_SIZE = re.compile(rb"<!ENTITY|<style", re.IGNORECASE)
"""Contents of a drawing from which its size may follow."""


class Resource(NamedTuple):
    """A file for the engine: its contents, its media type, and the complaints about it."""

    data: bytes
    kind: str
    complaints: tuple[Complaint, ...] = ()
    is_refused: bool = False


# The time of the last change is an argument, so that an edited picture is read again.
@lru_cache(maxsize=1000)
def _draw_placeholder(path: Path, _modified_ns: int) -> bytes | None:
    """Return an empty SVG of a picture's size, or None if the picture cannot be read."""
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


def empty_drawing(drawing: bytes) -> bytes:
    """Return an SVG file without what it draws, but of the same size."""
    match = _SVG_BEGINNING.match(drawing)
    if match is None or _DECIDES_SIZE.search(drawing):
        return drawing
    return match["before"] + b"/>"


@lru_cache(maxsize=1000)
def _find_in_drawing(drawing: str) -> tuple[Complaint, ...]:
    return tuple(unsupported.find_in_drawing(drawing))


class PackResources:
    """Reads the pack's files for the engine, and remembers small ones until `forget`."""

    def __init__(self, places: Places) -> None:
        self._locator = FileLocator(places)
        self._resources: dict[tuple[str, bool], Resource] = {}

    def forget(self) -> None:
        """Forget all files: they may have changed."""
        self._locator.forget()
        self._resources.clear()

    def read(self, url: str, *, only_size: bool) -> Resource:
        """Return the file behind an address. With `only_size`, nothing is drawn in a picture."""
        key = url, only_size
        if key in self._resources:
            return self._resources[key]
        try:
            resource = self._read(url, only_size=only_size)
        except (OSError, ValueError) as error:
            text = f"Failed to load {url!r}: {error}"
            complaint = report_unopened_file(error, text)
            resource = Resource(b"", _guess_type(url), (complaint,), is_refused=True)
        if len(resource.data) <= MAX_REMEMBERED_BYTES:
            self._resources[key] = resource
        return resource

    def _read(self, url: str, *, only_size: bool) -> Resource:
        """Read the file behind an address. Raise OSError or ValueError if that is not possible."""
        kind = _guess_type(url)
        path = self._locator.locate(url)
        if only_size and kind in _SIZED_PICTURES:
            placeholder = _draw_placeholder(path, path.stat().st_mtime_ns)
            if placeholder is not None:
                return Resource(placeholder, SVG)
        data = read_limited(path)
        if kind != SVG:
            return Resource(data, kind)
        complaints = _find_in_drawing(data.decode("utf-8", "replace"))
        return Resource(empty_drawing(data) if only_size else data, kind, complaints)


def _guess_type(url: str) -> str:
    """Return the media type of an address by its extension."""
    return mimetypes.guess_type(url)[0] or "application/octet-stream"


def make_fetcher(
    resources: PackResources, fonts: Mapping[str, str], fetch_report: FetchReport
) -> Any:
    """Return an object that opens only files of the pack and data addresses for the engine."""
    return _define_fetcher_class()(resources, fonts, fetch_report)


@cache
def _define_fetcher_class() -> Any:
    from plutoprint import ResourceData, ResourceFetcher, default_resource_fetcher

    class PackFileFetcher(ResourceFetcher):
        """Opens files of the pack, and nothing else."""

        def __init__(
            self,
            resources: PackResources,
            fonts: Mapping[str, str],
            fetch_report: FetchReport,
        ) -> None:
            super().__init__()
            self.resources = resources
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
            report = self.fetch_report
            resource = self.resources.read(url, only_size=report.only_sizes)
            report.add_complaints(*resource.complaints)
            if resource.is_refused:
                report.refused.add(url)
            return ResourceData(resource.data, resource.kind)

    return PackFileFetcher
