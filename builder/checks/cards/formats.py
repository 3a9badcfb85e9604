"""formats.yaml names only what is there, says one thing of a card at a time, and leaves something to play with."""

from collections.abc import Collection, Iterator
from datetime import date

from builder.checks.cards.references import UNKNOWN_NAME, unknown
from builder.errata.release import parse_version
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.formats import Legality, Period, PlayFormat
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack
from builder.model.words import suggestion

OVERLAP = define(
    "formats/listed-twice",
    _("A card stands twice in a play format's lists for the same days"),
    _("Players would read two answers; a ban goes before a restriction, and of two restrictions the smaller counts."),
    _("Let one end before the other begins, or take the card out of one."),
    Severity.WARNING,
)
EMPTY = define(
    "formats/empty-pool",
    _("A play format has a day on which no card may be used"),
    _("Nobody could build a squad for that day."),
    _("Let a part of the pool begin on that day, or last longer."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every format: its names, its lists, its pool."""
    document = loaded.sources.get("formats.yaml")
    for name, form in loaded.whole.formats.items() if document is not None else ():
        assert document is not None
        yield from _names(loaded, name, form, document)
        yield from _twice(name, form, document)
        yield from _pool(loaded.whole, name, form, document)


def unknown_releases(loaded: LoadedPack, known: Collection[str]) -> Iterator[Finding]:
    """Releases named by pools that are not known and cannot be coming ones."""
    last = max(filter(None, map(parse_version, known)), default=None)
    document = loaded.sources.get("formats.yaml")
    for name, form in loaded.pack.formats.items() if loaded.pack is not None and document is not None else ():
        for index, part in enumerate(form.pool):
            for version in part.releases:
                assert document is not None
                number = parse_version(version)
                if version not in known and last is not None and number is not None and number < last:
                    message = _("there is no release {version}", version=version)
                    place = document.locate(("formats", name, "pool", index, "releases"))
                    yield UNKNOWN_NAME.finding(message, place, suggestion(version, known))


def _names(loaded: LoadedPack, name: str, form: PlayFormat, document: Document) -> Iterator[Finding]:
    pack, cards = loaded.whole, {file.id or file.stem for file in loaded.files} | set(loaded.unread)
    for key, parts in (("pool", form.pool), ("banned", form.banned), ("restricted", form.restricted)):
        for index, part in enumerate(parts):
            for what, known in (("kind", pack.manifest.kinds), ("faction", pack.vocabulary.factions), ("card", cards)):
                for place, one in enumerate(getattr(part, f"{what}s", ())):
                    path = ("formats", name, key, index, f"{what}s", place)
                    yield from unknown(what, one, known, document, path)


def _twice(name: str, form: PlayFormat, document: Document) -> Iterator[Finding]:
    seen: dict[str, list[Period]] = {}
    for key, entries in (("banned", form.banned), ("restricted", form.restricted)):
        for index, entry in enumerate(entries):
            for place, card in enumerate(entry.cards):
                if any(_meet(entry, other) for other in seen.setdefault(card, [])):
                    path = ("formats", name, key, index, "cards", place)
                    message = _("{card} stands in the lists of {format} already", card=card, format=name)
                    yield OVERLAP.finding(message, document.locate(path))
                seen[card].append(entry)


def _meet(one: Period, other: Period) -> bool:
    """True if two periods share a day."""
    return all(a.since is None or b.to is None or a.since <= b.to for a, b in ((one, other), (other, one)))


def _pool(pack: Pack, name: str, form: PlayFormat, document: Document) -> Iterator[Finding]:
    """The first day named on which nothing is left; pools of releases are not looked into."""
    if not form.pool or any(part.releases for part in form.pool) or not pack.cards:
        return
    begins = min(part.since or date.min for part in form.pool)
    cards = [pack.format_card(card) for card in pack.cards.values()]
    barred = {Legality.NOT_LEGAL, Legality.BANNED}
    for day in form.days(begins):
        if all(said.legality in barred for said in form.standings(cards, day).values()):
            place = document.locate(("formats", name, "pool"), key=True)
            yield EMPTY.finding(_("{format}: no card may be used on {day}", format=name, day=day), place)
            return
