"""Texts of cells as values of cards, by the types that a schema allows. Pure."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from builder.model.base import Json
from builder.model.table import ColumnRule
from builder.packs.schema.wording import name_json_type
from builder.packs.tables.column_types import (
    NO_MARKS,
    NO_WORDS,
    YES_MARKS,
    YES_WORDS,
    split_items,
)
from builder.packs.tables.numbers import GROUPED_NUMBER, clean_number
from builder.packs.tables.sheet import CellValue, TableCell, format_value
from builder.packs.yaml.reading import parse_document, parse_scalar

YES = YES_WORDS | YES_MARKS | {"1"}
NO = NO_WORDS | NO_MARKS | {"0"}
THOUSANDS_RULES: tuple[dict[str, str], ...] = ({",": ""}, {".": ""})
"""Values of `replace` that remove thousands separators."""
NO_RULE = ColumnRule(field="")
CellContent: TypeAlias = TableCell | CellValue | Json


@dataclass(frozen=True, slots=True)
class AllowedTypes:
    """The JSON types that a field may have, and those of its items if it is a list.

    `is_rich` is true for a text with markup.
    """

    types: Collection[str]
    item_types: Collection[str] = ()
    is_rich: bool = False


def format_cell(cell: CellContent) -> str:
    """Return a cell or a value as text, without white space around it."""
    return cell.text if isinstance(cell, TableCell) else format_value(cell)


def replace_cell_parts(
    cell: CellContent, allowed: AllowedTypes, rule: ColumnRule
) -> str:
    """Return the text of a cell after the replacements of its column's rule.

    It has markup if the field allows it.
    """
    text = format_cell(cell)
    # `1,5` among thousands is no 15.
    if dict(rule.replace) in THOUSANDS_RULES and not GROUPED_NUMBER.fullmatch(text):
        return text
    # Stars that are replaced are the author's own, so markup must not add others.
    has_stars = any("*" in old for old in rule.replace)
    if allowed.is_rich and isinstance(cell, TableCell) and not has_stars:
        text = cell.markup
    return replace_parts(text, rule.replace)


def read_value(cell: CellContent, allowed: AllowedTypes, rule: ColumnRule) -> Json:
    """Convert a cell to a value of the allowed types. Return None for an empty cell."""
    if isinstance(cell, list | dict):
        return cell
    text = format_cell(cell)
    if text in rule.values:
        return wrap_listed_value(rule.values[text], allowed.types)
    text = replace_cell_parts(cell, allowed, rule)
    return read_text(text, allowed, rule) if text else None


def read_text(text: str, allowed: AllowedTypes, rule: ColumnRule) -> Json:
    """Convert the text of a cell to a value of the allowed types."""
    types = allowed.types
    if "string" in types and len(set(types)) == 1:
        return text
    value = read_flow_value(text, types)
    if isinstance(value, list):
        return [
            rule.values.get(item, item) if isinstance(item, str) else item
            for item in value
        ]
    if value is not None:
        return value
    if "array" in types and ("string" not in types or re.search("[,;\n]", text)):
        return read_list(text, allowed.item_types, rule)
    return read_scalar(text, types)


def read_list(text: str, item_types: Collection[str], rule: ColumnRule) -> list[Json]:
    """Convert a text such as "swift, small" to a list of values."""
    allowed = AllowedTypes(item_types)
    separator = rule.split or guess_separator(text)
    return [read_value(part, allowed, rule) for part in split_items(text, separator)]


def wrap_listed_value(value: Json, types: Collection[str]) -> Json:
    """Return a value, inside a list if only a list is allowed."""
    if value is None or isinstance(value, list):
        return value
    is_list = "array" in types and "string" not in types
    return [value] if is_list else value


def replace_parts(text: str, replacements: Mapping[str, str]) -> str:
    """Replace parts of a text, one after the other."""
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text


def read_flow_value(text: str, types: Collection[str]) -> Json:
    """Return the value of a text that is written as YAML, such as `[]` or `{a: 1}`, else None."""
    # Any text is YAML of some sort. Only these characters show that it is meant as YAML.
    if text[0] not in '"[{':
        return None
    document, findings = parse_document(text, "")
    if document is None or findings:
        return None
    is_allowed = not types or name_json_type(document.value) in types
    return document.value if is_allowed else None


def guess_separator(text: str) -> str:
    """Return the character that separates the items of a list in a text."""
    if ";" in text:
        return ";"
    return "\n" if "\n" in text else ","


def read_scalar(text: str, types: Collection[str]) -> Json:
    """Convert a text to the number or truth value that it shows, if these types are allowed."""
    if "boolean" in types and text.lower() in YES | NO:
        return text.lower() in YES
    if not types:
        # Without a schema, a decimal comma between digits shows that a text is a number.
        decimal = re.sub(r"^([-+]?\d+),(\d+)$", r"\1.\2", text)
        return parse_scalar(decimal)
    if "number" not in types and "integer" not in types:
        return text
    number = parse_scalar(clean_number(text))
    if isinstance(number, bool) or not isinstance(number, int | float):
        return text
    # Spreadsheets store whole numbers as floats.
    if isinstance(number, float) and number.is_integer() and "integer" in types:
        return int(number)
    return number
