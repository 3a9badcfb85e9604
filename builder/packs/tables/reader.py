"""The one reader of tables. `new`, `table import` and `card bump` read all their tables here."""

import io
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from builder.errors import UsageError
from builder.files import read_limited, suggest_file
from builder.findings import Finding, Severity
from builder.messages import describe_os_error, gettext as _
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.tables.cell_checks import check_cells
from builder.packs.tables.column_names import find_standard_field
from builder.packs.tables.delimited import read_delimited
from builder.packs.tables.emphasis import drop_column_styles
from builder.packs.tables.encodings import (
    WORKBOOK_EXTENSIONS,
    decode_text,
    refuse_binary,
    report_encoding,
)
from builder.packs.tables.headings import Headings, find_headings
from builder.packs.tables.json_table import read_json
from builder.packs.tables.markup import read_row_markup
from builder.packs.tables.merged_cells import fill_merged_cells
from builder.packs.tables.sheet import Table, make_row
from builder.packs.tables.source import (
    MAX_FILE_BYTES,
    RawSheet,
    TableSource,
    make_unreadable_error,
)

STANDARD_INPUT = Path("-")
ADDRESS = re.compile(r"https?:/+([^/]+)")
"""A web address. As a path it has only one slash after the colon."""
EXPORT_FROM_GOOGLE = _(
    "In Google Sheets choose File > Download > "
    "Microsoft Excel (.xlsx), and use the "
    "downloaded file."
)
DOWNLOAD_FIRST = _("Download the table, and use the downloaded file.")
SAVE_IN_PROGRAM = _(
    "Open it in a spreadsheet program, and save it as an Excel workbook (.xlsx) or as CSV."
)
FORMATS_BY_START = {
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"RIFF": "WebP",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"{\\rtf": "RTF",
    b"\x1f\x8b": "gzip",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
    b"SQLite format 3": "SQLite",
}
"""Formats that are often mistaken for tables, by the first bytes of the file."""


def read_tables(
    *files: Path, sheets: Collection[str] = ()
) -> tuple[list[Table], list[Finding]]:
    """Read the tables in these files (`-` is standard input), with the findings about whole files.

    `sheets` selects sheets by name. Without it, all visible sheets are read. Raise InputUnreadable
    if a file is no table, or is larger than any table of cards, and UsageError if there is no such
    sheet.
    """
    tables: list[Table] = []
    findings: list[Finding] = []
    known_names: list[str] = []
    for file in files:
        source = load_source(file)
        raw_sheets, file_findings = read_source(source)
        findings += file_findings
        known_names += [sheet.name for sheet in raw_sheets]
        chosen_sheets = [
            sheet for sheet in raw_sheets if not sheets or sheet.name in sheets
        ]
        for sheet in chosen_sheets:
            table = finish_table(source, sheet)
            tables.append(replace(table, is_one_of_several=len(chosen_sheets) > 1))
    require_sheets(sheets, known_names)
    return tables, findings


def require_sheets(wanted_names: Collection[str], known_names: Sequence[str]) -> None:
    """Raise UsageError if none of the files has one of these sheets."""
    for name in wanted_names:
        if name not in known_names:
            hint = suggest_word(name, filter(None, known_names), _("Sheets"))
            raise UsageError(_("there is no sheet {name}", name=name), hint)


def load_source(file: Path) -> TableSource:
    """Load the bytes of a file or of standard input. Raise InputUnreadable if that fails."""
    path = file.as_posix()
    address = ADDRESS.match(path)
    if address:
        is_google = address[1].endswith("google.com")
        remedy = EXPORT_FROM_GOOGLE if is_google else DOWNLOAD_FIRST
        shown_address = path.replace(":/", "://", 1)
        raise make_unreadable_error(shown_address, _("it is a web address"), remedy)
    try:
        if file == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            data = read_limited(file, MAX_FILE_BYTES)
    except FileNotFoundError as error:
        raise make_unreadable_error(
            path, describe_os_error(error), suggest_file(file)
        ) from error
    except (OSError, ValueError) as error:
        reason = describe_os_error(error) if isinstance(error, OSError) else str(error)
        raise make_unreadable_error(path, reason) from error
    if len(data) > MAX_FILE_BYTES:
        limit = _("larger than {most:.3g} MB", most=MAX_FILE_BYTES / 1e6)
        raise make_unreadable_error(path, limit)
    return TableSource(path, file.name, data)


