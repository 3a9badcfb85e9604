"""Assign linked models to the models that they are linked to.

Each copy on a line is a model of its own. Pure.

A link that names a line means any of its copies. A link that is not named may lead to any model
that fits. Lines are equal if their cards, equipment, choices, names and links are, and nothing
names one of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
SimilarityKey: TypeAlias = tuple[str, ...]
Copy: TypeAlias = tuple[SelectedCard, int]
"""A card and the number of one of its copies, from 1."""
CopyKey: TypeAlias = tuple[int, int]
"""The line of an entry and the number of one of its copies, from 1."""
CopyTargets: TypeAlias = Mapping[CopyKey, Copy]
"""By copy of a linked model: the copy that it is linked to."""


@dataclass(frozen=True)
class CompiledLink:
    """A link rule with the functions that an assignment of models needs."""

    rule: LinkRule
    selector: Selector
    target_matches: CardTest
    choice_names: tuple[str, ...]
    find_load: Callable[[SelectedCard], float]
    find_capacity: Callable[[SelectedCard], float | None]


@dataclass
class SimilarEntries:
    """Entries of the roster that no condition distinguishes, and the number of their models."""

    key: SimilarityKey
    lines: list[SelectedCard] = field(default_factory=list)
    models: int = 0


@dataclass(frozen=True)
class Overload:
    """Models that do not fit into the copies of the entry they are linked to.

    `is_decided` is False if the search for a packing gave up.
    """

    target: SelectedCard
    entries: tuple[SelectedCard, ...]
    is_decided: bool


@dataclass
class _LinkProblem:
    """A packing problem, with the entries that its groups and carriers stand for.

    The first `free_groups` groups name no target.
    """

    groups: list[ModelGroup] = field(default_factory=list)
    group_lines: list[list[SelectedCard]] = field(default_factory=list)
    carriers: list[CarrierGroup] = field(default_factory=list)
    carrier_lines: list[list[SelectedCard]] = field(default_factory=list)
    free_groups: int = 0


class LinkAssignment:
    """Assigns the models of one squad to the models that they are linked to by a rule."""

    def __init__(
        self, link: CompiledLink, squad: Squad, other_links: Sequence[CompiledLink] = ()
    ) -> None:
        """`other_links` are the other rules in force for the same link.

        A model has one target for all of them.
        """
        self.link = link
        self.squad = squad
        self.other_links = other_links
        choice_names = set(link.choice_names)
        for other_link in other_links:
            choice_names.update(find_choices(other_link.rule))
        self._choice_names = tuple(sorted(choice_names))
        self.wrong_targets: dict[int, SelectedCard] = {}
        """By the line of an entry: the target that it names and that does not fit."""
        self.unlinked: list[SelectedCard] = []
        """Entries that must name a target, or that have no possible target."""
        self.entries_by_target: dict[int, list[SelectedCard]] = {}
        """By the line of a target: the entries that name it, or that no other line fits."""
        self.entries_without_target: list[SelectedCard] = []
        """Entries that name no target, with several lines that fit."""
        self._targets_by_key: dict[SimilarityKey, list[SimilarEntries]] = {}
        self._budget = StepBudget()
        for entry in link.selector.select_from(squad):
            self._classify_entry(entry)

    def _classify_entry(self, entry: SelectedCard) -> None:
        """Add an entry to one of the collections: wrong, unlinked, with or without a target."""
        rule = self.link.rule
        named_target = self.squad.links.get((entry.line, rule.link))
        if named_target is not None:
            if self.link.target_matches(named_target, entry):
                self.entries_by_target.setdefault(named_target.line, []).append(entry)
            else:
                self.wrong_targets[entry.line] = named_target
        elif rule.required == "always":
            self.unlinked.append(entry)
        elif rule.required == "several":
            lines = self._find_first_targets(entry)
            if not lines or (lines == [entry] and entry.count == 1):
                self.unlinked.append(entry)
            elif len(lines) == 1:
                self.entries_by_target.setdefault(lines[0].line, []).append(entry)
            else:
                self.entries_without_target.append(entry)

    # -- possible targets
    @cached_property
    def _similar_entries(self) -> Mapping[SimilarityKey, SimilarEntries]:
        """All entries of the squad in groups that no condition distinguishes, by key."""
        groups: dict[SimilarityKey, SimilarEntries] = {}
        for entry in self.squad.entries:
            key = self._make_similarity_key(entry)
            group = groups.setdefault(key, SimilarEntries(key))
            group.lines.append(entry)
            group.models += entry.count
        return groups

    def _make_similarity_key(self, entry: SelectedCard) -> SimilarityKey:
        return make_similarity_key(entry, self._choice_names)

    def find_similar_targets(self, entry: SelectedCard) -> list[SimilarEntries]:
        """Return the groups of entries that an entry may be linked to.

        The entry itself may be included.
        """
        key = self._make_similarity_key(entry)
        if key not in self._targets_by_key:
            # Similar lines fit the same entries, so the first of each group stands for all.
            groups = self._similar_entries.values()
            matching_groups = [
                group for group in groups if self._fits_all(group.lines[0], entry)
            ]
            self._targets_by_key[key] = matching_groups
        return self._targets_by_key[key]

    def _fits_all(self, target: SelectedCard, entry: SelectedCard) -> bool:
        """Return True if every rule for this link allows the target for the entry."""
        if not self.link.target_matches(target, entry):
            return False
        for link in self.other_links:
            if link.selector.matches_card(entry) and not link.target_matches(
                target, entry
            ):
                return False
        return True

    def _find_first_targets(self, entry: SelectedCard) -> list[SelectedCard]:
        """Return at most 2 entries that the entry may be linked to.

        The entry itself may be one of them.
        """
        lines = []
        for group in self.find_similar_targets(entry):
            # two lines show that the target is not clear, and a large roster has thousands
            lines += group.lines[:2]
            if len(lines) > 1:
                return lines[:2]
        return lines

    def count_targets(self, entry: SelectedCard) -> tuple[Counted, ...]:
        """Return the models that an entry may be linked to. Similar models are one item."""
        counted = []
        for group in self.find_similar_targets(entry):
            other_lines = [line for line in group.lines if line is not entry]
            models = group.models
            if len(other_lines) < len(group.lines):
                # A model is not its own target.
                models -= 1
            if models:
                first = other_lines[0] if other_lines else entry
                counted.append(Counted(first.path, first.card.id, models, models))
        return tuple(counted)

    # -- entries with a known target
    @cached_property
    def overloads(self) -> tuple[Overload, ...]:
        """The entries that cannot hold all the models that must go to them."""
        return tuple(self._find_overloads())

    def _find_overloads(self) -> Iterator[Overload]:
        for target in self.squad.entries:
            entries = self.entries_by_target.get(target.line)
            if not entries:
                continue
            try:
                packing = self._pack_on_target(target, entries, self._budget)
            except UndecidedPackingError:
                yield Overload(target, tuple(entries), is_decided=False)
            else:
                if packing is None:
                    yield Overload(target, tuple(entries), is_decided=True)

    def _pack_on_target(
        self, target: SelectedCard, entries: Iterable[SelectedCard], budget: StepBudget
    ) -> Packing | None:
        """Pack the models of entries into the copies of one entry.

        Return None if they do not fit.
        """
        groups = [self._make_named_group(entry, 0, target) for entry in entries]
        carriers = [self._make_carrier([target])]
        return pack_models(groups, carriers, budget=budget)

    def _make_named_group(
        self, entry: SelectedCard, carrier: int, target: SelectedCard
    ) -> ModelGroup:
        """Return the models of an entry whose target is known, as a group with one carrier."""
        own_carriers = [carrier] if entry is target else []
        return self._make_group([entry], [carrier], own_carriers)

    def _make_group(
        self,
        entries: Sequence[SelectedCard],
        targets: Iterable[int],
        own_carriers: Iterable[int],
    ) -> ModelGroup:
        """Return the models of equal entries as one group for the packing."""
        models = _count_models(entries)
        load = self.link.find_load(entries[0])
        return ModelGroup(models, load, tuple(targets), frozenset(own_carriers))

    def _make_carrier(self, lines: Sequence[SelectedCard]) -> CarrierGroup:
        """Return the models of equal entries as carriers for the packing."""
        return CarrierGroup(_count_models(lines), self.link.find_capacity(lines[0]))

    # -- entries without a target
    @cached_property
    def _free_entries(self) -> frozenset[int]:
        """The indexes of the entries that name no target."""
        return frozenset(entry.line for entry in self.entries_without_target)

    @cached_property
    def _named_entries(self) -> frozenset[int]:
        """The indexes of the entries that are named as a target by some link."""
        return frozenset(target.line for target in self.squad.links.values())

    @cached_property
    def _links_by_line(self) -> Mapping[int, tuple[tuple[str, int], ...]]:
        """The links of each entry: the link's name and the entry that it names."""
        links: dict[int, tuple[tuple[str, int], ...]] = {}
        for (line, link), target in self.squad.links.items():
            links[line] = (*links.get(line, ()), (link, target.line))
        return links

    def make_entry_key(self, entry: SelectedCard) -> LineKey:
        """Return a key that is equal for entries which are interchangeable."""
        if entry.line in self._named_entries:
            return ("line", entry.line)
        entries = self.squad.roster.entries
        # an entry that a search adds is in no file, so it has no name
        name = entries[entry.line].name if entry.line < len(entries) else None
        attachments = self.squad.list_attachments(entry)
        equipment = sorted(
            (selected.card.id, selected.slot or "") for selected in attachments
        )
        choices = tuple(sorted(entry.choices.items()))
        links = self._links_by_line.get(entry.line, ())
        return (entry.card.id, name or "", choices, tuple(equipment), links)

    def _make_problem(
        self, make_key: Callable[[SelectedCard], LineKey]
    ) -> _LinkProblem:
        """Return the packing problem of all entries without a target.

        Lines with an equal key are one group.
        """
        problem = _LinkProblem()
        entries_by_key: dict[LineKey, list[SelectedCard]] = {}
        for entry in self.entries_without_target:
            entries_by_key.setdefault(make_key(entry), []).append(entry)
        # Conditions are evaluated once for similar lines, not once for each line.
        carriers_by_key = {}
        for entries in entries_by_key.values():
            for similar in self.find_similar_targets(entries[0]):
                if similar.key not in carriers_by_key:
                    carriers = self._add_carriers(problem, similar, make_key)
                    carriers_by_key[similar.key] = carriers
        for entries in entries_by_key.values():
            targets = []
            for similar in self.find_similar_targets(entries[0]):
                targets += carriers_by_key[similar.key]
            group_lines = {entry.line for entry in entries}
            # equal lines are one carrier, so its first line stands for all
            lines = problem.carrier_lines
            own_carriers = [
                index for index in targets if lines[index][0].line in group_lines
            ]
            problem.groups.append(self._make_group(entries, targets, own_carriers))
            problem.group_lines.append(entries)
        problem.free_groups = len(problem.groups)
        self._add_named_groups(problem)
        return problem

    def _add_carriers(
        self,
        problem: _LinkProblem,
        similar: SimilarEntries,
        make_key: Callable[[SelectedCard], LineKey],
    ) -> list[int]:
        """Add entries as carriers, equal entries as one. Return the indexes of the carriers."""
        lines_by_key: dict[LineKey, list[SelectedCard]] = {}
        for line in similar.lines:
            if line.line in self.entries_by_target:
                # what a line holds already distinguishes it from all others
                key: LineKey = ("held", line.line)
            elif line.line in self._free_entries:
                key = ("free", *make_key(line))
            else:
                key = ("other", *make_key(line))
            lines_by_key.setdefault(key, []).append(line)
        first_index = len(problem.carriers)
        for lines in lines_by_key.values():
            problem.carriers.append(self._make_carrier(lines))
            problem.carrier_lines.append(lines)
        return list(range(first_index, len(problem.carriers)))

    def _add_named_groups(self, problem: _LinkProblem) -> None:
        """Add the entries that name a carrier as their target, because they use its capacity."""
        for carrier, lines in enumerate(problem.carrier_lines):
            for entry in self.entries_by_target.get(lines[0].line, ()):
                problem.groups.append(self._make_named_group(entry, carrier, lines[0]))
                problem.group_lines.append([entry])

    def can_assign_all(self) -> bool:
        """Return True if all entries without a named target find one.

        Raise UndecidedPackingError if the search takes too long.
        """
        if not self.entries_without_target or self.link.rule.capacity is None:
            return True
        problem = self._make_problem(self._make_similarity_key)
        return self._pack_problem(problem) is not None

    def _pack_problem(
        self, problem: _LinkProblem, limits: Mapping[tuple[int, int], int] | None = None
    ) -> Packing | None:
        return pack_models(problem.groups, problem.carriers, limits, self._budget)

    def find_ambiguous_entries(self) -> frozenset[int]:
        """Return the indexes of the entries that could be assigned in different ways.

        Raise UndecidedPackingError if the search takes too long.
        """
        ambiguous_lines = set()
        if self.link.rule.capacity is None:
            for entry in self.entries_without_target:
                if self._has_unequal_targets(entry):
                    ambiguous_lines.add(entry.line)
            return frozenset(ambiguous_lines)
        if not self.entries_without_target:
            return frozenset()
        problem, packing = self._solution
        if packing is None:
            return frozenset()
        for group in range(problem.free_groups):
            if self._can_vary(problem, packing, group):
                ambiguous_lines.update(
                    entry.line for entry in problem.group_lines[group]
                )
        return frozenset(ambiguous_lines)

    def _has_unequal_targets(self, entry: SelectedCard) -> bool:
        """Return True if an entry may be linked to entries that are not interchangeable."""
        keys: set[LineKey] = set()
        for similar in self.find_similar_targets(entry):
            keys |= self._models_by_key[similar.key].keys()
        entry_key = self.make_entry_key(entry)
        models_by_line_key = self._models_by_key[self._make_similarity_key(entry)]
        if models_by_line_key[entry_key] == 1:
            # no other model is equal to it, and it is not its own target
            keys.discard(entry_key)
        return len(keys) > 1

    @cached_property
    def _models_by_key(self) -> Mapping[SimilarityKey, Mapping[LineKey, int]]:
        """How many models interchangeable entries have, by the keys that group these entries."""
        models_by_key = {}
        for key, similar in self._similar_entries.items():
            models: dict[LineKey, int] = {}
            for line in similar.lines:
                line_key = self.make_entry_key(line)
                models[line_key] = models.get(line_key, 0) + line.count
            models_by_key[key] = models
        return models_by_key

    @cached_property
    def _solution(self) -> tuple[_LinkProblem, Packing | None]:
        """The packing problem with interchangeable entries as one, and its solution, if any."""
        problem = self._make_problem(self.make_entry_key)
        if sum(len(group.targets) for group in problem.groups) > MAX_EDGES:
            raise UndecidedPackingError
        return problem, self._pack_problem(problem)

    def _can_vary(self, problem: _LinkProblem, packing: Packing, group: int) -> bool:
        """Return True if the models of a group could also be assigned in another way."""
        targets = problem.groups[group].targets
        used_targets = {}
        for target in targets:
            count = sum(packing.get((group, target), ()))
            if count:
                used_targets[target] = count
        # Moving one model to free space is quick to find, so it is tried first.
        for used_target in used_targets:
            for target in targets:
                if target != used_target and self._has_space(
                    problem, packing, group, target
                ):
                    return True
        # With one model less on a target, another packing must put it elsewhere.
        for used_target, count in used_targets.items():
            limits = {(group, used_target): count - 1}
            if self._pack_problem(problem, limits) is not None:
                return True
        return False

    def _has_space(
        self, problem: _LinkProblem, packing: Packing, group: int, carrier: int
    ) -> bool:
        """Return True if a carrier can take one more model of the group."""
        carriers = problem.carriers[carrier]
        if carrier in problem.groups[group].own_carriers:
            return False
        if carriers.capacity is None:
            return True
        loads: list[float] = [0] * carriers.count
        for (packed_group, packed_carrier), counts in packing.items():
            if packed_carrier == carrier:
                for copy, count in enumerate(counts):
                    loads[copy] += count * problem.groups[packed_group].load
        added_load = problem.groups[group].load
        return any(load + added_load <= carriers.capacity for load in loads)

    # -- the assignment
    def assign_copies(self) -> CopyTargets:
        """Return, for each copy of a linked entry, the copy that it is linked to.

        Copies for which that is open, impossible or not decided are missing.
        """
        targets: dict[CopyKey, Copy] = {}
        lines = {entry.line: entry for entry in self.squad.entries}
        for line, entries in self.entries_by_target.items():
            self._assign_to_line(targets, lines[line], entries)
        with suppress(UndecidedPackingError):
            self._assign_entries_without_target(targets)
        return targets

    def _assign_to_line(
        self,
        targets_by_copy: dict[CopyKey, Copy],
        line: SelectedCard,
        entries: Sequence[SelectedCard],
    ) -> None:
        """Distribute the entries that are linked to one entry over its copies.

        All go to its first copy if no packing exists or the search gave up.
        """
        try:
            packing = self._pack_on_target(line, entries, StepBudget())
        except UndecidedPackingError:
            packing = None
        for index, entry in enumerate(entries):
            counts: Sequence[int] = (entry.count,)
            if packing is not None:
                counts = packing.get((index, 0), ())
            _assign_models([entry], [line], counts, targets_by_copy)

    def _assign_entries_without_target(
        self, targets_by_copy: dict[CopyKey, Copy]
    ) -> None:
        """Assign the entries that can be assigned in one way only.

        Raise UndecidedPackingError if the search takes too long.
        """
        ambiguous_lines = self.find_ambiguous_entries()
        if len(ambiguous_lines) == len(self.entries_without_target):
            return
        problem, packing = self._solution
        if packing is None:
            return
        for group in range(problem.free_groups):
            entries = problem.group_lines[group]
            if entries[0].line not in ambiguous_lines:
                for carrier in problem.groups[group].targets:
                    counts = packing.get((group, carrier), ())
                    lines = problem.carrier_lines[carrier]
                    _assign_models(entries, lines, counts, targets_by_copy)


def _count_models(entries: Iterable[SelectedCard]) -> int:
    return sum(entry.count for entry in entries)


def _list_copies(entries: Iterable[SelectedCard]) -> list[Copy]:
    """Return each copy of the entries as a pair of entry and number, in order."""
    copies = []
    for entry in entries:
        copies += [(entry, copy) for copy in range(1, entry.count + 1)]
    return copies


def _assign_models(
    entries: Sequence[SelectedCard],
    target_lines: Sequence[SelectedCard],
    counts: Sequence[int],
    targets: dict[CopyKey, Copy],
) -> None:
    """Assign the next free copies of equal entries to the copies of equal entries.

    `counts` is how many models each copy of the entries gets. A copy is not its own target.
    """
    models = []
    for entry, copy in _list_copies(entries):
        if (entry.line, copy) not in targets:
            models.append((entry.line, copy))
    for target, count in zip(_list_copies(target_lines), counts, strict=False):
        for _model in range(min(count, len(models))):
            target_key = (target[0].line, target[1])
            others = [model for model in models if model != target_key]
            model = others[0] if others else models[0]
            models.remove(model)
            targets[model] = target
