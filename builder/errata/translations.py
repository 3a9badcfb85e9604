"""Where each translation stands: fresh, missing, stale or a copy of the source; and what a translator needs to know."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from builder.errata.snapshot import Snapshot, parse_translations
from builder.model.base import look_up
from builder.model.card import source_hash
from builder.model.pack import TranslatedString


class Standing(StrEnum):
    """Where one string stands."""

    FRESH = "fresh"
    MISSING = "missing"
    STALE = "stale"
    IDENTICAL = "identical"


@dataclass(frozen=True, slots=True)
class Item:
    """One string in one language.

    `source` is the text as it is now, `before` the text that was translated (where a release still knows it), `text`
    the translation as it stands.
    """

    card: str
    kind: str
    path: str
    standing: Standing
    source: str
    before: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All strings of one language; of a `partial` one some may be open."""

    lang: str
    items: tuple[Item, ...]
    source: str
    partial: bool = False

    def count(self, standing: Standing, kind: str | None = None) -> int:
        """How many strings stand so, in the whole pack or in one kind."""
        return sum(item.standing is standing and kind in (None, item.kind) for item in self.items)

    @property
    def open(self) -> tuple[Item, ...]:
        """What is left to do."""
        return tuple(item for item in self.items if item.standing is not Standing.FRESH)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that hold strings, in order of appearance."""
        return tuple(dict.fromkeys(item.kind for item in self.items))


def measure_coverage(state: Snapshot, lang: str, older: Iterable[Snapshot] = ()) -> Coverage:
    """Every string of a language; `older` states are asked what the source said when it was translated."""
    past = tuple(older)
    items = tuple(item for card in sorted(state.texts) for item in _items(state, lang, card, past))
    stated = state.stated_languages
    return Coverage(lang, items, state.source, stated is not None and lang in stated.partial)


def classify_translation(source: str, string: TranslatedString | None) -> Standing:
    """Where a translation of a text stands."""
    if string is None or not string.text.strip():
        return Standing.MISSING
    if string.source != source_hash(source):
        return Standing.STALE
    return Standing.IDENTICAL if string.text == source and not string.same else Standing.FRESH


def _items(state: Snapshot, lang: str, card: str, past: tuple[Snapshot, ...]) -> Iterator[Item]:
    raw, strings = (
        state.cards.get(card, {}),
        parse_translations(state.translations.get(lang, {}).get(card, {})),
    )
    for path in state.texts[card]:
        source, string = look_up(raw, path.split(".")), strings.get(path)
        if isinstance(source, str) and source.strip():
            stands = classify_translation(source, string)
            before = (
                _before(past, card, path, string.source)
                if string and stands is Standing.STALE
                else ""
            )
            yield Item(
                card,
                str(raw.get("kind", "")),
                path,
                stands,
                source,
                before,
                string.text if string else "",
            )


def _before(past: tuple[Snapshot, ...], card: str, path: str, remembered: str) -> str:
    texts = (look_up(state.cards.get(card, {}), path.split(".")) for state in past)
    return next(
        (text for text in texts if isinstance(text, str) and source_hash(text) == remembered), ""
    )
