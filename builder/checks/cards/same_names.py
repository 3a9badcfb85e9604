"""Cards of one kind are told apart by their printed names, in every language."""

from collections.abc import Iterator

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import LoadedPack

SAME_NAME = define(
    "cards/same-name",
    _("Two cards of one kind have the same name"),
    _("Players, sheets and refusals name cards by what is printed on them: nobody can tell which of the two is meant."),
    _("Give one of them another name, or a byword that tells them apart."),
    Severity.WARNING,
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """The source language first, then each translation; upper and lower case and spaces do not tell names apart."""
    pack = loaded.whole
    kinds = {card.id: card.kind for card in pack.cards.values()}
    names = {card.id: card.name for card in pack.cards.values()}
    told: set[tuple[str, str]] = set()
    for card, other in _alike(kinds, names):
        told.add((card, other))
        yield _same(names[card], other, loaded.documents[card].locate(("name",)))
    for lang, cards in pack.translations.items():
        said = {card: cards[card]["name"].text for card in kinds if "name" in cards.get(card, {})}
        for card, other in _alike(kinds, said):
            if (card, other) not in told:
                place = loaded.translations[lang, card].locate(("strings", "name", "text"))
                yield _same(said[card], other, place)


def _alike(kinds: dict[str, str], names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each card whose name another one had before, and that one."""
    first: dict[tuple[str, str], str] = {}
    for card, name in names.items():
        other = first.setdefault((kinds[card], " ".join(name.split()).casefold()), card)
        if other != card:
            yield card, other


def _same(name: str, other: str, place: Location) -> Finding:
    return SAME_NAME.finding(_("{name} is already the name of {other}", name=name, other=other), place)
