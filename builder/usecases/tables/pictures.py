"""The pictures that a table names and that are next to it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from builder.files import is_within, read_limited
from builder.findings import Finding
from builder.messages import Message, describe_os_error, gettext as _
from builder.model.base import Json
from builder.model.table import ColumnRule, TableMapping
from builder.packs import file_codes
from builder.packs.tables.inference import find_column, is_file_name
from builder.packs.tables.sheet import Table, get_cell


def find_picture_column(table: Table, mapping: TableMapping) -> int | None:
    """Return the index of the column with names of pictures, or None."""
    for column, name in enumerate(table.head):
        if is_picture_rule(mapping.columns.get(name)):
            return column
    return None if mapping.columns else find_column(table, "art")


def is_picture_rule(rule: ColumnRule | str | None) -> bool:
    """Return True if the rule of a column says that its cells name pictures."""
    return (rule.field if isinstance(rule, ColumnRule) else rule) == "art"


def leave_out_pictures(
    mapping: TableMapping, missing_names: Iterable[str]
) -> TableMapping:
    """Return a mapping that leaves missing pictures out of cards.

    Pictures that were missing at an earlier import may exist now, so they are read again.
    """
    columns = dict(mapping.columns)
    for head, rule in mapping.columns.items():
        if not is_picture_rule(rule):
            continue
        picture_rule = rule if isinstance(rule, ColumnRule) else ColumnRule(field="art")
        # A cell with the value None gives a card no picture.
        values: dict[str, Json] = dict.fromkeys(missing_names)
        stored_values = picture_rule.values.items()
        values |= {name: value for name, value in stored_values if value is not None}
        columns[head] = picture_rule.model_copy(update={"values": values})
    return mapping.model_copy(update={"columns": columns})


def read_pictures(
    table: Table, folder: Path, column: int | None
) -> tuple[dict[str, bytes | None], list[Finding]]:
    """Read the pictures that a column of a table names. Return their bytes by name.

    A picture that cannot be read is None, and is reported once.
    """
    pictures: dict[str, bytes | None] = {}
    findings: list[Finding] = []
    if column is None:
        return pictures, findings
    for row in table.rows[1:]:
        name = get_cell(row, column).text
        if not name or name in pictures or not is_file_name(name):
            continue
        cell = table.name(row.number, column)
        data, problem = read_picture(folder, name, cell)
        pictures[name] = data
        if data is None:
            location = table.place(row.number, column)
            findings.append(file_codes.TABLE_PICTURE.finding(problem, location))
    return pictures, findings


def read_picture(folder: Path, name: str, cell: str) -> tuple[bytes | None, Message]:
    """Read a picture beside a table. Return None and the reason if that fails.

    Pictures outside the folder of the table are not read.
    """
    problem = _(
        "{cell}: no picture beside the table is called {name}", cell=cell, name=name
    )
    path = folder / name
    try:
        # `..` is refused even where it stays inside: a link may lead it outside.
        is_inside = ".." not in Path(name).parts and is_within(folder, path)
        if is_inside and path.is_file():
            return read_limited(path), problem
    # Python raises ValueError for a name with a null character.
    except (OSError, ValueError) as error:
        problem = _("{cell}: {reason}", cell=cell, reason=describe_os_error(error))
    return None, problem
