"""The difference of two states of a pack, and the class of each changed field. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from builder.errata.change import (
    ABSENT,
    LANGUAGE,
    RULES_TYPES,
    WORDING_TYPES,
    Appearance,
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
    has_same_letters,
    has_same_words,
    iterate_leaves,
)
from builder.errata.effects import classify_effect, find_directions
from builder.errata.snapshot import (
    FACES_ENGINE,
    FACES_PROGRAM,
    RawCard,
    Snapshot,
    replace_texts,
)
from builder.model.base import Json, format_path, look_up
from builder.model.card import follow_migrations

BOOKKEEPING = frozenset({"id", "revision", "released", "history", "reprint_of"})
"""Fields that record a change and are none, the id, which a rename changes, and the reprints."""

PICTURE_EXTENSIONS = (".png", ".jpg", ".jpeg", ".svg", ".webp")
CLASS_OF_FIELD = {"cost": ChangeClass.COST, "name": ChangeClass.NAME}
CLASS_OF_FIELD |= {"keywords": ChangeClass.KEYWORD, "faction": ChangeClass.KEYWORD}


@dataclass(frozen=True, slots=True)
class _Classifier:
    """Decides how important each changed value of one card is for play.

    `slots` are the fields that rules read as slots. `text_paths` and `rich_paths` are those of the
    card's texts and of those with markup. `types` are the types of the new history entries.
    `names` are pairs of an old and a new name of a card.
    """

    slots: frozenset[str]
    text_paths: frozenset[str]
    rich_paths: frozenset[str]
    types: frozenset[str]
    names: frozenset[tuple[str, str]] = frozenset()

    def classify_change(self, change: LeafChange) -> ChangeClass:
        """Return the class of a changed value."""
        path = format_path(change.path)
        head = str(change.path[0]) if change.path else ""
        if head in CLASS_OF_FIELD:
            return CLASS_OF_FIELD[head]
        if head in self.slots:
            return ChangeClass.SLOT
        # Packs may have further fields with pictures, which only the file's extension shows.
        if head == "art" or any(
            isinstance(v, str) and v.endswith(PICTURE_EXTENSIONS)
            for v in (change.old, change.new)
        ):
            return ChangeClass.ART
        if path not in self.text_paths and path not in self.rich_paths:
            return ChangeClass.STAT
        if path in self.text_paths - self.rich_paths and path.endswith(".name"):
            return ChangeClass.NAME
        return self._classify_text(change, path)

    def _classify_text(self, change: LeafChange, path: str) -> ChangeClass:
        """Return WORDING if the history says so and no word changed, else RULE_TEXT.

        A text without markup may be a caption or a flavour text, where the card has others with
        markup: it is rules text only if the history announces nothing but rules. A card without any
        markup may have its rules in any text.
        """
        if path not in self.rich_paths and self.rich_paths:
            return (
                ChangeClass.RULE_TEXT
                if self.types and self.types <= RULES_TYPES
                else ChangeClass.WORDING
            )
        old, new = change.old, change.new
        if not isinstance(old, str) or not isinstance(new, str):
            return ChangeClass.RULE_TEXT
        if has_same_letters(old, new) and not self.types & RULES_TYPES:
            return ChangeClass.WORDING
        # One entry of rules among several is enough to make the change one of rules.
        says_wording = bool(self.types & WORDING_TYPES) and not self.types & RULES_TYPES
        if has_same_words(old, new):
            return ChangeClass.WORDING if says_wording else ChangeClass.RULE_TEXT
        return (
            ChangeClass.NAME
            if has_only_renamed_words(old, new, self.names)
            else ChangeClass.RULE_TEXT
        )


def _find_slot_fields(state: Snapshot) -> Iterator[str]:
    for rule in list_rules(state).values():
        if rule.get("type") != "slots":
            continue
        for key in ("slots", "need"):
            field = rule.get(key)
            if isinstance(field, str):
                # A rule may read a part of a field, such as `carries.brow`.
                yield field.partition(".")[0]


PART_OF_FOLDER = {"schemas": "schema", "templates": "template"}
"""The part of a release that a file belongs to, by its first folder; otherwise art."""

CARD_TAG = re.compile(r"\{card:([a-z0-9-]+)")


def compare_states(old: Snapshot, new: Snapshot) -> Difference:
    """Compare two states of a pack. Equal states give an empty difference.

    A card or part that one state cannot read is left out: it is neither new nor removed.
    """
    lost_parts = old.lost | new.lost
    cards = [] if "cards.json" in lost_parts else _compare_cards(old, new)
    cards.sort(key=lambda change: change.id)
    parts = tuple(_compare_parts(old, new, lost_parts))
    cards = list(_mark_unchanged_cards(cards, parts))
    changed_ids = {change.id for change in cards}
    # A changed card is listed with its changes, so it is not listed again by its look.
    restyled = {
        card: appearance
        for card, appearance in _find_restyled_cards(old, new)
        if card not in changed_ids
    }
    return Difference(new.pack, old.label, new.label, tuple(cards), parts, restyled)


PARTS_IN_RULES = frozenset({"rules", "vocabulary"})
PARTS_IN_LOOKS = frozenset({"template", "art", "pack", "vocabulary"})
"""The parts outside a card that a history entry of the type art may be about."""


def _mark_unchanged_cards(
    cards: Iterable[CardChange], parts: Sequence[PartChange]
) -> Iterator[CardChange]:
    """Mark the cards whose corrections since the old state cancel each other.

    A single announcement without a change of the card is trusted. It may be about something else.
    """
    changed_parts = {part.part for part in parts}
    for card in cards:
        has_new_look = "art" in card.change_types and changed_parts & PARTS_IN_LOOKS
        is_unchanged = (
            card.status is Status.CHANGED and not card.fields and len(card.history) > 1
        )
        if is_unchanged and not changed_parts & PARTS_IN_RULES and not has_new_look:
            card = replace(card, is_unchanged=True)
        yield card


def _find_restyled_cards(
    old: Snapshot, new: Snapshot
) -> Iterator[tuple[str, Appearance]]:
    """Yield the cards of both states whose print differs, with the cause.

    Digests of a card's faces decide if both states store them, made by the same program and
    engine. Any other card counts if a template of its kind changed.
    """
    template_paths = [
        path.split("/")
        for path in old.files.keys() | new.files.keys()
        if path.startswith("templates/") and _is_file_changed(old, new, path)
    ]
    # Digests are exact; without them, every card of a changed template may look different.
    digested_ids: set[str] = set()
    if _has_comparable_faces(old, new):
        digested_ids = _list_cards_with_faces(old) & _list_cards_with_faces(new)
    changed_ids = _find_cards_with_new_faces(old, new) & digested_ids
    cause = Appearance.TEMPLATE if template_paths else Appearance.PICTURE
    kinds = new.manifest.get("kinds")
    kind_names = list(kinds) if isinstance(kinds, Mapping) else []
    for card in (card for card in new.cards if card in old.cards):
        if card in changed_ids:
            yield card, cause
        elif card not in digested_ids and any(
            _styles_kind(path, new, kind_names, card) for path in template_paths
        ):
            yield card, Appearance.TEMPLATE


def _list_cards_with_faces(state: Snapshot) -> set[str]:
    """Return the cards of which a state stores digests."""
    # The other keys name the program and the engine.
    keys = (key.split("/") for key in state.faces)
    return {steps[1] for steps in keys if len(steps) == 3}


def _has_comparable_faces(old: Snapshot, new: Snapshot) -> bool:
    """Return True if both states have digests of faces by the same program and engine."""
    keys = (FACES_PROGRAM, FACES_ENGINE)
    has_same_maker = all(old.faces.get(key) == new.faces.get(key) for key in keys)
    return bool(old.faces) and bool(new.faces) and has_same_maker


def _find_cards_with_new_faces(old: Snapshot, new: Snapshot) -> set[str]:
    changed_ids: set[str] = set()
    for key in old.faces.keys() & new.faces.keys():
        steps = key.split("/")
        if len(steps) == 3 and old.faces[key] != new.faces[key]:
            changed_ids.add(steps[1])
    return changed_ids


def _is_file_changed(old: Snapshot, new: Snapshot, path: str) -> bool:
    return old.files.get(path) != new.files.get(path)


def _styles_kind(path: list[str], new: Snapshot, kinds: list[str], card: str) -> bool:
    """Return True if cards of this kind may use a template."""
    folder = path[1:]  # the first step is "templates"
    if "art" in folder or any("gauge" in step for step in folder):
        return False
    if folder == ["base", "face.css"]:
        return True
    if folder[0] != new.pack or len(folder) < 2:
        return False
    return folder[1] == new.cards[card].get("kind") or folder[1] not in kinds


def _compare_cards(old: Snapshot, new: Snapshot) -> list[CardChange]:
    pairs, removed_ids = pair_cards(old, new)
    comparison = CardComparison(
        old,
        new,
        frozenset((*_find_slot_fields(old), *_find_slot_fields(new))),
        {old_id: new_id for new_id, old_id in pairs.items() if new_id != old_id},
        frozenset(_find_renamed_cards(old, new, pairs)),
        find_directions(new.manifest),
    )
    changes: list[CardChange] = []
    for new_id, old_id in pairs.items():
        change = comparison.compare_card(old_id, new_id)
        if change is not None:
            changes.append(change)
    changes += [
        _describe_added(old, new, card)
        for card in new.cards
        if card not in pairs and card not in old.unread
    ]
    changes += [
        _describe_removed(old, new, card)
        for card in removed_ids
        if card not in new.unread
    ]
    return [
        replace(
            change,
            effective=_find_effective_day(change, new),
            languages=_list_visible_languages(change, old, new),
        )
        for change in changes
    ]


def _describe_added(old: Snapshot, new: Snapshot, card: str) -> CardChange:
    raw = new.cards[card]
    # The parts of a split card continue its history.
    old_entries = list_new_history({}, _find_origin_card(card, old, new))
    return replace(
        _make_change(card, Status.ADDED, raw),
        new_revision=_read_revision(raw),
        history=tuple(
            entry for entry in list_new_history({}, raw) if entry not in old_entries
        ),
    )


def _find_origin_card(card: str, old: Snapshot, new: Snapshot) -> RawCard:
    """Return the old card that was split into this one and others. Empty if there is none."""
    for step in new.migrations:
        if step.type == "split" and card in step.new and step.old in old.cards:
            return old.cards[step.old]
    return {}


def _find_effective_day(change: CardChange, new: Snapshot) -> date | None:
    """Return the day from which a change applies: its own, or that of the new state."""
    # A later entry may move the day of an earlier one.
    for entry in reversed(change.history):
        day = entry.get("effective")
        if isinstance(day, str):
            return date.fromisoformat(day)
    return new.effective


def _list_visible_languages(
    change: CardChange, old: Snapshot, new: Snapshot
) -> tuple[str, ...]:
    """Return the languages whose readers see a change.

    The readers of a translation see a changed source text only where it is not translated.
    """
    # A history entry is printed in each language, so all readers see it.
    if (
        change.status is not Status.CHANGED
        or change.history
        or old.source != new.source
    ):
        return new.languages
    text_paths = {*old.texts.get(change.id, ()), *new.texts.get(change.id, ())}
    own_fields = [field for field in change.fields if field.lang is None]
    if any(field.path not in text_paths for field in own_fields):
        return new.languages
    visible_langs = {field.lang for field in change.fields}
    if own_fields:
        visible_langs.add(new.source)
    for lang in new.languages:
        translated = _read_texts(old, lang, change.id).keys() & _read_texts(
            new, lang, change.id
        )
        if any(field.path not in translated for field in own_fields):
            visible_langs.add(lang)
    return tuple(lang for lang in new.languages if lang in visible_langs)


def _find_renamed_cards(
    old: Snapshot, new: Snapshot, pairs: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the old and the new name of each card whose name in the source language changed."""
    for new_id, old_id in pairs.items():
        old_name = old.cards[old_id].get("name")
        new_name = new.cards[new_id].get("name")
        if (
            isinstance(old_name, str)
            and isinstance(new_name, str)
            and old_name != new_name
        ):
            yield old_name, new_name


