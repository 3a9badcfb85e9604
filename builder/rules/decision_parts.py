"""The parts of a squad in the making, picks that are there or may be added, with their variables; what they cost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.model.linear import YES, LinearProgram, Term
from builder.model.pack import Kind
from builder.roster.resolve import SelectedCard


@dataclass(eq=False)
class Part:
    """One pick. `many` counts its copies in the roster, `on` tells whether it is there; `was` are the copies the
    roster has now, 0 for an addition, `grown` counts what an old line has more than it had; `freed` allows an
    attachment another slot than the one named. `domains` are the choices of an entry that are open: for each value the
    literal that it is chosen."""

    selected: SelectedCard
    copies: int
    is_present: int
    old_copies: int = 0
    added_copies: int | None = None
    is_freed: int | None = None
    domains: dict[str, Mapping[str, int]] = field(default_factory=dict)
    host: "Part | None" = None


@dataclass(eq=False)
class DecisionLine:
    """One entry and what it carries or may carry."""

    entry: Part
    attachments: list[Part] = field(default_factory=list)


CandidateTerm: TypeAlias = tuple[Part, int]
"""A part, and the literal that a rule means it if it is there."""


Queue: TypeAlias = tuple[int, ...]
"""The variables of copies that are counted one after another."""
Step: TypeAlias = tuple[Queue, int]
"""Such a queue, and the number of the first copy in it that costs something else."""


class StepCosts:
    """The costs of all parts of one program, further copies dearer or cheaper; made when no part is added any more."""

    def __init__(
        self, program: LinearProgram, parts: Sequence[Part], kinds: Mapping[str, Kind]
    ) -> None:
        self.program = program
        self.kinds = kinds
        self._beyond: dict[Step, int | None] = {}
        self._before: dict[tuple[Part, str], Queue] = {}
        queues: dict[tuple[str, str], Queue] = {}
        for part in parts:
            for steps in kinds[part.selected.card.kind].costs:
                key = (part.selected.card.id, steps.by)
                self._before[part, steps.by] = () if steps.by == "size" else queues.get(key, ())
                queues[key] = (*queues.get(key, ()), self._counted(part, steps.by))

    def make_terms(self, meant: Sequence[CandidateTerm]) -> list[Term]:
        """What the parts cost that are meant: what each card says, and so much more for each copy beyond a step."""
        found: list[Term] = []
        steps: defaultdict[Step, int | float] = defaultdict(int)
        for part, literal in meant:
            if part.selected.card.cost:
                found.append(
                    (self.program.make_product(part.copies, literal), part.selected.card.cost)
                )
            for before, now, first, change in self._rises(part):
                if literal == YES:
                    steps[now, first] += change
                    steps[before, first] -= change
                elif (own := self._own(before, now, first)) is not None:
                    found.append((self.program.make_product(own, literal), change))
        over = (
            (self._over(queue, first), change) for (queue, first), change in steps.items() if change
        )
        return found + [(var, change) for var, change in over if var is not None]

    def _rises(self, part: Part) -> list[tuple[Queue, Queue, int, int | float]]:
        """Each step of a part's card: the copies before it, those with its own, from which copy, how much it rises."""
        found = []
        for steps in self.kinds[part.selected.card.kind].costs:
            before, last = self._before[part, steps.by], 0.0
            for first, more in steps.list_steps(part.selected.card):
                found.append((before, (*before, self._counted(part, steps.by)), first, more - last))
                last = more
        return found

    @staticmethod
    def _counted(part: Part, by: str) -> int:
        """The variable of what a part adds to its queue."""
        return part.is_present if by == "line" else part.copies

    def _over(self, queue: Queue, first: int) -> int | None:
        """How many of the copies are the `first` or a later one; None where there cannot be so many."""
        if (queue, first) not in self._beyond:
            program, terms = self.program, [(var, 1) for var in queue]
            most = sum(program.ranges[var][1] for var in queue)
            found = None
            if most >= first:
                found, reached = program.add_variable(most - first + 1), program.add_variable()
                program.add_row(
                    [*terms, (found, -1)], low=first - 1, high=first - 1, when=(reached,)
                )
                program.add_row([(found, 1)], high=0, when=(~reached,))
                program.add_row([(found, 1)], low=1, when=(reached,))
                program.add_row(terms, high=first - 1, when=(~reached,))
            self._beyond[queue, first] = found
        return self._beyond[queue, first]

    def _own(self, before: Queue, now: Queue, first: int) -> int | None:
        """How many of the last part's own copies are beyond a step."""
        over, less = self._over(now, first), self._over(before, first)
        if over is None or less is None:
            return over
        own = self.program.add_variable(self.program.ranges[now[-1]][1])
        self.program.add_row([(own, 1), (over, -1), (less, 1)], low=0, high=0)
        return own
