"""Find the cards that a rule may want. Any other card that is added can only make things worse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad, make_addition, select_all_cards
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm, WantedTest

MAX_ROUNDS = 4
"""How often the cards are looked up that wanted cards want themselves."""


@dataclass(frozen=True, slots=True)
class _Need:
    """What one rule may want.

    `asks` is true for picks that may ask for something, `ends_rule` for picks with which the rule
    is not in force.
    """

    rule_id: str
    asks: Callable[[SelectedCard], bool]
    wants: WantedTest
    ends_rule: Callable[[SelectedCard], bool]

    def list_asking(self, picks: Sequence[SelectedCard]) -> list[SelectedCard]:
        """Return the picks that may ask for something."""
        return [selected for selected in picks if self.asks(selected)]

    def is_met_by(
        self, picks: Sequence[SelectedCard], asking_picks: Sequence[SelectedCard]
    ) -> bool:
        """Return True if the rule may want one of the picks because of one of the others."""
        return any(
            self.wants(selected, asking_picks) or self.ends_rule(selected) for selected in picks
        )


class WantedCards:
    """The cards that the rules in force for a squad may want, whatever is chosen for models."""

    def __init__(self, squad: Squad, evaluator: Evaluator) -> None:
        self._squad = squad
        self._evaluator = evaluator
        self._candidates = _make_candidates(squad, evaluator)
        self._needs: list[_Need] = []
        for form in evaluator.find_error_forms(squad.params):
            is_weak = bool(evaluator.domains.names_by_rule[form.rule.id])
            self._needs.append(_make_need(form, is_weak))
        self._cards_by_rules: dict[frozenset[str] | None, dict[str, Source]] = {}

    def find_rules_without_wants(self) -> frozenset[str]:
        """Return the rules that want no card because of what is in the squad."""
        rules: set[str] = set()
        for need in self._needs:
            asking_picks = need.list_asking([*self._squad.list_cards(Source.ALL)])
            if not any(need.is_met_by(picks, asking_picks) for picks in self._candidates.values()):
                rules.add(need.rule_id)
        return frozenset(rules)

    def find_cards(self, rules: frozenset[str] | None = None) -> dict[str, Source]:
        """Return the cards that some or all rules may want, each with its place in a roster."""
        if rules not in self._cards_by_rules:
            self._cards_by_rules[rules] = self._search_cards(rules)
        return self._cards_by_rules[rules]

    def _search_cards(self, rules: frozenset[str] | None) -> dict[str, Source]:
        needs = [need for need in self._needs if rules is None or need.rule_id in rules]
        asking_picks = list(self._squad.list_cards(Source.ALL))
        wanted_cards: dict[str, Source] = {}
        for _round in range(MAX_ROUNDS):
            new_cards = self._find_new_cards(needs, asking_picks, wanted_cards)
            wanted_cards |= new_cards
            new_cards |= self._find_new_carriers(wanted_cards)
            wanted_cards |= new_cards
            if not new_cards:
                break
            for card_id in new_cards:
                asking_picks += self._candidates[card_id]
        return wanted_cards

    def _find_new_cards(
        self,
        needs: Sequence[_Need],
        asking_picks: Sequence[SelectedCard],
        wanted_cards: Mapping[str, Source],
    ) -> dict[str, Source]:
        """Return the cards that a rule may want because of the selected cards."""
        asking_by_need = [(need, need.list_asking(asking_picks)) for need in needs]
        new_cards: dict[str, Source] = {}
        for card_id, picks in self._candidates.items():
            if card_id not in wanted_cards and any(
                need.is_met_by(picks, asking) for need, asking in asking_by_need
            ):
                new_cards[card_id] = picks[0].source
        return new_cards

    def _find_new_carriers(self, wanted_cards: Mapping[str, Source]) -> dict[str, Source]:
        """Return the models that may carry a wanted attachment, without those that are known."""
        evaluator = self._evaluator
        new_cards: dict[str, Source] = {}
        for card_id, source in wanted_cards.items():
            if source is not Source.ATTACHMENTS:
                continue
            for carrier_id in evaluator.find_carriers(evaluator.pack.cards[card_id], weak=True):
                if carrier_id not in wanted_cards:
                    new_cards[carrier_id] = Source.ENTRIES
        return new_cards


def _make_need(form: RuleForm, is_weak: bool) -> _Need:
    selector = form.make_selector(form.rule.select, is_weak)
    if form.not_exists is None:
        return _Need(
            form.rule.id, selector.matches_card, form.make_wanted_test(is_weak), lambda _pick: False
        )
    # a card that ends a rule is as good as one that the rule wants
    ending = form.make_selector(form.not_exists.select, is_weak)
    return _Need(
        form.rule.id, selector.matches_card, form.make_wanted_test(is_weak), ending.matches_card
    )


def _make_candidates(squad: Squad, evaluator: Evaluator) -> dict[str, list[SelectedCard]]:
    """Return, by card, the picks that an addition of it may make."""
    cards = evaluator.pack.cards
    sources = {
        card_id: selected.source for card_id, selected in select_all_cards(evaluator.pack).items()
    }
    candidates: dict[str, list[SelectedCard]] = {}
    bearers = list(squad.entries)
    for card_id, source in sources.items():
        if source is not Source.ATTACHMENTS:
            candidates[card_id] = [make_addition(cards[card_id], source, None, squad)]
            if source is Source.ENTRIES:
                bearers += candidates[card_id]
    for card_id, source in sources.items():
        if source is Source.ATTACHMENTS:
            card = cards[card_id]
            candidates[card_id] = [make_addition(card, source, host, squad) for host in bearers]
    return candidates
