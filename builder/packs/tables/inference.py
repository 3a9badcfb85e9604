"""What columns hold, guessed from their names and cells: fields, types, choices. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.table import ColumnRule, ColumnType
from builder.packs import file_codes
from builder.packs.scaffold import make_id
from builder.packs.tables.cell_checks import has_unnamed_column
from builder.packs.tables.cleaning import get_cell
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
from builder.packs.tables.numbers import find_thousands_separator, is_money, is_plain_number
from builder.packs.tables.sheet import Row, Table, name_cell
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
RESERVED_FIELDS = frozenset((*STANDARD_NAMES, "revision", "released", "history", "data"))
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
    """A column: its name, how its cells are read, and the JSON schema of its field.

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
        """The field without its language."""
        return self.rule.field.partition("@")[0].partition(".")[0]

    @property
    def label(self) -> str:
        """The name of the column as cards print it: words without symbols, which fonts lack."""
        if any(character.isalnum() for character in self.head):
            return remove_symbols(self.head).strip()
        return self.field.replace("-", " ").capitalize()


def find_column(table: Table, field: str) -> int | None:
    """Return the first column that is named for a field of every card."""
    for column, name in enumerate(table.head):
        if "@" not in name and find_standard_field(name) == field:
            return column
    return None


def guess_columns(
    table: Table, rows: Sequence[Row], findings: list[Finding], pairs: ColumnPairs
) -> list[GuessedColumn]:
    """Return the columns of one kind. Report names of columns that were guessed or left out."""
    card_rows = find_card_rows(table, rows)
    card_numbers = {row.number for row in card_rows}
    more_rows = [row for row in rows if row.number not in card_numbers]
    guesser = ColumnGuesser(table, rows, card_rows, find_entry_names(table, more_rows))
    translated_places = {item.place for item in pairs.translations}
    own_places = [place for place in range(len(table.head)) if place not in translated_places]
    # Translations come last: their fields are those of the columns that they name.
    guesser.add_columns(sorted(own_places, key=lambda place: "@" in table.head[place]))
    used_pairs = choose_pairs(table, guesser.columns + guesser.entry_columns, pairs)
    # No text is lost: columns that cannot be translations are fields of their own.
    guesser.add_columns(sorted(translated_places - {item.place for item in used_pairs}))
    columns = [*guesser.columns]
    entries = list(make_entries(guesser.entry_columns))
    columns += list_translations(table, columns + entries, used_pairs)
    columns = [name_entry_translation(column, entries) for column in columns] + entries
    columns = choose_name_column(columns, table, card_rows, findings)
    columns = keep_untranslated_words(columns, table, findings)
    findings += report_unnamed_columns(table, list_unnamed_columns(table, rows))
    findings += report_symbol_names(table, columns)
    findings += report_odd_costs(table, card_rows)
    findings += report_thousands(table, columns)
    return columns


@dataclass(slots=True)
class ColumnGuesser:
    """Guesses columns of one kind one by one. `entry_names` are those with entries of cards."""

    table: Table
    rows: Sequence[Row]
    card_rows: Sequence[Row]
    entry_names: Collection[str]
    columns: list[GuessedColumn] = field(default_factory=list)
    entry_columns: list[GuessedColumn] = field(default_factory=list)

    def add_columns(self, places: Iterable[int]) -> None:
        """Add the columns at these places, except empty ones, in the order of the table."""
        for place in places:
            name = self.table.head[place]
            if name and (list_filled_cells(self.rows, place) or find_standard_field(name)):
                self.add_column(place, name)
        self.columns.sort(key=lambda column: self.table.head.index(column.head))
        self.entry_columns.sort(key=lambda column: self.table.head.index(column.head))

    def add_column(self, place: int, name: str) -> None:
        """Add a column as a field that no other column has."""
        filled_cells = list_filled_cells(self.rows, place)
        is_entry = name in self.entry_names
        used_fields = list_used_fields(self.columns, self.entry_columns)
        has_styles = any(has_styled_part(get_cell(row, place)) for row in self.rows)
        column = self.guess_translation(name, used_fields) or guess_column(
            name, filled_cells, used_fields, place, has_styles=has_styles
        )
        longest = max(map(len, filled_cells), default=0)
        is_full = not is_entry and has_value_on_each_card(column, self.card_rows, place)
        column = replace(column, longest=longest, full=is_full)
        if is_entry and column.schema:
            self.entry_columns.append(column)
        else:
            self.columns.append(column)

    def guess_translation(self, name: str, used_fields: Collection[str]) -> GuessedColumn | None:
        """Return a column such as `Title@de` as a translation of the column `Title`, if it can."""
        stem, at, lang = name.partition("@")
        for column in (*self.columns, *self.entry_columns) if at else ():
            translated = f"{column.rule.field}@{lang.strip()}"
            if column.head == stem.strip() and translated not in used_fields:
                return GuessedColumn(name, ColumnRule(field=translated), {}, "", False)
        return None


