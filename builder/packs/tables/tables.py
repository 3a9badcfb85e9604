"""Tables as people keep them: a workbook (.xlsx) or CSV of any common dialect as rows of cells, and back.

They come from strangers and are read with limits. Formulas are not worked out: what was saved as their value counts.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile, ZipInfo

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited
from builder.findings import Finding, Location
from builder.messages import describe_os_error, gettext as _
from builder.model.words import format_csv_line, guard_cell, unguard_cell
from builder.packs import file_codes
from builder.packs.tables.sheet import CellValue, Row, Table, make_row

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell as SheetCell

LARGEST = 20_000_000
"""Bytes of a file, and of one in a workbook."""
UNPACKED = 100_000_000
"""Bytes of all that a workbook unpacks to."""
ROWS, COLUMNS, CELL = 20_000, 500, 32_000
"""What a table may have; letters of a cell."""
OUTSIDE = re.compile(r"\[[^\]]*\]|\||WEBSERVICE|IMPORT", re.IGNORECASE)
"""What a formula that asks another file, program or server is told by."""
REMEDY = _("Save it as an ordinary workbook (.xlsx) without passwords and macros, or as CSV.")


def read_tables(file: Path) -> tuple[list[Table], list[Finding]]:
    """The sheets of a file, hidden ones left out, and what is to be said of its cells. InputUnreadable where it cannot
    be read or is larger than any table of cards.
    """
    try:
        data = read_limited(file, LARGEST)
    except OSError as error:
        raise _unreadable(file, describe_os_error(error)) from error
    if data[:4] == b"PK\3\4":
        return _workbook(file, data)
    if data[:4] in (b"\xd0\xcf\x11\xe0", b"PK\5\6"):
        raise _unreadable(file, _("it is a workbook of an old or protected form"))
    text, encoding = _decoded(data, file)
    sign = re.match(r"sep=(.)\r?\n", text)  # how Excel is told the separator
    delimiter = sign[1] if sign else _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = _bounded(file, ([unguard_cell(cell) for cell in row] for row in reader))[
            1 if sign else 0 :
        ]
    except csv.Error as error:
        raise _unreadable(
            file, _("line {line}: {reason}", line=reader.line_num, reason=str(error))
        ) from error
    told = _("it is not UTF-8, and was read as {encoding}", encoding=encoding)
    guess = file_codes.TABLE_ENCODING.finding(
        told, Location(file=file.name), file_codes.TABLE_ENCODING.remedy
    )
    return [Table(file.name, "", rows)], [guess] if encoding else []


def _decoded(data: bytes, file: Path) -> tuple[str, str]:
    """A text, and the encoding where that had to be guessed."""
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16"), ""
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        # Cyrillic words are all high bytes, words of western languages have one here and there.
        runs = re.findall(rb"[\xc0-\xff\xa8\xb8]+", data)
        encoding = "cp1251" if sum(len(run) > 2 for run in runs) > len(runs) / 3 else "cp1252"
    try:
        return data.decode(encoding), {"cp1251": "Windows-1251", "cp1252": "Windows-1252"}[encoding]
    except UnicodeDecodeError as error:
        raise _unreadable(file, _("it is no text in an encoding that is known here")) from error


def _delimiter(text: str) -> str:
    """The sign between cells: the one that parts the head into most columns, quotes minded."""
    head = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t|", key=lambda sign: len(next(csv.reader([head[:CELL]], delimiter=sign), [])))


def _bounded(file: Path, rows: Iterable[Sequence[CellValue]]) -> tuple[Row, ...]:
    """The rows that hold something, with their numbers."""
    found: list[Row] = []
    for number, row in enumerate(rows, 1):
        cells = make_row(number, row).cells
        if number > ROWS or len(cells) > COLUMNS:
            form = _("it has more than {rows} rows or {columns} columns")
            raise _unreadable(
                file,
                _(form, rows=ROWS, columns=COLUMNS),
                _("Delete what is empty below and beside it."),
            )
        if cells:
            found.append(Row(number, cells))
    return tuple(found)


def _workbook(file: Path, data: bytes) -> tuple[list[Table], list[Finding]]:
    from openpyxl import load_workbook

    found: list[Finding] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            formulas = _checked(data, file)
            whole = load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False
            )
            written = (
                load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
                if formulas
                else None
            )
            tables = []
            for sheet in (one for one in whole.worksheets if one.sheet_state == "visible"):
                sheet.reset_dimensions()
                table = Table(
                    file.name, sheet.title, _bounded(file, sheet.iter_rows(values_only=True))
                )
                tables.append(table)
                if written is not None:
                    written[sheet.title].reset_dimensions()
                    found += _formulas(table, written[sheet.title].iter_rows())
    except InputUnreadable:
        raise
    except Exception as error:  # whatever the library meets in a damaged or made-up workbook
        raise _unreadable(file, _("it is no workbook that can be read")) from error
    if not tables:
        raise _unreadable(
            file, _("it has no visible sheet of cells"), _("Move the cards to a visible sheet.")
        )
    return tables, found


def _checked(data: bytes, file: Path) -> bool:
    """True if there may be formulas. InputUnreadable for what unpacks to far too much, or declares entities."""
    formulas = False
    with ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if (
            sum(part.file_size for part in parts) > UNPACKED
            or max(part.file_size for part in parts) > 2 * LARGEST
        ):
            raise _unreadable(file, _("it unpacks to more than any table of cards needs"))
        for part in (part for part in parts if part.filename.endswith((".xml", ".rels"))):
            text = archive.read(part)
            if b"<!DOCTYPE" in text.replace(b"\0", b""):
                raise BadZipFile("a declaration of entities")
            formulas |= b"<f>" in text or b"<f " in text
    return formulas


def _formulas(table: Table, rows: Iterable[Sequence[SheetCell]]) -> Iterator[Finding]:
    """Formulas whose value is not known, or is another file's."""
    values = dict(table.rows)
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row):
            if cell.data_type != "f":
                continue
            cells, why = values.get(number, ()), None
            value = cells[column].value if column < len(cells) else None
            if OUTSIDE.search(str(getattr(cell.value, "text", cell.value))):
                why = _(
                    "{cell}: the formula asks something outside this file",
                    cell=table.name(number, column),
                )
            elif value is None or str(value).startswith("#"):
                why = _("{cell}: the formula has no value", cell=table.name(number, column))
            if why:
                yield file_codes.TABLE_FORMULA.finding(why, table.place(number, column))


