"""Fronts in one file and backs in another: as many of both, each pair of one size."""

from collections.abc import Iterator

from builder.checks.preflight.job import FrontsAndBacks, near, on, size
from builder.checks.preflight.order import PAIR
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _, ngettext
from builder.model.codes import define

COUNT = define(
    "preflight/back-count",
    _("There are not as many backs as fronts"),
    _(
        "The shop puts the first back behind the first front and so on; one too few or too many shifts every "
        "later card."
    ),
    _("Give each front its back, a blank page where it has none; or one back for all."),
)
ONE = define(
    "preflight/one-back",
    _("One back for all fronts"),
    _("A file with a single back is printed behind every card."),
    _("Nothing needs doing if all cards have this back; tell the shop so."),
    Severity.NOTE,
)
SAME = define(
    "preflight/fronts-for-backs",
    _("The backs are the very pages of the fronts"),
    _("Probably the same file was named twice: every card would show its front on both sides."),
    _("Name the file with the backs."),
    Severity.WARNING,
)


def check(files: FrontsAndBacks) -> Iterator[Finding]:
    """What stands against a pair of files; places are pages of the backs."""
    fronts, backs = files.fronts, files.backs
    ahead, behind = fronts.pdf.pages, backs.pdf.pages
    if not ahead or not behind:
        return
    if len(behind) == 1 and len(ahead) > 1:
        yield ONE.finding(_("one back for {many} fronts", many=len(ahead)), on(behind[0]))
    elif len(ahead) != len(behind):
        page = min(len(ahead), len(behind))
        message = ngettext(
            "{count} front, but {backs} backs", "{count} fronts, but {backs} backs", len(ahead), backs=len(behind)
        )
        yield COUNT.finding(message, Location(page=page))
    elif len(ahead) > 1 and all(
        one.items and one.drawn == other.drawn for one, other in zip(ahead, behind, strict=True)
    ):
        yield SAME.finding(_("every back is drawn like its front"), on(behind[0]))
    for number, front in enumerate(ahead):
        back = behind[0] if len(behind) == 1 else behind[number] if number < len(behind) else None
        if back is None:
            break
        one, other = fronts.trim(front), backs.trim(back)
        if not near(other, (one.width, one.height)):
            form = _("{size}, but its front, page {page}, is {other}")
            message = _(form, size=size(other), page=front.number, other=size(one))
            yield PAIR.finding(message, on(back, other))
        elif (one.width > one.height) != (other.width > other.height) and abs(one.width - one.height) > 1:
            message = _("lies, but its front, page {page}, stands (or the other way)", page=front.number)
            yield PAIR.finding(message, on(back, other))
