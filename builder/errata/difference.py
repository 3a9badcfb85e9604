"""The difference of two states of a pack, and the class of each changed field. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from builder.errata.change import (
    ABSENT,
    LANGUAGE,
    RULES_TYPES,
    WORDING_TYPES,
    CardChange,
    ChangeClass,
    Difference,
    FieldChange,
    LeafChange,
    PartChange,
    Status,
    Value,
    are_identical,
    compare_leaves,
    has_only_renamed_words,
    has_same_words,
    iterate_leaves,
)
from builder.errata.snapshot import RawCard, Snapshot, replace_texts
from builder.model.base import Json, format_path, look_up
from builder.model.card import successor

BOOKKEEPING = frozenset({"id", "revision", "released", "history"})
"""Fields that record a change and are none, and the id, which a rename changes."""

PICTURES = (".png", ".jpg", ".jpeg", ".svg", ".webp")
HEADS = {"cost": ChangeClass.COST, "name": ChangeClass.NAME}
HEADS |= {"keywords": ChangeClass.KEYWORD, "faction": ChangeClass.KEYWORD}


@dataclass(frozen=True, slots=True)
class _Classifier:
    """Decides the class of each changed leaf of one card.

    `slots` are the fields that rules read as slots; `texts` and `rich` are the dotted paths of the card's texts and of
    those with markup; `types` are the types of the history entries since the old state; `names` are pairs of an old
    and a new name of a card.
    """

    slots: frozenset[str]
    texts: frozenset[str]
    rich: frozenset[str]
    types: frozenset[str]
    names: frozenset[tuple[str, str]] = frozenset()

    def classify(self, change: LeafChange) -> ChangeClass:
        """Return the class of one leaf."""
        path = format_path(change.path)
        head = str(change.path[0]) if change.path else ""
        if head in HEADS:
            return HEADS[head]
        if head in self.slots:
            return ChangeClass.SLOT
        if head == "art" or any(
            isinstance(v, str) and v.endswith(PICTURES) for v in (change.old, change.new)
        ):
            return ChangeClass.ART
        if path not in self.texts and path not in self.rich:
            return ChangeClass.STAT
        if path in self.texts - self.rich and path.endswith(".name"):
            return ChangeClass.NAME
        return self._classify_text(change, path)

    def _classify_text(self, change: LeafChange, path: str) -> ChangeClass:
        """Return WORDING if the history says so and no word changed, else RULE_TEXT.

        A text without markup may be a caption or a flavour text, where the card has others with markup: it is rules
        text only if the history announces nothing but rules. A card without any markup may have its rules in any text.
        """
        if path not in self.rich and self.rich:
            return (
                ChangeClass.RULE_TEXT
                if self.types and self.types <= RULES_TYPES
                else ChangeClass.WORDING
            )
        old, new = change.old, change.new
        if not isinstance(old, str) or not isinstance(new, str):
            return ChangeClass.RULE_TEXT
        says_wording = bool(self.types & WORDING_TYPES) and not self.types & RULES_TYPES
        if has_same_words(old, new):
            return ChangeClass.WORDING if says_wording else ChangeClass.RULE_TEXT
        return (
            ChangeClass.NAME
            if has_only_renamed_words(old, new, self.names)
            else ChangeClass.RULE_TEXT
        )


def _slot_fields(state: Snapshot) -> Iterator[str]:
    slots = [rule for rule in list_rules(state).values() if rule.get("type") == "slots"]
    fields = (rule.get(key) for rule in slots for key in ("slots", "need"))
    yield from (field.partition(".")[0] for field in fields if isinstance(field, str))


FOLDERS = {"schemas": "schema", "templates": "template"}
"""What a frozen file is, by its first folder; art in any other."""

CARD_TAG = re.compile(r"\{card:([a-z0-9-]+)")


def compare_states(old: Snapshot, new: Snapshot) -> Difference:
    """Everything that differs. The same state twice gives an empty difference.

    What one state cannot read, a card or a whole part, is neither new nor gone: nothing is said about it.
    """
    lost = old.lost | new.lost
    cards = [] if "cards.json" in lost else _cards(old, new)
    cards.sort(key=lambda change: change.id)
    return Difference(new.pack, old.label, new.label, tuple(cards), tuple(_parts(old, new, lost)))


def _cards(old: Snapshot, new: Snapshot) -> list[CardChange]:
    slots = frozenset((*_slot_fields(old), *_slot_fields(new)))
    pairs, gone = pair_cards(old, new)
    renames = Renames(
        {before: after for after, before in pairs.items() if after != before},
        frozenset(_find_renamed_cards(old, new, pairs)),
    )
    changes = [_changed(old, new, before, after, slots, renames) for after, before in pairs.items()]
    found = [change for change in changes if change is not None]
    added = {
        card: value
        for card, value in new.cards.items()
        if card not in pairs and card not in old.unread
    }
    for card, value in added.items():
        change = _card(card, Status.ADDED, value)
        found.append(
            replace(change, new_revision=_revision(value), history=list_new_history({}, value))
        )
    return found + [_gone(old, new, card) for card in gone if card not in new.unread]


@dataclass(frozen=True, slots=True)
class Renames:
    """What is only called otherwise now: old ids with new ones, and pairs of old and new names."""

    ids: Mapping[str, str]
    names: frozenset[tuple[str, str]]


def _find_renamed_cards(
    old: Snapshot, new: Snapshot, pairs: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The old and the new name of each card that has another one, in the source language."""
    for after, before in pairs.items():
        was, now = old.cards[before].get("name"), new.cards[after].get("name")
        if isinstance(was, str) and isinstance(now, str) and was != now:
            yield was, now


