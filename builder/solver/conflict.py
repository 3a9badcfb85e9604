"""The smallest set of demands that cannot all hold, found by hitting sets and proved smallest.

Every demand is a literal. A set that hits every known correction (demands whose loss lets the rest hold) is grown to
a largest set that can hold; what is left out of it is a new correction. The first smallest hitting set that cannot
hold is the smallest conflict (Ignatiev and others, Smallest MUS Extraction, 2015). Of equally small ones the plainest
is found: a model stays, rather than what it carries, rather than what was chosen for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.model.base import DataPath
from builder.model.linear import LinearProgram
from builder.model.rules import Source
from builder.rules.decision_model import DecisionModel, TieDecisions
from builder.rules.decision_parts import Part
from builder.solver.cpsat import Machine
from builder.solver.deadline import Deadline

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


def smallest(machine: Machine, switches: Sequence[Switch]) -> Conflict:
    """The smallest conflict among the switches. Where time runs out a set in conflict that may not be the smallest, or
    none that is not proved."""
    literals = [switch.literal for switch in switches]
    first = machine.solve(assume=literals)
    if first.values is not None or not first.proved:
        return Conflict((), first.proved)
    deadline = machine.deadline
    # half of the time is for the proof, the rest for shrinking a conflict that is not proved
    machine.deadline = deadline.share(1 / 2)
    corrections: list[frozenset[int]] = []
    ranks = {
        switch.literal: 2 if switch.kind in DETAILS else int(len(switch.path) > 2)
        for switch in switches
    }
    while True:
        hitting = _hitting(corrections, ranks, machine.deadline)
        if hitting is None:
            proved = False
            break
        found = hitting
        answer = machine.solve([(literal, 1) for literal in literals], assume=sorted(found))
        proved = answer.values is None and answer.proved
        if answer.values is None:
            break
        corrections.append(frozenset(literal for literal in literals if not answer.values[literal]))
    machine.deadline = deadline
    if not proved:
        found = _shrunk(machine, sorted(literals))
    return Conflict(tuple(switch for switch in switches if switch.literal in found), proved)


def _hitting(
    corrections: Sequence[frozenset[int]], ranks: Mapping[int, int], deadline: Deadline
) -> frozenset[int] | None:
    """A smallest set that meets every correction, the plainest of these; None if time ran out before it was found."""
    hits = LinearProgram()
    names = sorted(frozenset().union(*corrections))
    index = {literal: hits.var() for literal in names}
    for correction in corrections:
        hits.clause([index[literal] for literal in correction])
    answer = Machine(hits, deadline).solve(
        [(var, -MANY - ranks[literal]) for literal, var in index.items()]
    )
    if answer.values is None or not answer.proved:
        return None
    return frozenset(literal for literal in names if answer.values[index[literal]])


def _shrunk(machine: Machine, kept: list[int]) -> frozenset[int]:
    """What is left of a conflict without all that it can do without, taken out in halves, quarters and so on."""
    size = len(kept) // 2
    while size:
        at = 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            answer = machine.solve(assume=rest)
            if answer.values is None and answer.proved:
                kept = rest
            else:
                at += size
        size //= 2
    return frozenset(kept)


def staying(model: DecisionModel, part: Part) -> list[Switch]:
    """One demand for each copy of a part to stay; an attachment stays on all copies of its line or on none."""
    carried = part.pick.source is Source.ATTACHMENTS
    path, card, many = part.pick.path, part.pick.card.id, 1 if carried else part.was
    made = [Switch("pick", model.program.var(), card, path) for _ in range(many)]
    terms = [(part.on if carried else part.many, 1), *((item.literal, -1) for item in made)]
    model.program.add(terms, low=0)
    return made


def find_detail_switches(model: DecisionModel, ties: TieDecisions) -> list[Switch]:
    """Return a demand for each choice, named slot and link that is to stay as it is."""
    program, made = model.program, []
    for part in model.parts():
        if not part.was:
            continue
        for name, value in part.pick.choices.items():
            if name in part.domains:
                made.append(
                    Switch("choice", part.domains[name][value], f"{name}={value}", part.pick.path)
                )
        if part.freed is not None:
            named = program.all_of([part.on, ~part.freed])
            made.append(Switch("slot", program.positive(named), part.pick.card.id, part.pick.path))
    made += [
        Switch("tie", tie.targets[tie.stated], tie.link, tie.entry.pick.path)
        for tie in ties.ties.values()
        if tie.stated is not None
    ]
    return made
