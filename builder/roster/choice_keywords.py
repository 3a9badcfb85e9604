"""Selectable keywords: a roster's choice replaces a keyword everywhere on a card.

Pure.

The card with its choices is a card of its own, beside the original. It has its own id, keywords,
texts and translations, so that code that renders or reads cards need not know of choices.
"""

import re
from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar, cast

from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Choice, Pack, Term, TranslatedString
from builder.model.roster import Entry

Value = TypeVar("Value")
KEYWORD_MARKUP = re.compile(r"\{\s*key\s*:\s*([^{}|\s]+)")


def add_choice_keywords(pack: Pack) -> Pack:
    """Return the pack with the values of keyword choices added to its vocabulary."""
    keywords = dict(pack.vocabulary.keywords)
    for choice in pack.manifest.roster.choices.values():
        if choice.keyword is None:
            continue
        for value, name in choice.values.items():
            keywords.setdefault(value, Term(name=name))
    return _replace_keywords(pack, keywords)


def _replace_keywords(pack: Pack, keywords: Mapping[str, Term]) -> Pack:
    vocabulary = pack.vocabulary.model_copy(update={"keywords": keywords})
    return replace(pack, vocabulary=vocabulary)


def apply_choices(pack: Pack, entry: Entry) -> tuple[Pack, Card]:
    """Return the card of an entry with its chosen keywords, and a pack that contains this card.

    Both are unchanged if no choice replaces a keyword of the card. The card must be in the pack.
    """
    card = pack.cards[entry.card]
    card_keywords = find_keywords(card)
    replacements = {}
    for name, value in sorted(entry.choices.items()):
        choice = pack.manifest.roster.choices.get(name)
        if choice is None or choice.keyword is None:
            continue
        if choice.keyword in card_keywords:
            pack, replacements[choice.keyword] = _add_chosen_keyword(
                pack, choice, value
            )
    if not replacements:
        return pack, card
    variant = _make_variant(card, replacements)
    if variant.id in pack.cards:
        return pack, variant
    translations = _translate_variant(pack, card.id, variant.id, replacements)
    cards = _add_value(pack.cards, variant.id, variant)
    return replace(pack, cards=cards, translations=translations), variant


def _translate_variant(
    pack: Pack, card_id: str, variant_id: str, replacements: Mapping[str, str]
) -> dict[str, Mapping[str, Mapping[str, TranslatedString]]]:
    """Return the translations of the pack, with those of the card copied for its variant."""
    translations = dict(pack.translations)
    for lang, cards in pack.translations.items():
        if card_id not in cards:
            continue
        strings = {}
        for path, string in cards[card_id].items():
            strings[path] = replace(
                string, text=_replace_in_text(string.text, replacements)
            )
        translations[lang] = _add_value(cards, variant_id, strings)
    return translations


def find_keywords(card: Card) -> frozenset[str]:
    """Return the keywords that a card has or mentions in its texts."""
    # The written data holds all texts of the card, so one search finds the markup.
    return frozenset(card.keywords) | frozenset(KEYWORD_MARKUP.findall(str(card.data)))


def get_original_id(card_id: str) -> str:
    """Return the id of the card that a variant was made from. Other cards keep their id."""
    return card_id.partition("~")[0]


def _add_value(
    values: Mapping[str, Value], key: str, value: Value
) -> Mapping[str, Value]:
    """Return a map with one more entry.

    Nothing is copied, because the pack may not fit into memory twice.
    """
    # ChainMap wants a mutable map, but nobody writes into this one
    return ChainMap({key: value}, cast("MutableMapping[str, Value]", values))


def _add_chosen_keyword(pack: Pack, choice: Choice, value: str) -> tuple[Pack, str]:
    """Add a chosen value to the pack's vocabulary. Return the pack and the keyword's id.

    Free text gets an id of its own.
    """
    if value in pack.vocabulary.keywords:
        return pack, value
    names = choice.values.get(value)
    keyword_id = value
    if names is None:
        # An id cannot hold the characters of free text, so it has a hash of them.
        keyword_id = f"{choice.keyword}-{sha256(value.encode()).hexdigest()[:8]}"
        names = {pack.manifest.languages.source: value}
    keywords = {**pack.vocabulary.keywords, keyword_id: Term(name=names)}
    return _replace_keywords(pack, keywords), keyword_id


def _make_variant(card: Card, replacements: Mapping[str, str]) -> Card:
    """Return a card with some keywords replaced, under an id that names the chosen ones."""
    # a dict, because the chosen keyword may be one that the card has already
    keywords = dict.fromkeys(
        replacements.get(keyword, keyword) for keyword in card.keywords
    )
    chosen_ids = [replacements[keyword] for keyword in sorted(replacements)]
    update = {
        # An id in a file has no `~`, so a variant never takes the id of another card.
        "id": "~".join((card.id, *chosen_ids)),
        "name": _replace_in_text(card.name, replacements),
        "keywords": tuple(keywords),
        "data": _replace_in_value(dict(card.data), replacements),
    }
    return card.model_copy(update=update)


def _replace_in_value(value: Json, replacements: Mapping[str, str]) -> Json:
    """Return a value with keywords replaced in all its texts.

    A text that is only a keyword's id is replaced too.
    """
    if isinstance(value, str):
        return replacements.get(value) or _replace_in_text(value, replacements)
    if isinstance(value, Mapping):
        return {
            key: _replace_in_value(item, replacements) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_replace_in_value(item, replacements) for item in value]
    return value


def _replace_in_text(text: str, replacements: Mapping[str, str]) -> str:
    """Return a text with keywords replaced.

    The form in which the text showed a keyword (`{key:strong|STRONG}`) is lost: it belongs to the
    old word.
    """
    for keyword, value in replacements.items():
        # `{key:ID}` or `{key:ID|TEXT}`, in whose text a backslash may stand before a brace
        markup = r"\{\s*key\s*:\s*" + re.escape(keyword) + r"\s*(\|(?:\\.|[^{}\n])*)?\}"
        text = re.sub(markup, "{key:" + value + "}", text)
    return text
