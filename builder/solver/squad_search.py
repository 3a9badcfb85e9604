"""Search for different squads of one request, those that spend the most first."""

import random
from collections.abc import Iterator, Sequence

from builder.rules.checker import find_spending
from builder.solver.completion_model import CompletionModel
from builder.solver.naming import MAX_ROUNDS, LinkNames, NamedOutcome
from builder.solver.result import SolvedRoster, read_solution

MAX_SEED_EFFORT = 0.25
"""Seconds of the solver's own clock for a squad that the seed prefers.

This clock is the same on every machine, so that a seed gives the same squad everywhere.
"""
MAX_PREFERENCE = 9
"""The seed gives each card a preference from 0 to this number."""
CHOICE_PENALTY = 20
"""A choice that need not be made costs more than a preferred card gains."""


class SquadSearch:
    """Different squads of one request. Squads differ if they have other numbers of some card."""

    def __init__(
        self, task: CompletionModel, first_values: tuple[int, ...], is_first_best: bool
    ) -> None:
        """`first_values` is the first solution. `is_first_best` is True if none spends more."""
        self.task = task
        self.first_values = first_values
        self.is_first_best = is_first_best
        self.program = task.model.program
        self.max_spent = self._sum_spending(first_values)
        self.added_terms = task.make_terms_by_card(only_added=True)
        self.random = random.Random(task.request.seed)
        self.is_unsure = False
        """True once a squad was left out that may be legal."""

    def _sum_spending(self, values: Sequence[int]) -> int:
        return sum(factor * values[var] for var, factor in self.task.spending_terms)

    @property
    def is_full(self) -> bool:
        """True if the first squad spends all that can be spent, whatever is added."""
        task = self.task
        if not task.has_costs:
            return False
        allowed_cost = find_spending(task.squad, task.checker.evaluator).allowed
        if (
            allowed_cost is not None
            and self.max_spent >= allowed_cost * task.cost_scale
        ):
            return True
        return self._has_all_copies()

    def _has_all_copies(self) -> bool:
        """Return True if the first squad has every copy of every card that costs anything."""
        for part in self.task.model.list_parts():
            if not (part.selected.card.cost or self.task.squad.cost_steps):
                continue
            if self.first_values[part.copies] < self.program.ranges[part.copies][1]:
                return False
            if part.selected.card.id in self.task.capped_ids:
                return False
        return True

    def find_squads(self) -> Iterator[SolvedRoster]:
        """Yield as many legal squads as are requested. Each has passed the checker."""
        task = self.task
        names = LinkNames(task.checker, task.model, task.rules.links)
        values: tuple[int, ...] | None = self.first_values
        squads = refusals = 0
        while values is not None and squads < task.request.count:
            # The next squads spend at most as much, which shortens their search.
            spent = self._sum_spending(values)
            self.program.add_constraint(task.spending_terms, high=spent)
            values = self._remove_needless_choices(self._choose_by_seed(spent, values))
            solved = read_solution(task.model, task.rules.links, values)
            outcome = names.name_links(solved, values, on_old_entries=True)
            if outcome.result.legal:
                squads += 1
                yield outcome.solved
                self._require_other_counts(values)
            elif refusals == MAX_ROUNDS:
                self.is_unsure = True
                return
            else:
                refusals += 1
                self._exclude_illegal(outcome, values, names)
            if squads < task.request.count:
                values = task.solver.solve(
                    task.spending_terms, task.request.seed
                ).values

    def _exclude_illegal(
        self, outcome: NamedOutcome, values: Sequence[int], names: LinkNames
    ) -> None:
        """Forbid a solution whose squad is not legal."""
        if outcome.is_open:
            names.forbid_values(values)
        else:
            # the cards may be legal with other links, which are not searched for
            self.is_unsure = True
            self._require_other_counts(values)

    def proves_best(self, squads: Sequence[SolvedRoster]) -> bool:
        """Return True if no legal squad spends more than the first of these."""
        if not squads:
            return False
        best = squads[0]
        if self.task.has_costs:
            spent = best.cost
        else:
            spent = sum(entry.count for entry in best.roster.entries)
        if self.is_full and round(spent * self.task.cost_scale) == self.max_spent:
            return True
        return self.is_first_best and not self.task.capped_ids and not self.is_unsure

    def _choose_by_seed(self, spent: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """Return a squad that spends this much and that the seed prefers.

        If time is too short, return the given values.
        """
        preferences = []
        for _card_id, terms in sorted(self.added_terms.items()):
            preference = self.random.randint(0, MAX_PREFERENCE)
            preferences += [(var, preference) for var, _factor in terms]
        choice_literals = self.task.model.list_choice_literals()
        preferences += [(literal, -CHOICE_PENALTY) for literal in choice_literals]
        gate = self.program.add_variable()
        self.program.add_constraint(self.task.spending_terms, low=spent, when=(gate,))
        answer = self.task.solver.solve(
            preferences,
            self.task.request.seed,
            (gate,),
            max_effort=MAX_SEED_EFFORT,
            hint=values,
        )
        return answer.values or values

    def _remove_needless_choices(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """Return the same squad with as few choices as possible."""
        choice_literals = self.task.model.list_choice_literals()
        if not any(values[literal] for literal in choice_literals):
            return values
        gate = self.program.add_variable()
        for part in self.task.model.list_parts():
            copies = values[part.copies]
            self.program.add_constraint(
                [(part.copies, 1)], copies, copies, when=(gate,)
            )
        objective = [(literal, -1) for literal in choice_literals]
        answer = self.task.solver.solve(objective, required=(gate,), hint=values)
        return answer.values or values

    def _require_other_counts(self, values: Sequence[int]) -> None:
        """Require that the next squads have another number of some added card."""
        literals: list[int] = []
        for terms in self.added_terms.values():
            count = sum(values[var] for var, _factor in terms)
            literals += self.program.make_differences(terms, count)
        self.program.add_clause(literals)
