"""Compose release notes for players, in plain words and in the language of the cards. Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, groupby

from builder.errata.change import (
    LANGUAGE,
    RULES_TYPES,
    WORDING_TYPES,
    CardChange,
    CardClass,
    CardEffect,
    ChangeClass,
    Difference,
    Status,
    describe_language,
    summarize_changes,
)
from builder.errata.difference import has_same_demand, list_common_languages, list_rules
from builder.errata.format_changes import compare_formats
from builder.errata.reader import NoteReader, ReaderPair
from builder.errata.reprints import group_reprints, list_originals
from builder.errata.rows import NoteRow, list_card_rows, list_rule_rows
from builder.errata.snapshot import Snapshot
from builder.messages import gettext as _, join_messages
from builder.model.base import Json, look_up
from builder.model.formats import format_points_title

GREY, EVERYONE = "#444444", _("For everyone")
"""The colour and the name of what belongs to no faction."""
BECAME = {
    Status.ADDED: _("New card."),
    Status.MERGED: _("Withdrawn; replaced by {names}."),
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
class RulingEntry:
    """A ruling in one language.

    `cards` and `rules` are pairs of an id and a name. `changed_names` are the cards and rules that
    changed after the last review.
    """

    id: str
    day: date
    question: str
    answer: str
    source: str
    cards: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    changed_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommentaryEntry:
    """A designer's remark in one language."""

    text: str
    author: str
    card: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """The release note about one card.

    `texts` are the types and texts of the history entries, oldest first. `change_class` is the
    class of the change. `redrawn` is True if a picture changed under the same name: then the
    old face cannot be shown.
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
    effective: date | None = None
    """The day from which the change applies, if it is not that of the release."""
    commentary: tuple[CommentaryEntry, ...] = ()
    reprints: tuple[str, ...] = ()
    """Other prints of the card that changed in the same way; this note is about them too."""


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """The release notes about cards of one kind and faction."""

    faction: str
    colour: str
    kind: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class RuleNote:
    """The release note about a changed rule or play format."""

    title: str
    source: str
    summary: str
    cards: tuple[str, ...] = ()
    rows: tuple[NoteRow, ...] = ()
    announcement: str = ""


@dataclass(frozen=True, slots=True)
class PointsRow:
    """The old and new cost of a card. A dash if the card did not exist."""

    name: str
    faction: str
    old: str
    new: str
    remark: str = ""
    effect: CardEffect | None = None
    reverts: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """The release notes between two states of a pack, in one language.

    `summary` has at most ten lines; `points` are the changed costs. `withdrawn` describes a
    withdrawal and its reason. It is empty for a valid release.
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
    restyled: tuple[str, ...] = ()
    """Lines that name the cards that only look different."""
    languages: tuple[str, ...] = ()
    """Sentences about added and removed languages."""
    rulings: tuple[RulingEntry, ...] = ()
    """The rulings since the old state."""
    commentary: tuple[CommentaryEntry, ...] = ()
    """What the designers say about the release."""
    announcement: str = ""
    """The page on which the release was announced."""
    spans_releases: bool = False
    """True if the working files are compared with a release before the last one."""

    @property
    def cards(self) -> tuple[Note, ...]:
        """The notes of all cards, in order."""
        return tuple(chain.from_iterable(group.notes for group in self.groups))


