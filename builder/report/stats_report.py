"""Formats the statistics of a squad as tables, charts and JSON with exact fractions. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain
from math import ceil, floor, log10
from typing import TypeAlias, TypedDict

from builder.model.sheets import (
    AttackTable,
    DamageTable,
    DuelLine,
    StatSheet,
    StatTable,
)
from builder.report.json_text import dump_json

Words: TypeAlias = Mapping[str, str]
"""The names of the numbers: `hit`, `hits`, `mean`, `some`, `foe`, `dealt`, `taken`, `fells`,
`falls`; `decimal` is the decimal point.
"""
NumberFormat: TypeAlias = Callable[[Fraction], str]
"""Formats a number for readers."""
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
    word = words["hits"]
    format_hits: NumberFormat = partial(format_decimal, words=words)
    if attack.rolled:
        word = words["hit"]
        format_hits = format_percent
    hit_cells = tuple(StatCell(format_hits(row[0])) for row in hits.cells)
    hit_line = StatLine(word, hit_cells)
    fact = f"{word} {hit_cells[0].text}"
    # Hits that depend on a field are a line or a column of the table instead.
    facts = () if hits.fields else (fact,)
    if attack.duels:
        yield _make_duel_block(attack, words, fact)
    elif not attack.damage:
        yield _make_hit_block(hits, facts, word, format_hits)
    for damage in attack.damage:
        block = _make_damage_block(damage, facts, words)
        yield _add_hits(block, damage.mean.fields, hits.fields, hit_line)


def _make_duel_block(attack: AttackTable, words: Words, fact: str) -> StatBlock:
    """Return a line for each opponent. The one that takes the most damage is first."""
    ordered = sorted(
        attack.duels, key=lambda line: (line.taken - line.dealt, line.names)
    )
    max_damage = max(
        (max(line.dealt, line.taken) for line in ordered), default=Fraction(0)
    )
    lines: list[StatLine] = []
    for line in ordered:
        cells: list[StatCell] = []
        for damage in (line.dealt, line.taken):
            tone = calculate_tone(damage, max_damage)
            cells.append(StatCell(format_decimal(damage, words), tone))
        cells += [
            StatCell(format_percent(chance)) for chance in (line.fells, line.falls)
        ]
        lines.append(StatLine(format_foe(line), tuple(cells)))
    columns = tuple(words[name] for name in ("dealt", "taken", "fells", "falls"))
    return StatBlock(
        title="",
        facts=(fact,),
        corner=words["foe"],
        columns=columns,
        lines=tuple(lines),
        duels=tuple(ordered),
    )


def format_foe(line: DuelLine) -> str:
    """Return the first of the opponents with equal numbers, and how many more there are."""
    more = len(line.names) - 1
    return f"{line.names[0]} (+{more})" if more else line.names[0]


def _make_hit_block(
    hits: StatTable, facts: tuple[str, ...], word: str, format_hits: NumberFormat
) -> StatBlock:
    """Return the chance to hit, or the mean number of hits, of an attack without damage."""
    if not hits.fields:
        return StatBlock("", facts)
    if len(hits.fields) == 1:
        cells = tuple(StatCell(format_hits(row[0])) for row in hits.cells)
        return StatBlock(
            title="",
            corner=hits.axes[0],
            columns=format_targets(hits.rows),
            lines=(StatLine(word, cells),),
            plot=hits,
        )
    return _make_crossed_block(word, (), hits, format_hits)


def _make_damage_block(
    damage: DamageTable, facts: tuple[str, ...], words: Words
) -> StatBlock:
    """Return one type of damage: facts if it is equal for all targets, else a table."""
    mean = damage.mean
    if not mean.fields:
        mean_text = format_decimal(mean.cells[0][0], words)
        chance = format_percent(damage.some.cells[0][0])
        facts = (*facts, f"{words['mean']} {mean_text}", f"{words['some']} {chance}")
        return StatBlock(damage.title, facts)
    if len(mean.fields) > 1:
        title = f"{damage.title}, {words['mean']}"
        return _make_crossed_block(
            title, facts, mean, partial(format_decimal, words=words)
        )
    means: list[StatCell] = []
    for row in mean.cells:
        tone = calculate_tone(row[0], mean.top)
        means.append(StatCell(format_decimal(row[0], words), tone))
    chances = tuple(StatCell(format_percent(row[0])) for row in damage.some.cells)
    return StatBlock(
        title=damage.title,
        facts=facts,
        corner=mean.axes[0],
        columns=format_targets(mean.rows),
        lines=(StatLine(words["mean"], tuple(means)), StatLine(words["some"], chances)),
        plot=mean,
    )


def _make_crossed_block(
    title: str, facts: tuple[str, ...], table: StatTable, format_number: NumberFormat
) -> StatBlock:
    """Return a table over two fields. The largest number is the darkest."""
    lines: list[StatLine] = []
    for header, row in zip(format_targets(table.rows), table.cells, strict=True):
        cells: list[StatCell] = []
        for value in row:
            tone = calculate_tone(value, table.top)
            cells.append(StatCell(format_number(value), tone))
        lines.append(StatLine(header, tuple(cells)))
    return StatBlock(
        title=title,
        facts=facts,
        corner=CORNER.format(*table.axes),
        columns=format_targets(table.columns),
        lines=tuple(lines),
        plot=table,
    )


def _add_hits(
    block: StatBlock,
    fields: tuple[str, ...],
    hit_fields: tuple[str, ...],
    hits: StatLine,
) -> StatBlock:
    """Return a damage block with hits that depend on exactly one of its fields."""
    if len(hit_fields) != 1:
        return block
    # The last field is across, so its hits are a line. The first of two is down.
    if hit_fields == fields[-1:]:
        return replace(block, lines=(hits, *block.lines))
    if hit_fields != fields[:1]:
        return block
    lines: list[StatLine] = []
    for cell, line in zip(hits.cells, block.lines, strict=True):
        lines.append(StatLine(line.head, (cell, *line.cells)))
    return replace(block, columns=(hits.head, *block.columns), lines=tuple(lines))


def format_decimal(value: Fraction | float, words: Words) -> str:
    """Return a number with 2 decimals and the language's decimal point."""
    return f"{float(value):.2f}".replace(".", words["decimal"])


