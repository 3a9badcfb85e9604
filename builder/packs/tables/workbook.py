"""Workbooks in the format of Excel (XLSX), with everything that a cell shows."""

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zipfile import ZipFile

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

from builder.errors import InputUnreadable
from builder.findings import Finding
from builder.messages import Message, gettext as _
from builder.packs import file_codes
from builder.packs.tables.archive import open_archive
from builder.packs.tables.emphasis import StyledText, format_runs
from builder.packs.tables.number_format import convert_to_cell_value, format_cell_value
from builder.packs.tables.sheet import EMPTY_CELL, TableCell, format_value, name_cell
from builder.packs.tables.source import (
    MAX_COLUMNS,
    MAX_ROWS,
    CellRange,
    RawSheet,
    TableSource,
)

STRING_LITERAL = re.compile(r'"[^"]*"')
OUTSIDE_FORMULA = re.compile(
    r"\[\d+\]|\||\b(?:WEBSERVICE|IMPORT\w*)\s*\(", re.IGNORECASE
)
"""A formula that asks another file or server: `[1]Sheet!A1`, `cmd|...`, `IMPORTRANGE(...)`."""
ESCAPED_CHARACTER = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""A character that XML does not allow, as workbooks write it: `_x000D_`."""


class CellStyle(NamedTuple):
    """The number format of a cell, and whether it is bold or italic."""

    number_format: str
    is_bold: bool
    is_italic: bool


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, and whether the file also contains its result."""

    row: int
    column: int
    text: str
    has_result: bool


class SheetParser(WorkSheetParser):  # type: ignore[misc]
    """Parses a sheet as openpyxl does, and collects its formulas.

    openpyxl offers either formulas or results. Parsing a sheet twice would double the time.
    """

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self.formulas: list[Formula] = []

    def parse_cell(self, element: Any) -> dict[str, Any]:
        """Return the parts of a cell, and remember its formula."""
        cell: dict[str, Any] = super().parse_cell(element)
        formula = element.find(FORMULA_TAG)
        if formula is not None:
            # An empty text is stored as a result. Programs that do not compute store none.
            is_empty_text = (
                element.get("t") == "str" and element.find(VALUE_TAG) is not None
            )
            has_result = cell["value"] is not None or is_empty_text
            text = formula.text or ""
            self.formulas.append(Formula(cell["row"], cell["column"], text, has_result))
        return cell


@dataclass(slots=True)
class Workbook:
    """An open XLSX workbook."""

    source: TableSource
    archive: ZipFile
    book: Any
    styles: dict[int, CellStyle] = field(default_factory=dict)

    def read_sheet(self, sheet: Any) -> RawSheet:
        """Read the cells of a sheet."""
        book = self.book
        with self.archive.open(sheet._worksheet_path) as file:
            parser = SheetParser(
                file,
                sheet._shared_strings,
                data_only=True,
                epoch=book.epoch,
                date_formats=book._date_formats,
                timedelta_formats=book._timedelta_formats,
                rich_text=True,
            )
            rows = self.source.collect_rows(self._read_rows(sheet, parser))
        merged_ranges = list_merged_ranges(parser.merged_cells)
        hidden_rows: list[int] = []
        for number, attributes in parser.row_dimensions.items():
            if attributes.get("hidden") in ("1", "true"):
                hidden_rows.append(int(number))
        findings = report_formulas(self.source, sheet.title, parser.formulas)
        return RawSheet(sheet.title, rows, merged_ranges, hidden_rows, findings)

    def _read_rows(
        self, sheet: Any, parser: SheetParser
    ) -> Iterator[tuple[int, list[TableCell]]]:
        for number, parts_of_cells in parser.parse():
            cells: list[TableCell] = []
            for parts in parts_of_cells:
                if parts["value"] is None:
                    continue
                # A cell far away is put right behind the limit, where it is refused.
                column = min(parts["column"], MAX_COLUMNS + 1)
                missing_count = column - 1 - len(cells)
                cells.extend([EMPTY_CELL] * missing_count)
                if missing_count >= 0:
                    cells.append(self._make_cell(sheet, parts))
            yield number, cells

    def _make_cell(self, sheet: Any, parts: Mapping[str, Any]) -> TableCell:
        value = parts["value"]
        style = self._find_style(sheet, parts)
        if isinstance(value, CellRichText):
            return make_rich_cell(value, style)
        if isinstance(value, str):
            value = unescape_characters(value)
            text = format_value(value)
            if not text:
                return EMPTY_CELL
            markup = format_runs([StyledText(text, style.is_bold, style.is_italic)])
            return TableCell(text, value, markup, parts["data_type"] == "e")
        text = format_cell_value(value, style.number_format)
        return (
            TableCell(text, convert_to_cell_value(value), text) if text else EMPTY_CELL
        )

    def _find_style(self, sheet: Any, parts: Mapping[str, Any]) -> CellStyle:
        style_id = parts["style_id"]
        # openpyxl finds a style by several look-ups, and most cells have one of a few.
        if style_id not in self.styles:
            cell = ReadOnlyCell(sheet, **parts)
            font = cell.font
            self.styles[style_id] = CellStyle(
                cell.number_format, bool(font.b), bool(font.i)
            )
        return self.styles[style_id]


