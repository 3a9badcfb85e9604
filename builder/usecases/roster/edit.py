"""Change a kept squad by what a player says, and its text so that the player's remarks, order and quotes stay."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from builder.errata.impact import MigratedRoster
from builder.errors import InputUnreadable, SquadpressError, UsageError
from builder.messages import gettext as _
from builder.model.base import DataPath, look_up
from builder.model.loaded import Document, LoadedRoster
from builder.model.pack import Pack
from builder.model.roster import Attachment, DeckCard, Entry, Roster, find_written_path
from builder.model.rules import Source
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.rosters import dump, list_line_fields
from builder.packs.yaml.editing import YamlText
from builder.roster.operations import Edit, Move, Remove, edited
from builder.roster.resolve import SOURCE_OF
from builder.usecases.roster.check_roster import (
    Judges,
    check_card_exists,
    find_release_notices,
    judge_roster,
    require_verdict,
)
from builder.usecases.roster.storage import RosterStorage

Line: TypeAlias = Entry | DeckCard | Attachment
"""What the lists of a roster hold."""


@dataclass
class Editor:
    """One squad that is being edited."""

    rosters: RosterStorage
    name: str
    pack: Pack
    roster: Roster

    def source(self, card: str) -> Source:
        """Where a card stands in a roster; UsageError for a card that has no place there, or is none."""
        check_card_exists(self.pack, card)
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
        called = tuple(
            dict.fromkeys(word for e in entries for word in (e.id, e.name, e.card) if word)
        )
        raise UsageError(_("no entry is called {who}", who=who), suggest_word(who, called))

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


def open_editor(packs: PackFiles, rosters: RosterStorage, name: str) -> Editor:
    """An editor of the squad of that name. UsageError where it cannot be read, PackUnreadable where its pack cannot."""
    judges, loaded = Judges(packs), rosters.load(name)
    roster = loaded.roster
    if roster is None:
        require_verdict(judge_roster(judges, loaded, name))
        message = _("{file} is not a roster that can be edited", file=name)
        raise UsageError(message, _("`squadpress roster check` says what is wrong."))
    find_release_notices(judges, roster, loaded.document)
    return Editor(rosters, name, judges.of(roster).pack, roster)


def edit_text(
    text: str, loaded: LoadedRoster, edit: Edit, parse: Callable[[str], LoadedRoster]
) -> tuple[str, Roster]:
    """A squad's text after an edit, and what it says then. InputUnreadable where it would not say what is meant."""
    roster, document = loaded.roster, loaded.document
    assert roster is not None
    file = document.file if document is not None else ""
    changed, wanted = YamlText(text, file), edited(roster, edit)
    rewrite(changed, roster, wanted, _find_removed_paths(roster, edit))
    if parse(changed.body).roster != wanted:
        message = _("{file} cannot be edited by command here", file=file)
        raise InputUnreadable(message, _("Edit it by hand; it is untouched."))
    return changed.text, wanted


def _find_removed_paths(roster: Roster, edit: Edit) -> frozenset[DataPath]:
    """The paths of the picks that an edit takes out with their last copy."""
    copies: Counter[DataPath] = Counter()
    for step in edit if isinstance(edit, tuple) else (edit,):
        if isinstance(step, Remove | Move):
            copies[step.path] += step.count if isinstance(step, Remove) else 1
    lines = (
        (path, many, getattr(roster, str(path[0]))[int(path[1])]) for path, many in copies.items()
    )
    return frozenset(
        path for path, many, line in lines if many >= (line.count if len(path) == 2 else 1)
    )


def extend_text(text: str, roster: Roster, parse: Callable[[str], LoadedRoster]) -> str:
    """A squad's text with all that the roster has besides; written anew, without remarks, where that cannot be. A
    sample's expectation is left out.
    """
    wanted = roster.model_copy(update={"expect": None})
    try:
        changed = YamlText(text, "")
        if changed.kind(("expect",)):
            changed.drop_key(("expect",))
        rewrite(changed, parse(changed.body).roster or wanted, wanted)
        return changed.text if parse(changed.body).roster == wanted else dump(wanted)
    except SquadpressError:
        return dump(wanted)


