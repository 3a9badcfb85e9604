"""Parts of a decision model: cards in a squad or to add, their variables and costs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.model.linear import YES, LinearProgram, Term
from builder.model.pack import Kind
from builder.roster.resolve import SelectedCard


@dataclass(eq=False)
class Part:
    """One card in the linear program: variables for its copies, its presence and its choices.

    `copies` counts its copies in the roster and `is_present` says whether there are any.
    `old_copies` are those that the roster has now, 0 for an addition. `added_copies` counts the
    copies added to an old entry. `is_freed` allows an attachment another slot than the named one.
    `domains` are the open choices of an entry: the literal of each value.
    """

    selected: SelectedCard
    copies: int
    is_present: int
    old_copies: int = 0
    added_copies: int | None = None
    is_freed: int | None = None
    domains: dict[str, Mapping[str, int]] = field(default_factory=dict)
    host: "Part | None" = None


@dataclass(eq=False)
class DecisionEntry:
    """An entry that the squad has or may get, with its possible attachments."""

    part: Part
    attachments: list[Part] = field(default_factory=list)


CandidateTerm: TypeAlias = tuple[Part, int]
"""A part, and the literal that a rule is about it if it is present."""
Queue: TypeAlias = tuple[int, ...]
"""Variables of copies of a card, in the order in which cost steps count them."""
Step: TypeAlias = tuple[Queue, int]
"""A queue, and the number of the first copy in it with another cost."""


@dataclass(frozen=True, slots=True)
class _CostChange:
    """A step in the price of a part's card: from copy `first` on, each costs `change` more."""

    before: Queue
    with_own: Queue
    first: int
    change: float


class StepCosts:
    """The costs of all parts, including prices that change with the number of copies.

    Make it after the last part is added.
    """

    def __init__(
        self, program: LinearProgram, parts: Sequence[Part], kinds: Mapping[str, Kind]
    ) -> None:
        self.program = program
        self.kinds = kinds
        self._vars_beyond: dict[Step, int | None] = {}
        self._copies_before: dict[tuple[Part, str], Queue] = {}
        queues: dict[tuple[str, str], Queue] = {}
        for part in parts:
            for steps in kinds[part.selected.card.kind].costs:
                key = (part.selected.card.id, steps.by)
                # cost steps by size count each entry by itself
                before = () if steps.by == "size" else queues.get(key, ())
                self._copies_before[part, steps.by] = before
                queues[key] = (*queues.get(key, ()), _get_counted_var(part, steps.by))

    def make_terms(self, candidates: Sequence[CandidateTerm]) -> list[Term]:
        """Return the terms whose sum is the cost of these parts."""
        terms = []
        changes: defaultdict[Step, float] = defaultdict(int)
        for part, literal in candidates:
            cost = part.selected.card.cost
            if cost:
                terms.append((self.program.make_product(part.copies, literal), cost))
            for rise in self._find_cost_changes(part):
                # sums of whole queues need fewer variables than the copies of each part
                if literal == YES:
                    changes[rise.with_own, rise.first] += rise.change
                    changes[rise.before, rise.first] -= rise.change
                    continue
                own_copies = self._count_own_copies_beyond(rise)
                if own_copies is not None:
                    terms.append(
                        (self.program.make_product(own_copies, literal), rise.change)
                    )
        return terms + self._make_queue_terms(changes)

    def _make_queue_terms(self, changes: Mapping[Step, float]) -> list[Term]:
        """Return the terms for copies that cost more or less than the first ones."""
        terms = []
        for (queue, first), change in changes.items():
            if not change:
                continue
            copies = self._count_beyond(queue, first)
            if copies is not None:
                terms.append((copies, change))
        return terms

    def _find_cost_changes(self, part: Part) -> list[_CostChange]:
        """Return all steps in the price of a part's card."""
        rises = []
        for steps in self.kinds[part.selected.card.kind].costs:
            before = self._copies_before[part, steps.by]
            with_own = (*before, _get_counted_var(part, steps.by))
            last_more: float = 0.0
            for first, more in steps.list_steps(part.selected.card):
                rises.append(_CostChange(before, with_own, first, more - last_more))
                last_more = more
        return rises

    def _count_beyond(self, queue: Queue, first: int) -> int | None:
        """Return a variable that counts the copies of a card from number `first` on.

        None if the squad cannot have that many.
        """
        if (queue, first) not in self._vars_beyond:
            self._vars_beyond[queue, first] = self._make_count_beyond(queue, first)
        return self._vars_beyond[queue, first]

    def _make_count_beyond(self, queue: Queue, first: int) -> int | None:
        program = self.program
        max_copies = sum(program.ranges[var][1] for var in queue)
        if max_copies < first:
            return None
        terms: list[Term] = [(var, 1) for var in queue]
        count = program.add_variable(max_copies - first + 1)
        is_reached = program.add_variable()
        last_before = first - 1
        # the count is 0 up to the step, and the number of copies beyond it from there on
        program.add_constraint(
            [*terms, (count, -1)], low=last_before, high=last_before, when=(is_reached,)
        )
        program.add_constraint([(count, 1)], high=0, when=(~is_reached,))
        program.add_constraint([(count, 1)], low=1, when=(is_reached,))
        program.add_constraint(terms, high=last_before, when=(~is_reached,))
        return count

    def _count_own_copies_beyond(self, rise: _CostChange) -> int | None:
        """Return a variable that counts the copies of one part that come after a price step."""
        all_copies = self._count_beyond(rise.with_own, rise.first)
        other_copies = self._count_beyond(rise.before, rise.first)
        if all_copies is None or other_copies is None:
            return all_copies
        own_copies = self.program.add_variable(
            self.program.ranges[rise.with_own[-1]][1]
        )
        row = [(own_copies, 1), (all_copies, -1), (other_copies, 1)]
        self.program.add_constraint(row, low=0, high=0)
        return own_copies


def _get_counted_var(part: Part, counted_unit: str) -> int:
    """Return the variable that a price step counts: the copies, or 1 if the entry is present."""
    return part.is_present if counted_unit == "line" else part.copies
