"""Which words stand by themselves: a line of them is as wide as they and the spaces between them are.

That holds where no space touches its neighbours: no kerning with it, no rule of the font that looks across it, one font
for all letters, and nothing that depends on the script. A test proves it for the families and letters named here from
the font files. All else is left to the engine.
"""

from __future__ import annotations

import re
from typing import Any

FAMILIES = frozenset({"Roboto"})
"""Font families whose words stand by themselves."""

CYRILLIC, LATIN = "А-Яа-яЁё", "A-Za-z"
COMMON = r"0-9.,:;!?()«»+\-–—−%″\[\]…/ \u00a0"
"""Letters that words may be made of, as in a regular expression."""

KERNED = "TТ"
"""The Latin and the Cyrillic letter that are kerned with a space."""

_SCRIPTS = tuple(re.compile(f"[{letters}{COMMON}]+").fullmatch for letters in (CYRILLIC, LATIN))
_START = re.compile(rf"[{CYRILLIC}{LATIN}0-9(«+−–—\[]")
_END = re.compile(r".*[А-СУ-Яа-яЁёA-SU-Za-z0-9.,:;!?)»%″\]…–—]")
_UNBROKEN = re.compile(rf"[«(\[]?[{CYRILLIC}{LATIN}0-9]*[%″]?[.,:;!?)»\]…]*|[\ue000-\uf8ff]+")

NORMAL = {
    "word_spacing": 0,
    "overflow_wrap": "normal",
    "word_break": "normal",
    "direction": "ltr",
    "hyphens": "manual",
    "text_decoration_line": "none",
    "font_kerning": "auto",
    "font_variant_ligatures": "normal",
    "font_variant_position": "normal",
    "font_variant_caps": "normal",
    "font_variant_numeric": "normal",
    "font_variant_alternates": "normal",
    "font_variant_east_asian": "normal",
    "font_feature_settings": "normal",
    "font_variation_settings": "normal",
    "font_language_override": "normal",
}
"""What a style must not change for the sums to hold."""


def plain(text: str) -> bool:
    """True if a text's words may stand by themselves. Where scripts meet, a run of letters ends, and kerning with it;
    some marks keep together what a space stands between.
    """
    if not (_SCRIPTS[0](text) or _SCRIPTS[1](text)):
        return False
    return not ("  " in text or "» (" in text or "» [" in text or "— —" in text)


def starts(word: str) -> bool:
    """True if a line may end at a space before this word."""
    return bool(_START.match(word))


def ends(word: str) -> bool:
    """True if a line may end at a space after this word, and the space is not kerned with it."""
    return bool(_END.fullmatch(word))


def unbroken(word: str) -> bool:
    """True if a line cannot end inside a word; otherwise it may."""
    return bool(_UNBROKEN.fullmatch(word))


def usual(style: Any) -> bool:
    """True if no more than a style's font and the space between letters tells how large its texts are."""
    if not style["font_size"] or style["white_space"] not in ("normal", "nowrap"):
        return False
    return all(style[name] == value for name, value in NORMAL.items())


def proved(style: Any) -> bool:
    """True if words of a usual style stand by themselves, unless its family is missing."""
    return style["font_family"][0] in FAMILIES and not style.font_config._folder