def _unreadable(file: Path, reason: str, remedy: str = REMEDY) -> InputUnreadable:
    return InputUnreadable(_("{file} cannot be read: {reason}", file=file, reason=reason), remedy)


def table_bytes(file: Path, sheet: str, rows: Sequence[Sequence[CellValue]]) -> bytes:
    """A table as a file of the sort that its name ends in. UsageError where that is none, or a text fits no cell."""
    for row in rows:
        for text in (cell for cell in row if isinstance(cell, str)):
            if len(text) > CELL or re.search(r"[\0-\x08\x0b\x0c\x0e-\x1f]", text):
                reason = _(
                    "a text is too long for a cell, or holds signs that no cell can: {text}",
                    text=text[:60],
                )
                raise UsageError(reason, _("Leave this kind to its files."))
    if file.suffix.lower() == ".csv":
        lines = (
            format_csv_line(
                [guard_cell(one) if isinstance(one, str) else _plain(one) for one in row]
            )
            for row in rows
        )
        return "".join(lines).encode("utf-8-sig")  # by its mark spreadsheets tell UTF-8
    if file.suffix.lower() != ".xlsx":
        raise UsageError(
            _("{file} is no name of a table", file=file), _("Let it end in .xlsx or .csv.")
        )
    return _packed(sheet, rows)


def _plain(cell: CellValue) -> str:
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def _packed(sheet: str, rows: Sequence[Sequence[CellValue]]) -> bytes:
    """A workbook. It holds no day and hour, so that the same cards give the same file."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    page = book.active
    page.title = sheet[:31]
    page.freeze_panes = "B2"
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell = page.cell(number, column, value)
            cell.alignment = Alignment(vertical="top", wrap_text=isinstance(value, str))
            if isinstance(value, str):
                cell.data_type, cell.number_format = "s", "@"  # a text, whatever it looks like
            if number == 1:
                cell.font = Font(bold=True)
    for column, cells in enumerate(zip(*rows, strict=True), 1):
        longest = max(len(str(cell)) for cell in cells if cell is not None)
        page.column_dimensions[get_column_letter(column)].width = min(max(8, longest + 2), 48)
    made, out = io.BytesIO(), io.BytesIO()
    book.save(made)
    with ZipFile(made) as archive, ZipFile(out, "w") as still:
        for part in archive.infolist():
            data = archive.read(part)
            if part.filename == "docProps/core.xml":
                data = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2000-01-01T00:00:00Z", data)
            info = ZipInfo(part.filename)
            info.compress_type = part.compress_type
            still.writestr(info, data)
    return out.getvalue()
