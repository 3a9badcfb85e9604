"""Formats the statistics of a squad as tables, charts and JSON with exact fractions. Pure."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from itertools import chain
from math import ceil, floor, log10
from typing import TypeAlias, TypedDict

from builder.model.sheets import AttackTable, DamageTable, DuelLine, StatSheet, StatTable

Words: TypeAlias = Mapping[str, str]
"""The names of the numbers: `hit`, `hits`, `mean`, `some`, `foe`, `dealt`, `taken`, `fells`,
`falls`; `decimal` is the decimal point.
"""
Tell: TypeAlias = Callable[[Fraction], str]
"""A number for the eye."""
TONES = 8
"""Steps from the palest cell of a table to the darkest."""
PLOT_LEFT_MM = 9.0
PLOT_TOP_MM = 2.0
PLOT_WIDTH_MM = 55.0
PLOT_HEIGHT_MM = 27.0
"""The place of a chart's lines in their picture."""
CORNER = "{} ↓ {}\u00a0→"
"""The label of the rows and columns of a table."""


@dataclass(frozen=True, slots=True)
class StatCell:
    """A number as text. `tone` is its darkness by size; None for no damage."""

    text: str
    tone: int | None = None


@dataclass(frozen=True, slots=True)
class StatLine:
    """One line of a table."""

    head: str
    cells: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A table of an attack. `facts` are numbers that do not depend on a target.

    `plot` and `duels` are drawn below it.
    """

    title: str
    facts: tuple[str, ...] = ()
    corner: str = ""
    columns: tuple[str, ...] = ()
    lines: tuple[StatLine, ...] = ()
    plot: StatTable | None = None
    duels: tuple[DuelLine, ...] = ()


def make_blocks(attack: AttackTable, words: Words) -> Iterator[StatBlock]:
    """Return one block per type of damage, or one for the chance to hit if there is no damage."""
    hits = attack.hits
    mean = partial(format_decimal, words=words)
    word, tell = (words["hit"], format_percent) if attack.rolled else (words["hits"], mean)
    fact = f"{word} {tell(hits.cells[0][0])}"
    facts = () if hits.fields else (fact,)
    if attack.duels:
        yield _make_duel_block(attack, words, fact)
    elif not attack.damage:
        yield _make_hit_block(hits, facts, word, tell)
    for damage in attack.damage:
        if not damage.mean.fields:
            expected = f"{words['mean']} {mean(damage.mean.cells[0][0])}"
            yield StatBlock(
                damage.title,
                (*facts, expected, f"{words['some']} {format_percent(damage.some.cells[0][0])}"),
            )
        elif len(damage.mean.fields) == 1:
            yield _make_single_block(
                damage, facts, words, _make_hit_lines(hits, damage.mean.fields, word, tell)
            )
        else:
            yield _make_crossed_block(damage, facts, words, hits, (word, tell))


def _make_duel_block(attack: AttackTable, words: Words, fact: str) -> StatBlock:
    """Return a line for each opponent. The one that takes the most damage is first."""
    ordered = sorted(attack.duels, key=lambda line: (line.taken - line.dealt, line.names))
    max_damage = max((max(line.dealt, line.taken) for line in ordered), default=Fraction(0))
    lines: list[StatLine] = []
    for line in ordered:
        cells = [
            StatCell(format_decimal(value, words), calculate_tone(value, max_damage))
            for value in (line.dealt, line.taken)
        ]
        cells += [StatCell(format_percent(value)) for value in (line.fells, line.falls)]
        lines.append(StatLine(format_foe(line), tuple(cells)))
    columns = tuple(words[name] for name in ("dealt", "taken", "fells", "falls"))
    return StatBlock("", (fact,), words["foe"], columns, tuple(lines), duels=tuple(ordered))


def format_foe(line: DuelLine) -> str:
    """Return the first of the opponents with equal numbers, and how many more there are."""
    more = len(line.names) - 1
    return f"{line.names[0]} (+{more})" if more else line.names[0]


def _make_hit_block(hits: StatTable, facts: tuple[str, ...], word: str, tell: Tell) -> StatBlock:
    if not hits.fields:
        return StatBlock("", facts)
    if len(hits.fields) == 1:
        line = _make_hit_lines(hits, hits.fields, word, tell)
        return StatBlock("", (), hits.axes[0], format_targets(hits.rows), line, hits)
    return StatBlock(
        word,
        (),
        CORNER.format(*hits.axes),
        format_targets(hits.columns),
        _make_lines(hits, tell),
        hits,
    )


def _make_hit_lines(
    hits: StatTable, fields: tuple[str, ...], word: str, tell: Tell
) -> tuple[StatLine, ...]:
    """Return the hits as one line if they depend on exactly these fields."""
    if hits.fields != fields:
        return ()
    return (StatLine(word, tuple(StatCell(tell(row[0])) for row in hits.cells)),)


def _make_single_block(
    damage: DamageTable, facts: tuple[str, ...], words: Words, hits: tuple[StatLine, ...]
) -> StatBlock:
    """Return the damage over one field: the columns are the field's values."""
    mean = damage.mean
    usual = tuple(
        StatCell(format_decimal(row[0], words), calculate_tone(row[0], mean.top))
        for row in mean.cells
    )
    chances = tuple(StatCell(format_percent(row[0])) for row in damage.some.cells)
    lines = (*hits, StatLine(words["mean"], usual), StatLine(words["some"], chances))
    return StatBlock(damage.title, facts, mean.axes[0], format_targets(mean.rows), lines, mean)


