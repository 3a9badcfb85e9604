"""How much ink lies where: pages drawn in cyan, magenta, yellow and black by Ghostscript, and their inks added up."""

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
MAX_SECONDS = 600
"""Processor time that Ghostscript may take for a portion: a page can be made that never ends."""


@dataclass(frozen=True, slots=True)
class DrawnInks:
    """Pages of a file drawn in inks: `pictures` by page number, and for each page the number of the first equal one.

    `missing` says in words why nothing could be drawn.
    """

    pictures: Mapping[int, Path] = field(default_factory=dict)
    first_equal_page: Sequence[int] = ()
    missing: str = ""


def draw_inks(path: Path, folder: Path) -> DrawnInks:
    """Draw the pages of a PDF in inks, into a folder; pages that are equal are drawn once.

    Without Ghostscript, or where it cannot draw the file, the result says so in `missing`.
    """
    try:
        first_equal_page = _alike(path)
        numbers = sorted(set(first_equal_page))
        for start in range(0, len(numbers) or 1, PORTION):
            _draw(path, folder, numbers[start : start + PORTION])
    except ToolMissing as error:
        return DrawnInks(missing=error.message)
    files = sorted(folder.glob("*.tif"))
    numbers = numbers or list(range(1, len(files) + 1))
    return DrawnInks(dict(zip(numbers, files, strict=False)), first_equal_page or numbers)


def measure_ink(drawn: DrawnInks, limit: float, areas: Mapping[int, Box]) -> Inks:
    """Return the spots with more than `limit` per cent of ink, within an area of each page (mm from its top left).

    Pages without an area are measured as a whole. Without Pillow the result says so in `missing`.
    """
    if drawn.missing:
        return Inks(missing=drawn.missing)
    spots: list[InkSpot] = []
    measured: dict[tuple[int, Box | None], tuple[InkSpot, ...]] = {}
    try:
        for page, equal_page in enumerate(drawn.first_equal_page, start=1):
            key = equal_page, areas.get(page)
            if equal_page in drawn.pictures and key not in measured:
                measured[key] = tuple(
                    _spots(_total(opened(drawn.pictures[equal_page])), page, limit, areas.get(page))
                )
            spots += [replace(spot, page=page) for spot in measured.get(key, ())]
    except ToolMissing as error:
        return Inks(missing=error.message)
    return Inks(tuple(spots))


def _alike(path: Path) -> list[int]:
    """For each page the first one that says the same by the same objects, as copies of a card do.

    Nothing for what cannot be read: whether it can be drawn is for the drawing program to say.
    """
    import pikepdf

    known: dict[bytes, int] = {}
    try:
        with pikepdf.open(path) as pdf:
            return [
                known.setdefault(page.obj.unparse(), number)
                for number, page in enumerate(pdf.pages, start=1)
            ]
    except MemoryError:
        raise
    except Exception:  # whatever the library meets in a damaged file
        return []


def _draw(path: Path, folder: Path, pages: Sequence[int]) -> None:
    """These pages (all where none are named) as CMYK pictures; device colours reach them as they were written."""
    program = shutil.which("gs")
    if program is None:
        raise ToolMissing(_("Ghostscript is not installed"), _("Install it (the program gs)."))
    command = [
        program,
        "-q",
        "-dSAFER",
        "-dBATCH",
        "-dNOPAUSE",
        "-sDEVICE=tiff32nc",
        "-sCompression=lzw",
        f"-r{DPI}",
    ]
    chosen = [f"-sPageList={','.join(map(str, pages))}"] if pages else []
    first = pages[0] if pages else 1
    try:
        written = f"-sOutputFile={folder}/{first:06d}-%06d.tif"
        code, output = _run([*command, *chosen, written, "-f", str(path.resolve())])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolMissing(_("Ghostscript gave up: {reason}", reason=error)) from error
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        raise ToolMissing(
            _(
                "Ghostscript takes more than {seconds} seconds of processor time",
                seconds=MAX_SECONDS,
            )
        )
    if code or not any(folder.glob(f"{first:06d}-*")):
        said = output.decode("utf-8", "replace").strip().splitlines()
        reason = said[0] if said else _("it said nothing")
        raise ToolMissing(_("Ghostscript could not draw the file: {reason}", reason=reason))


def _run(command: Sequence[str]) -> tuple[int, bytes]:
    """Run a program with a limit of processor time, or of time on the clock where the system has no such limit.

    Return its exit code and what it printed. Raises OSError, and TimeoutExpired by the clock.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        is_limited = limit_child(process.pid, MAX_SECONDS)
        try:
            output, _errors = process.communicate(
                timeout=None if is_limited else MAX_SECONDS * CLOCK_FACTOR
            )
        except BaseException:
            process.kill()
            raise
    return process.returncode, output


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


def _spots(total: Picture, page: int, limit: float, inside: Box | None) -> Iterator[InkSpot]:
    """The areas above the limit, in mm from the top left. Nothing outside a box counts, such as printer's marks."""
    least = int((limit + MARGIN) * 255 / 400)
    over = total.point([0] * (least + 1) + [255] * (255 - least))
    mm = MM_PER_INCH / DPI
    if inside is not None:
        # A pixel that the edge of the box divides belongs to what lies outside.
        edges = (
            ceil(inside.x / mm),
            ceil(inside.y / mm),
            int(inside.right / mm),
            int(inside.bottom / mm),
        )
        kept = over.crop(edges) if edges[0] < edges[2] and edges[1] < edges[3] else None
        over.paste(0, (0, 0, *over.size))
        if kept is not None:
            over.paste(kept, edges[:2])
    if not over.getbbox():
        return
    for area in marked_areas(over, total.size, CELL / mm):
        x, y, right, bottom = map(round, area)
        inked = over.crop((x, y, right, bottom)).getbbox()
        if inked:
            spot = (x + inked[0], y + inked[1], x + inked[2], y + inked[3])
            box = Box(
                spot[0] * mm, spot[1] * mm, (spot[2] - spot[0]) * mm, (spot[3] - spot[1]) * mm
            )
            yield InkSpot(page, box, _most(total.crop(spot)))
