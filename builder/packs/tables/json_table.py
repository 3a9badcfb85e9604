"""JSON files as tables: lists of objects or lists, objects of lists or objects.

Nested objects become columns such as `stats.move`. A list of objects below a card becomes rows
below the card, with columns such as `attacks.*.name`. A list of other values becomes one cell:
`swift; swimmer`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from builder.messages import gettext as _
from builder.model.base import Json
from builder.packs.tables.sheet import EMPTY_CELL, TableCell, format_value, make_cell
from builder.packs.tables.source import MAX_COLUMNS, MAX_ROWS, RawSheet, TableSource

Record: TypeAlias = dict[str, TableCell]
"""The cells of a row by the names of their columns."""

REMEDY = _(
    "Write the cards as a list of objects with the same keys: "
    '[{"name": "Old Fox", "cost": 3}, {"name": "Cub", "cost": 1}].'
)
MAX_DEPTH = 20


class UnusableJson(ValueError):
    """A JSON file is no table. The text is the reason for the user."""


def read_json(source: TableSource, text: str) -> list[RawSheet]:
    """Read a JSON file as tables.

    Raise InputUnreadable if it is not JSON or contains no table.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=make_object, parse_constant=refuse_constant
        )
        refuse_half_characters(value, text)
        tables = [make_sheet(source, sheet, rows) for sheet, rows in find_tables(value)]
    except json.JSONDecodeError as error:
        reason = _("line {line}: {reason}", line=error.lineno, reason=error.msg)
        raise source.make_error(reason, REMEDY) from error
    except UnusableJson as error:
        raise source.make_error(str(error), REMEDY) from error
    except (RecursionError, ValueError) as error:
        # ValueError: Python refuses to read a number of more than 4,300 digits.
        reason = _("it is nested too deeply or has a number that is too long")
        raise source.make_error(reason, REMEDY) from error
    if not tables:
        raise source.make_error(_("it contains no list of cards"), REMEDY)
    return tables


