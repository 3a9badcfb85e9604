"""Change a roster's file by an operation: the text keeps its comments, and is read again before it is kept."""

from __future__ import annotations

from pathlib import Path as FilePath

from builder.errors import SquadpressError, UsageError
from builder.messages import gettext as _
from builder.model.base import Json, Path
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.model.spelling import suggestion
from builder.roster.operations import Add, Duplicate, Edit, Move, Remove, Rename, edited
from builder.rules.tables import OF_ROLE
from builder.store.history import History
from builder.store.project import Project
from builder.store.rosters import load_roster
from builder.store.yaml_list import ListText
from builder.usecases.opening import open_pack
from builder.usecases.roster.check import chosen_language, known


class Editor:
    """One roster file that is being edited."""

    def __init__(self, project: Project, file: FilePath) -> None:
        self.project = project
        self.file = file
        loaded = load_roster(file, project)
        if loaded.roster is None:
            raise UsageError(
                _("{file} is not a roster that can be edited", file=file),
                _("`squadpress roster check` says what is wrong."),
            )
        self.roster: Roster = loaded.roster
        pack = open_pack(project, self.roster.pack, self.roster.version).pack
        if pack is None:
            message = _("the pack {pack} cannot be read", pack=self.roster.pack)
            raise UsageError(message, _("`squadpress check` says what is wrong."))
        self.pack: Pack = pack

    def language(self, lang: str | None) -> str:
        """The asked language, by default the pack's own; UsageError for one that the pack does not have."""
        return chosen_language(self.pack, lang)

    def card(self, name: str) -> str:
        """A card's id; UsageError with the nearest ones if there is none such."""
        known(self.pack, name)
        return name

    def source(self, card: str) -> Source:
        """Where a card stands in a roster; UsageError for a card that has no place there."""
        found = OF_ROLE.get(self.pack.role(self.pack.cards[self.card(card)]))
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
        """Write the edit into the file, and only if the file then says what the edit means."""
        text = ListText(self.file.read_bytes().decode("utf-8"), str(self.file))
        write(text, edit, self.roster)
        wanted = edited(self.roster, edit)
        trial = self.project.cache_dir / "undo" / f"{self.file.stem}.trial.yaml"
        trial.parent.mkdir(parents=True, exist_ok=True)
        try:
            trial.write_bytes(text.text.encode())
            found = load_roster(trial, self.project, self.pack.manifest.roster).roster
        finally:
            trial.unlink(missing_ok=True)
        if found != wanted:
            message = _("{file} cannot be edited by command here", file=self.file)
            raise SquadpressError(message, _("Edit it by hand; it is untouched."))
        History(self.project, self.file).replace(text.text, what)
        self.roster = wanted


def write(text: ListText, edit: Edit, roster: Roster) -> None:
    """One edit in the text of a roster."""
    if isinstance(edit, Add):
        _add(text, edit)
    elif isinstance(edit, Remove):
        _remove(text, edit, roster)
    elif isinstance(edit, Move):
        _drop(text, edit.path)
        attach(text, edit.line, edit.card)
    elif isinstance(edit, Rename):
        if edit.line < 0:
            text.put((), "name", edit.name)
        else:
            put_field(text, edit.line, "name", edit.name)
    elif isinstance(edit, Duplicate):
        twin = roster.entries[edit.line].model_dump(exclude_defaults=True, exclude={"id", "choices", "links"})
        entry = roster.entries[edit.line]
        text.push(("entries",), {**twin, "attachments": _short(entry.attachments), **entry.choices, **entry.links}
                  if entry.attachments else {**twin, **entry.choices, **entry.links})  # fmt: skip


def _short(items: tuple[object, ...]) -> list[Json]:
    """Attachments as an author writes them."""
    slots = [(getattr(item, "card", ""), getattr(item, "slot", None)) for item in items]
    return [card if slot is None else {"card": card, "slot": slot} for card, slot in slots]


def _add(text: ListText, edit: Add) -> None:
    """A card at the end of its list."""
    if edit.source is Source.ATTACHMENTS:
        for _unused in range(edit.count):
            attach(text, edit.line, edit.card, edit.slot)
        return
    item: Json = {"card": edit.card, "count": edit.count} if edit.count > 1 else {"card": edit.card}
    text.push((edit.source.value,), item)


def attach(text: ListText, line: int, card: str, slot: str | None = None) -> None:
    """A card given to an entry."""
    item: Json = card if slot is None else {"card": card, "slot": slot}
    if text.kind(("entries", line)) == "scalar":
        spread(text, line)
    text.push(("entries", line, "attachments"), item)


def put_field(text: ListText, line: int, key: str, value: Json) -> None:
    """A key of an entry."""
    if text.kind(("entries", line)) == "scalar":
        spread(text, line)
    text.put(("entries", line), key, value)


def spread(text: ListText, line: int, source: str = "entries") -> None:
    """Write an item that is a bare id as a map."""
    text.replace((source, line), {"card": text.scalar((source, line))})


def _remove(text: ListText, edit: Remove, roster: Roster) -> None:
    """Copies taken out; the item goes with the last."""
    source, index = str(edit.path[0]), int(edit.path[1])
    if len(edit.path) == 2:
        owned = roster.entries[index].count if source == "entries" else roster.deck[index].count
        if edit.count < owned:
            if text.kind((source, index)) == "scalar":
                spread(text, index, source)
            text.put((source, index), "count", owned - edit.count)
            return
    _drop(text, edit.path)


def _drop(text: ListText, path: Path) -> None:
    """An item taken out; a list that is empty then goes with it, but for that of the models."""
    text.drop(path)
    if path[-2] != "entries" and text.empty(path[:-1]):
        text.drop_key(path[:-1])