def pair_cards(old: Snapshot, new: Snapshot) -> tuple[dict[str, str], list[str]]:
    """New id -> old id for cards that continue, and the old ids that do not.

    Only a rename continues a card; what was merged away is gone even though something stands for it.
    """
    renames = [step for step in new.migrations if step.type == "rename"]
    pairs = {card: card for card in new.cards if card in old.cards}
    gone = []
    for card in old.cards:
        if card in pairs:
            continue
        heir = successor(card, renames, new.cards)
        if heir is None or heir in pairs:
            gone.append(card)
        else:
            pairs[heir] = card
    return pairs, gone


def _changed(
    old: Snapshot, new: Snapshot, before: str, after: str, slots: frozenset[str], renames: Renames
) -> CardChange | None:
    one, other = _read_in_one_language(old, new, before, after)
    history = list_new_history(one, other)
    types = frozenset(str(entry.get("type")) for entry in history)
    texts = frozenset((*old.texts.get(before, ()), *new.texts.get(after, ())))
    rich = frozenset((*old.rich.get(before, ()), *new.rich.get(after, ())))
    found = (
        *_fields(one, other, _Classifier(slots, texts, rich, types, renames.names).classify),
        *_translated(old, new, before, after),
        *_find_redrawn_pictures(old, new, other),
    )
    fields = [field for field in found if not is_only_renamed(field.old, field.new, renames.ids)]
    if before == after and not fields and not history:
        return None
    return replace(
        _card(after, Status.CHANGED if before == after else Status.RENAMED, other),
        old_id=before,
        fields=tuple(sorted(fields, key=lambda field: list(ChangeClass).index(field.type))),
        old_revision=_revision(one),
        new_revision=_revision(other),
        history=history,
    )


def _card(card: str, status: Status, value: RawCard) -> CardChange:
    texts = {
        key: text for key in ("kind", "name", "faction") if isinstance(text := value.get(key), str)
    }
    return CardChange(
        card, status, texts.get("kind", ""), texts.get("name", ""), texts.get("faction") or None
    )


def is_only_renamed(old: Value, new: Value, renames: Mapping[str, str]) -> bool:
    """True if a value differs only by naming a renamed card by its new id: what is printed stays the same."""
    if not renames or not isinstance(old, str) or not isinstance(new, str):
        return False
    if renames.get(old) == new:
        return True
    return CARD_TAG.sub(lambda tag: f"{{card:{renames.get(tag[1], tag[1])}", old) == new


def _fields(
    one: RawCard, other: RawCard, sort: Callable[[LeafChange], ChangeClass]
) -> Iterator[FieldChange]:
    if are_identical(one, other):
        return
    without = (
        {key: value for key, value in card.items() if key not in BOOKKEEPING}
        for card in (one, other)
    )
    for change in compare_leaves(*without):
        yield FieldChange(format_path(change.path), sort(change), change.old, change.new)


def _read_in_one_language(
    old: Snapshot, new: Snapshot, before: str, after: str
) -> tuple[RawCard, RawCard]:
    """Both states of a card with their texts in the new source language.

    Where the old state was written in another language and has no translation of a text, both sides get an empty text:
    a text is never compared with one of another language.
    """
    one, other = old.cards[before], new.cards[after]
    if old.source == new.source:
        return one, other
    known = _strings(old, new.source, before)
    paths = {*old.texts.get(before, ()), *new.texts.get(after, ())}
    texts = {path: str(known[path]) for path in paths if path in known}
    blank = dict.fromkeys(paths - texts.keys(), "")
    return tuple(  # type: ignore[return-value]
        replace_texts(dict(card), {**blank, **translated})
        for card, translated in ((one, texts), (other, {}))
    )


def list_common_languages(old: Snapshot, new: Snapshot) -> tuple[str, ...]:
    """The languages that both states have, in the order of the new one."""
    if not old.languages or not new.languages:  # a manifest that cannot be read says nothing
        return tuple(sorted(old.translations.keys() & new.translations.keys()))
    return tuple(lang for lang in new.languages if lang in old.languages)


def _translated(old: Snapshot, new: Snapshot, before: str, after: str) -> Iterator[FieldChange]:
    for lang in sorted(list_common_languages(old, new)):
        if lang == new.source:
            continue  # these texts are the card's own fields
        one, other = _strings(old, lang, before), _strings(new, lang, after)
        for path in sorted(one.keys() | other.keys()):
            left, right = one.get(path, ABSENT), other.get(path, ABSENT)
            if left != right:
                yield FieldChange(path, ChangeClass.TRANSLATION, left, right, lang)


