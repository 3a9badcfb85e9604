"""The PDF version and the standard a file claims: the one asked for, and kept."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job
from builder.findings import Finding, Severity
from builder.model.codes import define
from builder.model.pdf import LIGHT, Pdf, paints
from builder.tongue.told import Told

CLAIM = define(
    "preflight/standard",
    "The file is not of the standard the shop asks for",
    "Shops that ask for PDF/X look for the claim first and refuse a file without it.",
    "Export as the standard asked for.",
)
BROKEN = define(
    "preflight/standard-broken",
    "The file claims a standard that it does not keep",
    "A shop that trusts the claim prints it wrongly; one that checks refuses it.",
    "Export again with a program that keeps the standard, or drop the claim.",
)
VERSION = define(
    "preflight/version",
    "The PDF version is newer than the shop's programs may read",
    "PDF 2.0 is unknown to much printing software; PDF/X-1a ends at 1.4 and PDF/X-4 at 1.6.",
    "Export as PDF 1.6 or older.",
    Severity.WARNING,
)
NEWEST = {"PDF/X-1": "1.4", "PDF/X-3": "1.4", "PDF/X-4": "1.6"}


def check(job: Job) -> Iterator[Finding]:
    """The file's claim and what contradicts it."""
    pdf, wanted = job.pdf, job.preset.colour.standard
    if wanted and not _same(pdf.standard, wanted):
        claim = "the file claims {claim}; the shop wants {wanted}"
        nothing = "the file claims no standard; the shop wants {wanted}"
        yield CLAIM.finding(Told(claim if pdf.standard else nothing, claim=pdf.standard, wanted=wanted.upper()))
    if pdf.standard.startswith("PDF/X"):
        for reason in _broken(pdf):
            yield BROKEN.finding(Told("claims {standard}, but {reason}", standard=pdf.standard, reason=reason))
    newest = next((version for name, version in NEWEST.items() if pdf.standard.startswith(name)), "1.7")
    if _number(pdf.version) > _number(newest):
        form = (
            "PDF {version}; {standard} goes up to {newest}"
            if pdf.standard
            else "PDF {version}; shops read up to {newest}"
        )
        yield VERSION.finding(Told(form, version=pdf.version, standard=pdf.standard, newest=newest))


def _same(claim: str, wanted: str) -> bool:
    return claim.casefold().startswith(wanted)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _broken(pdf: Pdf) -> Iterator[Told]:
    """What the standard forbids or demands, as far as facts tell."""
    if not any(intent.subtype == "GTS_PDFX" for intent in pdf.intents):
        yield Told("it has no output intent")
    if any(not font.embedded for font in pdf.fonts):
        yield Told("a font is not embedded")
    if pdf.trapped not in ("True", "False"):
        yield Told("it does not say whether it is trapped")
    if len(pdf.ids) != 2:
        yield Told("it has no file identifier")
    if pdf.encrypted:
        yield Told("it is encrypted")
    if not all(page.stated & {"TrimBox", "ArtBox"} for page in pdf.pages):
        yield Told("a page has neither TrimBox nor ArtBox")
    if pdf.standard.startswith("PDF/X-1"):
        yield from _flat(pdf)


def _flat(pdf: Pdf) -> Iterator[Told]:
    """What PDF/X-1a forbids besides."""
    items = [item for page in pdf.pages for item in page.items]
    if any(item.look.transparent for item in items):
        yield Told("something is transparent")
    if any(paint.family in LIGHT for item in items for paint in paints(item)):
        yield Told("it holds RGB colours")
    if pdf.layers:
        yield Told("it has layers")
