"""Complete a squad: find legal squads that contain all its cards and spend the most."""

from collections import Counter
from dataclasses import dataclass, replace

from builder.model.roster import Roster
from builder.rules.checker import RosterChecker
from builder.rules.choices import MAX_COUNTED_COPIES
from builder.solver.additions import count_needed_copies
from builder.solver.candidate_cards import CandidateCards
from builder.solver.completion_model import (
    CompletionModel,
    CompletionScope,
    SquadRequest,
)
from builder.solver.conflict import Conflict, ModelDemandOracle, find_smallest_conflict
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.result import SolvedRoster
from builder.solver.squad_search import SquadSearch

SEARCH_SCOPES = (CompletionScope(2, 1), CompletionScope(5, 2), CompletionScope(12, 3))
"""How many copies of a card may be added, and of an attachment to a model; tried in order."""


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """The completed squads, those that spend the most first.

    `is_proved` is True if no squad spends more than the first, or if there is proved to be none.
    `conflict` says why there is none.
    """

    squads: tuple[SolvedRoster, ...] = ()
    is_proved: bool = True
    conflict: Conflict | None = None


def find_completions(
    checker: RosterChecker,
    roster: Roster,
    request: SquadRequest,
    deadline: Deadline | None = None,
) -> CompletionResult:
    """Return legal squads that contain a roster without problems.

    Few copies of each card are tried first, because a small program is solved faster. A squad that
    spends all that may be spent cannot be improved. Otherwise more copies are tried.

    All searches together end at the deadline, by default that of a request that starts now.
    """
    return _CompletionSearch(
        checker, roster, request, deadline or Deadline.start()
    ).find_result()


class _CompletionSearch:
    """The searches of one request, with more and more copies of each card."""

    def __init__(
        self,
        checker: RosterChecker,
        roster: Roster,
        request: SquadRequest,
        deadline: Deadline,
    ) -> None:
        self.checker = checker
        self.squad = checker.resolve_roster(roster)
        self.request = request
        self.deadline = deadline
        self.needed_copies = count_needed_copies(self.squad, checker.evaluator)
        *smaller_scopes, largest = SEARCH_SCOPES
        min_copies = min(MAX_COUNTED_COPIES, self.needed_copies)
        self.largest_scope = replace(
            largest,
            max_copies=max(largest.max_copies, min_copies),
            max_attachments=max(largest.max_attachments, min_copies),
        )
        self.scopes = (*smaller_scopes, self.largest_scope)
        self.best_search: SquadSearch | None = None
        """The search that spends the most, whose squads are not found yet."""
        self.best_result: CompletionResult | None = None
        """The squads of an earlier search, if these are fewer than requested."""
        self.is_proved = False

    @property
    def tries_enough_copies(self) -> bool:
        """True if no rule may require more copies of a card than are tried."""
        return self.needed_copies <= MAX_COUNTED_COPIES

    def find_result(self) -> CompletionResult:
        """Return the squads, or the reason why there are none."""
        try:
            for scope in self.scopes:
                result = self._search_in(scope)
                if result is not None:
                    return result
        except SearchTimeout:
            # time ran out while more copies were tried: the best squads so far are the result
            self.is_proved = False
        return self._choose_result()

    def _search_in(self, scope: CompletionScope) -> CompletionResult | None:
        """Return the result if more copies cannot improve it. Raise SearchTimeout."""
        task = self._make_model(scope)
        answer = task.find_first()
        self.is_proved = answer.is_proved
        is_last = scope == self.largest_scope or not task.capped_ids
        if answer.values is not None:
            self._add_search(SquadSearch(task, answer.values, answer.is_proved))
            if not is_last:
                return self._finish_if_full()
        elif answer.is_proved and self.tries_enough_copies:
            conflict = self._find_quick_conflict()
            if conflict is not None:
                return CompletionResult((), True, conflict)
        return self._choose_result() if is_last else None

    def _add_search(self, search: SquadSearch) -> None:
        """Keep a search if it spends at least as much as the best one: it may find more squads."""
        if self.best_search is None or self.best_search.max_spent <= search.max_spent:
            self.best_search = search

    def _finish_if_full(self) -> CompletionResult | None:
        """Return the result if the best search spends all that it may and finds enough squads."""
        if self.best_search is None or not self.best_search.is_full:
            return None
        self.best_result = _find_squads(self.best_search)
        self.best_search = None
        has_enough_squads = len(self.best_result.squads) == self.request.count
        return self.best_result if has_enough_squads else None

    def _make_model(self, scope: CompletionScope) -> CompletionModel:
        return CompletionModel(
            self.checker, self.squad, self.request, scope, self.deadline
        )

    def _choose_result(self) -> CompletionResult:
        """Return the best squads so far. Without any, return the conflict if that is proved."""
        if self.best_search is not None:
            return _find_squads(self.best_search)
        if self.best_result is not None:
            return self.best_result
        if self.is_proved and self.tries_enough_copies:
            return CompletionResult((), True, self._find_conflict(self.largest_scope))
        return CompletionResult((), False)

    def _find_conflict(self, scope: CompletionScope) -> Conflict:
        """Return the smallest set of demands that cannot all hold in a scope."""
        try:
            task = self._make_model(replace(scope, is_conflict=True))
        except SearchTimeout:
            return Conflict((), False)
        demands = task.list_demands()
        return find_smallest_conflict(ModelDemandOracle(task.solver, demands), demands)

    def _find_quick_conflict(self) -> Conflict | None:
        """Return the smallest conflict if it holds in the largest scope; None if that is unknown.

        A model with all rules and many copies of every card takes up to a minute to make. So the
        conflict is searched for in a model without additions. It is proved in one that has only its
        rules, and of the additions only the cards that could satisfy these rules: no other addition
        can help. No smaller conflict comes with more additions, because each
        conflict of the larger model is one of the model without additions too.
        """
        conflict = self._find_conflict(CompletionScope(0, 0))
        if not conflict.demands or not conflict.is_proved:
            return None
        # a request may need any card
        if any(demand.kind in ("want", "exact") for demand in conflict.demands):
            return None
        rules = frozenset(
            demand.name for demand in conflict.demands if demand.kind == "rule"
        )
        cards = frozenset(
            CandidateCards(self.squad, self.checker.evaluator).find_cards(rules)
        )
        scope = replace(
            self.largest_scope, is_conflict=True, only_rules=rules, only_cards=cards
        )
        try:
            task = self._make_model(scope)
        except SearchTimeout:
            return None
        return conflict if _is_conflict_in(conflict, task) else None


def _is_conflict_in(conflict: Conflict, task: CompletionModel) -> bool:
    """Return True if the demands of a conflict cannot hold together in another model either."""
    # equal copies of a card have equal keys
    missing_demands = Counter(demand.key for demand in conflict.demands)
    literals = []
    for demand in task.list_demands():
        if missing_demands[demand.key]:
            missing_demands[demand.key] -= 1
            literals.append(demand.literal)
    answer = task.solver.solve(required=literals)
    return answer.values is None and answer.is_proved and not missing_demands.total()


def _find_squads(search: SquadSearch) -> CompletionResult:
    squads = tuple(search.find_squads())
    return CompletionResult(squads, search.proves_best(squads))
