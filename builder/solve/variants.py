"""What may be chosen for a model that is added: only where a rule refuses it without, or asks for such a choice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.choices import Chooser, Option, added
from builder.rules.counting import Counter
from builder.rules.evaluate import Evaluator

MENTION = re.compile(r"choice[. ]([\w-]+)")
OFFERED = 6
"""Ways of choosing that are offered for one card."""


def entries(card: Card, squad: Squad, chooser: Chooser) -> Iterator[Option]:
    """The card as it may be added: as it is, then with each way of choosing that a rule calls for."""
    plain = chooser.option(card, Source.ENTRIES)
    if plain.more != 0:
        yield plain
    bare = added(card, Source.ENTRIES, None, squad)
    offered = 0
    for choices in _ways(squad, chooser.evaluator):
        pick = replace(bare, choices=choices)
        if plain.more == 0 or _asked(chooser.evaluator, pick, bare):
            option = chooser.of(pick)
            if option.more != 0 and offered < OFFERED:
                offered += 1
                yield option


def mentioned(evaluator: Evaluator) -> frozenset[str]:
    """The choices that some rule asks about."""
    return frozenset(name for rule, _ in evaluator.rules for name in MENTION.findall(rule.model_dump_json()))


def _ways(squad: Squad, evaluator: Evaluator) -> Iterator[Mapping[str, str]]:
    """Ways of choosing: those of the squad's own models first, then each single value that the pack declares."""
    names = mentioned(evaluator)
    seen: list[Mapping[str, str]] = [{}]
    own = ({name: value for name, value in pick.choices.items() if name in names} for pick in squad.entries)
    for way in (*own, *_single(evaluator.pack, names)):
        if way not in seen:
            seen.append(way)
            yield way


def _single(pack: Pack, names: frozenset[str]) -> Iterator[Mapping[str, str]]:
    for name in sorted(names):
        choice = pack.manifest.roster.choices.get(name)
        if choice is not None:
            values = [card.id for card in pack.of_kind(choice.cards)] if choice.cards else sorted(choice.values)
            yield from ({name: value} for value in values)


def _asked(evaluator: Evaluator, pick: Pick, bare: Pick) -> bool:
    """True if a lower bound counts the pick with its choice and not without."""
    least = (
        form
        for _, form in evaluator.rules
        if isinstance(form, Counter) and (form.rule.min is not None or form.rule.exactly is not None)
    )
    return any(form.selector.takes(pick) and not form.selector.takes(bare) for form in least)
