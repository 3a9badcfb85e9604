"""Assign linked models to the models that they are linked to.

Each copy on a line is a model of its own. Pure.

A link that names a line means any of its copies. A link that is not named may lead to any model
that fits. Lines are equal if their cards, equipment, choices, names and links are, and nothing
names one of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from builder.model.rules import LinkRule
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.packing import (
    MAX_EDGES,
    CarrierGroup,
    ModelGroup,
    Packing,
    StepBudget,
    UndecidedPackingError,
    pack_models,
)
from builder.rules.query import CardTest, Selector, find_choices, make_similarity_key
from builder.rules.violation import Counted

LineKey: TypeAlias = tuple[object, ...]
CopyTargets: TypeAlias = Mapping[tuple[int, int], tuple[SelectedCard, int]]
"""By line and copy (from 1) of a linked model: the entry that it is linked to, and which of its
copies.
"""


@dataclass(frozen=True)
class LinkQuestions:
    """What an assignment needs to know of a link rule."""

    rule: LinkRule
    selector: Selector
    target_matches: CardTest
    choice_names: tuple[str, ...]
    find_load: Callable[[SelectedCard], int | float]
    find_capacity: Callable[[SelectedCard], int | float | None]


@dataclass
class SimilarLines:
    """Lines that no condition of the rule distinguishes, and their number of models."""

    key: tuple[str, ...]
    lines: list[SelectedCard] = field(default_factory=list)
    models: int = 0


@dataclass(frozen=True)
class Overload:
    """Models that do not fit into the copies of one line.

    `decided` is False where that was not found out.
    """

    target: SelectedCard
    entries: tuple[SelectedCard, ...]
    decided: bool


@dataclass
class _Problem:
    """A packing problem with the lines that its groups and carriers stand for."""

    groups: list[ModelGroup] = field(default_factory=list)
    group_lines: list[list[SelectedCard]] = field(default_factory=list)
    carriers: list[CarrierGroup] = field(default_factory=list)
    carrier_lines: list[list[SelectedCard]] = field(default_factory=list)
    free_groups: int = 0


class LinkAssignment:
    """The assignment of one rule in one squad."""

    def __init__(
        self, questions: LinkQuestions, squad: Squad, others: Sequence[LinkQuestions] = ()
    ) -> None:
        """`others` are the other rules in force for the same link.

        A model has one target for all of them.
        """
        self.questions = questions
        self.squad = squad
        self.others = others
        asked = (questions.choice_names, *(find_choices(other.rule) for other in others))
        self._asked = tuple(sorted(frozenset().union(*asked)))
        self.wrong_targets: dict[int, SelectedCard] = {}
        """By the line of an entry: the target that it names and that does not fit."""
        self.unlinked: list[SelectedCard] = []
        """Entries that must name a target, or for which none is there."""
        self.entries_by_target: dict[int, list[SelectedCard]] = {}
        """By the line of a target: the entries that name it, or that no other line fits."""
        self.entries_without_target: list[SelectedCard] = []
        """Entries that name no target, with several lines that fit."""
        self._fits: dict[tuple[str, ...], list[SimilarLines]] = {}
        self._budget = StepBudget()
        for entry in questions.selector.select_from(squad):
            self._sort_in(entry)

    def _sort_in(self, entry: SelectedCard) -> None:
        stated = self.squad.links.get((entry.line, self.questions.rule.link))
        if stated is not None and not self.questions.target_matches(stated, entry):
            self.wrong_targets[entry.line] = stated
        elif stated is not None:
            self.entries_by_target.setdefault(stated.line, []).append(entry)
        elif self.questions.rule.required == "always":
            self.unlinked.append(entry)
        elif self.questions.rule.required == "several":
            lines = self._find_first_lines(entry)
            if not lines or (lines == [entry] and entry.count == 1):
                self.unlinked.append(entry)
            elif len(lines) == 1:
                self.entries_by_target.setdefault(lines[0].line, []).append(entry)
            else:
                self.entries_without_target.append(entry)

    # -- who fits
    @cached_property
    def _similar(self) -> Mapping[tuple[str, ...], SimilarLines]:
        found: dict[tuple[str, ...], SimilarLines] = {}
        for entry in self.squad.entries:
            key = make_similarity_key(entry, self._asked)
            group = found.setdefault(key, SimilarLines(key))
            group.lines.append(entry)
            group.models += entry.count
        return found

    def find_similar_targets(self, entry: SelectedCard) -> list[SimilarLines]:
        """Return the groups of lines that fit an entry; its own line may be among them."""
        key = make_similarity_key(entry, self._asked)
        if key not in self._fits:
            groups = self._similar.values()
            self._fits[key] = [
                group for group in groups if self._matches_all_rules(group.lines[0], entry)
            ]
        return self._fits[key]

    def _matches_all_rules(self, target: SelectedCard, entry: SelectedCard) -> bool:
        """Return True if a target fits an entry by all link rules about the entry."""
        others = (other for other in self.others if other.selector.matches_card(entry))
        return self.questions.target_matches(target, entry) and all(
            other.target_matches(target, entry) for other in others
        )

    def _find_first_lines(self, entry: SelectedCard) -> list[SelectedCard]:
        """Return the lines that fit an entry, at most two; its own may be one of them."""
        found: list[SelectedCard] = []
        for group in self.find_similar_targets(entry):
            found += group.lines[:2]
            if len(found) > 1:
                return found[:2]
        return found

    def count_targets(self, entry: SelectedCard) -> tuple[Counted, ...]:
        """Return the models that an entry may be linked to, those that are similar together."""
        found = []
        for group in self.find_similar_targets(entry):
            others = [line for line in group.lines if line is not entry]
            is_own = len(others) < len(group.lines)
            models = group.models - (1 if is_own else 0)
            if models:
                first = others[0] if others else entry
                found.append(Counted(first.path, first.card.id, models, models))
        return tuple(found)

    # -- what is named
    @cached_property
    def overloads(self) -> tuple[Overload, ...]:
        """The lines whose copies do not hold what is linked to them and to no other line."""
        return tuple(self._find_overloads())

    def _find_overloads(self) -> Iterator[Overload]:
        for target in self.squad.entries:
            entries = self.entries_by_target.get(target.line)
            if not entries:
                continue
            groups = [
                self._make_group(entry.count, entry, (0,), (0,) if entry is target else ())
                for entry in entries
            ]
            try:
                if (
                    pack_models(
                        groups, [self._make_carrier(target.count, target)], budget=self._budget
                    )
                    is None
                ):
                    yield Overload(target, tuple(entries), decided=True)
            except UndecidedPackingError:
                yield Overload(target, tuple(entries), decided=False)

    def _make_group(
        self, count: int, entry: SelectedCard, targets: Sequence[int], own: Sequence[int]
    ) -> ModelGroup:
        return ModelGroup(count, self.questions.find_load(entry), tuple(targets), frozenset(own))

    def _make_carrier(self, count: int, entry: SelectedCard) -> CarrierGroup:
        return CarrierGroup(count, self.questions.find_capacity(entry))

    # -- what is not named
    @cached_property
    def _free_lines(self) -> frozenset[int]:
        return frozenset(entry.line for entry in self.entries_without_target)

    @cached_property
    def _named_lines(self) -> frozenset[int]:
        """Lines that some link names."""
        return frozenset(target.line for target in self.squad.links.values())

    @cached_property
    def _ties_of(self) -> Mapping[int, tuple[tuple[str, int], ...]]:
        """By line: the links that it names."""
        found: dict[int, tuple[tuple[str, int], ...]] = {}
        for (line, link), target in self.squad.links.items():
            found[line] = (*found.get(line, ()), (link, target.line))
        return found

    def make_line_key(self, entry: SelectedCard) -> LineKey:
        """Return a key that is the same for interchangeable lines."""
        if entry.line in self._named_lines:
            return ("line", entry.line)
        entries = self.squad.roster.entries
        name = entries[entry.line].name if entry.line < len(entries) else None
        carried = tuple(
            sorted(
                (selected.card.id, selected.slot or "")
                for selected in self.squad.list_attachments(entry)
            )
        )
        choices = tuple(sorted(entry.choices.items()))
        return (entry.card.id, name or "", choices, carried, self._ties_of.get(entry.line, ()))

    def _make_similarity_key(self, entry: SelectedCard) -> LineKey:
        return make_similarity_key(entry, self._asked)

    def _make_problem(self, key_of: Callable[[SelectedCard], LineKey]) -> _Problem:
        """Return the packing of all entries that name no target.

        Lines of one key count as equal.
        """
        problem = _Problem()
        sources: dict[LineKey, list[SelectedCard]] = {}
        for entry in self.entries_without_target:
            sources.setdefault(key_of(entry), []).append(entry)
        # keys of one group of similar lines, so that conditions are asked once a group and not once
        # a line
        at: dict[tuple[str, ...], dict[LineKey, int]] = {}
        for lines in sources.values():
            for similar in self.find_similar_targets(lines[0]):
                if similar.key not in at:
                    at[similar.key] = self._add_carriers(problem, similar, key_of)
        for lines in sources.values():
            places: list[int] = []
            for similar in self.find_similar_targets(lines[0]):
                places += at[similar.key].values()
            mine = {entry.line for entry in lines}
            own = [index for index in places if problem.carrier_lines[index][0].line in mine]
            count = sum(entry.count for entry in lines)
            problem.groups.append(self._make_group(count, lines[0], places, own))
            problem.group_lines.append(lines)
        problem.free_groups = len(problem.groups)
        for index, lines in enumerate(problem.carrier_lines):
            for entry in self.entries_by_target.get(lines[0].line, ()):
                problem.groups.append(
                    self._make_group(
                        entry.count, entry, (index,), (index,) if entry is lines[0] else ()
                    )
                )
                problem.group_lines.append([entry])
        return problem

    def _add_carriers(
        self, problem: _Problem, similar: SimilarLines, key_of: Callable[[SelectedCard], LineKey]
    ) -> dict[LineKey, int]:
        """Add the lines as carriers, equal ones together. Return their indexes by key."""
        found: dict[LineKey, list[SelectedCard]] = {}
        for line in similar.lines:
            key: LineKey = (
                ("free", *key_of(line))
                if line.line in self._free_lines
                else ("other", *key_of(line))
            )
            # what a line holds already tells it from others
            found.setdefault(
                ("held", line.line) if line.line in self.entries_by_target else key, []
            ).append(line)
        indexes = {}
        for key, lines in found.items():
            indexes[key] = len(problem.carriers)
            problem.carriers.append(self._make_carrier(sum(line.count for line in lines), lines[0]))
            problem.carrier_lines.append(lines)
        return indexes

    def can_assign_all(self) -> bool:
        """Return True if all entries that name no target can be assigned.

        Raise UndecidedPackingError.
        """
        if not self.entries_without_target or self.questions.rule.capacity is None:
            return True
        problem = self._make_problem(self._make_similarity_key)
        return pack_models(problem.groups, problem.carriers, budget=self._budget) is not None

    def find_ambiguous_lines(self) -> frozenset[int]:
        """Return the lines of entries for which two assignments differ.

        Raise UndecidedPackingError.
        """
        if not self.entries_without_target:
            return frozenset()
        if self.questions.rule.capacity is None:
            return frozenset(
                entry.line
                for entry in self.entries_without_target
                if self._has_unequal_targets(entry)
            )
        problem, packing = self._solution
        if packing is None:
            return frozenset()
        found: set[int] = set()
        for group in range(problem.free_groups):
            if self._can_vary(problem, packing, group):
                found.update(entry.line for entry in problem.group_lines[group])
        return frozenset(found)

    def _has_unequal_targets(self, entry: SelectedCard) -> bool:
        """Return True if an entry may be linked to lines that are not equal."""
        keys: set[LineKey] = set()
        for similar in self.find_similar_targets(entry):
            keys |= self._models_by_key[similar.key].keys()
        own = self.make_line_key(entry)
        models = self._models_by_key.get(make_similarity_key(entry, self._asked), {}).get(own, 0)
        return len(keys - {own} if models == 1 else keys) > 1

    @cached_property
    def _models_by_key(self) -> Mapping[tuple[str, ...], Mapping[LineKey, int]]:
        """By similar lines: how many models the equal ones among them are."""
        found: dict[tuple[str, ...], dict[LineKey, int]] = {}
        for key, similar in self._similar.items():
            models = found[key] = {}
            for line in similar.lines:
                same = self.make_line_key(line)
                models[same] = models.get(same, 0) + line.count
        return found

    @cached_property
    def _solution(self) -> tuple[_Problem, Packing | None]:
        """One assignment to equal lines."""
        problem = self._make_problem(self.make_line_key)
        if sum(len(group.targets) for group in problem.groups) > MAX_EDGES:
            raise UndecidedPackingError
        return problem, pack_models(problem.groups, problem.carriers, budget=self._budget)

    def _can_vary(self, problem: _Problem, packing: Packing, group: int) -> bool:
        """Return True if a group's models can be divided differently among unequal lines."""
        models = problem.groups[group]
        used = {carrier: sum(packing.get((group, carrier), ())) for carrier in models.targets}
        for carrier, count in used.items():
            if not count:
                continue
            if any(
                self._has_space(problem, packing, group, other)
                for other in models.targets
                if other != carrier
            ):
                return True
        for carrier, count in used.items():
            limits = {(group, carrier): count - 1}
            if (
                count
                and pack_models(problem.groups, problem.carriers, limits, self._budget) is not None
            ):
                return True
        return False

    def _has_space(self, problem: _Problem, packing: Packing, group: int, carrier: int) -> bool:
        """Return True if a carrier can hold one more model of the group in this packing."""
        room, own = problem.carriers[carrier], carrier in problem.groups[group].own
        if room.capacity is None:
            return not own
        for number in range(room.count):
            loads = (
                counts[number] * problem.groups[other].load
                for (other, at), counts in packing.items()
                if at == carrier
            )
            if not own and sum(loads) + problem.groups[group].load <= room.capacity:
                return True
        return False

    # -- the assignment
    def assign_copies(self) -> CopyTargets:
        """Return what each copy is linked to.

        Copies for which that is open, impossible or not decided are missing.
        """
        found: dict[tuple[int, int], tuple[SelectedCard, int]] = {}
        lines = {entry.line: entry for entry in self.squad.entries}
        for line, entries in self.entries_by_target.items():
            self._write_held(found, lines[line], entries)
        try:
            open_lines = self.find_ambiguous_lines()
            problem, packing = (
                self._solution
                if len(open_lines) < len(self.entries_without_target)
                else (_Problem(), None)
            )
        except UndecidedPackingError:
            return found
        for group in range(problem.free_groups if packing is not None else 0):
            entries = problem.group_lines[group]
            if packing is not None and entries[0].line not in open_lines:
                places = problem.groups[group].targets
                given = [
                    (problem.carrier_lines[index], packing.get((group, index), ()))
                    for index in places
                ]
                _write_targets(found, entries, given)
        return found

    def _write_held(
        self,
        found: dict[tuple[int, int], tuple[SelectedCard, int]],
        target: SelectedCard,
        entries: Sequence[SelectedCard],
    ) -> None:
        """Write down what a line holds.

        All in its first copy where that was not found out or is too much.
        """
        groups = [
            self._make_group(entry.count, entry, (0,), (0,) if entry is target else ())
            for entry in entries
        ]
        try:
            packing = pack_models(groups, [self._make_carrier(target.count, target)])
        except UndecidedPackingError:
            packing = None
        for index, entry in enumerate(entries):
            counts = packing.get((index, 0), ()) if packing is not None else (entry.count,)
            _write_targets(found, [entry], [([target], counts)])


def _list_copies(entries: Sequence[SelectedCard]) -> list[tuple[SelectedCard, int]]:
    """Return every copy of the entries, in order."""
    copies: list[tuple[SelectedCard, int]] = []
    for entry in entries:
        copies += [(entry, copy) for copy in range(1, entry.count + 1)]
    return copies


def _write_targets(
    found: dict[tuple[int, int], tuple[SelectedCard, int]],
    entries: Sequence[SelectedCard],
    given: Sequence[tuple[Sequence[SelectedCard], Sequence[int]]],
) -> None:
    """Write down a target for each copy of equal entries, in the order of the file.

    `given` are equal targets and how many models each of their copies gets. A copy is not its own
    target.
    """
    models = [(entry.line, copy) for entry, copy in _list_copies(entries)]
    for lines, counts in given:
        for (target, number), count in zip(_list_copies(lines), counts, strict=False):
            for _model in range(min(count, len(models))):
                model = next((one for one in models if one != (target.line, number)), models[0])
                models.remove(model)
                found[model] = (target, number)