def choose_pairs(
    table: Table, columns: Sequence[GuessedColumn], pairs: ColumnPairs
) -> list[TranslatedColumn]:
    """Return the translations that are used: of a column that exists, one for each language."""
    columns_by_head = {column.head: column for column in columns}
    used_fields = {column.rule.field for column in columns}
    used_pairs: list[TranslatedColumn] = []
    for item in pairs.translations:
        base = columns_by_head.get(table.head[item.base])
        name = f"{base.rule.field}@{item.lang}" if base else ""
        if name and name not in used_fields:
            used_fields.add(name)
            used_pairs.append(item)
    return used_pairs


def list_translations(
    table: Table, columns: Sequence[GuessedColumn], used_pairs: Sequence[TranslatedColumn]
) -> list[GuessedColumn]:
    """Return the columns that translate others and name no language."""
    fields_by_head = {column.head: column.rule.field for column in columns}
    translations: list[GuessedColumn] = []
    for item in used_pairs:
        rule = ColumnRule(field=f"{fields_by_head[table.head[item.base]]}@{item.lang}")
        translations.append(GuessedColumn(table.head[item.place], rule, {}, "", False))
    return translations


def name_entry_translation(
    column: GuessedColumn, entries: Sequence[GuessedColumn]
) -> GuessedColumn:
    """Return a translation of a column with entries as the translation of each entry."""
    name, at, lang = column.rule.field.partition("@")
    for entry in entries if at else ():
        if column.head.partition("@")[0].strip() == entry.head and "*" not in name:
            return replace(column, rule=ColumnRule(field=f"{entry.rule.field}@{lang}"))
    return column


def keep_untranslated_words(
    columns: list[GuessedColumn], table: Table, findings: list[Finding]
) -> list[GuessedColumn]:
    """Return the columns. Untranslated words are the same in all languages, and are reported.

    This holds in tables with translations, but not for rules, which always need one.
    """
    translated = {name for name, at, _lang in split_fields(columns) if at}
    if not translated:
        return columns
    untranslated: list[str] = []
    result: list[GuessedColumn] = []
    for column in columns:
        is_word = column.sort == "text" and column.schema.get("x-text") == "plain"
        if is_word and column.field not in translated:
            untranslated.append(column.head)
            schema = {key: value for key, value in column.schema.items() if key != "x-text"}
            column = replace(column, schema=schema)
        result.append(column)
    if untranslated:
        message = _(
            "columns without a translation are printed as they are in all languages: {listed}",
            listed=", ".join(untranslated),
        )
        hint = _("Add columns such as {name}.", name=f"{untranslated[0]} (de)")
        location = table.place(table.rows[0].number, 0)
        findings.append(file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.NOTE))
    return result


def split_fields(columns: Iterable[GuessedColumn]) -> list[tuple[str, str, str]]:
    """Return the fields of columns as the name, an `@` if there is one, and the language."""
    return [column.rule.field.partition("@") for column in columns]


def list_filled_cells(rows: Sequence[Row], place: int) -> list[str]:
    """Return the texts of a column without its empty cells."""
    texts = [get_cell(row, place).text for row in rows]
    return [text for text in texts if text]


def list_unnamed_columns(table: Table, rows: Sequence[Row]) -> list[str]:
    """Return the letters of columns that have cells and no name."""
    letters: list[str] = []
    width = max((len(row.cells) for row in rows), default=0)
    if not has_unnamed_column(table):
        width = min(width, len(table.head))  # longer rows are reported one by one
    for place in range(width):
        has_name = place < len(table.head) and table.head[place]
        if not has_name and list_filled_cells(rows, place):
            letters.append(name_cell("", 1, place).rstrip("1"))
    return letters


def list_used_fields(
    columns: Sequence[GuessedColumn], entry_columns: Sequence[GuessedColumn]
) -> set[str]:
    """Return the fields that other columns have. A translation uses up that of its language."""
    used_fields = {
        column.rule.field if "@" in column.rule.field else column.field for column in columns
    }
    used_fields |= {column.field for column in entry_columns}
    return used_fields


def has_value_on_each_card(column: GuessedColumn, card_rows: Sequence[Row], place: int) -> bool:
    """Return True if every card has a value in the column. A picture may always be missing."""
    if column.sort == "art" or None in column.rule.values.values():
        return False
    return all(get_cell(row, place).text for row in card_rows)


