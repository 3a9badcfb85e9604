"""Change a kept squad by what a player says, and its text so that the player's remarks, order and quotes stay."""

from collections.abc import Callable
from dataclasses import dataclass

from builder.errata.impact import Migrated
from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.base import Json, Path, lookup
from builder.model.loaded import Document, LoadedRoster
from builder.model.pack import Pack
from builder.model.roster import Entry, Roster, written
from builder.model.rules import Source
from builder.model.words import suggestion
from builder.roster.operations import (
    Add,
    Annotate,
    Choose,
    Combined,
    Duplicate,
    Edit,
    Free,
    Move,
    Operation,
    Remove,
    Rename,
    Reorder,
    SetParam,
    Tie,
    Untie,
    edited,
)
from builder.roster.resolve import SOURCE_OF
from builder.store.rosters import entry_fields
from builder.store.yaml_edit import YamlText
from builder.usecases.roster.check import known
from builder.usecases.storage import PackStorage, RosterStorage, load_as_of


@dataclass
class Editor:
    """One squad that is being edited."""

    rosters: RosterStorage
    name: str
    pack: Pack
    roster: Roster

    def source(self, card: str) -> Source:
        """Where a card stands in a roster; UsageError for a card that has no place there, or is none."""
        known(self.pack, card)
        found = SOURCE_OF.get(self.pack.role(self.pack.cards[card]))
        if found is None:
            message = _("{card} is no part of a roster", card=card)
            raise UsageError(message, _("Only models, what they carry and the deck are."))
        return found

    def line(self, who: str) -> int:
        """The entry meant by its number (from 1), its id, its own name or its card; UsageError if it is not one."""
        entries = self.roster.entries
        number = who.removeprefix("#")
        if number.isdigit() and 1 <= int(number) <= len(entries):
            return int(number) - 1
        for field in ("id", "name", "card"):
            found = [line for line, entry in enumerate(entries) if getattr(entry, field) == who]
            if len(found) == 1:
                return found[0]
            if found:
                numbers = ", ".join(f"#{line + 1}" for line in found)
                message = _("{value} stands on several lines", value=who)
                raise UsageError(message, _("Say which: {listed}.", listed=numbers))
        called = tuple(dict.fromkeys(word for e in entries for word in (e.id, e.name, e.card) if word))
        raise UsageError(_("no entry is called {who}", who=who), suggestion(who, called))

    def held(self, line: int, card: str) -> Remove:
        """The removal of a card that an entry carries; UsageError if it carries none."""
        items = self.roster.entries[line].attachments
        found = next((index for index, item in enumerate(items) if item.card == card), None)
        if found is None:
            carried = ", ".join(item.card for item in items) or _("nothing")
            message = _("entry #{line} does not carry {card}", line=line + 1, card=card)
            raise UsageError(message, _("It carries {listed}.", listed=carried))
        return Remove(("entries", line, "attachments", found), card)

    def pick(self, what: str, count: int | None) -> Remove:
        """The removal of an entry or a card of the deck: so many copies, all of them if None."""
        owned = [index for index, item in enumerate(self.roster.deck) if item.card == what]
        if owned and not any(entry.card == what for entry in self.roster.entries):
            there = self.roster.deck[owned[-1]].count
            return Remove(("deck", owned[-1]), what, min(count or there, there))
        line = self.line(what)
        entry = self.roster.entries[line]
        return Remove(("entries", line), entry.card, min(count or entry.count, entry.count))

    def do(self, edit: Edit, what: str) -> None:
        """Make an edit, which is called so when it is taken back."""
        self.roster = self.rosters.edit(self.name, edit, what)


def open_editor(packs: PackStorage, rosters: RosterStorage, name: str) -> Editor:
    """An editor of the squad of that name. UsageError where it or its pack cannot be read."""
    roster = rosters.load(name).roster
    if roster is None:
        message = _("{file} is not a roster that can be edited", file=name)
        raise UsageError(message, _("`squadpress roster check` says what is wrong."))
    pack = load_as_of(packs, roster.pack, roster.version).pack
    if pack is None:
        message = _("the pack {pack} cannot be read", pack=roster.pack)
        raise UsageError(message, _("`squadpress check` says what is wrong."))
    return Editor(rosters, name, pack, roster)


