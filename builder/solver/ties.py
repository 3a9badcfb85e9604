"""The `link` form as rows: who is tied to whom, named or left unsaid, and what a target can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.rules.bounds import number
from builder.rules.forms.relations import Tied
from builder.solver.conditions import Conditions
from builder.solver.draft import Draft, Part
from builder.solver.program import NO, Term


@dataclass(eq=False)
class Bond:
    """One entry's tie by one link: `named` and, per target's index, the literal that names it."""

    entry: Part
    link: str
    named: int
    targets: dict[int, int] = field(default_factory=dict)
    stated: int | None = None


class Bonds:
    """The ties of a draft; `bonds[(entry's index, link)]`."""

    def __init__(self, draft: Draft, conditions: Conditions) -> None:
        self.program = draft.program
        self.conditions = conditions
        self.entries = [line.entry for line in draft.lines]
        self.bonds: dict[tuple[int, str], Bond] = {}
        self._fits: list[tuple[Bond, Mapping[int, int], tuple[int, ...]]] = []
        lines = {part.pick.line: index for index, part in enumerate(self.entries)}
        self.stated = {
            (lines[line], link): lines[target.line]
            for (line, link), target in draft.squad.ties.items()
            if line in lines and target.line in lines
        }

    def bond(self, index: int, link: str) -> Bond:
        """The tie of an entry, its variables made when first asked for."""
        if (index, link) not in self.bonds:
            entry, stated = self.entries[index], self.stated.get((index, link))
            made = self.bonds[index, link] = Bond(entry, link, self.program.var(), stated=stated)
            self.program.clause([entry.on, ~made.named])
            if stated is not None:
                self._target(made, stated)
        return self.bonds[index, link]

    def _target(self, bond: Bond, other: int) -> int:
        """The literal that names one target."""
        if other not in bond.targets:
            bond.targets[other] = self.program.var()
            self.program.clause([self.entries[other].on, ~bond.targets[other]])
        return bond.targets[other]

    def rule(self, form: Tied, when: tuple[int, ...]) -> None:
        """One link rule."""
        held: dict[int, list[Term]] = {}
        for index, entry in enumerate(self.entries):
            takes = self.conditions.takes(form.selector, entry)
            if takes == NO:
                continue
            bond = self.bond(index, form.rule.link)
            load = (number(entry.pick.value(form.rule.load)) or 0) if form.rule.load is not None else 1
            for other, literal in self._loaded(form, index, bond, takes, when).items():
                held.setdefault(other, []).append((self.program.times(entry.many, literal), load))
        if form.rule.capacity is None:
            return
        for other, terms in held.items():
            target = self.entries[other]
            room = number(target.pick.card.field(form.rule.capacity))
            if room is not None:
                self.program.add([*terms, (target.many, -room)], high=0, when=(*when, target.on))

    def _loaded(self, form: Tied, index: int, bond: Bond, takes: int, when: tuple[int, ...]) -> dict[int, int]:
        """For each target the literal that the entry is tied to it, named or not."""
        program, where = self.program, form.rule.target
        fits = {
            other: fit
            for other, part in enumerate(self.entries)
            if other != index and (fit := self.conditions.where(where, part, bond.entry)) != NO
        }
        loads = {other: [self._target(bond, other)] for other in fits}
        self._fits.append((bond, fits, (*when, takes)))
        if form.rule.required == "always":
            program.clause([bond.named, ~bond.entry.on], when=(*when, takes))
        elif form.rule.required == "several":
            there = {other: program.all_of([self.entries[other].on, fit]) for other, fit in fits.items()}
            count = [(program.positive(literal), 1) for literal in there.values()]
            unsaid = {other: program.var() for other in fits}
            for other, var in unsaid.items():
                loads[other].append(var)
                program.clause([there[other], ~var])
                program.clause([takes, ~var])
                program.add(count, high=1, when=(var,))
            every = [(var, 1) for var in unsaid.values()]
            program.add([*every, (bond.named, 1), (bond.entry.on, -1)], low=0, high=0, when=(*when, takes))
        return {other: program.all_of([takes, program.any_of(literals)]) for other, literals in loads.items()}

    def finish(self, keep: bool) -> None:
        """After all rules: a tie names one target, of those that fit; with `keep` the stated ones stay.

        A stated tie that no rule asks about is kept as long as its target is there.
        """
        program = self.program
        for index, link in self.stated:
            self.bond(index, link)
        for bond in self.bonds.values():
            program.add([*((var, 1) for var in bond.targets.values()), (bond.named, -1)], low=0, high=0)
            if keep and bond.stated is not None:
                program.clause([bond.targets[bond.stated]])
        for bond, fits, when in self._fits:
            for other, var in bond.targets.items():
                program.clause([~var, fits.get(other, NO)], when=when)

    def changed(self) -> list[int]:
        """Literals that hold where a tie is named that was not, or is not any more what it was."""
        return [
            bond.named if bond.stated is None else self.program.all_of([bond.entry.on, ~bond.targets[bond.stated]])
            for bond in self.bonds.values()
            if bond.entry.was
        ]

    def new(self, values: Sequence[int]) -> list[int]:
        """Of a solution the literals that made it tie otherwise: the target named, or else that none is."""
        program, new = self.program, []
        for bond, literal in zip((bond for bond in self.bonds.values() if bond.entry.was), self.changed(), strict=True):
            if values[program.positive(literal)]:
                named = (var for other, var in bond.targets.items() if other != bond.stated and values[var])
                new.append(next(named, program.positive(literal)))
        return new