def pair_cards(old: Snapshot, new: Snapshot) -> tuple[dict[str, str], list[str]]:
    """Pair cards of two states. Return old ids by new ids, and old ids without a new one.

    Only a rename continues a card. A merged card does not continue, although it has a
    successor.
    """
    renames = [step for step in new.migrations if step.type == "rename"]
    # An id that exists in both states is the same card, whatever migrations say.
    pairs = {card: card for card in new.cards if card in old.cards}
    removed_ids = []
    for card in old.cards:
        if card in pairs:
            continue
        heir = follow_migrations(card, renames, new.cards)
        if heir is None or heir in pairs:
            removed_ids.append(card)
        else:
            pairs[heir] = card
    return pairs, removed_ids


@dataclass(frozen=True, slots=True)
class CardComparison:
    """Compares the cards of two states.

    `slots` are the fields that rules read as slots; `renamed_ids` are new ids by old ones;
    `renamed_names` are pairs of old and new names; `directions` are the better directions of
    numbers.
    """

    old: Snapshot
    new: Snapshot
    slots: frozenset[str]
    renamed_ids: Mapping[str, str]
    renamed_names: frozenset[tuple[str, str]]
    directions: Mapping[str, Json]

    def compare_card(self, old_id: str, new_id: str) -> CardChange | None:
        """Return the change of a card that continues, or None if nothing differs."""
        old_card, new_card = _read_in_one_language(self.old, self.new, old_id, new_id)
        history = list_new_history(old_card, new_card)
        classifier = _Classifier(
            self.slots,
            frozenset(
                (*self.old.texts.get(old_id, ()), *self.new.texts.get(new_id, ()))
            ),
            frozenset((*self.old.rich.get(old_id, ()), *self.new.rich.get(new_id, ()))),
            frozenset(str(entry.get("type")) for entry in history),
            self.renamed_names,
        )
        changes = (
            *self._compare_fields(old_card, new_card, classifier),
            *_compare_translations(self.old, self.new, old_id, new_id),
            *_find_redrawn_pictures(self.old, self.new, new_card),
        )
        fields = [
            change
            for change in changes
            if not is_only_renamed(change.old, change.new, self.renamed_ids)
        ]
        if old_id == new_id and not fields and not history:
            return None
        fields.sort(key=lambda field: list(ChangeClass).index(field.type))
        status = Status.CHANGED if old_id == new_id else Status.RENAMED
        return replace(
            _make_change(new_id, status, new_card),
            old_id=old_id,
            fields=tuple(fields),
            old_revision=_read_revision(old_card),
            new_revision=_read_revision(new_card),
            history=history,
        )

    def _compare_fields(
        self, old_card: RawCard, new_card: RawCard, classifier: _Classifier
    ) -> Iterator[FieldChange]:
        if are_identical(old_card, new_card):
            return
        for change in compare_leaves(
            _drop_bookkeeping(old_card), _drop_bookkeeping(new_card)
        ):
            path = format_path(change.path)
            change_class = classifier.classify_change(change)
            effect = classify_effect(path, change.old, change.new, self.directions)
            yield FieldChange(path, change_class, change.old, change.new, effect=effect)


