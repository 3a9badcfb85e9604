"""Judge finished files and folders as a print shop would, and report on them."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar

from builder.checks.images.face import ImageFace, OrderFolder, Present
from builder.checks.images.orders import MANIFEST, UNREADABLE
from builder.checks.preflight.cut import check as check_cut
from builder.checks.preflight.fineness import check_pictures
from builder.checks.preflight.job import FrontsAndBacks, Job, Portion, check_portions
from builder.checks.registry import run_checks
from builder.errors import InputUnreadable
from builder.files import hash_file
from builder.findings import Box, Finding, Location, Severity, sort_findings
from builder.limits import LimitedProcess, LimitsExceeded
from builder.messages import gettext as _
from builder.model.pdf import Inks, grow_box, intersect_boxes
from builder.model.shop import OrderFile, Preset, ShopOrder
from builder.packs.releases.package import read_manifest
from builder.pdfinfo.ink import draw_inks, measure_ink
from builder.pdfinfo.pictures import make_thumbnail, read_raster, render_pages
from builder.pdfinfo.read import read_in_portions
from builder.render.html.pages import page
from builder.report.findings import format_summary
from builder.units import MM_PER_INCH

T = TypeVar("T")

MEMORY = 900_000_000
"""Bytes that reading one file may take, besides the program itself."""
SECONDS = 300
"""Seconds of processor time that it may take: 500 pages take 20."""
IMAGES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".bmp"})
"""Endings of files that are judged as images."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a file, or an image (number 0).

    What there is to be seen of it, the cut and the safe zone, in mm.
    """

    file: str
    number: int
    shows: Box
    trim: Box
    safe: Box | None


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """A checked file with its findings and the page views for a report.

    `pixels` are those of an image.
    """

    path: Path
    name: str
    findings: tuple[Finding, ...]
    views: tuple[PageView, ...]
    pixels: tuple[int, int] | None = None


class FileReader(LimitedProcess):
    """A process with limits of memory and time that reads files of strangers."""

    def __init__(self) -> None:
        super().__init__(MEMORY, SECONDS)

    def run_work(self, files: tuple[str, ...], work: Callable[..., T], *arguments: object) -> T:
        """Return the result of some work on files, read in this order.

        Raise InputUnreadable if it exceeds a limit.
        """
        try:
            return self.run(work, *arguments)
        except LimitsExceeded as error:
            file = files[max(error.file, 1) - 1]
            limit = error.cause.describe_limit(self.memory_bytes, self.seconds)
            form = _("{file}: reading it needs more than {limit}")
            if error.page:
                form = _("{file}: reading page {page} needs more than {limit}")
            hint = _("Save it again in parts, in the program that created it.")
            raise InputUnreadable(_(form, file=file, page=error.page, limit=limit), hint) from None


def check_file(path: Path, preset: Preset, name: str = "") -> JudgedFile:
    """Check one PDF or image.

    `name` is its name in findings, by default the file's own.

    InputUnreadable for what is neither. Without Ghostscript a finding says that ink was not
    measured.
    """
    name = name or path.name
    if path.suffix.lower() in IMAGES:
        return check_image(path, read_image_face(path, preset, name))
    return _read_and_check(path, preset, name)[0]


def check_art(path: Path, preset: Preset) -> tuple[Finding, ...]:
    """Return findings about pictures, and about type near the cut if all becomes a picture."""
    checks = (check_pictures,) if preset.output == "pdf" else (check_pictures, check_cut)
    art_findings: list[Finding] = []
    for part in read_in_portions(path):
        for check in checks:
            art_findings += check(Portion(part, preset))
    return sort_findings(
        replace(finding, location=replace(finding.location, file=path.name))
        for finding in art_findings
    )


def check_pair(
    fronts: Path, backs: Path, preset: Preset, names: tuple[str, str] = ("", "")
) -> tuple[JudgedFile, ...]:
    """Fronts in one PDF and their backs in another, pages paired in order."""
    separate_preset = preset.model_copy(update={"order": "apart"})
    first, ahead = _read_and_check(fronts, separate_preset, names[0] or fronts.name)
    second, back_job = _read_and_check(backs, separate_preset, names[1] or backs.name)
    together = run_checks("preflight", FrontsAndBacks(ahead, back_job))
    between = tuple(
        replace(finding, location=replace(finding.location, file=second.name))
        for finding in together
    )
    return first, replace(second, findings=sort_findings((*second.findings, *between)))


def read_image_face(
    path: Path, preset: Preset, name: str, listed: OrderFile | None = None
) -> ImageFace:
    """Return an image with the data of its order. Raise InputUnreadable or ToolMissing."""
    return ImageFace(name, read_raster(path), preset, listed)


def check_image(path: Path, face: ImageFace) -> JudgedFile:
    """Check an image file that was already read."""
    safe = face.preset.safe
    view = PageView(
        face.name, 0, face.shows, face.trim, grow_box(face.trim, -safe) if safe else None
    )
    return JudgedFile(path, face.name, run_checks("images", face), (view,), face.raster.pixels)


def shorten_findings(findings: Sequence[Finding], *, pages: bool = True) -> tuple[Finding, ...]:
    """Return all errors, and the first warning of each type in each file.

    The warning has the number of the others of its type, and their pages.
    """
    sorts: dict[object, list[Finding]] = {}
    for finding in dict.fromkeys(findings):
        sorts.setdefault(
            finding
            if finding.severity is Severity.ERROR
            else (finding.location.file, finding.code),
            [],
        ).append(finding)
    return tuple(_merge_similar(similar, pages) for similar in sorts.values())


def _merge_similar(similar: Sequence[Finding], pages: bool) -> Finding:
    """Return the first of warnings of one sort, for all of them."""
    if len(similar) == 1:
        return similar[0]
    what, message = (
        similar[0].message,
        sorted({finding.location.page for finding in similar if pages and finding.location.page}),
    )
    form = _("{what} (and {many} more in this file)")
    if len(message) > 1:
        form = _("{what} (and {many} more in this file: pages {pages})")
    return replace(
        similar[0],
        message=_(form, what=what, many=len(similar) - 1, pages=format_page_ranges(message)),
    )


def format_page_ranges(pages: Sequence[int], max_ranges: int = 8) -> str:
    """`1–4, 7`: ascending numbers of pages.

    Where there are many ranges, the first of them and the last.
    """
    runs: list[list[int]] = []
    for page_number in pages:
        if runs and runs[-1][-1] + 1 == page_number:
            runs[-1].append(page_number)
        else:
            runs.append([page_number])
    ranges = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    return ", ".join(
        ranges if len(ranges) <= max_ranges else [*ranges[: max_ranges - 1], "…", ranges[-1]]
    )


def merge_findings(
    first_findings: Sequence[Finding], second_findings: Sequence[Finding]
) -> list[Finding]:
    """Brief findings of files, and those of the same files in another state.

    No sort of warning twice for one file.
    """
    first_warnings = {
        (finding.location.file, finding.code)
        for finding in first_findings
        if finding.severity is not Severity.ERROR
    }
    rest = (
        finding
        for finding in second_findings
        if finding.severity is Severity.ERROR
        or (finding.location.file, finding.code) not in first_warnings
    )
    return [*first_findings, *rest]


def _read_and_check(path: Path, preset: Preset, name: str) -> tuple[JudgedFile, Job]:
    """Return a PDF as it is read, and in brief; only what a report needs of its pages is kept."""
    limit = preset.colour.ink_limit
    if limit is None or not path.is_file():  # the drawing program would wait for a pipe
        findings, job = check_portions(read_in_portions(path), preset)
    else:
        # Another program draws the inks: the file is read meanwhile.
        with TemporaryDirectory(prefix="squadpress-") as folder, ThreadPoolExecutor(1) as executor:
            drawing = executor.submit(draw_inks, path, Path(folder))

            def inks_of(job: Job) -> Inks:
                areas = {
                    pdf_page.number: job.find_bleed_area(pdf_page) for pdf_page in job.pdf.pages
                }
                return measure_ink(drawing.result(), limit, areas)

            findings, job = check_portions(read_in_portions(path), preset, inks_of)
    safe, views = preset.safe, []
    for pdf_page in job.pdf.pages:
        trim, shows = (
            job.find_trim(pdf_page),
            intersect_boxes(pdf_page.crop, pdf_page.media) or pdf_page.media,
        )
        views.append(
            PageView(name, pdf_page.number, shows, trim, grow_box(trim, -safe) if safe else None)
        )
    named_findings = tuple(
        replace(finding, location=replace(finding.location, file=name)) for finding in findings
    )
    return JudgedFile(path, name, named_findings, tuple(views)), job


_UNJUDGED = re.compile(r"^order\.pdf$|-(foil|white)\.pdf$")
"""An order's sheet; files that show where foil and white ink go, which were judged when they were
made.
"""


def check_folder(root: Path, preset: Preset) -> tuple[tuple[JudgedFile, ...], tuple[Finding, ...]]:
    """Check all PDF files and images of a folder.

    Return the results, and the findings about the folder.

    An order's own sheet is left out. Raises InputUnreadable for a folder without such files.
    """
    files = _to_judge(root)
    if not files:
        message = _("{folder} contains no PDF or image", folder=root)
        raise InputUnreadable(message, _("Give a file, or the folder of an order."))
    order, findings = _read_order(root, preset)
    order_files = {file.name: file for file in order.files} if order is not None else {}
    results: list[JudgedFile] = []
    faces: list[ImageFace] = []
    with FileReader() as reader:
        for name, path in files.items():
            try:
                if path.suffix.lower() in IMAGES:
                    order_file = order_files.get(name)
                    face = reader.run_work((name,), read_image_face, path, preset, name, order_file)
                    faces.append(face)
                    results.append(check_image(path, face))
                else:
                    results += _check_pdf(reader, name, files, preset)
            except InputUnreadable as error:
                location = Location(file=name)
                findings.append(UNREADABLE.finding(error.message, location, error.remedy))
    page_counts = {judged_file.name: len(judged_file.views) for judged_file in results}
    present: dict[str, Present] = {}
    for name, path in files.items() if order else ():
        present[name] = Present(hash_file(path), page_counts.get(name))
    findings += run_checks("images", OrderFolder(faces, present, order))
    return tuple(results), sort_findings(findings)


def _check_pdf(
    reader: FileReader, name: str, files: Mapping[str, Path], preset: Preset
) -> Sequence[JudgedFile]:
    """Check a PDF, fronts together with their backs.

    Nothing for backs, which are checked with their fronts.
    """
    backs = _find_partner(name, files, "fronts", "backs")
    if backs is not None:
        names = (name, backs)
        return reader.run_work(names, check_pair, files[name], files[backs], preset, names)
    if _find_partner(name, files, "backs", "fronts") is not None:
        return ()
    return (reader.run_work((name,), check_file, files[name], preset, name),)


def _to_judge(root: Path) -> dict[str, Path]:
    """Return the PDF files and images of a folder by their relative paths.

    Hidden files and the order sheet are left out.
    """
    paths = sorted(
        path
        for path in root.rglob("*")
        if path.suffix.lower() in {".pdf", *IMAGES} and path.is_file()
    )
    inner = ((path.relative_to(root), path) for path in paths if not _UNJUDGED.search(path.name))
    return {
        name.as_posix(): path for name, path in inner if not re.search(r"(^|/)\.", name.as_posix())
    }


def _read_order(root: Path, preset: Preset) -> tuple[ShopOrder | None, list[Finding]]:
    """Return the manifest of a folder, if it has one for this shop, and the findings about it."""
    try:
        order = read_manifest(root)
    except ValueError:
        return None, [MANIFEST.finding(_("cannot be read"), Location(file="manifest.json"))]
    if order is None or order.preset == preset.id:
        return order, []
    message = _("is for {other}, not for {shop}", other=order.preset, shop=preset.id)
    return None, [MANIFEST.finding(message, Location(file="manifest.json"))]


def _find_partner(name: str, files: Mapping[str, Path], this: str, other_side: str) -> str | None:
    """Return the PDF of the other side, if there is one."""
    path = PurePosixPath(name)
    partner = str(path.with_name(path.name.replace(this, other_side)))
    return partner if this in path.name and partner in files else None


DrawnPage: TypeAlias = tuple[PageView, bytes]
"""A page with its picture, as JPEG."""
DPI = 110
MAX_DRAWN_PAGES = 60
"""Pages drawn in one report: more make a file that browsers open slowly."""
SAMPLE = 6
"""Pages drawn where there are no findings."""


def write_report(
    title: str,
    preset: Preset,
    results: Sequence[JudgedFile],
    findings: Sequence[Finding],
    lang: str,
) -> str:
    """Return an HTML page with the pages and images that have findings, errors first.

    Raise ToolMissing if no installed program can draw pages.
    """
    views = list(chain.from_iterable(judged_file.views for judged_file in results))
    worst: dict[tuple[str | None, int], int] = {}
    for finding in findings:
        place = (finding.location.file, finding.location.page or 0)
        worst[place] = min(worst.get(place, 9), list(Severity).index(finding.severity))
    marked_views = [view for view in views if (view.file, view.number) in worst]
    chosen_views = (
        sorted(marked_views, key=lambda view: worst[view.file, view.number])[:MAX_DRAWN_PAGES]
        or views[:SAMPLE]
    )
    drawn_pages: list[DrawnPage] = []
    for judged_file in results:
        views_of_file = [view for view in judged_file.views if view in chosen_views]
        drawn_pages += _draw_pages(judged_file, views_of_file)
    shop = preset.name.get(lang) or preset.name.get("en", preset.id)
    return format_report(
        title,
        shop,
        findings,
        drawn_pages,
        max(0, len(marked_views) - MAX_DRAWN_PAGES),
        results,
        lang=lang,
    )


def _draw_pages(judged_file: JudgedFile, views: Sequence[PageView]) -> Iterator[DrawnPage]:
    if judged_file.pixels is not None:
        for view in views:
            yield (
                view,
                make_thumbnail(judged_file.path, round(view.shows.width / MM_PER_INCH * DPI)),
            )
    elif views:
        pictures = render_pages(judged_file.path, DPI, [view.number for view in views])
        for view, picture in zip(views, pictures, strict=True):
            out = BytesIO()
            picture.save(out, "JPEG", quality=82)
            yield view, out.getvalue()


def format_report(
    title: str,
    shop: str,
    findings: Sequence[Finding],
    pages: Sequence[DrawnPage],
    more: int = 0,
    files: Sequence[JudgedFile] = (),
    *,
    lang: str,
) -> str:
    """Return the whole report in a language; `more` pages with findings were left undrawn.

    Several files are listed first.
    """
    places: dict[tuple[str | None, int], list[Finding]] = {
        (view.file, view.number): [] for view, _picture in pages
    }
    loose: list[Finding] = []
    for finding in findings:
        place = (finding.location.file, finding.location.page or 0)
        places.get(place, loose).append(finding.translate(lang))
    page_values = []
    for view, picture in pages:
        page_findings = places[view.file, view.number]
        values = {
            "view": view,
            "picture": b64encode(picture).decode(),
            "findings": page_findings,
            "marks": list(_place_finding_numbers(view.shows, page_findings)),
        }
        page_values.append(values)
    listed = []
    for file in files:
        file_findings = [finding for finding in findings if finding.location.file == file.name]
        listed.append((file, format_summary(file_findings, lang)))
    values_of_page = {
        "title": title,
        "shop": shop,
        "summary": format_summary(findings, lang),
        "more": more,
    }
    return page(
        "preflight.html", lang, pages=page_values, files=listed, loose=loose, **values_of_page
    )


def _place_finding_numbers(shows: Box, findings: Sequence[Finding]) -> Iterator[dict[str, object]]:
    """Yield the box of each finding, and the position of its number, in mm.

    The position always lies on the page.
    """
    for number, finding in enumerate(findings, start=1):
        box = finding.location.box
        if box is not None:
            x = min(max(box.x, shows.x + 0.5), shows.right - 4)
            y = min(max(box.y, shows.y + 3), shows.bottom - 1)
            yield {"number": number, "kind": finding.severity.value, "box": box, "x": x, "y": y}
