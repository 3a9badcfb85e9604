"""The values that the checks of a PDF receive, and functions to word and locate findings. Pure."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.checks.registry import run_checks
from builder.findings import Box, Finding, Location, Severity, sort_findings
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.model.pdf import (
    InkLimitViolations,
    Item,
    Page,
    Pdf,
    grow_box,
    intersect_boxes,
    list_paints,
)
from builder.model.shop import Preset

TOLERANCE_MM = 0.1
"""Mm: what rounding in files may make of a length."""
MAX_FINDINGS_PER_PAGE = 3
"""Maximum number of findings of one type on one page. The last one counts the others."""
MAX_QUOTED_CHARACTERS = 30
"""Characters of a text of the file in a message."""
WHITE_PAINTS = {
    ("Gray", (1.0,)),
    ("RGB", (1.0, 1.0, 1.0)),
    ("CMYK", (0.0, 0.0, 0.0, 0.0)),
}
Place: TypeAlias = tuple[Message, Box]
"""A message and what it is about."""


@dataclass(frozen=True, slots=True)
class PreflightJob:
    """A PDF file with the requirements of the shop. `inks` is None if the shop has no limit."""

    pdf: Pdf
    preset: Preset
    inks: InkLimitViolations | None = None

    def find_trim(self, page: Page) -> Box:
        """Return the box of the cut card: as declared, else the page without the shop's bleed."""
        if "TrimBox" in page.declared_boxes:
            return page.trim
        if "ArtBox" in page.declared_boxes:
            return page.art
        # a page without these boxes has bleed only if the rest has a size of the shop
        inner = grow_box(page.crop, -self.preset.bleed)
        for size in self.preset.sizes.values():
            if has_size(inner, (size.width, size.height), self.preset.tolerance):
                return inner
        return page.crop

    def find_bleed_area(self, page: Page) -> Box:
        """Return the box that the shop prints: the card and the shop's bleed."""
        area = grow_box(self.find_trim(page), self.preset.bleed)
        outer_box = page.bleed if "BleedBox" in page.declared_boxes else page.media
        return intersect_boxes(area, outer_box) or area


class PageBatch(PreflightJob):
    """Some pages of a file, which are checked one by one.

    In a plain `PreflightJob`, the pages are brief but complete in number.
    """


@dataclass(frozen=True, slots=True)
class FrontsAndBacks:
    """Two PDF files: one with all fronts, the other with their backs."""

    fronts: PreflightJob
    backs: PreflightJob


def check_page_batches(
    page_batches: Iterable[Pdf],
    preset: Preset,
    inks: Callable[[PreflightJob], InkLimitViolations | None] = lambda _job: None,
) -> tuple[tuple[Finding, ...], PreflightJob]:
    """Check a PDF file for a shop. Return all findings, and the file with a summary of each page.

    The file comes in batches, each with some of its pages. `inks` measures the ink after the last
    batch. Checks of the whole file read only the `brief` of each page.
    """
    findings: list[Finding] = []
    pages = []
    for part in page_batches:
        pdf = part
        findings += run_checks("preflight", PageBatch(part, preset))
        # Whole pages of a long file would fill the memory.
        pages += [page.brief for page in part.pages]
    job = PreflightJob(replace(pdf, pages=tuple(pages)), preset)
    job = replace(job, inks=inks(job))
    return sort_findings((*findings, *run_checks("preflight", job))), job


def has_size(
    box: Box, size: tuple[float, float], tolerance: float = TOLERANCE_MM
) -> bool:
    """Return True if a box has this size in mm, upright or turned."""
    for width, height in (size, size[::-1]):
        deviation = max(abs(box.width - width), abs(box.height - height))
        if deviation <= tolerance:
            return True
    return False


def is_inside(inner: Box, outer: Box, tolerance: float = TOLERANCE_MM) -> bool:
    """Return True if a box lies inside another one, within a tolerance in mm."""
    return min(inner.measure_margins(outer)) >= -tolerance


def measure_margins_by_side(inner: Box, outer: Box) -> dict[str, float]:
    """Return the distances in mm between a box and one around it, by side.

    A distance is negative where the inner box extends outside.
    """
    sides = ("left", "top", "right", "bottom")
    return dict(zip(sides, inner.measure_margins(outer), strict=True))


def are_apart(first: Box, second: Box) -> bool:
    """Return True if two boxes do not overlap."""
    return (
        first.x >= second.right
        or second.x >= first.right
        or first.y >= second.bottom
        or second.y >= first.bottom
    )


def locate_on_page(page: Page, box: Box | None = None) -> Location:
    """Return the location of a box on a page, or of the whole page."""
    return Location(page=page.number, box=box)


def report_places(
    code: Code, page: Page, places: Iterable[Place], severity: Severity | None = None
) -> Iterator[Finding]:
    """Yield findings for at most 3 places of a page. The last one counts the others."""
    # equal drawings in one place would be reported twice
    unique_places: Sequence[Place] = list(dict.fromkeys(places))
    for number, (message, box) in enumerate(
        unique_places[:MAX_FINDINGS_PER_PAGE], start=1
    ):
        more = len(unique_places) - MAX_FINDINGS_PER_PAGE
        if number == MAX_FINDINGS_PER_PAGE and more > 0:
            message = _(
                "{what} (and {many} more on this page)", what=message, many=more
            )
        yield code.finding(message, locate_on_page(page, box), severity=severity)


def describe_size(box: Box) -> Message:
    """Return the size of a box as text, such as "63 × 88 mm"."""
    return _("{width:.4g} × {height:.4g} mm", width=box.width, height=box.height)


def is_white(item: Item) -> bool:
    """Return True if all colors of an object are white, which is printed without ink."""
    for paint in list_paints(item):
        # rounding in a file may make white 0.9999
        values = tuple(round(value, 3) for value in paint.values)
        if (paint.family, values) not in WHITE_PAINTS:
            return False
    return True


def has_only_symbols(text: str) -> bool:
    """Return True if a text consists of a font's private characters, such as icons."""
    # Unicode's category Co: characters for private use
    return all(
        unicodedata.category(sign) == "Co" for sign in text if not sign.isspace()
    )


def quote_text(text: str) -> str:
    """Return a text shortened and quoted for a message, or "a symbol" for icons."""
    if has_only_symbols(text):
        return _("a symbol")
    words = " ".join(text.split())
    readable = "".join(sign for sign in words if unicodedata.category(sign) != "Co")
    if len(readable) > MAX_QUOTED_CHARACTERS:
        readable = readable[: MAX_QUOTED_CHARACTERS - 1] + "…"
    return f"'{readable}'"
