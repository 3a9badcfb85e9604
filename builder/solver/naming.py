"""Name links where a solution leaves open which model is linked to which.

The rows of a link rule say that an assignment exists. Whether two assignments differ, so that the
roster must name one, only the judge knows. This module names what a solution left open, or forbids
the solution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from builder.model.roster import Roster
from builder.roster.operations import SetLink, apply_operations
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import DecisionLine
from builder.rules.violation import Violation
from builder.solver.result import SolvedRoster

MAX_ROUNDS = 20
"""Solutions in a row that are forbidden because they leave links open.

After that nothing is proved.
"""


@dataclass(frozen=True, slots=True)
class NamedOutcome:
    """A solved roster with its links named, and the verdict on it."""

    solved: SolvedRoster
    result: RosterResult

    @property
    def is_open(self) -> bool:
        """True if some link must still be named."""
        return any(map(_is_unnamed_link, self.result.violations))


def _is_unnamed_link(violation: Violation) -> bool:
    return violation.kind == "unnamed"


class LinkNames:
    """Names the links of the solutions of one model."""

    def __init__(self, checker: RosterChecker, model: DecisionModel, ties: LinkDecisions) -> None:
        self.checker = checker
        self.model = model
        self.links = ties

    def name_links(self, solved: SolvedRoster, values: Sequence[int], *, old: bool) -> NamedOutcome:
        """Name what must be named as the solution assigns it: on new lines, with `old` on all."""
        kept_lines = [
            index for index, line in enumerate(self.model.lines) if values[line.entry.is_present]
        ]
        while True:
            outcome = NamedOutcome(solved, self.checker.check(solved.roster, repaired=False))
            steps = (
                self._find_missing_link(item, kept_lines, values, old=old)
                for item in outcome.result.violations
            )
            step = next((step for step in steps if step is not None), None)
            if step is None:
                return outcome
            roster: Roster = apply_operations(solved.roster, step)
            solved = replace(solved, roster=roster, links=(*solved.links, step))

    def _find_missing_link(
        self, violation: Violation, kept_lines: Sequence[int], values: Sequence[int], *, old: bool
    ) -> SetLink | None:
        """Return the link that a violation needs, None if the solution has no single one."""
        if not _is_unnamed_link(violation) or violation.subject is None:
            return None
        line = int(violation.subject.path[1])
        index = kept_lines[line]
        if self.model.lines[index].entry.old_copies and not old:
            return None
        flows = self.links.flows.get((violation.rule, index), {})
        targets = [other for other, flow in flows.items() if values[flow] and other in kept_lines]
        if len(targets) != 1 or targets[0] == index:
            return None
        return SetLink(
            line, self.checker.evaluator.get_form(violation.rule).link, kept_lines.index(targets[0])
        )

    def forbid_values(self, values: Sequence[int]) -> None:
        """From now on something differs of all that decides which links must be named."""
        program = self.model.program
        differing: list[int] = []
        for var in dict.fromkeys(self._find_deciding_variables()):
            low, high = program.ranges[var]
            if (low, high) == (0, 1):
                differing.append(~var if values[var] else var)
            elif low < high:
                less, more = program.add_variable(), program.add_variable()
                program.add_row([(var, 1)], high=values[var] - 1, when=(less,))
                program.add_row([(var, 1)], low=values[var] + 1, when=(more,))
                differing += [less, more]
        program.add_clause(differing)

    def _find_deciding_variables(self) -> Iterator[int]:
        """Yield variables of linkable lines, of their links, and of the conditions of a rule."""
        forms = [form for form in self.checker.evaluator.forms if form.link]
        linked = {index for (_rule, index) in self.links.flows} | {
            index for index, _link in self.links.links
        }
        for flows in self.links.flows.values():
            linked.update(flows)
        for tie in self.links.links.values():
            linked.update(tie.targets)
        is_conditional = any(
            form.exists is not None or form.not_exists is not None for form in forms
        )
        for index, line in enumerate(self.model.lines):
            if index in linked or is_conditional:
                yield from _list_variables(line)
        if is_conditional:
            yield from (part.copies for part in self.model.deck)
        for tie in self.links.links.values():
            yield tie.is_named
            yield from tie.targets.values()
        for (_rule, index), flows in self.links.flows.items():
            if not self.model.lines[index].entry.old_copies:
                yield from flows.values()


def _list_variables(line: DecisionLine) -> Iterator[int]:
    """Yield the variables that say what a line holds."""
    yield line.entry.copies
    for literals in line.entry.domains.values():
        yield from literals.values()
    for part in line.attachments:
        yield part.is_present
        if part.is_freed is not None:
            yield part.is_freed
