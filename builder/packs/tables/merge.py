"""Rows of a table put into cards. Pure.

A column is a field by its dotted path. `*` in it is each entry of a map or list, which has a row of
its own: in a map's column `attacks.*` are the keys. A number is an item of a list, counted from 1;
`name@de` is a translation.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path, list_items, look_up
from builder.model.table import ColumnRule
from builder.packs import file_codes
from builder.packs.schema.annotations import Fields
from builder.packs.tables.cell_values import (
    NO_RULE,
    AllowedTypes,
    CellContent,
    format_cell,
    read_value,
)
from builder.packs.tables.sheet import CellValue, Table, get_cell

PROTECTED_FIELDS = ("kind", "revision", "released", "history", "copies")
"""Fields that tables do not change: the program or another file does."""
EACH_ENTRY = "*"


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read: its index, its field, and the language of translations."""

    number: int
    path: tuple[str, ...]
    lang: str = ""
    rule: ColumnRule = NO_RULE
    constant: CellValue | Json = None


def make_column(
    column_index: int,
    field_text: str,
    rule: ColumnRule | None = None,
    constant: Json = None,
) -> Column:
    """Return the column of a field that is written as `attacks.*.name@de`."""
    path, _at, lang = field_text.partition("@")
    return Column(
        column_index,
        tuple(path.split(".")),
        lang,
        rule or ColumnRule(field=field_text),
        constant,
    )


