"""Checks of the order of pages: complete pairs, position of backs, number of pages."""

from collections.abc import Iterator, Sequence

from builder.checks.preflight.job import (
    FrontsAndBacks,
    PreflightJob,
    describe_size,
    has_size,
    locate_on_page,
)
from builder.findings import Box, Finding, Location, Severity
from builder.messages import Message, gettext as _, ngettext
from builder.model.codes import define
from builder.model.pdf import Page
from builder.model.words import get_term

ODD_PAGES = define(
    "preflight/odd-pages",
    _("A card lacks its front or its back"),
    _(
        "The shop pairs pages by their order. With one page too many or too few, all later "
        "cards get wrong backs."
    ),
    _(
        "Give each card a front and a back; use a blank page where there is none. Or put "
        "one back for all cards into a separate file."
    ),
)
PAIR_SIZES = define(
    "preflight/pair-sizes",
    _("Front and back differ in size"),
    _("Both sides are cut together, so the smaller one would be cut off or shifted."),
    _("Make both sides the same size."),
)
PAGES_SWAPPED = define(
    "preflight/pages-swapped",
    _("Fronts and backs seem to be swapped"),
    _(
        "All pages on the front side show the same picture, so they are probably the common back."
    ),
    _("Swap the two pages of each pair."),
    Severity.WARNING,
)
NO_COMMON_BACK = define(
    "preflight/no-common-back",
    _("The file has no page for the common back"),
    _("The shop uses the last page as the back of all cards."),
    _("Add the back as the last page."),
)
TOO_MANY_CARDS = define(
    "preflight/too-many-cards",
    _("The order has more cards than the shop accepts"),
    _("Cards above the limit are refused or left out."),
    _("Split the file into several orders."),
)
ONE_BACK = define(
    "preflight/one-back",
    _("One back for all fronts"),
    _("The only back is printed behind every card."),
    _("If all cards have this back, ignore this note, but mention it in the order."),
    Severity.NOTE,
)
FRONTS_FOR_BACKS = define(
    "preflight/fronts-for-backs",
    _("The backs are identical to the fronts"),
    _(
        "Probably the same file was given twice. Every card would show its front on both sides."
    ),
    _("Give the file with the backs."),
    Severity.WARNING,
)


def check(job: PreflightJob | FrontsAndBacks) -> Iterator[Finding]:
    """Check the order of fronts and backs in one file, or that two files match."""
    if isinstance(job, FrontsAndBacks):
        yield from _check_two_files(job)
        return
    pages, order = job.pdf.pages, job.preset.order
    cards = len(pages)
    if order in ("front-back", "back-front"):
        yield from _check_pairs(pages, order)
        cards = len(pages) // 2
    elif order == "common-back-last":
        cards -= 1
        if len(pages) == 1:
            message = _(
                "the file has one page: a card without a back, or a back without cards"
            )
            yield NO_COMMON_BACK.finding(message, locate_on_page(pages[0]))
    max_cards = job.preset.most_cards
    if max_cards is not None and cards > max_cards:
        yield TOO_MANY_CARDS.finding(
            describe_too_many(cards, max_cards), Location(page=len(pages))
        )


def describe_too_many(cards: int, max_cards: int) -> Message:
    """Return the message that an order has more cards than the shop accepts."""
    return _(
        "{cards} cards; the shop accepts {most} in one order",
        cards=cards,
        most=max_cards,
    )


def _check_pairs(pages: Sequence[Page], order: str) -> Iterator[Finding]:
    if len(pages) % 2:
        form = _("a single page cannot be a pair")
        if len(pages) > 1:
            form = _("{many} pages cannot be paired as front and back")
        yield ODD_PAGES.finding(_(form, many=len(pages)), locate_on_page(pages[-1]))
    pairs = list(zip(pages[::2], pages[1::2], strict=False))
    for first_page, second_page in pairs:
        trim, other_trim = second_page.trim, first_page.trim
        if not has_size(trim, (other_trim.width, other_trim.height)):
            form = _("{size}, but its other side, page {page}, is {other}")
            size, other_size = describe_size(trim), describe_size(other_trim)
            message = _(form, size=size, page=first_page.number, other=other_size)
            yield PAIR_SIZES.finding(message, locate_on_page(second_page, trim))
    fronts, backs = pages[::2], pages[1::2]
    if order == "back-front":
        fronts, backs = backs, fronts
    # Many cards share one back, but fronts differ.
    front_drawings = {page.drawing_hash for page in fronts[: len(pairs)]}
    back_drawings = {page.drawing_hash for page in backs[: len(pairs)]}
    if len(pairs) > 2 and len(front_drawings) == 1 and len(back_drawings) > 2:
        form = _(
            "the shop expects {order}, but all fronts are equal and the backs differ"
        )
        message = _(form, order=get_term(order))
        yield PAGES_SWAPPED.finding(message, locate_on_page(fronts[0]))


def _check_two_files(files: FrontsAndBacks) -> Iterator[Finding]:
    """Check that a file of fronts and one of backs have equal pages and sizes.

    Locations are pages of the backs.
    """
    fronts, backs = files.fronts, files.backs
    front_pages, back_pages = fronts.pdf.pages, backs.pdf.pages
    if not front_pages or not back_pages:
        return
    if len(back_pages) == 1 and len(front_pages) > 1:
        message = _("one back for {many} fronts", many=len(front_pages))
        yield ONE_BACK.finding(message, locate_on_page(back_pages[0]))
        # the only back belongs to each of the fronts
        back_pages = back_pages * len(front_pages)
    elif len(front_pages) != len(back_pages):
        page = min(len(front_pages), len(back_pages))
        message = ngettext(
            "{count} front, but {backs} backs",
            "{count} fronts, but {backs} backs",
            len(front_pages),
            backs=len(back_pages),
        )
        yield ODD_PAGES.finding(message, Location(page=page))
    elif len(front_pages) > 1 and _are_equal_drawings(front_pages, back_pages):
        message = _("every back is identical to its front")
        yield FRONTS_FOR_BACKS.finding(message, locate_on_page(back_pages[0]))
    for front, back_page in zip(front_pages, back_pages, strict=False):
        front_trim = fronts.find_trim(front)
        back_trim = backs.find_trim(back_page)
        place = locate_on_page(back_page, back_trim)
        if not has_size(back_trim, (front_trim.width, front_trim.height)):
            form = _("{size}, but its front, page {page}, is {other}")
            size, front_size = describe_size(back_trim), describe_size(front_trim)
            message = _(form, size=size, page=front.number, other=front_size)
            yield PAIR_SIZES.finding(message, place)
        elif _are_turned(front_trim, back_trim):
            message = _(
                "its orientation differs from its front, page {page}", page=front.number
            )
            yield PAIR_SIZES.finding(message, place)


def _are_equal_drawings(fronts: Sequence[Page], backs: Sequence[Page]) -> bool:
    """Return True if every back looks like its front. Empty pages do not count."""
    for front, back_page in zip(fronts, backs, strict=True):
        if not front.items or front.drawing_hash != back_page.drawing_hash:
            return False
    return True


def _are_turned(front_trim: Box, back_trim: Box) -> bool:
    """Return True if one side of a card is upright and the other one lies."""
    is_square = abs(front_trim.width - front_trim.height) <= 1
    is_front_wide = front_trim.width > front_trim.height
    is_back_wide = back_trim.width > back_trim.height
    return not is_square and is_front_wide != is_back_wide
