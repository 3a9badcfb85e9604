"""Whatever a card names exists: cards, words of the vocabulary, icons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from builder.checks.naming import Names
from builder.findings import Finding
from builder.model.loaded import LoadedPack


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """The mentions that schemas mark with x-ref, and icons of the vocabulary."""
    names = Names.of(loaded)
    for card, mentions in loaded.mentions.items():
        for mention in mentions:
            place = partial(loaded.documents[card].locate, mention.path, key=mention.key)
            finding = names.judge(mention.ref, mention.value, place)
            if finding:
                yield finding
    yield from _vocabulary(loaded, names)


def _vocabulary(loaded: LoadedPack, names: Names) -> Iterator[Finding]:
    document = loaded.sources.get("vocabulary.yaml")
    if document is None or loaded.pack is None:
        return
    words = loaded.pack.vocabulary
    for section, terms in (("keywords", words.keywords), ("stats", words.stats), ("terms", words.terms)):
        for word, term in terms.items():
            if term.icon is not None:
                finding = names.judge("icon", term.icon, partial(document.locate, (section, word, "icon")))
                if finding:
                    yield finding
    for word, faction in words.factions.items():
        if faction.emblem is not None:
            finding = names.judge("icon", faction.emblem, partial(document.locate, ("factions", word, "emblem")))
            if finding:
                yield finding