@dataclass(slots=True)
class MergedCard:
    """A card with the values of its rows, its translations, and the cell of each value."""

    value: dict[str, Json]
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    cells: dict[DataPath, tuple[int, int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    removed_paths: list[DataPath] = field(default_factory=list)

    def set_value(self, path: DataPath, value: Json) -> None:
        """Set the value at a path of the card."""
        first = str(path[0])
        self.value[first] = put_value(self.value.get(first), path[1:], value)

    def remove_other_entries(self, path: DataPath, keys: Collection[str | int]) -> None:
        """Mark the entries of a list or map with other keys for removal."""
        for key, _entry in list_items(look_up(self.value, path)):
            if key not in keys:
                self.removed_paths.append((*path, key))

    def remove_values(self) -> None:
        """Remove the values that are marked for removal, unless a cell has a value for them."""
        for path in reversed(self.removed_paths):
            if self.has_cell(path):
                continue
            holder = look_up(self.value, path[:-1])
            key = path[-1]
            if isinstance(holder, dict):
                holder.pop(str(key), None)
            elif isinstance(holder, list) and int(key) < len(holder):
                del holder[int(key)]

    def has_cell(self, path: DataPath) -> bool:
        """Return True if a cell contains the value at a path, or a part of it."""
        return any(
            cell_path[: len(path)] == path[: len(cell_path)] for cell_path in self.cells
        )


@dataclass(frozen=True, slots=True)
class RowMerger:
    """Writes the rows of a table into cards.

    `clear`: an empty cell removes the value. `delete`: entries of lists and maps without a row are
    removed.
    """

    fields: Fields
    table: Table
    clear: bool = False
    delete: bool = False

    def merge_rows(
        self, old: Mapping[str, Json], rows: Sequence[int], columns: Sequence[Column]
    ) -> MergedCard:
        """Return a card with the values of its rows, which are given by index."""
        card = MergedCard(deepcopy(dict(old)))
        groups: dict[DataPath, list[Column]] = {}
        for column in columns:
            if EACH_ENTRY in column.path:
                list_path = column.path[: column.path.index(EACH_ENTRY)]
                groups.setdefault(list_path, []).append(column)
            elif column.path[0] not in PROTECTED_FIELDS:
                self.put_cell(card, column, rows[0], self.find_path(column.path))
        for path, group in groups.items():
            self.put_entries(card, path, rows, group)
        card.remove_values()
        return card

    def put_entries(
        self,
        card: MergedCard,
        path: DataPath,
        rows: Sequence[int],
        entry_columns: Sequence[Column],
    ) -> None:
        """Write the entries of one list or map into a card. Each entry has a row."""
        key_column = self.find_key_column(path, entry_columns)
        keys: dict[str | int, None] = {}
        for row in rows:
            if not self.has_cells(row, entry_columns):
                continue
            key = self.read_key(row, key_column, len(keys))
            if key == "" or key in keys:
                card.findings.append(self.report_key(path, row, key_column))
                continue
            keys[key] = None
            if key_column:
                self.put_key(card, (*path, key), row, key_column)
            for column in entry_columns:
                if column is not key_column:
                    cell_path = self.find_path(column.path, len(path), key)
                    self.put_cell(card, column, row, cell_path)
        if self.delete:
            card.remove_other_entries(path, keys)

    def has_cells(self, row: int, columns: Sequence[Column]) -> bool:
        """Return True if a row has a value in one of these columns."""
        return any(self.get_cell(row, column) is not None for column in columns)

    def read_key(self, row: int, key_column: Column | None, index: int) -> str | int:
        """Return the key of the entry in a row: a text for a map, the index for a list."""
        if key_column is None:
            return index
        return format_cell(self.get_cell(row, key_column))

    def put_key(
        self, card: MergedCard, path: DataPath, row: int, key_column: Column
    ) -> None:
        """Add an entry without values to a map of the card, unless it exists."""
        card.cells[*path, EACH_ENTRY] = self.table.rows[row].number, key_column.number
        if not isinstance(look_up(card.value, path), dict):
            card.set_value(path, {})

    def find_key_column(
        self, path: DataPath, entry_columns: Sequence[Column]
    ) -> Column | None:
        """Return the column with the keys of a map, or None for a list."""
        if "object" not in self.fields.list_types(path):
            return None
        for column in entry_columns:
            if len(column.path) == len(path) + 1:
                return column
        return None

    def report_key(
        self, path: DataPath, row: int, key_column: Column | None
    ) -> Finding:
        """Return the finding that an entry of a map has no key, or a repeated one."""
        number = self.table.rows[row].number
        place = key_column.number if key_column else 0
        form = _("{cell}: an entry of {field} has no key, or one that was there")
        cell = self.table.name(number, place)
        message = _(form, field=format_path(path), cell=cell)
        return file_codes.TABLE_ROW.finding(message, self.table.place(number, place))

    def put_cell(
        self, card: MergedCard, column: Column, row: int, path: DataPath
    ) -> None:
        """Write the value of a cell into a card."""
        if column.lang:
            self.put_translation(card, column, row, path)
            return
        value = self.read_cell(row, column)
        old = look_up(card.value, path)
        if value is None:
            if self.clear and old is not None:
                card.removed_paths.append(path)
        elif column.constant is None and path in card.cells:
            # Another column of the same field came first.
            if format_cell(old) != format_cell(value):
                card.findings.append(self.report_second_value(column, row))
        else:
            card.cells[path] = self.table.rows[row].number, column.number
            card.set_value(path, restore_white_space(old, value))

    def put_translation(
        self, card: MergedCard, column: Column, row: int, path: DataPath
    ) -> None:
        """Write the text of a cell into the translations of a card."""
        value = self.read_cell(row, column)
        if value is None:
            return
        text = str(value)
        texts = card.texts.setdefault(column.lang, {})
        if texts.setdefault(format_path(path), text) != text:
            card.findings.append(self.report_second_value(column, row))

    def report_second_value(self, column: Column, row: int) -> Finding:
        """Return the finding that two columns give one field different values."""
        number = self.table.rows[row].number
        form = _("{cell}: another column has a different value of {field}")
        cell = self.table.name(number, column.number)
        message = _(form, cell=cell, field=column.rule.field)
        hint = _(
            "Give one of the columns another field in the mapping file, or skip it."
        )
        place = self.table.place(number, column.number)
        return file_codes.TABLE_ROW.finding(message, place, hint=hint)

    def read_cell(self, row: int, column: Column) -> Json:
        """Return the value of a cell, or None for an empty one."""
        pattern = self.find_pattern(column)
        types = {"string"} if column.lang else self.fields.list_types(pattern)
        item_types = self.fields.list_types((*pattern, EACH_ENTRY))
        allowed = AllowedTypes(types, item_types, self.is_rich(column))
        return read_value(self.get_cell(row, column), allowed, column.rule)

    def is_rich(self, column: Column) -> bool:
        """Return True if the column is rules text with markup."""
        schemas = self.fields.find_schemas(self.find_pattern(column))
        return any(part.get("x-text") == "rich" for part in schemas)

    def find_pattern(self, column: Column) -> DataPath:
        """Return the schema path of a column, with `*` for the items of lists."""
        return make_pattern(self.find_path(column.path))

    def get_cell(self, row: int, column: Column) -> CellContent:
        """Return the cell of a column, or the column's constant, or None if it is empty."""
        if column.constant is not None:
            return column.constant
        cell = get_cell(self.table.rows[row], column.number)
        return cell if cell.text else None

    def find_path(
        self, names: Sequence[str], each_index: int = -1, key: str | int = EACH_ENTRY
    ) -> DataPath:
        """Return the path of a column in a card. Item numbers become indices from 0.

        `key` replaces the step `*`.
        """
        path: DataPath = ()
        for index, name in enumerate(names):
            step: str | int = name
            if index == each_index:
                step = key
            elif name.isdecimal() and int(name) > 0:
                # A map may have keys that are numbers, such as rounds.
                is_map = "object" in self.fields.list_types(make_pattern(path))
                step = name if is_map else int(name) - 1
            path += (step,)
        return path


def restore_white_space(old: Json, value: Json) -> Json:
    """Return a new text with the white space around the old text, which cells lose."""
    if not isinstance(old, str) or not isinstance(value, str):
        return value
    if format_cell(old) == value:
        return old
    # A block text in YAML ends with a line break, which is no change of the author.
    return value + "\n" if old.endswith("\n") else value


def make_pattern(path: DataPath) -> DataPath:
    """Return a path with `*` for the items of lists."""
    return tuple(EACH_ENTRY if isinstance(step, int) else step for step in path)


def put_value(value: Json, path: DataPath, new: Json) -> Json:
    """Return a value with a new value at a path in it. Missing lists and maps are added."""
    if not path:
        return new
    step, *rest = path
    if isinstance(step, int):
        items = list(value) if isinstance(value, list) else []
        old_item = items[step] if step < len(items) else None
        # Behind the end of the list, the slice is empty, and the item is added.
        items[step : step + 1] = [put_value(old_item, tuple(rest), new)]
        return items
    entries = dict(value) if isinstance(value, dict) else {}
    entries[step] = put_value(entries.get(step), tuple(rest), new)
    return entries
