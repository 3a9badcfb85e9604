"""Release notes for players: what changed in plain words, in the language of the cards. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from builder.errata.change import (
    LANGUAGE,
    RULES_TYPES,
    WORDING_TYPES,
    CardChange,
    CardClass,
    Difference,
    Status,
    describe_language,
    summarize_changes,
)
from builder.errata.difference import has_same_demand, list_common_languages, list_rules
from builder.errata.format_changes import compare_formats
from builder.errata.reader import NoteReader, ReaderPair
from builder.errata.rows import NoteRow, list_card_rows
from builder.errata.snapshot import Snapshot
from builder.messages import gettext as _, join_messages
from builder.model.base import Json, look_up
from builder.model.formats import points_title

GREY, EVERYONE = "#444444", _("For everyone")
"""The colour and the name of what belongs to no faction."""
BECAME = {
    Status.ADDED: _("New card."),
    Status.MERGED: _("Withdrawn; its place is taken by {names}."),
    Status.SPLIT: _("Withdrawn; split into {names}."),
    Status.DELETED: _("Withdrawn."),
    Status.VANISHED: _("Withdrawn."),
}
TYPES = {
    "rules": _("Rules change"),
    "balance": _("Balance"),
    "wording": _("Wording"),
    "misprint": _("Misprint"),
    "art": _("Art"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One card. `texts` are the history entries' types and texts, oldest first; `change_class` is the card's class.

    `redrawn` is true if a picture of the card has other bytes under the same name: its old face cannot be shown.
    """

    card: str
    old_card: str | None
    name: str
    status: Status
    summary: str
    revision: int | None
    texts: tuple[tuple[str, str], ...]
    rows: tuple[NoteRow, ...]
    change_class: CardClass = CardClass.PLAYS
    redrawn: bool = False


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """The notes of one kind within one faction, whose colour is as style sheets write it."""

    faction: str
    colour: str
    kind: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class RuleNote:
    """One changed rule: its title, its place in the rulebook, and what happened; or what a play format says otherwise,
    of the cards that its title names, with its days and reason.
    """

    title: str
    source: str
    summary: str
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PointsRow:
    """What a card costs now; a dash for a card that was not there before, or is no longer."""

    name: str
    faction: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Notes:
    """All notes of one release in one language. `summary` has ten lines at most; `points` what costs otherwise.

    `withdrawn` says since when, why, and what to use instead; it is empty for a release that was not withdrawn.
    """

    lang: str
    pack: str
    old: str
    new: str
    released: date | None
    effective: date | None
    groups: tuple[NoteGroup, ...]
    rules: tuple[RuleNote, ...]
    points: tuple[PointsRow, ...] = ()
    summary: tuple[str, ...] = ()
    withdrawn: str = ""

    @property
    def cards(self) -> tuple[Note, ...]:
        """The notes of all cards, in order."""
        return tuple(note for group in self.groups for note in group.notes)


def compose_notes(
    old: Snapshot,
    new: Snapshot,
    difference: Difference,
    lang: str,
    factions: Collection[str] | None = None,
) -> Notes:
    """The notes in one language, of some `factions` only if they are named; a card whose print changed only in another
    language is left out.
    """
    text_lang = _text_language(old, new, lang)
    before, after = NoteReader(old, lang, text_lang), NoteReader(new, lang, text_lang)
    renames = {
        card.old_id: card.id
        for card in difference.cards
        if card.status is Status.RENAMED and card.old_id
    }
    asked = [card for card in difference.cards if factions is None or card.faction in factions]
    made = [(card, _note(card, before, after, renames)) for card in asked]
    kept = [(card, note) for card, note in made if note is not None]

    def place(item: tuple[CardChange, Note]) -> tuple[int, int, str]:
        card, note = item
        factions, kinds = new.vocabulary.get("factions"), new.manifest.get("kinds")
        return _index(factions, card.faction), _index(kinds, card.kind), note.name

    kept.sort(key=place)
    groups = []
    for (faction, kind), items in groupby(kept, key=lambda item: (item[0].faction, item[0].kind)):
        named = after.name_faction(faction) or after.translate(EVERYONE)
        colour = look_up(new.vocabulary, ("factions", faction or "", "colour"))
        listed = tuple(note for _, note in items)
        groups.append(
            NoteGroup(
                named, colour if isinstance(colour, str) else GREY, after.name_kind(kind), listed
            )
        )
    pack = after.pick_language(new.manifest.get("name")) or new.pack
    rules = (*_rules(old, new, after), *_formats(old, new, after))
    points = tuple(_points(kept, before, after))
    changed_languages = [part for part in difference.parts if part.part == LANGUAGE]
    lines = (
        *(after.translate(describe_language(part)) for part in changed_languages),
        *_summary(kept, before, after, rules),
    )
    short = lines[:MAX_SUMMARY_LINES]
    return Notes(lang, pack, old.label, new.label, new.released, new.effective, tuple(groups), rules, points, short,
                 _format_withdrawal(after))  # fmt: skip


