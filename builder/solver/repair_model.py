"""An illegal squad as a linear program in which every pick may go and cards may come in."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from builder.findings import Severity
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.choices import Chooser
from builder.solver.complete import Additions, RuleProgram, remove_all_cards
from builder.solver.conflict import Switch, find_detail_switches, make_stay_switches
from builder.solver.cpsat import Machine
from builder.solver.deadline import Deadline
from builder.solver.naming import MAX_ROUNDS, LinkNames, NamedOutcome
from builder.solver.repair_changes import RepairChanges
from builder.solver.result import read_solution
from builder.solver.wanted_cards import WantedCards

KEPT_WEIGHT = 100
"""One demand that is kept weighs more than the additions that this takes."""


@dataclass(frozen=True, slots=True)
class RepairScope:
    """What a repair may do, and which rules it obeys; all if `rules` is None.

    `max_copies` of each card may be added: of those that the rules may want, or that the rules of
    `wanted_by` may want. With `only_additions` nothing may go.
    """

    max_copies: int
    rules: frozenset[str] | None
    only_additions: bool = False
    wanted_by: frozenset[str] | None = None

    def with_rules(self, rules: frozenset[str]) -> "RepairScope":
        """Return the scope with more rules."""
        return self if self.rules is None else replace(self, rules=self.rules | rules)


@dataclass(frozen=True, slots=True)
class RepairSolution:
    """The variables' values, how many changes they are, and the roster with its links named.

    `is_proved` if no solution is better. `missing_rules` are broken and not in the model.
    """

    values: tuple[int, ...]
    changes: int
    is_proved: bool
    named: NamedOutcome
    missing_rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class RepairTask:
    """The squad to be repaired."""

    checker: RosterChecker
    squad: Squad
    wanted_cards: WantedCards
    chooser: Chooser
    """What may be added to the empty squad."""

    @classmethod
    def create_for_roster(cls, checker: RosterChecker, roster: Roster) -> "RepairTask":
        """Return the task for a roster without problems."""
        squad = checker.resolve_roster(roster)
        chooser = Chooser(remove_all_cards(squad, checker), checker.evaluator)
        return cls(checker, squad, WantedCards(squad, checker.evaluator), chooser)


class RepairModel:
    """The program of one squad and its solver."""

    def __init__(self, task: RepairTask, scope: RepairScope, deadline: Deadline) -> None:
        """Raise SearchTimeout if the deadline passes meanwhile."""
        self.task = task
        self.scope = scope
        self.checker = task.checker
        self.squad = task.squad
        self.is_unsure = False
        """True once a search ended without an answer."""
        self._wanted_cards = self._find_wanted_cards(scope)
        additions = Additions(task.chooser, self._limit_copies, deadline)
        self.model = additions.create_model(self.squad, scope.only_additions, self._can_grow)
        if scope.max_copies:
            self._add_cards(additions)
        self._rules = RuleProgram(
            self.model, self.checker.evaluator, deadline, only_rules=scope.rules
        )
        self.links = self._rules.links
        self.machine = Machine(self.model.program, deadline)
        self._changes: RepairChanges | None = None
        self._objective: list[tuple[int, int]] = []
        self._names = LinkNames(self.checker, self.model, self.links)

    def _find_wanted_cards(self, scope: RepairScope) -> dict[str, Source]:
        """Return the cards that a repair may add, each with its place in a roster."""
        if not scope.max_copies:
            return {}
        wanted_by = scope.rules if scope.wanted_by is None else scope.wanted_by
        return self.task.wanted_cards.find_cards(wanted_by)

    def add_rules(self, rules: frozenset[str]) -> bool:
        """Add rules to this model. Raise SearchTimeout after the deadline.

        False if a new model is needed, because the rules want more cards or concern links.
        """
        scope = self.scope.with_rules(rules)
        forms = self.checker.evaluator.find_error_forms(self.squad.params)
        new_forms = [form for form in forms if form.rule.id in rules]
        if any(form.link for form in new_forms):
            return False
        if self._find_wanted_cards(scope) != self._wanted_cards:
            return False
        self._rules.write_rules(new_forms, self.machine.deadline)
        self.scope = scope
        return True

    def _limit_copies(self, _card: object, fitting: int, bundle: int) -> int:
        return min(math.ceil(self.scope.max_copies / bundle), fitting)

    def _can_grow(self, entry: SelectedCard) -> bool:
        """Return True if a rule may want more copies of a line.

        Its card, or an attachment that it has or may get.
        """
        return (
            entry.card.id in self._wanted_cards or Source.ATTACHMENTS in self._wanted_cards.values()
        )

    def _add_cards(self, additions: Additions) -> None:
        """Add the wanted cards at all possible places, and each attachment on other lines."""
        evaluator, cards = self.checker.evaluator, self.checker.pack.cards
        old_lines = list(self.model.lines)
        present_cards = [selected.card.id for selected in self.squad.list_cards(Source.ALL)]
        present_attachments = {selected.card.id for selected in self.squad.attachments}
        wanted_attachments: list[str] = []
        candidates = sorted(self._wanted_cards)
        for card_id in evaluator.card_classes.select_cards(
            candidates, self.scope.max_copies, present_cards
        ):
            if self._wanted_cards[card_id] is Source.ATTACHMENTS:
                wanted_attachments.append(card_id)
            else:
                additions.add_card(cards[card_id], self._wanted_cards[card_id])
        for line in self.model.lines:
            attachments = set(wanted_attachments)
            if line in old_lines:
                attachments |= present_attachments
            for card_id in sorted(attachments):
                additions.add_attachment(cards[card_id], line)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.model.program.ranges)

    @property
    def changes(self) -> RepairChanges:
        """The changes of a solution. They are counted only where repairs are searched for."""
        if self._changes is None:
            self._changes = RepairChanges(self.model, self.links)
            self._objective = self._changes.make_objective()
        return self._changes

    def find_best(self, max_changes: int | None = None) -> RepairSolution | None:
        """Return a solution of the fewest changes, of these one that changes the cost least.

        It leaves no link of an old line open. None if there is none, or if time ran out.
        """
        changes, program = self.changes, self.model.program
        gates: list[int] = []
        if max_changes is not None:
            gates.append(program.add_variable())
            changes.limit_changes(None, max_changes, when=gates)
        for _round in range(MAX_ROUNDS):
            answer = self.machine.solve(self._objective, assume=gates)
            if answer.values is None:
                self.is_unsure = self.is_unsure or not answer.proved
                return None
            solution = self._read_solution(answer.values, answer.proved)
            if solution.missing_rules or not solution.named.is_open:
                return solution
            self._names.forbid_values(solution.values)
        self.is_unsure = True
        return None

    def _read_solution(self, values: tuple[int, ...], is_proved: bool) -> RepairSolution:
        roster = read_solution(self.model, self.links, values)
        named = self._names.name_links(roster, values, old=False)
        missing_rules = self._find_missing_rules(named.result)
        return RepairSolution(
            values, self.changes.count_changes(values), is_proved, named, missing_rules
        )

    def _find_missing_rules(self, verdict: RosterResult) -> frozenset[str]:
        if self.scope.rules is None:
            return frozenset()
        errors = [item for item in verdict.violations if item.severity is Severity.ERROR]
        return frozenset(item.rule for item in errors) - self.scope.rules

    def with_rules(self, rules: frozenset[str]) -> "RepairModel":
        """Return a model of the same squad with more rules. Raise SearchTimeout."""
        return RepairModel(self.task, self.scope.with_rules(rules), self.machine.deadline)

    def forbid_solution(self, solution: RepairSolution) -> None:
        """Demand that the next solutions do not make all changes of this one.

        None is better than it.
        """
        self.changes.forbid_changes(solution.values)
        if solution.is_proved:
            self.changes.limit_changes(solution.changes, None)

    def has_solution(self) -> bool:
        """Return True if some solution is left, or if that was not found out."""
        answer = self.machine.solve()
        return answer.values is not None or not answer.proved

    def find_switches(self) -> list[Switch]:
        """Return what may stay as it is, each as a literal.

        Copies, choices, links, slots that are named.
        """
        switches: list[Switch] = []
        for part in self.model.list_parts():
            if part.old_copies:
                switches += make_stay_switches(self.model, part)
        return [*switches, *find_detail_switches(self.model, self.links)]

    def find_missing_rules(self, values: tuple[int, ...]) -> frozenset[str]:
        """Return the rules that a solution breaks and that are not in the model."""
        roster = read_solution(self.model, self.links, values).roster
        return self._find_missing_rules(self.checker.check(roster, repaired=False))


class RepairOracle:
    """Answers which demands on a squad hold together, whatever is added.

    The models have more and more copies of each card. A model is asked only for demands that the
    smaller ones refuse. It gets further rules when an answer breaks them, so that it stays small
    too.
    """

    def __init__(self, models: Sequence[RepairModel]) -> None:
        self.models = list(models)
        self.switches = self.models[0].find_switches()
        self._literals = [[switch.literal for switch in self.switches]]
        self._literals += [self._find_literals(model) for model in self.models[1:]]

    def _find_literals(self, model: RepairModel) -> list[int]:
        """Return the literal of each demand in a model, in the order of `switches`."""
        literals_by_key: dict[object, list[int]] = {}
        for switch in model.find_switches():
            literals_by_key.setdefault(switch.key, []).append(switch.literal)
        return [literals_by_key[switch.key].pop(0) for switch in self.switches]

    @property
    def deadline(self) -> Deadline:
        """The end of the search."""
        return self.models[0].machine.deadline

    @deadline.setter
    def deadline(self, deadline: Deadline) -> None:
        for model in self.models:
            model.machine.deadline = deadline

    def find_kept(
        self, demands: Collection[int], keep_most: bool
    ) -> tuple[frozenset[int] | None, bool]:
        """Ask the solver. Raise SearchTimeout if the deadline passes while a model is built."""
        for index in range(len(self.models)):
            kept, is_known = self._ask_model(index, demands, keep_most)
            if kept is not None or not is_known:
                return kept, is_known
        return None, True

    def _ask_model(
        self, index: int, demands: Collection[int], keep_most: bool
    ) -> tuple[frozenset[int] | None, bool]:
        while True:
            model, literals = self.models[index], self._literals[index]
            objective = _make_objective(model, literals) if keep_most else []
            held = [literals[demand] for demand in sorted(demands)]
            answer = model.machine.solve(objective, assume=held)
            if answer.values is None:
                return None, answer.proved
            missing_rules = model.find_missing_rules(answer.values)
            if not missing_rules:
                return _find_true(literals, answer.values), True
            if not model.add_rules(missing_rules):
                self.models[index] = model.with_rules(missing_rules)
                self._literals[index] = self._find_literals(self.models[index])


def _make_objective(model: RepairModel, literals: Sequence[int]) -> list[tuple[int, int]]:
    """Return what is largest where most demands are kept with the fewest additions."""
    objective = [(literal, KEPT_WEIGHT) for literal in literals]
    if model.scope.max_copies:
        # additions that nothing asks for would break rules that the model lacks
        objective += [(var, -int(factor)) for var, factor in model.changes.terms]
    return objective


def _find_true(literals: Sequence[int], values: Sequence[int]) -> frozenset[int]:
    """Return the indexes of the literals that hold."""
    return frozenset(index for index, literal in enumerate(literals) if values[literal])
