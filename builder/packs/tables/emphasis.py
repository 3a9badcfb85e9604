"""Bold and italic parts of a text as markup. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from builder.packs.tables.sheet import Row, TableCell


class StyledText(NamedTuple):
    """A part of a text in one style."""

    text: str
    is_bold: bool = False
    is_italic: bool = False


def format_runs(runs: Iterable[StyledText]) -> str:
    """Return a styled text as markup, with `**bold**` and `*italic*`."""
    texts = []
    for run in join_equal_runs(runs):
        stars = "*" * (2 * run.is_bold + run.is_italic)
        texts.append(mark_text(run.text, stars) if stars else run.text)
    return "".join(texts).strip()


def join_equal_runs(runs: Iterable[StyledText]) -> list[StyledText]:
    """Join neighbouring parts of a text that have the same style.

    White space takes the style of the part before it.
    """
    joined: list[StyledText] = []
    for run in runs:
        previous = joined[-1] if joined else None
        # Everything but the first field of a run is its style.
        if previous and (previous[1:] == run[1:] or not run.text.strip()):
            joined[-1] = previous._replace(text=previous.text + run.text)
        elif run.text:
            joined.append(run)
    return joined


def mark_text(text: str, stars: str) -> str:
    """Put stars around the words of each line of a text.

    White space stays outside, because markup does not allow it inside.
    """
    lines = []
    for line in text.split("\n"):
        parts = re.fullmatch(r"(\s*)(.*?)(\s*)", line)
        if parts is None or not parts[2]:
            lines.append(line)
        else:
            lines.append(f"{parts[1]}{stars}{parts[2]}{stars}{parts[3]}")
    return "\n".join(lines)


def drop_column_styles(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Remove bold and italic where a whole column has it, because it is no emphasis.

    Names of cards are often bold as a whole. A style counts as emphasis only if most cells of the
    column lack it.
    """
    text_counts: Counter[int] = Counter()
    styled_counts: Counter[int] = Counter()
    for row in rows[1:]:
        for column, cell in enumerate(row.cells):
            text_counts[column] += bool(cell.text)
            styled_counts[column] += is_styled_as_a_whole(cell)
    columns: set[int] = set()
    for column, styled_count in styled_counts.items():
        if 2 * styled_count > text_counts[column]:
            columns.add(column)
    if not columns:
        return tuple(rows)
    return tuple(drop_styles(row, columns) for row in rows)


def is_styled_as_a_whole(cell: TableCell) -> bool:
    """Return True if all words of a cell are bold or italic."""
    if cell.markup == cell.text:
        return False
    return any(
        cell.markup == mark_text(cell.text, stars) for stars in ("*", "**", "***")
    )


def has_styled_part(cell: TableCell) -> bool:
    """Return True if some but not all words of a cell are bold or italic."""
    return cell.markup != cell.text and not is_styled_as_a_whole(cell)


def drop_styles(row: Row, columns: Collection[int]) -> Row:
    """Return a row without the styles of whole cells in these columns."""
    cells = []
    for column, cell in enumerate(row.cells):
        if column in columns and is_styled_as_a_whole(cell):
            cell = cell._replace(markup=cell.text)
        cells.append(cell)
    return Row(row.number, tuple(cells))
