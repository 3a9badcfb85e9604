"""The changes that make another squad of a squad, counted in a program: fewest first, then the least change of cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.linear import Term
from builder.model.rules import Source
from builder.rules.decision_model import DecisionModel, Line, Part, TieDecisions
from builder.solver.cpsat import Machine


@dataclass(frozen=True, slots=True)
class Found:
    """A solution: the variables' values, how many changes it makes, and whether no other makes fewer."""

    values: tuple[int, ...]
    changes: int
    proved: bool


class Steps:
    """The changes of one model in which every pick may go."""

    def __init__(self, model: DecisionModel, ties: TieDecisions) -> None:
        self.model = model
        self.ties = ties
        self.program = model.program
        self.moved: list[int] = []
        self.rechosen = [
            (part, name, self._changed(part, name))
            for part in model.parts(Source.ENTRIES)
            if part.was
            for name in part.domains
        ]
        self.terms = list(self._terms())
        counted = [part for part in model.parts() if part.was and part.pick.source is not Source.ATTACHMENTS]
        self.constant = sum(part.was for part in counted)

    def fewest(self, machine: Machine) -> Found | None:
        """A solution of the fewest changes, None if there is none."""
        answer = machine.solve([(var, -int(factor)) for var, factor in self.terms])
        return None if answer.values is None else Found(answer.values, self.count(answer.values), answer.proved)

    def cheapest(self, machine: Machine, few: Found) -> Found:
        """Of the solutions of so many changes the one that changes the cost least, and rather moves than removes."""
        program, gate = self.program, self.program.var()
        program.add(self.terms, high=few.changes - self.constant, when=(gate,))
        before = sum(part.was * (part.pick.card.cost or 0) for part in self.model.parts())
        up, down = program.var(10**7), program.var(10**7)
        costs = [(var, cost * 100) for var, cost in self.model.cost()]
        program.add([*costs, (up, -1), (down, 1)], low=round(before * 100), high=round(before * 100))
        aim = [(up, -100), (down, -100), *((var, 10) for var in self.moved)]
        aim += [(var, -1) for var in self.model.chosen()]
        answer = machine.solve(aim, assume=(gate,), hint=few.values)
        if answer.values is None:
            return Found(few.values, few.changes, False)
        return Found(answer.values, self.count(answer.values), few.proved and answer.proved)

    def count(self, values: tuple[int, ...]) -> int:
        """How many changes a solution makes."""
        return self.constant + sum(int(factor) * values[var] for var, factor in self.terms)

    def _changed(self, part: Part, name: str) -> int:
        """The literal that a choice of an old line is another one than was, as long as the line is there."""
        domain, was = part.domains[name], part.pick.choices.get(name)
        if was is None:
            return self.program.any_of(domain.values())
        return self.program.positive(self.program.all_of([part.on, ~domain[was]]))

    def _terms(self) -> Iterator[Term]:
        """The number of changes, as terms; a constant is left out."""
        program = self.program
        gone: dict[str, list[int]] = {}
        came: dict[str, list[int]] = {}
        for line in self.model.lines:
            yield (line.entry.many, -1 if line.entry.was else 1)
            for part in line.carried:
                if part.was:
                    less = program.positive(program.all_of([line.entry.on, ~part.on]))
                    gone.setdefault(part.pick.card.id, []).append(less)
                    yield (less, 1)
                else:
                    came.setdefault(part.pick.card.id, []).append(part.on)
                    yield (part.on, 1)
                if part.freed is not None:
                    yield (part.freed, 1)
        for card in sorted(gone.keys() & came.keys()):
            moved = program.var(len(gone[card]))
            for side in (gone[card], came[card]):
                program.add([(moved, 1), *((var, -1) for var in side)], high=0)
            self.moved.append(moved)
            yield (moved, -1)
        yield from ((part.many, -1 if part.was else 1) for part in self.model.deck)
        yield from ((program.positive(literal), 1) for literal in self.ties.changed())
        yield from ((program.positive(literal), 1) for _, _, literal in self.rechosen)

    def differ(self, values: tuple[int, ...]) -> None:
        """From now on some change of this solution is not made: neither it nor a larger one comes again."""
        program = self.program
        sides: list[int] = []

        def either(var: int, low: int | None, high: int | None) -> None:
            sides.append(program.var())
            program.add([(var, 1)], low, high, when=(sides[-1],))

        for part in self._told(values):
            if part.was and values[part.many] < part.was:
                either(part.many, values[part.many] + 1, None)
            elif not part.was and values[part.many]:
                either(part.many, None, values[part.many] - 1)
        freed = [part.freed for part in self.model.parts() if part.freed is not None]
        chosen = [program.positive(literal) for _, _, literal in self.rechosen]
        sides += [~var for var in (*freed, *chosen, *self.ties.new(values)) if values[var]]
        program.clause(sides)

    def _told(self, values: tuple[int, ...]) -> Iterator[Part]:
        """Every part but those that go with their bearer."""
        for line in self.model.lines:
            yield line.entry
            yield from self._load(line, values)
        yield from self.model.deck

    def _load(self, line: Line, values: tuple[int, ...]) -> Iterator[Part]:
        """What a line that stays was or is given."""
        if values[line.entry.on]:
            yield from (part for part in line.carried if not part.was or not values[part.on])
