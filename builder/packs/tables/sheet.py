"""The rows and cells of a table, from whatever file they come. Pure.

All readers return `Table`. Everything after them works with `Table` alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple, TypeAlias

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.packs import file_codes

CellValue: TypeAlias = str | int | float | bool | date | datetime | None
"""The stored value of a cell; None if it is empty."""

ALPHABET_LETTERS = 26
ERROR_VALUES = frozenset(
    (
        *(
            "#REF!",
            "#N/A",
            "#VALUE!",
            "#DIV/0!",
            "#NAME?",
            "#NULL!",
            "#NUM!",
            "#SPILL!",
            "#CALC!",
        ),
        *("#ERROR!", "#FIELD!", "#BLOCKED!", "#CONNECT!", "#UNKNOWN!", "#GETTING_DATA"),
        *(
            "Err:502",
            "Err:504",
            "Err:508",
            "Err:509",
            "Err:511",
            "Err:519",
            "Err:522",
            "Err:523",
        ),
    )
)
"""What spreadsheets show in place of a value that they cannot compute."""


class TableCell(NamedTuple):
    """One cell of a table.

    `text` is what the spreadsheet shows, without white space around it: `50%`, `$3.50`, `3-May`.
    Line breaks are LF. Plain numbers are shown without separators of thousands: `1234`. A day is
    shown as `2026-05-03`. `value` is what is stored: 0.5, 3.5, a date. In CSV files all values are
    texts. `markup` is the text with bold as `**bold**` and italic as `*italic*`. Without such parts
    it equals `text`.
    """

    text: str
    value: CellValue
    markup: str
    is_error: bool = False
    """Return True for a value such as `#REF!`."""


EMPTY_CELL = TableCell("", None, "")


class Row(NamedTuple):
    """One row of a table that is not empty.

    `number` counts from 1, as spreadsheets do. Empty cells at its end are left out.
    """

    number: int
    cells: tuple[TableCell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of cards: a sheet of a workbook, or a file with one table.

    `sheet` is empty for formats without sheets. `lang` is the language of columns that name none.
    `findings` are the problems of its cells, each with its location. Those of whole files are
    returned separately. The first row has the names of the columns. `skipped_rows` are the numbers
    of rows above it. `lower_names` are the names of the lower row alone, if two rows name the
    columns.
    """

    file: str
    sheet: str
    rows: tuple[Row, ...]
    lang: str = ""
    findings: tuple[Finding, ...] = ()
    skipped_rows: tuple[int, ...] = ()
    lower_names: tuple[str, ...] = ()
    is_one_of_several: bool = False
    """Return True if other sheets of the same file are read too."""

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns, which are in the first row."""
        if not self.rows:
            return ()
        return tuple(" ".join(cell.text.split()) for cell in self.rows[0].cells)

    def report_columns(
        self, message: str, hint: str = "", severity: Severity = Severity.NOTE
    ) -> Finding:
        """Return a finding at the row of the column names."""
        location = self.place(self.rows[0].number, 0)
        return file_codes.TABLE_COLUMN.finding(message, location, hint, severity)

    def name(self, row: int, column: int) -> str:
        """Return the name of a cell as in spreadsheets, such as "fighters!C7".

        `row` is its number. Columns count from 0.
        """
        return name_cell(self.sheet, row, column)

    def place(self, row: int, column: int) -> Location:
        """Return the location of a cell.

        `row` is its number. Columns count from 0.
        """
        return Location(file=self.file, line=row, column=column + 1)


def name_cell(sheet: str, row: int, column: int) -> str:
    """Return the name of a cell as in spreadsheets, such as "fighters!C7".

    Columns count from 0.
    """
    letters = ""
    rest = column + 1
    while rest:
        # There is no letter for 0: after Z comes AA, so each digit counts from 1.
        rest, letter = divmod(rest - 1, ALPHABET_LETTERS)
        letters = chr(ord("A") + letter) + letters
    cell = f"{letters}{row}"
    return f"{sheet}!{cell}" if sheet else cell


def name_sheet(table: Table, finding: Finding) -> Finding:
    """Add the name of its sheet to a finding, if the file has several sheets."""
    # A message about a cell begins with its name, such as `fighters!C7: ...`.
    text = str(finding.message)
    names_sheet = (
        text.startswith(f"{table.sheet}!") or table.sheet in text.split(":")[0]
    )
    if names_sheet or not table.is_one_of_several:
        return finding
    message = _("{sheet}: {reason}", sheet=table.sheet, reason=finding.message)
    return replace(finding, message=message)


def make_cell(value: CellValue) -> TableCell:
    """Return the cell of a value that has no number format."""
    text = format_value(value)
    if not text:
        return EMPTY_CELL
    return TableCell(text, value, text, text in ERROR_VALUES)


def make_row(number: int, values: Iterable[CellValue]) -> Row:
    """Return a row of values that have no number format."""
    return Row(number, trim_cells([make_cell(value) for value in values]))


def get_cell(row: Row, column: int) -> TableCell:
    """Return the cell in a column of a row, or an empty cell. Columns count from 0."""
    return row.cells[column] if column < len(row.cells) else EMPTY_CELL


def count_filled(row: Row) -> int:
    """Return how many cells of a row are not empty."""
    return sum(1 for cell in row.cells if cell.text)


def trim_cells(cells: list[TableCell]) -> tuple[TableCell, ...]:
    """Remove the empty cells at the end of a row."""
    length = len(cells)
    while length and not cells[length - 1].text:
        length -= 1
    return tuple(cells[:length])


def format_value(value: object) -> str:
    """Return a value as text, without white space around it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if isinstance(value, bool):
        return str(value).lower()
    # Spreadsheets store a day as a time at midnight.
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return str(value.date())
    return str(value)
