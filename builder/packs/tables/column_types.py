"""What the cells of one column seem to hold. Pure."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor

from builder.model.base import Json
from builder.model.markup import parse_and_check
from builder.packs.tables.column_names import is_likely_rules_name, is_rich_text_name
from builder.packs.tables.numbers import (
    find_thousands_separator,
    is_plain_number,
    parse_number,
)

MIN_RICH_TEXT_CHARACTERS = 40
"""Length from which a text is taken for rules."""
MAX_CHOICES = 8
MAX_CHOICE_CHARACTERS = 24
MAX_ITEM_CHARACTERS = 24
MAX_STAT_CHARACTERS = 10
NUMBER_STEPS = (10, 20, 50, 100, 1000, 10**9)
"""The highest values that a schema gives to a number."""
YES_WORDS = frozenset(("true", "yes", "y", "ja", "да", "истина", "wahr", "checked"))
NO_WORDS = frozenset(("false", "no", "n", "nein", "нет", "ложь", "falsch", "unchecked"))
YES_MARKS = frozenset(("x", "х", "✓", "✔", "☑", "✅"))
NO_MARKS = frozenset(("-", "–", "—", "✗", "✘", "☐", "❌"))
EMPTY_MARKS = frozenset(("-", "–", "—", "n/a", "na", "none"))
"""What stands for no value in a column of numbers."""
STAT_WORD = re.compile(
    r"[+\-−±~<>≤≥]?\d+(?:[.,/:]\d+)*(?:[\"'″′+*%]|[A-Za-z]{1,2})?"
    r"|\d*[dDwWкКд]\d+(?:[+\-−]\d+)?|[+\-−]?[xXyYzZ*∞?]|\d+[-–/]\d+|[€$£₽]\s?\d+(?:[.,]\d+)*"
    r"|\d+(?:[.,]\d+)*\s?(?:[€$£₽]|EUR|USD)"
)
"""A value of a card that is no plain number: `2+`, `X`, `1/4`, `2d6`, `50%`, `6"`."""
CODE = re.compile(
    r"[\w./\\-]+\.(?:png|jpe?g|webp|gif|tiff?|svg|pdf|psd|ai|txt|mp3|ogg|wav)"
    r"|(?=(?:.*\d){2})(?:[A-Z0-9]+[-_./])+[A-Z0-9]+|[A-Z]{2,}\d{3,}|https?://\S+"
)
"""A file name, an address, or a code such as FX-0042 or SKU1234: the same in every language."""
LONG_NUMBER = re.compile(r"\d{16,}|0\d+")
"""A code of digits: as a number it would lose some."""
SEPARATORS = ("\n", "; ", ";", " | ", "|", ". ", ", ", ",", " / ", "/")
"""Signs between the items of a list. The first one that fits is used."""


@dataclass(frozen=True, slots=True)
class CellType:
    """The type of a column's cells: its JSON schema, and how texts become values."""

    name: str
    schema: Mapping[str, Json]
    split: str = ""
    values: Mapping[str, Json] = field(default_factory=dict)
    replace: Mapping[str, str] = field(default_factory=dict)


def guess_cell_type(
    name: str,
    texts: Sequence[str],
    can_be_choice: bool = True,
    has_styles: bool = False,
) -> CellType:
    """Guess the type of a column from the texts of its cells.

    `has_styles` is true if words in its cells are bold or italic, which only rules can be.
    """
    if not texts:
        return make_text_type(texts, is_rich_text_name(name))
    if has_styles or is_rich_text_name(name):
        return make_text_type(texts, is_rich=True)
    # The strictest type first: numbers are texts too.
    cell_type = (
        guess_numbers(texts)
        or guess_flags(texts)
        or guess_codes(texts, can_be_choice)
        or guess_list(texts)
    )
    if cell_type is not None:
        return cell_type
    if can_be_choice and has_repeated_texts(texts):
        choices = list[Json](dict.fromkeys(texts))
        return CellType("choice", {"enum": choices, "x-text": "plain"})
    is_long = any(len(text) > MIN_RICH_TEXT_CHARACTERS for text in texts)
    return make_text_type(texts, is_long or is_likely_rules_name(name))


