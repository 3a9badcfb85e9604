"""Name links where a solution leaves open which model is linked to which.

The rows of a link rule say that an assignment exists. Whether two assignments differ, so that the
roster must name one, only the checker finds out. This module names what a solution leaves open, or
forbids the solution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from builder.roster.operations import SetLink, apply_operations
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import DecisionEntry
from builder.rules.violation import Violation
from builder.solver.result import SolvedRoster

MAX_ROUNDS = 20
"""Solutions in a row that are forbidden because they leave links open.

After that nothing is proved.
"""


@dataclass(frozen=True, slots=True)
class NamedOutcome:
    """A solved roster with its links named, and the result of its check."""

    solved: SolvedRoster
    result: RosterResult

    @property
    def is_open(self) -> bool:
        """True if some link must still be named."""
        return any(map(_is_unnamed_link, self.result.violations))


def _is_unnamed_link(violation: Violation) -> bool:
    return violation.kind == "unnamed"


class LinkNames:
    """Names the links of the solutions of one solver model."""

    def __init__(
        self, checker: RosterChecker, model: DecisionModel, links: LinkDecisions
    ) -> None:
        self.checker = checker
        self.model = model
        self.links = links

    def name_links(
        self, solved: SolvedRoster, values: Sequence[int], *, on_old_entries: bool
    ) -> NamedOutcome:
        """Name the links that must be named, as the solution assigns them.

        Links of old entries are named only with `on_old_entries`.
        """
        while True:
            outcome = NamedOutcome(
                solved, self.checker.check(solved.roster, repaired=False)
            )
            step = self._find_first_link(outcome, values, on_old_entries)
            if step is None:
                return outcome
            # naming one link may decide others, so the roster is checked again
            roster = apply_operations(solved.roster, step)
            solved = replace(solved, roster=roster, links=(*solved.links, step))

    def _find_first_link(
        self, outcome: NamedOutcome, values: Sequence[int], on_old_entries: bool
    ) -> SetLink | None:
        """Return the first link that a violation requires and that the solution assigns."""
        present_indexes = [
            index
            for index, entry in enumerate(self.model.entries)
            if values[entry.part.is_present]
        ]
        for violation in outcome.result.violations:
            if not _is_unnamed_link(violation) or violation.subject is None:
                continue
            line = int(violation.subject.path[1])
            index = present_indexes[line]
            if self.model.entries[index].part.old_copies and not on_old_entries:
                continue
            target = self._find_only_target(violation.rule, index, values)
            if target is not None and target in present_indexes:
                link = self.checker.evaluator.get_form(violation.rule).link
                return SetLink(line, link, present_indexes.index(target))
        return None

    def _find_only_target(
        self, rule_id: str, index: int, values: Sequence[int]
    ) -> int | None:
        """Return the index of the entry that all copies of the entry at `index` are linked to.

        None if they are linked to none, or to several.
        """
        flows = self.links.flows.get((rule_id, index), {})
        targets = [target for target, flow in flows.items() if values[flow]]
        if len(targets) != 1 or targets[0] == index:
            return None
        return targets[0]

    def forbid_values(self, values: Sequence[int]) -> None:
        """Require that the next solutions differ in what decides which links must be named."""
        program = self.model.program
        literals = []
        for var in dict.fromkeys(self._find_deciding_variables()):
            low, high = program.ranges[var]
            if (low, high) == (0, 1):
                literals.append(~var if values[var] else var)
            elif low < high:
                literals += program.make_differences([(var, 1)], values[var])
        program.add_clause(literals)

    def _find_deciding_variables(self) -> Iterator[int]:
        """Yield the variables that decide which links must be named.

        They belong to entries that may be linked, to their links, and to cards that put a link rule
        in force.
        """
        forms = [form for form in self.checker.evaluator.forms if form.link]
        has_conditions = any(
            form.exists is not None or form.not_exists is not None for form in forms
        )
        linked_indexes = self._find_linked_indexes()
        for index, entry in enumerate(self.model.entries):
            if index in linked_indexes or has_conditions:
                yield from _list_variables(entry)
        if has_conditions:
            yield from (part.copies for part in self.model.deck)
        for decision in self.links.links.values():
            yield decision.is_named
            yield from decision.targets.values()
        for (_rule, index), flows in self.links.flows.items():
            if not self.model.entries[index].part.old_copies:
                yield from flows.values()

    def _find_linked_indexes(self) -> set[int]:
        """Return the indexes of the entries that may be linked to or from."""
        indexes = set()
        for (_rule, index), flows in self.links.flows.items():
            indexes.add(index)
            indexes.update(flows)
        for (index, _link), decision in self.links.links.items():
            indexes.add(index)
            indexes.update(decision.targets)
        return indexes


def _list_variables(entry: DecisionEntry) -> Iterator[int]:
    """Yield the variables of an entry's copies, choices and attachments."""
    yield entry.part.copies
    for literals in entry.part.domains.values():
        yield from literals.values()
    for part in entry.attachments:
        yield part.is_present
        if part.is_freed is not None:
            yield part.is_freed
