"""Checks the claimed PDF standard, the PDF version, the output intent and the amount of ink."""

from collections.abc import Iterator

from builder.checks.preflight.job import Place, PreflightJob, report_places
from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _
from builder.model.codes import define
from builder.model.pdf import LIGHT_FAMILIES, InkSpot, Page, Paint, Pdf, list_paints

INTENT = define(
    "preflight/output-intent",
    _("The output intent is missing or does not match the shop"),
    _(
        "PDF/X needs an output intent, because the same ink values look different on other "
        "presses and papers."
    ),
    _(
        "Convert the file with the profile that the shop names, and export it with this "
        "profile as the output intent."
    ),
)
CLAIM = define(
    "preflight/standard",
    _("The file does not have the standard that the shop requires"),
    _(
        "Shops that require PDF/X look for its label first and refuse a file without it."
    ),
    _("Export the file in the required standard."),
)
BROKEN = define(
    "preflight/standard-broken",
    _("The file violates the standard that it declares"),
    _(
        "A shop that trusts the label prints the file wrongly. A shop that checks it refuses "
        "the file."
    ),
    _("Export again with a program that follows the standard, or remove the label."),
)
VERSION = define(
    "preflight/version",
    _("The PDF version may be too new for the shop's software"),
    _(
        "Much printing software does not know PDF 2.0. PDF/X-1a allows versions up to 1.4 "
        "and PDF/X-4 up to 1.6."
    ),
    _("Export as PDF 1.6 or older."),
    Severity.WARNING,
)
INK = define(
    "preflight/ink",
    _("Too much ink in one place"),
    _("Ink above the limit does not dry: it smears, and cards stick together."),
    _(
        "Convert the art with the shop's profile, which keeps to the limit. Use the shop's "
        "rich black for large black areas."
    ),
)
UNMEASURED = define(
    "preflight/ink-unmeasured",
    _("Total ink was not measured"),
    _("Ghostscript measures the ink. Without it, too much ink is not reported."),
    _("Install Ghostscript (the program gs) and Pillow, and run preflight again."),
    Severity.WARNING,
)

MAX_VERSION = "1.7"
"""The PDF version that shops can read without a standard."""
NEWEST = {"PDF/X-1": "1.4", "PDF/X-3": "1.4", "PDF/X-4": "1.6"}
"""The PDF versions that standards go up to."""


def check(job: PreflightJob) -> Iterator[Finding]:
    """Check the output intents, the declared PDF standard, and the amount of ink."""
    yield from _check_intents(job)
    yield from _check_standard(job)
    yield from _check_ink(job)


def _check_intents(job: PreflightJob) -> Iterator[Finding]:
    colour = job.preset.colour
    intents = [intent for intent in job.pdf.intents if intent.subtype == "GTS_PDFX"]
    if colour.standard and not intents:
        form = _("no PDF/X output intent; the shop requires {standard}")
        yield INTENT.finding(_(form, standard=colour.standard.upper()))
    for intent in intents:
        name = intent.condition or intent.profile or _("without a name")
        # 0 components: the profile is not in the file
        if colour.space == "cmyk" and intent.components not in (0, 4):
            form = _("the output intent {name} has {many} colours instead of 4 inks")
            message = _(form, name=name, many=intent.components)
            yield INTENT.finding(message, severity=Severity.WARNING)
        elif colour.condition:
            # programs name the condition in either field
            declared_names = _simplify_name(intent.condition + intent.profile)
            if _simplify_name(colour.condition) not in declared_names:
                form = _("the output intent is {name}; the shop prints with {asked}")
                message = _(form, name=name, asked=colour.condition)
                yield INTENT.finding(message, severity=Severity.WARNING)