SENTENCE_ENDS = tuple(".!?…。！？")
"""The characters after which a sentence needs no full stop."""


def _format_withdrawal(reader: NoteReader) -> str:
    """The sentences about a withdrawal; empty for a release that was not withdrawn."""
    mark = reader.state.withdrawal
    if mark is None:
        return ""
    reason = reader.pick_language(dict(mark.reason)).strip()
    if not reason.endswith(SENTENCE_ENDS):  # another sentence may follow
        reason += "."
    told = reader.translate(_("Withdrawn on {day}: {reason}", day=mark.date, reason=reason))
    if mark.successor is None:
        return told
    return f"{told} {reader.translate(_('Use {version} instead.', version=mark.successor))}"


def _text_language(old: Snapshot, new: Snapshot, lang: str) -> str:
    """The language in which the cards of both states are read: the asked one, English, the source, any they share."""
    common = list_common_languages(old, new)
    candidates = (lang, "en", new.source, *common)
    return next((candidate for candidate in candidates if candidate in common), lang)


MAX_SUMMARY_LINES = 10


def _costs(card: CardChange, before: NoteReader, after: NoteReader) -> tuple[Json, Json]:
    was = before.state.cards.get(card.old_id or "", {}).get("cost")
    return was, None if card.status.gone else after.state.cards[card.id].get("cost")


def _points(
    cards: Sequence[tuple[CardChange, Note]], before: NoteReader, after: NoteReader
) -> Iterator[PointsRow]:
    for card, note in cards:
        was, now = _costs(card, before, after)
        if was != now:
            faction = after.name_faction(card.faction) or after.translate(EVERYONE)
            yield PointsRow(note.name, faction, before.format_value(was), after.format_value(now))


LINES = {
    "new": _("New: {names}"),
    "withdrawn": _("Withdrawn: {names}"),
    "renamed": _("Renamed: {names}"),
    "dearer": _("Dearer: {names}"),
    "cheaper": _("Cheaper: {names}"),
    "plays": _("Plays differently: {names}"),
    "reworded": _("Said more clearly, misprints: {names}"),
    "redrawn": _("Looks different: {names}"),
    "squads": _("Rules of squads: {names}"),
    "translated": _("Translation changed: {names}"),
}
"""The lines of the summary after the first, in their order."""
MOST = 8
"""So many cards are named in a line of the summary."""


def _summary(
    cards: Sequence[tuple[CardChange, Note]],
    before: NoteReader,
    after: NoteReader,
    rules: Sequence[RuleNote],
) -> Iterator[str]:
    """Yield the lines about cards: each card is named in one, by its class."""
    named: dict[str, list[str]] = {}
    for card, note in cards:
        was, now = _costs(card, before, after)
        name = note.name
        line = card.card_class.value
        if (
            isinstance(was, int | float)
            and isinstance(now, int | float)
            and was != now
            and not card.status.gone
        ):
            line, name = ("dearer" if now > was else "cheaper"), f"{name} {was:g} → {now:g}"
        elif card.card_class is CardClass.RENAMED and card.old_id:
            old_name, new_name = ReaderPair(before, after).name_cards(card.old_id, card.id)
            name = f"{old_name} → {new_name}" if old_name != new_name else name
        named.setdefault(line, []).append(name)
    if cards:
        yield after.translate(summarize_changes(card for card, _note in cards))
    named["squads"] = [rule.title for rule in rules]
    for line, form in LINES.items():
        names = named.get(line, [])
        listed, rest = ", ".join(names[:MOST]), len(names) - MOST
        if names:
            told = listed if rest <= 0 else _("{names} and {rest} more", names=listed, rest=rest)
            yield after.translate(_(form, names=told))


