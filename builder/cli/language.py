"""The language in which the program speaks, chosen apart from that of the cards."""

import gettext
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence

from builder.messages import DOMAIN, LOCALE_FOLDER, Message, gettext as _, list_languages

OPTION, VARIABLE = "--interface-lang", "SQUADPRESS_LANG"
"""What names the language on the command line and in the environment."""
CARDS, MAKES_CARDS = "--lang", {"build", "fit", "notes", "screens", "translations", "watch"}
"""The option that names the language of cards, and the commands in which it means nothing else."""


def named_language(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str | None:
    """The language that is asked for in so many words; None if there is none."""
    return (
        next(_stated(OPTION, sys.argv if words is None else words), None)
        or environment.get(VARIABLE)
        or None
    )


def interface_language(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """The first that the program has words for: `--lang` of a command that makes no cards, the named language, that of
    the system, `--lang` of cards; else English.

    Read from the words themselves: a line that is wrong elsewhere never gets as far as its options.
    """
    words = sys.argv if words is None else words
    cards, named = tuple(_stated(CARDS, words)), named_language(words, environment) or ""
    system = next(
        filter(None, (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), ""
    )
    asked = (named, system, *cards) if MAKES_CARDS & set(words[1:4]) else (*cards, named, system)
    return next((lang for lang in map(_short, asked) if lang in list_languages()), "en")


def not_spoken(
    words: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """What to say of a language that is named and that the program has no words for; nothing of one that it has."""
    named = _short(named_language(words, environment) or "en")
    if named in list_languages():
        return ""
    told = _(
        "squadpress is not translated into {lang}. Available languages: {spoken}. In a "
        "source checkout, run `make messages`."
    )
    return Message(told, lang=named, spoken=", ".join(list_languages()))


def let_click_speak(lang: str) -> None:
    """Click looks up its own words with the standard library: let it find our catalogues, and this language."""
    gettext.bindtextdomain(DOMAIN, LOCALE_FOLDER)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang


def _short(lang: str) -> str:
    return re.split("[-_.:@]", lang)[0]


def _stated(option: str, words: Sequence[str]) -> Iterator[str]:
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if word == option:
            yield following
        elif word.startswith(f"{option}="):
            yield word.partition("=")[2]
