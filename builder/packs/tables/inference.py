"""What columns hold, guessed from their names and cells: fields, types, choices. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.table import ColumnRule, ColumnType
from builder.packs import file_codes
from builder.packs.scaffold import make_id, number_id
from builder.packs.tables.cell_checks import has_unnamed_column
from builder.packs.tables.column_names import (
    STANDARD_NAMES,
    find_history_field,
    find_standard_field,
    is_rich_text_name,
    strip_unit,
)
from builder.packs.tables.column_pairs import ColumnPairs, TranslatedColumn
from builder.packs.tables.column_types import (
    CODE,
    EMPTY_MARKS,
    CellType,
    choose_keyword_separator,
    guess_cell_type,
    read_json_list,
    split_items,
)
from builder.packs.tables.emphasis import has_styled_part
from builder.packs.tables.numbers import (
    find_thousands_separator,
    is_money,
    is_plain_number,
)
from builder.packs.tables.sheet import Row, Table, get_cell, name_cell
from builder.packs.tables.symbols import remove_symbols

MAX_NAME_CHARACTERS = 60
MAX_KEYWORD_CHARACTERS = 40
MAX_LISTED = 5
COST = re.compile(
    r"(?:0|[1-9][0-9]{0,14}|[1-9][0-9]{0,2}(?:[ '’\u00a0\u202f][0-9]{3})+)(?:[.,][0-9]{0,5}[1-9])?"
)
"""A cost that can be stored as a number: no currency, no final zeros."""
ODD_COST = re.compile(
    r"[-−]\s?\d[\d.,]*|[-+−]?\d[\d.,]*e[-+]?\d+|nan|[-+−]?inf(?:inity)?", re.IGNORECASE
)
"""A cost that is probably a mistake of the spreadsheet."""
RESERVED_FIELDS = frozenset(
    (*STANDARD_NAMES, "revision", "released", "history", "data")
)
"""Fields that mean something for every card. Other columns get another name."""
TYPE_NAMES: Mapping[str, ColumnType] = {
    "number": "number",
    "flag": "yes-no",
    "choice": "choice",
    "list": "list",
    "keywords": "list",
    "cost": "number",
    "copies": "number",
}
"""The types that a mapping file names."""


@dataclass(frozen=True, slots=True)
class GuessedColumn:
    """A column of a table: how its cells are read, and the JSON schema of its field.

    `sort` is how it is printed. `full` is true if all cards have a value. `longest` is the length
    of the longest cell.
    """

    head: str
    rule: ColumnRule
    schema: Mapping[str, Json]
    sort: str
    full: bool
    longest: int = 0

    @property
    def field(self) -> str:
        """The name of the field, without language and inner fields."""
        return self.rule.field.partition("@")[0].partition(".")[0]

    @property
    def label(self) -> str:
        """The column name without symbols, as it is printed on cards."""
        if any(character.isalnum() for character in self.head):
            return remove_symbols(self.head).strip()
        return self.field.replace("-", " ").capitalize()


def find_column(table: Table, field: str) -> int | None:
    """Return the index of the first column that means this standard field, or None."""
    for column, name in enumerate(table.head):
        if "@" not in name and find_standard_field(name) == field:
            return column
    return None


def guess_columns(
    table: Table, rows: Sequence[Row], findings: list[Finding], pairs: ColumnPairs
) -> list[GuessedColumn]:
    """Guess the fields of one kind of card from the columns of a table.

    Report names of columns that were guessed or left out.
    """
    card_rows = find_card_rows(table, rows)
    card_numbers = {row.number for row in card_rows}
    more_rows = [row for row in rows if row.number not in card_numbers]
    guesser = ColumnGuesser(table, rows, card_rows, find_entry_names(table, more_rows))
    translated_places = {item.place for item in pairs.translations}
    own_places = [
        column_index
        for column_index in range(len(table.head))
        if column_index not in translated_places
    ]
    # Translations come last: their fields are those of the columns that they name.
    guesser.add_columns(
        sorted(own_places, key=lambda column_index: "@" in table.head[column_index])
    )
    used_pairs = choose_pairs(table, guesser.columns + guesser.entry_columns, pairs)
    # No text is lost: columns that cannot be translations are fields of their own.
    unused_places = translated_places - {item.place for item in used_pairs}
    guesser.add_columns(sorted(unused_places))
    columns = guesser.columns
    entries = list(make_entries(guesser.entry_columns))
    columns += list_translations(table, columns + entries, used_pairs)
    columns = [name_entry_translation(column, entries) for column in columns]
    columns += entries
    columns = choose_name_column(columns, table, card_rows, findings)
    columns = mark_untranslated_words(columns, table, findings)
    findings += report_unnamed_columns(table, list_unnamed_columns(table, rows))
    findings += report_symbol_names(table, columns)
    findings += report_odd_costs(table, card_rows)
    findings += report_thousands(table, columns)
    return columns


@dataclass(slots=True)
class ColumnGuesser:
    """Guesses the fields of columns one by one.

    `entry_names` are the columns with entries of cards.
    """

    table: Table
    rows: Sequence[Row]
    card_rows: Sequence[Row]
    entry_names: Collection[str]
    columns: list[GuessedColumn] = field(default_factory=list)
    entry_columns: list[GuessedColumn] = field(default_factory=list)

    def add_columns(self, column_indices: Iterable[int]) -> None:
        """Guess and add the columns with these indices, except empty ones."""
        for column_index in column_indices:
            name = self.table.head[column_index]
            if name and (
                list_filled_cells(self.rows, column_index) or find_standard_field(name)
            ):
                self.add_column(column_index, name)
        for columns in (self.columns, self.entry_columns):
            columns.sort(key=lambda column: self.table.head.index(column.head))

    def add_column(self, column_index: int, name: str) -> None:
        """Guess the field of a column and add it."""
        filled_cells = list_filled_cells(self.rows, column_index)
        is_entry = name in self.entry_names
        used_fields = list_used_fields(self.columns, self.entry_columns)
        column = self.guess_translation(name, used_fields)
        if column is None:
            has_styles = any(
                has_styled_part(get_cell(row, column_index)) for row in self.rows
            )
            column = guess_column(
                name, filled_cells, used_fields, column_index, has_styles=has_styles
            )
        longest = max(map(len, filled_cells), default=0)
        is_full = not is_entry and has_value_on_each_card(
            column, self.card_rows, column_index
        )
        column = replace(column, longest=longest, full=is_full)
        if is_entry and column.schema:
            self.entry_columns.append(column)
        else:
            self.columns.append(column)

    def guess_translation(
        self, name: str, used_fields: Collection[str]
    ) -> GuessedColumn | None:
        """Return a column such as "Title@de" as the translation of "Title", or None."""
        stem, at, lang = name.partition("@")
        if not at:
            return None
        for column in self.columns + self.entry_columns:
            field = f"{column.rule.field}@{lang.strip()}"
            if column.head == stem.strip() and field not in used_fields:
                return make_plain_column(name, field)
        return None


def make_plain_column(
    name: str, field: str, cell_type_name: str = "", type_name: ColumnType = ""
) -> GuessedColumn:
    """Return a column whose field needs no schema of its own."""
    return GuessedColumn(
        name, ColumnRule(field=field, type=type_name), {}, cell_type_name, False
    )


def choose_pairs(
    table: Table, columns: Sequence[GuessedColumn], pairs: ColumnPairs
) -> list[TranslatedColumn]:
    """Return the translated columns that can be used: one for each column and language."""
    columns_by_head = {column.head: column for column in columns}
    used_fields = {column.rule.field for column in columns}
    used_pairs: list[TranslatedColumn] = []
    for item in pairs.translations:
        base = columns_by_head.get(table.head[item.base])
        if base is None:
            continue
        field = f"{base.rule.field}@{item.lang}"
        if field not in used_fields:
            used_fields.add(field)
            used_pairs.append(item)
    return used_pairs


def list_translations(
    table: Table,
    columns: Sequence[GuessedColumn],
    used_pairs: Sequence[TranslatedColumn],
) -> list[GuessedColumn]:
    """Return the columns that translate others without naming a language."""
    fields_by_head = {column.head: column.rule.field for column in columns}
    translations: list[GuessedColumn] = []
    for item in used_pairs:
        field = fields_by_head[table.head[item.base]]
        translations.append(
            make_plain_column(table.head[item.place], f"{field}@{item.lang}")
        )
    return translations


def name_entry_translation(
    column: GuessedColumn, entries: Sequence[GuessedColumn]
) -> GuessedColumn:
    """Return a translation of entries with the path of these entries as its field."""
    field, at, lang = column.rule.field.partition("@")
    if not at or "*" in field:
        return column
    stem = column.head.partition("@")[0].strip()
    for entry in entries:
        if stem == entry.head:
            return replace(column, rule=ColumnRule(field=f"{entry.rule.field}@{lang}"))
    return column


def mark_untranslated_words(
    columns: list[GuessedColumn], table: Table, findings: list[Finding]
) -> list[GuessedColumn]:
    """Make columns of words without a translation equal in all languages, and report them.

    This holds in tables with translations, but not for rules, which always need one.
    """
    translated_fields: set[str] = set()
    for column in columns:
        field, at, _lang = column.rule.field.partition("@")
        if at:
            translated_fields.add(field)
    if not translated_fields:
        return columns
    untranslated_heads: list[str] = []
    result: list[GuessedColumn] = []
    for column in columns:
        is_word = column.sort == "text" and column.schema.get("x-text") == "plain"
        if is_word and column.field not in translated_fields:
            untranslated_heads.append(column.head)
            schema = {
                key: value for key, value in column.schema.items() if key != "x-text"
            }
            column = replace(column, schema=schema)
        result.append(column)
    if untranslated_heads:
        form = _(
            "columns without a translation are printed as they are in all languages: {listed}"
        )
        message = _(form, listed=", ".join(untranslated_heads))
        hint = _("Add columns such as {name}.", name=f"{untranslated_heads[0]} (de)")
        findings.append(table.report_columns(message, hint))
    return result


def list_filled_cells(rows: Sequence[Row], column_index: int) -> list[str]:
    """Return the texts of a column without empty cells."""
    texts = [get_cell(row, column_index).text for row in rows]
    return [text for text in texts if text]


def list_unnamed_columns(table: Table, rows: Sequence[Row]) -> list[str]:
    """Return the letters, such as "C", of columns that have cells but no name."""
    letters: list[str] = []
    width = max((len(row.cells) for row in rows), default=0)
    if not has_unnamed_column(table):
        # Longer rows are reported one by one.
        width = min(width, len(table.head))
    for column_index in range(width):
        has_name = column_index < len(table.head) and table.head[column_index]
        if not has_name and list_filled_cells(rows, column_index):
            letters.append(name_cell("", 1, column_index).rstrip("1"))
    return letters


def list_used_fields(
    columns: Sequence[GuessedColumn], entry_columns: Sequence[GuessedColumn]
) -> set[str]:
    """Return the fields that already have a column. A translation is a field of its own."""
    used_fields = {column.field for column in entry_columns}
    for column in columns:
        is_translation = "@" in column.rule.field
        used_fields.add(column.rule.field if is_translation else column.field)
    return used_fields


def has_value_on_each_card(
    column: GuessedColumn, card_rows: Sequence[Row], column_index: int
) -> bool:
    """Return True if every card has a value in the column. Never for pictures."""
    if column.sort == "art" or None in column.rule.values.values():
        return False
    return all(get_cell(row, column_index).text for row in card_rows)


def report_symbol_names(
    table: Table, columns: Sequence[GuessedColumn]
) -> list[Finding]:
    """Report columns whose names have only symbols, and their new field names."""
    renamed_columns = [
        column for column in columns if not any(map(str.isalnum, column.head))
    ]
    if not renamed_columns:
        return []
    listed = ", ".join(f"{column.head} -> {column.field}" for column in renamed_columns)
    message = _(
        "names of columns without letters were replaced: {listed}", listed=listed
    )
    return [table.report_columns(message)]


def report_thousands(table: Table, columns: Sequence[GuessedColumn]) -> list[Finding]:
    """Report columns in which commas or points were read as thousands separators."""
    listed: list[str] = []
    for column in columns:
        signs = [sign for sign in column.rule.replace if sign in (",", ".")]
        if column.rule.type == "number" and signs:
            listed.append(f"{column.head} ({signs[0]})")
    if not listed:
        return []
    message = _(
        "signs of thousands were removed in: {listed}", listed=", ".join(listed)
    )
    hint = _(
        "Remove `replace` from the column in the mapping file if they are decimal signs."
    )
    return [table.report_columns(message, hint)]


def report_odd_costs(table: Table, rows: Sequence[Row]) -> Iterator[Finding]:
    """Report costs that squads cannot add up, such as -5 or "NaN"."""
    column_index = find_column(table, "cost")
    if column_index is None:
        return
    for row in rows:
        text = get_cell(row, column_index).text
        if not ODD_COST.fullmatch(text):
            continue
        form = _("{cell}: the cost {value} is printed, but squads cannot add it up")
        message = _(form, cell=table.name(row.number, column_index), value=text)
        hint = _("Write a number from 0, such as 3, if it is a mistake.")
        location = table.place(row.number, column_index)
        yield file_codes.TABLE_ROW.finding(message, location, hint, Severity.WARNING)


def find_entry_names(table: Table, continuation_rows: Sequence[Row]) -> set[str]:
    """Return the names of columns that list several entries of one card, one below the other.

    `Attack range` is in the group of `Attack name`, even if no second attack has a range.
    """
    column_indices = [
        column_index
        for column_index, name in enumerate(table.head)
        if name and not is_card_field(name)
    ]
    names: set[str] = set()
    group_words: set[str] = set()
    for column_index in column_indices:
        name = table.head[column_index]
        if list_filled_cells(continuation_rows, column_index):
            names.add(name)
            if " " in name:
                group_words.add(get_first_word(name))
    for column_index in column_indices:
        name = table.head[column_index]
        if " " in name and get_first_word(name) in group_words:
            names.add(name)
    return names


def report_unnamed_columns(table: Table, letters: Sequence[str]) -> list[Finding]:
    """Report columns with cells but without a name, which are not read."""
    if not letters:
        return []
    message = _(
        "columns without a name are not read: {listed}", listed=", ".join(letters)
    )
    hint = _("Give them a name in the first row if they belong to the cards.")
    return [table.report_columns(message, hint)]


def is_card_field(name: str) -> bool:
    """Return True for a column that each card has only once, such as its name or cost."""
    return find_standard_field(name) in (
        "id",
        "name",
        "kind",
        "cost",
        "faction",
        "copies",
    )


def find_card_rows(table: Table, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that begin a card. Other rows continue the card above."""
    main_columns = find_main_columns(table, rows)
    if not main_columns:
        return list(rows)
    card_rows: list[Row] = []
    for row in rows:
        has_name = any(get_cell(row, column).text for column in main_columns)
        if has_name or not card_rows or begins_card(table, row, card_rows[-1]):
            card_rows.append(row)
    return card_rows