def _make_change(card: str, status: Status, raw: RawCard) -> CardChange:
    kind, name, faction = (raw.get(key) for key in ("kind", "name", "faction"))
    return CardChange(
        card,
        status,
        kind if isinstance(kind, str) else "",
        name if isinstance(name, str) else "",
        faction if isinstance(faction, str) and faction else None,
    )


def is_only_renamed(old: Value, new: Value, renames: Mapping[str, str]) -> bool:
    """Return True if a value differs only by naming a renamed card by its new id.

    What is printed stays the same.
    """
    if not renames or not isinstance(old, str) or not isinstance(new, str):
        return False
    if renames.get(old) == new:
        return True
    # The text is the same if the renamed ids are put into the old one.
    return CARD_TAG.sub(lambda tag: f"{{card:{renames.get(tag[1], tag[1])}", old) == new


def _drop_bookkeeping(card: RawCard) -> dict[str, Json]:
    return {key: value for key, value in card.items() if key not in BOOKKEEPING}


def _read_in_one_language(
    old: Snapshot, new: Snapshot, old_id: str, new_id: str
) -> tuple[RawCard, RawCard]:
    """Return a card in both states, with all texts in the source language of the new one.

    A text is never compared with one of another language. If the old state has no translation of it
    into the new source language, the text is empty on both sides.
    """
    old_card, new_card = old.cards[old_id], new.cards[new_id]
    if old.source == new.source:
        return old_card, new_card
    translations = _read_texts(old, new.source, old_id)
    paths = {*old.texts.get(old_id, ()), *new.texts.get(new_id, ())}
    old_texts = {
        path: str(translations[path]) for path in paths if path in translations
    }
    empty_texts = dict.fromkeys(paths - old_texts.keys(), "")
    return (
        _replace_card_texts(old_card, {**empty_texts, **old_texts}),
        _replace_card_texts(new_card, empty_texts),
    )