def _make_crossed_block(
    damage: DamageTable,
    facts: tuple[str, ...],
    words: Words,
    hits: StatTable,
    hit_format: tuple[str, Tell],
) -> StatBlock:
    """Return the damage over two fields. Hits that depend on one of them are a line or a column."""
    mean, (word, tell) = damage.mean, hit_format
    columns = format_targets(mean.columns)
    lines = _make_lines(mean, partial(format_decimal, words=words))
    lines = (*_make_hit_lines(hits, mean.fields[1:], word, tell), *lines)
    if hits.fields == mean.fields[:1]:
        columns = (word, *columns)
        first = [StatCell(tell(row[0])) for row in hits.cells]
        lines = tuple(
            StatLine(line.head, (cell, *line.cells))
            for cell, line in zip(first, lines, strict=True)
        )
    return StatBlock(
        f"{damage.title}, {words['mean']}", facts, CORNER.format(*mean.axes), columns, lines, mean
    )


def _make_lines(table: StatTable, tell: Tell) -> tuple[StatLine, ...]:
    """Return a line for each row. The largest number is the darkest."""
    lines: list[StatLine] = []
    for header, row in zip(format_targets(table.rows), table.cells, strict=True):
        cells = [StatCell(tell(cell), calculate_tone(cell, table.top)) for cell in row]
        lines.append(StatLine(header, tuple(cells)))
    return tuple(lines)


def format_decimal(value: Fraction | float, words: Words) -> str:
    """Return a number with 2 decimals and the language's decimal point."""
    return f"{float(value):.2f}".replace(".", words["decimal"])


def format_percent(value: Fraction) -> str:
    """Return a chance. Only 0 and 1 are printed as 0% and 100%."""
    rounded = round(float(value) * 100)
    if rounded == 0 and value:
        return "<1%"
    return ">99%" if rounded == 100 and value != 1 else f"{rounded}%"


def calculate_tone(value: Fraction, top: Fraction) -> int:
    """Return how dark a number is, compared with the largest one."""
    return round(value / top * TONES) if top else 0


def format_targets(values: Sequence[int | None]) -> tuple[str, ...]:
    """Return the targets' numbers; a dash for a target that cannot be damaged."""
    return tuple("—" if value is None else str(value).replace("-", "−") for value in values)


class Chart(TypedDict):
    """A chart: `grid` and `across` are labelled positions, `lines` are points of a series."""

    axes: tuple[str, ...]
    grid: list[tuple[float, str]]
    across: list[tuple[float, str]]
    lines: list[tuple[list[tuple[float, float]], str]]


