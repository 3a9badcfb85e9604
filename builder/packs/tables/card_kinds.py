"""The kinds of cards in tables: by a column, by sheets or by files. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.table import ColumnRule
from builder.packs.loading import RESERVED_KINDS
from builder.packs.tables.cleaning import clean_table
from builder.packs.tables.column_names import (
    find_standard_field,
    is_rich_text_name,
    simplify_name,
)
from builder.packs.tables.column_pairs import find_pairs, report_pairs
from builder.packs.tables.inference import (
    GuessedColumn,
    find_column,
    guess_columns,
    make_unique_ids,
)
from builder.packs.tables.numbers import is_plain_number
from builder.packs.tables.sheet import Row, Table, get_cell, name_sheet

DEFAULT_SHEET_NAMES = ("sheet", "tabelle", "лист", "table", "feuille", "hoja")
NOTES_NAMES = frozenset(
    (
        *(
            "notes",
            "note",
            "readme",
            "read me",
            "info",
            "todo",
            "to do",
            "changelog",
            "changes",
        ),
        *(
            "legend",
            "help",
            "instructions",
            "settings",
            "config",
            "lists",
            "dropdowns",
            "ideas",
        ),
        *(
            "notizen",
            "hinweise",
            "legende",
            "änderungen",
            "listen",
            "заметки",
            "примечания",
        ),
        *("инструкция", "легенда", "списки", "идеи"),
    )
)
"""Names of sheets with the author's notes."""
CARD_FIELDS = frozenset(("id", "name", "cost", "copies", "kind"))
"""Fields that notes do not have."""
MAX_NOTES_COLUMNS = 2
MAX_NOTES_ROWS = 30


class KindTable(NamedTuple):
    """The table of one kind of card, with its columns and the findings about guesses."""

    kind: str
    table: Table
    columns: list[GuessedColumn]
    findings: list[Finding]


def guess_kinds(
    tables: Sequence[Table], name: str, *, reads_notes: bool = False
) -> Iterator[KindTable]:
    """Yield the kinds of cards in tables: by the column `kind`, else one for each sheet.

    `reads_notes` is true if sheets were chosen, so that none of them are the author's notes.
    """
    used_kinds: set[str] = set()
    card_tables, notes_tables = separate_notes_tables(tables, reads_notes=reads_notes)
    notes_findings = [report_notes_table(table, card_tables) for table in notes_tables]
    for card_table in card_tables:
        default_name = choose_kind_name(card_table, name, len(card_tables))
        for kind_table in divide_table(card_table, default_name, used_kinds):
            yield kind_table._replace(findings=[*notes_findings, *kind_table.findings])
            notes_findings = []


def separate_notes_tables(
    tables: Sequence[Table], *, reads_notes: bool
) -> tuple[list[Table], list[Table]]:
    """Return the tables of cards, and the tables that are only the author's notes.

    Empty tables are left out.
    """
    cleaned_tables = [clean_table(table) for table in tables if len(table.rows) > 1]
    # Cleaning may have left nothing but the names of the columns.
    filled_tables = [table for table in cleaned_tables if len(table.rows) > 1]
    notes_tables = [] if reads_notes else list_notes_tables(filled_tables)
    card_tables = [table for table in filled_tables if table not in notes_tables]
    return card_tables, notes_tables