def _replace_card_texts(card: RawCard, texts: Mapping[str, str]) -> RawCard:
    replaced = replace_texts(dict(card), texts)
    return replaced if isinstance(replaced, dict) else {}


def list_common_languages(old: Snapshot, new: Snapshot) -> tuple[str, ...]:
    """Return the languages that both states have, in the order of the new one."""
    if not old.languages or not new.languages:  # the manifest cannot be read
        return tuple(sorted(old.translations.keys() & new.translations.keys()))
    return tuple(lang for lang in new.languages if lang in old.languages)


def _compare_translations(
    old: Snapshot, new: Snapshot, old_id: str, new_id: str
) -> Iterator[FieldChange]:
    for lang in sorted(list_common_languages(old, new)):
        if lang == new.source:
            continue  # these texts are the card's own fields
        old_texts = _read_texts(old, lang, old_id)
        new_texts = _read_texts(new, lang, new_id)
        for path in sorted(old_texts.keys() | new_texts.keys()):
            old_text = old_texts.get(path, ABSENT)
            new_text = new_texts.get(path, ABSENT)
            if old_text != new_text:
                yield FieldChange(
                    path, ChangeClass.TRANSLATION, old_text, new_text, lang
                )


def _read_texts(state: Snapshot, lang: str, card: str) -> Mapping[str, Json]:
    """Return the existing texts of a card in one language by dotted path."""
    texts: dict[str, Json] = {}
    if lang == state.source:
        for path in state.texts.get(card, ()):
            text = look_up(state.cards[card], path.split("."))
            if isinstance(text, str):
                texts[path] = text
    else:
        for path, item in state.translations.get(lang, {}).get(card, {}).items():
            texts[path] = item.get("text") if isinstance(item, Mapping) else item
    return texts


