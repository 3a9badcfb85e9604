"""Columns of a table as the fields of a layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from builder.findings import Finding, Severity
from builder.messages import Message, gettext as _
from builder.model.base import Json, look_up
from builder.model.table import ColumnRule
from builder.packs import file_codes
from builder.packs.tables.column_names import STANDARD_NAMES
from builder.packs.tables.inference import GuessedColumn, KindTable

RULES_FIELD = "abilities"
"""The field of layouts that holds rules texts, each with a name."""


@dataclass(frozen=True, slots=True)
class LayoutColumns:
    """Columns with the fields of a layout, values that all cards get, and fields without a column.

    `unprinted` are the names of columns that the layout has no place for.
    """

    columns: list[GuessedColumn]
    constants: dict[str, Json]
    missing_fields: list[str]
    unprinted: list[str]


def match_layout(guess: KindTable, schema: Mapping[str, Json]) -> LayoutColumns:
    """Match columns with the fields of a layout by their names.

    Rules texts are abilities with the column's name.
    """
    properties = look_up(schema, ("properties",))
    known_fields = set(properties) if isinstance(properties, dict) else set()
    required = look_up(schema, ("required",))
    has_abilities = look_up(schema, ("properties", RULES_FIELD, "type")) == "object"
    result = LayoutColumns([], {}, [], [])
    fields_with_column: set[str] = set()
    for column in guess.columns:
        is_own_field = column.field in known_fields and column.field != RULES_FIELD
        if has_abilities and is_rules_text(column) and not is_own_field:
            result.columns.append(make_ability(column))
            result.constants[f"{RULES_FIELD}.{column.field}.name"] = column.label
            fields_with_column.add(RULES_FIELD)
            continue
        result.columns.append(column)
        fields_with_column.add(column.field)
        if column.schema and column.field not in known_fields | STANDARD_NAMES.keys():
            result.unprinted.append(column.head)
    for name in required if isinstance(required, list) else []:
        if name not in fields_with_column:
            result.missing_fields.append(str(name))
    return result


def is_rules_text(column: GuessedColumn) -> bool:
    """Return True for a rules text that every card has."""
    return column.schema.get("x-text") == "rich" and column.full


def make_ability(column: GuessedColumn) -> GuessedColumn:
    """Return a column as the text of an ability."""
    rule: ColumnRule = column.rule.model_copy(
        update={"field": f"{RULES_FIELD}.{column.field}.text"}
    )
    return replace(column, rule=rule, schema={})


def report_unsuitable_layout(
    guess: KindTable, layout: str, missing_fields: Sequence[str], errors: Sequence[Finding]
) -> Finding:
    """Report why a layout was not used."""
    reason: Message | str = ""
    if missing_fields:
        form = _("the table has no columns for its fields {listed}")
        reason = _(form, listed=", ".join(missing_fields))
    elif errors:
        reason = errors[0].message
    form = _("the layout {layout} was not used: {reason}. The design was made from the columns")
    message = _(form, layout=layout, reason=reason)
    hint = _("Give the columns the names of the layout's fields, or choose another layout.")
    location = guess.table.place(guess.table.rows[0].number, 0)
    return file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.WARNING)


def report_unprinted(guess: KindTable, layout: str, names: Sequence[str]) -> list[Finding]:
    """Report columns that are fields of the cards, but are not on their faces."""
    if not names:
        return []
    form = _("the layout {layout} does not print the columns {listed}")
    message = _(form, layout=layout, listed=", ".join(names))
    hint = _("Add them to the template of the front, or leave out --layout.")
    location = guess.table.place(guess.table.rows[0].number, 0)
    return [file_codes.TABLE_COLUMN.finding(message, location, hint, Severity.WARNING)]