def find_main_columns(table: Table, rows: Sequence[Row]) -> list[int]:
    """Return the indices of the columns that identify a card, such as id and name."""
    main_columns: list[int] = []
    for column, name in enumerate(table.head):
        if "@" not in name and find_standard_field(name) in ("id", "name"):
            main_columns.append(column)
    if main_columns or not table.head or find_standard_field(table.head[0]):
        return main_columns
    words = list_filled_cells(rows, 0)
    has_words = len(words) > 1 and all(map(is_name_word, words))
    # Without empty cells, no row goes on with the card above.
    is_unique = len(set(words)) == len(words) < len(rows)
    if has_words and is_unique and not is_rich_text_name(table.head[0]):
        return [0]
    return []


def is_name_word(text: str) -> bool:
    """Return True if a text may be a name: short, on one line, with letters."""
    has_letters = any(character.isalpha() for character in text)
    return has_letters and len(text) <= MAX_NAME_CHARACTERS and "\n" not in text


def begins_card(table: Table, row: Row, last_card_row: Row) -> bool:
    """Return True if a row without a name has another cost or faction than the card above."""
    for column, name in enumerate(table.head):
        text = get_cell(row, column).text
        if (
            is_card_field(name)
            and text
            and text != get_cell(last_card_row, column).text
        ):
            return True
    return False


