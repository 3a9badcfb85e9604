"""Which attacks of a squad a form describes: each once, with the number of models that make it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from builder.dice.stats import Attack, as_pick
from builder.model.base import Json
from builder.model.card import Card
from builder.model.stats import AttackForm
from builder.roster.resolve import Squad
from builder.rules.query import compile_where

Key: TypeAlias = tuple[object, ...]
"""What makes an attack the same: the bearer, the card that holds it, its place, the bearer's choices."""


def attacks_of(form: AttackForm, squad: Squad) -> Iterator[tuple[Card, Attack, int]]:
    """The card that holds each attack, the attack, and how many models have it (with the same choices)."""
    picks = squad.entries if form.of == "entries" else squad.attachments
    counts: dict[Key, int] = {}
    found: dict[Key, tuple[Card, Attack]] = {}
    passes, suits = compile_where(form.where), compile_where(form.bearer)
    for pick in picks:
        bearer = pick.bearer or pick
        if not suits(bearer, None):
            continue
        for path, data in sources(form, pick.card):
            if passes(as_pick(pick.card, data), None):
                key: Key = (bearer.card.id, pick.card.id, path, *sorted(bearer.choices.items()))
                attack = Attack(form, data, bearer.card, path, bearer.choices)
                counts[key] = counts.get(key, 0) + _having(attack, pick.count)
                found[key] = (pick.card, attack)
    for key, (owner, attack) in found.items():
        yield owner, attack, counts[key]


def foes(form: AttackForm, targets: Sequence[Card]) -> Iterator[tuple[Card, Attack]]:
    """The attacks of a form that the targets have themselves."""
    passes = compile_where(form.where)
    for card in targets:
        for path, data in sources(form, card):
            if passes(as_pick(card, data), None):
                yield card, Attack(form, data, card, path)


def _having(attack: Attack, models: int) -> int:
    """How many of a line's models have the attack."""
    share = attack.form.bearers
    if share is None:
        return models
    read = attack.reading({})
    some, each = read.whole(share.some), read.whole(share.of)
    return models if some is None or not each else models * some // each


def sources(form: AttackForm, card: Card) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The attacks on a card: place and fields."""
    if form.source is None:
        yield "", card.data
        return
    held = card.field(form.source)
    for name, data in held.items() if isinstance(held, Mapping) else ():
        if isinstance(data, Mapping):
            yield f"{form.source}.{name}", data
