"""How a squad may be divided where its pack declares no divisions: by what the roster's own rules look at."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.rules import Rule, Select, Source, Where
from builder.model.stats import Role as Division

LEAST_PARTS = 2
"""A field that has but one value among the cards divides nothing."""

UNUSUAL = ("id", "name", "cost", "kind", "keywords")
"""Fields that are divisions of their own sort, or of no use as one."""


def divisions(pack: Pack) -> tuple[Division, ...]:
    """The kind of card, the faction, and every word, field and choice by which a rule picks or groups entries."""
    cards = [card for card in pack.cards.values() if pack.role(card) is Role.ENTRY]
    asked = tuple(dict.fromkeys(path for rule in pack.rules.rules for path in _asked(rule)))
    fields = ["faction", *(path for path in asked if path not in UNUSUAL)]
    found = [Division(by="kind")] if _values(cards, "kind") >= LEAST_PARTS else []
    words = _words(pack, cards)
    if words:
        found.append(Division(by="keywords", of=words))
    for path in dict.fromkeys(fields):
        choice = pack.manifest.roster.choices.get(path.removeprefix("choice."))
        if choice is not None if path.startswith("choice.") else _values(cards, path) >= LEAST_PARTS:
            found.append(Division(by=path))
    return tuple(found) or (Division(by="kind"),)


def _words(pack: Pack, cards: list[Card]) -> tuple[str, ...]:
    """Keywords that some rule asks of entries and some entry has, in the order of the rules."""
    borne = {word for card in cards for word in card.keywords}
    asked = (word for rule in pack.rules.rules for where in _conditions(rule) for word in _held(where))
    return tuple(dict.fromkeys(word for word in asked if word in borne))


def _held(where: Where) -> Iterator[str]:
    """Keywords that a condition wants to be there."""
    test = where.fields.get("keywords")
    if test is not None:
        yield from (str(word) for word in (test.has, *(test.has_any or ())) if isinstance(word, str))


def _asked(rule: Rule) -> Iterator[str]:
    """Fields by which a rule picks or groups entries."""
    if rule.group_path is not None and rule.select.source is Source.ENTRIES:
        yield rule.group_path
    for where in _conditions(rule):
        yield from where.fields


def _conditions(part: BaseModel) -> Iterator[Where]:
    """The conditions on entries inside a rule, at any depth."""
    for name in type(part).model_fields:
        value = getattr(part, name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Where):
                yield inner
                yield from _conditions(inner)
            elif isinstance(inner, Select) and inner.source not in (Source.ENTRIES, Source.ALL):
                continue
            elif isinstance(inner, BaseModel):
                yield from _conditions(inner)


def _values(cards: list[Card], path: str) -> int:
    """How many different texts a field holds on cards; 0 where it holds anything else."""
    found = {card.field(path) for card in cards if isinstance(card.field(path), str)}
    return len(found) if all(isinstance(card.field(path), str | None) for card in cards) else 0