def rewrite(text: YamlText, old: Roster, new: Roster, gone: Collection[DataPath] = ()) -> None:
    """Let a text that says `old` say `new`. In each list of `new` stands what is left of `old`, in its order, then what
    came; `gone` are the paths of what is not left.
    """
    if new.name != old.name:
        text.put((), "name", new.name)
    for name, value in new.params.items():
        if old.params.get(name) != value:
            text.put(("params",) if text.kind(("params", name)) else (), name, value)
    _rewrite_list(text, ("entries",), old.entries, new.entries, gone)
    _rewrite_list(text, ("deck",), old.deck, new.deck, gone)


def _rewrite_list(
    text: YamlText,
    path: DataPath,
    old: Sequence[Line],
    new: Sequence[Line],
    gone: Collection[DataPath],
) -> None:
    """A list of lines. One that is empty then goes with its last item, but for that of the models."""
    kept = [place for place in range(len(old)) if (*path, place) not in gone]
    places = _find_item_indices(text, path, len(old))
    for place, line in zip(kept, new, strict=False):
        if line != old[place]:
            _rewrite_line(text, (*path, places[place]), old[place], line, gone)
    for line in new[len(kept) :]:
        fields = list_line_fields(line)
        text.push(path, line.card if len(path) > 1 and len(fields) == 1 else fields)
    copies = Counter(places)
    for place in sorted({*range(len(old))}.difference(kept), reverse=True):
        at = places[place]
        copies[at] -= 1
        if copies[at]:
            text.put((*path, at), "count", copies[at])
            continue
        text.drop((*path, at))
        if path != ("entries",) and text.empty(path):
            text.drop_key(path)


def _find_item_indices(text: YamlText, path: DataPath, many: int) -> list[int]:
    """Where the lines of a list stand in the text: attachments with a count stand there once."""
    if len(path) == 1:
        return list(range(many))
    counts = ((at, (*path, at, "count")) for at in range(many))
    return [
        at
        for at, count in counts
        for _n in range(int(text.scalar(count)) if text.kind(count) else 1)
    ]


def _rewrite_line(
    text: YamlText, path: DataPath, old: Line, new: Line, gone: Collection[DataPath]
) -> None:
    """What a line states otherwise, and what it carries."""
    was, load = (line.attachments if isinstance(line, Entry) else () for line in (old, new))
    left = sum((*path, "attachments", place) not in gone for place in range(len(was)))
    if new.card != old.card or len(load) < left:  # it is another line
        text.replace(path, list_line_fields(new))
        return
    if text.kind(path) == "scalar":
        text.replace(path, {"card": old.card})
    before, after = (
        {**list_line_fields(line), "count": line.count, "attachments": None} for line in (old, new)
    )
    for key in {**before, **after}:
        groups = (
            (*path, group) for group in ("choices", "links") if text.kind((*path, group, key))
        )
        place = next(groups, path)
        if key in after and after[key] != before.get(key):
            text.put(place, key, after[key])
        elif key not in after and text.kind((*place, key)):
            text.drop_key((*place, key))
    _rewrite_list(text, (*path, "attachments"), was, load, gone)


def put_migrated(
    text: YamlText, document: Document, migrated: MigratedRoster, version: str, pin: bool = False
) -> None:
    """The new ids, and the version where the file is pinned to one and an id is new, or is to `pin` it anyway."""
    for moved in migrated.moved:
        text.set_scalar(_find_written_path(document, moved.path), moved.new)
    value = document.value
    if isinstance(value, dict) and "version" in value:
        if pin or migrated.moved:
            text.set_scalar(("version",), version)
    elif pin:
        text.put((), "version", version)


def _find_written_path(document: Document, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where the file itself writes the id that the model has at `path`: ids may stand alone or under `card`."""
    path = find_written_path(document.value, path)
    value = look_up(document.value, path)
    if isinstance(value, dict):
        return (*path, "card")
    if value is None and len(path) == 3:
        for group in ("links", "choices"):
            if look_up(document.value, (*path[:2], group, path[2])) is not None:
                return (*path[:2], group, path[2])
    return path
