"""The smallest set of demands that cannot all hold, found by hitting sets and proved smallest.

Every demand is a literal. A set that hits every known correction (demands whose loss lets the rest
hold) is grown to a largest set that can hold; what is left out of it is a new correction. The first
smallest hitting set that cannot hold is the smallest conflict (Ignatiev and others, Smallest MUS
Extraction, 2015). Of equally small ones the plainest is found: a model stays, rather than what it
carries, rather than what was chosen for it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from builder.model.base import DataPath
from builder.model.linear import LinearProgram
from builder.model.rules import Source
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import Part
from builder.solver.cpsat import Machine
from builder.solver.deadline import Deadline

DETAIL_KINDS = frozenset({"choice", "tie", "slot"})
DEMAND_WEIGHT = 1000
"""One demand more weighs more than all details of a conflict."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One demand and the literal that makes it hold.

    `pick` (a copy at `path` stays), `rule`, `want`, `exact`, `avoid` (no more of a card than there
    are), `own` (no more than is owned: of one card, or of all others).
    """

    kind: str
    literal: int
    name: str
    path: DataPath = ()

    @property
    def key(self) -> tuple[str, str, DataPath]:
        """The demand without its literal, which differs from model to model."""
        return self.kind, self.name, self.path


@dataclass(frozen=True, slots=True)
class Conflict:
    """Demands that cannot all hold; none if they can. `proved` if no smaller set is in conflict."""

    demands: tuple[Switch, ...]
    proved: bool


class SwitchOracle(Protocol):
    """Answers which demands can hold together. Demands are given by their index."""

    deadline: Deadline

    def find_kept(
        self, demands: Collection[int], keep_most: bool
    ) -> tuple[frozenset[int] | None, bool]:
        """Return all demands that a solution keeps, these among them.

        None if they cannot hold together.

        With `keep_most` the solution keeps as many as possible. The second value is false if time
        ran out.
        """


class MachineOracle:
    """The answers of one model."""

    def __init__(self, machine: Machine, switches: Sequence[Switch]) -> None:
        self.machine = machine
        self.literals = [switch.literal for switch in switches]

    @property
    def deadline(self) -> Deadline:
        """The end of the search."""
        return self.machine.deadline

    @deadline.setter
    def deadline(self, deadline: Deadline) -> None:
        self.machine.deadline = deadline

    def find_kept(
        self, demands: Collection[int], keep_most: bool
    ) -> tuple[frozenset[int] | None, bool]:
        """Ask the solver."""
        objective = [(literal, 1) for literal in self.literals] if keep_most else []
        answer = self.machine.solve(
            objective, assume=[self.literals[index] for index in sorted(demands)]
        )
        if answer.values is None:
            return None, answer.proved
        kept_demands = [
            index for index, literal in enumerate(self.literals) if answer.values[literal]
        ]
        return frozenset(kept_demands), True


def find_smallest_conflict(oracle: SwitchOracle, switches: Sequence[Switch]) -> Conflict:
    """Return the smallest conflict among the switches.

    Where time runs out it may not be the smallest, or it is empty and not proved.
    """
    every_demand = range(len(switches))
    kept_demands, is_known = oracle.find_kept(every_demand, keep_most=False)
    if kept_demands is not None or not is_known:
        return Conflict((), is_known)
    deadline = oracle.deadline
    # half of the time is for the proof, the rest for shrinking a conflict that is not proved
    oracle.deadline = deadline.share(1 / 2)
    conflict = _find_proved_conflict(oracle, switches)
    oracle.deadline = deadline
    is_proved = conflict is not None
    if conflict is None:
        conflict = _shrink_conflict(oracle, list(every_demand))
    return Conflict(tuple(switches[index] for index in sorted(conflict)), is_proved)


def _find_proved_conflict(
    oracle: SwitchOracle, switches: Sequence[Switch]
) -> frozenset[int] | None:
    """Return the smallest conflict by index, None if time ran out."""
    ranks = [_rank_demand(switch) for switch in switches]
    corrections: list[frozenset[int]] = []
    while True:
        hitting_set = _find_hitting_set(corrections, ranks, oracle.deadline)
        if hitting_set is None:
            return None
        kept_demands, is_known = oracle.find_kept(hitting_set, keep_most=True)
        if kept_demands is None:
            return hitting_set if is_known else None
        corrections.append(frozenset(range(len(switches))) - kept_demands)


def _rank_demand(switch: Switch) -> int:
    """Return how detailed a demand is.

    0 for a model, 1 for what it carries, 2 for what was chosen for it.
    """
    return 2 if switch.kind in DETAIL_KINDS else int(len(switch.path) > 2)


def _find_hitting_set(
    corrections: Sequence[frozenset[int]], ranks: Sequence[int], deadline: Deadline
) -> frozenset[int] | None:
    """Return a smallest set that meets every correction, the plainest of these.

    None if time ran out before.
    """
    program = LinearProgram()
    variables = {index: program.add_variable() for index in sorted(frozenset().union(*corrections))}
    for correction in corrections:
        program.add_clause([variables[index] for index in correction])
    objective = [(var, -DEMAND_WEIGHT - ranks[index]) for index, var in variables.items()]
    answer = Machine(program, deadline).solve(objective)
    if answer.values is None or not answer.proved:
        return None
    return frozenset(index for index, var in variables.items() if answer.values[var])


def _shrink_conflict(oracle: SwitchOracle, demands: list[int]) -> frozenset[int]:
    """Return a conflict without demands it does not need, removed in halves, quarters ..."""
    size = len(demands) // 2
    while size:
        start = 0
        while start < len(demands):
            rest = demands[:start] + demands[start + size :]
            kept_demands, is_known = oracle.find_kept(rest, keep_most=False)
            if kept_demands is None and is_known:
                demands = rest
            else:
                start += size
        size //= 2
    return frozenset(demands)


def make_stay_switches(model: DecisionModel, part: Part) -> list[Switch]:
    """One demand for each copy of a part to stay.

    An attachment stays on all copies of its line or on none.
    """
    carried = part.selected.source is Source.ATTACHMENTS
    path, card, copies = (
        part.selected.path,
        part.selected.card.id,
        1 if carried else part.old_copies,
    )
    switches = [Switch("pick", model.program.add_variable(), card, path) for _ in range(copies)]
    terms = [
        (part.is_present if carried else part.copies, 1),
        *((item.literal, -1) for item in switches),
    ]
    model.program.add_row(terms, low=0)
    return switches


def find_detail_switches(model: DecisionModel, ties: LinkDecisions) -> list[Switch]:
    """Return a demand for each choice, named slot and link that is to stay as it is."""
    program, switches = model.program, []
    for part in model.list_parts():
        if not part.old_copies:
            continue
        for name, value in part.selected.choices.items():
            if name in part.domains:
                switches.append(
                    Switch(
                        "choice", part.domains[name][value], f"{name}={value}", part.selected.path
                    )
                )
        if part.is_freed is not None:
            named = program.make_all_of([part.is_present, ~part.is_freed])
            switches.append(
                Switch(
                    "slot", program.make_positive(named), part.selected.card.id, part.selected.path
                )
            )
    switches += [
        Switch("tie", tie.targets[tie.declared_target], tie.link, tie.entry.selected.path)
        for tie in ties.links.values()
        if tie.declared_target is not None
    ]
    return switches
