"""Which cards some rule may want in a squad: what lower bounds count, what ties point at, what picks need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.findings import Severity
from builder.model.rules import Limit, Select, Source
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import number
from builder.rules.choices import added
from builder.rules.evaluate import Evaluator, Form, applies_to
from builder.rules.forms.counting import Counter
from builder.rules.forms.relations import Need, Tied
from builder.rules.query import Selector, compile_where, static_part
from builder.rules.tables import OF_ROLE
from builder.rules.ways import ways_of

CAP = 12
ROUNDS = 4
"""Copies of a wanted card at most; how often what wanted cards want themselves is looked up."""


def wanted(squad: Squad, evaluator: Evaluator) -> dict[str, Source]:
    """The cards, each with the place where it stands, whatever is chosen for models."""
    pack = evaluator.pack
    sources = {card.id: source for card in pack.cards.values() if (source := OF_ROLE.get(pack.role(card))) is not None}
    needs = [_Wish(form, bool(ways_of(evaluator).of_rule[rule.id])) for rule, form in evaluator.rules
             if rule.severity is Severity.ERROR and applies_to(rule.when, squad.params)]  # fmt: skip
    pool = list(squad.picks(Source.ALL))
    found: dict[str, Source] = {}
    bearers = _bearers(squad, evaluator)
    picks = {card: _picks(card, source, squad, evaluator, bearers) for card, source in sources.items()}
    for _ in range(ROUNDS):
        before = len(found)
        for need in needs:
            need.look(pool)
        for card, source in sources.items():
            if card not in found and any(need.wants(pick) for need in needs for pick in picks[card]):
                found[card] = source
                pool += picks[card]
        if len(found) == before:
            break
    return found


class _Wish:
    """What one rule may want; where it asks about choices, only what does not hang on them counts."""

    def __init__(self, form: Form, open_: bool) -> None:
        self.form = form
        self.rule = form.rule
        self.takes = _weak(self.rule.select, open_)
        self.needs = _weak(form.rule.needs, open_) if isinstance(form, Need) else None
        self.target = compile_where(static_part(form.rule.target) if open_ else form.rule.target) \
            if isinstance(form, Tied) else None  # fmt: skip
        self.asking: list[Pick] = []

    def look(self, pool: Sequence[Pick]) -> None:
        """Who may ask for something now."""
        if not isinstance(self.form, Counter):
            self.asking = [pick for pick in pool if self.takes.takes(pick)]

    def wants(self, pick: Pick) -> bool:
        """True if the rule may want such a pick."""
        if isinstance(self.form, Counter):
            return self._counts(self.form.rule, pick)
        if self.target is not None:
            return pick.source is Source.ENTRIES and any(self.target(pick, other) for other in self.asking)
        return self.needs is not None and any(self.needs.takes(pick, other) for other in self.asking)

    def _counts(self, rule: Limit, pick: Pick) -> bool:
        """True if the pick may bring a lower bound nearer, or takes from an upper one."""
        if not self.takes.takes(pick):
            return False
        if rule.min is not None or rule.exactly is not None:
            return True
        return rule.measure.sum is not None and (number(pick.value(rule.measure.sum)) or 0) < 0


def _weak(select: Select, open_: bool) -> Selector:
    """A selection; where choices are open without all that hangs on them."""
    if not open_:
        return Selector(select)
    bearer = static_part(select.bearer) if select.bearer is not None else None
    return Selector(select.model_copy(update={"where": static_part(select.where), "bearer": bearer}))


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
