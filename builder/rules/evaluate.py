"""The authority on a squad: every rule of a pack, compiled once and asked in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from builder.model.pack import Pack
from builder.model.rules import Allow, Condition, Limit, LinkRule, Requires, Rule, Slots
from builder.roster.resolve import Squad
from builder.rules.forms.counting import Counter
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Need, Permit, Tied
from builder.rules.query import Selector
from builder.rules.violation import Violation

Form: TypeAlias = Counter | Placer | Permit | Tied | Need


def compile_rule(rule: Rule, pack: Pack) -> Form:
    """One rule in its compiled form."""
    if isinstance(rule, Limit):
        return Counter(rule)
    if isinstance(rule, Slots):
        return Placer(rule)
    if isinstance(rule, Allow):
        return Permit(rule, pack.cards)
    if isinstance(rule, LinkRule):
        return Tied(rule)
    assert isinstance(rule, Requires)
    return Need(rule)


def applies_to(when: Condition | None, params: Mapping[str, int | str]) -> bool:
    """True if the parameters are those that the condition asks for."""
    if when is None:
        return True
    for name, wanted in when.params.items():
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        if params.get(name) not in allowed:
            return False
    return True


class Evaluator:
    """All rules of a pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.rules = tuple((rule, compile_rule(rule, pack)) for rule in pack.rules.rules)
        self._forms = {rule.id: form for rule, form in self.rules}
        self._exists = {rule.id: Selector(rule.when.exists) for rule, _ in self.rules if rule.when and rule.when.exists}

    def applies(self, rule: Rule, squad: Squad) -> bool:
        """True if the rule is in force for this squad."""
        exists = self._exists.get(rule.id)
        return applies_to(rule.when, squad.params) and (exists is None or bool(exists.of(squad)))

    def form(self, rule: str) -> Form:
        """The compiled form of the rule with this id."""
        return self._forms[rule]

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every violation, rule by rule."""
        for index in range(len(self.rules)):
            yield from self.judge_one(index, squad)

    def judge_one(self, index: int, squad: Squad) -> Iterator[Violation]:
        """The violations of one rule, by its place in rules.yaml."""
        rule, form = self.rules[index]
        if self.applies(rule, squad):
            yield from form.judge(squad)
