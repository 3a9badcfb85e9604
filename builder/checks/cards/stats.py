"""stats.yaml: every field it looks at stands on some card, and every form describes some attack."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.checks.cards.references import NOTHING_FITS, UNKNOWN_FIELD
from builder.dice.stats import as_pick, sources
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json, Path, items_of, lookup
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack
from builder.model.words import suggestion, term
from builder.rules.query import compile_where

OWN, CARDS, DIVIDED = "attack", "card", _("card or choice")
"""Whose field is meant."""
KEYS = {"attack": OWN, "where": OWN, "model": CARDS, "target": CARDS, "from": CARDS, "by": DIVIDED, "bearer": DIVIDED,
        "targets": CARDS}  # fmt: skip
"""The keys of stats.yaml that name fields, and whose."""


@dataclass(frozen=True, slots=True)
class KnownFields:
    """Which fields there are: `own` of the attacks that are meant, and those of cards."""

    pack: Pack
    own: tuple[str, ...]

    def words(self, whose: str) -> list[str]:
        """The fields that may have been meant."""
        if whose == OWN:
            return sorted(self.own)
        named = {name for card in self.pack.cards.values() for name in card.data}
        choices = (f"choice.{name}" for name in self.pack.manifest.roster.choices)
        return sorted(named.union(choices if whose == DIVIDED else ()))

    def has(self, whose: str, name: str) -> bool:
        """Is there such a field? Of an attack the first step only: not every card states all that may follow."""
        if whose == OWN:
            return not self.own or name.partition(".")[0] in self.own
        if whose == DIVIDED and name.startswith("choice."):
            return name[7:] in self.pack.manifest.roster.choices
        return any(card.field(name) is not None for card in self.pack.cards.values())


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every field that is named: of the target, of the model, of the attack; and that each form finds attacks."""
    document, pack = loaded.sources.get("stats.yaml"), loaded.pack
    stats = loaded.stats
    if pack is None or stats is None or document is None:
        return
    cards, everything = pack.cards.values(), set[str]()
    for index, form in enumerate(stats.attacks):
        own = {name for card in cards for _unused, data in sources(form, card) for name in data}
        everything |= own
        part = lookup(document.value, ("attacks", index))
        unknown = tuple(_unknown(part, ("attacks", index), document, KnownFields(pack, tuple(own))))
        yield from unknown
        passes = compile_where(form.where)
        attacks = (as_pick(card, data) for card in cards for _unused, data in sources(form, card))
        if not unknown and not any(passes(attack, None) for attack in attacks):
            place = document.locate(("attacks", index))
            yield NOTHING_FITS.finding(_("form {number} describes no attack of any card", number=index + 1), place)
    for key in ("roles", "targets", "let"):
        yield from _unknown({key: lookup(document.value, (key,))}, (), document, KnownFields(pack, tuple(everything)))


def _unknown(raw: Json, start: Path, document: Document, known: KnownFields) -> Iterator[Finding]:
    for path, whose, name in _named(raw, start):
        if not known.has(whose, name):
            message = _("no {whose} has the field {name}", whose=term(whose), name=name)
            hint = suggestion(name, known.words(whose), _("Fields"))
            place = document.locate(path, key=path[-1] not in KEYS)
            yield UNKNOWN_FIELD.finding(message, place, hint, Severity.ERROR)


def _named(value: Json, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Every field that is named: place, whose it is, its path."""
    for key, item in items_of(value):
        whose = KEYS.get(str(key))
        if whose is not None and isinstance(item, str):
            yield (*path, key), whose, item
        elif whose is not None and key in ("where", "bearer", "targets") and isinstance(item, dict):
            yield from _tested(item, (*path, key), whose)
        else:
            yield from _named(item, (*path, key))


def _tested(where: dict[str, Json], path: Path, whose: str) -> Iterator[tuple[Path, str, str]]:
    for key, item in where.items():
        if key not in ("any", "all", "none"):
            yield (*path, key), whose, key
            continue
        for index, inner in enumerate(item if isinstance(item, list) else ()):
            if isinstance(inner, dict):
                yield from _tested(inner, (*path, key, index), whose)
