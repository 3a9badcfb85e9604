"""Cards as rows of a table, so that the same values are read back. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from builder.errata.change import is_same
from builder.model.base import DataPath, Json, format_path, list_items
from builder.packs.schema.annotations import Fields
from builder.packs.tables.cell_values import (
    NO_RULE,
    AllowedTypes,
    format_cell,
    read_value,
)
from builder.packs.tables.merge import EACH_ENTRY, PROTECTED_FIELDS, Column, RowMerger
from builder.packs.tables.sheet import CellValue, Row, Table, make_cell
from builder.packs.yaml.editing import format_flow

PlacedCell: TypeAlias = tuple[int, tuple[str, ...], DataPath, CellValue]
"""A cell: its row among the card's, the column's path, the path in the card, and its value."""


@dataclass(frozen=True, slots=True)
class CardExporter:
    """Writes the cards of one kind into rows of a table, so that import reads the same values."""

    fields: Fields

    def make_rows(
        self,
        value: Mapping[str, Json],
        texts: Collection[str],
        translations: Mapping[str, Mapping[str, str]],
    ) -> list[dict[str, CellValue]]:
        """Return the rows of one card. A row is a map from column name to value.

        `texts` are the paths of its texts and translations.
        """
        placed_cells: list[PlacedCell] = []
        for key, item in value.items():
            if key not in PROTECTED_FIELDS and item is not None:
                placed_cells += self.make_field_cells(key, item, texts)
        rows: list[dict[str, CellValue]] = [{}]
        for row, names, path, cell in placed_cells:
            while len(rows) <= row:
                rows.append({})
            column = format_path(names)
            rows[row][column] = cell
            text_path = format_path(path)
            # A column of keys has the path of its entry, but its cells are no texts.
            if text_path in texts and names[-1] != EACH_ENTRY:
                for lang, translated_texts in translations.items():
                    rows[row][f"{column}@{lang}"] = translated_texts.get(text_path)
        return rows

    def make_field_cells(
        self, key: str, item: Json, texts: Collection[str]
    ) -> list[PlacedCell]:
        """Return the cells of one field of a card.

        It is one cell as in YAML if they would not be read back as the same value.
        """
        cells = list(self.make_value_cells(0, (key,), (key,), item, texts))
        imported_item = self.read_back(cells).get(key)
        if is_same(strip_texts(imported_item), strip_texts(item)):
            return cells
        return [(0, (key,), (key,), format_flow(item))]

    def read_back(self, cells: Sequence[PlacedCell]) -> dict[str, Json]:
        """Return the card that an import would make of these cells."""
        columns_by_path: dict[tuple[str, ...], Column] = {}
        texts_by_row: dict[int, dict[tuple[str, ...], CellValue]] = {}
        for row, names, _path, cell in cells:
            if names not in columns_by_path:
                columns_by_path[names] = Column(len(columns_by_path), names)
            texts_by_row.setdefault(row, {})[names] = cell
        row_count = max(texts_by_row) + 1
        rows: list[Row] = []
        for row in range(row_count):
            texts = texts_by_row.get(row, {})
            row_cells = tuple(make_cell(texts.get(names)) for names in columns_by_path)
            rows.append(Row(row, row_cells))
        merger = RowMerger(self.fields, Table("", "", tuple(rows)))
        columns = list(columns_by_path.values())
        return merger.merge_rows({}, range(row_count), columns).value

    def make_value_cells(
        self,
        row: int,
        names: tuple[str, ...],
        path: DataPath,
        item: Json,
        texts: Collection[str],
    ) -> Iterator[PlacedCell]:
        """Yield the cells of a value, with a column for each inner field.

        The entries of the first list or free map of maps on the way have a row each.
        """
        if self.has_rows(names, item):
            yield from self.make_entry_cells(names, path, item, texts)
        elif self.has_columns(names, path, item, texts):
            for key, inner_item in list_items(item):
                # People count from 1, and paths of values from 0.
                name = str(key + 1) if isinstance(key, int) else key
                yield from self.make_value_cells(
                    row, (*names, name), (*path, key), inner_item, texts
                )
        else:
            yield row, names, path, self.format_item(names, item)

    def make_entry_cells(
        self, names: tuple[str, ...], path: DataPath, item: Json, texts: Collection[str]
    ) -> Iterator[PlacedCell]:
        """Yield the cells of a list or map whose entries have a row each."""
        entry_names = (*names, EACH_ENTRY)
        for number, (key, entry) in enumerate(list_items(item)):
            entry_path = (*path, key)
            if isinstance(item, dict):
                yield number, entry_names, entry_path, str(key)
            if entry:
                yield from self.make_value_cells(
                    number, entry_names, entry_path, entry, texts
                )

    def has_rows(self, names: tuple[str, ...], item: Json) -> bool:
        """Return True if each entry of a list or map gets its own row."""
        are_maps = [isinstance(entry, dict) for _key, entry in list_items(item)]
        # Rows have one dimension, so lists inside entries have no rows.
        if not any(are_maps) or EACH_ENTRY in names:
            return False
        pattern = find_name_pattern(names)
        if any(part.get("x-where") for part in self.fields.find_schemas(pattern)):
            return False
        if isinstance(item, list):
            return True
        return all(are_maps) and bool(self.fields.find_schemas((*pattern, EACH_ENTRY)))

    def has_columns(
        self, names: tuple[str, ...], path: DataPath, item: Json, texts: Collection[str]
    ) -> bool:
        """Return True if each value of a list or map gets its own column."""
        if not item or not isinstance(item, dict | list):
            return False
        # A text needs a column of its own, because its translations have one beside it.
        if any(text.startswith(f"{format_path(path)}.") for text in texts):
            return True
        pattern = find_name_pattern(names)
        keys = set(item) if isinstance(item, dict) else {""}
        if not all(self.fields.find_schemas((*pattern, key)) for key in keys):
            return False
        return not has_containers(item) or keys <= self.fields.list_names(pattern)

    def format_item(self, names: tuple[str, ...], item: Json) -> CellValue:
        """Return a value as the text of one cell.

        A list of scalars has commas if it is read back, else it is written as in YAML.
        """
        if isinstance(item, list) and item and not has_containers(item):
            short: CellValue = ", ".join(map(str, item))
        elif isinstance(item, dict | list):
            return format_flow(item)
        else:
            short = item
        pattern = find_name_pattern(names)
        types = self.fields.list_types(pattern)
        item_types = self.fields.list_types((*pattern, EACH_ENTRY))
        imported_item = read_value(short, AllowedTypes(types, item_types), NO_RULE)
        return short if is_same(imported_item, strip_texts(item)) else format_flow(item)


def has_containers(value: Json) -> bool:
    """Return True if a list or map contains another list or map."""
    return any(isinstance(item, dict | list) for _key, item in list_items(value))


def find_name_pattern(names: Sequence[str]) -> DataPath:
    """Return the schema path of a column, with `*` for the items of lists."""
    return tuple(EACH_ENTRY if name.isdecimal() else name for name in names)


def strip_texts(value: Json) -> Json:
    """Return a value with the white space around its texts removed, as in cells."""
    if isinstance(value, str):
        return format_cell(value)
    if isinstance(value, dict):
        return {key: strip_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strip_texts(item) for item in value]
    return value
