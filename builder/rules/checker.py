"""The judge of a pack: compiled once, asked for any number of rosters; details only of what is broken."""

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
    """What a judgement comes to: problems (things not understood) and violations, each empty for a legal squad."""

    problems: tuple[Problem, ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def legal(self) -> bool:
        """True if nothing is wrong but, at most, what the rules call a warning."""
        return not self.problems and not any(
            item.severity is Severity.ERROR for item in self.violations
        )

    @property
    def broken(self) -> frozenset[str]:
        """The ids of the broken rules."""
        return frozenset(item.rule for item in self.violations if item.kind != UNDECIDED)

    @property
    def undecided(self) -> frozenset[str]:
        """The ids of the rules that could not be decided."""
        return frozenset(item.rule for item in self.violations if item.kind == UNDECIDED)

    @property
    def is_undecided(self) -> bool:
        """True if the squad is not known to be illegal, and not known to be legal either."""
        errors = [item for item in self.violations if item.severity is Severity.ERROR]
        return not self.problems and bool(errors) and all(item.kind == UNDECIDED for item in errors)


LEGAL_RESULT = RosterResult()
SHOWN, TRIED, STEPS = 3, 60, 30
"""How many repairs are shown, how many candidates are tried, and of how many steps, at most."""
EFFORT = 30_000
"""Lines of rosters that are judged in search of repairs, at most: the violations of a large roster are told all, but
only the first of them with repairs."""


MAX_INDEXES = 256
"""Sets of parameters whose rule indexes are kept."""
MOST_PLAYED = 8
"""Play formats, each on a day, whose judges are kept."""


class RosterChecker:
    """All that is needed to judge squads of one pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.evaluator = Evaluator(pack)
        self._indexes: dict[tuple[tuple[str, int | str], ...], RuleIndex] = {}
        self._played: dict[FormatDay, RosterChecker] = {}

    def get_format_checker(self, played: FormatDay | None) -> "RosterChecker":
        """The judge of a play format on a day; this one where the pack has none of that name, or is played by one."""
        if played is None or self.pack.played is not None or played.format not in self.pack.formats:
            return self
        if played not in self._played:
            while len(self._played) >= MOST_PLAYED:
                self._played.pop(*islice(self._played, 1))
            self._played[played] = RosterChecker(with_format(self.pack, played))
        return self._played[played]

    def resolve_roster(self, roster: Roster) -> Squad:
        """The squad that a roster describes, with every choice that has only one value."""
        return self.evaluator.resolve_roster(roster)

    def find_problems(self, squad: Squad) -> tuple[Problem, ...]:
        """All that is not understood of a squad, and what it states that its models cannot have."""
        return (*squad.problems, *self.evaluator.find_useless_settings(squad))

    def check(self, roster: Roster, *, repaired: bool = True) -> RosterResult:
        """Judge a roster; with `repaired` each violation comes with its nearest repairs."""
        squad = self.resolve_roster(roster)
        violations: list[Violation] = []
        for number in self.find_suspects(squad):
            violations += self.evaluator.find_rule_violations(number, squad)
        problems = self.find_problems(squad)
        if not problems and not violations:
            return LEGAL_RESULT
        verdict = RosterResult(problems, tuple(violations))
        return self._with_repairs(verdict, squad) if repaired else verdict

    def _with_repairs(self, verdict: RosterResult, squad: Squad) -> RosterResult:
        """Return the verdict with the nearest repairs of each violation; of a large squad only of the first ones."""
        lines = 1 + len(squad.entries) + len(squad.attachments) + len(squad.deck)
        search = _Search(self, squad, {(): verdict})
        violations: list[Violation] = []
        for number, violation in enumerate(verdict.violations):
            candidates = min(TRIED, max(0, EFFORT // lines - TRIED * number))
            violations.append(
                replace(violation, repairs=search.find_repairs(violation, candidates))
            )
        return replace(verdict, violations=tuple(violations))

    def find_suspects(self, squad: Squad) -> list[int]:
        """Return the numbers of the rules that the squad may break, all that it breaks among them."""
        key = tuple(squad.params.items())
        if key not in self._indexes:
            if len(self._indexes) >= MAX_INDEXES:
                self._indexes.clear()
            watches = {}
            for number, form in enumerate(self.evaluator.forms):
                if form.can_apply(squad.params):
                    watches[number] = form.make_watch(squad.params)
            self._indexes[key] = RuleIndex(watches)
        return self._indexes[key].find_suspects(squad)

    def find_placement(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """The slots that each attachment got, by its path; empty text is an untyped slot."""
        binding = (form for form in self.evaluator.forms if form.is_in_force(squad))
        return {
            path: slots for form in binding for path, slots in form.find_placement(squad).items()
        }


@dataclass(frozen=True, slots=True)
class _Search:
    """Repairs of one squad's violations: what several of them try is judged once."""

    checker: RosterChecker
    squad: Squad
    results: dict[Candidate, RosterResult]
    """What is known by now of the squad after these edits."""

    def find_repairs(self, violation: Violation, most: int) -> tuple[Repair, ...]:
        """The nearest repairs, best first, of so many that are tried; none if no small change mends it."""
        if not most:
            return ()
        before = calculate_costs(self.squad).total
        # lines may move, so places broken are counted, not compared
        was = self._broken((), violation.rule)[0]
        tried: list[tuple[int, int, float, int, Repair]] = []
        evaluator = self.checker.evaluator
        candidates = evaluator.get_form(violation.rule).find_repairs(
            violation, self.squad, evaluator.domains
        )
        for number, candidate in enumerate(dict.fromkeys(islice(candidates, most))):
            if not 0 < len(candidate) <= STEPS:
                continue
            places, left = self._broken(candidate, violation.rule)
            if places < was:
                changed = apply_operations(self.squad.roster, *candidate)
                change = calculate_costs(self.checker.resolve_roster(changed)).total - before
                size = sum(step.count if isinstance(step, Remove) else 1 for step in candidate)
                tried.append(
                    (left, size, abs(change), number, Repair(candidate, left == 0, change))
                )
        return tuple(repair for *_, repair in sorted(tried, key=lambda item: item[:4])[:SHOWN])

    def _broken(self, edits: Candidate, rule: str) -> tuple[int, int]:
        """In how many places the squad then breaks a rule, and how many problems and errors it has in all."""
        if edits not in self.results:
            self.results[edits] = self.checker.check(
                apply_operations(self.squad.roster, *edits), repaired=False
            )
        verdict = self.results[edits]
        errors = [item for item in verdict.violations if item.severity is Severity.ERROR]
        return sum(item.rule == rule for item in verdict.violations), len(errors) + len(
            verdict.problems
        )


@dataclass(frozen=True, slots=True)
class Spending:
    """What the squad costs and the most it may cost; None where no rule in force limits the whole cost."""

    used: int | float
    allowed: int | float | None


def find_spending(squad: Squad, evaluator: Evaluator) -> Spending:
    """The squad's cost against the tightest rule about the sum of costs of the whole roster."""
    limits = (
        limit
        for form in evaluator.forms
        if form.is_in_force(squad)
        for limit in form.find_cost_limits(squad.params)
    )
    return Spending(calculate_costs(squad).total, min(limits, default=None))