def guess_flags(texts: Sequence[str]) -> CellType | None:
    """Return a yes/no type if all texts mean yes or no, or are marks such as ✓, else None."""
    return CellType("flag", {"type": "boolean"}) if are_yes_no(texts) else None


def guess_codes(texts: Sequence[str], can_be_choice: bool) -> CellType | None:
    """Return a text type without translation if all texts are codes or file names, else None."""
    if not all(CODE.fullmatch(text) or LONG_NUMBER.fullmatch(text) for text in texts):
        return None
    if can_be_choice and has_repeated_texts(texts):
        return CellType("choice", {"enum": list[Json](dict.fromkeys(texts))})
    return CellType("text", {"type": "string", "minLength": 1})


def guess_list(texts: Sequence[str]) -> CellType | None:
    """Return a list type if the texts are lists, else None."""
    are_lists = all(read_json_list(text) is not None for text in texts)
    separator = "" if are_lists else find_separator(texts)
    if not separator and not are_lists:
        return None
    items: dict[str, Json] = {"type": "string", "minLength": 1}
    return CellType("list", {"type": "array", "items": items}, separator)


def is_stat_word(word: str) -> bool:
    """Return True if a word looks like the value of a stat, such as "2+" or "1/4"."""
    return len(word) <= MAX_STAT_CHARACTERS and STAT_WORD.fullmatch(word) is not None


def guess_numbers(texts: Sequence[str]) -> CellType | None:
    """Return a number type if the texts are numbers or stats such as "2+", else None."""
    marks = [text for text in dict.fromkeys(texts) if text.lower() in EMPTY_MARKS]
    values = [text for text in texts if text not in marks]
    if not values or any(LONG_NUMBER.fullmatch(text) for text in values):
        return None
    cell_type = guess_number_type(values)
    if cell_type is None:
        return None
    no_values: dict[str, Json] = dict.fromkeys(marks)
    return replace(cell_type, values=no_values)


def guess_number_type(values: Sequence[str]) -> CellType | None:
    """Return a number type, or a type for numbers and stats such as "2+", or None."""
    sign = find_thousands_separator(values)
    if sign:
        plain_numbers = [parse_number(text.replace(sign, "")) for text in values]
        return replace(make_number_type(plain_numbers), replace={sign: ""})
    numbers = [parse_number(text) for text in values if is_plain_number(text)]
    if len(numbers) == len(values):
        return make_number_type(numbers)
    words = [text for text in values if not is_plain_number(text)]
    has_digits = re.search(r"\d", "".join(values)) is not None
    if not has_digits or not all(map(is_stat_word, words)):
        return None
    return CellType("number", {"type": choose_stat_types(numbers)})


def choose_stat_types(numbers: Sequence[float]) -> Json:
    """Return the JSON types of a stat that may be a number or a word."""
    return [name_number_type(numbers), "string"] if numbers else "string"


def name_number_type(numbers: Sequence[float]) -> str:
    """Return "integer" if all numbers are whole, else "number"."""
    return "integer" if all(number.is_integer() for number in numbers) else "number"


def make_number_type(numbers: Sequence[float]) -> CellType:
    """Return a number type with a range that leaves room for similar cards."""
    minimum = floor(min(0.0, *numbers))
    schema: dict[str, Json] = {"type": name_number_type(numbers), "minimum": minimum}
    for step in NUMBER_STEPS:
        if max(numbers) <= step:
            schema["maximum"] = step
            break
    return CellType("number", schema)


def are_yes_no(texts: Sequence[str]) -> bool:
    """Return True if all texts are yes or no in some language, or marks such as ✓."""
    words = {text.lower() for text in texts}
    if words <= YES_WORDS | NO_WORDS:
        return True
    # Dashes alone stand for empty cells.
    return words <= YES_MARKS | NO_MARKS and not words <= NO_MARKS


def has_repeated_texts(texts: Sequence[str]) -> bool:
    """Return True if the texts are few short values that repeat, such as "common"."""
    values = set(texts)
    are_short = all(len(value) <= MAX_CHOICE_CHARACTERS for value in values)
    return are_short and len(values) <= MAX_CHOICES and 2 * len(values) <= len(texts)


