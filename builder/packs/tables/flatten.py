"""Cards as rows of a table, so that the same values are read back. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from builder.errata.change import is_same
from builder.model.base import DataPath, Json, format_path, list_items
from builder.packs.schema.annotations import Fields
from builder.packs.tables.cell_values import NO_RULE, AllowedTypes, format_cell, read_value
from builder.packs.tables.merge import EACH_ENTRY, PROTECTED_FIELDS, Column, RowMerger
from builder.packs.tables.sheet import CellValue, Row, Table, make_cell
from builder.packs.yaml.editing import format_flow

PlacedCell: TypeAlias = tuple[int, tuple[str, ...], DataPath, CellValue]
"""A cell: its row among the card's, the column's path, the path in the card, and its value."""


@dataclass(frozen=True, slots=True)
class CardFlattener:
    """Puts cards of one kind into rows."""

    fields: Fields

    def make_rows(
        self,
        value: Mapping[str, Json],
        texts: Collection[str],
        translations: Mapping[str, Mapping[str, str]],
    ) -> list[dict[str, CellValue]]:
        """Return a card's rows by the names of columns.

        `texts` are the paths of its texts and translations.
        """
        rows: list[dict[str, CellValue]] = [{}]
        for key, item in value.items():
            if key in PROTECTED_FIELDS or item is None:
                continue
            for row, names, path, cell in self.place_field(key, item, texts):
                add_rows(rows, row + 1)
                column = format_path(names)
                rows[row][column] = cell
                if format_path(path) in texts and names[-1] != EACH_ENTRY:
                    for lang, translated_texts in translations.items():
                        rows[row][f"{column}@{lang}"] = translated_texts.get(format_path(path))
        return rows

    def place_field(self, key: str, item: Json, texts: Collection[str]) -> list[PlacedCell]:
        """Return the cells of a field.

        It is one cell as in YAML if they would not be read back as the same value.
        """
        cells = list(self.place_cells(0, (key,), (key,), item, texts))
        if is_same(strip_texts(self.read_back(cells).get(key)), strip_texts(item)):
            return cells
        return [(0, (key,), (key,), format_flow(item))]

    def read_back(self, cells: Sequence[PlacedCell]) -> dict[str, Json]:
        """Return the card that import would make of these cells."""
        columns_by_path: dict[tuple[str, ...], Column] = {}
        texts_by_row: dict[int, dict[tuple[str, ...], CellValue]] = {}
        for row, names, _path, cell in cells:
            columns_by_path.setdefault(names, Column(len(columns_by_path), names))
            texts_by_row.setdefault(row, {})[names] = cell
        row_count = max(texts_by_row) + 1
        rows: list[Row] = []
        for row in range(row_count):
            texts = texts_by_row.get(row, {})
            rows.append(Row(row, tuple(make_cell(texts.get(names)) for names in columns_by_path)))
        merger = RowMerger(self.fields, Table("", "", tuple(rows)))
        return merger.merge_rows({}, range(row_count), list(columns_by_path.values())).value

    def place_cells(
        self,
        row: int,
        names: tuple[str, ...],
        path: DataPath,
        item: Json,
        texts: Collection[str],
    ) -> Iterator[PlacedCell]:
        """Yield the cells of a value, in columns as deep as its fields are named or hold texts.

        The entries of the first list or free map of maps on the way have a row each.
        """
        if self.has_rows(names, item):
            yield from self.place_entries(names, path, item, texts)
        elif self.has_columns(names, path, item, texts):
            for key, inside in list_items(item):
                name = str(key + 1 if isinstance(key, int) else key)
                yield from self.place_cells(row, (*names, name), (*path, key), inside, texts)
        else:
            yield row, names, path, self.format_item(names, item)

    def place_entries(
        self, names: tuple[str, ...], path: DataPath, item: Json, texts: Collection[str]
    ) -> Iterator[PlacedCell]:
        """Yield the cells of entries, each in a row."""
        for number, (key, entry) in enumerate(list_items(item)):
            if isinstance(item, dict):
                yield number, (*names, EACH_ENTRY), (*path, key), str(key)
            if entry:
                yield from self.place_cells(
                    number, (*names, EACH_ENTRY), (*path, key), entry, texts
                )

    def has_rows(self, names: tuple[str, ...], item: Json) -> bool:
        """Return True if the entries of a list or map have a row each."""
        entries = [entry for _key, entry in list_items(item)]
        map_count = sum(isinstance(entry, dict) for entry in entries)
        if not map_count or EACH_ENTRY in names:
            return False
        pattern = find_name_pattern(names)
        if any(part.get("x-where") for part in self.fields.find_schemas(pattern)):
            return False
        is_free_map = map_count == len(entries) and bool(
            self.fields.find_schemas((*pattern, EACH_ENTRY))
        )
        return isinstance(item, list) or is_free_map

    def has_columns(
        self, names: tuple[str, ...], path: DataPath, item: Json, texts: Collection[str]
    ) -> bool:
        """Return True if the values of a list or map have a column each."""
        entries = [entry for _key, entry in list_items(item)]
        if not entries:
            return False
        if any(text.startswith(f"{format_path(path)}.") for text in texts):
            return True
        pattern = find_name_pattern(names)
        keys = set(item) if isinstance(item, dict) else {""}
        has_scalars = not any(isinstance(entry, dict | list) for entry in entries)
        are_known = all(self.fields.find_schemas((*pattern, key)) for key in keys)
        return are_known and (has_scalars or keys <= self.fields.list_names(pattern))

    def format_item(self, names: tuple[str, ...], item: Json) -> CellValue:
        """Return a value in one cell.

        A list of scalars has commas if it is read back, else it is written as in YAML.
        """
        pattern = find_name_pattern(names)
        short: Json = item
        entries = item if isinstance(item, list) else []
        if entries and not any(isinstance(entry, dict | list) for entry in entries):
            short = ", ".join(map(str, entries))
        allowed = AllowedTypes(
            self.fields.list_types(pattern), self.fields.list_types((*pattern, EACH_ENTRY))
        )
        if isinstance(short, dict | list):
            return format_flow(item)
        value_read = read_value(short, allowed, NO_RULE)
        return short if is_same(value_read, strip_texts(item)) else format_flow(item)


def find_name_pattern(names: Sequence[str]) -> DataPath:
    """Return the path of a column in the schema, where all items of a list are `*`."""
    return tuple(EACH_ENTRY if name.isdecimal() else name for name in names)


def strip_texts(value: Json) -> Json:
    """Return a value without the white space around texts, which no cell has."""
    if isinstance(value, str):
        return format_cell(value)
    if isinstance(value, dict):
        return {key: strip_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strip_texts(item) for item in value]
    return value


def add_rows(rows: list[dict[str, CellValue]], count: int) -> None:
    """Add empty rows until there are this many."""
    while len(rows) < count:
        rows.append({})
