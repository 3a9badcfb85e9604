"""Find the cards that a rule may want. Any other card that is added can only make things worse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad, make_addition, select_all_cards
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm, WantedTest

MAX_ROUNDS = 4
"""How often the cards are searched that wanted cards want themselves."""


@dataclass(frozen=True, slots=True)
class _RuleNeed:
    """The cards that one rule may want.

    `is_asking` is true for cards because of which the rule may want others, `ends_rule` for cards
    with which the rule is not in force.
    """

    rule_id: str
    is_asking: Callable[[SelectedCard], bool]
    wants: WantedTest
    ends_rule: Callable[[SelectedCard], bool]

    def list_asking(self, selected_cards: Sequence[SelectedCard]) -> list[SelectedCard]:
        """Return the cards because of which the rule may want others."""
        return [selected for selected in selected_cards if self.is_asking(selected)]

    def is_met_by(
        self, additions: Sequence[SelectedCard], asking_cards: Sequence[SelectedCard]
    ) -> bool:
        """Return True if the rule may want one of the additions because of an asking card."""
        for addition in additions:
            if self.wants(addition, asking_cards) or self.ends_rule(addition):
                return True
        return False


class WantedCards:
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

    def find_rules_without_wants(self) -> frozenset[str]:
        """Return the rules that want no card because of the cards in the squad."""
        squad_cards = self._squad.list_cards(Source.ALL)
        rule_ids = set()
        for need in self._needs:
            asking_cards = need.list_asking(squad_cards)
            additions_by_card = self._additions_by_card.values()
            if not any(need.is_met_by(additions, asking_cards) for additions in additions_by_card):
                rule_ids.add(need.rule_id)
        return frozenset(rule_ids)

    def find_cards(self, rules: frozenset[str] | None = None) -> Mapping[str, Source]:
        """Return the cards that these rules, or any rule, may want, by id with their source."""
        if rules not in self._cards_by_rules:
            self._cards_by_rules[rules] = self._search_cards(rules)
        return self._cards_by_rules[rules]

    def _search_cards(self, rules: frozenset[str] | None) -> Mapping[str, Source]:
        needs = [need for need in self._needs if rules is None or need.rule_id in rules]
        asking_cards = list(self._squad.list_cards(Source.ALL))
        wanted_cards: dict[str, Source] = {}
        for _round in range(MAX_ROUNDS):
            new_cards = self._find_new_cards(needs, asking_cards, wanted_cards)
            wanted_cards |= new_cards
            new_cards |= self._find_new_hosts(wanted_cards)
            wanted_cards |= new_cards
            if not new_cards:
                break
            for card_id in new_cards:
                asking_cards += self._additions_by_card[card_id]
        return wanted_cards

    def _find_new_cards(
        self,
        needs: Sequence[_RuleNeed],
        asking_cards: Sequence[SelectedCard],
        wanted_cards: Mapping[str, Source],
    ) -> dict[str, Source]:
        """Return the cards that a rule may want besides those that are wanted already."""
        asking_by_need = [(need, need.list_asking(asking_cards)) for need in needs]
        new_cards = {}
        for card_id, additions in self._additions_by_card.items():
            if card_id in wanted_cards:
                continue
            if any(need.is_met_by(additions, asking) for need, asking in asking_by_need):
                new_cards[card_id] = additions[0].source
        return new_cards

    def _find_new_hosts(self, wanted_cards: Mapping[str, Source]) -> dict[str, Source]:
        """Return the models that may have a wanted attachment and are not wanted already."""
        evaluator = self._evaluator
        new_cards = {}
        for card_id, source in wanted_cards.items():
            if source is Source.ATTACHMENTS:
                for host_id in evaluator.find_hosts(evaluator.pack.cards[card_id], weak=True):
                    if host_id not in wanted_cards:
                        new_cards[host_id] = Source.ENTRIES
        return new_cards


def _make_need(form: RuleForm, is_weak: bool) -> _RuleNeed:
    selector = form.make_selector(form.rule.select, is_weak)
    wants = form.make_wanted_test(is_weak)
    if form.not_exists is None:
        return _RuleNeed(form.rule.id, selector.matches_card, wants, lambda _addition: False)
    # a card that ends a rule is as good as one that the rule wants
    ending = form.make_selector(form.not_exists.select, is_weak)
    return _RuleNeed(form.rule.id, selector.matches_card, wants, ending.matches_card)


def _list_additions(squad: Squad, evaluator: Evaluator) -> dict[str, list[SelectedCard]]:
    """Return, by card, the additions of it: to every old or new model if it is an attachment."""
    additions = {}
    attachments = []
    hosts = list(squad.entries)
    for card_id, selected in select_all_cards(evaluator.pack).items():
        if selected.source is Source.ATTACHMENTS:
            attachments.append(selected)
            continue
        addition = make_addition(selected.card, selected.source, None, squad)
        additions[card_id] = [addition]
        if selected.source is Source.ENTRIES:
            hosts.append(addition)
    for selected in attachments:
        card = selected.card
        additions[card.id] = [make_addition(card, selected.source, host, squad) for host in hosts]
    return additions
