"""Words in messages: terms, lists, and suggestions for misspelt words. Pure."""

import csv
from collections.abc import Iterable
from io import StringIO

from builder.messages import Message, gettext as _

_WORDS = (
    # Sides, sorts of names, what became of a card: only here for translators.
    # Sides of a card and of a cut, and how a shop reads pairs.
    *(
        _("front"),
        _("back"),
        _("front-back"),
        _("back-front"),
        _("left"),
        _("right"),
        _("top"),
        _("bottom"),
    ),
    # What a pack knows by name.
    *(
        _("attack"),
        _("card"),
        _("choice"),
        _("faction"),
        _("icon"),
        _("keyword"),
        _("kind"),
        _("label"),
        _("link"),
    ),
    *(_("parameter"), _("stat"), _("term"), _("value"), _("language"), _("gauge")),
    # What a field or a card has become in a release.
    *(
        _("art"),
        _("cost"),
        _("name"),
        _("slot"),
        _("translation"),
        _("wording"),
        _("rules"),
        _("misprint"),
    ),
    *(
        _("rule text"),
        _("added"),
        _("changed"),
        _("deleted"),
        _("gone"),
        _("merged"),
        _("new"),
        _("renamed"),
    ),
    *(_("split"), _("vanished"), _("work")),
    # What stands on a page, and the files of a sealed squad.
    *(_("drawing"), _("gradient"), _("image"), _("text"), _("key"), _("disclosure")),
)
NOTE_PARTS = ("summary", "points", "cards")
"""The parts of release notes: ten lines at most, changed costs, and every card."""
FORMULA_STARTS = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
"""Characters with which a formula begins, when a spreadsheet reads CSV."""
_TERMS = {term.msgid: term for term in _WORDS}


def get_term(word: str) -> Message:
    """Return the translatable message for a term of the program, or the word itself."""
    return _TERMS.get(word) or Message(word)


LANGUAGE_NAMES = {
    "ar": _("Arabic"),
    "cs": _("Czech"),
    "da": _("Danish"),
    "de": _("German"),
    "el": _("Greek"),
    "en": _("English"),
    "es": _("Spanish"),
    "fi": _("Finnish"),
    "fr": _("French"),
    "he": _("Hebrew"),
    "hu": _("Hungarian"),
    "it": _("Italian"),
    "ja": _("Japanese"),
    "ko": _("Korean"),
    "nb": _("Norwegian"),
    "nl": _("Dutch"),
    "pl": _("Polish"),
    "pt": _("Portuguese"),
    "ru": _("Russian"),
    "sv": _("Swedish"),
    "tr": _("Turkish"),
    "uk": _("Ukrainian"),
    "zh": _("Chinese"),
}
"""The languages that packs are most often written in, by their ISO 639-1 code."""


def name_language(lang: str) -> Message:
    """Return the name of a language by its code, such as "en" or "pt-BR".

    The code itself if it is not known here.
    """
    base, _dash, region = lang.partition("-")
    name = LANGUAGE_NAMES.get(base)
    if name is None:
        return Message(lang)
    if not region:
        return name
    return _("{language} ({region})", language=name, region=region)


def guard_cell(text: str) -> str:
    """Return a text as a CSV cell. An apostrophe keeps spreadsheets from reading a formula."""
    # Apostrophes of the text itself get one more, so that reading removes the right one.
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) else text


def unguard_cell(text: str) -> str:
    """Return the text of a CSV cell without the apostrophe that `guard_cell` added."""
    is_guarded = text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS)
    return text[1:] if is_guarded else text


def format_csv_line(cells: Iterable[object]) -> str:
    """Return a row of CSV with LF at its end."""
    line = StringIO()
    # The writer quotes only characters of its own line end, and a lone CR must be quoted too.
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def find_nearest(word: str, known_words: Iterable[str]) -> str | None:
    """Return the most similar known word, or None if none is similar."""
    from difflib import get_close_matches

    words_by_folded = {item.casefold(): item for item in known_words}
    matches = get_close_matches(word.casefold(), words_by_folded, n=1, cutoff=0.6)
    return words_by_folded[matches[0]] if matches else None


def list_words(words: Iterable[str], limit: int = 12) -> str:
    """Return words as a sorted list in a message, shortened after `limit` words."""
    sorted_words = sorted(words)
    rest_count = len(sorted_words) - limit
    listed = ", ".join(sorted_words[:limit])
    if rest_count <= 0:
        return listed
    return _("{listed} and {rest} more", listed=listed, rest=rest_count)


def suggest_word(
    word: str, known_words: Iterable[str], list_label: str = _("Known values")
) -> str:
    """Return a hint for an unknown word: the most similar known word, or all known words."""
    words = tuple(known_words)
    nearest_word = find_nearest(word, words)
    if nearest_word:
        return _("Did you mean {word}?", word=nearest_word)
    if not words:
        return ""
    return _("{what}: {listed}.", what=list_label, listed=list_words(words))