def compose_notes(
    old: Snapshot,
    new: Snapshot,
    difference: Difference,
    lang: str,
    factions: Collection[str] | None = None,
) -> Notes:
    """Compose the release notes of a difference in one language.

    A card whose print changed only in another language is left out.
    """
    text_lang = _choose_text_language(old, new, lang)
    readers = ReaderPair(
        NoteReader(old, lang, text_lang), NoteReader(new, lang, text_lang)
    )
    after = readers.after
    all_notes = _compose_card_notes(difference, readers, factions)
    card_notes = _distinguish_names(_merge_reprints(all_notes, after), after)
    groups = []
    # The notes are ordered by faction and kind, as groupby() needs.
    for (faction, kind), items in groupby(
        card_notes, key=lambda item: (item[0].faction, item[0].kind)
    ):
        name = after.name_faction(faction) or after.translate(EVERYONE)
        colour = look_up(new.vocabulary, ("factions", faction or "", "colour"))
        colour = colour if isinstance(colour, str) else GREY
        notes = tuple(note for _card, note in items)
        groups.append(NoteGroup(name, colour, after.name_kind(kind), notes))
    rules = (*_compose_rule_notes(readers), *_compose_format_notes(old, new, after))
    languages = tuple(
        after.translate(describe_language(part))
        for part in difference.parts
        if part.part == LANGUAGE
    )
    summary = [*languages]
    if all_notes:  # each print counts, as in the comparison
        summary.append(
            after.translate(summarize_changes(card for card, _note in all_notes))
        )
    summary += _summarize_cards(card_notes, readers, rules, difference)
    restyled = tuple(_list_restyled_cards(difference, after, factions))
    if restyled:
        summary.append(
            after.translate(_("Looks different: {names}", names="; ".join(restyled)))
        )
    return Notes(
        lang,
        after.pick_language(new.manifest.get("name")) or new.pack,
        old.label,
        new.label,
        new.released,
        new.effective,
        tuple(groups),
        rules,
        tuple(_list_points(card_notes, readers)),
        tuple(summary[:MAX_SUMMARY_LINES]),
        _format_withdrawal(after),
        restyled,
        languages,
        announcement=new.announcement,
    )


def _list_restyled_cards(
    difference: Difference, reader: NoteReader, factions: Collection[str] | None
) -> Iterator[str]:
    """Yield a line for each kind that names its cards that only look different."""
    names_by_kind: dict[str, list[str]] = {}
    for card in difference.restyled:
        raw = reader.state.cards[card]
        if factions is None or raw.get("faction") in factions:
            names_by_kind.setdefault(str(raw.get("kind")), []).append(
                reader.name_card(card)
            )
    counts = Counter(str(raw.get("kind")) for raw in reader.state.cards.values())
    for kind, names in names_by_kind.items():
        listed = ", ".join(sorted(names))
        if len(names) == counts[kind] > 1:
            listed = reader.translate(_("all {count} cards", count=len(names)))
        yield f"{reader.name_kind(kind)}: {listed}"


def _compose_card_notes(
    difference: Difference, readers: ReaderPair, factions: Collection[str] | None
) -> list[tuple[CardChange, Note]]:
    """Return the changed cards with their notes, ordered by faction, kind and name."""
    new = readers.after.state
    renames = {
        card.old_id: card.id
        for card in difference.cards
        if card.status is Status.RENAMED and card.old_id
    }
    card_notes: list[tuple[CardChange, Note]] = []
    for card in difference.cards:
        if factions is None or card.faction in factions:
            note = _compose_note(card, difference, readers, renames)
            if note is not None:
                card_notes.append((card, note))

    def get_order(item: tuple[CardChange, Note]) -> tuple[int, int, str]:
        card, note = item
        faction_index = _find_index(new.vocabulary.get("factions"), card.faction)
        return (
            faction_index,
            _find_index(new.manifest.get("kinds"), card.kind),
            note.name,
        )

    return sorted(card_notes, key=get_order)


def _merge_reprints(
    card_notes: Sequence[tuple[CardChange, Note]], reader: NoteReader
) -> list[tuple[CardChange, Note]]:
    """Keep one note of the prints of a card that changed in the same way."""
    groups = group_reprints(list_originals(reader.state.cards))
    merged: list[tuple[CardChange, Note]] = []
    for card, note in card_notes:
        others = groups.get(note.card, ())
        for index, (merged_card, merged_note) in enumerate(merged if others else ()):
            has_same_change = (merged_note.rows, merged_note.texts) == (
                note.rows,
                note.texts,
            )
            if merged_note.card in others and has_same_change:
                reprints = (*merged_note.reprints, note.card)
                merged[index] = (merged_card, replace(merged_note, reprints=reprints))
                break
        else:
            merged.append((card, note))
    return merged


