"""Workbooks of old versions of Excel (XLS). They are read with python-calamine, which sees values only."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from python_calamine import CalamineSheet, PasswordError, SheetVisibleEnum, load_workbook

from builder.errors import InputUnreadable
from builder.findings import Finding
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.tables.number_format import as_cell_value, format_plain_number
from builder.packs.tables.sheet import Cell, make_cell
from builder.packs.tables.source import CellRange, RawSheet, Source
from builder.packs.tables.workbook import report_hidden_sheets

PROTECTED_STREAM = "EncryptedPackage".encode("utf-16-le")
"""The name of the stream that contains an XLSX file with a password."""


def read_spreadsheet(source: Source) -> tuple[list[RawSheet], list[Finding]]:
    """Read the visible sheets of an XLS file. Raise InputUnreadable if it is damaged or protected."""
    if PROTECTED_STREAM in source.data:
        raise source.make_error(_("it is protected with a password"))
    try:
        return read_sheets(source)
    except InputUnreadable:
        raise
    except PasswordError as error:
        raise source.make_error(_("it is protected with a password")) from error
    except BaseException as error:
        # The library is written in Rust. A panic there is no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise source.make_error(_("it is a workbook of an old or protected form")) from error


def read_sheets(source: Source) -> tuple[list[RawSheet], list[Finding]]:
    """Read the visible sheets."""
    book = load_workbook(io.BytesIO(source.data))
    sheets, hidden_names = [], []
    for metadata in book.sheets_metadata:
        if metadata.visible != SheetVisibleEnum.Visible:
            hidden_names.append(metadata.name)
            continue
        sheet = book.get_sheet_by_name(metadata.name)
        rows = source.collect_rows(list_rows(sheet))
        merged_ranges = [
            CellRange(first[0] + 1, last[0] + 1, first[1] + 1, last[1] + 1)
            for first, last in sheet.merged_cell_ranges or ()
        ]
        sheets.append(RawSheet(metadata.name, rows, merged_ranges))
    findings = report_hidden_sheets(source, hidden_names)
    return sheets, [*findings, report_unseen_features(source)]


def list_rows(sheet: CalamineSheet) -> Iterator[tuple[int, list[Cell]]]:
    """Return the numbered rows of a sheet."""
    for number, values in enumerate(sheet.to_python(skip_empty_area=False), 1):
        yield number, [make_value_cell(value) for value in values]


def make_value_cell(value: Any) -> Cell:
    """Return the cell of a value, without a number format."""
    if isinstance(value, bool):
        return make_cell("TRUE" if value else "FALSE")
    if isinstance(value, float):
        text = format_plain_number(value)
        return Cell(text, int(value) if value.is_integer() else value, text)
    return make_cell(as_cell_value(value))


def report_unseen_features(source: Source) -> Finding:
    """Report what the reader of XLS files cannot see."""
    message = _(
        "bold and italic text, signs such as % and €, errors such as #REF! and hidden rows are not read from XLS"
    )
    code = file_codes.TABLE_UNSEEN
    return code.finding(message, source.locate(), code.remedy)