def guess_column(
    name: str,
    texts: Sequence[str],
    used_fields: Collection[str] = (),
    column_index: int = 0,
    *,
    has_styles: bool = False,
) -> GuessedColumn:
    """Guess the field of a column from its name and the texts of its cells.

    The field is none of those that are used. `texts` are its filled cells.
    """
    stem, _at, lang = name.partition("@")
    field = find_standard_field(stem)
    if lang:
        base = field or choose_field(stem, (), column_index)
        translated_field = f"{base}@{lang.strip()}"
        if translated_field not in used_fields:
            return make_plain_column(name, translated_field)
        stem = f"{stem} {lang}"
        field = ""
    column = None
    if field in used_fields or find_history_field(stem) in used_fields:
        # A second column of a standard field is a field of the kind alone.
        field = ""
    else:
        column = guess_standard_column(name, field, texts)
    if column is None:
        cell_type = guess_own_type(stem, field, texts, has_styles)
        column = describe_column(
            name, choose_field(stem, used_fields, column_index), cell_type
        )
    return column


def guess_own_type(
    name: str, field: str, texts: Sequence[str], has_styles: bool = False
) -> CellType:
    """Guess the type of a field that only this kind of card has.

    Costs such as `X` are texts, and so are costs that would look different as numbers.
    """
    cell_type = guess_cell_type(name, texts, has_styles=has_styles)
    if field == "cost" and (cell_type.name != "number" or has_formatted_amount(texts)):
        return CellType("number", {"type": "string", "minLength": 1})
    return cell_type


