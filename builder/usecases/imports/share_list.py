"""Write an imported squad as a file of the program that it came from, with the player's edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.errata.change import compare_leaves
from builder.errors import UsageError
from builder.interchange.document import ForeignDocument, read_document
from builder.interchange.edits import EntryEdit, ListEditor
from builder.interchange.writing import write_new_recruit, write_ros, write_rosz
from builder.messages import Message, gettext as _, ngettext
from builder.model.base import Json
from builder.model.import_record import ListRecord
from builder.model.roster import Entry, Roster
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.imports.import_files import ImportFiles, find_stored_list

FOREIGN_FORMATS = ("ros", "rosz", "newrecruit")
NOT_IMPORTED_HINT = _("Import the list again: squadpress import FILE --into DIR")


@dataclass(frozen=True, slots=True)
class SharedList:
    """A list as a file for another program. `remarks` are about edits that it cannot contain."""

    data: bytes
    remarks: tuple[Message, ...] = ()


def share_list(project: Project, roster: Roster, form: str) -> SharedList:
    """Write an imported squad back to a file format of another program.

    Raise UsageError if the squad was not imported, InputUnreadable if its original is damaged.
    """
    stored_list = _require_stored_list(project, roster)
    path = project.get_cards_dir(roster.pack) / stored_list.original
    data = ImportFiles(project).read_file(path)
    if data is None:
        raise UsageError(
            _("the original file {file} is missing", file=path), NOT_IMPORTED_HINT
        )
    document = read_document(data)
    remarks = (
        *_edit_document(project, document, stored_list, roster),
        *_report_lost_card_edits(project, stored_list, roster.pack),
    )
    if form == "newrecruit":
        return SharedList(write_new_recruit(document), remarks)
    if form == "rosz":
        name = Path(stored_list.original).stem
        return SharedList(write_rosz(document, name), remarks)
    return SharedList(write_ros(document), remarks)


def _report_lost_card_edits(
    project: Project, stored_list: ListRecord, pack: str
) -> Iterator[Message]:
    """Yield a message with the number of card edits that the file cannot contain."""
    files = ImportFiles(project)
    count = 0
    for path in sorted(project.get_cards_dir(pack).glob("*/*.yaml")):
        stored_card = stored_list.cards.get(path.stem)
        if stored_card is not None and path.parent.name != "rosters":
            count += len(compare_leaves(stored_card, files.read_yaml(path) or {}))
    if count:
        yield ngettext(
            "{count} edit of cards is not in this file.",
            "{count} edits of cards are not in this file.",
            count,
        )


def _require_stored_list(project: Project, roster: Roster) -> ListRecord:
    """Return the record of a squad's last import. Raise UsageError if it was not imported."""
    if roster.origin is None:
        message = _("this squad was not imported from another program")
        raise UsageError(message, _("Share it as a token, text or JSON."))
    stored_list = find_stored_list(ImportFiles(project), roster)
    if stored_list is not None:
        return stored_list
    message = _(
        "{pack} has no import of {file}", pack=roster.pack, file=roster.origin.file
    )
    raise UsageError(message, NOT_IMPORTED_HINT)


def _edit_document(
    project: Project, document: ForeignDocument, stored_list: ListRecord, roster: Roster
) -> Iterator[Message]:
    """Apply the edits of a squad to the original list. Yield remarks about lost models."""
    if roster.name != stored_list.squad.get("name"):
        document.set_name(roster.name)
    editor = ListEditor(document.root)
    stored_entries = _list_stored_entries(stored_list)
    card_origins = _list_card_origins(project, roster.pack)
    entries_by_card: dict[str, list[Entry]] = {card: [] for card in stored_entries}
    for entry in roster.entries:
        entries_by_card.setdefault(entry.card, []).append(entry)
    for card, entries in entries_by_card.items():
        edits = _make_edits(
            entries, stored_entries.get(card, []), card_origins.get(card, ())
        )
        for edit in edits:
            if not editor.apply_edit(edit):
                yield _("{card} is not in the original list and is left out", card=card)


def _make_edits(
    entries: Sequence[Entry],
    stored_entries: Sequence[Mapping[str, Json]],
    card_selections: Sequence[str],
) -> Iterator[EntryEdit]:
    """Yield the edits for entries of one card, compared with the last import."""
    free_selections: list[str] = []
    for stored_entry in stored_entries:
        free_selections += _get_selections(stored_entry)
    all_selections = tuple(free_selections) or card_selections
    # New entries come last: they take selections that no other entry has, or copy one.
    for entry in sorted(entries, key=lambda entry: entry.origin is None):
        candidates = (
            entry.origin.selections if entry.origin is not None else free_selections
        )
        # A copied line names the selections of its original, which can be taken only once.
        selections: list[str] = []
        for selection in tuple(candidates):
            if selection in free_selections and len(selections) < entry.count:
                free_selections.remove(selection)
                selections.append(selection)
        stored_entry = _find_stored_entry(stored_entries, selections)
        name = entry.name or ""
        is_name_edited = name != stored_entry.get("name", "")
        is_note_edited = entry.note != stored_entry.get("note", "")
        yield EntryEdit(
            selections or all_selections,
            entry.count,
            name if is_name_edited else None,
            entry.note if is_note_edited else None,
        )
    # Selections that no entry has taken belong to models that the player removed.
    if free_selections:
        yield EntryEdit(free_selections, count=0)


def _find_stored_entry(
    stored_entries: Sequence[Mapping[str, Json]], selections: Sequence[str]
) -> Mapping[str, Json]:
    """Return the stored entry that had one of these selections at the last import."""
    for stored_entry in stored_entries:
        if set(selections) & set(_get_selections(stored_entry)):
            return stored_entry
    return stored_entries[0] if stored_entries else {}


def _list_stored_entries(
    stored_list: ListRecord,
) -> dict[str, list[Mapping[str, Json]]]:
    """Return the entries of the last import, by card."""
    entries = stored_list.squad.get("entries")
    stored_entries: dict[str, list[Mapping[str, Json]]] = {}
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            stored_entries.setdefault(str(entry.get("card")), []).append(entry)
    return stored_entries


def _get_selections(value: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the selection ids in the origin of an entry or card."""
    origin = value.get("origin")
    selections = origin.get("selections") if isinstance(origin, dict) else None
    return tuple(map(str, selections)) if isinstance(selections, list) else ()


def _list_card_origins(project: Project, pack: str) -> dict[str, tuple[str, ...]]:
    """Return the selection ids that each card of a pack came from."""
    loaded = PackFiles(project).load_pack(pack).whole
    return {
        card_id: _get_selections(card.data) for card_id, card in loaded.cards.items()
    }
