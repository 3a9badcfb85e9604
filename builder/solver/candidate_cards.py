"""Find the cards that could satisfy a rule. No other added card can help."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from builder.model.rules import Source
from builder.roster.resolve import (
    SelectedCard,
    Squad,
    make_addition,
    make_test_selections,
)
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import CandidateTest, RuleForm

MAX_ROUNDS = 4
"""How often the cards are searched that candidates themselves need."""


@dataclass(frozen=True, slots=True)
class _RuleNeed:
    """The cards that could satisfy one rule.

    `is_trigger` is true for cards that may break the rule, so that it needs other cards.
    `ends_rule` is true for cards with which the rule is not in force.
    """

    rule_id: str
    is_trigger: Callable[[SelectedCard], bool]
    is_candidate: CandidateTest
    ends_rule: Callable[[SelectedCard], bool]

    def list_triggers(
        self, selected_cards: Sequence[SelectedCard]
    ) -> list[SelectedCard]:
        """Return the cards that may break the rule."""
        return [selected for selected in selected_cards if self.is_trigger(selected)]

    def is_met_by(
        self, additions: Sequence[SelectedCard], trigger_cards: Sequence[SelectedCard]
    ) -> bool:
        """Return True if one of the additions could satisfy the rule for these cards."""
        for addition in additions:
            if self.is_candidate(addition, trigger_cards) or self.ends_rule(addition):
                return True
        return False


class CandidateCards:
    """The cards that may help to satisfy the rules in force for a squad, with any choices."""

    def __init__(self, squad: Squad, evaluator: Evaluator) -> None:
        self._squad = squad
        self._evaluator = evaluator
        self._additions_by_card = _list_additions(squad, evaluator)
        self._needs: list[_RuleNeed] = []
        for form in evaluator.find_error_forms(squad.params):
            is_weak = bool(evaluator.domains.names_by_rule[form.rule.id])
            self._needs.append(_make_need(form, is_weak))
        self._cards_by_rules: dict[frozenset[str] | None, Mapping[str, Source]] = {}

    def find_rules_without_candidates(self) -> frozenset[str]:
        """Return the rules that no added card could satisfy."""
        squad_cards = self._squad.list_cards(Source.ALL)
        rule_ids = set()
        for need in self._needs:
            trigger_cards = need.list_triggers(squad_cards)
            additions_by_card = self._additions_by_card.values()
            if not any(
                need.is_met_by(additions, trigger_cards)
                for additions in additions_by_card
            ):
                rule_ids.add(need.rule_id)
        return frozenset(rule_ids)

    def find_cards(self, rules: frozenset[str] | None = None) -> Mapping[str, Source]:
        """Return the cards that could satisfy these rules, or any rule, by id with their source."""
        if rules not in self._cards_by_rules:
            self._cards_by_rules[rules] = self._search_cards(rules)
        return self._cards_by_rules[rules]

    def _search_cards(self, rules: frozenset[str] | None) -> Mapping[str, Source]:
        needs = [need for need in self._needs if rules is None or need.rule_id in rules]
        trigger_cards = list(self._squad.list_cards(Source.ALL))
        candidates: dict[str, Source] = {}
        for _round in range(MAX_ROUNDS):
            new_cards = self._find_further_candidates(needs, trigger_cards, candidates)
            candidates |= new_cards
            new_cards |= self._find_new_hosts(candidates)
            candidates |= new_cards
            if not new_cards:
                break
            for card_id in new_cards:
                trigger_cards += self._additions_by_card[card_id]
        return candidates

    def _find_further_candidates(
        self,
        needs: Sequence[_RuleNeed],
        trigger_cards: Sequence[SelectedCard],
        candidates: Mapping[str, Source],
    ) -> dict[str, Source]:
        """Return the cards that could satisfy a rule and are not candidates yet."""
        triggers_by_need = [(need, need.list_triggers(trigger_cards)) for need in needs]
        new_cards = {}
        for card_id, additions in self._additions_by_card.items():
            if card_id in candidates:
                continue
            if any(
                need.is_met_by(additions, triggers)
                for need, triggers in triggers_by_need
            ):
                new_cards[card_id] = additions[0].source
        return new_cards

    def _find_new_hosts(self, candidates: Mapping[str, Source]) -> dict[str, Source]:
        """Return the models that may carry a candidate and are not candidates yet."""
        evaluator = self._evaluator
        new_cards = {}
        for card_id, source in candidates.items():
            if source is Source.ATTACHMENTS:
                for host_id in evaluator.find_hosts(
                    evaluator.pack.cards[card_id], ignore_choices=True
                ):
                    if host_id not in candidates:
                        new_cards[host_id] = Source.ENTRIES
        return new_cards


def _make_need(form: RuleForm, is_weak: bool) -> _RuleNeed:
    selector = form.make_selector(form.rule.select, is_weak)
    is_candidate = form.make_candidate_test(is_weak)
    if form.not_exists is None:
        return _RuleNeed(
            form.rule.id, selector.matches_card, is_candidate, lambda _addition: False
        )
    # a card that ends a rule is as good as one that satisfies it
    ending = form.make_selector(form.not_exists.select, is_weak)
    return _RuleNeed(
        form.rule.id, selector.matches_card, is_candidate, ending.matches_card
    )


def _list_additions(
    squad: Squad, evaluator: Evaluator
) -> dict[str, list[SelectedCard]]:
    """Return, by card, the additions of it: to every old or new model if it is an attachment."""
    additions = {}
    attachments = []
    hosts = list(squad.entries)
    for card_id, selected in make_test_selections(evaluator.pack).items():
        if selected.source is Source.ATTACHMENTS:
            attachments.append(selected)
            continue
        addition = make_addition(selected.card, selected.source, None, squad)
        additions[card_id] = [addition]
        if selected.source is Source.ENTRIES:
            hosts.append(addition)
    for selected in attachments:
        card = selected.card
        additions[card.id] = [
            make_addition(card, selected.source, host, squad) for host in hosts
        ]
    return additions
