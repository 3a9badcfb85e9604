"""The bytes of a table, with their name, and the limits for tables of strangers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.errors import InputUnreadable
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.packs.tables.sheet import Row, TableCell, trim_cells

MAX_FILE_BYTES = 20_000_000
MAX_UNPACKED_BYTES = 100_000_000
"""The limit for everything that a workbook unpacks to."""
MAX_ROWS = 20_000
MAX_COLUMNS = 500
MAX_CELL_CHARACTERS = 32_000
SAVE_AS_WORKBOOK = _(
    "Save it as an ordinary workbook (.xlsx) without passwords and macros, or as CSV."
)


class CellRange(NamedTuple):
    """A rectangle of cells. Rows and columns count from 1."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int


@dataclass(frozen=True, slots=True)
class TableSource:
    """The bytes of a table file, with its path as the user wrote it and its name."""

    path: str
    name: str
    data: bytes

    def make_error(
        self, reason: str, remedy: str = SAVE_AS_WORKBOOK
    ) -> InputUnreadable:
        """Return the error that this file cannot be read."""
        return make_unreadable_error(self.path, reason, remedy)

    def locate(self) -> Location:
        """Return the location of the whole file."""
        return Location(file=self.name)

    def locate_cell(self, row: int, column: int) -> Location:
        """Return the location of a cell. Columns count from 0."""
        return Location(file=self.name, line=row, column=column + 1)

    def collect_rows(
        self, numbered_rows: Iterable[tuple[int, list[TableCell]]]
    ) -> tuple[Row, ...]:
        """Return the rows that are not empty. Raise InputUnreadable if there are too many."""
        rows = []
        for number, all_cells in numbered_rows:
            cells = trim_cells(all_cells)
            if number > MAX_ROWS or len(cells) > MAX_COLUMNS:
                raise self.make_error(
                    _(
                        "it has more than {rows} rows or {columns} columns",
                        rows=MAX_ROWS,
                        columns=MAX_COLUMNS,
                    ),
                    _("Delete what is empty below and beside it."),
                )
            if cells:
                rows.append(Row(number, cells))
        return tuple(rows)


@dataclass(slots=True)
class RawSheet:
    """A sheet as it is in the file, before its column names are found.

    Rows and columns count from 1.
    """

    name: str
    rows: tuple[Row, ...]
    merged_ranges: list[CellRange] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    has_titles: bool = True
    """Return True if rows above the names of the columns are possible."""


def make_unreadable_error(
    file: object, reason: str, remedy: str = SAVE_AS_WORKBOOK
) -> InputUnreadable:
    """Return the error that a table cannot be read, with a hint."""
    return InputUnreadable(
        _("{file} cannot be read: {reason}", file=file, reason=reason), remedy
    )
