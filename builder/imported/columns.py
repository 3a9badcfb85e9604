"""Fit tables of any columns to the width of a card. Pure.

Columns with long values become notes below the rows first. If cut names are not enough, the last
columns follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from builder.imported.card import CardTable, TableRow
from builder.imported.measure import measure_longest_word, measure_text

CELL_PADDING_EM = 0.55
"""The space at both sides of a cell together."""
MAX_SHORT_WIDTH_EM = 7.0
"""A column whose values are wider becomes a note where the table does not fit."""
MIN_NAME_WIDTH_EM = 7.0
"""Longer names of rows are broken at this width or a larger one."""
MAX_NAME_WIDTH_EM = 16.0
COUNT_WIDTH_EM = 1.5
"""The width of a count and the space after it."""
MIN_HEADER_LETTERS = 2
MAX_HEADER_LETTERS = 12
"""Words in names of columns are cut to this number of letters first, then to fewer."""
STAT_VALUE_SIZE = 1.35
"""The type size of the values of stat lines, as a multiple of the body size."""


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Names of table columns: short forms by lower-case name, and the order of the first columns.

    Notes of `unlabelled` columns are printed without the column's name.
    """

    short_names: Mapping[str, str]
    order: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()


def fit_stat_table(
    table: CardTable, width: float, names: ColumnNames
) -> Iterator[CardTable]:
    """Divide a table of stat lines into side-by-side tables that fit a width in em.

    A single stat line has its name above it, not in a column.
    """
    table = _order_columns(table, names)
    name_width = _measure_name_column(table) if len(table.rows) > 1 else 0.0
    notes: list[int] = []
    columns: list[int] = []
    for index in range(len(table.columns)):
        if _is_wide_column(table, index):
            notes.append(index)
        else:
            columns.append(index)
    available_width = width - min(name_width, MIN_NAME_WIDTH_EM)
    parts = [columns]
    # The fewest parts that fit; in the last step each column is a part.
    for part_count in range(1, len(columns) + 1):
        parts = _divide_columns(columns, part_count)
        widths = [
            _sum_min_widths(table, part, STAT_VALUE_SIZE, names) for part in parts
        ]
        if max(widths) <= available_width:
            break
    for part in parts:
        yield _take_columns(table, part, notes, width - name_width, names)
        # Only the first part has the notes.
        notes = []


def _divide_columns(columns: list[int], part_count: int) -> list[list[int]]:
    size = ceil(len(columns) / part_count)
    return [columns[start : start + size] for start in range(0, len(columns), size)]


def fit_table(table: CardTable, width: float, names: ColumnNames) -> CardTable:
    """Fit a table to a width in em. Columns that do not fit become notes below the rows."""
    table = _order_columns(table, names)
    notes: list[int] = []
    columns = list(range(len(table.columns)))
    name_width = _measure_name_column(table)
    while columns:
        widths = {index: _measure_column(table, index) for index in columns}
        if name_width + sum(widths.values()) <= width:
            break
        index = max(widths, key=widths.__getitem__)
        if not _is_wide_column(table, index):
            # All columns have short values, so cut names may be enough.
            min_width = _sum_min_widths(table, columns, 1.0, names)
            if min_width + min(name_width, MIN_NAME_WIDTH_EM) <= width:
                break
            index = columns[-1]
        columns.remove(index)
        notes.append(index)
    return _take_columns(table, columns, sorted(notes), width - name_width, names)


def _is_wide_column(table: CardTable, index: int) -> bool:
    return (
        max(measure_text(row.values[index]) for row in table.rows) > MAX_SHORT_WIDTH_EM
    )


def _take_columns(
    table: CardTable,
    columns: Sequence[int],
    notes: Sequence[int],
    width: float,
    names: ColumnNames,
) -> CardTable:
    """Return a table with only the given columns. The `notes` columns become notes of rows."""
    headers = _shorten_headers(table, columns, width, names)
    rows: list[TableRow] = []
    for row in table.rows:
        note = "; ".join(_list_row_notes(table, row, notes, names))
        rows.append(replace(_take_values(row, columns), note=note))
    fitted_table = replace(table, columns=tuple(headers), rows=tuple(rows))
    is_tight = _sum_longest_words(fitted_table) > max(width, MIN_NAME_WIDTH_EM)
    return replace(fitted_table, is_tight=is_tight)


