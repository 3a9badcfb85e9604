"""Merged cells: their value belongs to all of their rows. Pure."""

from collections.abc import Collection, Iterable, Sequence

from builder.packs.tables.sheet import EMPTY_CELL, Row, TableCell, get_cell
from builder.packs.tables.source import CellRange


def fill_merged_cells(
    rows: Sequence[Row], ranges: Iterable[CellRange], name_columns: Collection[int]
) -> tuple[Row, ...]:
    """Copy the value of each merged cell into all rows that it covers. Columns count from 1.

    If the name of a card is merged, its rows are one card with several entries, and none of them is
    filled.
    """
    filled_rows = {row.number: row for row in rows}
    vertical_ranges = [item for item in ranges if item.last_row > item.first_row]
    rows_of_one_card: set[int] = set()
    for item in vertical_ranges:
        if item.first_column in name_columns:
            rows_of_one_card.update(range(item.first_row + 1, item.last_row + 1))
    for item in vertical_ranges:
        first_row = filled_rows.get(item.first_row, Row(item.first_row, ()))
        cell = get_cell(first_row, item.first_column - 1)
        numbers = range(item.first_row + 1, item.last_row + 1) if cell.text else ()
        # Rows that are empty except for merged cells are no cards.
        for number in filled_rows.keys() & set(numbers) - rows_of_one_card:
            filled_rows[number] = replace_cell(
                filled_rows[number], item.first_column - 1, cell
            )
    return tuple(filled_rows[row.number] for row in rows)


def replace_cell(row: Row, column: int, cell: TableCell) -> Row:
    """Return a row with another cell in one column. Missing cells before it are added."""
    cells = list(row.cells)
    cells.extend([EMPTY_CELL] * (column + 1 - len(cells)))
    cells[column] = cell
    return Row(row.number, tuple(cells))
