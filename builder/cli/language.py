"""The language of the program, which is separate from the language of the cards."""

import gettext
import os
import re
import sys
from collections.abc import Mapping, Sequence

from builder.messages import (
    DOMAIN,
    LOCALE_FOLDER,
    Message,
    gettext as _,
    list_languages,
)

OPTION = "--interface-lang"
VARIABLE = "SQUADPRESS_LANG"
CARD_LANGUAGE_OPTION = "--lang"
CARD_COMMANDS = {
    "build",
    "fit",
    "import",
    "new",
    "notes",
    "screens",
    "translations",
    "watch",
}
"""Commands in which `--lang` is only the language of cards."""
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the language of the system; the first one that is set counts."""


def get_requested_language(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str | None:
    """Return the language of `--interface-lang`, or of the environment variable, or None."""
    values = read_option_values(OPTION, sys.argv if words is None else words)
    return (values[0] if values else "") or environment.get(VARIABLE) or None


def get_interface_language(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """Return the language for messages: the first requested one with a translation, or English.

    Candidates are, in this order: `--lang` of a command without cards, `--interface-lang`, the
    environment, the system, and `--lang` of cards.

    The command line is read without click, because a wrong command line is reported in this
    language.
    """
    words = sys.argv if words is None else words
    card_languages = read_option_values(CARD_LANGUAGE_OPTION, words)
    candidates = [
        get_requested_language(words, environment) or "",
        get_system_language(environment),
    ]
    # A command may follow options of the program and the name of its group.
    is_card_command = not CARD_COMMANDS.isdisjoint(words[1:4])
    if is_card_command:
        candidates += card_languages
    else:
        candidates = card_languages + candidates
    for candidate in candidates:
        if get_language_code(candidate) in list_languages():
            return get_language_code(candidate)
    return "en"


def get_system_language(environment: Mapping[str, str]) -> str:
    """Return the language of the operating system. Empty if none is set."""
    values = [environment[name] for name in LOCALE_VARIABLES if environment.get(name)]
    return values[0] if values else ""


def describe_missing_translation(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """Return a warning if the program is not translated to the requested language.

    Otherwise return an empty text.
    """
    requested = get_language_code(get_requested_language(words, environment) or "en")
    if requested in list_languages():
        return ""
    text = _(
        "squadpress is not translated into {lang}. Available languages: {spoken}. In a "
        "source checkout, run `make messages`."
    )
    return Message(text, lang=requested, spoken=", ".join(list_languages()))


def translate_click_messages(lang: str) -> None:
    """Make the messages of the click library use our translation catalogues."""
    gettext.bindtextdomain(DOMAIN, LOCALE_FOLDER)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang


def get_language_code(locale: str) -> str:
    """Return the language code of a locale, such as `de` for `de_DE.UTF-8`."""
    return re.split("[-_.:@]", locale)[0]


def read_option_values(option: str, words: Sequence[str]) -> list[str]:
    """Return all values of an option on a command line: `--option VALUE` or `--option=VALUE`."""
    values = []
    for word, next_word in zip(words, (*words[1:], ""), strict=True):
        if word == option:
            values.append(next_word)
        elif word.startswith(f"{option}="):
            values.append(word.partition("=")[2])
    return values
