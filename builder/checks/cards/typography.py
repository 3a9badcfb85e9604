"""Texts are typeset, not typed: apostrophes, quotes, dashes, minus signs, one alphabet a word, one sign for a die."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _
from builder.model.base import steps_of, walk
from builder.model.codes import define
from builder.model.loaded import LoadedPack

TYPED = define(
    "text/typography",
    _("A sign of the typewriter in a text"),
    _("What is printed looks careless with it, and a letter of another alphabet is never found by a search."),
    _("Write the sign that printers use."),
    Severity.WARNING,
)

_TAG = re.compile(r"\{[a-z]+:[^{}|]*")
"""The part of a tag that is not printed; its closing brace stays, for what may follow it."""
_LAWS: tuple[tuple[re.Pattern[str], Message, Message], ...] = (
    (
        re.compile(r"(?<=[\w}])'(?=\w)|(?<=s)'(?=[\s.,;:!?)]|$)"),
        _("a straight apostrophe: {spot}"),
        _("Write the curly one, ’."),
    ),
    (
        re.compile(r"(?<![\d}])\""),
        _("straight quotes: {spot}"),
        _("Write the quotes of the language, such as “ ” or « »."),
    ),
    (
        re.compile(r"(?<=\S) - (?=\S)|(?<![\w-])-(?=\d)|(?<![\d-])\d+-\d+(?![\d-])"),
        _("a hyphen for a dash or a minus: {spot}"),
        _("Write a dash (–, —) or a minus (−)."),
    ),
    (
        re.compile(r"[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]"),
        _("a word of two alphabets: {spot}"),
        _("Type the word anew in one alphabet."),
    ),
)
_DICE = re.compile(r"(?<![^\W\d_])[dD](?=(?:[34680]|10|12|20|66|100)(?!\d))")


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every printed text of every card in every language, then every map of texts by language."""
    pack = loaded.whole
    languages = pack.manifest.languages
    signs = {lang: pack.vocabulary.labels.get("die", {}).get(lang, "d") for lang in languages.all}
    for card_id, paths in pack.texts.items():
        card = pack.cards[card_id]
        for path in paths:
            place = partial(loaded.documents[card_id].locate, steps_of(path))
            yield from _judge(str(card.field(path)), signs[languages.source], place)
    for lang, cards in pack.translations.items():
        for card_id, strings in cards.items():
            for path, string in strings.items():
                if (document := loaded.translations.get((lang, card_id))) is not None and lang in signs:
                    yield from _judge(string.text, signs[lang], partial(document.locate, ("strings", path, "text")))
    for document in loaded.sources.values():
        for steps, value in walk(document.value):
            if isinstance(value, str) and steps and (sign := signs.get(str(steps[-1]))):
                yield from _judge(value, sign, partial(document.locate, steps))


def _judge(text: str, sign: str, place: Callable[[], Location]) -> Iterator[Finding]:
    """The first offence against each law. Tags count as what is printed of them, a brace where that is elsewhere."""
    printed = _TAG.sub("", text)
    for pattern, message, remedy in _LAWS:
        if found := pattern.search(printed):
            yield TYPED.finding(_(message, spot=_spot(printed, found)), place(), remedy)
    if (found := _DICE.search(printed)) and found[0] != sign:
        message = _("{spot}, but dice of this pack are printed with {sign}", spot=_spot(printed, found), sign=sign)
        remedy = _("Write {{dice:2d6}}, or the letter of the label `die` in vocabulary.yaml.")
        yield TYPED.finding(message, place(), remedy)


def _spot(text: str, found: re.Match[str]) -> str:
    return repr(text[max(0, found.start() - 15) : found.end() + 15].strip().replace("}", "…"))
