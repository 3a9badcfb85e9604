"""Edit a stored squad. Comments, order and quotes of its text stay."""

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
from builder.model.roster import (
    Attachment,
    DeckCard,
    Entry,
    Roster,
    get_file_path_of_value,
)
from builder.model.rules import Source
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.rosters import format_roster, list_line_fields
from builder.packs.yaml.editing import YamlText
from builder.roster.operations import Edit, Move, Remove, apply_edit
from builder.roster.resolve import SOURCE_BY_ROLE
from builder.usecases.roster.check_roster import (
    RosterCheckers,
    check_card_exists,
    check_roster,
    find_release_notices,
    require_verdict,
)
from builder.usecases.roster.storage import RosterStorage

Line: TypeAlias = Entry | DeckCard | Attachment
"""An item of a list of a roster."""


@dataclass
class Editor:
    """Edits one stored squad."""

    rosters: RosterStorage
    name: str
    pack: Pack
    roster: Roster

    def find_source(self, card: str) -> Source:
        """Return the list of a squad that a card belongs to: entries, attachments or deck.

        Raises UsageError for an unknown card, or one that cannot be in it.
        """
        check_card_exists(self.pack, card)
        source = SOURCE_BY_ROLE.get(self.pack.find_role(self.pack.cards[card]))
        if source is None:
            message = _("{card} cannot be part of a roster", card=card)
            raise UsageError(
                message, _("A roster contains models, their equipment and the deck.")
            )
        return source

    def find_line(self, name: str) -> int:
        """Return the index of an entry, given its number (from 1), id, name or card.

        Raise UsageError if none or several match.
        """
        entries = self.roster.entries
        number = name.removeprefix("#")
        if number.isdigit() and 1 <= int(number) <= len(entries):
            return int(number) - 1
        for field in ("id", "name", "card"):
            lines = [
                line
                for line, entry in enumerate(entries)
                if getattr(entry, field) == name
            ]
            if len(lines) == 1:
                return lines[0]
            if lines:
                numbers = ", ".join(f"#{line + 1}" for line in lines)
                message = _("several lines are named {value}", value=name)
                raise UsageError(message, _("Choose one of: {listed}.", listed=numbers))
        names: list[str] = []
        for entry in entries:
            names += filter(None, (entry.id, entry.name, entry.card))
        hint = suggest_word(name, tuple(dict.fromkeys(names)))
        raise UsageError(_("there is no entry {who}", who=name), hint)

    def find_attachment(self, line: int, card: str) -> Remove:
        """Return the operation that removes a card attached to an entry.

        Raise UsageError if the entry does not carry the card.
        """
        attachments = self.roster.entries[line].attachments
        for index, attachment in enumerate(attachments):
            if attachment.card == card:
                return Remove(("entries", line, "attachments", index), card)
        names = ", ".join(attachment.card for attachment in attachments) or _("nothing")
        message = _("entry #{line} does not carry {card}", line=line + 1, card=card)
        raise UsageError(message, _("Attached to it: {listed}.", listed=names))

    def find_removal(self, name: str, count: int | None) -> Remove:
        """Return the operation that removes copies of an entry or deck card.

        None means all copies.
        """
        deck_indices = [
            index for index, item in enumerate(self.roster.deck) if item.card == name
        ]
        if deck_indices and not any(
            entry.card == name for entry in self.roster.entries
        ):
            copies = self.roster.deck[deck_indices[-1]].count
            return Remove(
                ("deck", deck_indices[-1]), name, min(count or copies, copies)
            )
        line = self.find_line(name)
        entry = self.roster.entries[line]
        return Remove(
            ("entries", line), entry.card, min(count or entry.count, entry.count)
        )

    def make_edit(self, edit: Edit, what: str) -> None:
        """Apply an edit and save the squad. `what` describes it for undo."""
        self.roster = self.rosters.edit(self.name, edit, what)


def open_editor(packs: PackFiles, rosters: RosterStorage, name: str) -> Editor:
    """Open a stored squad for editing.

    Raise UsageError if it cannot be read, PackUnreadable if its pack cannot.
    """
    checkers = RosterCheckers(packs)
    loaded = rosters.load(name)
    roster = loaded.roster
    if roster is None:
        # An unreadable pack explains more than an unreadable roster.
        require_verdict(check_roster(checkers, loaded, name))
        message = _("{file} is not a roster that can be edited", file=name)
        raise UsageError(message, _("`squadpress roster check` shows what is wrong."))
    find_release_notices(checkers, roster, loaded.document)
    return Editor(rosters, name, checkers.get_squad_checker(roster).pack, roster)


