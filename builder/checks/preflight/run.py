"""All checks of a finished PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from builder.checks.preflight import (
    bleed,
    boxes,
    colours,
    contents,
    fonts,
    images,
    ink,
    intent,
    lettering,
    lines,
    marks,
    order,
    safe,
    sizes,
    standard,
    transparency,
)
from builder.checks.preflight.job import Job
from builder.findings import Finding, in_order
from builder.model.pdf import Inks, Page, Pdf
from builder.model.shop import Preset

Check: TypeAlias = Callable[[Job], Iterator[Finding]]

ALONE: tuple[Check, ...] = (
    bleed.check,
    lettering.check,
    colours.check,
    transparency.check,
    images.check,
    lines.check,
    safe.check,
    marks.check,
)
"""Those that judge each page by itself."""

TOGETHER: tuple[Check, ...] = (
    contents.check,
    boxes.check,
    sizes.check,
    order.check,
    fonts.check,
    ink.check,
    intent.check,
    standard.check,
)
"""Those that judge a file as a whole. All they ask of a page is told by its `brief`."""


def judge(
    portions: Iterable[Pdf], preset: Preset, inks: Callable[[], Inks | None] = lambda: None
) -> tuple[tuple[Finding, ...], Job]:
    """Everything that stands against printing a file at a shop, and the file with its pages in brief.

    The file comes in portions, each with some of its pages; `inks` is asked when all were judged.
    """
    found: list[Finding] = []
    pages: list[Page] = []
    for part in portions:
        pdf, job = part, Job(part, preset)
        found += [finding for check in ALONE for finding in check(job)]
        pages += [page.brief for page in part.pages]
    whole = Job(replace(pdf, pages=tuple(pages)), preset, inks())
    found += [finding for check in TOGETHER for finding in check(whole)]
    return in_order(found), whole