def grown(text: YamlText, old: Roster, new: Roster) -> str:
    """The text, which says `old`, with all that `new` added to it; a sample's expectation is left out."""
    if text.kind(("expect",)):
        text.drop_key(("expect",))
    for line, entry in enumerate(new.entries):
        if line < len(old.entries):
            _entry(text, line, old.entries[line], entry)
        else:
            text.push(("entries",), entry_fields(entry))
    for index, card in enumerate(new.deck):
        if index >= len(old.deck):
            text.push(("deck",), {"card": card.card, "count": card.count} if card.count > 1 else card.card)
        elif card.count != old.deck[index].count:
            put_field(text, index, "count", card.count, "deck")
    return text.text


def _entry(text: YamlText, line: int, old: Entry, new: Entry) -> None:
    """One model: more copies, a name for ties to point at, ties, what it was given."""
    if new.count != old.count:
        put_field(text, line, "count", new.count)
    if new.id != old.id and new.id is not None:
        put_field(text, line, "id", new.id)
    for stated, was in ((new.links, old.links), (new.choices, old.choices)):
        for name, value in stated.items():
            if was.get(name) != value:
                put_field(text, line, name, value)
    for item in new.attachments[len(old.attachments) :]:
        attach(text, line, item.card, item.slot)


def edited_text(
    text: str, loaded: LoadedRoster, edit: Edit, parse: Callable[[str], LoadedRoster]
) -> tuple[str, Roster]:
    """A squad's text after an edit, and what it says then. InputUnreadable where it would not say what is meant."""
    roster, document = loaded.roster, loaded.document
    assert roster is not None
    file = document.file if document is not None else ""
    changed, wanted = YamlText(text, file), edited(roster, edit)
    write_edit(changed, edit, roster)
    if parse(changed.text.removeprefix("\ufeff")).roster != wanted:
        message = _("{file} cannot be edited by command here", file=file)
        raise InputUnreadable(message, _("Edit it by hand; it is untouched."))
    return changed.text, wanted


def write_edit(text: YamlText, edit: Edit, roster: Roster) -> None:
    """One edit in the text of a roster."""
    match edit:
        case Combined():
            for step in sorted(edit.operations, key=_last_first):
                write_edit(text, step, roster)
        case Add() | Remove() | Move():
            _write_picks(text, edit, roster)
        case Rename(line=-1):
            text.put((), "name", edit.name)
        case SetParam():
            text.put(("params",) if text.kind(("params", edit.name)) else (), edit.name, edit.value)
        case Reorder():
            wanted = edited(roster, edit).entries
            for line in range(min(edit.line, edit.to), max(edit.line, edit.to) + 1):
                text.replace(("entries", line), entry_fields(wanted[line]))
        case Duplicate():
            text.push(("entries",), entry_fields(roster.entries[edit.line].model_copy(update={"id": None})))
        case _:
            _write_statement(text, edit, roster)


def _write_statement(text: YamlText, edit: Rename | Annotate | Free | Tie | Untie | Choose, roster: Roster) -> None:
    """Something that an entry states otherwise."""
    match edit:
        case Rename():
            put_field(text, edit.line, "name", edit.name)
        case Annotate():
            put_field(text, edit.line, "note", edit.note)
        case Free():
            text.replace(edit.path, edit.card)
        case Untie():
            _state(text, edit.line, "links", edit.link, "")
        case Choose():
            _state(text, edit.line, "choices", edit.name, edit.value)
        case Tie():
            for line, (old, new) in enumerate(zip(roster.entries, edited(roster, edit).entries, strict=True)):
                _entry(text, line, old, new)


def _last_first(step: Operation) -> tuple[int, ...]:
    """What is taken out goes last, and the last of it first: every place stays true until it is reached."""
    if not isinstance(step, Remove | Move):
        return (0,)
    return (1, *(-place for place in step.path if isinstance(place, int)), 1)


