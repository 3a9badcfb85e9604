"""Columns of a table as the fields of a layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from builder.findings import Finding, Severity
from builder.messages import Message, gettext as _
from builder.model.base import Json, get_map, look_up
from builder.model.table import ColumnRule
from builder.packs.tables.card_kinds import KindTable
from builder.packs.tables.column_names import STANDARD_NAMES
from builder.packs.tables.inference import GuessedColumn

NAME_KEYS = ("name", "key")
"""Fields that name an entry: an ability, a step, a row of a table."""
TEXT_KEYS = (*NAME_KEYS, "text")
ENTRY_ID = "main"
"""The id of the one entry that columns of numbers give a card, for example its attack."""


@dataclass(frozen=True, slots=True)
class LayoutColumns:
    """The columns of a table matched with the fields of a finished layout.

    `constants` are values that all cards get. `missing_fields` have no column. `unprinted` are
    columns that the layout does not print.
    """

    columns: list[GuessedColumn]
    constants: dict[str, Json]
    missing_fields: list[str]
    unprinted: list[str]


@dataclass(frozen=True, slots=True)
class FinishedLayout:
    """The card fields of a finished layout, from its schema."""

    properties: Mapping[str, Json]
    required: tuple[str, ...]

    def list_maps(self) -> list[str]:
        """Return the required fields that are maps of entries, such as abilities."""
        return [
            name
            for name in self.properties
            if name in self.required and self.get_entry(name)
        ]

    def list_texts(self) -> list[str]:
        """Return the required fields with formatted rules text."""
        return [
            name
            for name in self.required
            if look_up(self.properties.get(name), ("x-text",)) == "rich"
        ]

    def get_entry(self, name: str) -> Mapping[str, Json]:
        """Return the fields of one entry of a map. Empty if the field is not a map."""
        return get_map(
            look_up(self.properties.get(name), ("additionalProperties", "properties"))
        )

    def is_map(self, name: str) -> bool:
        """Return True if a field is a map of entries."""
        return look_up(self.properties.get(name), ("type",)) == "object"

    def find_name_key(self, name: str) -> str:
        """Return the key of an entry's name if entries have only a name and a text.

        Otherwise empty.
        """
        required = look_up(
            self.properties.get(name), ("additionalProperties", "required")
        )
        keys = set(required) if isinstance(required, list) else set()
        for key in NAME_KEYS:
            if keys == {key, "text"}:
                return key
        return ""


def read_layout(schema: Mapping[str, Json]) -> FinishedLayout:
    """Parse the card fields of a layout's schema."""
    properties = get_map(look_up(schema, ("properties",)))
    required = look_up(schema, ("required",))
    names = required if isinstance(required, list) else []
    return FinishedLayout(properties, tuple(map(str, names)))


def match_layout(guess: KindTable, schema: Mapping[str, Json]) -> LayoutColumns:
    """Match the columns of a table with the fields of a finished layout.

    A column is the field of its name, else the rules text of the layout or one of its entries.
    A field with entries that no column fills is empty on every card.
    """
    layout = read_layout(schema)
    result = LayoutColumns([], {}, [], [])
    filled_fields = {column.field for column in guess.columns}
    for group, parts in find_complete_entries(guess, layout).items():
        filled_fields.add(group)
        if "name" not in parts:
            # An entry must have a name: `attacks` without one become the attack "Attack".
            result.constants[f"{group}.{ENTRY_ID}.name"] = group.removesuffix(
                "s"
            ).capitalize()
    printed_fields = layout.properties.keys() | STANDARD_NAMES.keys()
    for column in guess.columns:
        matched_column = match_column(column, layout, filled_fields, result.constants)
        result.columns.append(matched_column)
        filled_fields.add(matched_column.field)
        if matched_column.schema and matched_column.field not in printed_fields:
            result.unprinted.append(column.head)
    matched_fields = {column.field for column in result.columns}
    for name in layout.required:
        if name in matched_fields:
            continue
        if layout.is_map(name):
            result.constants[name] = {}
        else:
            result.missing_fields.append(name)
    return result