def read_source(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read the sheets of a file. Its format is recognised by its content, not by its name."""
    data = source.data
    # These bytes begin a zip archive, which XLSX and ODS files are.
    if data[:4] == b"PK\3\4":
        return read_archive(source)
    # These bytes begin an OLE file, which XLS files and protected XLSX files are.
    if data[:4] == b"\xd0\xcf\x11\xe0":
        from builder.packs.tables.spreadsheet import read_spreadsheet

        return require_visible_sheet(source, *read_spreadsheet(source))
    refuse_other_formats(source)
    return read_text(source)


def read_archive(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read a workbook that is a zip file: XLSX or ODS."""
    # These libraries take a noticeable time to import.
    from builder.packs.tables.open_document import read_open_document
    from builder.packs.tables.workbook import read_workbook

    names = list_archive_names(source)
    if any(name.startswith("Index/") and name.endswith(".iwa") for name in names):
        reason = _("it is a document of Apple Numbers")
        raise source.make_error(
            reason, _("In Numbers choose File > Export To > Excel.")
        )
    if "xl/workbook.bin" in names:
        raise source.make_error(_("it is a binary workbook (.xlsb)"))
    if "content.xml" in names and "mimetype" in names:
        return require_visible_sheet(source, *read_open_document(source))
    return require_visible_sheet(source, *read_workbook(source))


def list_archive_names(source: TableSource) -> list[str]:
    """Return the names of the files in a zip file. Raise InputUnreadable if it is damaged."""
    try:
        with ZipFile(io.BytesIO(source.data)) as archive:
            return archive.namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise source.make_error(_("it is no workbook that can be read")) from error


def require_visible_sheet(
    source: TableSource, sheets: list[RawSheet], findings: list[Finding]
) -> tuple[list[RawSheet], list[Finding]]:
    """Return the sheets and findings. Raise InputUnreadable if there is no sheet."""
    if not sheets:
        reason = _("it has no visible sheet of cells")
        raise source.make_error(reason, _("Move the cards to a visible sheet."))
    return sheets, findings


def refuse_other_formats(source: TableSource) -> None:
    """Raise InputUnreadable for pictures, documents and web pages."""
    for start, name in FORMATS_BY_START.items():
        if source.data.startswith(start):
            raise source.make_error(
                _("it is a {format} file", format=name), SAVE_IN_PROGRAM
            )
    if source.data[:4] in (b"PK\5\6", b"PK\7\x08"):
        raise source.make_error(_("it is no workbook that can be read"))
    # Without byte order marks, white space, and the zero bytes of UTF-16.
    beginning = source.data[:2000].replace(b"\0", b"")
    beginning = beginning.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower()
    if beginning.startswith(
        (b"<!doctype", b"<html", b"<table", b"<?xml", b"<head", b"<meta")
    ):
        reason = _("it is a web page or XML file, whatever its name is")
        raise source.make_error(reason, SAVE_IN_PROGRAM)


def read_text(source: TableSource) -> tuple[list[RawSheet], list[Finding]]:
    """Read a JSON or CSV file."""
    text, encoding = decode_text(source)
    findings = report_encoding(source, encoding)
    if looks_like_json(source, text):
        return read_json(source, text), findings
    sheet = read_delimited(source, text)
    has_columns = any(len(row.cells) > 1 for row in sheet.rows)
    if source.name.lower().endswith(WORKBOOK_EXTENSIONS) and not has_columns:
        refuse_binary(source)
    return [sheet], findings


def looks_like_json(source: TableSource, text: str) -> bool:
    """Return True if a file is JSON, by its name or its first characters.

    A CSV file may begin with a bracket too, for example with `[Title];[Points]`.
    """
    if source.name.lower().endswith(".json"):
        return True
    beginning = re.sub(r"\s+", "", text[:200])
    is_begun = beginning.startswith(("[{", "[[", '{"'))
    return is_begun and text.rstrip().endswith(("]", "}"))


def finish_table(source: TableSource, sheet: RawSheet) -> Table:
    """Make a table of a sheet: find its column names, fill merged cells, check its cells."""
    headings = Headings(0, 0)
    if sheet.has_titles:
        headings = find_headings(sheet.rows, sheet.merged_ranges)
    rows = read_row_markup(drop_column_styles(sheet.rows[headings.last :]))
    if headings.names:
        rows = (make_row(rows[0].number, headings.names), *rows[1:])
    if rows:
        name_columns: set[int] = set()
        for column, cell in enumerate(rows[0].cells, 1):
            if find_standard_field(cell.text) in ("id", "name"):
                name_columns.add(column)
        # The headings are joined already, and titles above them are no cards.
        ranges = [
            item for item in sheet.merged_ranges if item.first_row > rows[0].number
        ]
        rows = fill_merged_cells(rows, ranges, name_columns)
    skipped_rows = tuple(row.number for row in sheet.rows[: headings.first])
    table = Table(
        source.name,
        sheet.name,
        rows,
        skipped_rows=skipped_rows,
        lower_names=headings.lower_names,
    )
    findings = [
        *sheet.findings,
        *report_skipped_rows(table),
        *report_joined_names(table),
        *check_cells(table, sheet.hidden_rows),
    ]
    return replace(table, findings=tuple(findings))


def report_joined_names(table: Table) -> list[Finding]:
    """Report that two rows together name the columns."""
    if not table.lower_names:
        return []
    pairs = zip(table.head, table.lower_names, strict=False)
    joined_names = [name for name, lower_name in pairs if name != lower_name]
    number = table.rows[0].number
    message = _(
        "rows {first} and {last} name the columns", first=number - 1, last=number
    )
    if joined_names:
        form = _("rows {first} and {last} name the columns together: {listed}")
        listed = ", ".join(joined_names)
        message = _(form, first=number - 1, last=number, listed=listed)
    location = table.place(number, 0)
    return [file_codes.TABLE_ROW.finding(message, location, severity=Severity.NOTE)]


def report_skipped_rows(table: Table) -> list[Finding]:
    """Report the rows above the column names, which are skipped."""
    if not table.skipped_rows:
        return []
    listed = ", ".join(map(str, table.skipped_rows))
    message = _(
        "rows above the names of the columns are skipped: {listed}", listed=listed
    )
    location = table.place(table.skipped_rows[0], 0)
    return [file_codes.TABLE_ROW.finding(message, location, severity=Severity.NOTE)]
