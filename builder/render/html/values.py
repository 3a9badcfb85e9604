"""Format card values for print: numbers, dates, lists, yes and no."""

import re
from collections.abc import Callable, Mapping
from datetime import date

from builder.messages import Message, translate

NO_VALUE = "\N{EN DASH}"
DECIMAL_COMMA_LANGUAGES = frozenset(
    (
        "be",
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "eu",
        "fi",
        "fr",
        "gl",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "lt",
        "lv",
        "mk",
        "nb",
        "nl",
        "nn",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "tr",
        "uk",
        "vi",
    )
)
DATE_PATTERNS = {
    "cs": "{day}. {month}. {year}",
    "de": "{day:02}.{month:02}.{year}",
    "es": "{day:02}/{month:02}/{year}",
    "fi": "{day}.{month}.{year}",
    "fr": "{day:02}/{month:02}/{year}",
    "it": "{day:02}/{month:02}/{year}",
    "nb": "{day:02}.{month:02}.{year}",
    "nl": "{day:02}-{month:02}-{year}",
    "pl": "{day:02}.{month:02}.{year}",
    "pt": "{day:02}/{month:02}/{year}",
    "ru": "{day:02}.{month:02}.{year}",
    "tr": "{day:02}.{month:02}.{year}",
    "uk": "{day:02}.{month:02}.{year}",
}
"""Forms of a date by language. English spells the month; other languages keep the ISO form."""
ENGLISH_MONTHS = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def format_value(value: object, lang: str, find_label: Callable[[str], str]) -> str:
    """Return a value of a card as text in a language.

    `find_label` returns a label of the pack in this language, or an empty text if it has none.
    Labels `yes`, `no` and `decimal` replace the program's own words.
    """
    if value is None or value == "":
        return NO_VALUE
    # Before numbers: in Python True is an int.
    if isinstance(value, bool):
        name = "yes" if value else "no"
        return find_label(name) or translate(Message(name), lang)
    if isinstance(value, int | float):
        return format_number(value, find_label("decimal") or get_decimal_sign(lang))
    if isinstance(value, Mapping):
        return _format_map(value, lang, find_label)
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(format_value(item, lang, find_label) for item in value)
    text = str(value)
    return format_date(text, lang) if _ISO_DATE.fullmatch(text) else text


def get_decimal_sign(lang: str) -> str:
    """Return the decimal sign of a language, a point or a comma."""
    return "," if lang.partition("-")[0] in DECIMAL_COMMA_LANGUAGES else "."


def format_number(number: int | float, decimal_sign: str) -> str:
    """Return a number as text, without ".0".

    There is no sign between thousands: it may be a code.
    """
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    text = str(number) if isinstance(number, int) else repr(number)
    return text.replace(".", decimal_sign).replace("-", "\N{MINUS SIGN}")


def format_date(text: str, lang: str) -> str:
    """Return an ISO date as a language writes it. Other texts stay the same."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    language = lang.partition("-")[0]
    if language == "en":
        return f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}"
    pattern = DATE_PATTERNS.get(language)
    if pattern is None:
        return text
    return pattern.format(day=day.day, month=day.month, year=day.year)


def _format_map(
    value: Mapping[str, object], lang: str, find_label: Callable[[str], str]
) -> str:
    """Return the name of an item as text, or its parts with their keys if it has no name."""
    if "name" in value:
        return format_value(value["name"], lang, find_label)
    parts: list[str] = []
    for key, item in value.items():
        heading = find_label(key) or key
        parts.append(f"{heading}: {format_value(item, lang, find_label)}")
    return "; ".join(parts)
