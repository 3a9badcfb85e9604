"""The engine's only way to files, and to the screen."""

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
from builder.render.engines.complaints import Complaint, quote_engine, report_unopened_file
from builder.render.engines.plutoprint import unsupported
from builder.render.files import FileLocator

_WARNING = re.compile(r"^(?:WARNING|ERROR): (.*)$", re.MULTILINE)
_PICTURE = re.compile(r"Unable to load image ('.*?'): (.*)")
_TOLD = re.compile(r"Failed to fetch URL|Unable to complete URL")


@dataclass(slots=True)
class Fetched:
    """What went wrong in a stretch of work, each once, and the addresses that were not opened.

    With `only_sizes` pictures are laid out but not drawn: they need not be decoded.
    """

    complaints: dict[Complaint, None] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    only_sizes: bool = False

    def tell(self, *complaints: Complaint) -> None:
        """Take in complaints."""
        self.complaints |= dict.fromkeys(complaints)


@cache
def _ear(_process: int) -> IO[bytes]:
    """What a process's standard error is written to while the engine works: one file, for making one takes longer."""
    return TemporaryFile()


@contextmanager
def listen(*, only_sizes: bool = False) -> Iterator[Fetched]:
    """Collect all that the engine says meanwhile: it writes to the process's own standard error."""
    fetched = Fetched(only_sizes=only_sizes)
    heard = _ear(os.getpid())
    heard.truncate(heard.seek(0))
    sys.stderr.flush()
    screen = os.dup(2)
    os.dup2(heard.fileno(), 2)
    try:
        yield fetched
    finally:
        os.dup2(screen, 2)
        os.close(screen)
        heard.seek(0)
        for message in _WARNING.findall(heard.read().decode(errors="replace")):
            picture = _PICTURE.fullmatch(message)
            if picture is None and not _TOLD.match(message):
                fetched.tell(
                    quote_engine(
                        render_codes.MISSING if "data URL" in message else render_codes.ENGINE,
                        message,
                    )
                )
            elif picture and picture[1].strip("'") not in fetched.refused:
                fetched.tell(
                    quote_engine(
                        render_codes.MISSING, f"Failed to load image at {picture[1]}: {picture[2]}"
                    )
                )


FONTS = "fonts:"
"""Addresses of the pack's own fonts begin with it; its hash follows: the engine remembers fonts by address."""


_SIZED_PICTURES = frozenset({"image/jpeg", "image/png"})


@lru_cache(maxsize=1000)
def _draw_placeholder(path: Path, _modified_ns: int) -> bytes | None:
    """Return an empty drawing of a picture's size; None if the picture cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            width, height = picture.size
    except (UnidentifiedImageError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # the engine reports what is wrong
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
    return svg.encode()


@lru_cache(maxsize=1000)
def _find_in_drawing(drawing: str) -> tuple[Complaint, ...]:
    return tuple(unsupported.find_in_drawing(drawing))


def fetcher(locator: FileLocator, fonts: Mapping[str, str], fetched: Fetched) -> Any:
    """What opens files for the engine: those of the pack, and data that stands in the address itself."""
    return _confined()(locator, fonts, fetched)


@cache
def _confined() -> Any:
    from plutoprint import ResourceData, ResourceFetcher, default_resource_fetcher

    class Confined(ResourceFetcher):
        """Opens files of the pack, and nothing else."""

        def __init__(
            self, locator: FileLocator, fonts: Mapping[str, str], fetched: Fetched
        ) -> None:
            super().__init__()
            self.locator, self.fonts, self.fetched = locator, fonts, fetched

        def fetch_url(self, url: str) -> Any:
            if url.startswith("data:"):
                return default_resource_fetcher.fetch_url(url)
            if url.startswith(FONTS):
                # A copy of the engine's own: it keeps fonts until the process ends, when there is no Python any more.
                return default_resource_fetcher.fetch_url(self.fonts[url.removeprefix(FONTS)])
            kind = mimetypes.guess_type(url)[0] or "application/octet-stream"
            try:
                path = self.locator.locate(url)
                if self.fetched.only_sizes and kind in _SIZED_PICTURES:
                    placeholder = _draw_placeholder(path, path.stat().st_mtime_ns)
                    if placeholder is not None:
                        return ResourceData(placeholder, "image/svg+xml")
                data = read_limited(path)
                if kind == "image/svg+xml":
                    self.fetched.tell(*_find_in_drawing(data.decode("utf-8", "replace")))
                return ResourceData(data, kind)
            except (OSError, ValueError) as error:
                self.fetched.refused.add(url)
                self.fetched.tell(report_unopened_file(error, f"Failed to load {url!r}: {error}"))
                return ResourceData(b"", kind)

    return Confined