def _distinguish_names(
    card_notes: Sequence[tuple[CardChange, Note]], reader: NoteReader
) -> list[tuple[CardChange, Note]]:
    """Add the kind, or else the id, to names that several cards of the pack have."""
    changed_names = {note.name for _card, note in card_notes}
    cards_by_name: dict[str, list[str]] = {}
    for card_id in reader.state.cards:
        name = reader.name_card(card_id)
        if name in changed_names:
            cards_by_name.setdefault(name, []).append(card_id)
    result: list[tuple[CardChange, Note]] = []
    for card, note in card_notes:
        same_ids = cards_by_name.get(note.name, [])
        if note.reprints:
            prints = ", ".join((note.card, *note.reprints))
            note = replace(note, name=f"{note.name} ({prints})")
        elif len(same_ids) > 1 and not card.status.gone:
            kinds = [
                str(reader.state.cards[same_id].get("kind")) for same_id in same_ids
            ]
            is_only_one = kinds.count(card.kind) == 1
            detail = reader.name_single_kind(card.kind) if is_only_one else card.id
            note = replace(note, name=f"{note.name} ({detail})")
        result.append((card, note))
    return result


SENTENCE_ENDS = tuple(".!?…。！？")
"""The characters after which a sentence needs no full stop."""


def _format_withdrawal(reader: NoteReader) -> str:
    """Return the sentences about a withdrawal. Empty for a release that was not withdrawn."""
    withdrawal = reader.state.withdrawal
    if withdrawal is None:
        return ""
    reason = reader.pick_language(dict(withdrawal.reason)).strip()
    if not reason.endswith(SENTENCE_ENDS):  # another sentence may follow
        reason += "."
    form = _("Withdrawn on {day}: {reason}")
    text = reader.translate(_(form, day=withdrawal.date, reason=reason))
    if withdrawal.successor is None:
        return text
    return f"{text} {reader.translate(_('Use {version} instead.', version=withdrawal.successor))}"


def _choose_text_language(old: Snapshot, new: Snapshot, lang: str) -> str:
    """Choose a language that both states have: the given one, else English, the source, or any."""
    common_langs = list_common_languages(old, new)
    candidates = (lang, "en", new.source, *common_langs)
    return next(
        (candidate for candidate in candidates if candidate in common_langs), lang
    )


MAX_SUMMARY_LINES = 10


def _read_costs(card: CardChange, readers: ReaderPair) -> tuple[Json, Json]:
    old_cost = readers.before.state.cards.get(card.old_id or "", {}).get("cost")
    if card.status.gone:
        return old_cost, None
    return old_cost, readers.after.state.cards[card.id].get("cost")


def _list_points(
    card_notes: Sequence[tuple[CardChange, Note]], readers: ReaderPair
) -> Iterator[PointsRow]:
    before, after = readers.before, readers.after
    for card, note in card_notes:
        old_cost, new_cost = _read_costs(card, readers)
        if old_cost != new_cost:
            faction = after.name_faction(card.faction) or after.translate(EVERYONE)
            old_text = before.format_value(old_cost)
            new_text = after.format_value(new_cost)
            cost = next(
                (item for item in card.fields if item.type is ChangeClass.COST), None
            )
            row = PointsRow(note.name, faction, old_text, new_text)
            if cost is not None:
                remark = after.translate(cost.remark)
                row = replace(
                    row, remark=remark, effect=cost.effect, reverts=cost.reverts
                )
            yield row