def has_formatted_amount(texts: Sequence[str]) -> bool:
    """Return True if one text is an amount that would lose characters as a number.

    For example, "€ 3,50" would lose the currency sign.
    """
    amounts = [text for text in texts if is_plain_number(text) or is_money(text)]
    return any(not COST.fullmatch(text.lstrip("-−")) for text in amounts)


def guess_standard_column(
    name: str, field: str, texts: Sequence[str]
) -> GuessedColumn | None:
    """Return the column of a standard field, or None if its cells do not suit the field."""
    history_field = find_history_field(name)
    if history_field:
        return make_plain_column(name, history_field)
    if field in ("id", "kind", "name"):
        return make_plain_column(name, field)
    if field == "copies":
        return make_plain_column(name, field, field, "number")
    if field == "art" and 2 * sum(map(is_file_name, texts)) >= len(texts):
        return make_plain_column(name, field, field)
    if field in ("keywords", "faction"):
        return guess_words(name, field, texts)
    if field == "cost":
        return guess_cost(name, texts)
    return None


def guess_cost(name: str, texts: Sequence[str]) -> GuessedColumn | None:
    """Return the column of a numeric cost, or None if some costs are no numbers."""
    marks = [text for text in texts if text.lower() in EMPTY_MARKS]
    amounts = [text for text in texts if text not in marks]
    separator = find_thousands_separator(amounts)
    if not separator and not all(map(COST.fullmatch, amounts)):
        return None
    rule = ColumnRule(
        field="cost",
        type="number",
        values=dict.fromkeys(marks),
        replace={separator: ""} if separator else {},
    )
    return GuessedColumn(name, rule, {}, "cost", False)


