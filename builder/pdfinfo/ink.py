"""How much ink lies where: pages drawn in cyan, magenta, yellow and black by Ghostscript, and their inks added up."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from builder.errors import ToolMissing
from builder.findings import Box
from builder.messages import gettext as _
from builder.model.pdf import Inks, InkSpot
from builder.pdfinfo.pictures import marked_areas, opened
from builder.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

DPI = 100
CELL = 2.0
"""Side in mm of the cells in which too much ink is gathered."""
MARGIN = 2.0
"""Per cent above the limit that are still the rounding of 255 steps an ink."""
PORTION = 200
"""Pages drawn at one go."""
PATIENCE = 600
"""Seconds a portion may take before the file is given up: a page can be made that never ends."""


def measure_ink(path: Path, limit: float) -> Inks:
    """The areas of all pages that have more than `limit` per cent of ink.

    Without Ghostscript or Pillow, or where Ghostscript cannot draw the file, the result says so in `missing`.
    """
    try:
        alike = _alike(path)
        first = sorted(set(alike))
        with TemporaryDirectory(prefix="squadpress-") as folder:
            for start in range(0, len(first) or 1, PORTION):
                _draw(path, Path(folder), first[start : start + PORTION])
            spots: dict[int, tuple[InkSpot, ...]] = {}
            for number, picture in zip(
                first or count(1), map(opened, sorted(Path(folder).glob("*.tif"))), strict=False
            ):
                spots[number] = tuple(_spots(_total(picture), number, limit))
            pages = enumerate((number for number in alike or spots if number in spots), start=1)
            return Inks(tuple(replace(spot, page=page) for page, like in pages for spot in spots[like]))
    except ToolMissing as error:
        return Inks(missing=error.message)


def _alike(path: Path) -> list[int]:
    """For each page the first one that says the same by the same objects, as copies of a card do.

    Nothing for what cannot be read: whether it can be drawn is for the drawing program to say.
    """
    import pikepdf

    known: dict[bytes, int] = {}
    try:
        with pikepdf.open(path) as pdf:
            return [known.setdefault(page.obj.unparse(), number) for number, page in enumerate(pdf.pages, start=1)]
    except (OSError, pikepdf.PdfError):
        return []


def _draw(path: Path, folder: Path, pages: Sequence[int]) -> None:
    """These pages (all where none are named) as CMYK pictures; device colours reach them as they were written."""
    program = shutil.which("gs")
    if program is None:
        raise ToolMissing(_("Ghostscript is not installed"), _("Install it (the program gs)."))
    command = [program, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiff32nc", "-sCompression=lzw", f"-r{DPI}"]
    chosen = [f"-sPageList={','.join(map(str, pages))}"] if pages else []
    first = pages[0] if pages else 1
    try:
        done = subprocess.run(
            [*command, *chosen, f"-sOutputFile={folder}/{first:06d}-%06d.tif", "-f", str(path.resolve())],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolMissing(_("Ghostscript gave up: {reason}", reason=error)) from error
    if done.returncode or not any(folder.glob(f"{first:06d}-*")):
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()
        reason = said[0] if said else _("it said nothing")
        raise ToolMissing(_("Ghostscript could not draw the file: {reason}", reason=reason))


def _total(picture: Picture) -> Picture:
    """A quarter of the sum of the four inks, as a grey picture."""
    from PIL import ImageChops

    cyan, magenta, yellow, black = picture.split()
    return ImageChops.add(ImageChops.add(cyan, magenta, 2), ImageChops.add(yellow, black, 2), 2)


def _most(total: Picture) -> float:
    """The highest sum of inks in per cent."""
    most = total.getextrema()[1]
    assert not isinstance(most, tuple)
    return most * 400 / 255


def _spots(total: Picture, page: int, limit: float) -> Iterator[InkSpot]:
    """The areas above the limit, in mm from the top left."""
    least = int((limit + MARGIN) * 255 / 400)
    over = total.point([0] * (least + 1) + [255] * (255 - least))
    if not over.getbbox():
        return
    mm = MM_PER_INCH / DPI
    for area in marked_areas(over, total.size, CELL / mm):
        x, y, right, bottom = map(round, area)
        inked = over.crop((x, y, right, bottom)).getbbox()
        if inked:
            box = Box((x + inked[0]) * mm, (y + inked[1]) * mm, (inked[2] - inked[0]) * mm, (inked[3] - inked[1]) * mm)
            yield InkSpot(page, box, _most(total.crop((x, y, right, bottom))))