def _simplify_name(name: str) -> str:
    """Return the letters and digits of a name, because programs write spaces differently."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _check_standard(job: PreflightJob) -> Iterator[Finding]:
    pdf, expected_standard = job.pdf, job.preset.colour.standard
    if expected_standard and not pdf.standard.casefold().startswith(expected_standard):
        form = _("the file declares no standard; the shop requires {wanted}")
        if pdf.standard:
            form = _("the file declares {claim}; the shop requires {wanted}")
        yield CLAIM.finding(
            _(form, claim=pdf.standard, wanted=expected_standard.upper())
        )
    if pdf.standard.startswith("PDF/X"):
        for reason in _find_broken_rules(pdf):
            form = _("the file declares {standard}, but {reason}")
            yield BROKEN.finding(_(form, standard=pdf.standard, reason=reason))
    newest = MAX_VERSION
    for name, version in NEWEST.items():
        # the file names the year too: PDF/X-1a:2003
        if pdf.standard.startswith(name):
            newest = version
    if _parse_version(pdf.version) > _parse_version(newest):
        form = _("PDF {version}; shops can read at most {newest}")
        if pdf.standard:
            form = _("PDF {version}; {standard} allows at most {newest}")
        message = _(form, version=pdf.version, standard=pdf.standard, newest=newest)
        yield VERSION.finding(message)


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _find_broken_rules(pdf: Pdf) -> Iterator[Message]:
    """Yield the rules of the declared PDF standard that the file breaks.

    The standards are ISO 15930-1, -3, -4, -6 and -7. Before PDF/X-4 transparency is forbidden, and
    PDF/X-1a allows only inks.
    """
    yield from _check_output_intents(pdf)
    yield from _check_document(pdf)
    yield from _check_pages(pdf)
    yield from _check_features(pdf)
    if _forbids_transparency(pdf):
        yield from _check_flatness(pdf)
    yield from _check_paints(pdf)
    if _forbids_transparency(pdf) and pdf.layers:
        yield _("it has layers")
    if _forbids_transparency(pdf) and pdf.packed:
        yield _("it uses object streams")


def _forbids_transparency(pdf: Pdf) -> bool:
    """Return True if the file declares a standard without transparency."""
    return pdf.standard.startswith(("PDF/X-1", "PDF/X-3"))


def _check_output_intents(pdf: Pdf) -> Iterator[Message]:
    intents = [intent for intent in pdf.intents if intent.subtype == "GTS_PDFX"]
    if not intents:
        yield _("it has no output intent")
    if len(intents) > 1:
        yield _("it has more than one output intent")
    # PDF/X-4p refers to a profile outside of the file.
    if pdf.standard.startswith("PDF/X-4") and pdf.standard.endswith("p"):
        return
    for intent in intents:
        is_named = _forbids_transparency(pdf) and intent.registered
        if not intent.components and not is_named:
            yield _("its output intent has no profile")
            return


def _check_document(pdf: Pdf) -> Iterator[Message]:
    if any(not font.embedded for font in pdf.fonts):
        yield _("a font is not embedded")
    if pdf.trapped not in ("True", "False"):
        yield _("it does not say if it is trapped")
    if not pdf.title:
        yield _("it has no title")
    if not pdf.dated:
        yield _("its creation or modification date is missing")
    if len(pdf.ids) != 2:
        yield _("it has no file identifier")
    if pdf.encrypted:
        yield _("it is encrypted")


def _check_pages(pdf: Pdf) -> Iterator[Message]:
    declared_boxes = [page.declared_boxes & {"TrimBox", "ArtBox"} for page in pdf.pages]
    if not all(declared_boxes):
        yield _("a page has neither TrimBox nor ArtBox")
    if any(len(boxes) == 2 for boxes in declared_boxes):
        yield _("a page has both a TrimBox and an ArtBox")
    if pdf.javascript or "script" in _collect_features(pdf):
        yield _("it contains a script")
    if any(page.notes for page in pdf.pages):
        yield _("a page has an annotation on it")


FORBIDDEN_FEATURES = {
    "transfer": _("it has transfer functions or changes the halftone"),
    "opi": _("it refers to pictures in other files (OPI)"),
    "postscript": _("it contains PostScript"),
    "lzw": _("it uses LZW compression"),
    "alternate": _("it has an alternate picture for print"),
}
"""Messages about features of pages that every standard forbids."""


def _check_features(pdf: Pdf) -> Iterator[Message]:
    features = _collect_features(pdf)
    for feature, message in FORBIDDEN_FEATURES.items():
        if feature in features:
            yield message


def _collect_features(pdf: Pdf) -> frozenset[str]:
    features: set[str] = set()
    for page in pdf.pages:
        features |= page.features
    return frozenset(features)


def _check_flatness(pdf: Pdf) -> Iterator[Message]:
    """Report transparency in a file whose standard forbids it."""
    for page in pdf.pages:
        if any(item.look.transparent for item in page.items):
            yield _("something is transparent")
            break
    if any(page.group or page.groups for page in pdf.pages):
        yield _("it has transparency groups")
    if "jpx" in _collect_features(pdf):
        yield _("a picture uses JPEG 2000 compression")


def _check_paints(pdf: Pdf) -> Iterator[Message]:
    paints: list[Paint] = []
    for page in pdf.pages:
        for item in page.items:
            paints += list_paints(item)
    rgb_paints = [paint for paint in paints if paint.family in LIGHT_FAMILIES]
    if pdf.standard.startswith("PDF/X-1"):
        if rgb_paints:
            yield _("it contains RGB colours")
        if any(paint.calibrated for paint in paints):
            yield _("it contains colours with their own profile")
    elif any(not paint.calibrated for paint in rgb_paints):
        yield _("it contains RGB colours without a profile")


def _check_ink(job: PreflightJob) -> Iterator[Finding]:
    limit = job.preset.colour.ink_limit
    if limit is None or job.inks is None:
        return
    if job.inks.missing:
        yield UNMEASURED.finding(
            _("total ink was not measured: {reason}", reason=job.inks.missing),
            Location(),
        )
    worst = sorted(job.inks.spots, key=lambda spot: -spot.percent)
    for page in job.pdf.pages:
        spots = [spot for spot in worst if spot.page == page.number]
        yield from report_places(INK, page, _describe_spots(spots, limit, page))


def _describe_spots(spots: list[InkSpot], limit: float, page: Page) -> Iterator[Place]:
    """Yield the places with too much ink. The message says if the amount is an estimate."""
    families: set[str] = set()
    for item in page.items:
        families.update(paint.family for paint in list_paints(item))
    has_rgb = "RGB" in families
    how = _(" (RGB colours were converted for this check)") if has_rgb else ""
    for spot in spots:
        form = _("total ink {percent:.0f} %{how}; the shop's limit is {limit:g} %")
        yield _(form, percent=spot.percent, how=how, limit=limit), spot.box