def describe_column(name: str, field: str, cell_type: CellType) -> GuessedColumn:
    """Return the column of a field that only this kind of card has."""
    type_name = TYPE_NAMES.get(cell_type.name, "text")
    types = cell_type.schema.get("type")
    if cell_type.name == "number" and types not in ("integer", "number"):
        type_name = "stat"
    if cell_type.schema.get("x-text") == "rich":
        type_name = "rich-text"
    rule = ColumnRule(
        field=field,
        type=type_name,
        split=cell_type.split,
        values=cell_type.values,
        replace=cell_type.replace,
    )
    schema: dict[str, Json] = {"description": f"{name.strip()}.", **cell_type.schema}
    return GuessedColumn(name, rule, schema, cell_type.name, False)


def choose_field(name: str, used_fields: Collection[str], column_index: int) -> str:
    """Return an unused field name for a column, without units if possible.

    Units in brackets are left out if nothing else differs.
    """
    base = make_id(strip_unit(name)) or make_id(name) or f"column-{column_index + 1}"
    if base in RESERVED_FIELDS:
        base = f"{base}-text"
    if base not in used_fields:
        return base
    full_name = make_id(name)
    return (
        full_name
        if full_name and full_name not in used_fields
        else number_id(base, used_fields)
    )


def is_file_name(text: str) -> bool:
    """Return True if a text may be the name of a file."""
    return bool(CODE.fullmatch(text)) or "." in text[-6:]


def guess_words(name: str, field: str, texts: Sequence[str]) -> GuessedColumn | None:
    """Return the column of keywords or factions, or None if its cells are sentences."""
    json_lists = [read_json_list(text) for text in texts]
    separator = ""
    if None in json_lists and field == "keywords":
        separator = choose_keyword_separator(texts)
    words: set[str] = set()
    for text, json_list in zip(texts, json_lists, strict=True):
        if None not in json_lists:
            words.update(json_list or ())
        elif separator:
            words.update(split_items(text, separator))
        else:
            words.add(text)
    if any(len(word) > MAX_KEYWORD_CHARACTERS for word in words):
        return None
    ids_by_word = make_unique_ids(sorted(words), (), field.removesuffix("s"))
    rule = ColumnRule(
        field=field,
        type="list" if field == "keywords" else "choice",
        split=separator,
        values={**ids_by_word},
    )
    return GuessedColumn(name, rule, {}, field, False)