def find_separator(texts: Sequence[str]) -> str:
    """Return the separator of lists in these texts, or "" if they are not lists.

    A sign counts only if most cells agree, and its items repeat across rows.
    """
    for separator in SEPARATORS:
        if is_separator(separator, texts):
            return separator
    return ""


def is_separator(separator: str, texts: Sequence[str]) -> bool:
    """Return True if the separator splits most texts into items that repeat."""
    if not any(separator in text for text in texts):
        return False
    items_by_text = [split_items(text, separator) for text in texts]
    rows_by_item: Counter[str] = Counter()
    for items in items_by_text:
        rows_by_item.update(set(items))
    longest = max(map(len, rows_by_item), default=0)
    has_words = any(re.search(r"[^\W\d]", item) for item in rows_by_item)
    has_repeated_items = any(count > 1 for count in rows_by_item.values())
    if longest > MAX_ITEM_CHARACTERS or not has_words or not has_repeated_items:
        return False
    split_count = sum(1 for items in items_by_text if len(items) > 1)
    single_items = [items[0] for items in items_by_text if len(items) == 1]
    # A cell without the sign agrees if its item is in another cell too.
    known_count = sum(1 for item in single_items if rows_by_item[item] > 1)
    return split_count > 0 and 2 * (split_count + known_count) > len(texts)


def choose_keyword_separator(texts: Sequence[str]) -> str:
    """Return the separator between the keywords in these texts."""
    for separator in SEPARATORS:
        if any(len(split_items(text, separator)) > 1 for text in texts):
            return separator
    if any(text.endswith(".") for text in texts):
        return ". "
    return ", "


def read_json_list(text: str) -> list[str] | None:
    """Return the items of a JSON list of texts, such as `["swift", "small"]`, or None."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        items = json.loads(text)
    except ValueError:
        return None
    return items if all(isinstance(item, str) for item in items) else None


def split_items(text: str, separator: str) -> list[str]:
    """Split a text into the items of a list, without empty ones."""
    items = []
    for part in text.split(separator):
        item = part.strip()
        if separator.startswith("."):
            item = item.removesuffix(".").rstrip()
        if item:
            items.append(item)
    return items


def make_text_type(texts: Sequence[str], is_rich: bool) -> CellType:
    """Return a text type. In rules text, characters that are no markup are escaped."""
    schema: dict[str, Json] = {
        "type": "string",
        "minLength": 1,
        "x-text": "rich" if is_rich else "plain",
    }
    escapes = find_escapes(texts) if is_rich else {}
    return CellType("text", schema, replace=escapes)


def find_escapes(texts: Sequence[str]) -> dict[str, str]:
    """Return replacements for braces and stars that are no markup in these texts."""
    codes: set[str] = set()
    for text in texts:
        codes.update(error.code for error in parse_and_check(text).errors)
    escapes: dict[str, str] = {}
    if codes - {"stars"}:
        escapes |= {"{": "\\{", "}": "\\}"}
    if "stars" in codes:
        escapes |= find_star_escapes(texts)
    return escapes


def find_star_escapes(texts: Sequence[str]) -> dict[str, str]:
    """Return replacements for stars that are no markup, as in "A*".

    Only words with them are replaced if other stars are markup.
    """
    escapes: dict[str, str] = {}
    for text in texts:
        for error in parse_and_check(text).errors:
            if error.code == "stars":
                word = find_word(text, error.offset)
                escapes[word] = word.replace("*", "\\*")
    # Replacing a word may break pairs of stars in another text. Then no star is markup.
    for text in texts:
        escaped_text = text
        for old, new in escapes.items():
            escaped_text = escaped_text.replace(old, new)
        if any(error.code == "stars" for error in parse_and_check(escaped_text).errors):
            return {"*": "\\*"}
    return escapes


def find_word(text: str, offset: int) -> str:
    """Return the word at an offset of a text."""
    for match in re.finditer(r"\S+", text):
        if match.start() <= offset < match.end():
            return match[0]
    return text[offset]
