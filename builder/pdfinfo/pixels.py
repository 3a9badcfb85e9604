"""Pages of a PDF as pixels: digests that tell whether two prints look the same, and where they differ."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from builder.errors import ToolMissing
from builder.findings import Box
from builder.geometry.boxes import regions
from builder.messages import gettext as _
from builder.units import MM_PER_INCH

DPI = 150
CELL = 1.5
"""Side in mm of the cells in which differences are gathered."""

FAINT = 56
"""Differences of brightness (of 255) up to this are the edges of letters that moved by a fraction of a pixel."""


@cache
def _pdfium() -> Any:
    try:
        import pypdfium2
    except ImportError as error:
        raise ToolMissing(
            _("pages cannot be compared as pictures without pypdfium2"),
            _("Install it: pip install 'squadpress[press]'."),
        ) from error
    return pypdfium2


def rasteriser() -> str:
    """What turns pages into pixels here: digests are comparable only where this is the same."""
    from importlib.metadata import version

    _pdfium()
    return f"pdfium {version('pypdfium2')} {platform.machine()} {DPI} dpi"


def pictures(path: Path, dpi: float = DPI, numbers: Sequence[int] | None = None) -> Iterator[Any]:
    """Each page, or each of the pages numbered from 1, as an RGB image.

    ToolMissing where the rasteriser is not installed.
    """
    document = _pdfium().PdfDocument(path)
    try:
        for number in range(1, len(document) + 1) if numbers is None else numbers:
            yield document[number - 1].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def picture_digest(picture: Any) -> str:
    """SHA-256 of a picture's size and pixels."""
    return hashlib.sha256(repr(picture.size).encode() + picture.tobytes()).hexdigest()


def differing(one: Any, other: Any, dpi: float = DPI) -> tuple[Box, ...]:
    """Where two pictures differ visibly, in mm from the top left; the whole page where their sizes differ."""
    from PIL import Image, ImageChops

    mm = MM_PER_INCH / dpi
    if one.size != other.size:
        return (Box(0, 0, other.width * mm, other.height * mm),)
    # Halved first: a letter that moved by a fraction of a pixel then differs less than one that is another letter.
    grey = ImageChops.difference(one.reduce(2), other.reduce(2)).convert("L")
    grey = grey.point([0] * FAINT + [255] * (256 - FAINT))
    columns, rows = max(1, round(one.width * mm / CELL)), max(1, round(one.height * mm / CELL))
    cells = grey.resize((columns, rows), Image.Resampling.BOX)
    marked = {(index % columns, index // columns) for index, value in enumerate(cells.tobytes()) if value}
    wide, high = one.width * mm / columns, one.height * mm / rows
    return tuple(
        Box(left * wide, top * high, (right - left) * wide, (bottom - top) * high)
        for left, top, right, bottom in regions(marked)
    )
