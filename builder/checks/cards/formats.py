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
    """Check the lists and the pool of every format."""
    document = loaded.sources.get("formats.yaml")
    for name, form in loaded.whole.formats.items() if document is not None else ():
        assert document is not None
        yield from _find_repeated_cards(name, form, document)
        yield from _check_pool(loaded.whole, name, form, document)


def find_unknown_releases(loaded: LoadedPack, known_releases: Collection[str]) -> Iterator[Finding]:
    """Report releases in pools that do not exist and cannot be future ones."""
    document = loaded.sources.get("formats.yaml")
    last = max(filter(None, map(parse_version, known_releases)), default=None)
    if loaded.pack is None or document is None or last is None:
        return
    for mention in find_mentions(loaded.pack.formats, ("formats",)):
        number = parse_version(mention.value) if mention.ref == "release" else None
        if number is not None and number < last:
            yield from KnownNames({"release": known_releases}, {}).check_name(
                "release", mention.value, partial(document.locate, mention.path)
            )


def _find_repeated_cards(name: str, form: PlayFormat, document: Document) -> Iterator[Finding]:
    seen: dict[str, list[Period]] = {}
    for key, entries in (("banned", form.banned), ("restricted", form.restricted)):
        for index, entry in enumerate(entries):
            for place, card in enumerate(entry.cards):
                if any(
                    _share_day(entry, other_period) for other_period in seen.setdefault(card, [])
                ):
                    path = ("formats", name, key, index, "cards", place)
                    message = _("{card} is already in a list of {format}", card=card, format=name)
                    yield OVERLAP.finding(message, document.locate(path))
                seen[card].append(entry)


def _share_day(first: Period, second: Period) -> bool:
    """Return True if two periods share a day."""
    return all(
        a.since is None or b.to is None or a.since <= b.to
        for a, b in ((first, second), (second, first))
    )


def _check_pool(pack: Pack, name: str, form: PlayFormat, document: Document) -> Iterator[Finding]:
    """Report the first day on which no card is left. Pools of releases are not checked."""
    if not form.pool or any(part.releases for part in form.pool) or not pack.cards:
        return
    begins = min(part.since or date.min for part in form.pool)
    cards = [pack.format_card(card) for card in pack.cards.values()]
    barred = {Legality.NOT_LEGAL, Legality.BANNED}
    for day in form.list_days(begins):
        legality_by_card = form.find_standings(cards, day)
        if all(item.legality in barred for item in legality_by_card.values()):
            place = document.locate(("formats", name, "pool"), key=True)
            yield EMPTY.finding(_("{format} allows no card on {day}", format=name, day=day), place)
            return
