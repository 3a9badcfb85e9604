"""The output intent: what printing condition the colours are meant for."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.preflight.job import Job
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define

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


def check(job: Job) -> Iterator[Finding]:
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