def _strings(state: Snapshot, lang: str, card: str) -> Mapping[str, Json]:
    """The texts of a card in one language by dotted path, as far as there are any."""
    if lang == state.source:
        values = {
            path: look_up(state.cards[card], path.split(".")) for path in state.texts.get(card, ())
        }
        return {path: text for path, text in values.items() if isinstance(text, str)}
    strings = state.translations.get(lang, {}).get(card, {})
    return {
        path: item.get("text") if isinstance(item, Mapping) else item
        for path, item in strings.items()
    }


def _find_redrawn_pictures(old: Snapshot, new: Snapshot, card: RawCard) -> Iterator[FieldChange]:
    """Pictures that the card names and whose bytes changed under the same name."""
    for path, name in iterate_leaves(dict(card)):
        if not isinstance(name, str) or not name.endswith(PICTURES):
            continue
        file = f"cards/{new.pack}/art/{name}"
        before, after = old.files.get(file), new.files.get(file)
        if before and after and before != after:
            yield FieldChange(
                format_path(path), ChangeClass.ART, before[:8], after[:8], redrawn=True
            )


def _gone(old: Snapshot, new: Snapshot, card: str) -> CardChange:
    value = old.cards[card]
    step = next((step for step in new.migrations if step.old == card), None)
    ends = {
        "merge": Status.MERGED,
        "split": Status.SPLIT,
        "delete": Status.DELETED,
        "rename": Status.MERGED,
    }
    return replace(
        _card(card, ends[step.type.value] if step else Status.VANISHED, value),
        old_id=card,
        successors=step.new if step else (),
        old_revision=_revision(value),
    )


def list_new_history(one: RawCard, other: RawCard) -> tuple[Mapping[str, Json], ...]:
    """The history entries of revisions above the old card's revision."""
    entries, base = other.get("history"), _revision(one) or 0
    listed = (
        entry
        for entry in (entries if isinstance(entries, list | tuple) else ())
        if isinstance(entry, Mapping)
    )
    return tuple(entry for entry in listed if (_revision(entry) or 0) > base)


def _revision(value: Mapping[str, Json]) -> int | None:
    number = value.get("revision")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _parts(old: Snapshot, new: Snapshot, lost: frozenset[str]) -> Iterator[PartChange]:
    for part, one, other in (
        ("rules", index_rules(old.rules), index_rules(new.rules)),
        ("formats", old.formats, new.formats),
        ("vocabulary", old.vocabulary, new.vocabulary),
        ("pack", old.manifest, new.manifest),
    ):
        if f"{part}.json" not in lost and not are_identical(one, other):
            for change in compare_leaves(one, other):
                if part != "pack" or change.path[:2] not in LANGUAGE_PATHS:
                    yield PartChange(part, format_path(change.path), change.old, change.new)
    if "pack.json" not in lost:
        yield from _compare_languages(old, new)
    for path in () if "files.json" in lost else sorted(old.files.keys() | new.files.keys()):
        left, right = old.files.get(path), new.files.get(path)
        if left != right:
            kind = FOLDERS.get(path.partition("/")[0], "art")
            yield PartChange(kind, path, left or ABSENT, right or ABSENT)


LANGUAGE_PATHS = (("languages", "source"), ("languages", "translations"))
"""Places of the manifest that `_languages` compares."""


def _compare_languages(old: Snapshot, new: Snapshot) -> Iterator[PartChange]:
    """The languages that were added or dropped, and another source language."""
    if not old.languages or not new.languages:
        return
    if old.source != new.source:
        yield PartChange(LANGUAGE, "source", old.source, new.source)
    for lang in (*new.languages, *old.languages):
        if (lang in old.languages) != (lang in new.languages):
            before, after = (lang if lang in state.languages else ABSENT for state in (old, new))
            yield PartChange(LANGUAGE, lang, before, after)


def index_rules(rules: Mapping[str, Json]) -> Mapping[str, Json]:
    """A rule set with its list of rules as a map by id, so that a difference pairs them."""
    listed = rules.get("rules")
    if not isinstance(listed, list):
        return rules
    ids = (
        rule.get("id", index) if isinstance(rule, Mapping) else index
        for index, rule in enumerate(listed)
    )
    return {**rules, "rules": dict(zip(map(str, ids), listed, strict=True))}


def list_rules(state: Snapshot) -> dict[str, Mapping[str, Json]]:
    """The roster rules of a state by id."""
    listed = index_rules(state.rules).get("rules")
    named = listed.items() if isinstance(listed, dict) else ()
    return {name: rule for name, rule in named if isinstance(rule, Mapping)}


def has_same_demand(old: Mapping[str, Json] | None, new: Mapping[str, Json] | None) -> bool:
    """True where two states of a rule, None for none, demand the same: what only tells of it may differ."""
    if old is None or new is None:
        return old is new
    keys = (old.keys() | new.keys()) - {"title", "source", "hint"}
    return all(old.get(key) == new.get(key) for key in keys)
