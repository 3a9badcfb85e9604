"""Numbers and dates as a spreadsheet shows them, by the number format of their cell. Pure.

Number formats have the same language in all spreadsheet programs: `0.00%`, `[$€-407] #,##0.00`,
`d-mmm`, `# ?/?`.
"""

import re
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from builder.packs.tables.sheet import CellValue, format_value

MAX_FORMAT_CHARACTERS = 255
SIGNIFICANT_DIGITS = 15
"""Digits that spreadsheets keep of a number. More would show 0.1 + 0.2 as 0.30000000000000004."""
LARGEST_PLAIN_NUMBER = 10**15
MAX_DECIMALS = 20
CURRENCY_SIGNS = (*"$€£¥₽₴₺₹₩¢", "EUR", "USD", "GBP", "CHF", "RUB", "zł", "kr")
LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]')
"""A quoted text, an escaped character, a space, a fill, a currency, a colour or condition."""
# Digits, and behind them an exponent (`0.0E+00`) or a fraction (`# ?/?`).
DIGITS = re.compile(r"[#0?][#0?,.]*(?:[eE][+-][#0?]+|\s*[?#0]*/[?#0-9]+)?")
# As LITERAL, and then durations (`[h]`) and the parts of dates, which are group 4.
DATE_PARTS = re.compile(
    r'"([^"]*)"|\\(.)|_.|\*.|(\[h+\]|\[m+\]|\[s+\])|\[[^\]]*\]|(y+|m+|d+|h+|s+|am/pm|a/p)',
    re.IGNORECASE,
)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
]


class NumberFormat(NamedTuple):
    """One section of a number format: the digits, and the texts around them."""

    before: str
    digits: str
    after: str

    @property
    def literals(self) -> str:
        """The texts before and after the digits."""
        return self.before + self.after