def format_percent(value: Fraction) -> str:
    """Return a chance. Only 0 and 1 are printed as 0% and 100%."""
    rounded = round(float(value) * 100)
    if rounded == 0 and value:
        return "<1%"
    if rounded == 100 and value != 1:
        return ">99%"
    return f"{rounded}%"


def calculate_tone(value: Fraction, top: Fraction) -> int:
    """Return how dark a number is, compared with the largest one."""
    return round(value / top * TONES) if top else 0


def format_targets(values: Sequence[int | None]) -> tuple[str, ...]:
    """Return the targets' numbers. A target that cannot be damaged has a dash."""
    return tuple(
        "—" if value is None else str(value).replace("-", "−") for value in values
    )


class Chart(TypedDict):
    """A chart: `grid` and `across` are labelled positions, `lines` are points of a series."""

    axes: tuple[str, ...]
    grid: list[tuple[float, str]]
    across: list[tuple[float, str]]
    lines: list[tuple[list[tuple[float, float]], str]]


def make_chart(table: StatTable, words: Words) -> Chart:
    """Return a table as a chart: the first field across, one line per value of the second."""
    # A table of zeros needs a scale too.
    steps = make_axis(float(table.top) or 1.0)
    count = len(table.rows)
    # Points are in the middle of columns of equal width.
    x_positions = [
        PLOT_LEFT_MM + PLOT_WIDTH_MM * (index + 0.5) / count for index in range(count)
    ]

    def find_y(value: Fraction | float) -> float:
        # Pages measure from the top, so larger values have smaller positions.
        share = float(value) / steps[-1][0]
        return PLOT_TOP_MM + PLOT_HEIGHT_MM * (1 - share)

    lines = []
    for values, column in _group_equal_columns(table):
        points = list(zip(x_positions, map(find_y, values), strict=True))
        lines.append((points, column))
    grid = [
        (find_y(value), label.replace(".", words["decimal"])) for value, label in steps
    ]
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
    duel_values: list[Fraction] = []
    for duel in attack.duels:
        # Opponents with equal numbers share a line, but each counts in the mean.
        duel_values += [duel.dealt] * len(duel.names)
    if duel_values:
        yield _compare_values(attack.label, duel_values)


def _compare_values(label: str, values: Sequence[Fraction]) -> ComparisonLine:
    mean = sum(values, Fraction(0)) / len(values)
    return ComparisonLine(label, float(mean), float(min(values)), float(max(values)))


def make_axis(top: float) -> tuple[tuple[float, str], ...]:
    """Return 3 to 5 round steps such as 0.1, 2 or 50, from 0 to at least `top`."""
    step, decimals = _choose_step(top)
    # A rounding error must not add a further step.
    count = ceil(top / step - 1e-9)
    values = [step * index for index in range(count + 1)]
    return tuple((value, f"{value:.{decimals}f}") for value in values)


def _choose_step(top: float) -> tuple[float, int]:
    """Return the smallest round step of which 5 reach `top`, and its number of decimals."""
    exponent = floor(log10(top)) - 1
    while True:
        for digit in (1, 2, 5):
            step = digit * 10.0**exponent
            if step * 5 >= top:
                return step, max(0, -exponent)
        exponent += 1


def _group_equal_columns(
    table: StatTable,
) -> tuple[tuple[tuple[Fraction, ...], str], ...]:
    """Return the lines of a chart. Equal lines are one, named after all of their columns."""
    columns = format_targets(table.columns)
    columns_by_values: dict[tuple[Fraction, ...], list[int]] = {}
    for index in range(len(columns)):
        values = tuple(row[index] for row in table.cells)
        columns_by_values.setdefault(values, []).append(index)
    lines: list[tuple[tuple[Fraction, ...], str]] = []
    for values, indices in columns_by_values.items():
        names = [columns[index] for index in indices]
        lines.append((values, _join_names(names, indices)))
    return tuple(lines)


def _join_names(names: Sequence[str], places: Sequence[int]) -> str:
    """Return several names as one. 3 or more in a row are named by the first and the last."""
    is_in_a_row = places[-1] - places[0] == len(places) - 1
    if len(names) > 2 and is_in_a_row:
        return f"{names[0]}\N{EN DASH}{names[-1]}"
    return ", ".join(names)


def format_json(sheet: StatSheet) -> str:
    """Return the sheet as JSON: chances and means as exact fractions and as decimals."""

    def convert_fraction(value: object) -> object:
        if isinstance(value, Fraction):
            return {"exact": str(value), "about": round(float(value), 6)}
        return str(value)

    return dump_json(asdict(sheet), default=convert_fraction)
