"""Explain an illegal squad: the smallest set of cards in conflict, and the cheapest repairs.

A repair with fewer changes comes first, of equally many the one that changes the cost least. Only
cards that could satisfy a rule are tried as additions: no other card can help.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.findings import Severity
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.rules.checker import RosterChecker
from builder.solver.additions import count_needed_copies
from builder.solver.conflict import Conflict, find_smallest_conflict
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.repair_model import (
    RepairDemandOracle,
    RepairModel,
    RepairScope,
    RepairSolution,
    RepairTask,
)
from builder.solver.result import SolvedRoster

DEFAULT_REPAIRS = 3
"""Repairs that are searched for and shown by default."""
MAX_REPAIRS = 50
"""Repairs that are searched for and shown if all are requested."""
MAX_EQUAL_SOLUTIONS = 5
"""Further solutions that are searched for, because some are no different repairs."""
FIRST_REPAIR_SHARE = 0.5
"""Share of the remaining time (0 to 1) for a repair of the fewest changes."""
CONFLICT_SHARE = 0.5
"""Share of the time that then remains (0 to 1) for the conflict."""
MAX_VARIABLES = 30_000
"""Variables of a model: to make one of three times as many takes a minute."""
MAX_RULE_ADDITIONS = 3
"""How often rules are added to a model before it gets all of them."""
MAX_COPIES = 8
"""Copies of one card that may be added in the largest model. A repair of N changes adds at most N.
"""


@dataclass(frozen=True, slots=True)
class MinimalRepair:
    """One repair: its number of changes, and the absolute difference of the cost.

    `is_proved` is True if no other has fewer changes, or as many and a smaller difference.
    """

    solved: SolvedRoster
    changes: int
    cost_difference: float
    is_proved: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """The conflict and the repairs of an illegal squad.

    `conflict` is empty if additions alone are enough. `is_proved` is True if no repairs are better,
    or if there is proved to be none. `has_more` is True if there may be more repairs than these.
    """

    conflict: Conflict
    repairs: tuple[MinimalRepair, ...]
    is_proved: bool
    has_more: bool = False


def explain_illegal_roster(
    checker: RosterChecker,
    roster: Roster,
    max_repairs: int = DEFAULT_REPAIRS,
    deadline: Deadline | None = None,
) -> Explanation:
    """Return why a roster breaks rules, and its repairs. Those with the fewest changes come first.

    The roster must have no unknown cards or other structural problems.

    All searches together end at the deadline, by default that of a request that starts now.
    """
    search = ExplanationSearch(checker, roster, deadline or Deadline.start())
    try:
        search.find_first_repair()
    except SearchTimeout:
        return Explanation(Conflict((), False), (), False)
    conflict = search.find_conflict()
    return search.find_repairs(conflict, max_repairs)


class ExplanationSearch:
    """The searches for one squad.

    The first model has the broken rules and those that no added card could satisfy, so that it
    is small. If its best solution breaks no other rule, no solution of all rules is better: a model
    of fewer rules has more solutions. Otherwise the next model gets the rules that were broken, the
    last one all.
    """

    def __init__(
        self, checker: RosterChecker, roster: Roster, deadline: Deadline
    ) -> None:
        self.checker = checker
        self.task = RepairTask.create_for_roster(checker, roster)
        self.deadline = deadline
        violations = checker.check(roster, repaired=False).violations
        errors = [item.rule for item in violations if item.severity is Severity.ERROR]
        self.broken_rules = frozenset(errors)
        rules_without_candidates = self.task.candidates.find_rules_without_candidates()
        self.rules: frozenset[str] | None = self.broken_rules | rules_without_candidates
        """The rules of the next model; None for all."""
        self._rule_additions = 0
        self.model: RepairModel
        self.first: RepairSolution | None = None
        self.has_enough_copies = False
        """True if the model has as many copies of each card as the first repair may need."""

    def find_first_repair(self) -> None:
        """Search for the best repair in solver models with more and more rules and added copies."""
        deadline = self.deadline.share(FIRST_REPAIR_SHARE)
        needed_copies = count_needed_copies(self.task.squad, self.checker.evaluator)
        max_copies = max(MAX_COPIES, needed_copies)
        self.model, self.first = self._find_best(1, deadline)
        while self._needs_copies(self.model.scope.max_copies, max_copies):
            # If the next model would be too large, the first repair stays, but is not proved.
            copies = self._count_larger_copies(max_copies)
            if copies <= self.model.scope.max_copies or self.model.is_unsure:
                return
            try:
                model, solution = self._find_best(
                    copies, deadline, max_changes=self._get_max_changes()
                )
            except SearchTimeout:
                # The time is shared: the rest of it is for the conflict and further repairs.
                return
            if solution is None and model.is_unsure and self.first is not None:
                # keep the earlier repair, though it may not have the fewest changes
                return
            self.model, self.first = model, solution
        self.has_enough_copies = True

    def _get_max_changes(self) -> int | None:
        """Return the changes of the first repair; None if there is none yet.

        Models with more copies have it as a solution, too. With this limit they are solved about
        10 times faster, because most of their additions are out of the question.
        """
        return None if self.first is None else self.first.changes

    def _find_best(
        self,
        copies: int,
        deadline: Deadline,
        only_additions: bool = False,
        max_changes: int | None = None,
    ) -> tuple[RepairModel, RepairSolution | None]:
        """Return a solver model and its best solution, which breaks no rule of the pack.

        Raise SearchTimeout.
        """
        rules_to_satisfy = self.broken_rules if only_additions else None
        while True:
            scope = RepairScope(copies, self.rules, only_additions, rules_to_satisfy)
            model = RepairModel(self.task, scope, deadline)
            solution = model.find_best(max_changes)
            while solution is not None and solution.missing_rules:
                if not self._extend_model(model, solution.missing_rules):
                    break
                solution = model.find_best(max_changes)
            if solution is None or not solution.missing_rules:
                return model, solution

    def _extend_model(self, model: RepairModel, missing_rules: frozenset[str]) -> bool:
        """Add rules to a solver model, which is much faster than to make a new one.

        If that is impossible, add them to the next solver model and return False.
        """
        if self.rules is not None and model.add_rules(missing_rules):
            self.rules |= missing_rules
            return True
        self._add_rules(missing_rules)
        return False

    def _add_rules(self, missing_rules: frozenset[str]) -> None:
        """Add rules to the solver models that are made from now on.

        After MAX_RULE_ADDITIONS calls, these models get all rules.
        """
        self._rule_additions += 1
        if self.rules is not None and self._rule_additions <= MAX_RULE_ADDITIONS:
            self.rules |= missing_rules
        else:
            self.rules = None

    def _needs_copies(self, copies: int, max_copies: int) -> bool:
        """Return True if a repair with more copies of a card may have fewer changes."""
        if copies >= max_copies:
            return False
        return self.first is None or self.first.changes > copies + 1

    def _count_larger_copies(self, max_copies: int) -> int:
        """Return how many copies of each card the next solver model adds. Limit its size."""
        copies = self.model.scope.max_copies
        needed_copies = 3 * copies if self.first is None else self.first.changes - 1
        return min(max_copies, needed_copies, copies * MAX_VARIABLES // self.model.size)

    def find_conflict(self) -> Conflict:
        """Return the smallest set of cards and settings that cannot all stay, whatever is added.

        It is empty and not proved if time ran out.
        """
        deadline = self.deadline.share(CONFLICT_SHARE)
        # One copy more than the repair needed: a conflict is one whatever is added.
        copies = self.model.scope.max_copies + 1
        if copies * self.model.size > MAX_VARIABLES * self.model.scope.max_copies:
            return Conflict((), False)
        try:
            without_additions = RepairModel(self.task, RepairScope(0, None), deadline)
            larger_model = RepairModel(
                self.task, RepairScope(copies, self.rules), deadline
            )
            self.model.solver.deadline = deadline
            oracle = RepairDemandOracle([without_additions, self.model, larger_model])
            conflict = find_smallest_conflict(oracle, oracle.demands)
            self._remember_rules(oracle)
            return conflict
        except SearchTimeout:
            return Conflict((), False)

    def _remember_rules(self, oracle: RepairDemandOracle) -> None:
        """Store the rules that the oracle's solver models needed, for the next solver models."""
        # The first model adds nothing, and has all rules from the beginning.
        for model in oracle.models[1:]:
            if self.rules is not None and model.scope.rules is not None:
                self.rules |= model.scope.rules

    def find_repairs(self, conflict: Conflict, max_repairs: int) -> Explanation:
        """Return the explanation with at most `max_repairs` repairs."""
        while True:
            legal_repairs = self._find_additions_of_one_card()
            explanation = self._find_more_repairs(conflict, max_repairs, legal_repairs)
            if explanation is not None:
                return explanation
            try:
                self.model, self.first = self._find_best(
                    self.model.scope.max_copies, self.deadline
                )
            except SearchTimeout:
                return Explanation(conflict, (), False)

    def _find_more_repairs(
        self, conflict: Conflict, max_repairs: int, legal_repairs: list[MinimalRepair]
    ) -> Explanation | None:
        """Return the explanation, or None if a solution breaks a rule that the model lacks."""
        model = self.model
        model.solver.deadline = self.deadline
        # A repair of more changes might be beaten by one with more copies of a card.
        max_changes = model.scope.max_copies + 1
        repairs = select_different(legal_repairs)
        solution = self.first
        for _attempt in range(max_repairs + MAX_EQUAL_SOLUTIONS):
            if solution is None or len(repairs) >= max_repairs:
                break
            if not solution.missing_rules:
                legal_repairs += self._make_legal_repairs(solution, max_changes)
                repairs = select_different(legal_repairs)
                if len(repairs) >= max_repairs:
                    break
                model.forbid_solution(solution)
            elif not self._extend_model(model, solution.missing_rules):
                return None
            # the repairs so far break no rule, so they stay the best
            solution = model.find_best(max_changes if repairs else None)
        return self._make_explanation(conflict, repairs[:max_repairs], solution)

    def _make_explanation(
        self,
        conflict: Conflict,
        repairs: tuple[MinimalRepair, ...],
        next_solution: RepairSolution | None,
    ) -> Explanation:
        """Return the explanation; `next_solution` is one that is no repair of it."""
        if not repairs:
            is_proved = self.has_enough_copies and not self.model.is_unsure
            return Explanation(conflict, (), is_proved)
        is_proved = all(repair.is_proved for repair in repairs[:DEFAULT_REPAIRS])
        has_more = next_solution is not None or self.model.is_unsure
        # without another short repair, there may still be one of more changes
        return Explanation(
            conflict, repairs, is_proved, has_more or self.model.has_solution()
        )

    def _make_legal_repairs(
        self, solution: RepairSolution, max_changes: int
    ) -> list[MinimalRepair]:
        """Return a solution as a repair if it is legal, else nothing."""
        outcome = solution.outcome
        if not outcome.result.legal:
            return []
        difference = abs(outcome.solved.cost - calculate_costs(self.model.squad).total)
        is_proved = solution.is_proved and solution.changes <= max_changes
        return [MinimalRepair(outcome.solved, solution.changes, difference, is_proved)]

    def _find_additions_of_one_card(self) -> list[MinimalRepair]:
        """Return a repair that only adds copies, if it has as many changes as the first repair.

        The model has one copy less of each card than such a repair may need, so another model finds
        it.
        """
        first = self.first
        if first is None or first.changes != self.model.scope.max_copies + 1:
            return []
        try:
            _model, solution = self._find_best(
                first.changes, self.deadline, only_additions=True
            )
        except SearchTimeout:
            return []
        if solution is None or solution.changes != first.changes:
            return []
        return self._make_legal_repairs(solution, first.changes)