def format_cell_value(value: object, number_format: str) -> str:
    """Format a value as a spreadsheet program shows it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, date | time | timedelta):
        return format_date(value, number_format)
    if isinstance(value, int | float) and isfinite(value):
        return format_number(value, number_format)
    return format_value(value)


def format_number(value: float, number_format: str) -> str:
    """Format a number by a spreadsheet's number format, such as `0.00%`.

    Separators of thousands are shown only in amounts of money, where they cannot be misread.
    """
    section, needs_minus = choose_section(value, number_format[:MAX_FORMAT_CHARACTERS])
    if section is None:
        return format_plain_number(value)
    sign = "-" if needs_minus else ""
    if not section.digits:
        return f"{sign}{section.literals}".strip()
    # Each sign multiplies by 100, even two of them.
    percent_count = section.literals.count("%")
    digits = format_digits(abs(value) * 100**percent_count, section)
    # A small negative number may be shown as 0, and has no sign then.
    if not digits.strip("0.,"):
        sign = ""
    return f"{sign}{section.before}{digits}{section.after}".strip()


def format_plain_number(value: float) -> str:
    """Format a number as a spreadsheet shows it without a number format."""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < LARGEST_PLAIN_NUMBER:
        return str(int(value))
    return f"{value:.{SIGNIFICANT_DIGITS}g}"


def choose_section(
    value: float, number_format: str
) -> tuple[NumberFormat | None, bool]:
    """Return the section of a number format for a value, and whether a minus sign is added.

    None for a plain number.
    """
    sections = split_sections(number_format)
    if len(sections) > 2 and value == 0:
        return sections[2], False
    if len(sections) > 1 and value < 0:
        return sections[1], False
    return sections[0], value < 0


@lru_cache(maxsize=256)
def split_sections(number_format: str) -> tuple[NumberFormat | None, ...]:
    """Parse the sections of a number format: for positive, negative and zero numbers."""
    sections = []
    for text in split_outside_quotes(number_format):
        is_plain = text.strip().lower() in ("", "general", "standard", "@")
        sections.append(None if is_plain else parse_section(text))
    return tuple(sections)


def split_outside_quotes(number_format: str) -> list[str]:
    """Split a number format at semicolons outside quotes."""
    parts = [""]
    is_quoted = False
    for character in number_format:
        if character == '"':
            is_quoted = not is_quoted
        if character == ";" and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def parse_section(text: str) -> NumberFormat:
    """Parse one section of a number format: text, digits, text."""
    # Literals may contain the characters of digits. They are kept apart by private characters.
    literals: list[str] = []

    def keep_literal(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return chr(0xE000 + len(literals) - 1)

    pattern = LITERAL.sub(keep_literal, text)
    match = DIGITS.search(pattern)
    if match is None:
        return NumberFormat(restore_literals(pattern, literals), "", "")
    before = restore_literals(pattern[: match.start()], literals)
    after = restore_literals(pattern[match.end() :], literals)
    return NumberFormat(before, match[0], after)


def restore_literals(text: str, literals: list[str]) -> str:
    """Replace the placeholders of quoted texts by these texts."""
    for index, literal in enumerate(literals):
        text = text.replace(chr(0xE000 + index), literal)
    return text.replace("General", "").replace("@", "")


def format_digits(value: float, section: NumberFormat) -> str:
    """Format the digits of a number by a section such as `#,##0.00`."""
    digits = section.digits
    if "/" in digits:
        return format_fraction(value, digits)
    exponent = re.search(r"[eE][+-]([#0?]+)$", digits)
    integers, _point, decimals = digits.partition(".")
    if exponent:
        decimals = re.split("[eE]", decimals)[0]
        return f"{value:.{len(decimals)}E}"
    # Each comma at the end divides by 1,000. Others ask for separators.
    digit_places = integers.rstrip(",")
    value /= 1000 ** (len(integers) - len(digit_places))
    is_money = any(sign in section.literals for sign in CURRENCY_SIGNS)
    is_grouped = is_money and "," in digit_places
    separator = "," if is_grouped else ""
    text = f"{value:{separator}.{min(len(decimals), MAX_DECIMALS)}f}"
    # Decimals whose place is `#` or `?` are shown only if they are not 0.
    optional_count = len(decimals) - len(decimals.rstrip("#?"))
    for _index in range(optional_count):
        text = text.removesuffix("0")
    if decimals:
        text = text.removesuffix(".")
    min_digits = integers.count("0")
    if not is_grouped and min_digits > 1:
        integer, point, rest = text.partition(".")
        text = integer.zfill(min_digits) + point + rest
    return text


def format_fraction(value: float, digits_format: str) -> str:
    """Format a number as a fraction: 1.25 in `# ?/?` becomes "1 1/4"."""
    places, _slash, denominator = digits_format.rpartition("/")
    if denominator.isdecimal() and int(denominator):
        parts = int(denominator)
        fraction = Fraction(round(value * parts), parts)
    else:
        # `??` allows denominators of 2 digits.
        digit_count = min(len(denominator), 4)
        fraction = Fraction(value).limit_denominator(10**digit_count - 1)
    has_integer = " " in places.strip()
    integer, rest = divmod(fraction, 1) if has_integer else (0, fraction)
    if not rest:
        return str(int(integer))
    return f"{integer} {rest}" if integer else str(rest)


def format_date(value: date | time | timedelta, number_format: str) -> str:
    """Format a date, time or duration by a number format.

    A whole day with its year is written as in ISO 8601: `2026-05-03`.
    """
    letters = set(list_date_letters(number_format))
    is_full_date = isinstance(value, date) and {"y", "d"} <= letters
    if isinstance(value, timedelta) or is_full_date or not letters:
        return format_value(value)
    return fill_date_format(value, split_outside_quotes(number_format)[0])


def list_date_letters(number_format: str) -> list[str]:
    """Return the first letters of the parts of a date format, such as d, m, y."""
    matches = DATE_PARTS.finditer(number_format)
    return [match[4][0].lower() for match in matches if match[4]]


def fill_date_format(value: date | time, number_format: str) -> str:
    """Format a date or time by a format such as `d-mmm` or `h:mm`."""
    has_half_days = "am/pm" in number_format.lower()
    previous_letter = ""
    next_letters = list_date_letters(number_format)
    texts = []
    end = 0
    for match in DATE_PARTS.finditer(number_format):
        texts.append(number_format[end : match.start()])
        end = match.end()
        if not match[4]:
            texts.append(match[1] or match[2] or "")
            continue
        part = match[4].lower()
        next_letters.pop(0)
        # `m` means minutes after hours and before seconds.
        is_in_time = previous_letter == "h" or next_letters[:1] == ["s"]
        if part[0] == "m" and is_in_time:
            part = "n" * len(part)
        previous_letter = part[0]
        texts.append(format_date_part(value, part, has_half_days))
    texts.append(number_format[end:])
    return "".join(texts).strip()


def format_date_part(value: date | time, part: str, has_half_days: bool) -> str:
    """Format one part of a date, such as `mmm`. Minutes are `nn` here."""
    hour = getattr(value, "hour", 0)
    if part in ("am/pm", "a/p"):
        names = part.upper().split("/")
        return names[hour >= 12]
    if has_half_days:
        hour = hour % 12 or 12
    numbers = {
        "d": getattr(value, "day", 0),
        "m": getattr(value, "month", 0),
        "y": getattr(value, "year", 0),
        "h": hour,
        "n": getattr(value, "minute", 0),
        "s": getattr(value, "second", 0),
    }
    number = numbers[part[0]]
    if part[0] == "y":
        return str(number) if len(part) > 2 else f"{number % 100:02}"
    if len(part) > 2 and isinstance(value, date) and part[0] in "dm":
        name = MONTHS[value.month - 1] if part[0] == "m" else WEEKDAYS[value.weekday()]
        return name if len(part) > 3 else name[:3]
    return f"{number:02}" if len(part) > 1 else str(number)


def convert_to_cell_value(value: object) -> CellValue:
    """Return a value as cells store it. Times and durations become texts."""
    if value is None or isinstance(value, str | int | float | date | datetime):
        return value
    return format_value(value)
