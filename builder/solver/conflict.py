"""Find the smallest set of demands that cannot all hold, and prove that none is smaller.

The method is that of Ignatiev and others, "Smallest MUS Extraction with Minimal Hitting Set
Dualization" (2015). A correction is a set of demands that a solution gives up so that all others
hold. A conflict has at least one demand of every correction. So the smallest set that has a demand
of each known correction is tried. If it can hold, a solution that keeps it and as many other
demands as possible gives a new correction. If it cannot hold, it is the smallest conflict.

Of equally small conflicts the one with the least detail is found: models rather than attachments,
attachments rather than choices.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from builder.model.base import DataPath
from builder.model.linear import LinearProgram
from builder.model.rules import Source
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import Part
from builder.solver.cpsat import Answer, ProgramSolver
from builder.solver.deadline import Deadline

DETAIL_KINDS = frozenset({"choice", "tie", "slot"})
DEMAND_WEIGHT = 1000
"""One demand more weighs more than all details of a conflict."""
PROOF_SHARE = 0.5
"""Share of the remaining time (0 to 1) for the proof that a conflict is the smallest.

The rest is for a conflict that is not proved to be the smallest.
"""


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand and the literal that makes it hold.

    `kind` is one of these: `pick` (a copy of the card at `path` stays), `rule`, `want` (a card is
    added), `exact` (all is spent), `avoid` (no more of a card than there are), `own` (no more than
    is owned: of one card, or of all others), `choice`, `slot` and `tie` (a link of an entry) stay.
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
    """Demands that no solution meets at once. Empty if there is a solution.

    `is_proved` is True if no smaller set is in conflict.
    """

    demands: tuple[Demand, ...]
    is_proved: bool


@dataclass(frozen=True, slots=True)
class KeptDemands:
    """The demands that a solution keeps, by index; None if there is no solution.

    `is_known` is False if time ran out.
    """

    indexes: frozenset[int] | None
    is_known: bool


class DemandOracle(Protocol):
    """Finds which demands a solution can meet at once. Demands are given by their index."""

    deadline: Deadline

    def find_kept(self, demands: Collection[int], keep_most: bool) -> KeptDemands:
        """Find a solution that meets these demands. Return all demands that it meets.

        With `keep_most` the solution meets as many as possible.
        """


class ModelDemandOracle:
    """Finds which demands a solution of one solver model can meet at once."""

    def __init__(self, solver: ProgramSolver, demands: Sequence[Demand]) -> None:
        self.solver = solver
        self.literals = [demand.literal for demand in demands]

    @property
    def deadline(self) -> Deadline:
        """The end of the search."""
        return self.solver.deadline

    @deadline.setter
    def deadline(self, deadline: Deadline) -> None:
        self.solver.deadline = deadline

    def find_kept(self, demands: Collection[int], keep_most: bool) -> KeptDemands:
        """Solve the program with these demands."""
        objective = [(literal, 1) for literal in self.literals] if keep_most else []
        required = [self.literals[index] for index in sorted(demands)]
        answer = self.solver.solve(objective, required=required)
        return read_kept_demands(answer, self.literals)


def read_kept_demands(answer: Answer, literals: Sequence[int]) -> KeptDemands:
    """Return the demands, given by their literals, that an answer of the solver keeps."""
    values = answer.values
    if values is None:
        return KeptDemands(None, answer.is_proved)
    indexes = [index for index, literal in enumerate(literals) if values[literal]]
    return KeptDemands(frozenset(indexes), True)


def find_smallest_conflict(oracle: DemandOracle, demands: Sequence[Demand]) -> Conflict:
    """Return the smallest conflict among the demands.

    If time runs out it may not be the smallest, or it is empty and not proved.
    """
    every_index = range(len(demands))
    kept_demands = oracle.find_kept(every_index, keep_most=False)
    if kept_demands.indexes is not None or not kept_demands.is_known:
        return Conflict((), kept_demands.is_known)
    deadline = oracle.deadline
    oracle.deadline = deadline.share(PROOF_SHARE)
    conflict = _find_proved_conflict(oracle, demands)
    oracle.deadline = deadline
    is_proved = conflict is not None
    if conflict is None:
        conflict = _shrink_conflict(oracle, list(every_index))
    return Conflict(tuple(demands[index] for index in sorted(conflict)), is_proved)


def _find_proved_conflict(
    oracle: DemandOracle, demands: Sequence[Demand]
) -> frozenset[int] | None:
    """Return the smallest conflict by index, None if time ran out."""
    ranks = [_rank_demand(demand) for demand in demands]
    corrections: list[frozenset[int]] = []
    while True:
        hitting_set = _find_hitting_set(corrections, ranks, oracle.deadline)
        if hitting_set is None:
            return None
        # The more demands are kept, the smaller is the correction, and the fewer rounds follow.
        kept_demands = oracle.find_kept(hitting_set, keep_most=True)
        if kept_demands.indexes is None:
            return hitting_set if kept_demands.is_known else None
        corrections.append(frozenset(range(len(demands))) - kept_demands.indexes)


def _rank_demand(demand: Demand) -> int:
    """Return how detailed a demand is: 0 for a model, 1 for an attachment, 2 for a setting."""
    if demand.kind in DETAIL_KINDS:
        return 2
    return 1 if len(demand.path) > 2 else 0


def _find_hitting_set(
    corrections: Sequence[frozenset[int]], ranks: Sequence[int], deadline: Deadline
) -> frozenset[int] | None:
    """Return a smallest set that has a demand of each correction, the least detailed of these.

    None if time ran out before.
    """
    program = LinearProgram()
    indexes: set[int] = set()
    for correction in corrections:
        indexes |= correction
    variables = {index: program.add_variable() for index in sorted(indexes)}
    for correction in corrections:
        program.add_clause([variables[index] for index in correction])
    objective = [
        (var, -DEMAND_WEIGHT - ranks[index]) for index, var in variables.items()
    ]
    # Only a proved smallest set counts: a larger one could hide a smaller conflict.
    answer = ProgramSolver(program, deadline).solve(objective)
    if answer.values is None or not answer.is_proved:
        return None
    return frozenset(index for index, var in variables.items() if answer.values[var])


def _shrink_conflict(oracle: DemandOracle, indexes: list[int]) -> frozenset[int]:
    """Return a smaller conflict: halves of the demands are dropped, then quarters and so on."""
    size = len(indexes) // 2
    while size:
        start = 0
        while start < len(indexes):
            shorter = indexes[:start] + indexes[start + size :]
            kept_demands = oracle.find_kept(shorter, keep_most=False)
            # Unknown counts as possible, so that what remains is a conflict in any case.
            if kept_demands.indexes is None and kept_demands.is_known:
                indexes = shorter
            else:
                start += size
        size //= 2
    return frozenset(indexes)


def make_stay_demands(model: DecisionModel, part: Part) -> list[Demand]:
    """Return a demand for each copy of a part to stay.

    An attachment stays on all copies of its entry or on none, so it has one demand.
    """
    selected = part.selected
    if selected.source is Source.ATTACHMENTS:
        counted_var, copies = part.is_present, 1
    else:
        counted_var, copies = part.copies, part.old_copies
    demands = []
    for _copy in range(copies):
        literal = model.program.add_variable()
        demands.append(Demand("pick", literal, selected.card.id, selected.path))
    terms = [(counted_var, 1), *((demand.literal, -1) for demand in demands)]
    model.program.add_constraint(terms, low=0)
    return demands


def find_detail_demands(model: DecisionModel, links: LinkDecisions) -> list[Demand]:
    """Return a demand for each choice, named slot and link to stay as it is."""
    demands: list[Demand] = []
    for part in model.list_parts():
        if part.old_copies:
            demands += _find_part_details(model, part)
    for decision in links.links.values():
        if decision.declared_target is not None:
            literal = decision.targets[decision.declared_target]
            path = decision.entry.selected.path
            demands.append(Demand("tie", literal, decision.link, path))
    return demands


def _find_part_details(model: DecisionModel, part: Part) -> Iterator[Demand]:
    """Yield a demand for each open choice of an old part, and for its named slot."""
    selected = part.selected
    for name, value in selected.choices.items():
        if name in part.domains:
            literal = part.domains[name][value]
            yield Demand("choice", literal, f"{name}={value}", selected.path)
    if part.is_freed is not None:
        keeps_slot = model.program.make_all_of([part.is_present, ~part.is_freed])
        literal = model.program.make_positive(keeps_slot)
        yield Demand("slot", literal, selected.card.id, selected.path)