def _find_redrawn_pictures(
    old: Snapshot, new: Snapshot, card: RawCard
) -> Iterator[FieldChange]:
    """Find pictures that the card names and whose bytes changed under the same name."""
    for path, name in iterate_leaves(dict(card)):
        if not isinstance(name, str) or not name.endswith(PICTURE_EXTENSIONS):
            continue
        file = f"cards/{new.pack}/art/{name}"
        old_hash = old.files.get(file)
        new_hash = new.files.get(file)
        # A file that is new or gone has another name on the card, which is a change already.
        if old_hash and new_hash and old_hash != new_hash:
            yield FieldChange(
                format_path(path),
                ChangeClass.ART,
                old_hash[:8],
                new_hash[:8],
                redrawn=True,
            )


def list_lost_changes(
    base: Snapshot, other: Snapshot, state: Snapshot
) -> dict[str, tuple[FieldChange, ...]]:
    """Return what `other` changed since `base`, and `state` still has as in `base`, by card.

    A new card that `state` lacks has no fields.
    """
    later_changes = compare_states(base, state)
    changed_fields: set[tuple[str | None, str, str | None]] = set()
    for change in later_changes.cards:
        changed_fields.update(
            (change.old_id, field.path, field.lang) for field in change.fields
        )
    kept_cards = {change.old_id: change.id for change in later_changes.cards}
    lost_changes: dict[str, tuple[FieldChange, ...]] = {}
    for change in compare_states(base, other).cards:
        if change.status is Status.ADDED and change.id not in state.cards:
            lost_changes[change.id] = ()
        # A card that the state removed or renamed was dealt with on purpose.
        if kept_cards.get(change.old_id, change.old_id) not in state.cards:
            continue
        fields = tuple(
            field
            for field in change.fields
            if (change.old_id, field.path, field.lang) not in changed_fields
        )
        if fields:
            lost_changes[change.id] = fields
    return lost_changes


STATUS_OF_MIGRATION = {
    "merge": Status.MERGED,
    "split": Status.SPLIT,
    "delete": Status.DELETED,
    # A renamed card is only described as removed if its new id belongs to another card already.
    "rename": Status.MERGED,
}


