"""Additions to a squad as parts of a decision model."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad, make_addition
from builder.rules.checker import RosterChecker
from builder.rules.choices import MAX_COUNTED_COPIES, Chooser, find_entry_sizes
from builder.rules.decision_model import DecisionModel
from builder.rules.decision_parts import DecisionEntry
from builder.rules.evaluate import Evaluator
from builder.solver.deadline import Deadline

LimitAdditions: TypeAlias = Callable[[Card, int, int], int]
"""The number of additions of a card that get a variable.

It gets the card, the number of additions that the rules allow, and the copies of each addition.
"""


class Additions:
    """Adds cards to a solver model, at most as often as the rules of a squad allow."""

    model: DecisionModel

    def __init__(
        self, chooser: Chooser, limit_additions: LimitAdditions, deadline: Deadline
    ) -> None:
        """After the deadline every addition raises SearchTimeout."""
        self.deadline = deadline
        self.chooser = chooser
        self.limit_additions = limit_additions
        self._max_copies: dict[tuple[DataPath | str, str], int] = {}

    def create_model(
        self,
        squad: Squad,
        keeps_cards: bool,
        can_grow: Callable[[SelectedCard], bool] = lambda _entry: True,
    ) -> DecisionModel:
        """Return the solver model of a squad. `can_grow` tells which entries may grow."""

        def count_further_copies(entry: SelectedCard) -> int:
            if not can_grow(entry):
                return 0
            addition = make_addition(
                entry.card, Source.ENTRIES, None, self.chooser.squad
            )
            return self.limit_additions(
                entry.card, self.chooser.count_max_copies(addition), 1
            )

        self.model = DecisionModel(
            squad, self.chooser.domains, keeps_cards, count_further_copies
        )
        return self.model

    def add_card(self, card: Card, source: Source) -> None:
        """Add a card to the solver model, as new entries or as a deck card."""
        self.deadline.check()
        squad = self.chooser.squad
        addition = make_addition(card, source, None, squad)
        if source is Source.DECK:
            copies = self.limit_additions(
                card, self.chooser.count_max_copies(addition), 1
            )
            if copies:
                self.model.add_deck_card(card, copies)
            return
        min_models, max_models = find_entry_sizes(card, squad, self.chooser.evaluator)
        addition = replace(addition, count=min_models, copies_per_model=min_models)
        legal_entries = self.chooser.count_max_copies(addition)
        max_entries = self.limit_additions(card, legal_entries, min_models)
        self.model.add_entries(card, max_entries, max_models)

    def add_attachment(self, card: Card, entry: DecisionEntry) -> None:
        """Add possible copies of an attachment to an entry of the solver model."""
        self.deadline.check()
        host, squad = entry.part.selected, self.chooser.squad
        # New models of one card have no attachments yet, so that they share one limit.
        key: tuple[DataPath | str, str] = (host.path, card.id)
        if host not in squad.entries:
            key = (host.card.id, card.id)
            host = replace(host, count=1, copies_per_model=1)
        if key not in self._max_copies:
            addition = make_addition(card, Source.ATTACHMENTS, host, squad)
            self._max_copies[key] = self.chooser.count_max_copies(addition)
        copies = self.limit_additions(card, self._max_copies[key], 1)
        self.model.add_attachment(card, entry, copies)


def remove_all_cards(squad: Squad, checker: RosterChecker) -> Squad:
    """Return the squad without any card."""
    return checker.resolve_roster(
        squad.roster.model_copy(update={"entries": (), "deck": ()})
    )


def count_needed_copies(squad: Squad, evaluator: Evaluator) -> int:
    """Return how many copies of one card the rules may require.

    The result is at most MAX_COUNTED_COPIES + 1, one more than are tried.
    """
    counted_copies, linked_copies = [1], [1]
    for form in evaluator.forms:
        if form.can_apply(squad.params):
            copies = linked_copies if form.link else counted_copies
            copies += form.find_needed_copies(squad)
    # Each added model may need one more model as the target of its link.
    needed_copies = max(counted_copies) + max(linked_copies) - 1
    return min(MAX_COUNTED_COPIES + 1, needed_copies)