def _sum_longest_words(table: CardTable) -> float:
    """Return the width in em that a table needs so that no word is broken."""
    total = 0.0
    for index, column in enumerate(table.columns):
        width = max(
            measure_longest_word(column), _measure_longest_value_word(table, index)
        )
        total += width + CELL_PADDING_EM
    return total


def _order_columns(table: CardTable, names: ColumnNames) -> CardTable:
    """Move the columns that the theme lists to the front of a table."""

    def get_rank(index: int) -> int:
        name = table.columns[index].strip().lower()
        return names.order.index(name) if name in names.order else len(names.order)

    # Sorting is stable: the other columns stay in their order.
    indices = sorted(range(len(table.columns)), key=get_rank)
    columns = tuple(table.columns[index] for index in indices)
    rows = tuple(_take_values(row, indices) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def _take_values(row: TableRow, indices: Sequence[int]) -> TableRow:
    return replace(row, values=tuple(row.values[index] for index in indices))


def _measure_name_column(table: CardTable) -> float:
    """Return the width in em for the column with the names of rows."""
    names = [table.title, *(row.name for row in table.rows)]
    longest_word = max(map(measure_longest_word, names))
    # A count may be before a name.
    longest_name = max(map(measure_text, names)) + COUNT_WIDTH_EM
    width = max(longest_word, min(longest_name, MIN_NAME_WIDTH_EM))
    return min(width, MAX_NAME_WIDTH_EM)


def _measure_column(table: CardTable, index: int) -> float:
    """Return the width in em that a column needs so that no value is broken."""
    values = [measure_text(row.values[index]) for row in table.rows]
    header = measure_longest_word(table.columns[index])
    return max(header, *values) + CELL_PADDING_EM


def _sum_min_widths(
    table: CardTable, columns: Sequence[int], value_size: float, names: ColumnNames
) -> float:
    """Return the width in em of columns with unbroken values and names cut to 2 letters a word."""
    total = 0.0
    for index in columns:
        short_name = _choose_short_name(table.columns[index], names)
        header = _cut_words(short_name, MIN_HEADER_LETTERS)
        values = [measure_text(row.values[index]) * value_size for row in table.rows]
        total += max(measure_longest_word(header), *values) + CELL_PADDING_EM
    return total


def _choose_short_name(column: str, names: ColumnNames) -> str:
    return names.short_names.get(column.strip().lower(), column)


def _shorten_headers(
    table: CardTable, columns: Sequence[int], width: float, names: ColumnNames
) -> list[str]:
    """Shorten the names of columns only as far as a width in em requires."""
    headers = [table.columns[index] for index in columns]
    value_widths = [_measure_longest_value_word(table, index) for index in columns]
    if _sum_unbroken_widths(headers, value_widths) <= width:
        return headers
    headers = [_choose_short_name(header, names) for header in headers]
    for letters in range(MAX_HEADER_LETTERS, MIN_HEADER_LETTERS - 1, -1):
        cut_headers = [_cut_words(header, letters) for header in headers]
        total = _sum_unbroken_widths(cut_headers, value_widths)
        # Different names must not become equal.
        if total <= width and len(set(cut_headers)) == len(set(headers)):
            return cut_headers
    return [_cut_words(header, MIN_HEADER_LETTERS + 1) for header in headers]


def _measure_longest_value_word(table: CardTable, index: int) -> float:
    """Return the width in em of the longest word among a column's values."""
    return max(measure_longest_word(row.values[index]) for row in table.rows)


def _sum_unbroken_widths(
    headers: Sequence[str], value_widths: Sequence[float]
) -> float:
    """Return the total width in em of columns that break no word of a header or value."""
    total = 0.0
    for header, value_width in zip(headers, value_widths, strict=True):
        total += max(measure_longest_word(header), value_width) + CELL_PADDING_EM
    return total


def _cut_words(name: str, letters: int) -> str:
    return " ".join(_cut_word(word, letters) for word in name.split())


def _cut_word(word: str, letters: int) -> str:
    """Cut a word of a column name to a number of letters. Numbers such as `(+10)` stay whole."""
    is_short = len(word) <= letters + 1 or word.upper() == word.lower()
    return word if is_short else f"{word[:letters]}."


def _list_row_notes(
    table: CardTable, row: TableRow, notes: Sequence[int], names: ColumnNames
) -> Iterator[str]:
    for index in notes:
        value = row.values[index].strip()
        column = table.columns[index]
        if value in ("", "-", "–", "—"):
            continue
        is_labelled = column.strip().lower() not in names.unlabelled
        yield f"{column}: {value}" if is_labelled else value
