"""Measure the sum of inks on pages that Ghostscript draws in cyan, magenta, yellow and black."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import ToolMissing
from builder.findings import Box
from builder.limits import CLOCK_FACTOR, limit_child
from builder.messages import gettext as _
from builder.model.pdf import InkLimitViolations, InkSpot
from builder.pdfinfo.pictures import find_marked_areas, open_picture
from builder.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

DPI = 100
CELL_MM = 2.0
"""Side of the cells in which spots with too much ink are grouped."""
ROUNDING_PERCENT = 2.0
"""The maximum error of the sum of inks, which have 255 steps each."""
PAGES_PER_RUN = 200
MAX_SECONDS = 600
"""Processor time that Ghostscript may take for a run: a page can be made that never ends."""


@dataclass(frozen=True, slots=True)
class DrawnInks:
    """The pages of a PDF drawn in inks, by page number. Equal pages share a picture.

    `missing` is the reason why nothing could be drawn.
    """

    pictures: Mapping[int, Path] = field(default_factory=dict)
    first_equal_page: Sequence[int] = ()
    missing: str = ""


def draw_inks(path: Path, folder: Path) -> DrawnInks:
    """Draw the pages of a PDF in inks, as pictures in a folder. Equal pages are drawn once.

    Without Ghostscript, or if it cannot draw the file, the result states the reason in `missing`.
    """
    try:
        first_equal_page = _find_equal_pages(path)
        numbers = sorted(set(first_equal_page))
        for start in range(0, len(numbers) or 1, PAGES_PER_RUN):
            _draw_pages(path, folder, numbers[start : start + PAGES_PER_RUN])
    except ToolMissing as error:
        return DrawnInks(missing=error.message)
    # The names of the files have the order of the pages.
    files = sorted(folder.glob("*.tif"))
    numbers = numbers or list(range(1, len(files) + 1))
    return DrawnInks(
        dict(zip(numbers, files, strict=False)), first_equal_page or numbers
    )


def measure_ink(
    drawn_inks: DrawnInks, limit: float, areas: Mapping[int, Box]
) -> InkLimitViolations:
    """Return the places with more than `limit` per cent of ink, inside an area of each page.

    Areas are mm from the top left. Pages without an area are measured as a whole. Without Pillow
    the result states the reason in `missing`.
    """
    if drawn_inks.missing:
        return InkLimitViolations(missing=drawn_inks.missing)
    spots: list[InkSpot] = []
    spots_by_picture: dict[tuple[int, Box | None], tuple[InkSpot, ...]] = {}
    try:
        for page, equal_page in enumerate(drawn_inks.first_equal_page, start=1):
            area = areas.get(page)
            key = (equal_page, area)
            file = drawn_inks.pictures.get(equal_page)
            if file is not None and key not in spots_by_picture:
                total = _add_inks(open_picture(file))
                spots_by_picture[key] = tuple(_find_spots(total, page, limit, area))
            spots += [
                replace(spot, page=page) for spot in spots_by_picture.get(key, ())
            ]
    except ToolMissing as error:
        return InkLimitViolations(missing=error.message)
    return InkLimitViolations(tuple(spots))


def _find_equal_pages(path: Path) -> list[int]:
    """Return, for each page, the number of the first page that is equal to it.

    Copies of a card are equal pages. Empty if the file cannot be read. The drawing program then
    decides whether it can be drawn.
    """
    import pikepdf

    first_numbers: dict[bytes, int] = {}
    numbers: list[int] = []
    try:
        with pikepdf.open(path) as pdf:
            for number, page in enumerate(pdf.pages, start=1):
                numbers.append(first_numbers.setdefault(page.obj.unparse(), number))
    except MemoryError:
        raise
    except Exception:  # the library raises anything for a damaged file
        return []
    return numbers


def _draw_pages(path: Path, folder: Path, pages: Sequence[int]) -> None:
    """Draw pages, all if none are named, as CMYK pictures. CMYK colors are not converted."""
    program = shutil.which("gs")
    if program is None:
        raise ToolMissing(
            _("Ghostscript is not installed"), _("Install it (the program gs).")
        )
    command = [
        program,
        "-q",
        # A PDF is untrusted: it must not read other files.
        "-dSAFER",
        "-dBATCH",
        "-dNOPAUSE",
        "-sDEVICE=tiff32nc",
        "-sCompression=lzw",
        f"-r{DPI}",
    ]
    first = pages[0] if pages else 1
    if pages:
        command.append(f"-sPageList={','.join(map(str, pages))}")
    command += [
        f"-sOutputFile={folder}/{first:06d}-%06d.tif",
        "-f",
        str(path.resolve()),
    ]
    try:
        code, output = _run(command)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolMissing(_("Ghostscript failed: {reason}", reason=error)) from error
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        form = _("Ghostscript needs more than {seconds} seconds of processor time")
        raise ToolMissing(_(form, seconds=MAX_SECONDS))
    if code or not any(folder.glob(f"{first:06d}-*")):
        lines = output.decode("utf-8", "replace").strip().splitlines()
        reason = lines[0] if lines else _("no message")
        raise ToolMissing(
            _("Ghostscript could not draw the file: {reason}", reason=reason)
        )


def _run(command: Sequence[str]) -> tuple[int, bytes]:
    """Run a program with a limit of processor time. Return its exit code and output.

    If the system has no such limit, elapsed time is limited. Raise OSError, and TimeoutExpired by
    the clock.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        is_limited = limit_child(process.pid, MAX_SECONDS)
        timeout = None if is_limited else MAX_SECONDS * CLOCK_FACTOR
        try:
            output, _errors = process.communicate(timeout=timeout)
        except BaseException:
            # Ctrl-C must not leave Ghostscript running.
            process.kill()
            raise
    return process.returncode, output