def report_symbol_names(table: Table, columns: Sequence[GuessedColumn]) -> list[Finding]:
    """Report the fields of columns whose names have no letters."""
    renamed = [column for column in columns if not any(map(str.isalnum, column.head))]
    if not renamed:
        return []
    listed = ", ".join(f"{column.head} -> {column.field}" for column in renamed)
    message = _("names of columns without letters were replaced: {listed}", listed=listed)
    location = table.place(table.rows[0].number, 0)
    return [file_codes.TABLE_COLUMN.finding(message, location, severity=Severity.NOTE)]


def report_thousands(table: Table, columns: Sequence[GuessedColumn]) -> list[Finding]:
    """Report columns whose commas or full stops were read as signs of thousands."""
    listed: list[str] = []
    for column in columns:
        signs = [sign for sign in column.rule.replace if sign in (",", ".")]
        if column.rule.type == "number" and signs:
            listed.append(f"{column.head} ({signs[0]})")
    if not listed:
        return []
    message = _("signs of thousands were removed in: {listed}", listed=", ".join(listed))
    hint = _("Remove `replace` from the column in the mapping file if they are decimal signs.")
    location = table.place(table.rows[0].number, 0)
    return [file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.NOTE)]


def report_odd_costs(table: Table, rows: Sequence[Row]) -> Iterator[Finding]:
    """Report costs below 0 and costs that are no usable numbers: `-5`, `1e400`, `NaN`."""
    place = find_column(table, "cost")
    for row in rows if place is not None else ():
        assert place is not None
        text = get_cell(row, place).text
        if not ODD_COST.fullmatch(text):
            continue
        cell = table.name(row.number, place)
        form = _("{cell}: the cost {value} is printed, but squads cannot add it up")
        message = _(form, cell=cell, value=text)
        hint = _("Write a number from 0, such as 3, if it is a mistake.")
        location = table.place(row.number, place)
        yield file_codes.TABLE_ROW.finding(message, location, hint, Severity.WARNING)


def find_entry_names(table: Table, more_rows: Sequence[Row]) -> set[str]:
    """Return the columns with entries of cards: they go on below a card, or are in such a group.

    `Attack range` is in the group of `Attack name`, even if no second attack has a range.
    """
    names: set[str] = set()
    for place, name in enumerate(table.head):
        if name and not is_card_field(name) and any(get_cell(row, place).text for row in more_rows):
            names.add(name)
    group_words = {get_first_word(name) for name in names if " " in name}
    for name in table.head:
        if " " in name and get_first_word(name) in group_words and not is_card_field(name):
            names.add(name)
    return names


def report_unnamed_columns(table: Table, letters: Sequence[str]) -> list[Finding]:
    """Report columns with cells but without a name."""
    if not letters:
        return []
    message = _("columns without a name are not read: {listed}", listed=", ".join(letters))
    hint = _("Give them a name in the first row if they belong to the cards.")
    location = table.place(table.rows[0].number, 0)
    return [file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.NOTE)]


def is_card_field(name: str) -> bool:
    """Return True for a column that every card has once, without second entries."""
    return find_standard_field(name) in ("id", "name", "kind", "cost", "faction", "copies")