SUMMARY_LINES = {
    "new": _("New: {names}"),
    "withdrawn": _("Withdrawn: {names}"),
    "split": _("Split: {names}"),
    "merged": _("Replaced: {names}"),
    "renamed": _("Renamed: {names}"),
    "dearer": _("More expensive: {names}"),
    "cheaper": _("Cheaper: {names}"),
    "gain": _("Stronger: {names}"),
    "loss": _("Weaker: {names}"),
    "plays": _("Plays differently: {names}"),
    "reworded": _("Clearer wording, misprints: {names}"),
    "redrawn": _("Looks different: {names}"),
    "squads": _("Rules for squads: {names}"),
    "translated": _("Translation changed: {names}"),
    "unchanged": _("New revision with the same values: {names}"),
}
"""The lines of the summary after the first, in their order."""
MAX_NAMES_PER_LINE = 8


def _summarize_cards(
    card_notes: Sequence[tuple[CardChange, Note]],
    readers: ReaderPair,
    rules: Sequence[RuleNote],
    difference: Difference,
) -> Iterator[str]:
    """Yield the lines about cards: each card is named in one, by its class."""
    after = readers.after
    names_by_line: dict[str, list[str]] = {}
    for card, note in card_notes:
        if difference.find_origin(card.id) is not None:
            continue  # the line of the card that was split names it
        line, name = _place_in_summary(card, note, readers)
        names_by_line.setdefault(line, []).append(name)
    names_by_line["squads"] = [rule.title for rule in rules]
    for line, form in SUMMARY_LINES.items():
        names = names_by_line.get(line, [])
        if not names:
            continue
        listed = ", ".join(names[:MAX_NAMES_PER_LINE])
        rest = len(names) - MAX_NAMES_PER_LINE
        if rest > 0:
            listed = _("{names} and {rest} more", names=listed, rest=rest)
        yield after.translate(_(form, names=listed))


def _place_in_summary(
    card: CardChange, note: Note, readers: ReaderPair
) -> tuple[str, str]:
    """Return the line of the summary in which a card is named, and the name."""
    name = _name_with_predecessor(card, note, readers)
    if card.cost_step:
        old_cost, new_cost = _read_costs(card, readers)
        costs = f"{readers.before.format_value(old_cost)} → {readers.after.format_value(new_cost)}"
        return "dearer" if card.cost_step > 0 else "cheaper", f"{name} {costs}"
    if card.status in (Status.SPLIT, Status.MERGED):
        names = ", ".join(readers.after.name_card(heir) for heir in card.successors)
        return card.status.value, f"{name} → {names}"
    if card.effect in (CardEffect.GAIN, CardEffect.LOSS):
        return card.effect.value, name
    return card.card_class.value, name


def _name_with_predecessor(card: CardChange, note: Note, readers: ReaderPair) -> str:
    """Return the name of a card, and its old name if the card was renamed."""
    is_only_renamed = card.card_class is CardClass.RENAMED
    if not card.old_id or not (is_only_renamed or card.status is Status.RENAMED):
        return note.name
    old_name, new_name = readers.name_cards(card.old_id, card.id)
    if old_name == new_name:
        return note.name
    if is_only_renamed:
        return f"{old_name} → {new_name}"
    form = _("{name} (formerly {old_name})")
    return readers.after.translate(_(form, name=note.name, old_name=old_name))


def _find_index(keys: Json, key: str | None) -> int:
    """Return the index of a key in a map, or the number of keys if the map does not contain it."""
    names = list(keys) if isinstance(keys, Mapping) else []
    return names.index(key) if key in names else len(names)


