"""Release notes for players: what changed in plain words, in the language of the cards. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from builder.errata.change import (
    ABSENT,
    CardChange,
    ChangeClass,
    Difference,
    FieldChange,
    Status,
    TextPiece,
    Value,
    word_difference,
)
from builder.errata.difference import named_rules, same_demand
from builder.errata.snapshot import Snapshot
from builder.messages import Message, gettext as _, translate
from builder.model.base import Json, lookup
from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text, parse_markup

PHRASES: Mapping[str, Message] = {
    "title": _("{pack}: what changed in {new}"),
    "dates": _("Published {released}, in force from {effective}. Compared with {old}."),
    "title-work": _("{pack}: what the next release changes"),
    "dates-work": _("Not yet published. Compared with {old}."),
    "none": _("No card changed."),
    "added": _("New card."),
    "renamed": _("Formerly “{old}”."),
    "merged": _("Withdrawn; its place is taken by {names}."),
    "split": _("Withdrawn; split into {names}."),
    "deleted": _("Withdrawn."),
    "vanished": _("Withdrawn."),
    "rules": _("Rules"),
    "rule-changed": _("The rule changed."),
    "rule-added": _("A new rule."),
    "rule-gone": _("The rule is withdrawn."),
    "revision": _("revision {number}"),
    "everyone": _("For everyone"),
    "cost": _("Cost"),
    "name": _("Name"),
    "keywords": _("Keywords"),
    "faction": _("Faction"),
    "art": _("Picture"),
    "before": _("Before"),
    "after": _("After"),
    "type-rules": _("Rules change"),
    "type-balance": _("Balance"),
    "type-wording": _("Wording"),
    "type-misprint": _("Misprint"),
    "type-art": _("Art"),
    "checklist": _("Cards to swap after {old}"),
    "swap": _("Swap"),
    "put-in": _("Add"),
    "take-out": _("Take out"),
}


def phrase(lang: str, name: str, **values: object) -> str:
    """One phrase in a language, in English where the language has none."""
    return translate(Message(PHRASES[name], **values), lang)


SECTIONS = {"key": "keywords", "stat": "stats", "term": "terms", "faction": "factions"}
DASH = "—"


@dataclass(frozen=True)
class NoteReader:
    """Reads one state in one language."""

    state: Snapshot
    lang: str

    def text(self, markup: str) -> str:
        """A marked-up text as plain letters."""
        return " ".join("".join(map(self._plain, parse_markup(markup))).split())

    def _plain(self, node: Node) -> str:
        match node:
            case Text():
                return node.text
            case Break():
                return " "
            case Emphasis() | Strong():
                return "".join(map(self._plain, node.children))
            case Tag():
                return self._tag(node)

    def _tag(self, tag: Tag) -> str:
        if tag.shown:
            return tag.shown.replace("\\", "")
        if tag.type == "dist":
            return f"{tag.id}{self.state.manifest.get('distance_unit', '')}"
        if tag.type == "card":
            return self.card(tag.id)
        if tag.type in SECTIONS:
            return self.word(SECTIONS[tag.type], tag.id)
        return tag.id

    def word(self, section: str, word: str) -> str:
        """The name of a word of the vocabulary, or the word itself."""
        return self.localized(lookup(self.state.vocabulary, (section, word, "name"))) or word

    def localized(self, names: Json) -> str:
        """One text of several languages: this one, else the source, else any."""
        if isinstance(names, str):
            return names
        if not isinstance(names, Mapping):
            return ""
        texts = (names.get(lang) for lang in (self.lang, self.state.source, *names))
        return next((text for text in texts if isinstance(text, str)), "")

    def card(self, card: str) -> str:
        """A card's name, or its id."""
        return self.string(card, "name") or card

    def string(self, card: str, path: str) -> str:
        """A translatable string of a card in this language; empty where there is none."""
        if self.lang != self.state.source:
            item = self.state.translations.get(self.lang, {}).get(card, {}).get(path)
            text = item.get("text") if isinstance(item, Mapping) else None
            if isinstance(text, str):
                return text
        value = lookup(self.state.cards.get(card, {}), path.split("."))
        return value if isinstance(value, str) else ""

    def kind(self, kind: str) -> str:
        """What a kind's cards are called together."""
        stated = lookup(self.state.manifest, ("kinds", kind))
        if not isinstance(stated, Mapping):
            return kind
        return self.localized(stated.get("plural")) or self.localized(stated.get("name")) or kind

    def faction(self, faction: str | None) -> str:
        """A faction's name; empty for none."""
        return self.word("factions", faction) if faction else ""

    def value(self, path: str, value: Value) -> str:
        """A field's value as a person reads it."""
        if value is ABSENT or value is None:
            return DASH
        if isinstance(value, bool):
            return "+" if value else DASH
        if isinstance(value, str):
            head = path.partition(".")[0]
            return self.word("factions", value) if head == "faction" else self.text(value)
        if isinstance(value, list):
            section = "keywords" if path == "keywords" else "terms"
            return ", ".join(self.word(section, item) if isinstance(item, str) else str(item) for item in value) or DASH
        return f"{value:g}" if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)

    def field(self, card: str, path: str) -> str:
        """What a field is called: stats, labels and named parts of the card by their names."""
        names: list[str] = []
        steps = path.split(".")
        for index, step in enumerate(steps):
            if names and index == len(steps) - 1 and step in ("text", "name"):
                break
            own = self.string(card, ".".join([*steps[: index + 1], "name"])) if index else ""
            word = self.localized(lookup(self.state.vocabulary, ("stats", step, "name")))
            label = self.localized(lookup(self.state.vocabulary, ("labels", step)))
            names.append(own or word or label or step)
        named = [name for name, step in zip(names, steps, strict=False) if name != step]
        return ": ".join(named or names)


