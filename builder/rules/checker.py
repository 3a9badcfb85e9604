"""Check rosters by the rules of a pack. The rules are compiled once for any number of rosters."""

from dataclasses import dataclass, replace
from itertools import islice

from builder.findings import Severity
from builder.model.base import DataPath
from builder.model.formats import FormatDay
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.costs import calculate_costs
from builder.roster.operations import Remove, apply_operations
from builder.roster.resolve import Problem, Squad
from builder.rules.candidates import Candidate
from builder.rules.evaluate import Evaluator
from builder.rules.play_formats import with_format
from builder.rules.rule_index import RuleIndex
from builder.rules.violation import UNDECIDED, Repair, Violation


@dataclass(frozen=True, slots=True)
class RosterResult:
    """The result of checking a roster: problems (parts that cannot be read) and broken rules.

    A legal squad has neither, except for warnings.
    """

    problems: tuple[Problem, ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def legal(self) -> bool:
        """True if there are no problems and no violations except warnings."""
        return not self.problems and not self.errors

    @property
    def errors(self) -> tuple[Violation, ...]:
        """The violations that make the squad illegal."""
        return tuple(
            item for item in self.violations if item.severity is Severity.ERROR
        )

    @property
    def broken(self) -> frozenset[str]:
        """The ids of the broken rules."""
        return frozenset(
            item.rule for item in self.violations if item.kind != UNDECIDED
        )

    @property
    def undecided(self) -> frozenset[str]:
        """The ids of the rules that could not be decided."""
        return frozenset(
            item.rule for item in self.violations if item.kind == UNDECIDED
        )

    @property
    def is_undecided(self) -> bool:
        """True if only rules that could not be decided keep the squad from being legal."""
        if self.problems or not self.errors:
            return False
        return all(item.kind == UNDECIDED for item in self.errors)


LEGAL_RESULT = RosterResult()
MAX_SHOWN_REPAIRS = 3
MAX_TRIED_REPAIRS = 60
"""Repairs that are tried for one violation."""
MAX_REPAIR_STEPS = 30
MAX_LINES_CHECKED = 30_000
"""Lines of rosters that are checked in search of repairs. In a large roster only the first
violations get repairs.
"""
MAX_INDEXES = 256
"""Rule indexes in memory, one for each set of parameters."""
MAX_FORMAT_CHECKERS = 8
"""Checkers in memory, one for each play format and day."""


class RosterChecker:
    """Checks the rosters of one pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.evaluator = Evaluator(pack)
        self._indexes: dict[tuple[tuple[str, int | str], ...], RuleIndex] = {}
        self._format_checkers: dict[FormatDay, RosterChecker] = {}

    def get_format_checker(self, format_day: FormatDay | None) -> "RosterChecker":
        """Return the checker that also applies the limits of a play format on a day.

        It is this one if the pack has no format of that name, or already has the rules of one.
        """
        if format_day is None or self.pack.played is not None:
            return self
        if format_day.format not in self.pack.formats:
            return self
        if format_day not in self._format_checkers:
            # Each checker holds all rules compiled, so only the latest ones stay in memory.
            while len(self._format_checkers) >= MAX_FORMAT_CHECKERS:
                oldest, *_others = self._format_checkers
                del self._format_checkers[oldest]
            checker = RosterChecker(with_format(self.pack, format_day))
            self._format_checkers[format_day] = checker
        return self._format_checkers[format_day]

    def resolve_roster(self, roster: Roster) -> Squad:
        """Return the squad with its cards, and with every choice that has only one value."""
        return self.evaluator.resolve_roster(roster)

    def find_problems(self, squad: Squad) -> tuple[Problem, ...]:
        """Return the parts of a squad that cannot be read or that its models cannot have."""
        return (*squad.problems, *self.evaluator.find_useless_settings(squad))

    def check(self, roster: Roster, *, repaired: bool = True) -> RosterResult:
        """Check a roster by all rules. With `repaired`, add the best fixes to each violation."""
        squad = self.resolve_roster(roster)
        violations: list[Violation] = []
        for number in self.find_rules_to_check(squad):
            violations += self.evaluator.find_rule_violations(number, squad)
        problems = self.find_problems(squad)
        if not problems and not violations:
            return LEGAL_RESULT
        result = RosterResult(problems, tuple(violations))
        return self._add_repairs(result, squad) if repaired else result

    def _add_repairs(self, result: RosterResult, squad: Squad) -> RosterResult:
        """Return the result with the best fixes added to each violation.

        Of a large squad only of the first ones.
        """
        lines = 1 + len(squad.entries) + len(squad.attachments) + len(squad.deck)
        # the empty edit is the squad itself, which is checked already
        search = _RepairFinder(self, squad, {(): result})
        violations = []
        for number, violation in enumerate(result.violations):
            # Each tried repair checks all lines again, so a large squad gets fewer tries.
            remaining = MAX_LINES_CHECKED // lines - MAX_TRIED_REPAIRS * number
            max_tried = min(MAX_TRIED_REPAIRS, max(0, remaining))
            repairs = search.find_repairs(violation, max_tried)
            violations.append(replace(violation, repairs=repairs))
        return replace(result, violations=tuple(violations))

    def find_rules_to_check(self, squad: Squad) -> list[int]:
        """Return the indices of the rules that the squad may break. Others need no full check."""
        key = tuple(squad.params.items())
        # The parameters decide which rules can apply, so each set of them has its own index.
        if key not in self._indexes:
            if len(self._indexes) >= MAX_INDEXES:
                # Rosters rarely have this many sets of parameters, so all indexes may go.
                self._indexes.clear()
            triggers = {}
            for number, form in enumerate(self.evaluator.forms):
                if form.can_apply(squad.params):
                    triggers[number] = form.make_trigger(squad.params)
            self._indexes[key] = RuleIndex(triggers)
        return self._indexes[key].find_rules_to_check(squad)

    def find_attachment_slots(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """Return the types of the slots that each attachment uses, by its path.

        "" is an untyped slot.
        """
        placement = {}
        for form in self.evaluator.forms:
            if form.is_in_force(squad):
                placement.update(form.find_attachment_slots(squad))
        return placement


@dataclass(frozen=True, slots=True)
class _RepairFinder:
    """Finds edits of one squad that fix its violations.

    Each changed roster is checked once, for all violations.
    """

    checker: RosterChecker
    squad: Squad
    results: dict[Candidate, RosterResult]
    """The results of the squad after these edits."""

    def find_repairs(self, violation: Violation, max_tried: int) -> tuple[Repair, ...]:
        """Return the smallest edits that fix the violation, best first. Empty if none is known."""
        if not max_tried:
            return ()
        old_cost = calculate_costs(self.squad).total
        # Lines may move, so the violations of the rule are counted, not compared.
        old_violations, _old_errors = self._count_errors((), violation.rule)
        evaluator = self.checker.evaluator
        form = evaluator.get_form(violation.rule)
        candidates = form.find_repairs(violation, self.squad, evaluator.domains)
        ranked_repairs = []
        # Several ways to repair a rule may give the same edit, which is tried once.
        for number, candidate in enumerate(
            dict.fromkeys(islice(candidates, max_tried))
        ):
            if not 0 < len(candidate) <= MAX_REPAIR_STEPS:
                continue
            violations, errors = self._count_errors(candidate, violation.rule)
            if violations >= old_violations:
                continue
            changed_roster = apply_operations(self.squad.roster, *candidate)
            cost = calculate_costs(self.checker.resolve_roster(changed_roster)).total
            # the fewest remaining errors, then the fewest steps, then the smallest change of cost
            rank = (errors, _count_steps(candidate), abs(cost - old_cost), number)
            ranked_repairs.append((rank, Repair(candidate, errors == 0)))
        ranked_repairs.sort(key=lambda item: item[0])
        return tuple(repair for _rank, repair in ranked_repairs[:MAX_SHOWN_REPAIRS])

    def _count_errors(self, edits: Candidate, rule: str) -> tuple[int, int]:
        """Return how often a squad breaks a rule after the edits, and its errors in total."""
        if edits not in self.results:
            roster = apply_operations(self.squad.roster, *edits)
            self.results[edits] = self.checker.check(roster, repaired=False)
        result = self.results[edits]
        violations = sum(item.rule == rule for item in result.violations)
        return violations, len(result.errors) + len(result.problems)


def _count_steps(candidate: Candidate) -> int:
    return sum(step.count if isinstance(step, Remove) else 1 for step in candidate)


@dataclass(frozen=True, slots=True)
class Spending:
    """The cost of a squad and the most that the rules allow.

    None if no rule in force limits the whole cost.
    """

    used: float
    allowed: float | None


def find_spending(squad: Squad, evaluator: Evaluator) -> Spending:
    """Return the squad's cost and the lowest limit that any rule sets for it."""
    limits: list[float] = []
    for form in evaluator.forms:
        if form.is_in_force(squad):
            limits += form.find_cost_limits(squad.params)
    return Spending(calculate_costs(squad).total, min(limits, default=None))