def match_column(
    column: GuessedColumn,
    layout: FinishedLayout,
    filled_fields: set[str],
    constants: dict[str, Json],
) -> GuessedColumn:
    """Return a table column with the layout's field that fits it, or unchanged if none fits.

    The name of a new entry is added to `constants`.
    """
    if column.field in layout.properties and not layout.is_map(column.field):
        return column
    for name in layout.list_maps():
        part = find_entry_part(column, name, layout)
        if part and name in filled_fields:
            return move_column(column, f"{name}.{ENTRY_ID}.{part}")
    is_rules_text = column.schema.get("x-text") == "rich" and column.full
    if not is_rules_text:
        return column
    for name in layout.list_texts():
        if name not in filled_fields:
            return replace(column, rule=column.rule.model_copy(update={"field": name}))
    # What is left becomes an entry of its own, for example an ability with the column's name.
    maps = [name for name in layout.list_maps() if layout.find_name_key(name)]
    if column.field in maps:
        maps = [column.field]
    if not maps:
        return column
    entry_path = f"{maps[0]}.{column.field}"
    constants[f"{entry_path}.{layout.find_name_key(maps[0])}"] = column.label
    return move_column(column, f"{entry_path}.text")


def find_entry_part(column: GuessedColumn, group: str, layout: FinishedLayout) -> str:
    """Return the part of an entry that a column such as `attack-range` has.

    Empty for any other column, and for entries that consist of texts.
    """
    entry = layout.get_entry(group)
    singular = group.removesuffix("s")
    if column.field in STANDARD_NAMES or layout.find_name_key(group) or not column.full:
        return ""
    if column.field in (group, singular):
        return "name"
    part = column.field.removeprefix(f"{group}-").removeprefix(f"{singular}-")
    return part if part in entry and part not in TEXT_KEYS else ""


def find_complete_entries(
    guess: KindTable, layout: FinishedLayout
) -> dict[str, set[str]]:
    """Return the maps whose entries columns fill completely, each with the filled parts."""
    parts_by_group: dict[str, set[str]] = {}
    for name in layout.list_maps():
        parts = {find_entry_part(column, name, layout) for column in guess.columns}
        required = look_up(
            layout.properties[name], ("additionalProperties", "required")
        )
        required_parts = set(required) if isinstance(required, list) else set()
        if parts - {""} and required_parts <= parts | {"name"}:
            parts_by_group[name] = parts
    return parts_by_group


def move_column(column: GuessedColumn, field: str) -> GuessedColumn:
    """Return a column as a field of an entry. The schema of the field comes from the layout."""
    rule: ColumnRule = column.rule.model_copy(update={"field": field})
    return replace(column, rule=rule, schema={})


def report_unsuitable_layout(
    guess: KindTable,
    layout: str,
    missing_fields: Sequence[str],
    errors: Sequence[Finding],
) -> Finding:
    """Report why a finished layout was not used for a table."""
    reason: Message | str = ""
    if missing_fields:
        form = _("the table has no columns for its fields {listed}")
        reason = _(form, listed=", ".join(missing_fields))
    elif errors:
        reason = errors[0].message
    form = _(
        "the layout {layout} was not used: {reason}. The design was made from the columns"
    )
    message = _(form, layout=layout, reason=reason)
    hint = _(
        "Give the columns the names of the layout's fields, or choose another layout."
    )
    return guess.table.report_columns(message, hint, Severity.WARNING)


def report_unprinted(
    guess: KindTable, layout: str, names: Sequence[str]
) -> list[Finding]:
    """Report columns that become fields of the cards but are not printed by the layout."""
    if not names:
        return []
    form = _("the layout {layout} does not print the columns {listed}")
    message = _(form, layout=layout, listed=", ".join(names))
    hint = _("Add them to the template of the front, or leave out --layout.")
    return [guess.table.report_columns(message, hint, Severity.WARNING)]
