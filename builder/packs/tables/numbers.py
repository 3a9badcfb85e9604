"""Numbers as tables show them: with decimal commas, signs of thousands, and currencies. Pure."""

import re
from collections.abc import Sequence

PLAIN_NUMBER = re.compile(r"[-+−]?\d{1,30}(?:[.,]\d{1,30})?")
CURRENCY = r"(?:[€$£₽]|EUR|USD|GBP|RUB|CHF)"
# A currency may be on either side. Groups of 3 digits have the same sign between them.
MONEY = re.compile(
    rf"(?P<before>{CURRENCY}\s*)?"
    r"(?P<whole>[-+−]?[1-9]\d{0,2}(?P<sign>[.,'’\s])\d{3}(?:(?P=sign)\d{3})*"
    rf"|[-+−]?\d{{1,30}})(?P<fraction>[.,]\d{{1,30}})?(?P<after>\s*{CURRENCY})?"
)
GROUPED_NUMBER = re.compile(r"[-+−]?[1-9]\d{0,2}(?:[.,]\d{3})+")
"""A number that may have a sign between groups of 3 digits: `1,250`."""


def is_plain_number(text: str) -> bool:
    """Return True if a text is a number without a currency.

    Signs of thousands must be certain: `1 250`, not `1,250`.
    """
    if PLAIN_NUMBER.fullmatch(text):
        return True
    return has_certain_thousands(MONEY.fullmatch(text)) and not is_money(text)


def is_money(text: str) -> bool:
    """Return True if a text is an amount with a currency, such as "3,50 €"."""
    match = MONEY.fullmatch(text)
    return bool(match and (match["before"] or match["after"]))


def has_certain_thousands(match: re.Match[str] | None) -> bool:
    """Return True if a number certainly has thousands separators, and no decimal sign instead."""
    if not match or not match["sign"]:
        return False
    # A fraction has the decimal sign, so another sign before it is certain.
    return bool(match["fraction"]) or match["sign"] not in ".,"


def clean_number(text: str) -> str:
    """Return a number as digits with a decimal point, without currency. Other texts stay."""
    match = MONEY.fullmatch(text)
    if match and (is_money(text) or has_certain_thousands(match)):
        digits = re.sub(r"[^\d+−-]", "", match["whole"])
        text = digits + (match["fraction"] or "")
    if PLAIN_NUMBER.fullmatch(text):
        return text.replace(",", ".").replace("−", "-")
    return text


def find_thousands_separator(texts: Sequence[str]) -> str:
    """Return the thousands separator of the numbers in a column, or "".

    All numbers that contain it must have groups of 3 digits. A full stop must be in 2 numbers.
    """
    signs = set("".join(texts)) & set(",.")
    if len(signs) != 1 or not all(map(is_plain_number, texts)):
        return ""
    sign = signs.pop()
    grouped_texts = [text for text in texts if sign in text]
    are_groups = all(GROUPED_NUMBER.fullmatch(text) for text in grouped_texts)
    is_certain = sign == "," or len(grouped_texts) > 1
    return sign if are_groups and is_certain else ""


def parse_number(text: str) -> float:
    """Return the number that a text shows. Raise ValueError if it shows none."""
    return float(clean_number(text))
