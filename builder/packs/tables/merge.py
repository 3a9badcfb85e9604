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
    """A column that is read: its field, and the language if its cells are translations."""

    number: int
    path: tuple[str, ...]
    lang: str = ""
    rule: ColumnRule = NO_RULE
    constant: CellValue | Json = None


def make_column(
    number: int, name: str, rule: ColumnRule | None = None, constant: Json = None
) -> Column:
    """Return the column of a field as it is written: `attacks.*.name@de`."""
    path, _at, lang = name.partition("@")
    return Column(
        number, tuple(path.split(".")), lang, rule or ColumnRule(field=name), constant
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
        """Put a value at a place in the card."""
        first = str(path[0])
        self.value[first] = put_value(self.value.get(first), path[1:], value)

    def remove_other_entries(self, path: DataPath, keys: Collection[str | int]) -> None:
        """Mark the entries of a list or map that have none of these keys as removed."""
        for key, _entry in list_items(look_up(self.value, path)):
            if key not in keys:
                self.removed_paths.append((*path, key))

    def remove_values(self) -> None:
        """Remove what has no cell any more, from the end so that indices stay right."""
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
        """Return True if a cell has a value, a part of it, or the whole that it is in."""
        return any(
            cell_path[: len(path)] == path[: len(cell_path)] for cell_path in self.cells
        )


@dataclass(frozen=True, slots=True)
class RowMerger:
    """Puts rows into cards.

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
        """Return a card with the values of its rows, given by their indices in the table."""
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
        group: Sequence[Column],
    ) -> None:
        """Put the entries of one list or map, each of which has a row, into a card."""
        key_column = self.find_key_column(path, group)
        keys: dict[str | int, None] = {}
        for row in rows:
            if not self.has_cells(row, group):
                continue
            key = self.read_key(row, key_column, len(keys))
            if key == "" or key in keys:
                card.findings.append(self.report_key(path, row, key_column))
                continue
            keys[key] = None
            if key_column:
                self.put_key(card, (*path, key), row, key_column)
            for column in group:
                if column is not key_column:
                    cell_path = self.find_path(column.path, len(path), key)
                    self.put_cell(card, column, row, cell_path)
        if self.delete:
            card.remove_other_entries(path, keys)

    def has_cells(self, row: int, columns: Sequence[Column]) -> bool:
        """Return True if a row has a cell in one of these columns."""
        return any(self.get_cell(row, column) is not None for column in columns)

    def read_key(self, row: int, key_column: Column | None, index: int) -> str | int:
        """Return the key of a row's entry: its cell in the column of keys, or its index."""
        if key_column is None:
            return index
        return format_cell(self.get_cell(row, key_column))

    def put_key(
        self, card: MergedCard, path: DataPath, row: int, key_column: Column
    ) -> None:
        """Put an entry without values into a card, unless the card has it, and store its cell."""
        card.cells[*path, EACH_ENTRY] = self.table.rows[row].number, key_column.number
        if not isinstance(look_up(card.value, path), dict):
            card.set_value(path, {})

    def find_key_column(self, path: DataPath, group: Sequence[Column]) -> Column | None:
        """Return the column with the keys of a map, or None for a list."""
        if "object" not in self.fields.list_types(path):
            return None
        for column in group:
            if len(column.path) == len(path) + 1:
                return column
        return None

    def report_key(
        self, path: DataPath, row: int, key_column: Column | None
    ) -> Finding:
        """Report an entry of a map that has no key, or the key of another entry."""
        number = self.table.rows[row].number
        place = key_column.number if key_column else 0
        form = _("{cell}: an entry of {field} has no key, or one that was there")
        cell = self.table.name(number, place)
        message = _(form, field=format_path(path), cell=cell)
        return file_codes.TABLE_ROW.finding(message, self.table.place(number, place))

    def put_cell(
        self, card: MergedCard, column: Column, row: int, path: DataPath
    ) -> None:
        """Put the value of a cell at its place in a card."""
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
            card.set_value(path, keep_white_space(old, value))

    def put_translation(
        self, card: MergedCard, column: Column, row: int, path: DataPath
    ) -> None:
        """Put the text of a cell into the card's translations."""
        value = self.read_cell(row, column)
        if value is None:
            return
        text = str(value)
        texts = card.texts.setdefault(column.lang, {})
        if texts.setdefault(format_path(path), text) != text:
            card.findings.append(self.report_second_value(column, row))

    def report_second_value(self, column: Column, row: int) -> Finding:
        """Report a cell whose field has another value from an earlier column."""
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
        """Return True if a column is a text with markup."""
        schemas = self.fields.find_schemas(self.find_pattern(column))
        return any(part.get("x-text") == "rich" for part in schemas)

    def find_pattern(self, column: Column) -> DataPath:
        """Return a column's path in the schema, where all items of a list are `*`."""
        return make_pattern(self.find_path(column.path))

    def get_cell(self, row: int, column: Column) -> CellContent:
        """Return a cell, or the constant of a column, or None for an empty cell."""
        if column.constant is not None:
            return column.constant
        cell = get_cell(self.table.rows[row], column.number)
        return cell if cell.text else None

    def find_path(
        self, names: Sequence[str], each_index: int = -1, key: str | int = EACH_ENTRY
    ) -> DataPath:
        """Return a column's path in a card.

        Numbers count items where a list is allowed; `*` is the key.
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


def keep_white_space(old: Json, value: Json) -> Json:
    """Return a value with the white space around the card's text, which cells do not have."""
    if not isinstance(old, str) or not isinstance(value, str):
        return value
    if format_cell(old) == value:
        return old
    # A block text in YAML ends with a line break, which is no change of the author.
    return value + "\n" if old.endswith("\n") else value


def make_pattern(path: DataPath) -> DataPath:
    """Return a path in which all items of a list are `*`."""
    return tuple(EACH_ENTRY if isinstance(step, int) else step for step in path)


def put_value(value: Json, path: DataPath, new: Json) -> Json:
    """Return a value with another at a place in it. Missing lists and maps on the way are added."""
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
