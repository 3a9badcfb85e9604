"""Where each translation stands: fresh, missing, stale or a copy of the source.

And what a translator needs to know.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from builder.errata.snapshot import Snapshot, parse_translations
from builder.model.base import look_up
from builder.model.card import hash_source
from builder.model.pack import TranslatedString


class TranslationState(StrEnum):
    """The state of a translation."""

    CURRENT = "fresh"
    MISSING = "missing"
    STALE = "stale"
    IDENTICAL = "identical"


@dataclass(frozen=True, slots=True)
class Item:
    """One string in one language.

    `source` is the text as it is now, `before` the text that was translated (where a release still
    knows it), `text` the translation as it stands.
    """

    card: str
    kind: str
    path: str
    state: TranslationState
    source: str
    before: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All strings of one language. A `partial` language may lack some."""

    lang: str
    items: tuple[Item, ...]
    source: str
    partial: bool = False

    def count_strings(self, state: TranslationState, kind: str | None = None) -> int:
        """Return how many strings are in this state, in the whole pack or in one kind."""
        return sum(
            item.state is state and kind in (None, item.kind) for item in self.items
        )

    @property
    def open(self) -> tuple[Item, ...]:
        """The strings that are missing, stale or copies of the source."""
        return tuple(
            item for item in self.items if item.state is not TranslationState.CURRENT
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that hold strings, in order of appearance."""
        return tuple(dict.fromkeys(item.kind for item in self.items))


def measure_coverage(
    state: Snapshot, lang: str, older: Iterable[Snapshot] = ()
) -> Coverage:
    """Return every string of a language.

    `older` states give the source text that was translated.
    """
    older_states = tuple(older)
    items: list[Item] = []
    for card in sorted(state.texts):
        items += _list_items(state, lang, card, older_states)
    languages = state.stated_languages
    is_partial = languages is not None and lang in languages.partial
    return Coverage(lang, tuple(items), state.source, is_partial)


def list_untranslated_cards(
    state: Snapshot, lang: str, cards: Iterable[str]
) -> list[str]:
    """Return those of the cards with a missing text in a language that must be complete."""
    languages = state.stated_languages
    if languages is None or lang == state.source or lang not in languages.complete:
        return []
    untranslated_cards: list[str] = []
    for card in cards:
        items = _list_items(state, lang, card, ()) if card in state.texts else ()
        if any(item.state is TranslationState.MISSING for item in items):
            untranslated_cards.append(card)
    return untranslated_cards


def classify_translation(
    source: str, string: TranslatedString | None
) -> TranslationState:
    """Return the state of a text's translation."""
    if string is None or not string.text.strip():
        return TranslationState.MISSING
    if string.source != hash_source(source):
        return TranslationState.STALE
    # A text that is the same on purpose, such as a name, is marked by the translator.
    if string.text == source and not string.same:
        return TranslationState.IDENTICAL
    return TranslationState.CURRENT


def _list_items(
    state: Snapshot, lang: str, card: str, older_states: tuple[Snapshot, ...]
) -> Iterator[Item]:
    raw = state.cards.get(card, {})
    strings = parse_translations(state.translations.get(lang, {}).get(card, {}))
    kind = str(raw.get("kind", ""))
    for path in state.texts[card]:
        source = look_up(raw, path.split("."))
        string = strings.get(path)
        # An empty text needs no translation.
        if not isinstance(source, str) or not source.strip():
            continue
        item_state = classify_translation(source, string)
        translated_source = ""
        if string and item_state is TranslationState.STALE:
            translated_source = _find_translated_source(
                older_states, card, path, string.source
            )
        text = string.text if string else ""
        yield Item(card, kind, path, item_state, source, translated_source, text)


def _find_translated_source(
    older_states: tuple[Snapshot, ...], card: str, path: str, text_hash: str
) -> str:
    """Return the source text that a stale translation was made from.

    Empty if no older state has it.
    """
    for state in older_states:
        text = look_up(state.cards.get(card, {}), path.split("."))
        if isinstance(text, str) and hash_source(text) == text_hash:
            return text
    return ""
