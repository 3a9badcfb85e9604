"""The row of a sheet that names the columns. Titles and notes may be above it. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from builder.packs.tables.column_names import (
    find_language_word,
    find_standard_field,
    is_rich_text_name,
    simplify_name,
)
from builder.packs.tables.sheet import Row, TableCell, count_filled, get_cell
from builder.packs.tables.source import CellRange

NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?")
MAX_TITLE_ROWS = 30
MAX_NAME_CHARACTERS = 60
MIN_GROUP_COLUMNS = 2
"""A heading above fewer columns is a second name and no group."""
GENERAL_WORDS = frozenset(
    (
        *(
            "card",
            "cards",
            "stats",
            "statistics",
            "text",
            "texts",
            "general",
            "basics",
            "info",
        ),
        *(
            "data",
            "attributes",
            "values",
            "print",
            "production",
            "karte",
            "werte",
            "allgemein",
        ),
        *(
            "karten",
            "texte",
            "карта",
            "карты",
            "характеристики",
            "тексты",
            "общее",
            "данные",
        ),
    )
)
"""Headings of groups that say nothing about their columns."""


class Headings(NamedTuple):
    """The one or two rows that name the columns of a sheet.

    If these are two, `names` are the joined names, and `lower_names` those of the lower row.
    """

    first: int
    last: int
    names: tuple[str, ...] = ()
    lower_names: tuple[str, ...] = ()


def find_headings(rows: Sequence[Row], merged_ranges: Iterable[CellRange]) -> Headings:
    """Find the rows that name the columns, below titles and notes."""
    candidates = rows[:MAX_TITLE_ROWS]
    ranges = list(merged_ranges)
    max_count = max((count_filled(row) for row in rows), default=0)
    group_rows = {item.first_row for item in ranges if is_group_heading(item)}
    for index, row in enumerate(candidates):
        next_row = candidates[index + 1] if index + 1 < len(candidates) else None
        joined = next_row and join_rows(row, next_row, rows[index + 2 :], ranges)
        if joined:
            return joined._replace(first=index, last=index + 1)
        # Titles and notes fill fewer cells than the names of columns do.
        if 2 * count_filled(row) <= max_count and not has_standard_names(row):
            continue
        if not is_above_headings(row, next_row, is_group_row=row.number in group_rows):
            return Headings(index, index)
    return Headings(0, 0)


def is_above_headings(row: Row, next_row: Row | None, *, is_group_row: bool) -> bool:
    """Return True if a row is a note or a group heading above the column names."""
    if next_row is None or not looks_like_names(next_row):
        return False
    return is_group_row or is_less_likely(row, next_row)


def has_standard_names(row: Row) -> bool:
    """Return True if several cells of a row are names of standard fields."""
    fields = {find_standard_field(cell.text) for cell in row.cells}
    fields.discard("")
    return len(fields) > 1 and looks_like_names(row)


def join_rows(
    upper: Row, lower: Row, later_rows: Sequence[Row], ranges: Sequence[CellRange]
) -> Headings | None:
    """Join two rows of headings into column names such as "Attack Range". None if it is one row."""
    cells = [cell for cell in (*upper.cells, *lower.cells) if cell.text]
    if lower.number != upper.number + 1 or not all(map(is_name, cells)):
        return None
    groups = find_groups(upper, lower, ranges)
    if not has_groups(upper, lower, groups, later_rows):
        return None
    lower_names: list[str] = []
    for column in range(max(len(upper.cells), len(lower.cells))):
        # A heading over both rows is in the upper one.
        cell = get_cell(lower, column)
        lower_names.append(cell.text or get_cell(upper, column).text)
    names: list[str] = []
    adds_names = False
    for column, lower_name in enumerate(lower_names):
        name = join_names(groups.get(column, ""), lower_name, lower_names)
        names.append(name)
        adds_names = adds_names or name != get_cell(lower, column).text
    filled_names = [name for name in names if name]
    is_unique = len(set(filled_names)) == len(filled_names)
    if not is_unique or not adds_names:
        return None
    return Headings(0, 0, tuple(names), tuple(lower_names))


def find_groups(upper: Row, lower: Row, ranges: Sequence[CellRange]) -> dict[int, str]:
    """Return the group heading above each column, by the column's index."""
    groups: dict[int, str] = {}
    last_columns: dict[int, int] = {}
    for item in ranges:
        if item.first_row == upper.number and is_group_heading(item):
            last_columns[item.first_column - 1] = item.last_column - 1
    for column, cell in enumerate(upper.cells):
        if not cell.text:
            continue
        last_column = last_columns.get(column)
        if last_column is None:
            last_column = find_last_column(
                column, upper, lower, has_merges=bool(last_columns)
            )
        for member in range(column, last_column + 1):
            if get_cell(lower, member).text:
                groups[member] = cell.text
    return drop_named_groups(groups, lower)


