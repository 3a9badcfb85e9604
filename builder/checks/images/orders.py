"""Checks an order made of images: pairs of sides, equal sizes, and files as in the manifest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from builder.checks.images.face import (
    ExistingFile,
    ImageFace,
    OrderFolder,
    describe_pixels,
)
from builder.checks.preflight.order import (
    FRONTS_FOR_BACKS,
    ONE_BACK,
    PAIR_SIZES,
    TOO_MANY_CARDS,
    describe_too_many,
)
from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _, ngettext
from builder.model.codes import define
from builder.model.shop import OrderCard, ShopOrder

UNPAIRED = define(
    "preflight/image-unpaired",
    _("A card has only one side"),
    _(
        "`front` or `back` in the name or folder of a file is its side. The rest of the "
        "name is the card. A missing side shifts all later cards, or leaves a card without "
        "its back."
    ),
    _(
        "Give both files the same name except for the side. Or add one common back for all "
        "cards without a back of their own."
    ),
)
NO_BACKS = define(
    "preflight/no-backs",
    _("No card of a deck has a back"),
    _("The backs may be missing, or their file names are not recognised."),
    _("If the backs are blank on purpose, ignore this note."),
    Severity.NOTE,
)
CHANGED = define(
    "preflight/file-changed",
    _("A file does not match the manifest"),
    _(
        "A file is missing, was added or was changed. Cards could be missing, printed twice, or "
        "have wrong backs."
    ),
    _(
        "Copy the whole order again or build it again. Remove files that do not belong to it."
    ),
)
UNREADABLE = define(
    "preflight/file-unreadable",
    _("A file cannot be read"),
    _(
        "The file is damaged, incomplete, locked or of "
        "another type. The shop cannot read it either."
    ),
    _("Export it again."),
)
MANIFEST = define(
    "preflight/manifest",
    _("The manifest of the order cannot be used"),
    _("Without it the files cannot be compared with the order."),
    _(
        "Build the order again, or check it with the preset of the shop that it was made for."
    ),
    Severity.WARNING,
)

MAX_LISTED_FILES = 20
"""Files without another side that are named; a folder of other things would fill the screen."""


def check(folder: OrderFolder) -> Iterator[Finding]:
    """Check the decks of an image order, and its files against the manifest.

    Without a manifest, file names tell which images are the two sides of a card.
    """
    yield from _check_sides(folder.faces, folder.order)
    if folder.order is not None:
        yield from _check_files(folder.order, folder.present)


def _check_sides(
    faces: Sequence[ImageFace], order: ShopOrder | None
) -> Iterator[Finding]:
    decks: dict[str, list[ImageFace]] = {}
    for face in faces:
        decks.setdefault(face.group, []).append(face)
    for deck in decks.values():
        yield from _check_deck(deck, order)


def _check_deck(
    deck: Sequence[ImageFace], order: ShopOrder | None
) -> Iterator[Finding]:
    # a face without a side in its name counts as a front
    fronts = [face for face in deck if face.side != "back"]
    backs = [face for face in deck if face.side == "back"]
    pairs = list(
        _pair_by_manifest(deck, order) if order else _pair_by_name(fronts, backs)
    )
    for front, back_face in pairs:
        if front.raster.pixels != back_face.raster.pixels:
            message = _(
                "{size}, but its front {name} is {other}",
                size=describe_pixels(back_face.raster.pixels),
                name=front.name,
                other=describe_pixels(front.raster.pixels),
            )
            yield PAIR_SIZES.finding(message, back_face.locate())
    # a single pair of equal pictures may be intended
    are_equal = [
        front.raster.shade == back_face.raster.shade for front, back_face in pairs
    ]
    if len(pairs) > 1 and all(are_equal):
        message = _("every back shows the same picture as its front")
        yield FRONTS_FOR_BACKS.finding(message, pairs[0][1].locate())
    yield from _check_count(fronts, deck[0], order)
    if order is None and backs:
        yield from _find_unpaired(fronts, backs)
    elif order is None and any(face.side for face in fronts):
        message = ngettext(
            "{count} front without a back",
            "{count} fronts without any back",
            len(fronts),
        )
        yield NO_BACKS.finding(message, fronts[0].locate())


def _pair_by_manifest(
    deck: Iterable[ImageFace], order: ShopOrder
) -> Iterator[tuple[ImageFace, ImageFace]]:
    faces_by_name = {face.name: face for face in deck}
    for card in order.cards:
        # a card without a back has fronts only
        for front, back_file in zip(card.fronts, card.backs, strict=False):
            if front.file in faces_by_name and back_file.file in faces_by_name:
                yield faces_by_name[front.file], faces_by_name[back_file.file]


def _pair_by_name(
    fronts: Sequence[ImageFace], backs: Sequence[ImageFace]
) -> Iterator[tuple[ImageFace, ImageFace]]:
    """Yield fronts with their backs, matched by file name. A single back serves all fronts."""
    backs_by_card = {face.card: face for face in backs}
    for front in fronts:
        back_face = backs_by_card.get(front.card)
        if len(backs) == 1:
            back_face = backs[0]
        if back_face is not None:
            yield front, back_face


def _check_count(
    fronts: Sequence[ImageFace], first: ImageFace, order: ShopOrder | None
) -> Iterator[Finding]:
    """Report a deck with more cards than the shop takes in one order."""
    max_cards = first.preset.most_cards
    face_names = {face.name for face in fronts}
    copies = 0
    for card in order.cards if order else ():
        if any(place.file in face_names for place in card.fronts):
            copies += card.copies
    cards = copies or sum(face.copies for face in fronts)
    if max_cards is not None and cards > max_cards:
        yield TOO_MANY_CARDS.finding(
            describe_too_many(cards, max_cards), first.locate()
        )


def _find_unpaired(
    fronts: Sequence[ImageFace], backs: Sequence[ImageFace]
) -> Iterator[Finding]:
    """Report images whose other side is missing, unless there is a common back."""
    cards_with_back = {face.card for face in backs}
    cards_with_front = {face.card for face in fronts}
    lonely_fronts = [face for face in fronts if face.card not in cards_with_back]
    common_backs = [face for face in backs if face.card not in cards_with_front]
    if len(backs) == 1 and len(fronts) > 1:
        yield ONE_BACK.finding(
            _("one back for {many} fronts", many=len(fronts)), backs[0].locate()
        )
    elif not (lonely_fronts and common_backs):
        form = _("no front is named {card!r}")
        if lonely_fronts:
            form = _("no back is named {card!r}")
        for face in (lonely_fronts or common_backs)[:MAX_LISTED_FILES]:
            yield UNPAIRED.finding(_(form, card=face.card), face.locate())


def _list_cards_in_file(file_name: str, order: ShopOrder) -> list[str]:
    """Return the ids of the cards that have a side in this file."""
    return [card.id for card in order.cards if _has_side_on(card, file_name)]


def _has_side_on(card: OrderCard, file_name: str) -> bool:
    return any(place.file == file_name for place in (*card.fronts, *card.backs))


def _describe_missing_file(card_ids: Sequence[str]) -> Message:
    """Return the message that a file is missing, with up to 3 of its cards."""
    if not card_ids:
        return _("is missing")
    cards = ", ".join(card_ids[:3])
    if len(card_ids) > 3:
        cards = _("{listed} and {rest} more", listed=cards, rest=len(card_ids) - 3)
    return _("is missing; it contains: {listed}", listed=cards)


def _check_files(
    order: ShopOrder, existing_files: Mapping[str, ExistingFile]
) -> Iterator[Finding]:
    """Report files that are missing, changed, or not listed in the manifest."""
    listed = {file.name: file for file in order.files}
    for name, file in listed.items():
        actual = existing_files.get(name)
        place = Location(file=name)
        if actual is None:
            yield CHANGED.finding(
                _describe_missing_file(_list_cards_in_file(name, order)), place
            )
        # a wrong number of pages is worse than other changes, and is reported as an error
        elif actual.pages is not None and actual.pages != file.pages:
            form = _("pages: {many}; according to the manifest: {counted}")
            message = _(form, many=actual.pages, counted=file.pages)
            yield CHANGED.finding(message, place)
        elif actual.sha256 != file.sha256:
            message = _("this file differs from the one in the manifest")
            yield CHANGED.finding(message, place, severity=Severity.WARNING)
    for name in existing_files:
        if name not in listed:
            message = _("the manifest does not list this file")
            yield CHANGED.finding(
                message, Location(file=name), severity=Severity.WARNING
            )