def divide_table(
    table: Table, default_name: str, used_kinds: set[str]
) -> Iterator[KindTable]:
    """Yield the table of each kind of card in a table.

    Findings about the whole table belong to its first kind.
    """
    pairs = find_pairs(table, table.lang)
    table = replace(table, lang=table.lang or pairs.source)
    kind_names = list_kind_names(table, default_name)
    ids_by_name = make_kind_ids(dict.fromkeys(kind_names), used_kinds)
    used_kinds.update(ids_by_name.values())
    rows_by_kind: dict[str, list[Row]] = {}
    for kind_name, row in zip(kind_names, table.rows[1:], strict=True):
        rows_by_kind.setdefault(ids_by_name[kind_name], []).append(row)
    columns_by_kind: dict[str, list[GuessedColumn]] = {}
    findings_by_kind: dict[str, list[Finding]] = {}
    translated_heads: set[str] = set()
    for kind, rows in rows_by_kind.items():
        findings_by_kind[kind] = []
        columns = guess_columns(table, rows, findings_by_kind[kind], pairs)
        columns_by_kind[kind] = [
            replace_kind_names(column, ids_by_name) for column in columns
        ]
        translated_heads.update(
            column.head for column in columns if "@" in column.rule.field
        )
    # Only now it is known which pairs were used by any kind.
    pair_findings = report_pairs(table, pairs, translated_heads)
    for kind, columns in columns_by_kind.items():
        findings = [
            name_sheet(table, item)
            for item in (*pair_findings, *findings_by_kind[kind])
        ]
        yield KindTable(kind, table, columns, findings)
        pair_findings = []


def make_kind_ids(names: Collection[str], used_ids: Collection[str]) -> dict[str, str]:
    """Return an id for each name of a kind.

    No id is the name of a folder of the pack: the cards of a kind `art` would not be found.
    """
    ids_by_name = make_unique_ids(names, used_ids, "card")
    for name, kind in ids_by_name.items():
        if kind in RESERVED_KINDS:
            ids_by_name[name] = f"{kind}-cards"
    return ids_by_name


def replace_kind_names(
    column: GuessedColumn, ids_by_name: Mapping[str, str]
) -> GuessedColumn:
    """Return the column `kind` with ids in place of names. Other columns are returned unchanged."""
    if column.rule.field != "kind":
        return column
    return replace(column, rule=ColumnRule(field="kind", values=dict(ids_by_name)))


def choose_kind_name(table: Table, name: str, table_count: int) -> str:
    """Return a name for the kind of a table that has no column `kind`."""
    is_default_name = table.sheet.lower().rstrip("0123456789 ") in DEFAULT_SHEET_NAMES
    if table.sheet and not is_default_name:
        return table.sheet
    if table_count > 1:
        return table.file.rpartition(".")[0] or table.file
    return name


def list_kind_names(table: Table, default_name: str) -> list[str]:
    """Return the kind of each row. An empty cell repeats the kind above it."""
    column = find_column(table, "kind")
    if column is None:
        return [default_name] * (len(table.rows) - 1)
    names: list[str] = []
    last_name = default_name
    for row in table.rows[1:]:
        last_name = get_cell(row, column).text or last_name
        names.append(last_name)
    return names


def list_notes_tables(tables: Sequence[Table]) -> list[Table]:
    """Return the tables that are notes of the author, if others have cards."""
    notes = [table for table in tables if table.sheet and is_notes_table(table)]
    return notes if len(notes) < len(tables) else []


def is_notes_table(table: Table) -> bool:
    """Return True if a table looks like notes: few rows of text without columns of cards."""
    fields = {find_standard_field(name) for name in table.head}
    fields.discard("")
    has_rules = any(map(is_rich_text_name, table.head))
    if len(table.head) > 1 and not fields.isdisjoint(CARD_FIELDS):
        return False
    if simplify_name(table.sheet) in NOTES_NAMES:
        return not (fields and has_rules)
    is_small = (
        len(table.head) <= MAX_NOTES_COLUMNS and len(table.rows) <= MAX_NOTES_ROWS
    )
    if not is_small or fields or has_rules:
        return False
    return not any(map(has_number, table.rows[1:]))


def has_number(row: Row) -> bool:
    """Return True if a cell in the row is a number."""
    return any(is_plain_number(cell.text) for cell in row.cells)


def report_notes_table(table: Table, card_tables: Sequence[Table]) -> Finding:
    """Report a sheet that is not read because it looks like notes."""
    message = _(
        "the sheet {sheet} looks like notes, and is not read", sheet=table.sheet
    )
    sheets = [item.sheet for item in card_tables if item.file == table.file]
    options = " ".join(f'--sheet "{sheet}"' for sheet in (*sheets, table.sheet))
    hint = _("To read it as cards, choose the sheets: {options}", options=options)
    return table.report_columns(message, hint, Severity.WARNING)