def _compose_note(
    card: CardChange,
    difference: Difference,
    readers: ReaderPair,
    renames: Mapping[str, str],
) -> Note | None:
    """Return the note of a card, or None if nothing that its reader sees has changed."""
    after = readers.after
    # Readers of a language that the pack lacks see the source texts, and so all changes.
    if after.reading in after.state.languages and after.reading not in card.languages:
        return None
    rows = list_card_rows(card, readers.before, after, renames)
    name = after.name_card(card.id)
    if card.status.gone:
        name = readers.before.name_card(card.old_id or card.id)
    labels = [after.translate(label) for label in _list_type_labels(card)]
    texts = [after.pick_language(entry.get("note")) for entry in card.history]
    return Note(
        card.id,
        card.old_id,
        name,
        card.status,
        _describe_status(card, difference, readers),
        card.new_revision,
        tuple(zip(labels, texts, strict=True)),
        rows,
        card.card_class,
        any(field.redrawn for field in card.fields),
        card.effective if card.effective != after.state.effective else None,
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


def _list_type_labels(card: CardChange) -> list[str]:
    """Return the label of each history entry.

    Old releases may announce another class than the change has. Then the class gives the label.
    """
    class_types = TYPES_OF_CLASS.get(card.card_class)
    label = LABELS_OF_CLASS.get(card.card_class)
    # A wrong label would tell players that a change of play is a misprint.
    if (
        label is not None
        and class_types is not None
        and not card.change_types & class_types
    ):
        return [label] * len(card.history)
    return [TYPES.get(str(entry.get("type")), "") for entry in card.history]


def _describe_status(
    card: CardChange, difference: Difference, readers: ReaderPair
) -> str:
    """Describe a new, renamed or removed card. Empty if the card only changed."""
    after = readers.after
    origin = difference.find_origin(card.id)
    if origin is not None:
        old_name = readers.before.name_card(origin.id)
        return after.translate(_("New card, split from “{old}”.", old=old_name))
    if card.card_class is CardClass.UNCHANGED:
        form = _("The same values as in {version}.")
        return after.translate(_(form, version=difference.old))
    if card.status is Status.CHANGED:
        return ""
    if card.status is Status.RENAMED:
        old_name, new_name = readers.name_cards(card.old_id or "", card.id)
        if old_name == new_name and (card.fields or card.history):
            return ""
        if old_name == new_name:
            form = _("Only the id changed: {old} → {new}.")
            return after.translate(_(form, old=card.old_id, new=card.id))
        return after.translate(_("Formerly “{old}”.", old=old_name))
    names = ", ".join(after.name_card(heir) for heir in card.successors)
    return after.translate(_(BECAME[card.status], names=names))


def _compose_rule_notes(readers: ReaderPair) -> Iterator[RuleNote]:
    old_rules = list_rules(readers.before.state)
    new_rules = list_rules(readers.after.state)
    for name in sorted(old_rules.keys() | new_rules.keys()):
        if not has_same_demand(old_rules.get(name), new_rules.get(name)):
            yield _compose_rule_note(
                name, old_rules.get(name), new_rules.get(name), readers
            )


def _compose_rule_note(
    name: str,
    old_rule: Mapping[str, Json] | None,
    new_rule: Mapping[str, Json] | None,
    readers: ReaderPair,
) -> RuleNote:
    reader = readers.after
    rule = new_rule or old_rule or {}
    title = reader.pick_language(rule.get("title")) or name
    source = reader.pick_language(rule.get("source"))
    if new_rule is None:
        return RuleNote(title, source, reader.translate(_("The rule was removed.")))
    announcement = reader.pick_language(rule.get("announcement"))
    if old_rule is None:
        summary = reader.translate(_("A new rule."))
        return RuleNote(title, source, summary, announcement=announcement)
    summary = reader.translate(_("The rule changed."))
    rows = list_rule_rows(old_rule, new_rule, readers)
    return RuleNote(title, source, summary, rows=rows, announcement=announcement)


def _compose_format_notes(
    old: Snapshot, new: Snapshot, reader: NoteReader
) -> Iterator[RuleNote]:
    """Yield the changes of play formats, with each card by its name."""
    for change in compare_formats(old, new):
        name = reader.pick_language(dict(change.form.name))
        title = change.now.format_title(name)
        if change.points:
            title = format_points_title(name, change.now.maximum)
        text = reader.translate(title)
        if change.cards:
            text = f"{text}: {', '.join(map(reader.name_card, change.cards))}"
        entry = change.now.entry
        reason = reader.pick_language(dict(entry.reason)) if entry is not None else ""
        days = reader.translate(join_messages(change.period.words))
        yield RuleNote(
            text, days, reason, change.cards, announcement=change.announcement
        )
