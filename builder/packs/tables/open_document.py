"""Workbooks in the format of LibreOffice (ODS).

The file contains the shown text of each cell beside its value.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element, iterparse

from builder.findings import Finding
from builder.packs.tables.archive import open_archive
from builder.packs.tables.emphasis import StyledText, format_runs
from builder.packs.tables.number_format import format_plain_number
from builder.packs.tables.sheet import EMPTY_CELL, CellValue, Row, TableCell, make_cell
from builder.packs.tables.source import (
    MAX_COLUMNS,
    MAX_ROWS,
    CellRange,
    RawSheet,
    TableSource,
)
from builder.packs.tables.workbook import refuse_damaged_workbook, report_hidden_sheets

NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
TABLE = NAMESPACE % "table"
OFFICE = NAMESPACE % "office"
TEXT = NAMESPACE % "text"
STYLE = NAMESPACE % "style"
FORMAT = NAMESPACE % "xsl-fo-compatible"
CALC_EXTENSION = (
    "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
)
CELL_TAGS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
SHOWN_AS_WRITTEN = re.compile(r"\d+ \d+/\d+|\d+/\d+|0\d+")
"""Numbers that lose something without their format: fractions, and numbers with leading zeros."""


class OdsTextStyle(NamedTuple):
    """Whether a text style is bold or italic."""

    is_bold: bool = False
    is_italic: bool = False


PLAIN_STYLE = OdsTextStyle()


@dataclass(slots=True)
class DocumentReader:
    """Reads the sheets of an ODS document from its XML, element by element."""

    source: TableSource
    styles: dict[str, OdsTextStyle] = field(default_factory=dict)
    hidden_styles: set[str] = field(default_factory=set)
    sheets: list[RawSheet] = field(default_factory=list)
    hidden_names: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    merged_ranges: list[CellRange] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    row_number: int = 0

    def handle_element(self, element: Element) -> None:
        """Read a style, a row or a sheet after its end tag."""
        if element.tag == f"{STYLE}style":
            self._read_style(element)
        elif element.tag == f"{TABLE}table-row":
            self._read_row(element)
            # The parsed rows of a large sheet would fill the memory.
            element.clear()
        elif element.tag == f"{TABLE}table":
            self._finish_sheet(element)
            element.clear()

    def _read_style(self, element: Element) -> None:
        name = element.get(f"{STYLE}name", "")
        for properties in element:
            if properties.tag == f"{STYLE}text-properties":
                is_bold = properties.get(f"{FORMAT}font-weight") == "bold"
                is_italic = properties.get(f"{FORMAT}font-style") == "italic"
                self.styles[name] = OdsTextStyle(is_bold, is_italic)
            if properties.get(f"{TABLE}display") == "false":
                self.hidden_styles.add(name)

    def _read_row(self, element: Element) -> None:
        # ODS stores equal neighbouring rows once, with their number.
        count = int(element.get(f"{TABLE}number-rows-repeated", "1"))
        first_number = self.row_number + 1
        self.row_number += count
        cells = list(self._read_cells(element, first_number))
        if not any(cell.text for cell in cells):
            return
        # Programs repeat empty rows often. A file that repeats others would fill the memory.
        last_number = min(self.row_number, MAX_ROWS + 1)
        numbers = range(first_number, last_number + 1)
        self.rows += self.source.collect_rows((number, cells) for number in numbers)
        if element.get(f"{TABLE}visibility") in ("collapse", "filter"):
            self.hidden_rows += numbers

    def _read_cells(self, row: Element, number: int) -> Iterator[TableCell]:
        column = 1
        for element in row:
            if element.tag not in CELL_TAGS:
                continue
            count = int(element.get(f"{TABLE}number-columns-repeated", "1"))
            row_span = int(element.get(f"{TABLE}number-rows-spanned", "1"))
            column_span = int(element.get(f"{TABLE}number-columns-spanned", "1"))
            if row_span > 1 or column_span > 1:
                last_row = min(number + row_span - 1, MAX_ROWS)
                merged_range = CellRange(
                    number, last_row, column, column + column_span - 1
                )
                self.merged_ranges.append(merged_range)
            # A covered cell lies under a merged one, and may still store an old value.
            is_covered = element.tag == CELL_TAGS[1]
            cell = EMPTY_CELL if is_covered else self._read_cell(element)
            yield from [cell] * min(count, MAX_COLUMNS + 1)
            column += count

    def _read_cell(self, element: Element) -> TableCell:
        style = self.styles.get(element.get(f"{TABLE}style-name", ""), PLAIN_STYLE)
        paragraphs = [child for child in element if child.tag == f"{TEXT}p"]
        runs: list[StyledText] = []
        for index, paragraph in enumerate(paragraphs):
            if index:
                # In the style of the text before it, so that no style ends at the line break.
                last_run = runs[-1] if runs else StyledText("")
                runs.append(last_run._replace(text="\n"))
            runs += self._list_runs(paragraph, style)
        shown_text = "".join(run.text for run in runs).strip()
        value = read_value(element, shown_text)
        if element.get(f"{CALC_EXTENSION}value-type") == "error":
            return TableCell(
                shown_text or "#VALUE!", shown_text, shown_text, is_error=True
            )
        if isinstance(value, str):
            if not shown_text:
                return make_cell(value)
            cell = make_cell(shown_text)
            return cell._replace(value=value, markup=format_runs(runs))
        return make_value_cell(element, value, shown_text)

    def _list_runs(self, element: Element, style: OdsTextStyle) -> Iterator[StyledText]:
        yield StyledText(element.text or "", *style)
        for child in element:
            if child.tag == f"{TEXT}s":
                # The format writes several spaces as a number. A stranger's may be huge.
                count = min(int(child.get(f"{TEXT}c", "1")), MAX_COLUMNS)
                yield StyledText(" " * count, *style)
            elif child.tag == f"{TEXT}tab":
                yield StyledText("\t", *style)
            elif child.tag == f"{TEXT}line-break":
                yield StyledText("\n", *style)
            else:
                child_style = self.styles.get(child.get(f"{TEXT}style-name", ""), style)
                yield from self._list_runs(child, child_style)
            yield StyledText(child.tail or "", *style)

    def _finish_sheet(self, element: Element) -> None:
        name = element.get(f"{TABLE}name", "")
        if element.get(f"{TABLE}style-name", "") in self.hidden_styles:
            self.hidden_names.append(name)
        else:
            sheet = RawSheet(
                name, tuple(self.rows), self.merged_ranges, self.hidden_rows
            )
            self.sheets.append(sheet)
        self.rows = []
        self.merged_ranges = []
        self.hidden_rows = []
        self.row_number = 0


def read_open_document(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read the visible sheets of an ODS document. Raise InputUnreadable if it is damaged."""
    reader = DocumentReader(source)
    with (
        refuse_damaged_workbook(source),
        open_archive(source) as archive,
        archive.open("content.xml") as file,
    ):
        for _event, element in iterparse(file):
            reader.handle_element(element)
    return reader.sheets, report_hidden_sheets(source, reader.hidden_names)


