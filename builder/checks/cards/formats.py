"""Check that formats.yaml does not contradict itself, and that each format has cards."""

from collections.abc import Collection, Iterator
from datetime import date
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.errata.release import parse_version
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import find_mentions
from builder.model.codes import define
from builder.model.formats import Legality, Period, PlayFormat
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack

OVERLAP = define(
    "formats/listed-twice",
    _("A card is listed twice in a play format for the same days"),
    _(
        "The two lines contradict each other. A ban overrides a restriction. Of two "
        "restrictions, the smaller number counts."
    ),
    _("End one before the other begins, or remove the card from one of them."),
    Severity.WARNING,
)
EMPTY = define(
    "formats/empty-pool",
    _("A play format allows no card on some day"),
    _("Nobody could build a squad for that day."),
    _("Let a part of the card pool begin on that day or end later."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the ban lists and the card pool of every play format."""
    document = loaded.sources.get("formats.yaml")
    if document is None:
        return
    for name, play_format in loaded.whole.formats.items():
        yield from _find_repeated_cards(name, play_format, document)
        yield from _check_pool(loaded.whole, name, play_format, document)


def find_unknown_releases(
    loaded: LoadedPack, known_releases: Collection[str]
) -> Iterator[Finding]:
    """Report releases in card pools that do not exist and are not future ones."""
    document = loaded.sources.get("formats.yaml")
    versions = [parse_version(release) for release in known_releases]
    last_version = max(filter(None, versions), default=None)
    if loaded.pack is None or document is None or last_version is None:
        return
    known_names = KnownNames({"release": known_releases}, {})
    for mention in find_mentions(loaded.pack.formats, ("formats",)):
        if mention.ref != "release":
            continue
        version = parse_version(mention.value)
        if version is not None and version < last_version:
            place = partial(document.locate, mention.path)
            yield from known_names.check_name("release", mention.value, place)


def _find_repeated_cards(
    name: str, play_format: PlayFormat, document: Document
) -> Iterator[Finding]:
    periods_by_card: dict[str, list[Period]] = {}
    lists = (("banned", play_format.banned), ("restricted", play_format.restricted))
    for key, entries in lists:
        for index, entry in enumerate(entries):
            for number, card in enumerate(entry.cards):
                earlier_periods = periods_by_card.setdefault(card, [])
                if any(_share_day(entry, period) for period in earlier_periods):
                    path = ("formats", name, key, index, "cards", number)
                    message = _(
                        "{card} is already in a list of {format}",
                        card=card,
                        format=name,
                    )
                    yield OVERLAP.finding(message, document.locate(path))
                earlier_periods.append(entry)


def _share_day(first: Period, second: Period) -> bool:
    """Return True if two periods have a day in common."""
    return _begins_before_end(first, second) and _begins_before_end(second, first)


def _begins_before_end(first: Period, second: Period) -> bool:
    """Return True if the first period begins before the second one ends."""
    return first.since is None or second.to is None or first.since <= second.to


def _check_pool(
    pack: Pack, name: str, play_format: PlayFormat, document: Document
) -> Iterator[Finding]:
    """Report the first day on which a play format allows no card."""
    pool = play_format.pool
    # the cards of a release are not known here
    if not pool or any(part.releases for part in pool) or not pack.cards:
        return
    first_day = min(part.since or date.min for part in pool)
    cards = [pack.format_card(card) for card in pack.cards.values()]
    barred = {Legality.NOT_LEGAL, Legality.BANNED}
    for day in play_format.list_days(first_day):
        legality_by_card = play_format.find_legality_of_cards(cards, day)
        if all(item.legality in barred for item in legality_by_card.values()):
            place = document.locate(("formats", name, "pool"), key=True)
            yield EMPTY.finding(
                _("{format} allows no card on {day}", format=name, day=day), place
            )
            return