def find_card_rows(table: Table, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that begin a card.

    A row without a name goes on with the entries of the card above.
    """
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
    """Return the columns that identify cards: id and name, else a first column of words."""
    main_columns = [
        column
        for column, name in enumerate(table.head)
        if "@" not in name and find_standard_field(name) in ("id", "name")
    ]
    if main_columns or not table.head or find_standard_field(table.head[0]):
        return main_columns
    texts = [get_cell(row, 0).text for row in rows]
    words = [text for text in texts if text]
    has_words = len(words) > 1 and all(map(is_name_word, words))
    is_unique = len(set(words)) == len(words) < len(texts)
    if has_words and is_unique and not is_rich_text_name(table.head[0]):
        return [0]
    return []


def is_name_word(text: str) -> bool:
    """Return True for a short text in one line that is no number."""
    has_letters = any(character.isalpha() for character in text)
    return has_letters and len(text) <= MAX_NAME_CHARACTERS and "\n" not in text


def begins_card(table: Table, row: Row, last_row: Row) -> bool:
    """Return True if a row without a name has a cost, faction or number of copies of its own."""
    for column, name in enumerate(table.head):
        text = get_cell(row, column).text
        if is_card_field(name) and text and text != get_cell(last_row, column).text:
            return True
    return False


def guess_column(
    name: str,
    texts: Sequence[str],
    used_fields: Collection[str] = (),
    place: int = 0,
    *,
    has_styles: bool = False,
) -> GuessedColumn:
    """Return what a column seems to hold, as a field beside those that are used.

    `texts` are its filled cells.
    """
    stem, _at, lang = name.partition("@")
    field = find_standard_field(stem)
    if lang:
        translated = f"{field or choose_field(stem, (), place)}@{lang.strip()}"
        if translated not in used_fields:
            return GuessedColumn(name, ColumnRule(field=translated), {}, "", False)
        stem, field = f"{stem} {lang}", ""
    if field in used_fields or find_history_field(stem) in used_fields:
        return describe_column(
            name,
            choose_field(stem, used_fields, place),
            guess_own_type(stem, "", texts, has_styles),
        )
    return guess_standard_column(name, field, texts) or describe_column(
        name, choose_field(stem, used_fields, place), guess_own_type(stem, field, texts, has_styles)
    )


def guess_own_type(
    name: str, field: str, texts: Sequence[str], has_styles: bool = False
) -> CellType:
    """Return the type of a field that only this kind has.

    Costs such as `X` are texts, and so are costs that would look different as numbers.
    """
    cell_type = guess_cell_type(name, texts, has_styles=has_styles)
    if field == "cost" and (cell_type.name != "number" or has_shown_amount(texts)):
        return CellType("number", {"type": "string", "minLength": 1})
    return cell_type


def has_shown_amount(texts: Sequence[str]) -> bool:
    """Return True if a text would lose its currency or final zeros as a number: `€ 3,50`."""
    amounts = [text for text in texts if is_plain_number(text) or is_money(text)]
    return any(not COST.fullmatch(text.lstrip("-−")) for text in amounts)


def guess_standard_column(name: str, field: str, texts: Sequence[str]) -> GuessedColumn | None:
    """Return a column of a field that every card has; None if its cells do not suit the field."""
    history_field = find_history_field(name)
    if history_field:
        return GuessedColumn(name, ColumnRule(field=history_field), {}, "", False)
    if field in ("id", "kind", "name"):
        return GuessedColumn(name, ColumnRule(field=field), {}, "", False)
    if field == "copies":
        return GuessedColumn(name, ColumnRule(field=field, type="number"), {}, field, False)
    if field == "art" and 2 * sum(map(is_file_name, texts)) >= len(texts):
        return GuessedColumn(name, ColumnRule(field=field), {}, field, False)
    if field in ("keywords", "faction"):
        return guess_words(name, field, texts)
    marks = [text for text in texts if text.lower() in EMPTY_MARKS]
    sign = find_thousands_separator([text for text in texts if text not in marks])
    if field == "cost" and sign:
        rule = ColumnRule(
            field=field, type="number", values=dict.fromkeys(marks), replace={sign: ""}
        )
        return GuessedColumn(name, rule, {}, field, False)
    if field == "cost" and all(COST.fullmatch(text) for text in texts if text not in marks):
        no_values: dict[str, Json] = dict.fromkeys(marks)
        rule = ColumnRule(field=field, type="number", values=no_values)
        return GuessedColumn(name, rule, {}, field, False)
    return None


def describe_column(name: str, field: str, cell_type: CellType) -> GuessedColumn:
    """Return the column of a field of this kind alone."""
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


def choose_field(name: str, used_fields: Collection[str], place: int) -> str:
    """Return an unused field for the name of a column.

    Units in brackets are left out if nothing else differs.
    """
    base = make_id(strip_unit(name)) or make_id(name) or f"column-{place + 1}"
    if base in RESERVED_FIELDS:
        base = f"{base}-text"
    field, number = base, 2
    if field in used_fields:
        field = make_id(name) or base
    while field in used_fields:
        field, number = f"{base}-{number}", number + 1
    return field


def is_file_name(text: str) -> bool:
    """Return True for the name of a picture file."""
    return bool(CODE.fullmatch(text)) or "." in text[-6:]


def guess_words(name: str, field: str, texts: Sequence[str]) -> GuessedColumn | None:
    """Return a column of keywords or factions; None if its cells are sentences."""
    are_lists = all(read_json_list(text) is not None for text in texts)
    separator = "" if are_lists or field != "keywords" else choose_keyword_separator(texts)
    words: dict[str, None] = {}
    for text in texts:
        items = split_items(text, separator) if separator else [text]
        words |= dict.fromkeys((read_json_list(text) or []) if are_lists else items)
    if any(len(word) > MAX_KEYWORD_CHARACTERS for word in words):
        return None
    values: dict[str, Json] = {}
    ids_by_word = make_unique_ids(sorted(words), (), field.removesuffix("s"))
    values.update(ids_by_word)
    rule = ColumnRule(
        field=field,
        type="list" if field == "keywords" else "choice",
        split=separator,
        values=values,
    )
    return GuessedColumn(name, rule, {}, field, False)


def make_unique_ids(
    names: Collection[str], used_ids: Collection[str], default: str
) -> dict[str, str]:
    """Return an id for each name, of which no two are equal."""
    ids_by_name: dict[str, str] = {}
    taken_ids = set(used_ids)
    for name in names:
        base = make_id(name) or default
        name_id, number = base, 2
        # `Night Owl` and `night owl` are one word.
        same_name = next((key for key in ids_by_name if key.lower() == name.lower()), None)
        if same_name is not None:
            ids_by_name[name] = ids_by_name[same_name]
            continue
        while name_id in taken_ids:
            name_id, number = f"{base}-{number}", number + 1
        taken_ids.add(name_id)
        ids_by_name[name] = name_id
    return ids_by_name


def choose_name_column(
    columns: list[GuessedColumn], table: Table, rows: Sequence[Row], findings: list[Finding]
) -> list[GuessedColumn]:
    """Return the columns with one for the name, if a column can be it.

    Rules never become the name.
    """
    if any(column.rule.field == "name" for column in columns):
        return columns
    location = table.place(table.rows[0].number, 0)
    for index, column in enumerate(columns):
        texts = [get_cell(row, table.head.index(column.head)).text for row in rows]
        if can_be_name(column, texts, is_only=len(columns) == 1):
            named_column = replace(column, rule=ColumnRule(field="name"), schema={}, sort="")
            message = _("no column is called Name; {name} is the name of the cards")
            message = _(message, name=column.head)
            findings.append(
                file_codes.TABLE_COLUMN.finding(message, location, severity=Severity.NOTE)
            )
            renamed = [rename_translation(item, column.rule.field) for item in columns]
            return [*renamed[:index], named_column, *renamed[index + 1 :]]
    return columns


def rename_translation(column: GuessedColumn, name_field: str) -> GuessedColumn:
    """Return a column as a translation of the name, if it translates the field that is the name."""
    translated, at, lang = column.rule.field.partition("@")
    if not at or translated != name_field:
        return column
    return replace(column, rule=ColumnRule(field=f"name@{lang}"))


def can_be_name(column: GuessedColumn, texts: Sequence[str], is_only: bool) -> bool:
    """Return True if a column could hold names: short, different, in each row."""
    is_name = (column.sort == "text" and column.schema.get("x-text") == "plain") or is_only
    if not is_name or is_rich_text_name(column.head):
        return False
    if not all(texts) or len(set(texts)) < len(texts):
        return False
    return max(map(len, texts)) <= MAX_NAME_CHARACTERS and not any("\n" in text for text in texts)


def make_entries(columns: Sequence[GuessedColumn]) -> Iterator[GuessedColumn]:
    """Yield columns that go on below a card as entries of lists.

    Columns that begin with the same word are one list, and so are the others. A column alone is a
    list of values.
    """
    first_words = Counter(get_first_word(column.head) for column in columns)
    rest = ""
    for column in reversed(columns):
        if first_words[get_first_word(column.head)] == 1:
            rest = column.head
    groups = []
    for column in columns:
        word = get_first_word(column.head)
        groups.append(word if first_words[word] > 1 else rest)
    for column, group in zip(columns, groups, strict=True):
        members = [
            member for member, its_group in zip(columns, groups, strict=True) if its_group == group
        ]
        yield make_entry(column, group, members)


def get_first_word(name: str) -> str:
    """Return the first word of a column's name."""
    return name.split()[0]


def make_entry(
    column: GuessedColumn, group: str, members: Sequence[GuessedColumn]
) -> GuessedColumn:
    """Return a column as a part of the entries of a list."""
    if len(members) == 1:
        sort = "lines" if "x-text" in column.schema else "list"
        field = f"{column.field}.*"
        items: dict[str, Json] = {**column.schema}
    else:
        keys = [make_id(member.head.removeprefix(group)) or "name" for member in members]
        parts: dict[str, Json] = {}
        for key, member in zip(keys, members, strict=True):
            parts[key] = {**member.schema}
        sort = "entries"
        field = f"{make_id(group) or 'entries'}.*.{keys[members.index(column)]}"
        items = {"type": "object", "properties": parts}
    schema: dict[str, Json] = {"description": f"{group}.", "type": "array", "items": items}
    rule = column.rule.model_copy(update={"field": field})
    return replace(column, rule=rule, schema=schema, sort=sort)
