"""The lines of a squad's charts: where they run, what stands beside them. Pure; mm."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import TypedDict

from builder.model.sheets import StatTable
from builder.report.stats import Words, targets

LEFT, TOP, WIDE, HIGH = 9.0, 2.0, 55.0, 27.0
"""The place of the lines in their picture."""


class Chart(TypedDict):
    """`grid` and `across` are places with their labels, `lines` points with the name of what they tell."""

    axes: tuple[str, ...]
    grid: list[tuple[float, str]]
    across: list[tuple[float, str]]
    lines: list[tuple[list[tuple[float, float]], str]]


def chart(table: StatTable, words: Words) -> Chart:
    """A table as lines: the first target field across, a line for each value of the second."""
    steps = axis(float(table.top) or 1.0)
    across = [LEFT + WIDE * (index + 0.5) / len(table.rows) for index in range(len(table.rows))]

    def down(value: Fraction | float) -> float:
        return TOP + HIGH * (1 - float(value) / steps[-1][0])

    lines = [(list(zip(across, map(down, values), strict=True)), column) for values, column in _apart(table)]
    grid = [(down(value), label.replace(".", words["decimal"])) for value, label in steps]
    named = list(zip(across, targets(table.rows), strict=True))
    return {"axes": table.axes, "grid": grid, "across": named, "lines": lines}


def axis(top: float) -> tuple[tuple[float, str], ...]:
    """From 0 to a round number that is not below `top`, in three to five steps such as 0.1, 2 or 50."""
    exponent = floor(log10(top)) - 1
    choices = ((first, exponent + more) for more in (0, 1) for first in (1, 2, 5))
    first, exponent = next(one for one in choices if one[0] * 10.0 ** one[1] * 5 >= top)
    step, places = first * 10.0**exponent, max(0, -exponent)
    return tuple((step * count, f"{step * count:.{places}f}") for count in range(ceil(top / step - 1e-9) + 1))


def _apart(table: StatTable) -> tuple[tuple[tuple[Fraction, ...], str], ...]:
    """The lines of a chart by their numbers; those that would hide each other are one, named after all of them."""
    columns = targets(table.columns)
    alike: dict[tuple[Fraction, ...], list[int]] = {}
    for index in range(len(columns)):
        alike.setdefault(tuple(row[index] for row in table.cells), []).append(index)
    return tuple((values, _span([columns[index] for index in found], found)) for values, found in alike.items())


def _span(names: Sequence[str], places: Sequence[int]) -> str:
    """Several names as one: the first and the last of three or more that follow each other."""
    if len(names) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"{names[0]}\N{EN DASH}{names[-1]}"
    return ", ".join(names)