def edit_text(
    text: str, loaded: LoadedRoster, edit: Edit, parse: Callable[[str], LoadedRoster]
) -> tuple[str, Roster]:
    """Apply an edit to the text of a squad's file. Return the new text and the squad.

    Raise InputUnreadable if the edited text does not have the meaning of the edit.
    """
    roster, document = loaded.roster, loaded.document
    assert roster is not None
    file = document.file if document is not None else ""
    changed = YamlText(text, file)
    target = apply_edit(roster, edit)
    rewrite_text(changed, roster, target, _find_removed_paths(roster, edit))
    # An alias has no text of its own, so that an edit of it would also change its anchor.
    if parse(changed.body).roster != target:
        message = _("{file} cannot be edited by a command at this location", file=file)
        raise InputUnreadable(message, _("Edit it by hand. It was not changed."))
    return changed.text, target


def _find_removed_paths(roster: Roster, edit: Edit) -> frozenset[DataPath]:
    """Return the paths of the entries and cards that an edit removes completely."""
    removed_copies: Counter[DataPath] = Counter()
    steps = edit if isinstance(edit, tuple) else (edit,)
    for step in steps:
        if isinstance(step, Remove):
            removed_copies[step.path] += step.count
        elif isinstance(step, Move):
            removed_copies[step.path] += 1
    removed_paths: set[DataPath] = set()
    for path, copies in removed_copies.items():
        # The path of an attachment is longer. It stands for one copy.
        line = getattr(roster, str(path[0]))[int(path[1])]
        copies_at_path = line.count if len(path) == 2 else 1
        if copies >= copies_at_path:
            removed_paths.add(path)
    return frozenset(removed_paths)


def extend_text(text: str, roster: Roster, parse: Callable[[str], LoadedRoster]) -> str:
    """Return a squad's text changed so that it has all values of `roster`.

    Comments stay. If the text cannot be edited, the squad is written anew without them. `expect`
    is dropped.
    """
    target = roster.model_copy(update={"expect": None})
    try:
        edited_text = YamlText(text, "")
        if edited_text.find_kind(("expect",)):
            edited_text.drop_key(("expect",))
        rewrite_text(edited_text, parse(edited_text.body).roster or target, target)
        if parse(edited_text.body).roster == target:
            return edited_text.text
    # The text may be damaged, or at some place not editable.
    except SquadpressError:
        pass
    return format_roster(target)


def rewrite_text(
    text: YamlText, old: Roster, new: Roster, removed_paths: Collection[DataPath] = ()
) -> None:
    """Change the YAML text of the squad `old` to that of the squad `new`.

    Each list of `new` must have the remaining lines of `old` in their order, then the added ones.
    """
    if new.name != old.name:
        text.set_entry((), "name", new.name)
    for name, value in new.params.items():
        if old.params.get(name) != value:
            # A file may write parameters under `params`, or directly in the roster.
            is_nested = text.find_kind(("params", name))
            text.set_entry(("params",) if is_nested else (), name, value)
    _rewrite_list(text, ("entries",), old.entries, new.entries, removed_paths)
    _rewrite_list(text, ("deck",), old.deck, new.deck, removed_paths)


def _rewrite_list(
    text: YamlText,
    path: DataPath,
    old: Sequence[Line],
    new: Sequence[Line],
    removed_paths: Collection[DataPath],
) -> None:
    """Change the YAML text of a list of lines. An empty list is removed, except for entries."""
    removed = [index for index in range(len(old)) if (*path, index) in removed_paths]
    remaining = [index for index in range(len(old)) if index not in removed]
    item_indices = _find_item_indices(text, path, len(old))
    for index, line in zip(remaining, new, strict=False):
        if line != old[index]:
            item_path = (*path, item_indices[index])
            _rewrite_line(text, item_path, old[index], line, removed_paths)
    for line in new[len(remaining) :]:
        _append_line(text, path, line)
    copies = Counter(item_indices)
    # From the end, so that the indices before stay right.
    for index in reversed(removed):
        item_index = item_indices[index]
        copies[item_index] -= 1
        if copies[item_index]:
            text.set_entry((*path, item_index), "count", copies[item_index])
            continue
        text.remove_item((*path, item_index))
        if path != ("entries",) and text.is_empty_list(path):
            text.drop_key(path)