def _describe_removed(old: Snapshot, new: Snapshot, card: str) -> CardChange:
    raw = old.cards[card]
    migration = next((step for step in new.migrations if step.old == card), None)
    status = STATUS_OF_MIGRATION[migration.type.value] if migration else Status.VANISHED
    return replace(
        _make_change(card, status, raw),
        old_id=card,
        successors=migration.new if migration else (),
        old_revision=_read_revision(raw),
    )


def list_new_history(
    old_card: RawCard, new_card: RawCard
) -> tuple[Mapping[str, Json], ...]:
    """Return the history entries of revisions above the old card's revision."""
    entries = new_card.get("history")
    old_revision = _read_revision(old_card) or 0
    return tuple(
        entry
        for entry in (entries if isinstance(entries, list | tuple) else ())
        if isinstance(entry, Mapping) and (_read_revision(entry) or 0) > old_revision
    )


def _read_revision(value: Mapping[str, Json]) -> int | None:
    number = value.get("revision")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _compare_parts(
    old: Snapshot, new: Snapshot, lost_parts: frozenset[str]
) -> Iterator[PartChange]:
    for part, old_part, new_part in (
        ("rules", index_rules(old.rules), index_rules(new.rules)),
        ("formats", old.formats, new.formats),
        ("vocabulary", old.vocabulary, new.vocabulary),
        ("pack", old.manifest, new.manifest),
    ):
        # Nothing is said about a part that one state cannot read.
        if f"{part}.json" in lost_parts or are_identical(old_part, new_part):
            continue
        for change in compare_leaves(old_part, new_part):
            if part != "pack" or change.path[:2] not in LANGUAGE_PATHS:
                yield PartChange(part, format_path(change.path), change.old, change.new)
    if "pack.json" not in lost_parts:
        yield from _compare_languages(old, new)
    if "files.json" not in lost_parts:
        yield from _compare_files(old, new)


def _compare_files(old: Snapshot, new: Snapshot) -> Iterator[PartChange]:
    for path in sorted(old.files.keys() | new.files.keys()):
        old_hash = old.files.get(path)
        new_hash = new.files.get(path)
        if old_hash != new_hash:
            part = PART_OF_FOLDER.get(path.partition("/")[0], "art")
            yield PartChange(part, path, old_hash or ABSENT, new_hash or ABSENT)


LANGUAGE_PATHS = (("languages", "source"), ("languages", "translations"))
"""Paths in the manifest that `_compare_languages` compares."""


def _compare_languages(old: Snapshot, new: Snapshot) -> Iterator[PartChange]:
    """Yield the languages that were added or removed, and another source language."""
    if not old.languages or not new.languages:
        return
    if old.source != new.source:
        yield PartChange(LANGUAGE, "source", old.source, new.source)
    for lang in new.languages:
        if lang not in old.languages:
            yield PartChange(LANGUAGE, lang, ABSENT, lang)
    for lang in old.languages:
        if lang not in new.languages:
            yield PartChange(LANGUAGE, lang, lang, ABSENT)


RULE_TEXTS = frozenset({"title", "source", "hint", "announcement"})
"""The keys of a rule that do not change what it demands."""


def index_rules(rules: Mapping[str, Json]) -> Mapping[str, Json]:
    """Convert the list of rules in a rule set to a map by id, so that rules are compared by id."""
    listed_rules = rules.get("rules")
    if not isinstance(listed_rules, list):
        return rules
    rules_by_id: dict[str, Json] = {}
    for index, rule in enumerate(listed_rules):
        # A rule without an id is invalid, but the difference must still show it.
        rule_id = rule.get("id", index) if isinstance(rule, Mapping) else index
        rules_by_id[str(rule_id)] = rule
    return {**rules, "rules": rules_by_id}


def list_rules(state: Snapshot) -> dict[str, Mapping[str, Json]]:
    """Return the roster rules of a state by id."""
    rules = index_rules(state.rules).get("rules")
    if not isinstance(rules, dict):
        return {}
    return {name: rule for name, rule in rules.items() if isinstance(rule, Mapping)}


def has_same_demand(
    old: Mapping[str, Json] | None, new: Mapping[str, Json] | None
) -> bool:
    """Return True if two rules (None: no rule) differ at most in texts and the announcement."""
    if old is None or new is None:
        return old is new
    keys = (old.keys() | new.keys()) - RULE_TEXTS
    return all(old.get(key) == new.get(key) for key in keys)