def _index(known: Json, value: str | None) -> int:
    """The place of a key in a map; the last for one that is not there."""
    keys = list(known) if isinstance(known, Mapping) else []
    return keys.index(value) if value in keys else len(keys)


def _note(
    card: CardChange, before: NoteReader, after: NoteReader, renames: dict[str, str]
) -> Note | None:
    rows = list_card_rows(card, before, after, renames)
    if not rows and not card.history and card.status is Status.CHANGED:
        return None
    reader, name_of = (before, card.old_id or card.id) if card.status.gone else (after, card.id)
    sorts = [after.translate(label) for label in _type_labels(card)]
    texts = zip(
        sorts, (after.pick_language(entry.get("note")) for entry in card.history), strict=True
    )
    told = _told(card, before, after)
    redrawn = any(field.redrawn for field in card.fields)
    name = reader.name_card(name_of)
    revision = card.new_revision
    return Note(
        card.id,
        card.old_id,
        name,
        card.status,
        told,
        revision,
        tuple(texts),
        rows,
        card.card_class,
        redrawn,
    )


TYPES_OF_CLASS = {
    CardClass.PLAYS: RULES_TYPES,
    CardClass.REDRAWN: frozenset({"art", "misprint"}),
    CardClass.REWORDED: WORDING_TYPES,
}
"""The types of history entries that fit a class."""
LABELS_OF_CLASS = {
    CardClass.PLAYS: _("Rules change"),
    CardClass.REDRAWN: _("Art"),
    CardClass.REWORDED: _("Wording"),
}


def _type_labels(card: CardChange) -> list[str]:
    """Return the label of each history entry.

    Old releases may announce another class than the change has. Then the class gives the label.
    """
    fitting, label = TYPES_OF_CLASS.get(card.card_class), LABELS_OF_CLASS.get(card.card_class)
    if label is not None and fitting is not None and card.history and not card.types & fitting:
        return [label] * len(card.history)
    return [TYPES.get(str(entry.get("type")), "") for entry in card.history]


def _told(card: CardChange, before: NoteReader, after: NoteReader) -> str:
    """What became of the card as a whole."""
    if card.status is Status.CHANGED:
        return ""
    names = ", ".join(after.name_card(heir) for heir in card.successors)
    if card.status is Status.RENAMED:
        old, new = ReaderPair(before, after).name_cards(card.old_id or "", card.id)
        return after.translate(_("Formerly “{old}”.", old=old)) if old != new else ""
    return after.translate(_(BECAME[card.status], names=names))


def _rules(old: Snapshot, new: Snapshot, reader: NoteReader) -> Iterator[RuleNote]:
    before, after = list_rules(old), list_rules(new)
    for name in sorted(before.keys() | after.keys()):
        if has_same_demand(before.get(name), after.get(name)):
            continue
        told = _("The rule changed.") if name in before else _("A new rule.")
        told = told if name in after else _("The rule is withdrawn.")
        rule = after.get(name) or before[name]
        title, source = (
            reader.pick_language(rule.get("title")),
            reader.pick_language(rule.get("source")),
        )
        yield RuleNote(title or name, source, reader.translate(told))


def _formats(old: Snapshot, new: Snapshot, reader: NoteReader) -> Iterator[RuleNote]:
    """What play formats say otherwise, each card by its name."""
    for change in compare_formats(old, new):
        name, most = reader.pick_language(dict(change.form.name)), change.now.most
        title = points_title(name, most) if change.points else change.now.title(name)
        told = reader.translate(title)
        cards = ", ".join(map(reader.name_card, change.cards))
        entry = change.now.entry
        reason = reader.pick_language(dict(entry.reason)) if entry is not None else ""
        days = reader.translate(join_messages(change.period.words))
        yield RuleNote(f"{told}: {cards}" if cards else told, days, reason, change.cards)
