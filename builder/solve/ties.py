"""The `link` form as rows: who is tied to whom, named or left unsaid, and what a target can hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from builder.rules.bounds import number
from builder.rules.relations import Tied
from builder.solve.draft import Draft, Part
from builder.solve.program import Term


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

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.program = draft.program
        self.entries = [line.entry for line in draft.lines]
        self.bonds: dict[tuple[int, str], Bond] = {}
        lines = {part.pick.line: index for index, part in enumerate(self.entries)}
        self.stated = {
            (lines[line], link): lines[target.line]
            for (line, link), target in draft.squad.ties.items()
            if line in lines and target.line in lines
        }

    def bond(self, index: int, link: str) -> Bond:
        """The tie of an entry, its variables made when first asked for."""
        if (index, link) not in self.bonds:
            program, entry = self.program, self.entries[index]
            made = Bond(entry, link, program.var(), stated=self.stated.get((index, link)))
            program.add([(entry.on, 1), (made.named, -1)], low=0)
            for other, part in enumerate(self.entries):
                if other != index:
                    made.targets[other] = program.var()
                    program.add([(part.on, 1), (made.targets[other], -1)], low=0)
            program.add([*((var, 1) for var in made.targets.values()), (made.named, -1)], low=0, high=0)
            if made.stated is not None:
                # the roster keeps what it says: it may name another target, yet not none
                program.add([(made.named, 1), (entry.on, -1)], low=0)
            self.bonds[index, link] = made
        return self.bonds[index, link]

    def rule(self, form: Tied, when: tuple[int, ...]) -> None:
        """One link rule."""
        held: dict[int, list[Term]] = {}
        for index, entry in enumerate(self.entries):
            if not form.selector.takes(entry.pick):
                continue
            bond = self.bond(index, form.rule.link)
            load = (number(entry.pick.value(form.rule.load)) or 0) if form.rule.load is not None else 1
            for other, literal in self._loaded(form, bond, when).items():
                held.setdefault(other, []).append((self._times(entry, literal), load))
        if form.rule.capacity is None:
            return
        for other, terms in held.items():
            target = self.entries[other]
            room = number(target.pick.card.field(form.rule.capacity))
            if room is not None:
                self.program.add([*terms, (target.many, -room)], high=0, when=(*when, target.on))

    def _loaded(self, form: Tied, bond: Bond, when: tuple[int, ...]) -> dict[int, int]:
        """For each target the literal that the entry is tied to it, named or not."""
        fitting = {other for other in bond.targets if form.target(self.entries[other].pick, bond.entry.pick)}
        for other, var in bond.targets.items():
            if other not in fitting:
                self.program.forbid(var, when)
        loads = {other: [bond.targets[other]] for other in fitting}
        if form.rule.required == "always":
            self.program.add([(bond.named, 1)], low=1, when=(*when, bond.entry.on))
        elif form.rule.required == "several":
            unsaid = {other: self.program.var() for other in fitting}
            there = [(self.entries[other].on, 1) for other in fitting]
            for other, var in unsaid.items():
                loads[other].append(var)
                self.program.add([(self.entries[other].on, 1), (var, -1)], low=0)
                self.program.add(there, high=1, when=(var,))
            every = [(var, 1) for var in unsaid.values()]
            self.program.add([*every, (bond.named, 1), (bond.entry.on, -1)], low=0, high=0, when=when)
        return {other: self.program.any_of(literals) for other, literals in loads.items()}

    def _times(self, entry: Part, literal: int) -> int:
        """The entry's copies where the literal holds, else 0."""
        high = self.program.ranges[entry.many][1]
        if high == 1:
            return literal
        both = self.program.var(high)
        self.program.add([(both, 1), (entry.many, -1)], low=0, when=(literal,))
        return both

    def finish(self) -> None:
        """A stated tie that no rule asks about must not lose its target while its entry stays."""
        for (index, link), target in self.stated.items():
            if (index, link) not in self.bonds:
                self.program.add([(self.entries[target].on, 1), (self.entries[index].on, -1)], low=0)

    def changed(self) -> list[int]:
        """Literals that are 1 where a tie is named that was not, or another one than was."""
        return [
            var
            for bond in self.bonds.values()
            if bond.entry.was
            for other, var in bond.targets.items()
            if other != bond.stated
        ]
