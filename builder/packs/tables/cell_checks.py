"""Problems that are visible in cells: errors, dates by mistake, hidden rows. Pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from builder.findings import Finding, Severity
from builder.messages import gettext as _, ngettext
from builder.packs import file_codes
from builder.packs.tables.sheet import Row, Table, TableCell, get_cell

MAX_LISTED = 5
DATE_WORDS = re.compile(
    r"date|day|released?|revised|printed|created|modified|updated|time|since|until|born|birth|year"
    r"|effective"
    r"|дата|день|выпу|создан|измен|обновл|год|datum|tag|stand|erstellt|geändert|geburt|jahr|日付|日期",
    re.IGNORECASE,
)
"""Words in the names of columns that contain dates on purpose."""


def check_cells(table: Table, hidden_rows: Sequence[int]) -> list[Finding]:
    """Report errors, accidental dates and hidden rows in the cells of a table.

    Columns without a name are notes and are not checked.
    """
    findings = [*report_error_values(table), *report_extra_cells(table)]
    for column, name in enumerate(table.head):
        if name:
            findings += report_dates(table, column, name)
    findings += report_hidden_rows(table, hidden_rows)
    return findings


def report_error_values(table: Table) -> Iterator[Finding]:
    """Report cells with an error value such as `#REF!`."""
    names = table.head
    for row in table.rows[1:]:
        for column, cell in enumerate(row.cells[: len(names)]):
            if cell.is_error and names[column]:
                name = table.name(row.number, column)
                message = _(
                    "{cell}: the value is an error: {value}", cell=name, value=cell.text
                )
                location = table.place(row.number, column)
                yield file_codes.TABLE_ERROR_VALUE.finding(message, location)


def list_long_rows(table: Table) -> list[Row]:
    """Return the rows with more cells than there are column names."""
    return [row for row in table.rows[1:] if len(row.cells) > len(table.head)]


def has_unnamed_column(table: Table) -> bool:
    """Return True if most rows have a cell after the last column with a name."""
    return 2 * len(list_long_rows(table)) >= len(table.rows)


def report_extra_cells(table: Table) -> Iterator[Finding]:
    """Report rows with more cells than there are column names.

    If most rows have such cells, these are a column without a name, which is reported as such.
    """
    name_count = len(table.head)
    long_rows = list_long_rows(table)
    if has_unnamed_column(table):
        return
    for row in long_rows[:MAX_LISTED]:
        first_cell = table.name(row.number, name_count)
        last_cell = table.name(row.number, len(row.cells) - 1)
        form = _(
            "row {number} has more cells than columns with names: {first} to {last} are not read"
        )
        message = _(form, number=row.number, first=first_cell, last=last_cell)
        if first_cell == last_cell:
            form = _(
                "row {number} has more cells than columns with names: {cell} is not read"
            )
            message = _(form, number=row.number, cell=first_cell)
        hint = _(
            "Put texts with commas in quotation marks, or name the column in the first row."
        )
        location = table.place(row.number, name_count)
        yield file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.WARNING)
    if len(long_rows) > MAX_LISTED:
        numbers = ", ".join(str(row.number) for row in long_rows[MAX_LISTED:])
        message = _(
            "more rows have cells beside the columns with names: {rows}", rows=numbers
        )
        location = table.place(long_rows[MAX_LISTED].number, name_count)
        yield file_codes.TABLE_COLUMN.finding(
            message, location, severity=Severity.WARNING
        )


def report_dates(table: Table, column: int, name: str) -> Iterator[Finding]:
    """Report dates that a spreadsheet program probably made from texts such as 3/5."""
    filled_rows = [row for row in table.rows[1:] if get_cell(row, column).text]
    rows_with_dates = [
        row for row in filled_rows if isinstance(row.cells[column].value, date)
    ]
    if not rows_with_dates or is_date_column(
        name, filled_rows, rows_with_dates, column
    ):
        return
    first_row = rows_with_dates[0]
    cells = [table.name(row.number, column) for row in rows_with_dates[:MAX_LISTED]]
    more = "" if len(rows_with_dates) <= MAX_LISTED else " ..."
    form = _("{cells}: the spreadsheet program may have turned {value} into a date")
    typed_text = guess_typed_text(first_row.cells[column])
    message = _(form, cells=", ".join(cells) + more, value=typed_text)
    yield file_codes.TABLE_DATE.finding(message, table.place(first_row.number, column))


def is_date_column(
    name: str, filled_rows: Sequence[Row], rows_with_dates: Sequence[Row], column: int
) -> bool:
    """Return True if a column has dates on purpose, by its name or by its years."""
    if len(rows_with_dates) < len(filled_rows):
        return False
    if DATE_WORDS.search(name):
        return True
    years = set()
    for row in rows_with_dates:
        value = row.cells[column].value
        years.add(value.year if isinstance(value, date) else 0)
    # A spreadsheet program completes 3/5 with the current year.
    return len(years) > 1


def guess_typed_text(cell: TableCell) -> str:
    """Return the text from which a spreadsheet program may have made a date, such as "3/5"."""
    value = cell.value
    if not isinstance(value, date):
        return cell.text
    if isinstance(value, datetime):
        value = value.date()
    return f"{value.day}/{value.month}"


def report_hidden_rows(table: Table, hidden_rows: Sequence[int]) -> Iterator[Finding]:
    """Report hidden rows, which are read like all others."""
    numbers = {row.number for row in table.rows[1:]}
    hidden_numbers = [number for number in hidden_rows if number in numbers]
    count = len(hidden_numbers)
    if hidden_numbers:
        listed = ", ".join(map(str, hidden_numbers[:MAX_LISTED]))
        if count > MAX_LISTED:
            listed += " ..."
        message = ngettext(
            "{count} hidden row is read too: {listed}",
            "{count} hidden rows are read too: {listed}",
            count,
            listed=listed,
        )
        yield file_codes.TABLE_HIDDEN.finding(
            message, table.place(hidden_numbers[0], 0)
        )