def read_workbook(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read the visible sheets of an XLSX workbook. Raise InputUnreadable if it is damaged."""
    with refuse_damaged_workbook(source), open_archive(source) as archive:
        book = load_workbook(
            io.BytesIO(source.data),
            read_only=True,
            data_only=True,
            keep_links=False,
            rich_text=True,
        )
        workbook = Workbook(source, archive, book)
        sheets: list[RawSheet] = []
        hidden_names: list[str] = []
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                sheets.append(workbook.read_sheet(sheet))
            else:
                hidden_names.append(sheet.title)
    return sheets, report_hidden_sheets(source, hidden_names)


@contextmanager
def refuse_damaged_workbook(source: TableSource) -> Iterator[None]:
    """Convert all errors of a workbook library in a block to InputUnreadable."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except InputUnreadable:
        raise
    # The libraries raise errors of many types for files that they do not expect.
    except Exception as error:
        raise source.make_error(_("it is no workbook that can be read")) from error


def unescape_characters(text: str) -> str:
    """Replace escapes such as `_x000D_` in a text of a workbook by their characters."""
    if "_x" not in text:
        return text
    return ESCAPED_CHARACTER.sub(lambda match: chr(int(match[1], 16)), text)


def make_rich_cell(value: CellRichText, style: CellStyle) -> TableCell:
    """Return the cell of a text that is partly bold or italic."""
    runs = []
    for block in value:
        is_bold = style.is_bold
        is_italic = style.is_italic
        # A block without a font of its own has that of the cell.
        if isinstance(block, TextBlock):
            is_bold = bool(block.font.b)
            is_italic = bool(block.font.i)
        block_text = unescape_characters(str(block))
        block_text = block_text.replace("\r\n", "\n").replace("\r", "\n")
        runs.append(StyledText(block_text, is_bold, is_italic))
    whole_text = "".join(run.text for run in runs)
    text = whole_text.strip()
    return TableCell(text, whole_text, format_runs(runs)) if text else EMPTY_CELL


def list_merged_ranges(merged_cells: Any) -> list[CellRange]:
    """Return the merged ranges of a sheet, cut at the row limit."""
    if merged_cells is None:
        return []
    ranges = []
    for cell_range in merged_cells.mergeCell:
        first_column, first_row, last_column, last_row = cell_range.bounds
        ranges.append(
            CellRange(first_row, min(last_row, MAX_ROWS), first_column, last_column)
        )
    return ranges


def report_formulas(
    source: TableSource, sheet: str, formulas: list[Formula]
) -> list[Finding]:
    """Report formulas without a stored result, and those that use other files."""
    findings = []
    for formula in formulas:
        message = describe_formula_problem(sheet, formula)
        if message:
            location = source.locate_cell(formula.row, formula.column - 1)
            findings.append(file_codes.TABLE_FORMULA.finding(message, location))
    return findings


def describe_formula_problem(sheet: str, formula: Formula) -> Message | None:
    """Return why the result of a formula cannot be used, or None if it can."""
    cell = name_cell(sheet, formula.row, formula.column - 1)
    if OUTSIDE_FORMULA.search(STRING_LITERAL.sub("", formula.text)):
        return _("{cell}: the formula asks something outside this file", cell=cell)
    if not formula.has_result:
        return _("{cell}: the formula has no value", cell=cell)
    return None


def report_hidden_sheets(source: TableSource, names: list[str]) -> list[Finding]:
    """Report the hidden sheets, which are not read."""
    if not names:
        return []
    message = _("hidden sheets are not read: {listed}", listed=", ".join(names))
    return [file_codes.TABLE_HIDDEN.finding(message, source.locate())]