def _state(text: YamlText, line: int, group: str, name: str, value: str) -> None:
    """A choice or a tie, where the entry states it; the empty value takes it away."""
    place: Path = ("entries", line, group) if text.kind(("entries", line, group, name)) else ("entries", line)
    if value:
        spread(text, "entries", line)
        text.put(place, name, value)
    elif text.kind((*place, name)):
        text.drop_key((*place, name))


def _write_picks(text: YamlText, edit: Add | Remove | Move, roster: Roster) -> None:
    """A card that comes, leaves or goes to another model."""
    match edit:
        case Add(source=Source.ATTACHMENTS):
            for _unused in range(edit.count):
                attach(text, edit.line, edit.card, edit.slot)
        case Add(source=Source.ENTRIES, line=line) if line >= 0:
            put_field(text, line, "count", roster.entries[line].count + edit.count)
        case Add(source=Source.ENTRIES):
            text.push(("entries",), entry_fields(Entry(card=edit.card, count=edit.count, choices=dict(edit.choices))))
        case Add():
            more = {"count": edit.count} if edit.count > 1 else {}
            text.push((edit.source.value,), {"card": edit.card, **more})
        case Remove(path=(source, index)) if edit.count < (there := getattr(roster, str(source))[index].count):
            put_field(text, int(index), "count", there - edit.count, str(source))
        case Remove(path=(_, _)):
            _drop(text, edit.path)
        case Remove():
            _unload(text, edit.path)
        case Move():
            _unload(text, edit.path)
            attach(text, edit.line, edit.card)


def attach(text: YamlText, line: int, card: str, slot: str | None = None) -> None:
    """A card given to an entry."""
    item: Json = card if slot is None else {"card": card, "slot": slot}
    spread(text, "entries", line)
    text.push(("entries", line, "attachments"), item)


def put_field(text: YamlText, line: int, key: str, value: Json, source: str = "entries") -> None:
    """A key of an entry or of a card of the deck."""
    spread(text, source, line)
    text.put((source, line), key, value)


def spread(text: YamlText, source: str, line: int) -> None:
    """Write an item that is a bare id as a map."""
    if text.kind((source, line)) == "scalar":
        text.replace((source, line), {"card": text.scalar((source, line))})


def _unload(text: YamlText, path: Path) -> None:
    """One attachment taken out, or one of so many."""
    load, left, place = path[:-1], int(path[-1]), 0
    while left >= (count := _count(text, (*load, place))):
        place, left = place + 1, left - count
    if count > 1:
        text.put((*load, place), "count", count - 1)
    else:
        _drop(text, (*load, place))


def _count(text: YamlText, path: Path) -> int:
    """How many attachments an item stands for."""
    return int(text.scalar((*path, "count"))) if text.kind((*path, "count")) else 1


def _drop(text: YamlText, path: Path) -> None:
    """An item taken out; a list that is empty then goes with it, but for that of the models."""
    text.drop(path)
    if path[-2] != "entries" and text.empty(path[:-1]):
        text.drop_key(path[:-1])


def put_migrated(text: YamlText, document: Document, migrated: Migrated, version: str, pin: bool = False) -> None:
    """The new ids, and the version where the file is pinned to one and an id is new, or is to `pin` it anyway."""
    for moved in migrated.moved:
        text.set_scalar(_written(document, moved.path), moved.new)
    value = document.value
    if isinstance(value, dict) and "version" in value:
        if pin or migrated.moved:
            text.set_scalar(("version",), version)
    elif pin:
        text.put((), "version", version)


def _written(document: Document, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where the file itself writes the id that the model has at `path`: ids may stand alone or under `card`."""
    path = written(document.value, path)
    value = lookup(document.value, path)
    if isinstance(value, dict):
        return (*path, "card")
    if value is None and len(path) == 3:
        for group in ("links", "choices"):
            if lookup(document.value, (*path[:2], group, path[2])) is not None:
                return (*path[:2], group, path[2])
    return path
