"""An illegal squad as a program in which every card may be removed and others may be added."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.findings import Severity
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.choices import Chooser
from builder.rules.decision_parts import DecisionEntry
from builder.solver.additions import Additions, remove_all_cards
from builder.solver.candidate_cards import CandidateCards
from builder.solver.conflict import (
    Demand,
    KeptDemands,
    find_detail_demands,
    make_stay_demands,
    read_kept_demands,
)
from builder.solver.cpsat import ProgramSolver
from builder.solver.deadline import Deadline
from builder.solver.naming import MAX_ROUNDS, LinkNames, NamedOutcome
from builder.solver.repair_changes import RepairChanges
from builder.solver.result import read_solution
from builder.solver.rule_program import RuleProgram

KEPT_WEIGHT = 100
"""The weight of one demand that is kept. It is more than that of the additions that this takes."""


@dataclass(frozen=True, slots=True)
class RepairScope:
    """The changes that a repair may make, and the rules that it obeys (None: all rules).

    Up to `max_copies` may be added of each card that could satisfy `rules` or, if given,
    `rules_to_satisfy`. With `only_additions` nothing may be removed.
    """

    max_copies: int
    rules: frozenset[str] | None
    only_additions: bool = False
    rules_to_satisfy: frozenset[str] | None = None

    def with_rules(self, rules: frozenset[str]) -> "RepairScope":
        """Return the scope with more rules."""
        return self if self.rules is None else replace(self, rules=self.rules | rules)


@dataclass(frozen=True, slots=True)
class RepairSolution:
    """One solution: the variables' values, its number of changes, and its roster.

    `is_proved` is True if no solution is better. `missing_rules` are broken and not in the model.
    """

    values: tuple[int, ...]
    changes: int
    is_proved: bool
    outcome: NamedOutcome
    missing_rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class RepairTask:
    """The squad to be repaired, with what is computed once for all its models."""

    checker: RosterChecker
    squad: Squad
    candidates: CandidateCards
    chooser: Chooser
    """Additions to the empty squad."""

    @classmethod
    def create_for_roster(cls, checker: RosterChecker, roster: Roster) -> "RepairTask":
        """Return the task for a roster without problems."""
        squad = checker.resolve_roster(roster)
        chooser = Chooser(remove_all_cards(squad, checker), checker.evaluator)
        return cls(checker, squad, CandidateCards(squad, checker.evaluator), chooser)


class RepairModel:
    """The program of one squad, and its solver."""

    def __init__(
        self, task: RepairTask, scope: RepairScope, deadline: Deadline
    ) -> None:
        """Raise SearchTimeout if the deadline passes meanwhile."""
        self.task = task
        self.scope = scope
        self.checker = task.checker
        self.squad = task.squad
        self.is_unsure = False
        """True once a search ended without an answer."""
        self._candidates = self._find_candidates(scope)
        additions = Additions(task.chooser, self._limit_additions, deadline)
        self.model = additions.create_model(
            self.squad, scope.only_additions, self._can_grow
        )
        if scope.max_copies:
            self._add_cards(additions)
        self._rules = RuleProgram(
            self.model, self.checker.evaluator, deadline, only_rules=scope.rules
        )
        self.links = self._rules.links
        self.solver = ProgramSolver(self.model.program, deadline)
        self._changes: RepairChanges | None = None
        self._objective: list[tuple[int, int]] = []
        self._is_ordered = self._order_equal_entries()
        self._names = LinkNames(self.checker, self.model, self.links)

    def _order_equal_entries(self) -> int:
        """Return a literal. If it holds, an entry keeps no fewer copies than later equal entries.

        Otherwise each repair has an image for each exchange of equal entries. To prove that none is
        better, the solver would have to refute all of them.
        """
        program = self.model.program
        literal = program.add_variable()
        # A link may name any entry of a card.
        if any(entry.links for entry in self.squad.roster.entries):
            return literal
        earlier_entries: dict[str, DecisionEntry] = {}
        roster_entries = self.squad.roster.entries
        old_entries = [entry for entry in self.model.entries if entry.part.old_copies]
        for roster_entry, entry in zip(roster_entries, old_entries, strict=True):
            contents = roster_entry.model_copy(
                update={"id": None, "name": None, "note": ""}
            )
            key = contents.model_dump_json(exclude={"origin"})
            if key in earlier_entries:
                copies = earlier_entries[key].part.copies
                terms = [(copies, 1), (entry.part.copies, -1)]
                program.add_constraint(terms, low=0, when=(literal,))
            earlier_entries[key] = entry
        return literal

    def _find_candidates(self, scope: RepairScope) -> Mapping[str, Source]:
        """Return the cards that a repair may add, each with its part of a roster."""
        if not scope.max_copies:
            return {}
        rules_to_satisfy = (
            scope.rules if scope.rules_to_satisfy is None else scope.rules_to_satisfy
        )
        return self.task.candidates.find_cards(rules_to_satisfy)

    def add_rules(self, rules: frozenset[str]) -> bool:
        """Add rules to this model. Raise SearchTimeout after the deadline.

        False if a new model is needed, because the rules need more cards or concern links.
        """
        scope = self.scope.with_rules(rules)
        forms = self.checker.evaluator.find_error_forms(self.squad.params)
        new_forms = [form for form in forms if form.rule.id in rules]
        if any(form.link for form in new_forms):
            return False
        if self._find_candidates(scope) != self._candidates:
            return False
        self._rules.write_rules(new_forms, self.solver.deadline)
        self.scope = scope
        return True

    def _limit_additions(
        self, _card: object, allowed_additions: int, bundle: int
    ) -> int:
        return min(math.ceil(self.scope.max_copies / bundle), allowed_additions)

    def _can_grow(self, entry: SelectedCard) -> bool:
        """Return True if more copies of an entry may help.

        Its card, or an attachment that it has or may get, could satisfy a rule.
        """
        if entry.card.id in self._candidates:
            return True
        return Source.ATTACHMENTS in self._candidates.values()

    def _add_cards(self, additions: Additions) -> None:
        """Add the candidates wherever they may be, and every old attachment to every old entry."""
        evaluator = self.checker.evaluator
        cards = self.checker.pack.cards
        old_entries = list(self.model.entries)
        present_ids = [
            selected.card.id for selected in self.squad.list_cards(Source.ALL)
        ]
        present_attachments = {selected.card.id for selected in self.squad.attachments}
        # Rules do not distinguish the cards of one class, so the first of each class are enough.
        card_ids = evaluator.card_classes.select_cards(
            sorted(self._candidates), self.scope.max_copies, present_ids
        )
        candidate_attachments = set()
        for card_id in card_ids:
            source = self._candidates[card_id]
            if source is Source.ATTACHMENTS:
                candidate_attachments.add(card_id)
            else:
                additions.add_card(cards[card_id], source)
        for entry in self.model.entries:
            attachments = candidate_attachments
            if entry in old_entries:
                attachments = candidate_attachments | present_attachments
            for card_id in sorted(attachments):
                additions.add_attachment(cards[card_id], entry)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.model.program.ranges)

    @property
    def changes(self) -> RepairChanges:
        """The variables that count the changes of a repair. They are created on first access."""
        if self._changes is None:
            self._changes = RepairChanges(self.model, self.links)
            self._objective = self._changes.make_objective()
        return self._changes

    def find_best(self, max_changes: int | None = None) -> RepairSolution | None:
        """Return a solution of the fewest changes, of these one that changes the cost least.

        It leaves no link of an old entry open. None if there is none, or if time ran out.
        """
        changes, program = self.changes, self.model.program
        gates = [self._is_ordered]
        if max_changes is not None:
            gates.append(program.add_variable())
            changes.limit_changes(None, max_changes, when=gates[1:])
        # Links are named only after a solution is found: some solutions leave one open.
        for _round in range(MAX_ROUNDS):
            answer = self.solver.solve(self._objective, required=gates)
            if answer.values is None:
                self.is_unsure = self.is_unsure or not answer.is_proved
                return None
            solution = self._read_solution(answer.values, answer.is_proved)
            if solution.missing_rules or not solution.outcome.is_open:
                return solution
            self._names.forbid_values(solution.values)
        self.is_unsure = True
        return None

    def _read_solution(
        self, values: tuple[int, ...], is_proved: bool
    ) -> RepairSolution:
        solved = read_solution(self.model, self.links, values)
        outcome = self._names.name_links(solved, values, on_old_entries=False)
        return RepairSolution(
            values=values,
            changes=self.changes.count_changes(values),
            is_proved=is_proved,
            outcome=outcome,
            missing_rules=self._find_missing_rules(outcome.result),
        )

    def _find_missing_rules(self, result: RosterResult) -> frozenset[str]:
        """Return the broken rules that are not in the model."""
        if self.scope.rules is None:
            return frozenset()
        errors = [item for item in result.violations if item.severity is Severity.ERROR]
        return frozenset(item.rule for item in errors) - self.scope.rules

    def with_rules(self, rules: frozenset[str]) -> "RepairModel":
        """Return a model of the same squad with more rules. Raise SearchTimeout."""
        return RepairModel(
            self.task, self.scope.with_rules(rules), self.solver.deadline
        )

    def forbid_solution(self, solution: RepairSolution) -> None:
        """Require that the next solutions do not make all changes of this one."""
        self.changes.forbid_changes(solution.values)
        if solution.is_proved:
            # none is better, which shortens the next search
            self.changes.limit_changes(solution.changes, None)

    def has_solution(self) -> bool:
        """Return True if there is a solution, or if time ran out."""
        answer = self.solver.solve()
        return answer.values is not None or not answer.is_proved

    def list_demands(self) -> list[Demand]:
        """Return the demands that copies, choices, named slots and links stay as they are."""
        demands = []
        for part in self.model.list_parts():
            if part.old_copies:
                demands += make_stay_demands(self.model, part)
        return [*demands, *find_detail_demands(self.model, self.links)]

    def find_missing_rules(self, values: tuple[int, ...]) -> frozenset[str]:
        """Return the rules that a solution breaks and that are not in the model."""
        roster = read_solution(self.model, self.links, values).roster
        return self._find_missing_rules(self.checker.check(roster, repaired=False))


class RepairDemandOracle:
    """Finds which cards and settings of a squad can stay together, whatever cards are added.

    Each solver model can add more copies of each card than the one before. A model is solved only
    for demands that the smaller models refuse. It gets further rules when a solution breaks them,
    so that it stays small too.
    """

    def __init__(self, models: Sequence[RepairModel]) -> None:
        self.models = list(models)
        self.demands = self.models[0].list_demands()
        self._literals = [[demand.literal for demand in self.demands]]
        self._literals += [self._find_literals(model) for model in self.models[1:]]

    def _find_literals(self, model: RepairModel) -> list[int]:
        """Return the literal of each demand in a model, in the order of `demands`."""
        # Copies of one entry have equal keys. They are interchangeable, so their order is free.
        literals_by_key: dict[object, list[int]] = {}
        for demand in model.list_demands():
            literals_by_key.setdefault(demand.key, []).append(demand.literal)
        return [literals_by_key[demand.key].pop(0) for demand in self.demands]

    @property
    def deadline(self) -> Deadline:
        """The end of the search."""
        return self.models[0].solver.deadline

    @deadline.setter
    def deadline(self, deadline: Deadline) -> None:
        for model in self.models:
            model.solver.deadline = deadline

    def find_kept(self, demands: Collection[int], keep_most: bool) -> KeptDemands:
        """Solve the models, the smallest first.

        Raise SearchTimeout if the deadline passes while a model is made.
        """
        for index in range(len(self.models)):
            kept_demands = self._find_kept_in(index, demands, keep_most)
            if kept_demands.indexes is not None or not kept_demands.is_known:
                return kept_demands
        return KeptDemands(None, True)

    def _find_kept_in(
        self, index: int, demands: Collection[int], keep_most: bool
    ) -> KeptDemands:
        """Solve one model, which gets more rules until the solution breaks none."""
        while True:
            model = self.models[index]
            literals = self._literals[index]
            objective = _make_objective(model, literals) if keep_most else []
            required = [literals[demand] for demand in sorted(demands)]
            answer = model.solver.solve(objective, required=required)
            missing_rules: frozenset[str] = frozenset()
            if answer.values is not None:
                missing_rules = model.find_missing_rules(answer.values)
            if not missing_rules:
                return read_kept_demands(answer, literals)
            if not model.add_rules(missing_rules):
                self.models[index] = model.with_rules(missing_rules)
                self._literals[index] = self._find_literals(self.models[index])


def _make_objective(
    model: RepairModel, literals: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the terms whose sum is largest if most demands are kept with the fewest additions."""
    objective = [(literal, KEPT_WEIGHT) for literal in literals]
    if model.scope.max_copies:
        # needless additions would break rules that the model lacks
        objective += [(var, -int(factor)) for var, factor in model.changes.terms]
    return objective
