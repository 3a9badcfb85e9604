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
    """A number in a table of attack statistics. `tone` is its shade from 0 to `TONES`, or None."""

    text: str
    tone: int | None = None


@dataclass(frozen=True, slots=True)
class StatLine:
    """A line of a table of attack statistics."""

    head: str
    cells: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A table with statistics of one attack. `facts` are numbers that do not depend on a target.

    `plot` and `duels` are drawn below it.
    """

    title: str
    facts: tuple[str, ...] = ()
    corner: str = ""
    columns: tuple[str, ...] = ()
    lines: tuple[StatLine, ...] = ()
    plot: StatTable | None = None
    duels: tuple[DuelLine, ...] = ()


def make_stat_blocks(attack: AttackTable, words: Words) -> Iterator[StatBlock]:
    """Yield the tables of an attack: one per type of damage, or one for the chance to hit."""
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
    """Return a table of duels, with a line for each opponent.

    Lines are sorted by damage taken minus damage dealt.
    """
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
    """Name opponents with equal numbers: the first name and the number of the others."""
    more = len(line.names) - 1
    return f"{line.names[0]} (+{more})" if more else line.names[0]


def _make_hit_block(
    hits: StatTable, facts: tuple[str, ...], word: str, format_hits: NumberFormat
) -> StatBlock:
    """Return the table of an attack without damage: its chance to hit or mean number of hits."""
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
    return _make_two_way_table(word, (), hits, format_hits)


def _make_damage_block(
    damage: DamageTable, facts: tuple[str, ...], words: Words
) -> StatBlock:
    """Return the table of one type of damage. Damage that is equal for all targets is a fact."""
    mean = damage.mean
    if not mean.fields:
        mean_text = format_decimal(mean.cells[0][0], words)
        chance = format_percent(damage.some.cells[0][0])
        facts = (*facts, f"{words['mean']} {mean_text}", f"{words['some']} {chance}")
        return StatBlock(damage.title, facts)
    if len(mean.fields) > 1:
        title = f"{damage.title}, {words['mean']}"
        return _make_two_way_table(
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


def _make_two_way_table(
    title: str, facts: tuple[str, ...], table: StatTable, format_number: NumberFormat
) -> StatBlock:
    """Return a table of values by two fields of the target. Higher values are darker."""
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
    """Add the hits of an attack to its damage table, as a line or a column."""
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
    """Format a number with 2 decimals and the decimal point of a language."""
    return f"{float(value):.2f}".replace(".", words["decimal"])


def format_percent(value: Fraction) -> str:
    """Format a chance as a whole percentage. Only exact 0 and 1 become `0%` and `100%`."""
    rounded = round(float(value) * 100)
    if rounded == 0 and value:
        return "<1%"
    if rounded == 100 and value != 1:
        return ">99%"
    return f"{rounded}%"


def calculate_tone(value: Fraction, top: Fraction) -> int:
    """Return the shade of a number in a table, from 0 (palest) to `TONES` for the largest value."""
    return round(value / top * TONES) if top else 0


def format_targets(values: Sequence[int | None]) -> tuple[str, ...]:
    """Format the targets' values as table headers.

    None, a target without damage, becomes a dash.
    """
    return tuple(
        "—" if value is None else str(value).replace("-", "−") for value in values
    )


class Chart(TypedDict):
    """A line chart ready for drawing. `grid` and `across` are labelled positions in mm."""

    axes: tuple[str, ...]
    grid: list[tuple[float, str]]
    across: list[tuple[float, str]]
    lines: list[tuple[list[tuple[float, float]], str]]


def make_chart(table: StatTable, words: Words) -> Chart:
    """Return a table as a line chart: x is the first field, and each line a value of the second."""
    # A table of zeros needs a scale too.
    steps = make_axis_steps(float(table.top) or 1.0)
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
    """The mean, lowest and highest damage of one attack over all targets."""

    label: str
    mean: float
    low: float
    high: float


def make_comparison(attacks: Sequence[AttackTable]) -> tuple[ComparisonLine, ...]:
    """Compare the attacks of a squad: one line per attack and type of damage, most damage first.

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
    """Yield a comparison line for each type of damage of an attack."""
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


def make_axis_steps(top: float) -> tuple[tuple[float, str], ...]:
    """Return 3 to 5 labelled axis steps at round values, from 0 to at least `top`."""
    step, decimals = _choose_round_step(top)
    # A rounding error must not add a further step.
    count = ceil(top / step - 1e-9)
    values = [step * index for index in range(count + 1)]
    return tuple((value, f"{value:.{decimals}f}") for value in values)


def _choose_round_step(top: float) -> tuple[float, int]:
    """Return the smallest of the steps 0.1, 0.2, 0.5, 1, 2, 5 ... of which 5 reach `top`.

    Also return the number of decimals that its multiples need.
    """
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
    """Return the lines of a chart. Equal lines are joined and named after all of their columns."""
    columns = format_targets(table.columns)
    columns_by_values: dict[tuple[Fraction, ...], list[int]] = {}
    for index in range(len(columns)):
        values = tuple(row[index] for row in table.cells)
        columns_by_values.setdefault(values, []).append(index)
    lines: list[tuple[tuple[Fraction, ...], str]] = []
    for values, indices in columns_by_values.items():
        names = [columns[index] for index in indices]
        lines.append((values, _join_column_names(names, indices)))
    return tuple(lines)


def _join_column_names(names: Sequence[str], column_indices: Sequence[int]) -> str:
    """Join column names with commas. 3 or more neighbours become a range such as `3–5`."""
    is_in_a_row = column_indices[-1] - column_indices[0] == len(column_indices) - 1
    if len(names) > 2 and is_in_a_row:
        return f"{names[0]}\N{EN DASH}{names[-1]}"
    return ", ".join(names)


def format_json(sheet: StatSheet) -> str:
    """Format the statistics of a squad as JSON.

    Fractions are exact, with a rounded decimal beside.
    """

    def convert_fraction(value: object) -> object:
        if isinstance(value, Fraction):
            return {"exact": str(value), "about": round(float(value), 6)}
        return str(value)

    return dump_json(asdict(sheet), default=convert_fraction)
