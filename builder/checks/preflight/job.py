"""What the checks of a finished PDF judge, and how they word and place what they find. Pure."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.checks.registry import run
from builder.findings import Box, Finding, Location, Severity, sort_findings
from builder.messages import Message, gettext as _
from builder.model.codes import Code
from builder.model.pdf import Inks, Item, Page, Pdf, grow, meet, paints
from builder.model.shop import Preset

TOLERANCE = 0.1
"""Mm: what rounding in files may make of a length."""
SHOWN = 3
"""Findings of one sort on one page; the last says how many more there are."""
BLANK = {("Gray", (1.0,)), ("RGB", (1.0, 1.0, 1.0)), ("CMYK", (0.0, 0.0, 0.0, 0.0))}
Place: TypeAlias = tuple[Message, Box]
"""A message and what it is about."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file for a shop. `inks` is None where the shop sets no limit."""

    pdf: Pdf
    preset: Preset
    inks: Inks | None = None

    def trim(self, page: Page) -> Box:
        """Where the page is cut: as it states, else the page less the shop's bleed if that is a size of the shop."""
        if "TrimBox" in page.stated:
            return page.trim
        if "ArtBox" in page.stated:
            return page.art
        inner = grow(page.crop, -self.preset.bleed)
        sizes = [(size.width, size.height) for size in self.preset.sizes.values()]
        return (
            inner if any(near(inner, size, self.preset.tolerance) for size in sizes) else page.crop
        )

    def bleed_area(self, page: Page) -> Box:
        """What the shop prints of a page: the cut and the shop's bleed; what lies outside is the printer's."""
        area = grow(self.trim(page), self.preset.bleed)
        return meet(area, page.bleed if "BleedBox" in page.stated else page.media) or area


class Portion(Job):
    """Some pages of a file, each judged by itself; `Job` is the file as a whole, its pages in brief."""


@dataclass(frozen=True, slots=True)
class FrontsAndBacks:
    """Fronts in one file and their backs in another."""

    fronts: Job
    backs: Job


def judge(
    portions: Iterable[Pdf], preset: Preset, inks: Callable[[Job], Inks | None] = lambda _job: None
) -> tuple[tuple[Finding, ...], Job]:
    """Return all errors and warnings of a file for a shop, and the file with its pages in brief.

    The file comes in portions, each with some of its pages. `inks` measures the ink after the last portion. Checks of
    the whole file read only the `brief` of each page.
    """
    found: list[Finding] = []
    pages: list[Page] = []
    for part in portions:
        pdf = part
        found += run("preflight", Portion(part, preset))
        pages += [page.brief for page in part.pages]
    whole = Job(replace(pdf, pages=tuple(pages)), preset)
    whole = replace(whole, inks=inks(whole))
    return sort_findings((*found, *run("preflight", whole))), whole


def near(box: Box, size: tuple[float, float], tolerance: float = TOLERANCE) -> bool:
    """True if a box has this size, upright or lying."""
    sides = (size, size[::-1])
    return any(
        max(abs(box.width - wide), abs(box.height - high)) <= tolerance for wide, high in sides
    )


def within(inner: Box, outer: Box, slack: float = TOLERANCE) -> bool:
    """True if one box lies in another, but for so many mm."""
    return min(inner.measure_margins(outer)) >= -slack


def margins(inner: Box, outer: Box) -> dict[str, float]:
    """How much is left of a box around another on each side, in mm; negative where the inner one sticks out."""
    return dict(zip(("left", "top", "right", "bottom"), inner.measure_margins(outer), strict=True))


def apart(one: Box, other: Box) -> bool:
    """True if two boxes have nothing in common."""
    return (
        one.x >= other.right
        or other.x >= one.right
        or one.y >= other.bottom
        or other.y >= one.bottom
    )


def on(page: Page, box: Box | None = None) -> Location:
    """A place on a page."""
    return Location(page=page.number, box=box)


def each(
    code: Code, page: Page, places: Iterable[Place], severity: Severity | None = None
) -> Iterator[Finding]:
    """A finding for each of the first places, worst first as they are given; the last counts the others."""
    found: Sequence[Place] = list(dict.fromkeys(places))
    for number, (message, box) in enumerate(found[:SHOWN], start=1):
        more = len(found) - SHOWN
        if number == SHOWN and more > 0:
            message = _("{what} (and {many} more on this page)", what=message, many=more)
        yield code.finding(message, on(page, box), severity=severity)


def size(box: Box) -> Message:
    """A box's size in words."""
    return _("{width:.4g} × {height:.4g} mm", width=box.width, height=box.height)


def blank(item: Item) -> bool:
    """True for white: paper cannot be missed."""
    return all(
        (paint.family, tuple(round(value, 3) for value in paint.values)) in BLANK
        for paint in paints(item)
    )


def symbols(text: str) -> bool:
    """True if a text is nothing but signs of its font's own, such as icons."""
    return all(unicodedata.category(sign) == "Co" for sign in text if not sign.isspace())


def quoted(text: str) -> str:
    """A text short enough for a message; signs of a font's own are not shown."""
    if symbols(text):
        return _("a symbol")
    short = "".join(sign for sign in " ".join(text.split()) if unicodedata.category(sign) != "Co")
    return f"'{short if len(short) <= 30 else short[:29] + '…'}'"
