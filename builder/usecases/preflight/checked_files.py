"""Check one PDF, a pair of PDFs or an image against a print shop's specification."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from builder.checks.images.face import ImageFace
from builder.checks.preflight.cut import check as check_cut
from builder.checks.preflight.fineness import check_pictures
from builder.checks.preflight.job import (
    FrontsAndBacks,
    PageBatch,
    PreflightJob,
    check_page_batches,
)
from builder.checks.registry import run_checks
from builder.errors import InputUnreadable
from builder.findings import Box, Finding, sort_findings
from builder.limits import LimitedProcess, LimitsExceeded
from builder.messages import gettext as _
from builder.model.pdf import InkLimitViolations, Page, grow_box, intersect_boxes
from builder.model.shop import OrderFile, Preset
from builder.pdfinfo.ink import draw_inks, measure_ink
from builder.pdfinfo.pictures import read_raster
from builder.pdfinfo.read import read_in_portions

T = TypeVar("T")

MAX_MEMORY_BYTES = 900_000_000
"""Memory that reading one file may take, besides the program itself."""
MAX_SECONDS = 300
"""Processor time that reading one file may take: 500 pages take 20 s."""
IMAGE_EXTENSIONS = frozenset(
    {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".bmp"}
)
"""Extensions of files that are checked as images."""


@dataclass(frozen=True, slots=True)
class PageView:
    """The visible area, trim box and safe zone of a page in mm. Images have page number 0.

    `shows` is the visible area.
    """

    file: str
    number: int
    shows: Box
    trim: Box
    safe: Box | None


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A finished file with its findings, and the boxes of its pages for a report.

    `pixels` is the size of an image, None for a PDF.
    """

    path: Path
    name: str
    findings: tuple[Finding, ...]
    views: tuple[PageView, ...]
    pixels: tuple[int, int] | None = None


class FileReader(LimitedProcess):
    """A child process with limits of memory and time that reads untrusted files."""

    def __init__(self) -> None:
        super().__init__(MAX_MEMORY_BYTES, MAX_SECONDS)

    def run_work(
        self, files: tuple[str, ...], work: Callable[..., T], *arguments: object
    ) -> T:
        """Run a function on files in the child process.

        Raise InputUnreadable if it exceeds a limit.

        It must read the files in this order, so that the message names the right one.
        """
        try:
            return self.run(work, *arguments)
        except LimitsExceeded as error:
            # The number of the file counts from 1, and is 0 before the first file is opened.
            file = files[max(error.file, 1) - 1]
            limit = error.cause.describe_limit(self.memory_bytes, self.seconds)
            form = _("{file}: reading it needs more than {limit}")
            if error.page:
                form = _("{file}: reading page {page} needs more than {limit}")
            hint = _("Save it again in parts, in the program that created it.")
            raise InputUnreadable(
                _(form, file=file, page=error.page, limit=limit), hint
            ) from None


def check_file(path: Path, preset: Preset, name: str = "") -> CheckedFile:
    """Check one PDF or image against a print shop's specification.

    `name` is its name in findings, by default the file's own. Raise InputUnreadable if it is
    neither. Without Ghostscript, a finding says that the ink was not measured.
    """
    name = name or path.name
    if path.suffix.lower() in IMAGE_EXTENSIONS:
        return check_image(path, read_image_face(path, preset, name))
    return _check_pdf(path, preset, name)[0]


def check_art(path: Path, preset: Preset) -> tuple[Finding, ...]:
    """Check the resolution of pictures in a PDF.

    If the shop gets images instead of a PDF, also check the distance of text to the cut.
    """
    checks = (
        (check_pictures,) if preset.output == "pdf" else (check_pictures, check_cut)
    )
    art_findings: list[Finding] = []
    for part in read_in_portions(path):
        for check in checks:
            art_findings += check(PageBatch(part, preset))
    return sort_findings(_put_file_name(art_findings, path.name))


def check_pair(
    fronts: Path, backs: Path, preset: Preset, names: tuple[str, str] = ("", "")
) -> tuple[CheckedFile, ...]:
    """Check a PDF of fronts and a PDF of backs. Page 1 belongs to page 1, and so on."""
    # Each file has one side only, so that its own pages are no pairs.
    separate_preset = preset.model_copy(update={"order": "apart"})
    checked_fronts, front_job = _check_pdf(
        fronts, separate_preset, names[0] or fronts.name
    )
    checked_backs, back_job = _check_pdf(backs, separate_preset, names[1] or backs.name)
    pair_findings = run_checks("preflight", FrontsAndBacks(front_job, back_job))
    pair_findings = tuple(_put_file_name(pair_findings, checked_backs.name))
    back_findings = sort_findings(checked_backs.findings + pair_findings)
    return checked_fronts, replace(checked_backs, findings=back_findings)


def read_image_face(
    path: Path, preset: Preset, name: str, listed: OrderFile | None = None
) -> ImageFace:
    """Read an image file, and find its entry in the order.

    Raise InputUnreadable or ToolMissing.
    """
    return ImageFace(name, read_raster(path), preset, listed)


def check_image(path: Path, face: ImageFace) -> CheckedFile:
    """Check an image that was already read."""
    safe_zone = _find_safe_zone(face.trim, face.preset)
    view = PageView(face.name, 0, face.shows, face.trim, safe_zone)
    findings = run_checks("images", face)
    return CheckedFile(path, face.name, findings, (view,), face.raster.pixels)


def _check_pdf(
    path: Path, preset: Preset, name: str
) -> tuple[CheckedFile, PreflightJob]:
    """Check a PDF while it is read, so that only short facts of each page stay in memory."""
    limit = preset.colour.ink_limit
    # Ghostscript would wait for ever if it were given a named pipe.
    if limit is None or not path.is_file():
        findings, job = check_page_batches(read_in_portions(path), preset)
    else:
        findings, job = _check_with_inks(path, preset, limit)
    views = tuple(_make_page_view(job, page, name) for page in job.pdf.pages)
    return CheckedFile(path, name, tuple(_put_file_name(findings, name)), views), job


def _check_with_inks(
    path: Path, preset: Preset, ink_limit: float
) -> tuple[tuple[Finding, ...], PreflightJob]:
    """Check a PDF, and measure the ink on its pages with Ghostscript."""
    # Ghostscript draws the inks in its own process: the file is read at the same time.
    with (
        TemporaryDirectory(prefix="squadpress-") as folder,
        ThreadPoolExecutor(1) as executor,
    ):
        drawing = executor.submit(draw_inks, path, Path(folder))

        def measure_job(job: PreflightJob) -> InkLimitViolations:
            areas = {page.number: job.find_bleed_area(page) for page in job.pdf.pages}
            return measure_ink(drawing.result(), ink_limit, areas)

        return check_page_batches(read_in_portions(path), preset, measure_job)


def _make_page_view(job: PreflightJob, page: Page, name: str) -> PageView:
    trim = job.find_trim(page)
    visible_area = intersect_boxes(page.crop, page.media) or page.media
    safe_zone = _find_safe_zone(trim, job.preset)
    return PageView(name, page.number, visible_area, trim, safe_zone)


def _find_safe_zone(trim: Box, preset: Preset) -> Box | None:
    if not preset.safe:
        return None
    return grow_box(trim, -preset.safe)


def _put_file_name(findings: Iterable[Finding], name: str) -> list[Finding]:
    """Return the findings with a file name in their locations."""
    named_findings = []
    for finding in findings:
        location = replace(finding.location, file=name)
        named_findings.append(replace(finding, location=location))
    return named_findings
