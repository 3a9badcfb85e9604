"""Which cards some rule may want in a squad: what lower bounds count, what ties point at, what picks need."""

from __future__ import annotations

from collections.abc import Sequence

from builder.model.rules import Source
from builder.roster.resolve import SOURCE_OF, Pick, Squad, added
from builder.rules.evaluate import Evaluator, applies_to

CAP = 12
ROUNDS = 4
"""Copies of a wanted card at most; how often what wanted cards want themselves is looked up."""


def wanted(squad: Squad, evaluator: Evaluator) -> dict[str, Source]:
    """The cards, each with the place where it stands, whatever is chosen for models."""
    pack = evaluator.pack
    roles = {card.id: SOURCE_OF.get(pack.role(card)) for card in pack.cards.values()}
    sources = {card: source for card, source in roles.items() if source is not None}
    needs = []
    for form in evaluator.binding(squad.params):
        weak = bool(evaluator.domains.of_rule[form.rule.id])
        needs.append((form.selector_of(form.rule.select, weak), form.wants(weak)))
    pool = list(squad.picks(Source.ALL))
    found: dict[str, Source] = {}
    bearers = _bearers(squad, evaluator)
    picks = {card: _picks(card, source, squad, evaluator, bearers) for card, source in sources.items()}
    for _ in range(ROUNDS):
        before = len(found)
        asking = [(wants, [pick for pick in pool if takes.takes(pick)]) for takes, wants in needs]
        for card, source in sources.items():
            if card not in found and any(wants(pick, there) for wants, there in asking for pick in picks[card]):
                found[card] = source
                pool += picks[card]
        if len(found) == before:
            break
    return found


def _bearers(squad: Squad, evaluator: Evaluator) -> list[Pick]:
    """Every entry there is, and one of every card that may be one."""
    pack = evaluator.pack
    cards = (card for card in pack.cards.values() if SOURCE_OF.get(pack.role(card)) is Source.ENTRIES)
    return [*squad.entries, *(added(card, Source.ENTRIES, None, squad) for card in cards)]


def _picks(name: str, source: Source, squad: Squad, evaluator: Evaluator, bearers: Sequence[Pick]) -> list[Pick]:
    """The card as it would be added: once, or to each bearer."""
    card = evaluator.pack.cards[name]
    if source is not Source.ATTACHMENTS:
        return [added(card, source, None, squad)]
    return [added(card, source, bearer, squad) for bearer in bearers]


def most_wanted(squad: Squad, evaluator: Evaluator) -> int:
    """How many copies of one card rules may ask for."""
    forms = (form for form in evaluator.forms if applies_to(form.rule.when, squad.params))
    return min(CAP, max((many for form in forms for many in form.needed_copies(squad.params)), default=1))