def drop_named_groups(groups: Mapping[int, str], lower: Row) -> dict[int, str]:
    """Remove groups that repeat words of their columns, such as "Attack name", "Attack dice"."""
    first_words: Counter[tuple[str, str]] = Counter()
    for column, group in groups.items():
        name = get_cell(lower, column).text
        first_word, _space, rest = name.partition(" ")
        first_words[group, first_word] += bool(rest)
    named_groups = {group for (group, _word), count in first_words.items() if count > 1}
    return {
        column: group for column, group in groups.items() if group not in named_groups
    }


def find_last_column(column: int, upper: Row, lower: Row, *, has_merges: bool) -> int:
    """Return the index of the last column below a group heading that is not merged."""
    names = [cell.text for cell in lower.cells]
    last_column = column
    while not has_merges and last_column < len(names):
        # A title is above the names of cards. Rules behind a group of stats are no part of it.
        name = names[last_column]
        is_own = names.count(name) == 1 and is_field_name(name)
        is_next_group = last_column > column and bool(get_cell(upper, last_column).text)
        if is_next_group or not name or is_own:
            break
        last_column += 1
    return last_column - 1


def has_groups(
    upper: Row, lower: Row, groups: Mapping[int, str], later_rows: Sequence[Row]
) -> bool:
    """Return True if the upper of two rows has group headings, not a title or column names."""
    sizes = Counter(groups.values())
    name_count = count_filled(lower)
    is_over_all = len(groups) == name_count and not all(map(find_language_word, sizes))
    is_title = count_filled(upper) == 1 and is_over_all
    if max(sizes.values(), default=0) < MIN_GROUP_COLUMNS or is_title:
        return False
    # A row of names with gaps, above the first card, has words over most cells.
    is_sparse = 2 * len(sizes) <= name_count + 1
    return is_sparse and are_names_of_cells(lower, later_rows)


def are_names_of_cells(row: Row, later_rows: Sequence[Row]) -> bool:
    """Return True if a row names the cells below it."""
    for column, cell in enumerate(row.cells):
        if is_field_name(cell.text):
            return True
        number_count = 0
        for card_row in later_rows:
            number_count += bool(NUMBER.fullmatch(get_cell(card_row, column).text))
        if cell.text and 2 * number_count > len(later_rows):
            return True
    return False


def join_names(group: str, name: str, all_names: Sequence[str]) -> str:
    """Return a column name with its group, such as "Attack Range" or "Rules (de)".

    Groups such as *Stats* only divide the sheet, and add nothing unless names repeat.
    """
    lang = find_language_word(group)
    if lang:
        return f"{name} ({lang})"
    is_plain = simplify_name(group) in GENERAL_WORDS or group == name
    is_clear = all_names.count(name) == 1 and (is_plain or is_field_name(name))
    if not group or is_clear:
        return name
    return f"{group} {name}"


def is_field_name(name: str) -> bool:
    """Return True if a column name means a standard field or rules text."""
    return bool(find_standard_field(name)) or is_rich_text_name(name)


def is_group_heading(merged_range: CellRange) -> bool:
    """Return True if merged cells are a heading above several columns."""
    return (
        merged_range.first_row == merged_range.last_row
        and merged_range.last_column > merged_range.first_column
    )


def is_less_likely(row: Row, next_row: Row) -> bool:
    """Return True if a row looks like notes, as "Version: | 3", and the next has more cells."""
    texts = [cell.text for cell in row.cells if cell.text]
    has_notes = any(text.endswith(":") or NUMBER.fullmatch(text) for text in texts)
    return has_notes and count_filled(next_row) > count_filled(row)


def looks_like_names(row: Row) -> bool:
    """Return True if all cells of a row are short, different texts."""
    cells = [cell for cell in row.cells if cell.text]
    texts = {cell.text for cell in cells}
    return len(texts) == len(cells) and all(map(is_name, cells))


def is_name(cell: TableCell) -> bool:
    """Return True if a cell may be a column name."""
    is_short = len(cell.text) <= MAX_NAME_CHARACTERS
    return is_short and not cell.text.endswith(":") and not NUMBER.fullmatch(cell.text)
