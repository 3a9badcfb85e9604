"""Merged cells: their value belongs to all of their rows. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from builder.packs.tables.sheet import EMPTY_CELL, Row, TableCell
from builder.packs.tables.source import CellRange


def fill_merged_cells(
    rows: Sequence[Row], ranges: Iterable[CellRange], name_columns: Collection[int]
) -> tuple[Row, ...]:
    """Return the rows with the value of each merged cell in all of its rows. Columns count from 1.

    If the name of a card is merged, its rows are one card with several entries, and none of them is
    filled.
    """
    cells_by_row = {row.number: list(row.cells) for row in rows}
    vertical_ranges = [item for item in ranges if item.last_row > item.first_row]
    rows_of_one_card: set[int] = set()
    for item in vertical_ranges:
        if item.first_column in name_columns:
            rows_of_one_card.update(range(item.first_row + 1, item.last_row + 1))
    for item in vertical_ranges:
        cell = find_cell(cells_by_row.get(item.first_row, []), item.first_column)
        for number in range(item.first_row + 1, item.last_row + 1):
            # Rows that are empty except for merged cells are no cards.
            if number in cells_by_row and number not in rows_of_one_card:
                put_cell(cells_by_row[number], item.first_column, cell)
    return tuple(Row(row.number, tuple(cells_by_row[row.number])) for row in rows)


def find_cell(cells: Sequence[TableCell], column: int) -> TableCell:
    """Return a cell of a row. Columns count from 1."""
    return cells[column - 1] if column <= len(cells) else EMPTY_CELL


def put_cell(cells: list[TableCell], column: int, cell: TableCell) -> None:
    """Put a cell into a row. Columns count from 1."""
    if cell.text:
        cells.extend([EMPTY_CELL] * (column - len(cells)))
        cells[column - 1] = cell
