"""The standard a file claims, its PDF version and its output intent: those asked for, and kept."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job
from builder.findings import Finding, Severity
from builder.messages import Message
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.pdf import LIGHT, Pdf, paints

INTENT = define(
    "preflight/no-output-intent",
    _("The file does not say what printing it is made for"),
    _("PDF/X needs an output intent; without one the same numbers of ink may mean any colour."),
    _("Export with the shop's profile as the output intent."),
)
WRONG = define(
    "preflight/wrong-output-intent",
    _("The output intent is not for this shop's printing"),
    _("Colours were mixed for another press or paper and will come out different."),
    _("Convert with the profile the shop names and export with it as the output intent."),
    Severity.WARNING,
)
CLAIM = define(
    "preflight/standard",
    _("The file is not of the standard the shop asks for"),
    _("Shops that ask for PDF/X look for the claim first and refuse a file without it."),
    _("Export as the standard asked for."),
)
BROKEN = define(
    "preflight/standard-broken",
    _("The file claims a standard that it does not keep"),
    _("A shop that trusts the claim prints it wrongly; one that checks refuses it."),
    _("Export again with a program that keeps the standard, or drop the claim."),
)
VERSION = define(
    "preflight/version",
    _("The PDF version is newer than the shop's programs may read"),
    _("PDF 2.0 is unknown to much printing software; PDF/X-1a ends at 1.4 and PDF/X-4 at 1.6."),
    _("Export as PDF 1.6 or older."),
    Severity.WARNING,
)


def check(job: Job) -> Iterator[Finding]:
    """The intents of the file, then its claim and what contradicts it."""
    yield from _check_intent(job)
    yield from _check_standard(job)


def _check_intent(job: Job) -> Iterator[Finding]:
    """The intents of the file against what the shop and the standard ask for."""
    colour = job.preset.colour
    intents = [intent for intent in job.pdf.intents if intent.subtype == "GTS_PDFX"]
    if colour.standard and not intents:
        yield INTENT.finding(_("no PDF/X output intent; the shop wants {standard}", standard=colour.standard.upper()))
    for intent in intents:
        name = intent.condition or intent.profile or _("without a name")
        if colour.space == "cmyk" and intent.components not in (0, 4):
            form = _("output intent {name} is of {many} colours, not four inks")
            yield WRONG.finding(_(form, name=name, many=intent.components))
        elif colour.condition and _plain(colour.condition) not in _plain(intent.condition + intent.profile):
            yield WRONG.finding(_("output intent {name}; the shop prints {asked}", name=name, asked=colour.condition))


def _plain(name: str) -> str:
    """Letters and digits alone: conditions are written with all sorts of spaces."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


NEWEST = {"PDF/X-1": "1.4", "PDF/X-3": "1.4", "PDF/X-4": "1.6"}


def _check_standard(job: Job) -> Iterator[Finding]:
    """The file's claim and what contradicts it."""
    pdf, wanted = job.pdf, job.preset.colour.standard
    if wanted and not _same(pdf.standard, wanted):
        claim = _("the file claims {claim}; the shop wants {wanted}")
        nothing = _("the file claims no standard; the shop wants {wanted}")
        yield CLAIM.finding(_(claim if pdf.standard else nothing, claim=pdf.standard, wanted=wanted.upper()))
    if pdf.standard.startswith("PDF/X"):
        for reason in _broken(pdf):
            yield BROKEN.finding(_("claims {standard}, but {reason}", standard=pdf.standard, reason=reason))
    newest = next((version for name, version in NEWEST.items() if pdf.standard.startswith(name)), "1.7")
    if _number(pdf.version) > _number(newest):
        form = (
            _("PDF {version}; {standard} goes up to {newest}")
            if pdf.standard
            else _("PDF {version}; shops read up to {newest}")
        )
        yield VERSION.finding(_(form, version=pdf.version, standard=pdf.standard, newest=newest))


def _same(claim: str, wanted: str) -> bool:
    return claim.casefold().startswith(wanted)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _broken(pdf: Pdf) -> Iterator[Message]:
    """What the standard forbids or demands, as far as facts tell."""
    if not any(intent.subtype == "GTS_PDFX" for intent in pdf.intents):
        yield _("it has no output intent")
    if any(not font.embedded for font in pdf.fonts):
        yield _("a font is not embedded")
    if pdf.trapped not in ("True", "False"):
        yield _("it does not say whether it is trapped")
    if len(pdf.ids) != 2:
        yield _("it has no file identifier")
    if pdf.encrypted:
        yield _("it is encrypted")
    if not all(page.stated & {"TrimBox", "ArtBox"} for page in pdf.pages):
        yield _("a page has neither TrimBox nor ArtBox")
    if pdf.standard.startswith("PDF/X-1"):
        yield from _flat(pdf)


def _flat(pdf: Pdf) -> Iterator[Message]:
    """What PDF/X-1a forbids besides."""
    items = [item for page in pdf.pages for item in page.items]
    if any(item.look.transparent for item in items):
        yield _("something is transparent")
    if any(paint.family in LIGHT for item in items for paint in paints(item)):
        yield _("it holds RGB colours")
    if pdf.layers:
        yield _("it has layers")
