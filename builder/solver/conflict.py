"""The smallest set of demands that cannot all hold, found by hitting sets and proved smallest.

Every demand is a literal. A set that hits every known correction (demands whose loss lets the rest hold) is grown to
a largest set that can hold; what is left out of it is a new correction. The first smallest hitting set that cannot
hold is the smallest conflict (Ignatiev and others, Smallest MUS Extraction, 2015). Of equally small ones the plainest
is found: a model stays, rather than what it carries, rather than what was chosen for it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.model.base import Path
from builder.model.linear import LinearProgram
from builder.model.rules import Source
from builder.rules.decision_model import DecisionModel, Part
from builder.solver.cpsat import Machine, solve

SECONDS = 20.0
DETAILS = frozenset({"choice", "tie", "slot"})
MANY = 1000
"""One demand more weighs more than all details of a conflict."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One demand and the literal that makes it hold: `pick` (a copy at `path` stays), `rule`, `want`, `exact`,
    `avoid` (no more of a card than there are), `own` (no more than is owned: of one card, or of all others)."""

    kind: str
    literal: int
    name: str
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Demands that cannot all hold; none if they can. `proved` if no smaller set is in conflict."""

    demands: tuple[Switch, ...]
    proved: bool


def smallest(machine: Machine, switches: Sequence[Switch]) -> Conflict:
    """The smallest conflict among the switches."""
    start = time.monotonic()
    literals = [switch.literal for switch in switches]
    if machine.solve(assume=literals).values is not None:
        return Conflict((), True)
    corrections: list[frozenset[int]] = []
    ranks = {switch.literal: 2 if switch.kind in DETAILS else int(len(switch.path) > 2) for switch in switches}
    while True:
        chosen = _hitting(corrections, ranks)
        values = machine.solve([(literal, 1) for literal in literals], assume=sorted(chosen)).values
        if values is None or time.monotonic() - start > SECONDS:
            proved = values is None
            found = chosen if proved else _shrunk(machine, frozenset(literals))
            return Conflict(tuple(switch for switch in switches if switch.literal in found), proved)
        corrections.append(frozenset(literal for literal in literals if not values[literal]))


def _hitting(corrections: Sequence[frozenset[int]], ranks: Mapping[int, int]) -> frozenset[int]:
    """A smallest set that meets every correction, the plainest of these."""
    hits = LinearProgram()
    names = sorted(frozenset().union(*corrections))
    index = {literal: hits.var() for literal in names}
    for correction in corrections:
        hits.clause([index[literal] for literal in correction])
    values = solve(hits, [(var, -MANY - ranks[literal]) for literal, var in index.items()]).values
    assert values is not None
    return frozenset(literal for literal in names if values[index[literal]])


def _shrunk(machine: Machine, literals: frozenset[int]) -> frozenset[int]:
    kept = set(literals)
    for literal in sorted(literals):
        if machine.solve(assume=sorted(kept - {literal})).values is None:
            kept.discard(literal)
    return frozenset(kept)


def staying(model: DecisionModel, part: Part) -> list[Switch]:
    """One demand for each copy of a part to stay; an attachment stays on all copies of its line or on none."""
    carried = part.pick.source is Source.ATTACHMENTS
    path, card, many = part.pick.path, part.pick.card.id, 1 if carried else part.was
    made = [Switch("pick", model.program.var(), card, path) for _ in range(many)]
    terms = [(part.on if carried else part.many, 1), *((item.literal, -1) for item in made)]
    model.program.add(terms, low=0)
    return made
