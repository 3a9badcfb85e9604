"""Write the findings about finished files as an HTML page, with pictures of their pages."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TypeAlias

from builder.findings import Box, Finding, Severity
from builder.model.shop import Preset
from builder.pdfinfo.pictures import make_thumbnail, render_pages
from builder.render.html.pages import page
from builder.report.findings import format_summary
from builder.units import MM_PER_INCH
from builder.usecases.preflight.checked_files import CheckedFile, PageView

DrawnPage: TypeAlias = tuple[PageView, bytes]
"""A page with its picture, as JPEG."""
PageKey: TypeAlias = tuple[str | None, int]
"""The name of a file and a page number; 0 for an image or a finding without a page."""
PICTURE_DPI = 110
JPEG_QUALITY = 82
MAX_DRAWN_PAGES = 60
"""Pages drawn in one report: more make a file that browsers open slowly."""
SAMPLE_PAGES = 6
"""Pages drawn if there are no findings."""


@dataclass(frozen=True, slots=True)
class PreflightReport:
    """The content of a preflight report: findings, drawn pages and checked files.

    `hidden_page_count` counts the pages that have findings but are not drawn.
    """

    title: str
    shop: str
    findings: Sequence[Finding]
    pages: Sequence[DrawnPage]
    hidden_page_count: int = 0
    files: Sequence[CheckedFile] = ()


def make_preflight_report(
    title: str,
    preset: Preset,
    results: Sequence[CheckedFile],
    findings: Sequence[Finding],
    lang: str,
) -> str:
    """Format an HTML report with pictures of the pages that have findings, errors first.

    Raise ToolMissing if no installed program can draw pages.
    """
    views: list[PageView] = []
    for checked_file in results:
        views += checked_file.views
    marked_views = _sort_marked_views(views, findings)
    chosen_views = marked_views[:MAX_DRAWN_PAGES] or views[:SAMPLE_PAGES]
    drawn_pages: list[DrawnPage] = []
    for checked_file in results:
        views_of_file = [view for view in checked_file.views if view in chosen_views]
        drawn_pages += _draw_pages(checked_file, views_of_file)
    shop = preset.name.get(lang) or preset.name.get("en", preset.id)
    hidden_page_count = max(0, len(marked_views) - MAX_DRAWN_PAGES)
    report = PreflightReport(
        title, shop, findings, drawn_pages, hidden_page_count, results
    )
    return format_preflight_report(report, lang)


def _sort_marked_views(
    views: Sequence[PageView], findings: Sequence[Finding]
) -> list[PageView]:
    """Return the pages that have findings, those with the most severe first."""
    ranks = {severity: rank for rank, severity in enumerate(Severity)}
    worst_ranks: dict[PageKey, int] = {}
    for finding in findings:
        key = _get_page_key(finding)
        rank = ranks[finding.severity]
        worst_ranks[key] = min(worst_ranks.get(key, rank), rank)
    marked_views = [view for view in views if (view.file, view.number) in worst_ranks]
    return sorted(marked_views, key=lambda view: worst_ranks[view.file, view.number])


def _get_page_key(finding: Finding) -> PageKey:
    return finding.location.file, finding.location.page or 0


def _draw_pages(
    checked_file: CheckedFile, views: Sequence[PageView]
) -> Iterator[DrawnPage]:
    if checked_file.pixels is not None:
        for view in views:
            width_px = round(view.shows.width / MM_PER_INCH * PICTURE_DPI)
            yield view, make_thumbnail(checked_file.path, width_px)
    elif views:
        # Without page numbers, all pages would be drawn.
        numbers = [view.number for view in views]
        pictures = render_pages(checked_file.path, PICTURE_DPI, numbers)
        for view, picture in zip(views, pictures, strict=True):
            buffer = BytesIO()
            picture.save(buffer, "JPEG", quality=JPEG_QUALITY)
            yield view, buffer.getvalue()


def format_preflight_report(report: PreflightReport, lang: str) -> str:
    """Format a report as HTML in a language."""
    findings_by_page: dict[PageKey, list[Finding]] = {}
    for view, _picture in report.pages:
        findings_by_page[view.file, view.number] = []
    findings_without_page: list[Finding] = []
    for finding in report.findings:
        target = findings_by_page.get(_get_page_key(finding), findings_without_page)
        target.append(finding.translate(lang))
    page_values = []
    for view, picture in report.pages:
        page_findings = findings_by_page[view.file, view.number]
        values = {
            "view": view,
            "picture": b64encode(picture).decode(),
            "findings": page_findings,
            "marks": list(_place_finding_numbers(view.shows, page_findings)),
        }
        page_values.append(values)
    file_rows = []
    for file in report.files:
        findings = [
            finding for finding in report.findings if finding.location.file == file.name
        ]
        file_rows.append((file, format_summary(findings, lang)))
    return page(
        "preflight.html",
        lang,
        title=report.title,
        shop=report.shop,
        summary=format_summary(report.findings, lang),
        files=file_rows,
        loose=findings_without_page,
        pages=page_values,
        more=report.hidden_page_count,
    )


def _place_finding_numbers(
    shows: Box, findings: Sequence[Finding]
) -> Iterator[dict[str, object]]:
    """Yield the box of each finding and the position of its number on the page, in mm.

    The number is moved inwards where it would lie outside the page.
    """
    for number, finding in enumerate(findings, start=1):
        box = finding.location.box
        if box is not None:
            # The margins leave room for the digits, which are 3 mm high.
            x = min(max(box.x, shows.x + 0.5), shows.right - 4)
            y = min(max(box.y, shows.y + 3), shows.bottom - 1)
            yield {
                "number": number,
                "kind": finding.severity.value,
                "box": box,
                "x": x,
                "y": y,
            }
