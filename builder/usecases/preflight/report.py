"""Draw what preflight found: pages and images with the places marked, in one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO

from builder.findings import Finding, Severity, in_order
from builder.model.shop import Preset
from builder.report.preflight import Drawn, Listed, View, preflight_html
from builder.units import MM_PER_INCH
from builder.usecases.preflight.file import Judged

DPI = 110
MOST = 60
"""Pages drawn in one report: more make a file that browsers open slowly."""

SAMPLE = 6
"""Pages drawn where there are no findings."""


def all_findings(judged: Sequence[Judged], besides: Sequence[Finding] = ()) -> tuple[Finding, ...]:
    """What was found in all files, in order."""
    return in_order([*besides, *(finding for one in judged for finding in one.findings)])


def preflight_report(
    title: str, preset: Preset, judged: Sequence[Judged], findings: Sequence[Finding], lang: str
) -> str:
    """An HTML page in a language with the pages and images that have findings, those with errors first of all.

    ToolMissing where nothing can draw pages.
    """
    views = [view for one in judged for view in one.views]
    worst: dict[tuple[str | None, int], int] = {}
    for finding in findings:
        place = (finding.location.file, finding.location.page or 0)
        worst[place] = min(worst.get(place, 9), list(Severity).index(finding.severity))
    marked = [view for view in views if (view.file, view.number) in worst]
    chosen = sorted(marked, key=lambda view: worst[view.file, view.number])[:MOST] or views[:SAMPLE]
    drawn = tuple(page for one in judged for page in _drawn(one, [view for view in one.views if view in chosen]))
    listed = tuple(Listed(one.name, len(one.views), one.pixels) for one in judged)
    shop = preset.name.get(lang) or preset.name.get("en", preset.id)
    return preflight_html(title, shop, findings, drawn, max(0, len(marked) - MOST), listed, lang=lang)


def _drawn(one: Judged, views: Sequence[View]) -> Iterator[Drawn]:
    """These pages of a file as pictures."""
    from builder.pdfinfo.pictures import pictures, thumbnail

    if one.pixels is not None:
        for view in views:
            yield Drawn(view, thumbnail(one.path, round(view.shows.width / MM_PER_INCH * DPI)))
    elif views:
        drawn = pictures(one.path, DPI, [view.number for view in views])
        for view, picture in zip(views, drawn, strict=True):
            out = BytesIO()
            picture.save(out, "JPEG", quality=82)
            yield Drawn(view, out.getvalue())
