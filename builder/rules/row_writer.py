"""What a form of rule writes its rows with: the parts that a selection means, as literals, their ties, the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from builder.model.linear import NO, YES
from builder.model.rules import Ref, Where
from builder.rules.decision_model import DecisionModel, Part, TieDecisions
from builder.rules.query import COMPARE, Operand, Selector, parts, values

Meant: TypeAlias = tuple[Part, int]
"""A part, and the literal that a rule means it if it is there."""


class RowWriter:
    """Asks conditions of a decision model's parts: a literal instead of an answer, YES or NO where no open choice is
    asked about."""

    def __init__(self, model: DecisionModel) -> None:
        self.model = model
        self.program = model.program
        self.params = model.squad.params
        self.ties = TieDecisions(model)

    def taken(self, selector: Selector, other: Part | None = None) -> list[Meant]:
        """The parts that a selection means or may mean."""
        meant = ((part, self.takes(selector, part, other)) for part in self.model.parts(selector.source))
        return [(part, literal) for part, literal in meant if literal != NO]

    def some(self, meant: Sequence[Meant]) -> int:
        """The literal that one of the parts is there and meant."""
        return self.program.any_of([self.program.all_of([part.on, literal]) for part, literal in meant])

    def takes(self, selector: Selector, part: Part, other: Part | None = None) -> int:
        """The literal that a selection means a part, whether or not the part is there."""
        select = selector.select
        if not self._open(selector, part, other):
            return YES if selector.takes(part.pick, other.pick if other is not None else None) else NO
        if not selector.comes_from(part.pick):
            return NO
        passes = self.where(select.where, part, other)
        if select.bearer is None or passes == NO:
            return passes
        if part.bearer is None:
            return NO
        return self.program.all_of([passes, self.where(select.bearer, part.bearer, other)])

    def where(self, where: Where, part: Part, other: Part | None = None) -> int:
        """The literal that a part passes a condition, seen from the other part of a comparison."""
        program, found = self.program, []
        for path, test in where.fields.items():
            for name, wanted in parts(test):
                found.append(self._test(path, name, wanted, part, other))
                if found[-1] == NO:
                    return NO
        found += [self.where(inner, part, other) for inner in where.all]
        if where.any:
            found.append(program.any_of([self.where(inner, part, other) for inner in where.any]))
        found += [~self.where(inner, part, other) for inner in where.none]
        return program.all_of(found)

    def held(self, part: Part, path: str) -> list[tuple[str, int]]:
        """The values at a path as text, each with the literal that the part has it."""
        if path.startswith("choice.") and path[7:] in part.domains:
            return list(part.domains[path[7:]].items())
        return [(value, YES) for value in values(part.pick, path)]

    def by_value(self, path: str, meant: Sequence[Meant]) -> dict[str, list[Meant]]:
        """Parts by the values they have at a path, each with the literal that it is meant and has the value."""
        found: dict[str, list[Meant]] = {}
        for part, literal in meant:
            for value, held in self.held(part, path):
                found.setdefault(value, []).append((part, self.program.all_of([literal, held])))
        return found

    def _open(self, selector: Selector, part: Part, other: Part | None) -> bool:
        """True if the answer may hang on an open choice."""
        if not selector.asks_choices:
            return False
        return bool(part.domains or (other and other.domains) or (part.bearer and part.bearer.domains))

    def _values(self, part: Part | None, path: str) -> list[tuple[object, int]]:
        """The value at a path, or each value that may be chosen, None for none of them."""
        if part is None:
            return [(None, YES)]
        if path.startswith("choice.") and path[7:] in part.domains:
            domain = part.domains[path[7:]]
            return [*domain.items(), (None, ~self.program.any_of(domain.values()))]
        return [(part.pick.value(path), YES)]

    def _test(self, path: str, name: str, wanted: Operand, part: Part, other: Part | None) -> int:
        """One comparison."""
        compare = COMPARE[name]
        against = self._values(other, wanted.other) if isinstance(wanted, Ref) else [(wanted, YES)]
        return self.program.any_of(
            self.program.all_of([mine, theirs])
            for value, mine in self._values(part, path)
            for operand, theirs in against
            if not (isinstance(wanted, Ref) and operand is None) and compare(value, operand)
        )