def make_chart(table: StatTable, words: Words) -> Chart:
    """Return a table as a chart: the first field across, one line per value of the second."""
    steps = make_axis(float(table.top) or 1.0)
    x_positions = [
        PLOT_LEFT_MM + PLOT_WIDTH_MM * (index + 0.5) / len(table.rows)
        for index in range(len(table.rows))
    ]

    def find_y(value: Fraction | float) -> float:
        return PLOT_TOP_MM + PLOT_HEIGHT_MM * (1 - float(value) / steps[-1][0])

    lines = [
        (list(zip(x_positions, map(find_y, values), strict=True)), column)
        for values, column in _group_equal_columns(table)
    ]
    grid = [(find_y(value), label.replace(".", words["decimal"])) for value, label in steps]
    labels = list(zip(x_positions, format_targets(table.rows), strict=True))
    return {"axes": table.axes, "grid": grid, "across": labels, "lines": lines}


@dataclass(frozen=True, slots=True)
class ComparisonLine:
    """The damage of one attack: its mean over all targets, its lowest and its highest value."""

    label: str
    mean: float
    low: float
    high: float


def make_comparison(attacks: Sequence[AttackTable]) -> tuple[ComparisonLine, ...]:
    """Return a line for each attack and type of damage, the most damage first.

    Empty if there are fewer than two.
    """
    titles: set[str] = set()
    for attack in attacks:
        titles.update(damage.title for damage in attack.damage)
    lines: list[ComparisonLine] = []
    for attack in attacks:
        lines += _compare_attack(attack, has_titles=len(titles) > 1)
    if len(lines) < 2:
        return ()
    return tuple(sorted(lines, key=lambda line: (-line.mean, line.label)))


def _compare_attack(attack: AttackTable, has_titles: bool) -> Iterator[ComparisonLine]:
    """Yield a line for each type of damage of an attack."""
    for damage in attack.damage:
        values = list(chain.from_iterable(damage.mean.cells))
        label = f"{attack.label} · {damage.title}" if has_titles else attack.label
        yield _compare_values(label, values)
    dealt: list[Fraction] = []
    for duel in attack.duels:
        dealt += [duel.dealt] * len(duel.names)
    if dealt:
        yield _compare_values(attack.label, dealt)


def _compare_values(label: str, values: Sequence[Fraction]) -> ComparisonLine:
    mean = sum(values, Fraction(0)) / len(values)
    return ComparisonLine(label, float(mean), float(min(values)), float(max(values)))


def make_axis(top: float) -> tuple[tuple[float, str], ...]:
    """Return 3 to 5 round steps such as 0.1, 2 or 50, from 0 to at least `top`."""
    step, decimals = _choose_step(top)
    count = ceil(top / step - 1e-9)  # what rounding adds is no further step
    return tuple((step * index, f"{step * index:.{decimals}f}") for index in range(count + 1))


def _choose_step(top: float) -> tuple[float, int]:
    """Return the smallest round step of which 5 reach `top`, and its number of decimals."""
    exponent = floor(log10(top)) - 1
    while True:
        for digit in (1, 2, 5):
            step = digit * 10.0**exponent
            if step * 5 >= top:
                return step, max(0, -exponent)
        exponent += 1


def _group_equal_columns(table: StatTable) -> tuple[tuple[tuple[Fraction, ...], str], ...]:
    """Return the lines of a chart. Equal lines are one, named after all of their columns."""
    columns = format_targets(table.columns)
    columns_by_values: dict[tuple[Fraction, ...], list[int]] = {}
    for index in range(len(columns)):
        columns_by_values.setdefault(tuple(row[index] for row in table.cells), []).append(index)
    lines: list[tuple[tuple[Fraction, ...], str]] = []
    for values, indices in columns_by_values.items():
        names = [columns[index] for index in indices]
        lines.append((values, _join_names(names, indices)))
    return tuple(lines)


def _join_names(names: Sequence[str], places: Sequence[int]) -> str:
    """Return several names as one. 3 or more in a row are named by the first and the last."""
    if len(names) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"{names[0]}\N{EN DASH}{names[-1]}"
    return ", ".join(names)


def format_json(sheet: StatSheet) -> str:
    """Return the sheet as JSON: chances and means as exact fractions and as decimals."""

    def convert_fraction(value: object) -> object:
        return (
            {"exact": str(value), "about": round(float(value), 6)}
            if isinstance(value, Fraction)
            else str(value)
        )

    return json.dumps(asdict(sheet), default=convert_fraction, ensure_ascii=False, indent=2) + "\n"