def select_different(repairs: Sequence[MinimalRepair]) -> tuple[MinimalRepair, ...]:
    """Return the repairs that differ in cards, links or choices, the cheapest first.

    A repair that removes and adds the same card is left out if there is a cheaper one.
    """
    repairs_by_key: dict[object, MinimalRepair] = {}
    for repair in sorted(
        repairs, key=lambda item: (item.changes, item.cost_difference)
    ):
        if not repairs_by_key or not _replaces_card_by_itself(repair.solved):
            repairs_by_key.setdefault(_make_repair_key(repair.solved), repair)
    return tuple(repairs_by_key.values())


def _replaces_card_by_itself(solved: SolvedRoster) -> bool:
    """Return True if a repair removes a card and adds a model with the same card."""
    removed_cards = {step.card for step in solved.removals}
    added_cards = {
        step.card for step in solved.additions if step.source is Source.ENTRIES
    }
    return bool(removed_cards & added_cards)


def _make_repair_key(solved: SolvedRoster) -> object:
    """Return a key of a repair's changes, in which equal cards are interchangeable."""
    removals = tuple((type(step), step.card) for step in solved.removals)
    additions = []
    for step in solved.additions:
        detail = step.line if step.source is Source.ATTACHMENTS else step.choices
        additions += [(step.card, detail)] * step.count
    return (removals, tuple(additions), solved.links, solved.choices)
