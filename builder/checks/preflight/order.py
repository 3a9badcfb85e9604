"""Page order as far as files tell: whole pairs, backs where the shop looks for them, no more cards than it takes."""

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import FrontsAndBacks, Job, near, on, size
from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _, ngettext
from builder.model.codes import define
from builder.model.pdf import Page
from builder.model.words import get_term

ODD = define(
    "preflight/odd-pages",
    _("A card lacks its front or its back"),
    _(
        "The shop pairs pages in their order; one too few or too many puts every later back behind another card."
    ),
    _(
        "Give each card a front and a back, a blank page where it has none; or one back for all in a file of its own."
    ),
)
PAIR = define(
    "preflight/pair-sizes",
    _("Front and back differ in size"),
    _("The two sides of one card are cut together; the smaller one would be cut off or shifted."),
    _("Make both sides the same size."),
)
SWAPPED = define(
    "preflight/pages-swapped",
    _("Fronts seem to stand where the shop looks for backs"),
    _(
        "One side of every pair is the same picture: it is the common back, and it is on the wrong side."
    ),
    _("Swap the two pages of each pair."),
    Severity.WARNING,
)
LAST = define(
    "preflight/no-common-back",
    _("The file has no page for the common back"),
    _("The shop takes the last page as the back of all cards before it."),
    _("Add the back as the last page."),
)
MANY = define(
    "preflight/too-many-cards",
    _("More cards than the shop takes in one order"),
    _("What is above the limit is refused or left out."),
    _("Split the file into several orders."),
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


def check(job: Job | FrontsAndBacks) -> Iterator[Finding]:
    """The pages of the file as the preset's order reads them; of two files, how they go together."""
    if isinstance(job, FrontsAndBacks):
        yield from _files(job)
        return
    pages, order = job.pdf.pages, job.preset.order
    paired = order in ("front-back", "back-front")
    if paired:
        yield from _pairs(pages, order)
    if order == "common-back-last" and len(pages) == 1:
        yield LAST.finding(
            _("one page: a card without a back, or a back without cards"), on(pages[0])
        )
    cards = len(pages) // 2 if paired else len(pages) - (order == "common-back-last")
    most = job.preset.most_cards
    if most is not None and cards > most:
        yield MANY.finding(too_many(cards, most), Location(page=len(pages)))


def too_many(cards: int, most: int) -> Message:
    """More cards than an order may have."""
    return _("{cards} cards; the shop takes {most} in one order", cards=cards, most=most)


def _pairs(pages: Sequence[Page], order: str) -> Iterator[Finding]:
    if len(pages) % 2:
        form = (
            _("{many} pages do not make pairs of front and back")
            if len(pages) > 1
            else _("one page alone is no pair")
        )
        yield ODD.finding(_(form, many=len(pages)), on(pages[-1]))
    pairs = list(zip(pages[::2], pages[1::2], strict=False))
    for one, other in pairs:
        if not near(other.trim, (one.trim.width, one.trim.height)):
            form = _("{size}, but page {page}, its other side, is {other}")
            message = _(form, size=size(other.trim), page=one.number, other=size(one.trim))
            yield PAIR.finding(message, on(other, other.trim))
    first, second = ({pair[side].drawn for pair in pairs} for side in (0, 1))
    fronts, backs = (first, second) if order == "front-back" else (second, first)
    if len(pairs) > 2 and len(fronts) == 1 and len(backs) > 2:
        page = pairs[0][0 if order == "front-back" else 1]
        message = _(
            "the shop reads {order}, but the fronts are all alike and the backs differ",
            order=get_term(order),
        )
        yield SWAPPED.finding(message, on(page))


def _files(files: FrontsAndBacks) -> Iterator[Finding]:
    """Fronts and backs in a file each: as many of both, each pair of one size; places are pages of the backs."""
    fronts, backs = files.fronts, files.backs
    ahead, behind = fronts.pdf.pages, backs.pdf.pages
    if not ahead or not behind:
        return
    if len(behind) == 1 and len(ahead) > 1:
        yield ONE.finding(_("one back for {many} fronts", many=len(ahead)), on(behind[0]))
    elif len(ahead) != len(behind):
        page = min(len(ahead), len(behind))
        message = ngettext(
            "{count} front, but {backs} backs",
            "{count} fronts, but {backs} backs",
            len(ahead),
            backs=len(behind),
        )
        yield ODD.finding(message, Location(page=page))
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
        elif (one.width > one.height) != (other.width > other.height) and abs(
            one.width - one.height
        ) > 1:
            message = _(
                "lies, but its front, page {page}, stands (or the other way)", page=front.number
            )
            yield PAIR.finding(message, on(back, other))
