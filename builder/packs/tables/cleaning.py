"""A table as its author means it: with clear names of columns, and without rows that are no cards.

Pure.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.tables.column_names import (
    TOTAL_WORDS,
    find_standard_field,
    simplify_name,
    split_language,
)
from builder.packs.tables.sheet import (
    Row,
    Table,
    TableCell,
    count_filled,
    get_cell,
    make_row,
)

MIN_COLUMNS_OF_HEADINGS = 3
"""In narrower tables a row with one cell is a card."""
UNITS = frozenset(
    (
        *(
            "in",
            "inch",
            "inches",
            '"',
            "″",
            "''",
            "ft",
            "feet",
            "'",
            "yd",
            "mi",
            "cm",
            "mm",
            "m",
        ),
        *(
            "km",
            "hex",
            "hexes",
            "squares",
            "g",
            "kg",
            "oz",
            "lb",
            "lbs",
            "t",
            "s",
            "sec",
            "min",
        ),
        *(
            "h",
            "turns",
            "rounds",
            "pts",
            "pt",
            "points",
            "dice",
            "pcs",
            "%",
            "$",
            "€",
            "£",
            "₽",
        ),
        *(
            "usd",
            "eur",
            "gbp",
            "rub",
            "#",
            "number",
            "text",
            "zoll",
            "punkte",
            "stk",
            "stück",
        ),
        *(
            "runden",
            "felder",
            "см",
            "мм",
            "м",
            "км",
            "кг",
            "г",
            "дюйм",
            "дюймы",
            "шт",
            "очки",
        ),
        *("руб", "ходы", "сек", "мин", "-", "–", "—"),
    )
)
"""Units in the row below the names of columns, in lower case."""
UNIT_LABELS = frozenset(
    ("", "unit", "units", "einheit", "einheiten", "ед", "ед. изм.", "единицы")
)
"""Words in the name column of a row of units."""
PICTURE_PATH = re.compile(
    r"([^()]+\.(?:png|jpe?g|webp|svg|gif))(?: \(https?://[^()]*\).*)?", re.I
)
"""A picture file, perhaps with the address that databases add: `fox.png (https://...)`."""
IN_BRACKETS = re.compile(r"[(\[].*[)\]]")


def clean_table(table: Table, skipped_texts: Collection[str] | None = None) -> Table:
    """Return a table with unique column names, and without rows that are no cards.

    `skipped_texts` are the rows that a mapping file skips, by the text of their first filled cell.
    Without it they are guessed. The findings of the new table report them.
    """
    names, source = name_languages(table)
    names = number_names(names)
    if skipped_texts is None:
        skipped_rows = guess_skipped_rows(table, names)
    else:
        skipped_rows = [
            row for row in table.rows[1:] if get_first_text(row) in skipped_texts
        ]
    skipped_numbers = {row.number for row in skipped_rows}
    picture_columns = find_key_indices(
        [find_standard_field(name) for name in names], "art"
    )
    card_rows = [row for row in table.rows[1:] if row.number not in skipped_numbers]
    rows = [make_row(table.rows[0].number, names)]
    rows += [clean_picture_paths(row, picture_columns) for row in card_rows]
    row_numbers = {row.number for row in rows}
    findings = [item for item in table.findings if is_about_rows(item, row_numbers)]
    findings += report_skipped_rows(table, skipped_rows)
    # A table may be cleaned twice, and then has its findings already.
    unique_findings = tuple(dict.fromkeys(findings))
    return replace(
        table, rows=tuple(rows), lang=table.lang or source, findings=unique_findings
    )


def clean_picture_paths(row: Row, columns: Sequence[int]) -> Row:
    """Return a row whose picture paths have slashes and no web address."""
    cells = list(row.cells)
    for column in columns:
        match = PICTURE_PATH.fullmatch(get_cell(row, column).text)
        if match:
            path = match[1].replace("\\", "/").removeprefix("./")
            cells[column] = TableCell(path, path, path)
    return row._replace(cells=tuple(cells))


def list_skipped_texts(table: Table) -> list[str]:
    """Return the first text of each row that is probably no card."""
    texts = [get_first_text(row) for row in guess_skipped_rows(table, table.head)]
    return list(dict.fromkeys(texts))


def guess_skipped_rows(table: Table, names: Sequence[str]) -> list[Row]:
    """Return the rows that are probably no cards, such as totals and headings.

    `names` are those of the columns.
    """
    is_sparse = has_sparse_rows(table)
    units_row = find_units_row(table)
    rows = table.rows[1:]
    return [
        row for row in rows if row is units_row or is_no_card(row, names, is_sparse)
    ]


def find_units_row(table: Table) -> Row | None:
    """Return the row with units, such as "in" or "pts", below the column names, or None."""
    if len(table.rows) < 3:
        return None
    row = table.rows[1]
    names_of_cards: list[str] = []
    units: list[str] = []
    for name, cell in zip(table.head, row.cells, strict=False):
        if find_standard_field(name) in ("id", "name"):
            names_of_cards.append(cell.text.lower().strip("()[]:"))
        elif cell.text:
            units.append(cell.text.lower().strip("()[]."))
    if not units or not names_of_cards:
        return None
    return (
        row
        if UNIT_LABELS.issuperset(names_of_cards) and UNITS.issuperset(units)
        else None
    )


def is_about_rows(finding: Finding, row_numbers: Collection[int]) -> bool:
    """Return False for an error in a row that is not read, such as a total."""
    return (
        finding.severity is not Severity.ERROR or finding.location.line in row_numbers
    )


def report_skipped_rows(table: Table, rows: Sequence[Row]) -> list[Finding]:
    """Report the rows that are skipped because they are no cards."""
    units_row = find_units_row(table)
    if units_row is not None and units_row in rows:
        remaining_rows = [row for row in rows if row is not units_row]
        return [
            report_units(table, units_row),
            *report_skipped_rows(table, remaining_rows),
        ]
    if not rows:
        return []
    listed = ", ".join(str(row.number) for row in rows)
    message = _("rows with headings or totals are skipped: {listed}", listed=listed)
    hint = _("Remove them from `skip_rows` of the mapping file if these are cards.")
    location = table.place(rows[0].number, 0)
    return [file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)]


def report_units(table: Table, units_row: Row) -> Finding:
    """Report that a row with units is skipped, and the unit of each column."""
    listed: list[str] = []
    for name, cell in zip(table.head, units_row.cells, strict=False):
        if cell.text:
            listed.append(f"{name} ({cell.text})" if name else cell.text)
    form = _("row {number} with units is skipped: {listed}")
    message = _(form, number=units_row.number, listed=", ".join(listed))
    hint = _("Remove it from `skip_rows` of the mapping file if it is a card.")
    location = table.place(units_row.number, 0)
    return file_codes.TABLE_ROW.finding(message, location, hint, Severity.NOTE)


def find_key_indices(keys: Sequence[str], key: str) -> list[int]:
    """Return the indices at which a key occurs."""
    return [place for place, column_key in enumerate(keys) if column_key == key]


def name_languages(table: Table) -> tuple[list[str], str]:
    """Return the column names with their languages as in "Rules@de", and the table's language.

    A word at the end of a name is a language only if another column has the same name without it,
    or with another language.
    """
    parts = [split_language(name) for name in table.head]
    keys = [find_standard_field(stem) or simplify_name(stem) for stem, _lang in parts]
    names: list[str] = []
    source = ""
    for index, name in enumerate(table.head):
        stem, lang = parts[index]
        twins = find_key_indices(keys, keys[index])
        has_twins = len(twins) > 1
        if "@" in name or not lang or not (has_twins or is_certain_language(name)):
            names.append(name)
            continue
        base = find_base_column(twins, [parts[place][1] for place in twins], source)
        if base != index:
            names.append(f"{parts[base][0]}@{lang}")
        else:
            names.append(stem)
            source = source or lang
    return names, source


def is_certain_language(name: str) -> bool:
    """Return True if a column name certainly ends with a language, as in "Name (de)"."""
    stem, lang = split_language(name)
    is_bracketed = name.rstrip().endswith((")", "]"))
    return bool(lang and find_standard_field(stem) and is_bracketed)


def find_base_column(
    column_indices: Sequence[int], langs: Sequence[str], source: str
) -> int:
    """Return the index of the column that others translate.

    It has no language, or the table's.
    """
    for lang in ("", source):
        if lang in langs:
            return column_indices[langs.index(lang)]
    return column_indices[0]


def number_names(names: Sequence[str]) -> list[str]:
    """Return the names with numbers where they repeat: the second "Text" becomes "Text (2)".

    The number is before a language, which would be unknown with it: `Text (2)@de`.
    """
    unique_names: list[str] = []
    for name in names:
        unique_name = name
        number = 2
        stem, at, lang = name.partition("@")
        # Columns without a name stay without one, however many there are.
        while name and unique_name in unique_names:
            unique_name = f"{stem} ({number}){at}{lang}"
            number += 1
        unique_names.append(unique_name)
    return unique_names


def has_sparse_rows(table: Table) -> bool:
    """Return True if most rows have a single cell, so that such rows are cards."""
    single_count = sum(1 for row in table.rows[1:] if count_filled(row) == 1)
    return 2 * single_count >= len(table.rows)


def is_no_card(row: Row, names: Sequence[str], is_sparse: bool) -> bool:
    """Return True for a heading between cards, repeated column names, units, or a total."""
    texts = [cell.text for cell in row.cells if cell.text]
    # A card may be called `Total`, and then its id shows that it is one.
    if simplify_name(get_first_text(row)) in TOTAL_WORDS and not has_id(row, names):
        return True
    is_wide = len([name for name in names if name]) >= MIN_COLUMNS_OF_HEADINGS
    if is_wide and not is_sparse and len(texts) == 1 and row.cells[0].text:
        return True
    if is_wide and all(IN_BRACKETS.fullmatch(text) for text in texts):
        return True
    # Unused rows of a spreadsheet with check boxes have nothing else.
    if texts and all(text.lower() == "false" for text in texts):
        return True
    names_and_cells = zip(names, row.cells, strict=False)
    return len(texts) > 1 and all(
        cell.text in ("", name) for name, cell in names_and_cells
    )


def has_id(row: Row, names: Sequence[str]) -> bool:
    """Return True if the row has a card id."""
    names_and_cells = zip(names, row.cells, strict=False)
    return any(
        cell.text and find_standard_field(name) == "id"
        for name, cell in names_and_cells
    )


def get_first_text(row: Row) -> str:
    """Return the text of the first cell that is not empty, or ""."""
    for cell in row.cells:
        if cell.text:
            return cell.text
    return ""
