"""Correct quotes, dashes, spaces and dice notation in the texts of cards. Pure."""

import re
from collections.abc import Callable

QUOTES = {
    "de": ("„", "“"),
    "fr": ("«\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}»"),
    "pl": ("„", "”"),
    "es": ("«", "»"),
    "it": ("«", "»"),
    "ru": ("«", "»"),
    "uk": ("«", "»"),
}
DEFAULT_QUOTES = ("“", "”")
SPACED_DASHES = {"ru": "—", "uk": "—"}
DEFAULT_DASH = "–"
_TAG = re.compile(r"\{[a-z]+:[^{}|]*")
"""The part of a tag that is not printed."""
_PLACEHOLDER = "\ue000"
"""A character for private use, which no text of a card should have."""
# Between two letters, or after a plural in s: `player's`, `players'`.
_APOSTROPHE = re.compile(r"(?<=[\w}])'(?=\w)|(?<=s)'(?=[\s.,;:!?)]|$)")
# After a number or a tag, the character means inches.
_QUOTE = re.compile(r'(?<![\d}])"')
# A hyphen between spaces stands for a dash.
_SPACED_HYPHEN = re.compile(r"(?<=\S) - (?=\S)")
# A hyphen before a number is a minus, unless a word or another hyphen precedes it.
_MINUS = re.compile(r"(?<![\w-])-(?=\d)")
# `3-5`, but not a part of `1-2-3`.
_RANGE = re.compile(r"(?<![\d-])(\d+)-(\d+)(?![\d-])")
_SPACES = re.compile(r"(?<=\S) {2,}(?=\S)")
_SPACES_AT_END = re.compile(r"[ \t]+(?=\n|\Z)")
# Count, letter, sides and bonus. Other numbers of sides are not those of dice that exist.
_DICE = re.compile(
    r"(?<![^\W_])(\d*)([dD])([34680]|10|12|20|66|100)(?!\d)((?:[+−-]\d+)?)(?![^\W\d_])"
)


def correct_text(text: str, lang: str, die: str, *, is_marked_up: bool) -> str:
    """Return a text with the quotes, dashes and dice of its language.

    `die` is the pack's letter for dice. Tags keep their ids. In a text with markup, dice become the
    tag `dice`.
    """
    if not is_marked_up:
        corrected = _correct_dice(text, die, is_marked_up=False)
        return _correct_signs(corrected, lang)
    corrected = _correct_between_tags(
        text, lambda part: _correct_dice(part, die, is_marked_up=True)
    )
    # The tags of dice are among those that keep their ids now.
    return _correct_between_tags(corrected, lambda part: _correct_signs(part, lang))


def _correct_between_tags(text: str, correct: Callable[[str], str]) -> str:
    """Correct a text, and keep its tags unchanged."""
    # Tags could not be put back in their places.
    if _PLACEHOLDER in text:
        return text
    corrected = correct(_TAG.sub(_PLACEHOLDER, text))
    for tag in _TAG.findall(text):
        corrected = corrected.replace(_PLACEHOLDER, tag, 1)
    return corrected


def _correct_signs(text: str, lang: str) -> str:
    """Correct apostrophes, quotes, dashes and spaces."""
    corrected = _correct_quotes(_APOSTROPHE.sub("’", text), lang)
    corrected = _correct_dashes(corrected, lang)
    return _SPACES_AT_END.sub("", _SPACES.sub(" ", corrected))


def _correct_quotes(text: str, lang: str) -> str:
    """Replace straight quotes by the quotes of the language.

    An odd quote may be a mark for inches, so then all stay.
    """
    quote_count = text.count('"')
    if quote_count % 2 or quote_count != len(_QUOTE.findall(text)):
        return text
    opening, closing = QUOTES.get(lang.partition("-")[0], DEFAULT_QUOTES)
    parts = text.split('"')
    corrected = parts[0]
    for index, part in enumerate(parts[1:]):
        quote = closing if index % 2 else opening
        corrected += quote + part
    return corrected


def _correct_dashes(text: str, lang: str) -> str:
    """Replace hyphens by dashes between words and numbers, and by minus signs."""
    dash = SPACED_DASHES.get(lang.partition("-")[0], DEFAULT_DASH)
    corrected = _SPACED_HYPHEN.sub(f" {dash} ", text)
    corrected = _RANGE.sub("\\1–\\2", corrected)
    return _MINUS.sub("−", corrected)


def _correct_dice(text: str, die: str, *, is_marked_up: bool) -> str:
    """Write dice as the tag `dice`, or with the pack's letter in a text without markup."""

    def correct(match: re.Match[str]) -> str:
        count, letter, sides, bonus = match.groups()
        # A text with the pack's own letter is correct already.
        if letter == die:
            return match[0]
        if is_marked_up:
            bonus = bonus.replace("−", "-")
            return f"{{dice:{count}d{sides}{bonus}}}"
        return f"{count}{die}{sides}{bonus}"

    return _DICE.sub(correct, text)
