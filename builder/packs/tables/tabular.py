"""A card as rows of cells, and rows of cells as what they make of a card. Pure.

A column is a field by its dotted path. `*` in it is each entry of a map or list, which has a row of its own: in a map's
column `attacks.*` stand the keys. A number is an item of a list, counted from 1; `name@de` is a translation.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.errata.change import is_same
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path, list_items, look_up
from builder.model.table import ColumnRule
from builder.packs import file_codes
from builder.packs.schema.annotations import Fields
from builder.packs.schema.wording import name_json_type
from builder.packs.tables.sheet import (
    EMPTY_CELL,
    Cell,
    CellValue,
    Row,
    Table,
    format_value,
    make_cell,
)
from builder.packs.yaml.editing import format_flow
from builder.packs.yaml.reading import parse_document, parse_scalar

KEPT = ("kind", "revision", "released", "history", "copies")
"""Fields that tables leave alone: the program keeps them, or another file does."""
YES = frozenset(("true", "yes", "ja", "да", "истина", "wahr", "x", "✓", "1"))
NO = frozenset(("false", "no", "nein", "нет", "ложь", "falsch", "0"))
EACH = "*"
NO_RULE = ColumnRule(field="")


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read: the field its cells belong to, and the language where they are translations."""

    number: int
    path: tuple[str, ...]
    lang: str = ""
    rule: ColumnRule = NO_RULE
    constant: CellValue | Json = None


def column(number: int, head: str, rule: ColumnRule | None = None, constant: Json = None) -> Column:
    """The column of a field as it is written: `attacks.*.name@de`."""
    name, _unused, lang = head.partition("@")
    return Column(number, tuple(name.split(".")), lang, rule or ColumnRule(field=head), constant)


def _value(
    cell: Cell | CellValue | Json, types: Collection[str], items: Collection[str], rule: ColumnRule
) -> Json:
    """What a cell means where values of these types are allowed, with items of those; None for an empty one."""
    if isinstance(cell, list | dict):
        return cell
    text = cell_text(cell)
    if text in rule.values:
        found = rule.values[text]
        return (
            [found]
            if "array" in types and not isinstance(found, list) and "string" not in types
            else found
        )
    for old, new in rule.replace.items():
        text = text.replace(old, new)
    if not text:
        return None
    if "string" in types and not {"array", "object", "number", "integer", "boolean"} & set(types):
        return text
    if text[0] in '"[{':
        document, wrong = parse_document(text, "")
        if (
            document is not None
            and not wrong
            and (not types or name_json_type(document.value) in types)
        ):
            return document.value
    if "array" in types and ("string" not in types or re.search("[,;\n]", text)):
        parts = re.split(
            re.escape(rule.split) if rule.split else ";|\n" if ";" in text else "[,\n]", text
        )
        return [_value(part, items, (), rule) for part in parts if part.strip()]
    return _scalar(text, types)


def _scalar(text: str, types: Collection[str]) -> Json:
    """A text as the number or truth value it says, where such are allowed."""
    if "boolean" in types and text.lower() in YES | NO:
        return text.lower() in YES
    number = parse_scalar(re.sub(r"^([-+]?\d+),(\d+)$", r"\1.\2", text.replace("\u2212", "-")))
    if isinstance(number, float) and number.is_integer() and "integer" in types:
        number = int(number)
    if isinstance(number, int | float) and not isinstance(number, bool):
        return number if {"number", "integer"} & set(types) or not types else text
    return parse_scalar(text) if not types else text


def cell_text(cell: Cell | CellValue | Json) -> str:
    """A cell or a value as a text, without white space around it."""
    return cell.text if isinstance(cell, Cell) else format_value(cell)


