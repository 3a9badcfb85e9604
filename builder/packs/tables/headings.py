"""The row of a sheet that names the columns. Titles and notes may be above it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from builder.packs.tables.sheet import Row, TableCell
from builder.packs.tables.source import CellRange

NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?")
MAX_TITLE_ROWS = 30
MAX_NAME_CHARACTERS = 60


def find_heading_index(rows: Sequence[Row], merged_ranges: Iterable[CellRange]) -> int:
    """Return the index of the row that names the columns."""
    candidates = rows[:MAX_TITLE_ROWS]
    max_count = max((count_filled(row) for row in rows), default=0)
    group_rows = {item.first_row for item in merged_ranges if is_group_heading(item)}
    for index, row in enumerate(candidates):
        if 2 * count_filled(row) <= max_count:
            continue
        has_better_row = index + 1 < len(candidates) and looks_like_names(rows[index + 1])
        if has_better_row and (row.number in group_rows or is_less_likely(row, rows[index + 1])):
            continue
        return index
    return 0


def is_group_heading(item: CellRange) -> bool:
    """True for a heading above several columns."""
    return item.first_row == item.last_row and item.last_column > item.first_column


def is_less_likely(row: Row, next_row: Row) -> bool:
    """True if a row looks like notes (`Version: | 3`) and the next has more cells."""
    texts = [cell.text for cell in row.cells if cell.text]
    has_notes = any(text.endswith(":") or NUMBER.fullmatch(text) for text in texts)
    return has_notes and count_filled(next_row) > count_filled(row)


def looks_like_names(row: Row) -> bool:
    """True if all cells are short texts, and no two are equal."""
    texts = [cell.text for cell in row.cells if cell.text]
    are_names = all(is_name(cell) for cell in row.cells if cell.text)
    return are_names and len(set(texts)) == len(texts)


def is_name(cell: TableCell) -> bool:
    """True if a cell may name a column."""
    is_short = len(cell.text) <= MAX_NAME_CHARACTERS
    return is_short and not cell.text.endswith(":") and not NUMBER.fullmatch(cell.text)


def count_filled(row: Row) -> int:
    """Count the cells of a row that are not empty."""
    return sum(1 for cell in row.cells if cell.text)
