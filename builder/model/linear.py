"""A linear program over whole numbers as plain values: variables, rows, clauses.

It knows no solver and no rules. A literal is the index of a variable with the range 0 to 1. It
holds if the variable is 1. Its complement `~index` holds if the variable is 0. YES always holds.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Term = tuple[int, int | float]
"""A variable's index and its factor."""
YES, NO = 0, ~0
"""The literals that always and never hold: variable 0 is always 1."""


@dataclass(frozen=True, slots=True)
class LinearRow:
    """A linear constraint: the sum of the terms is between `low` and `high`.

    It applies if every literal of `when` holds.
    """

    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None
    when: tuple[int, ...] = ()


@dataclass
class LinearProgram:
    """An integer linear program: variables with ranges, linear constraints, and clauses.

    A literal is a variable of 0 or 1, or the negation of one. In each clause some literal must
    hold.
    """

    ranges: list[tuple[int, int]] = field(default_factory=lambda: [(1, 1)])
    rows: list[LinearRow] = field(default_factory=list)
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    _ors: dict[frozenset[int], int] = field(default_factory=dict)
    _reached: dict[tuple[int, int], int] = field(default_factory=dict)
    _products: dict[tuple[int, int], int] = field(default_factory=dict)

    def add_variable(self, high: int = 1, low: int = 0) -> int:
        """Add a variable with this range. Return its index."""
        self.ranges.append((low, high))
        return len(self.ranges) - 1

    def add_constraint(
        self,
        terms: Iterable[Term],
        low: int | float | None = None,
        high: int | float | None = None,
        when: Sequence[int] = (),
    ) -> None:
        """Add a linear constraint. It holds only where all literals of `when` are true.

        Fractional factors and bounds are scaled to whole numbers.
        """
        # The condition never holds, so the constraint never applies.
        if NO in when:
            return
        exact_terms = [
            (var, _to_exact_number(factor)) for var, factor in terms if factor
        ]
        # The solver counts in whole numbers, so the row is multiplied until no factor is broken.
        scale = math.lcm(*(factor.denominator for _var, factor in exact_terms))
        scaled_terms = tuple((var, int(factor * scale)) for var, factor in exact_terms)
        lowest = None
        if low is not None:
            lowest = math.ceil(_to_exact_number(low) * scale)
        highest = None
        if high is not None:
            highest = math.floor(_to_exact_number(high) * scale)
        conditions = tuple(literal for literal in when if literal != YES)
        self.rows.append(LinearRow(scaled_terms, lowest, highest, conditions))

    def add_clause(self, literals: Iterable[int], when: Sequence[int] = ()) -> None:
        """Require that at least one literal is true where all literals of `when` are true."""
        clause = set(literals)
        clause.update(~literal for literal in when)
        if YES not in clause:
            # A literal that never holds cannot make the clause true.
            clause.discard(NO)
            self.clauses.append(tuple(sorted(clause)))

    def make_differences(self, terms: Sequence[Term], value: int) -> tuple[int, int]:
        """Return two literals: the first requires a sum below `value`, the second one above it."""
        is_less = self.add_variable()
        is_more = self.add_variable()
        self.add_constraint(terms, high=value - 1, when=(is_less,))
        self.add_constraint(terms, low=value + 1, when=(is_more,))
        return is_less, is_more

    def make_any_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if one of these literals is true."""
        key = frozenset(literals) - {NO}
        # Of a literal and its complement, one always holds.
        if YES in key or any(~literal in key for literal in key):
            return YES
        if len(key) < 2:
            return next(iter(key), NO)
        if key not in self._ors:
            variable = self.add_variable()
            self._ors[key] = variable
            self.add_clause([*key, ~variable])
            for literal in key:
                self.add_clause([variable, ~literal])
        return self._ors[key]

    def make_all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all of these literals are true."""
        # All hold exactly if none of their complements does.
        return ~self.make_any_of(~literal for literal in literals)

    def make_at_least(self, counter: int, minimum: int) -> int:
        """Return a literal that is true exactly if a variable is at least `minimum`."""
        low, high = self.ranges[counter]
        if minimum <= low:
            return YES
        if minimum > high:
            return NO
        # A variable of 0 or 1 is itself the literal.
        if high == 1:
            return counter
        key = (counter, minimum)
        if key not in self._reached:
            variable = self.add_variable()
            self._reached[key] = variable
            self.add_constraint([(counter, 1)], low=minimum, when=(variable,))
            self.add_constraint([(counter, 1)], high=minimum - 1, when=(~variable,))
        return self._reached[key]

    def make_positive(self, literal: int) -> int:
        """Return a variable that is 1 if the literal is true, else 0."""
        return self.make_product(YES, literal)

    def make_product(self, factor: int, literal: int) -> int:
        """Return a variable that equals `factor` if the literal is true, else 0."""
        if literal == YES:
            return factor
        if factor == YES and literal >= 0:
            return literal
        high = self.ranges[factor][1]
        if high == 1 and factor != YES:
            variable = self.make_all_of([factor, literal])
            # A complement is no variable that a row could multiply.
            if variable >= 0:
                return variable
        key = (factor, literal)
        if key not in self._products:
            variable = self.add_variable(high)
            self._products[key] = variable
            self.add_constraint(
                [(variable, 1), (factor, -1)], low=0, high=0, when=(literal,)
            )
            self.add_constraint([(variable, 1)], high=0, when=(~literal,))
        return self._products[key]


def _to_exact_number(value: int | float) -> int | Fraction:
    """Convert a number to a fraction as it is written: 0.1 becomes 1/10."""
    if isinstance(value, int):
        return value
    # The text of a float is the decimal that a file has; the float itself is not exact.
    return Fraction(str(value))
