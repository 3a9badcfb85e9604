"""Selectable keywords: what a roster chose for an entry replaces the keyword everywhere on that entry's card. Pure.

The card as it is chosen is a card of its own, beside the original: it has its own id, keywords, texts and
translations, so that whatever sets or reads cards need know nothing of choices.
"""

import re
from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar, cast

from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Choice, Pack, Term
from builder.model.roster import Entry

V = TypeVar("V")


def add_choice_keywords(pack: Pack) -> Pack:
    """The pack, its vocabulary knowing every value of a choice that replaces a keyword as a keyword itself."""
    words = dict(pack.vocabulary.keywords)
    for choice in pack.manifest.roster.choices.values():
        if choice.keyword is not None:
            words |= {
                value: Term(name=name)
                for value, name in choice.values.items()
                if value not in words
            }
    return replace(pack, vocabulary=pack.vocabulary.model_copy(update={"keywords": words}))


def apply_choices(pack: Pack, entry: Entry) -> tuple[Pack, Card]:
    """An entry's card with its chosen keywords, and a pack that holds it.

    Without a choice that replaces a keyword of the card, both are what they were. The card must be in the pack.
    """
    card = pack.cards[entry.card]
    words = find_keywords(card)
    taken: dict[str, str] = {}
    for name, value in sorted(entry.choices.items()):
        choice = pack.manifest.roster.choices.get(name)
        if choice is not None and choice.keyword is not None and choice.keyword in words:
            pack, taken[choice.keyword] = _known(pack, choice, value)
    if not taken:
        return pack, card
    variant = _variant(card, taken)
    if variant.id in pack.cards:
        return pack, variant
    translations = {
        lang: _with(
            cards,
            variant.id,
            {at: replace(s, text=_text(s.text, taken)) for at, s in cards[card.id].items()},
        )
        if card.id in cards
        else cards
        for lang, cards in pack.translations.items()
    }
    return replace(
        pack, cards=_with(pack.cards, variant.id, variant), translations=translations
    ), variant


def find_keywords(card: Card) -> frozenset[str]:
    """The keywords that a card has or names in its texts."""
    return frozenset({*card.keywords, *re.findall(r"\{\s*key\s*:\s*([^{}|\s]+)", str(card.data))})


def get_original_id(card: str) -> str:
    """The id of the card that a chosen card was made from; any other card's own."""
    return card.partition("~")[0]


def _with(cards: Mapping[str, V], card: str, value: V) -> Mapping[str, V]:
    """A map with one value more. Of what it holds already nothing is copied: that may not fit into memory."""
    return ChainMap({card: value}, cast("MutableMapping[str, V]", cards))  # nobody writes into it


def _known(pack: Pack, choice: Choice, value: str) -> tuple[Pack, str]:
    """A pack whose vocabulary knows a chosen value, and the keyword's id: a free text is given one."""
    if value in pack.vocabulary.keywords:
        return pack, value
    names = choice.values.get(value)
    word = (
        value if names is not None else f"{choice.keyword}-{sha256(value.encode()).hexdigest()[:8]}"
    )
    term = Term(name=names or {pack.manifest.languages.source: value})
    keywords = {**pack.vocabulary.keywords, word: term}
    return replace(pack, vocabulary=pack.vocabulary.model_copy(update={"keywords": keywords})), word


def _variant(card: Card, taken: Mapping[str, str]) -> Card:
    keywords = tuple(dict.fromkeys(taken.get(word, word) for word in card.keywords))
    update = {
        "id": "~".join((card.id, *(taken[word] for word in sorted(taken)))),
        "name": _text(card.name, taken),
        "keywords": keywords,
        "data": {key: _replaced(value, taken) for key, value in card.data.items()},
    }
    return card.model_copy(update=update)


def _replaced(value: Json, taken: Mapping[str, str]) -> Json:
    """A value with the keywords replaced in all its texts and wherever one stands alone."""
    if isinstance(value, str):
        return taken.get(value) or _text(value, taken)
    if isinstance(value, Mapping):
        return {key: _replaced(item, taken) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, taken) for item in value]
    return value


def _text(text: str, taken: Mapping[str, str]) -> str:
    """A text with the keywords replaced; the form a keyword was shown in gives way to the chosen word as it is."""
    for word, value in taken.items():
        text = re.sub(
            r"\{\s*key\s*:\s*" + re.escape(word) + r"\s*(\|(?:\\.|[^{}\n])*)?\}",
            "{key:" + value + "}",
            text,
        )
    return text
