"""Which cards some rule may want in a squad: what lower bounds count, what ties point at, what picks need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.choices import added
from builder.rules.counting import Counter
from builder.rules.evaluate import Evaluator, Form, applies_to
from builder.rules.relations import Need, Tied
from builder.rules.tables import OF_ROLE

CAP = 12
ROUNDS = 4
"""Copies of a wanted card at most; how often what wanted cards want themselves is looked up."""


def wanted(squad: Squad, evaluator: Evaluator) -> dict[str, Source]:
    """The cards, each with the place where it stands."""
    pack = evaluator.pack
    sources = {card.id: source for card in pack.cards.values() if (source := OF_ROLE.get(pack.role(card))) is not None}
    forms = [form for rule, form in evaluator.rules if applies_to(rule.when, squad.params)]
    pool = list(squad.picks(Source.ALL))
    found: dict[str, Source] = {}
    bearers = _bearers(squad, evaluator)
    for _ in range(ROUNDS):
        before = len(found)
        for card, source in sources.items():
            if card not in found:
                picks = _picks(card, source, squad, evaluator, bearers)
                if any(_wants(form, pick, pool) for form in forms for pick in picks):
                    found[card] = source
                    pool += picks
        if len(found) == before:
            break
    return found


def _bearers(squad: Squad, evaluator: Evaluator) -> list[Pick]:
    """Every entry there is, and one of every card that may be one."""
    cards = (card for card in evaluator.pack.cards.values() if OF_ROLE.get(evaluator.pack.role(card)) is Source.ENTRIES)
    return [*squad.entries, *(added(card, Source.ENTRIES, None, squad) for card in cards)]


def _picks(name: str, source: Source, squad: Squad, evaluator: Evaluator, bearers: Sequence[Pick]) -> list[Pick]:
    """The card as it would be added: once, or to each bearer."""
    card = evaluator.pack.cards[name]
    if source is not Source.ATTACHMENTS:
        return [added(card, source, None, squad)]
    return [added(card, source, bearer, squad) for bearer in bearers]


def _wants(form: Form, pick: Pick, pool: Sequence[Pick]) -> bool:
    """True if the rule may want such a pick."""
    if isinstance(form, Counter):
        least = form.rule.min is not None or form.rule.exactly is not None
        free = form.rule.measure.sum is not None or "choice." in form.rule.model_dump_json()
        return least and (form.selector.takes(pick) or (free and form.selector.source in (Source.ALL, pick.source)))
    if isinstance(form, Tied):
        return pick.source is Source.ENTRIES and any(
            form.selector.takes(other) and form.target(pick, other) for other in pool
        )
    return isinstance(form, Need) and any(
        form.selector.takes(other) and form.needs.takes(pick, other) for other in pool
    )


def most_wanted(squad: Squad, evaluator: Evaluator) -> int:
    """How many copies of one card lower bounds may ask for."""
    return min(CAP, max(_lower(squad, evaluator), default=1))


def _lower(squad: Squad, evaluator: Evaluator) -> Iterator[int]:
    for rule, form in evaluator.rules:
        if isinstance(form, Counter) and applies_to(rule.when, squad.params):
            for card in (None, *evaluator.pack.cards.values()) if form.rule.per in ("card", "entry") else (None,):
                yield from (
                    max(1, int(bound.value)) for kind, bound in form.bounds(squad.params, card) if kind != "max"
                )
        yield 1