ENVELOPE_FIELDS = ("cost", "name", "keywords", "faction", "art")


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One changed field: what it is called, its values as read, and for texts the changed words."""

    field: str
    old: str
    new: str
    pieces: tuple[TextPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """One card. `texts` are the history entries' types and texts, oldest first."""

    card: str
    old_card: str | None
    name: str
    status: Status
    summary: str
    revision: int | None
    texts: tuple[tuple[str, str], ...]
    rows: tuple[NoteRow, ...]


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """The notes of one kind within one faction."""

    faction: str
    kind: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class RuleNote:
    """One changed rule: its title, its place in the rulebook, and what happened."""

    title: str
    source: str
    summary: str


@dataclass(frozen=True, slots=True)
class Notes:
    """All notes of one release in one language."""

    lang: str
    pack: str
    old: str
    new: str
    released: date | None
    effective: date | None
    groups: tuple[NoteGroup, ...]
    rules: tuple[RuleNote, ...]


def notes(old: Snapshot, new: Snapshot, difference: Difference, lang: str) -> Notes:
    """The notes in one language; a card whose print changed only in another language is left out."""
    before, after = NoteReader(old, lang), NoteReader(new, lang)
    made = [(card, _note(card, before, after)) for card in difference.cards]
    kept = [(card, note) for card, note in made if note is not None]

    def place(item: tuple[CardChange, Note]) -> tuple[int, int, str]:
        card, note = item
        factions, kinds = new.vocabulary.get("factions"), new.manifest.get("kinds")
        return _index(factions, card.faction), _index(kinds, card.kind), note.name

    groups = []
    for (faction, kind), items in groupby(sorted(kept, key=place), key=lambda item: (item[0].faction, item[0].kind)):
        named = after.faction(faction) or phrase(lang, "everyone")
        groups.append(NoteGroup(named, after.kind(kind), tuple(note for _, note in items)))
    pack = after.localized(new.manifest.get("name")) or new.pack
    rules = tuple(_rules(old, new, after))
    return Notes(lang, pack, old.label, new.label, new.released, new.effective, tuple(groups), rules)


def _index(known: Json, value: str | None) -> int:
    """The place of a key in a map; the last for one that is not there."""
    keys = list(known) if isinstance(known, Mapping) else []
    return keys.index(value) if value in keys else len(keys)


def _note(card: CardChange, before: NoteReader, after: NoteReader) -> Note | None:
    rows = tuple(_row(field, card, before, after) for field in card.fields if _shown(field, after))
    if not rows and not card.history and card.status is Status.CHANGED:
        return None
    reader, name_of = (before, card.old_id or card.id) if card.status.gone else (after, card.id)
    sorts = [(f"type-{entry.get('type')}", after.localized(entry.get("note"))) for entry in card.history]
    texts = tuple((phrase(after.lang, sort) if sort in PHRASES else "", text) for sort, text in sorts)
    summary = _summary(card, before, after)
    return Note(card.id, card.old_id, reader.card(name_of), card.status, summary, card.new_revision, texts, rows)


def _summary(card: CardChange, before: NoteReader, after: NoteReader) -> str:
    if card.status is Status.CHANGED:
        return ""
    names = ", ".join(after.card(heir) for heir in card.successors)
    if card.status is Status.RENAMED:
        old = before.card(card.old_id or "")
        return phrase(after.lang, "renamed", old=old) if old != after.card(card.id) else ""
    return phrase(after.lang, card.status.value, names=names)


def _shown(field: FieldChange, reader: NoteReader) -> bool:
    """Texts are shown in the notes' own language only, everything else always."""
    if field.lang is not None:
        return field.lang == reader.lang
    if reader.lang == reader.state.source:
        return True
    return field.type not in (ChangeClass.RULE_TEXT, ChangeClass.WORDING, ChangeClass.NAME)


def _row(field: FieldChange, card: CardChange, before: NoteReader, after: NoteReader) -> NoteRow:
    name = phrase(after.lang, field.path) if field.path in ENVELOPE_FIELDS else after.field(card.id, field.path)
    old, new = before.value(field.path, field.old), after.value(field.path, field.new)
    is_text = isinstance(field.old, str) and isinstance(field.new, str) and max(len(old), len(new)) > 24
    return NoteRow(name, old, new, word_difference(old, new) if is_text else ())


def _rules(old: Snapshot, new: Snapshot, reader: NoteReader) -> Iterator[RuleNote]:
    before, after = named_rules(old), named_rules(new)
    for name in sorted(before.keys() | after.keys()):
        if same_demand(before.get(name), after.get(name)):
            continue
        word = "rule-added" if name not in before else "rule-gone" if name not in after else "rule-changed"
        rule = after.get(name) or before[name]
        title, source = reader.localized(rule.get("title")), reader.localized(rule.get("source"))
        yield RuleNote(title or name, source, phrase(reader.lang, word))