def read_value(cell_element: Element, shown_text: str) -> CellValue:
    """Return the stored value of a cell."""
    value_type = cell_element.get(f"{OFFICE}value-type")
    number = cell_element.get(f"{OFFICE}value", "")
    day = cell_element.get(f"{OFFICE}date-value", "")
    with suppress(ValueError):
        if value_type in ("float", "percentage", "currency"):
            value = float(number)
            return int(value) if value.is_integer() else value
        if value_type == "date":
            return (
                datetime.fromisoformat(day) if "T" in day else date.fromisoformat(day)
            )
    if value_type == "boolean":
        return cell_element.get(f"{OFFICE}boolean-value") == "true"
    return shown_text or cell_element.get(f"{OFFICE}string-value", "")


def make_value_cell(
    cell_element: Element, value: CellValue, shown_text: str
) -> TableCell:
    """Return the cell of a number, date or truth value."""
    text = shown_text
    is_plain_number = cell_element.get(f"{OFFICE}value-type") == "float"
    # The shown text has separators of the author's language, such as `1.234,5`.
    if is_plain_number and isinstance(value, int | float):
        if not SHOWN_AS_WRITTEN.fullmatch(shown_text):
            text = format_plain_number(value)
    elif isinstance(value, date) and str(value.year)[-2:] in shown_text:
        # A date with its year is written as in all formats; others stay as they are shown.
        text = make_cell(value).text
    return TableCell(text, value, text) if text else make_cell(value)