def make_object(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    """Return a JSON object. Raise UnusableJson if a key occurs twice.

    Raise UnusableJson if a key occurs twice: one of the values would be lost.
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _value in pairs]
        repeated_keys = [key for key in value if keys.count(key) > 1]
        raise UnusableJson(_("an object has the key {key} twice", key=repeated_keys[0]))
    return value


def refuse_constant(constant: str) -> None:
    """Raise UnusableJson for NaN and Infinity, which are not JSON."""
    raise UnusableJson(_("{value} is not a JSON number", value=constant))


def refuse_half_characters(value: Json, text: str) -> None:
    """Raise UnusableJson if a text contains half a character (a surrogate)."""
    # Only an escape can be half a character, because the file has been decoded.
    if "\\u" not in text:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        character = f"U+{ord(error.object[error.start]):04X}"
        raise UnusableJson(
            _("{character} is half a character", character=character)
        ) from error


def find_tables(value: Json) -> Iterator[tuple[str, list[Record]]]:
    """Yield the tables in a JSON value, each with its name, or "" for a single table.

    The name is empty if the file is a single table.
    """
    if isinstance(value, list):
        yield "", make_records(value)
        return
    if not isinstance(value, dict) or not value:
        return
    lists = {key: item for key, item in value.items() if isinstance(item, list)}
    objects = {key: item for key, item in value.items() if isinstance(item, dict)}
    sheets = {key: items for key, items in lists.items() if is_list_of_objects(items)}
    if len(lists) == len(value) and not sheets:
        yield "", make_records_of_columns(lists)
    elif len(objects) == len(value):
        # The keys of an object of objects are ids, unless the objects have their own.
        yield "", make_records([{"id": key, **item} for key, item in objects.items()])
    else:
        for sheet, items in sheets.items():
            yield sheet, make_records(items)


def is_list_of_objects(value: Json) -> bool:
    """Return True for a list that contains only objects, at least one."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, dict) for item in value)


def make_records_of_columns(columns: Mapping[str, Sequence[Json]]) -> list[Record]:
    """Convert an object of lists to rows. Each key is a column."""
    records: list[Record] = []
    for name, values in columns.items():
        for index, value in enumerate(values):
            if index == len(records):
                records.append({})
            records[index][name] = make_json_cell(value)
    return records


def make_records(items: Sequence[Json]) -> list[Record]:
    """Convert a list of objects to rows, or a list of lists whose first has the column names."""
    if items and all(isinstance(item, list) for item in items):
        return make_records_of_lists(items)
    records = []
    for index, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise UnusableJson(
                _("entry {number} of the list is not an object", number=index)
            )
        records += make_records_of_object(unwrap_airtable_record(item))
    return records


def unwrap_airtable_record(item: dict[str, Json]) -> dict[str, Json]:
    """Return the fields of a record as Airtable exports it, or the object itself.

    It is `{"id": ..., "createdTime": ..., "fields": {...}}`.
    """
    fields = item.get("fields")
    if isinstance(fields, dict) and item.keys() <= {"id", "createdTime", "fields"}:
        return fields
    return item


def make_records_of_lists(rows: Sequence[Json]) -> list[Record]:
    """Convert a list of lists to rows. The first list has the column names."""
    lists = [row for row in rows if isinstance(row, list)]
    columns = [format_value(name) for name in lists[0]]
    return [
        dict(zip(columns, map(make_json_cell, row), strict=False)) for row in lists[1:]
    ]


def make_records_of_object(item: Mapping[str, Json]) -> list[Record]:
    """Convert one object to a row, with rows below it for its lists of objects."""
    records: list[Record] = [{}]
    flatten_object(records, 0, "", item, 0)
    return records


def flatten_object(
    records: list[Record],
    row_index: int,
    prefix: str,
    item: Mapping[str, Json],
    depth: int,
) -> None:
    """Write the values of an object into a row, with columns such as "stats.speed".

    Its first level of lists of objects is written into this and later rows.
    """
    if depth > MAX_DEPTH:
        raise UnusableJson(
            _("it is nested too deeply or has a number that is too long")
        )
    for key, value in item.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flatten_object(records, row_index, f"{name}.", value, depth + 1)
        elif (
            is_list_of_objects(value) and isinstance(value, list) and "*" not in prefix
        ):
            flatten_entries(records, f"{name}.*.", value, depth + 1)
        else:
            records[row_index][name] = make_json_cell(value)


def flatten_entries(
    records: list[Record], prefix: str, entries: Sequence[Json], depth: int
) -> None:
    """Write each object of a list into its own row, starting with the first row."""
    for index, entry in enumerate(entries):
        if index == len(records):
            records.append({})
        if isinstance(entry, dict):
            flatten_object(records, index, prefix, entry, depth)


def make_json_cell(value: Json) -> TableCell:
    """Return a JSON value as a cell. The items of a list are separated by semicolons."""
    if isinstance(value, list):
        texts = list(map(format_json_item, value))
        separator = "\n" if any(";" in text for text in texts) else "; "
        return make_cell(separator.join(texts))
    if isinstance(value, dict):
        return make_cell(json.dumps(value, ensure_ascii=False))
    return make_cell(value)


def format_json_item(value: Json) -> str:
    """Format an item of a list."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return format_value(value)


def make_sheet(source: TableSource, sheet: str, records: Sequence[Record]) -> RawSheet:
    """Return the sheet of records. Its columns are all names in the order of their first use."""
    columns: dict[str, None] = {}
    for record in records[: MAX_ROWS + 1]:
        columns.update(dict.fromkeys(record))
    # Already the row of names is refused, and further rows would fill the memory.
    if len(columns) > MAX_COLUMNS:
        records = []
    rows = [[make_cell(name) for name in columns]]
    rows += [list_cells(record, columns) for record in records]
    return RawSheet(sheet, source.collect_rows(enumerate(rows, 1)), has_titles=False)


def list_cells(record: Record, columns: Iterable[str]) -> list[TableCell]:
    """Return the cells of a row in the order of the columns."""
    return [record.get(name, EMPTY_CELL) for name in columns]
