"""Explain an illegal squad.

The smallest set of picks in conflict, and the cheapest repairs, proved by the solver.

A repair with fewer changes comes first, of equally many the one that changes the cost least. Only
cards that some rule may want are tried as additions: any other card can only make things worse.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.findings import Severity
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.rules.checker import RosterChecker
from builder.solver.complete import count_needed_copies
from builder.solver.conflict import Conflict, find_smallest_conflict
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.repair_model import (
    RepairModel,
    RepairOracle,
    RepairScope,
    RepairSolution,
    RepairTask,
)
from builder.solver.result import SolvedRoster

DEFAULT_REPAIRS, MAX_REPAIRS = 3, 50
"""Repairs that are searched for and shown: by default, and where all are asked for."""
MAX_EQUAL_SOLUTIONS = 5
"""Solutions that may say no more than another, looked at on the way to the repairs that are shown.
"""
FEWEST_SHARE, CONFLICT_SHARE = 1 / 2, 1 / 2
"""The parts of the remaining time for a repair of the fewest changes, and then for the conflict."""
MAX_VARIABLES = 30_000
"""Variables of a model: to make one of three times as many takes a minute."""
MAX_RULE_ADDITIONS = 3
"""How often rules are added to a model before it gets all of them."""
MAX_COPIES = 8
"""Copies of one card that are tried as additions at last. A repair of N changes cannot need more
than N.
"""


@dataclass(frozen=True, slots=True)
class MinimalRepair:
    """One repair: how many changes it takes, and by how much it changes the cost, up or down.

    `proved` if no other takes fewer changes, or as many and changes the cost less.
    """

    outcome: SolvedRoster
    changes: int
    cost_difference: int | float
    proved: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """`conflict` names what cannot all stay, whatever is added.

    It is empty if additions alone are enough.

    `open`: there may be more repairs than these.
    """

    conflict: Conflict
    repairs: tuple[MinimalRepair, ...]
    proved: bool
    open: bool = False


def find_explanation(
    checker: RosterChecker,
    roster: Roster,
    max_repairs: int = DEFAULT_REPAIRS,
    deadline: Deadline | None = None,
) -> Explanation:
    """Explain why a roster without problems is illegal, with the cheapest repairs first.

    All searches together end at the deadline. Without one it is that of a request that starts now.
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

    A model begins with the broken rules and those that want no card, so that it is small. If its
    best solution breaks none of the others, no solution of all rules is better: a model of fewer
    rules has more solutions. Otherwise the search begins anew with the rules that it breaks, and at
    last with all.
    """

    def __init__(self, checker: RosterChecker, roster: Roster, deadline: Deadline) -> None:
        self.checker = checker
        self.task = RepairTask.create_for_roster(checker, roster)
        self.deadline = deadline
        violations = checker.check(roster, repaired=False).violations
        errors = [item.rule for item in violations if item.severity is Severity.ERROR]
        self.broken_rules = frozenset(errors)
        self.rules: frozenset[str] | None = (
            self.broken_rules | self.task.wanted_cards.find_rules_without_wants()
        )
        self._rule_additions = 0
        self.model: RepairModel
        self.first: RepairSolution | None = None
        self.has_enough_copies = False
        """True if the model has as many copies of each card as the first repair may need."""

    def find_first_repair(self) -> None:
        """Search for the best repair in models with more and more rules and copies of each card."""
        deadline = self.deadline.share(FEWEST_SHARE)
        asked_copies = count_needed_copies(self.task.squad, self.checker.evaluator)
        max_copies = max(MAX_COPIES, asked_copies)
        self.model, self.first = self._find_best(1, deadline)
        while self._needs_copies(self.model.scope.max_copies, max_copies):
            copies = self._count_larger_copies(max_copies)
            if copies <= self.model.scope.max_copies or self.model.is_unsure:
                return
            try:
                model, solution = self._find_best(copies, deadline)
            except SearchTimeout:
                return
            if solution is None and model.is_unsure and self.first is not None:
                # the repair that is known is a repair, though it may not be of the fewest changes
                return
            self.model, self.first = model, solution
        self.has_enough_copies = True

    def _find_best(
        self, copies: int, deadline: Deadline, only_additions: bool = False
    ) -> tuple[RepairModel, RepairSolution | None]:
        """Return a model and its best solution, which breaks no rule that it lacks.

        Raise SearchTimeout.
        """
        wanted_by = self.broken_rules if only_additions else None
        while True:
            scope = RepairScope(copies, self.rules, only_additions, wanted_by)
            model = RepairModel(self.task, scope, deadline)
            solution = model.find_best()
            while solution is not None and solution.missing_rules:
                if not self._extend_model(model, solution.missing_rules):
                    break
                solution = model.find_best()
            else:
                return model, solution

    def _extend_model(self, model: RepairModel, missing_rules: frozenset[str]) -> bool:
        """Add rules to a model, which is much faster than a new one, or else for the next model.

        False if a new model is needed.
        """
        if self.rules is not None and model.add_rules(missing_rules):
            self.rules |= missing_rules
            return True
        self._add_rules(missing_rules)
        return False

    def _add_rules(self, missing_rules: frozenset[str]) -> None:
        """Add rules for the next models; all of them where that was done several times."""
        self._rule_additions += 1
        if self.rules is not None and self._rule_additions <= MAX_RULE_ADDITIONS:
            self.rules |= missing_rules
        else:
            self.rules = None

    def _needs_copies(self, copies: int, max_copies: int) -> bool:
        """Return True if more copies of a card may repair with fewer changes than known."""
        if copies >= max_copies:
            return False
        return self.first is None or self.first.changes > copies + 1

    def _count_larger_copies(self, max_copies: int) -> int:
        """Return how many copies of each card the next model has, so that it is not too large."""
        copies = self.model.scope.max_copies
        needed_copies = 3 * copies if self.first is None else self.first.changes - 1
        return min(max_copies, needed_copies, copies * MAX_VARIABLES // self.model.size)

    def find_conflict(self) -> Conflict:
        """Return the smallest set of what cannot all stay, whatever is added.

        It is empty, and not proved, where that was not found out.
        """
        deadline = self.deadline.share(CONFLICT_SHARE)
        copies = self.model.scope.max_copies + 1
        if copies * self.model.size > MAX_VARIABLES * self.model.scope.max_copies:
            return Conflict((), False)
        try:
            without_additions = RepairModel(self.task, RepairScope(0, None), deadline)
            larger_model = RepairModel(self.task, RepairScope(copies, self.rules), deadline)
            self.model.machine.deadline = deadline
            oracle = RepairOracle([without_additions, self.model, larger_model])
            conflict = find_smallest_conflict(oracle, oracle.switches)
            self._remember_rules(oracle)
            return conflict
        except SearchTimeout:
            return Conflict((), False)

    def _remember_rules(self, oracle: RepairOracle) -> None:
        """Give the next models the rules that a model of the oracle needed."""
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
                self.model, self.first = self._find_best(self.model.scope.max_copies, self.deadline)
            except SearchTimeout:
                return Explanation(conflict, (), False)

    def _find_more_repairs(
        self, conflict: Conflict, max_repairs: int, legal_repairs: list[MinimalRepair]
    ) -> Explanation | None:
        """Return the explanation; None if a solution breaks a rule that the model lacks."""
        model = self.model
        model.machine.deadline = self.deadline
        # a repair of more changes might be beaten by one with more copies of a card than were tried
        max_changes = model.scope.max_copies + 1
        repairs = select_different(legal_repairs)
        solution = self.first if len(repairs) < max_repairs else None
        is_open = len(repairs) >= max_repairs
        for _ in range(max_repairs + MAX_EQUAL_SOLUTIONS):
            if solution is None:
                break
            if solution.missing_rules:
                if not self._extend_model(model, solution.missing_rules):
                    return None
                # what was found so far breaks no rule and stays the best
                solution = model.find_best(max_changes if repairs else None)
                continue
            legal_repairs += self._make_legal_repairs(solution, max_changes)
            repairs = select_different(legal_repairs)
            if len(repairs) >= max_repairs:
                is_open = True
                break
            model.forbid_solution(solution)
            solution = model.find_best(max_changes if repairs else None)
            if solution is None and repairs and not model.is_unsure:
                is_open = model.has_solution()
        proved = all(repair.proved for repair in repairs[:DEFAULT_REPAIRS])
        if not repairs:
            proved = self.has_enough_copies and not model.is_unsure
        is_open = bool(repairs) and (is_open or solution is not None or model.is_unsure)
        return Explanation(conflict, repairs[:max_repairs], proved, is_open)

    def _make_legal_repairs(
        self, solution: RepairSolution, max_changes: int
    ) -> list[MinimalRepair]:
        """Return a solution as a repair if it is legal, else nothing."""
        named = solution.named
        if not named.result.legal:
            return []
        difference = abs(named.solved.cost - calculate_costs(self.model.squad).total)
        proved = solution.is_proved and solution.changes <= max_changes
        return [MinimalRepair(named.solved, solution.changes, difference, proved)]

    def _find_additions_of_one_card(self) -> list[MinimalRepair]:
        """Return a repair as short as the first that only adds copies, maybe all of one card.

        The model has one copy less of each card than such a repair may need.
        """
        first = self.first
        if first is None or first.changes != self.model.scope.max_copies + 1:
            return []
        try:
            _model, solution = self._find_best(first.changes, self.deadline, only_additions=True)
        except SearchTimeout:
            return []
        if solution is None or solution.changes != first.changes:
            return []
        return self._make_legal_repairs(solution, first.changes)


def select_different(repairs: Sequence[MinimalRepair]) -> tuple[MinimalRepair, ...]:
    """Return different repairs, the cheapest first.

    One that takes a card out and puts it in again says no more than another repair.
    """
    selected: dict[object, MinimalRepair] = {}
    for repair in sorted(repairs, key=lambda item: (item.changes, item.cost_difference)):
        outcome = repair.outcome
        removed_cards = {step.card for step in outcome.removals}
        added_cards = {step.card for step in outcome.additions if step.source is Source.ENTRIES}
        if removed_cards & added_cards and selected:
            continue
        removals = tuple((type(step), step.card) for step in outcome.removals)
        additions: list[tuple[object, ...]] = []
        for step in outcome.additions:
            where = step.line if step.source is Source.ATTACHMENTS else step.choices
            additions += [(step.card, where)] * step.count
        key = (removals, tuple(additions), outcome.links, outcome.choices)
        selected.setdefault(key, repair)
    return tuple(selected.values())