@dataclass(slots=True)
class Merged:
    """What rows make of a card: its value, its texts by language and path, and which cell each value came from."""

    value: dict[str, Json]
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    cells: dict[DataPath, tuple[int, int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def put(self, path: DataPath, value: Json) -> None:
        """Put a value at a place in the card."""
        first = str(path[0])
        self.value[first] = _with(self.value.get(first), path[1:], value)


@dataclass(frozen=True, slots=True)
class Merging:
    """How rows are put into cards: an empty cell leaves a value as it is, or clears it; entries of lists and maps that
    have no row any more stay, or are deleted.
    """

    fields: Fields
    table: Table
    clear: bool = False
    delete: bool = False

    def card(
        self, old: Mapping[str, Json], rows: Sequence[int], columns: Sequence[Column]
    ) -> Merged:
        """What rows, by their places in the table, make of a card."""
        made = Merged(deepcopy(dict(old)))
        gone: list[DataPath] = []
        for one in (one for one in columns if EACH not in one.path and one.path[0] not in KEPT):
            self._put(made, one, rows[0], self._steps(one.path), gone)
        heads = dict.fromkeys(
            one.path[: one.path.index(EACH)] for one in columns if EACH in one.path
        )
        for head in heads:
            self._entries(
                made,
                head,
                rows,
                [one for one in columns if one.path[: len(head) + 1] == (*head, EACH)],
                gone,
            )
        for path in reversed(gone):
            if any(put[: len(path)] == path[: len(put)] for put in made.cells):
                continue  # another column says it
            inside = look_up(made.value, path[:-1])
            if isinstance(inside, dict):
                inside.pop(str(path[-1]), None)
            elif isinstance(inside, list) and int(path[-1]) < len(inside):
                del inside[int(path[-1])]
        return made

    def _entries(
        self,
        made: Merged,
        head: DataPath,
        rows: Sequence[int],
        group: Sequence[Column],
        gone: list[DataPath],
    ) -> None:
        """The entries of one list or map, each in a row of its own."""
        listed = "object" not in self.fields.types(head)
        keys = next((one for one in group if len(one.path) == len(head) + 1 and not listed), None)
        found: dict[str | int, None] = {}
        for row in rows:
            if all(self._cell(row, one) is None for one in group):
                continue
            key = cell_text(self._cell(row, keys)) if keys else len(found)
            if key == "" or key in found:
                number, place = self.table.rows[row][0], keys.number if keys else 0
                form = _("{cell}: an entry of {field} has no key, or one that was there")
                told = _(form, field=format_path(head), cell=self.table.name(number, place))
                made.findings.append(
                    file_codes.TABLE_ROW.finding(told, self.table.place(number, place))
                )
                continue
            found[key] = None
            if keys:
                made.cells[*head, key, EACH] = self.table.rows[row][0], keys.number
                if not isinstance(look_up(made.value, (*head, key)), dict):
                    made.put((*head, key), {})
            for one in (one for one in group if one is not keys):
                self._put(made, one, row, self._steps(one.path, len(head), key), gone)
        if self.delete:
            there = list_items(look_up(made.value, head))
            gone += [(*head, key) for key, _unused in there if key not in found]

    def _put(
        self, made: Merged, one: Column, row: int, path: DataPath, gone: list[DataPath]
    ) -> None:
        """What a cell says, at its place in a card."""
        value, old, number = self.read(row, one), look_up(made.value, path), self.table.rows[row][0]
        if one.lang:
            if value is not None:
                made.texts.setdefault(one.lang, {})[format_path(path)] = str(value)
        elif value is None:
            if self.clear and old is not None:
                gone.append(path)
        else:
            made.cells[path] = number, one.number
            if isinstance(old, str) and isinstance(value, str):
                value = (
                    old if cell_text(old) == value else value + ("\n" if old.endswith("\n") else "")
                )
            made.put(path, value)

    def read(self, row: int, one: Column) -> Json:
        """What a cell says; None for an empty one."""
        pattern = self.pattern(one)
        types = {"string"} if one.lang else self.fields.types(pattern)
        return _value(self._cell(row, one), types, self.fields.types((*pattern, EACH)), one.rule)

    def pattern(self, one: Column) -> DataPath:
        """A column's place for the schema, to which all items of a list are alike."""
        return tuple(EACH if isinstance(step, int) else step for step in self._steps(one.path))

    def _cell(self, row: int, one: Column | None) -> Cell | CellValue | Json:
        cells = self.table.rows[row][1]
        if one is None or one.constant is not None:
            return one.constant if one else None
        cell = cells[one.number] if one.number < len(cells) else EMPTY_CELL
        return cell if cell.text else None

    def _steps(self, path: Sequence[str], each: int = -1, key: str | int = EACH) -> DataPath:
        """A column's path as one of a card: numbers count items where a list may stand; `*` is the key."""
        steps: DataPath = ()
        for index, part in enumerate(path):
            here = self.fields.types(
                tuple(EACH if isinstance(step, int) else step for step in steps)
            )
            number = part.isdecimal() and int(part) and "object" not in here
            steps += (key if index == each else int(part) - 1 if number else part,)
        return steps


def _with(there: Json, path: DataPath, value: Json) -> Json:
    """A value with another at a place in it; the lists and maps on the way there are made."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = there if isinstance(there, list) else []
        inside = items[step] if step < len(items) else None
        return [*items[:step], _with(inside, rest, value), *items[step + 1 :]]
    entries = there if isinstance(there, dict) else {}
    return {**entries, step: _with(entries.get(step), rest, value)}


Placed: TypeAlias = tuple[int, tuple[str, ...], DataPath, CellValue]
"""A cell: its row among those of the card, the column's path, the place in the card, and what stands there."""


@dataclass(frozen=True, slots=True)
class Flattening:
    """How cards of one kind are put into rows, so that the same values are read back."""

    fields: Fields

    def rows(
        self,
        value: Mapping[str, Json],
        texts: Collection[str],
        translations: Mapping[str, Mapping[str, str]],
    ) -> list[dict[str, CellValue]]:
        """A card's rows by the names of columns. `texts` are the paths of its texts, and of their translations."""
        rows: list[dict[str, CellValue]] = [{}]
        for key, item in value.items():
            if key in KEPT or item is None:
                continue
            placed = list(self._cells(0, (key,), (key,), item, texts))
            if not is_same(_stripped(self._back(placed).get(key)), _stripped(item)):
                placed = [(0, (key,), (key,), format_flow(item))]
            for row, head, path, cell in placed:
                rows += [{} for _unused in range(row + 1 - len(rows))]
                rows[row][format_path(head)] = cell
                for lang, told in translations.items():
                    if format_path(path) in texts and head[-1] != EACH:
                        rows[row][f"{format_path(head)}@{lang}"] = told.get(format_path(path))
        return rows

    def _back(self, placed: Sequence[Placed]) -> dict[str, Json]:
        heads = list(dict.fromkeys(head for _row, head, _path, _cell in placed))
        cells = {(row, head): cell for row, head, _path, cell in placed}
        many = range(max(row for row, _head, _path, _cell in placed) + 1)
        rows = tuple(
            Row(row, tuple(make_cell(cells.get((row, head))) for head in heads)) for row in many
        )
        columns = [Column(number, head) for number, head in enumerate(heads)]
        return Merging(self.fields, Table("", "", rows)).card({}, many, columns).value

    def _cells(
        self, row: int, head: tuple[str, ...], path: DataPath, item: Json, texts: Collection[str]
    ) -> Iterator[Placed]:
        """A value in columns as deep as its fields are named or hold texts, the rest of it in one cell. The entries of
        the first list or free map of maps on the way have a row each.
        """
        inside, pattern = (
            list(list_items(item)),
            tuple(EACH if part.isdecimal() else part for part in head),
        )
        maps, listed = [isinstance(one, dict) for _key, one in inside], isinstance(item, list)
        free = any(maps) and (listed or (all(maps) and bool(self.fields.at((*pattern, EACH)))))
        if (
            free
            and EACH not in head
            and not any(part.get("x-where") for part in self.fields.at(pattern))
        ):
            for number, (key, entry) in enumerate(inside):
                if not listed:
                    yield number, (*head, EACH), (*path, key), str(key)
                if entry:
                    yield from self._cells(number, (*head, EACH), (*path, key), entry, texts)
            return
        told = any(text.startswith(f"{format_path(path)}.") for text in texts)
        plain = all(not isinstance(one, dict | list) for _key, one in inside)
        keys = set(item) if isinstance(item, dict) else {""}
        named = all(self.fields.at((*pattern, key)) for key in keys) and (
            plain or keys <= self.fields.named(pattern)
        )
        if inside and (told or named):
            for key, one in inside:
                part = str(key + 1 if isinstance(key, int) else key)
                yield from self._cells(row, (*head, part), (*path, key), one, texts)
            return
        types, items = self.fields.types(pattern), self.fields.types((*pattern, EACH))
        short: Json = (
            ", ".join(map(str, item)) if isinstance(item, list) and item and plain else item
        )
        if isinstance(short, dict | list) or not is_same(
            _value(short, types, items, NO_RULE), _stripped(item)
        ):
            short = format_flow(item)
        yield row, head, path, short


def _stripped(value: Json) -> Json:
    """A value without the white space around texts, which no cell tells."""
    if isinstance(value, str):
        return cell_text(value)
    if isinstance(value, dict):
        return {key: _stripped(item) for key, item in value.items()}
    return [_stripped(item) for item in value] if isinstance(value, list) else value
