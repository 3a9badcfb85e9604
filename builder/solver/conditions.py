"""Conditions asked of parts whose choices are still open: a literal instead of an answer."""

from __future__ import annotations

from builder.model.rules import Ref, Where
from builder.rules.forms.counting import values
from builder.rules.query import COMPARE, Operand, Selector, parts
from builder.solver.draft import Draft, Part
from builder.solver.program import NO, YES


class Conditions:
    """Asks conditions of a draft's parts; YES or NO where no open choice is asked about."""

    def __init__(self, draft: Draft) -> None:
        self.program = draft.program

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
        if path.startswith("choice.") and path[7:] in part.ways:
            return list(part.ways[path[7:]].items())
        return [(value, YES) for value in values(part.pick, path)]

    def _open(self, selector: Selector, part: Part, other: Part | None) -> bool:
        """True if the answer may hang on an open choice."""
        if not selector.asks_choices:
            return False
        return bool(part.ways or (other and other.ways) or (part.bearer and part.bearer.ways))

    def _values(self, part: Part | None, path: str) -> list[tuple[object, int]]:
        """The value at a path, or each value that may be chosen, None for none of them."""
        if part is None:
            return [(None, YES)]
        if path.startswith("choice.") and path[7:] in part.ways:
            ways = part.ways[path[7:]]
            return [*ways.items(), (None, ~self.program.any_of(ways.values()))]
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
