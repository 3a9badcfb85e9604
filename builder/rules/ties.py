"""The ties of a squad in the making as variables: who is tied to whom, and what that changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.model.linear import NO
from builder.rules.decision_model import DecisionModel, Part


@dataclass(eq=False)
class TieDecision:
    """One entry's tie by one link: `named` and, per target's index, the literal that names it."""

    entry: Part
    link: str
    named: int
    targets: dict[int, int] = field(default_factory=dict)
    stated: int | None = None


class TieDecisions:
    """The ties of a decision model; `ties[(entry's index, link)]`."""

    def __init__(self, model: DecisionModel) -> None:
        self.program = model.program
        self.entries = [line.entry for line in model.lines]
        self.ties: dict[tuple[int, str], TieDecision] = {}
        self._fits: list[tuple[TieDecision, Mapping[int, int], tuple[int, ...]]] = []
        lines = {part.pick.line: index for index, part in enumerate(self.entries)}
        self.stated = {
            (lines[line], link): lines[target.line]
            for (line, link), target in model.squad.ties.items()
            if line in lines and target.line in lines
        }

    def tie(self, index: int, link: str) -> TieDecision:
        """The tie of an entry, its variables made when first asked for."""
        if (index, link) not in self.ties:
            entry, stated = self.entries[index], self.stated.get((index, link))
            made = self.ties[index, link] = TieDecision(entry, link, self.program.var(), stated=stated)
            self.program.clause([entry.on, ~made.named])
            if stated is not None:
                self.target(made, stated)
        return self.ties[index, link]

    def target(self, tie: TieDecision, other: int) -> int:
        """The literal that names one target."""
        if other not in tie.targets:
            tie.targets[other] = self.program.var()
            self.program.clause([self.entries[other].on, ~tie.targets[other]])
        return tie.targets[other]

    def restrict(self, tie: TieDecision, fits: Mapping[int, int], when: tuple[int, ...]) -> None:
        """Where `when` holds the tie names no target but these, each under its literal."""
        self._fits.append((tie, fits, when))

    def finish(self, keep: bool) -> None:
        """After all rules: a tie names one target, of those that fit; with `keep` the stated ones stay.

        A stated tie that no rule asks about is kept as long as its target is there.
        """
        program = self.program
        for index, link in self.stated:
            self.tie(index, link)
        for tie in self.ties.values():
            program.add([*((var, 1) for var in tie.targets.values()), (tie.named, -1)], low=0, high=0)
            if keep and tie.stated is not None:
                program.clause([tie.targets[tie.stated]])
        for tie, fits, when in self._fits:
            for other, var in tie.targets.items():
                program.clause([~var, fits.get(other, NO)], when=when)

    def changed(self) -> list[int]:
        """Literals that hold where a tie is named that was not, or is not any more what it was."""
        return [
            tie.named if tie.stated is None else self.program.all_of([tie.entry.on, ~tie.targets[tie.stated]])
            for tie in self.ties.values()
            if tie.entry.was
        ]

    def new(self, values: Sequence[int]) -> list[int]:
        """Of a solution the literals that made it tie otherwise: the target named, or else that none is."""
        program, new = self.program, []
        for tie, literal in zip((tie for tie in self.ties.values() if tie.entry.was), self.changed(), strict=True):
            if values[program.positive(literal)]:
                named = (var for other, var in tie.targets.items() if other != tie.stated and values[var])
                new.append(next(named, program.positive(literal)))
        return new