def _append_line(text: YamlText, path: DataPath, line: Line) -> None:
    fields = list_line_fields(line)
    # An attachment with nothing but a card is written as the card's id alone.
    is_plain_card = len(path) > 1 and len(fields) == 1
    text.append_item(path, line.card if is_plain_card else fields)


def _find_item_indices(text: YamlText, path: DataPath, line_count: int) -> list[int]:
    """Return the index of each line's item in the YAML list.

    An attachment with a count is one item in the text, but several lines of the squad.
    """
    if len(path) == 1:
        return list(range(line_count))
    indices: list[int] = []
    for index in range(line_count):
        count_path = (*path, index, "count")
        count = int(text.read_scalar(count_path)) if text.find_kind(count_path) else 1
        indices += [index] * count
    return indices


def _rewrite_line(
    text: YamlText,
    path: DataPath,
    old: Line,
    new: Line,
    removed_paths: Collection[DataPath],
) -> None:
    """Change the fields and attachments of one line in the YAML text."""
    old_attachments = old.attachments if isinstance(old, Entry) else ()
    new_attachments = new.attachments if isinstance(new, Entry) else ()
    attachments_path = (*path, "attachments")
    remaining_count = 0
    for index in range(len(old_attachments)):
        if (*attachments_path, index) not in removed_paths:
            remaining_count += 1
    if (
        new.card != old.card or len(new_attachments) < remaining_count
    ):  # it is another line
        text.replace_value(path, list_line_fields(new))
        return
    # A bare id can hold no fields.
    if text.find_kind(path) == "scalar":
        text.replace_value(path, {"card": old.card})
    old_fields = list_line_fields(old)
    new_fields = list_line_fields(new)
    # `list_line_fields` omits a count of 1. Attachments are rewritten below.
    old_fields |= {"count": old.count, "attachments": None}
    new_fields |= {"count": new.count, "attachments": None}
    for key in old_fields | new_fields:
        parent_path = _find_parent_path(text, path, key)
        if key in new_fields and new_fields[key] != old_fields.get(key):
            text.set_entry(parent_path, key, new_fields[key])
        elif key not in new_fields and text.find_kind((*parent_path, key)):
            text.drop_key((*parent_path, key))
    _rewrite_list(
        text, attachments_path, old_attachments, new_attachments, removed_paths
    )


def _find_parent_path(text: YamlText, path: DataPath, key: str) -> DataPath:
    """Return the path of the map with a field of a line: the line, its `links` or `choices`."""
    for group in ("links", "choices"):
        if text.find_kind((*path, group, key)):
            return (*path, group)
    return path


def write_migrated_ids(
    text: YamlText,
    document: Document,
    migrated: MigratedRoster,
    version: str,
    pin: bool = False,
) -> None:
    """Write the new ids of renamed cards into the YAML text of a squad.

    Write the version too if the file has one and an id changed, or with `pin`.
    """
    for moved_id in migrated.moved_ids:
        text.set_scalar(_find_written_path(document, moved_id.path), moved_id.new)
    value = document.value
    if isinstance(value, dict) and "version" in value:
        if pin or migrated.moved_ids:
            text.set_scalar(("version",), version)
    elif pin:
        text.set_entry((), "version", version)


def _find_written_path(
    document: Document, path: tuple[str | int, ...]
) -> tuple[str | int, ...]:
    """Return the path at which the file has the id that the model has at `path`.

    In a file, ids may be plain values or under `card`.
    """
    path = get_file_path_of_value(document.value, path)
    value = look_up(document.value, path)
    if isinstance(value, dict):
        return (*path, "card")
    if value is None and len(path) == 3:
        # The model has links and choices beside the other fields of a line; the file may nest them.
        for group in ("links", "choices"):
            nested_path = (*path[:2], group, path[2])
            if look_up(document.value, nested_path) is not None:
                return nested_path
    return path
