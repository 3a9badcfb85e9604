"""Which cards an edited file touches, and which of them are then shown. Pure: paths and values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias

from builder.model.loaded import LoadedPack
from builder.model.pack import Pack

View: TypeAlias = tuple[str, str]
"""A card in a language: what is shown."""

Owners: TypeAlias = Mapping[str, frozenset[tuple[str, str | None]]]
"""By file, whose text it holds: a card and the language of a translation, None for the card's own file."""

MOST = 8
"""So many cards are shown at once: what a save touches beyond that is not looked at, and would make everyone wait."""

_UNSEEN = ("rules.yaml", "gauges.yaml", "migrations.yaml")
"""Files of a pack that no face draws on; they are judged all the same."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a save touched: texts of single cards, the looks of whole kinds, or (`everything`) what all cards share."""

    texts: tuple[tuple[str, str | None], ...] = ()
    kinds: frozenset[str] = frozenset()
    everything: bool = False


def owners(loaded: LoadedPack, before: Owners | None = None) -> Owners:
    """The owners of a pack's files. A file that cannot be read now keeps those it had `before`."""
    found: dict[str, set[tuple[str, str | None]]] = {}
    for card, document in loaded.documents.items():
        found.setdefault(document.file, set()).add((card, None))
    for (lang, card), document in loaded.translations.items():
        found.setdefault(document.file, set()).add((card, lang))
    return {**(before or {}), **{file: frozenset(cards) for file, cards in found.items()}}


def touched(paths: Iterable[str], pack: str, kinds: Iterable[str], known: Owners) -> Touched:
    """What these files touch; paths as findings name them, from the project's root."""
    texts: set[tuple[str, str | None]] = set()
    restyled: set[str] = set()
    everything = False
    possible = frozenset(kinds)
    for path in paths:
        parts = PurePosixPath(path).parts
        if path in known:
            texts |= known[path]
        elif parts[:2] == ("templates", pack) and len(parts) > 3 and parts[2] in possible:
            restyled.add(parts[2])
        elif parts[:2] == ("schemas", pack):
            restyled |= {name for name in possible if parts[-1] == f"{name}.schema.json"}
        elif parts[:2] == ("templates", pack) or _base(path) or (parts[:2] == ("cards", pack) and _shared(parts[2:])):
            everything = True
    return Touched(tuple(sorted(texts, key=lambda text: (text[0], text[1] or ""))), frozenset(restyled), everything)


def _base(path: str) -> bool:
    """True for a template of the program, inside the project (a checkout) or outside of it."""
    return path.startswith("templates/base/") or PurePosixPath(path).is_absolute()


def _shared(parts: tuple[str, ...]) -> bool:
    """True for what all cards may draw on: pictures, and the pack's own files apart from those no face shows."""
    return parts[:1] == ("art",) or (len(parts) == 1 and parts[0] not in _UNSEEN)


def views(what: Touched, shown: Sequence[View], pack: Pack, langs: Sequence[str]) -> tuple[View, ...]:
    """What to set and show after a save; nothing where no card in sight looks otherwise.

    An edited card comes in all of `langs`; where none are asked for, its own file in the source language, a
    translation in its language. Of what many cards share, those in sight are set again; where a kind has none in
    sight, its first card is.
    """
    manifest = pack.manifest
    found: list[View] = []
    for card, lang in what.texts:
        if lang is not None:
            found += [(card, lang)] if not langs or lang in langs else []
        else:
            found += [(card, each) for each in langs or (manifest.languages.source,)]
    if found:
        return tuple(dict.fromkeys(found))[:MOST]
    if what.everything:
        return tuple(shown)
    of_kinds = [view for view in shown if view[0] in pack.cards and pack.cards[view[0]].kind in what.kinds]
    if of_kinds:
        return tuple(of_kinds)
    first = [next((card.id for card in pack.of_kind(kind)), None) for kind in manifest.kinds if kind in what.kinds]
    lang = (*langs, manifest.languages.source)[0]
    return tuple((card, lang) for card in first if card is not None)[:MOST]