def make_unique_ids(
    names: Collection[str], used_ids: Collection[str], default: str
) -> dict[str, str]:
    """Return a different id for each name."""
    ids_by_name: dict[str, str] = {}
    # `Night Owl` and `night owl` are one word.
    ids_by_word: dict[str, str] = {}
    taken_ids = set(used_ids)
    for name in names:
        word = name.lower()
        if word not in ids_by_word:
            ids_by_word[word] = number_id(make_id(name) or default, taken_ids)
            taken_ids.add(ids_by_word[word])
        ids_by_name[name] = ids_by_word[word]
    return ids_by_name


def choose_name_column(
    columns: list[GuessedColumn],
    table: Table,
    rows: Sequence[Row],
    findings: list[Finding],
) -> list[GuessedColumn]:
    """Return the columns, with one that becomes the name of the cards if none is called so.

    Rules never become the name.
    """
    if any(column.rule.field == "name" for column in columns):
        return columns
    for index, column in enumerate(columns):
        column_index = table.head.index(column.head)
        texts = [get_cell(row, column_index).text for row in rows]
        if can_be_name(column, texts, is_only=len(columns) == 1):
            form = _("no column is called Name; {name} is the name of the cards")
            findings.append(table.report_columns(_(form, name=column.head)))
            renamed_columns = [
                rename_translation(item, column.rule.field) for item in columns
            ]
            renamed_columns[index] = replace(
                column, rule=ColumnRule(field="name"), schema={}, sort=""
            )
            return renamed_columns
    return columns


def rename_translation(column: GuessedColumn, name_field: str) -> GuessedColumn:
    """Return a column that translates the new name column as a translation of `name`."""
    translated, at, lang = column.rule.field.partition("@")
    if not at or translated != name_field:
        return column
    return replace(column, rule=ColumnRule(field=f"name@{lang}"))


def can_be_name(column: GuessedColumn, texts: Sequence[str], is_only: bool) -> bool:
    """Return True if a column may hold the names of cards: short, different texts on every card."""
    is_plain = column.sort == "text" and column.schema.get("x-text") == "plain"
    if not (is_plain or is_only) or is_rich_text_name(column.head):
        return False
    if len(set(texts)) < len(texts):
        return False
    return all(
        text and len(text) <= MAX_NAME_CHARACTERS and "\n" not in text for text in texts
    )


def make_entries(columns: Sequence[GuessedColumn]) -> Iterator[GuessedColumn]:
    """Yield the columns of entries as fields inside lists.

    Columns that begin with the same word are one list, and so are the others. A column alone is a
    list of values.
    """
    word_counts = Counter(get_first_word(column.head) for column in columns)
    first_single_head = ""
    groups: list[str] = []
    members_by_group: dict[str, list[GuessedColumn]] = {}
    for column in columns:
        group = get_first_word(column.head)
        if word_counts[group] == 1:
            first_single_head = first_single_head or column.head
            group = first_single_head
        groups.append(group)
        members_by_group.setdefault(group, []).append(column)
    for column, group in zip(columns, groups, strict=True):
        yield make_entry(column, group, members_by_group[group])


def get_first_word(name: str) -> str:
    """Return the first word of a column name."""
    return name.split()[0]


def make_entry(
    column: GuessedColumn, group_name: str, group_columns: Sequence[GuessedColumn]
) -> GuessedColumn:
    """Return a column such as "Attack range" as the field `range` of items in a list of attacks."""
    if len(group_columns) == 1:
        sort = "lines" if "x-text" in column.schema else "list"
        field = f"{column.field}.*"
        items: dict[str, Json] = {**column.schema}
    else:
        sort = "entries"
        field = ""
        properties: dict[str, Json] = {}
        for member in group_columns:
            key = make_id(member.head.removeprefix(group_name)) or "name"
            properties[key] = {**member.schema}
            if member is column:
                field = f"{make_id(group_name) or 'entries'}.*.{key}"
        items = {"type": "object", "properties": properties}
    schema: dict[str, Json] = {
        "description": f"{group_name}.",
        "type": "array",
        "items": items,
    }
    rule = column.rule.model_copy(update={"field": field})
    return replace(column, rule=rule, schema=schema, sort=sort)