def _add_inks(picture: Picture) -> Picture:
    """Return a grey picture of a quarter of the sum of the four inks."""
    from PIL import ImageChops

    cyan, magenta, yellow, black = picture.split()
    # Each sum is halved, because a pixel cannot be above 255.
    colours = ImageChops.add(cyan, magenta, 2)
    others = ImageChops.add(yellow, black, 2)
    return ImageChops.add(colours, others, 2)


def _find_max_percent(total: Picture) -> float:
    """Return the highest sum of inks in a picture, in per cent."""
    highest = total.getextrema()[1]
    assert not isinstance(highest, tuple)
    return highest * 400 / 255


def _find_spots(
    total: Picture, page: int, limit: float, area: Box | None
) -> Iterator[InkSpot]:
    """Yield the places with too much ink inside an area.

    Printer's marks outside of it do not count.
    """
    highest_allowed = int((limit + ROUNDING_PERCENT) * 255 / 400)
    # The table has a value for each of the 256 levels of a pixel.
    mask = total.point([0] * (highest_allowed + 1) + [255] * (255 - highest_allowed))
    mm = MM_PER_INCH / DPI
    if area is not None:
        _clear_outside(mask, area, mm)
    if not mask.getbbox():
        return
    for cells in find_marked_areas(mask, total.size, CELL_MM / mm):
        x, y, x_max, y_max = map(round, cells)
        inked_edges = mask.crop((x, y, x_max, y_max)).getbbox()
        if inked_edges is None:
            continue
        # The edges are relative to the crop.
        x_min = x + inked_edges[0]
        y_min = y + inked_edges[1]
        x_max = x + inked_edges[2]
        y_max = y + inked_edges[3]
        box = Box(x_min * mm, y_min * mm, (x_max - x_min) * mm, (y_max - y_min) * mm)
        percent = _find_max_percent(total.crop((x_min, y_min, x_max, y_max)))
        yield InkSpot(page, box, percent)


def _clear_outside(mask: Picture, area: Box, mm: float) -> None:
    """Clear a mask outside an area. `mm` is the width of a pixel."""
    # A pixel that the edge of the area divides lies outside.
    x_min = ceil(area.x / mm)
    y_min = ceil(area.y / mm)
    x_max = int(area.right / mm)
    y_max = int(area.bottom / mm)
    inner = None
    if x_min < x_max and y_min < y_max:
        inner = mask.crop((x_min, y_min, x_max, y_max))
    mask.paste(0, (0, 0, *mask.size))
    if inner is not None:
        mask.paste(inner, (x_min, y_min))
