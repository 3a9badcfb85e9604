"""Tables as files: XLSX for spreadsheet programs, or CSV."""

import io
import re
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.words import format_csv_line, guard_cell
from builder.packs.tables.sheet import CellValue
from builder.packs.tables.source import MAX_CELL_CHARACTERS

MAX_SHEET_NAME_CHARACTERS = 31
MIN_WIDTH_CHARACTERS = 8
MAX_WIDTH_CHARACTERS = 48
TEXT_FORMAT = "@"
"""The number format of texts."""
TIME_OF_CHANGE = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z")
ESCAPED_CHARACTER = re.compile(r"_x[0-9A-Fa-f]{4}_")
UNWRITABLE_CHARACTERS = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f]")


def format_table(file: Path, sheet: str, rows: Sequence[Sequence[CellValue]]) -> bytes:
    """Return a table as the bytes of an .xlsx or .csv file, by the extension of its name.

    Raise UsageError if the name ends in another format, or a text does not fit into a cell.
    """
    for row in rows:
        for value in row:
            if isinstance(value, str):
                refuse_unwritable_text(value)
    extension = file.suffix.lower()
    if extension == ".csv":
        return format_csv(rows)
    if extension == ".xlsx":
        return pack_workbook(sheet, rows)
    hint = _("Let it end in .xlsx or .csv.")
    raise UsageError(_("{file} is no name of a table", file=file), hint)


def refuse_unwritable_text(text: str) -> None:
    """Raise UsageError for a text that does not fit into a cell."""
    if len(text) <= MAX_CELL_CHARACTERS and not UNWRITABLE_CHARACTERS.search(text):
        return
    reason = _(
        "a text is too long for a cell, or holds signs that no cell can: {text}",
        text=text[:60],
    )
    raise UsageError(reason, _("Leave this kind to its files."))


def format_csv(rows: Sequence[Sequence[CellValue]]) -> bytes:
    """Return rows as a CSV file in UTF-8 with a byte order mark."""
    lines = (format_csv_line(map(format_csv_value, row)) for row in rows)
    return "".join(lines).encode("utf-8-sig")


def format_csv_value(value: CellValue) -> str:
    """Return a value as text for a CSV file."""
    if value is None:
        return ""
    if isinstance(value, str):
        return guard_cell(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def pack_workbook(sheet: str, rows: Sequence[Sequence[CellValue]]) -> bytes:
    """Return rows as an .xlsx file with one sheet. The same rows give the same bytes."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook()
    page = book.active
    page.title = sheet[:MAX_SHEET_NAME_CHARACTERS]
    # The names of columns and of cards stay visible while one scrolls.
    page.freeze_panes = "B2"
    write_cells(page, rows)
    for column, width in enumerate(measure_widths(rows), 1):
        page.column_dimensions[get_column_letter(column)].width = width
    file = io.BytesIO()
    book.save(file)
    return remove_times(file)


def write_cells(page: Any, rows: Sequence[Sequence[CellValue]]) -> None:
    """Write rows into a sheet. Texts are never read as formulas or numbers."""
    heading_style, text_style, value_style = make_cell_styles(page)
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell = page.cell(number, column, escape_characters(value))
            cell._style = value_style
            if isinstance(value, str):
                cell._style = text_style
                # openpyxl takes a text that begins with `=` for a formula.
                cell.data_type = "s"
            if number == 1:
                cell._style = heading_style


def make_cell_styles(page: Any) -> list[Any]:
    """Return the cell styles of the heading, of texts, and of other values."""
    from openpyxl.styles import Alignment, Font

    cells = [page.cell(1, column) for column in (1, 2, 3)]
    heading, text_cell, value_cell = cells
    heading.font = Font(bold=True)
    for cell in (heading, text_cell):
        cell.alignment = Alignment(vertical="top", wrap_text=True)
        cell.number_format = TEXT_FORMAT
    value_cell.alignment = Alignment(vertical="top", wrap_text=False)
    # Styles are copied from these cells: making one for each cell takes most of the time.
    styles = [copy(cell._style) for cell in cells]
    for cell in cells:
        cell.style = "Normal"
    return styles


def escape_characters(value: CellValue) -> CellValue:
    """Escape texts that look like an escaped character of a workbook, such as `_x0041_`."""
    if isinstance(value, str):
        return ESCAPED_CHARACTER.sub(r"_x005F\g<0>", value)
    return value


def measure_widths(rows: Sequence[Sequence[CellValue]]) -> list[int]:
    """Return the width of each column in characters."""
    widths: list[int] = []
    for row in rows:
        widths.extend([MIN_WIDTH_CHARACTERS] * (len(row) - len(widths)))
        for column, value in enumerate(row):
            if value is not None:
                width = min(len(str(value)) + 2, MAX_WIDTH_CHARACTERS)
                widths[column] = max(widths[column], width)
    return widths


def remove_times(file: io.BytesIO) -> bytes:
    """Return a workbook without the time at which it was saved."""
    result = io.BytesIO()
    with ZipFile(file) as archive, ZipFile(result, "w") as timeless_archive:
        for part in archive.infolist():
            data = archive.read(part)
            # openpyxl writes the time of saving there, whatever time it is given.
            if part.filename == "docProps/core.xml":
                data = TIME_OF_CHANGE.sub(b"2000-01-01T00:00:00Z", data)
            timeless_part = ZipInfo(part.filename)
            timeless_part.compress_type = part.compress_type
            timeless_archive.writestr(timeless_part, data)
    return result.getvalue()
