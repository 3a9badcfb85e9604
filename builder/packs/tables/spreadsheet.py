"""Workbooks of old versions of Excel (XLS).

They are read with python-calamine, which sees values only.
"""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from python_calamine import (
    CalamineWorkbook,
    SheetMetadata,
    SheetVisibleEnum,
    load_workbook,
)

from builder.findings import Finding
from builder.limits import LimitedProcess, LimitsExceeded
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.tables.number_format import (
    convert_to_cell_value,
    format_plain_number,
)
from builder.packs.tables.sheet import TableCell, make_cell
from builder.packs.tables.source import MAX_ROWS, CellRange, RawSheet, TableSource
from builder.packs.tables.workbook import report_hidden_sheets

MAX_MEMORY_BYTES = 500_000_000
MAX_SECONDS = 30
STANDARD_ERROR = 2
"""The number of the process's stream for errors."""
PROTECTED_STREAM = "EncryptedPackage".encode("utf-16-le")
"""The name of the stream that contains an XLSX file with a password."""


@dataclass(frozen=True, slots=True)
class PlainSheet:
    """A sheet as the library for XLS returns it. Rows and columns count from 0."""

    name: str
    is_visible: bool
    rows: list[list[object]]
    merged_ranges: list[tuple[tuple[int, int], tuple[int, int]]]


def read_spreadsheet(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read the visible sheets of an XLS file.

    Raise InputUnreadable if it is damaged or protected.
    """
    if PROTECTED_STREAM in source.data:
        raise source.make_error(_("it is protected with a password"))
    # A damaged file can make the library ask for so much memory that the process ends.
    with LimitedProcess(MAX_MEMORY_BYTES, MAX_SECONDS) as process:
        try:
            plain_sheets = process.run(load_plain_sheets, source.data)
        except LimitsExceeded:
            plain_sheets = None
    if plain_sheets is None:
        raise source.make_error(_("it is a workbook of an old or protected form"))
    sheets = [make_sheet(source, sheet) for sheet in plain_sheets if sheet.is_visible]
    hidden_names = [sheet.name for sheet in plain_sheets if not sheet.is_visible]
    findings = report_hidden_sheets(source, hidden_names)
    return sheets, [*findings, report_unseen_features(source)]


def make_sheet(source: TableSource, sheet: PlainSheet) -> RawSheet:
    """Convert a sheet of the library to cells."""
    rows = map(make_cells, sheet.rows)
    merged_ranges: list[CellRange] = []
    for (first_row, first_column), (last_row, last_column) in sheet.merged_ranges:
        last_row = min(last_row + 1, MAX_ROWS)
        merged_ranges.append(
            CellRange(first_row + 1, last_row, first_column + 1, last_column + 1)
        )
    return RawSheet(sheet.name, source.collect_rows(enumerate(rows, 1)), merged_ranges)


def make_cells(values: list[object]) -> list[TableCell]:
    """Return the values of a row as cells."""
    return list(map(make_value_cell, values))


def load_plain_sheets(data: bytes) -> list[PlainSheet] | None:
    """Load all sheets of an XLS file. Return None if it is damaged or protected."""
    try:
        with discard_panic_messages():
            book = load_workbook(io.BytesIO(data))
            return [
                load_plain_sheet(book, metadata) for metadata in book.sheets_metadata
            ]
    except BaseException as error:
        # The library is written in Rust. A panic there is no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return None


def load_plain_sheet(book: CalamineWorkbook, metadata: SheetMetadata) -> PlainSheet:
    """Load one sheet of an XLS file. Hidden sheets are loaded without their cells."""
    is_visible = metadata.visible == SheetVisibleEnum.Visible
    if not is_visible:
        return PlainSheet(metadata.name, is_visible, [], [])
    sheet = book.get_sheet_by_name(metadata.name)
    rows = [list[object](row) for row in sheet.to_python(skip_empty_area=False)]
    return PlainSheet(metadata.name, is_visible, rows, sheet.merged_cell_ranges or [])


@contextmanager
def discard_panic_messages() -> Iterator[None]:
    """Discard what the library prints to standard error during a block.

    It writes past Python, to the process's own stream.
    """
    standard_error = os.dup(STANDARD_ERROR)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, STANDARD_ERROR)
    try:
        yield
    finally:
        os.dup2(standard_error, STANDARD_ERROR)
        os.close(standard_error)
        os.close(nothing)


def make_value_cell(value: object) -> TableCell:
    """Return the cell of a value that has no number format."""
    if isinstance(value, bool):
        return make_cell("TRUE" if value else "FALSE")
    if isinstance(value, float):
        text = format_plain_number(value)
        return TableCell(text, int(value) if value.is_integer() else value, text)
    return make_cell(convert_to_cell_value(value))


def report_unseen_features(source: TableSource) -> Finding:
    """Report which features of an XLS file are not read."""
    message = _(
        "bold and italic text, signs such as % and €, errors such as #REF! and hidden rows are not "
        "read from XLS"
    )
    code = file_codes.TABLE_UNSEEN
    return code.finding(message, source.locate(), code.remedy)
