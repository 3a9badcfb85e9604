"""CSV and similar files: any separator and way of quoting."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from builder.messages import gettext as _
from builder.model.words import unguard_cell
from builder.packs.tables.sheet import TableCell, make_cell
from builder.packs.tables.source import RawSheet, TableSource

DELIMITERS = ",;\t|"
"""Characters between values. Of those that fit equally well, the first is used."""
SAMPLE_ROWS = 100
"""Rows by which the delimiter is chosen."""
HEADING_BONUS = 2
"""Rows that count for a delimiter if it splits the first row, which usually names the columns."""
ERROR_PENALTY = 2
"""Rows that count against a delimiter if quotation marks do not fit to it."""
SEPARATOR_LINE = re.compile(r"sep=(.)(\r\n|\r|\n|$)", re.IGNORECASE)
"""A first line that tells Excel the delimiter."""


def read_delimited(source: TableSource, text: str) -> RawSheet:
    """Read a CSV or similar text as a sheet. Raise InputUnreadable if it is none."""
    return RawSheet("", source.collect_rows(parse_rows(source, text)))


def parse_rows(source: TableSource, text: str) -> Iterator[tuple[int, list[TableCell]]]:
    """Yield the rows of a CSV text, each with its number."""
    separator_line = SEPARATOR_LINE.match(text)
    if separator_line:
        first_number = 2
        delimiter = separator_line[1]
        text = text[separator_line.end() :]
    else:
        first_number = 1
        delimiter = choose_delimiter(text)
    rows = split_text(source, text, delimiter, first_number)
    return enumerate(map(make_cells, rows), first_number)


def make_cells(values: list[str]) -> list[TableCell]:
    """Return the values of a row as cells.

    Programs that export CSV put an apostrophe before what looks like a formula.
    """
    return [make_cell(unguard_cell(value)) for value in values]


def choose_delimiter(text: str) -> str:
    """Return the delimiter that splits the most rows into equally many columns."""
    return max(DELIMITERS, key=lambda delimiter: score_delimiter(text, delimiter))


def score_delimiter(text: str, delimiter: str) -> tuple[int, int]:
    """Return how well a delimiter splits the first rows, and the usual number of columns."""
    counts: list[int] = []
    penalty = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row, _index in zip(reader, range(SAMPLE_ROWS), strict=False):
            if any(row):
                counts.append(len(row))
    # The rows before the error still count: the other delimiters may fit worse.
    except csv.Error:
        penalty = ERROR_PENALTY
    counts_of_split_rows = [count for count in counts if count > 1]
    if not counts_of_split_rows:
        return 0, 1
    usual_count, row_count = Counter(counts_of_split_rows).most_common(1)[0]
    bonus = HEADING_BONUS if counts[0] > 1 else 0
    score = len(counts_of_split_rows) + row_count + bonus - penalty
    return score, usual_count


def split_text(
    source: TableSource, text: str, delimiter: str, first_number: int
) -> list[list[str]]:
    """Split a CSV text into rows of values, trying several ways of quoting."""
    try:
        return list(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        )
    except csv.Error as error:
        # Some programs write `"5\" thick"` for `"5"" thick"`, and others do not quote at all.
        rows = split_with_backslashes(text, delimiter) or split_without_quotes(
            text, delimiter
        )
        if rows:
            return rows
        reason = describe_csv_error(text, delimiter, first_number, error)
        raise source.make_error(reason) from error


def split_with_backslashes(text: str, delimiter: str) -> list[list[str]]:
    """Split a CSV text that escapes quotes with backslashes. Return [] if it does not."""
    if '\\"' not in text:
        return []
    lines = io.StringIO(text, newline="")
    try:
        return list(
            csv.reader(
                lines,
                delimiter=delimiter,
                doublequote=False,
                escapechar="\\",
                strict=True,
            )
        )
    except csv.Error:
        return []


def split_without_quotes(text: str, delimiter: str) -> list[list[str]]:
    """Split a text with tabs or bars that does not use quotes. Return [] if its rows differ."""
    if delimiter not in "\t|":
        return []
    lines = io.StringIO(text, newline="")
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE))
    except csv.Error:
        return []
    lengths = {len(row) for row in rows if row}
    return rows if len(lengths) == 1 else []


def describe_csv_error(
    text: str, delimiter: str, first_number: int, error: csv.Error
) -> str:
    """Return the line and the reason of an error in a CSV text."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    row_start = 0
    try:
        for _row in reader:
            row_start = reader.line_num
    except csv.Error:
        pass
    line = reader.line_num + first_number - 1
    # An open quotation mark is found at the end of the file. Its row begins much earlier.
    if "unexpected end" in str(error):
        line = row_start + first_number
    return _("line {line}: {reason}", line=line, reason=str(error))
