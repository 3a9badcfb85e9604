"""Read and edit the packs of a project: cards, releases, translations and squads."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable
from builder.files import find_files, read_limited, require_within, write_atomic
from builder.findings import Finding
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Json, look_up
from builder.model.loaded import CardFile, LoadedPack, LoadedRoster
from builder.packs.loading import load_pack, load_stats
from builder.packs.project import Project, find_project

if TYPE_CHECKING:  # what edits files and compares releases takes long to load
    from builder.model.card import HistoryEntry
    from builder.model.stats import StatsFile
    from builder.packs.releases.folders import Releases


@dataclass(frozen=True)
class PackFiles:
    """Reads and edits the packs in a project folder."""

    project: Project

    def list_packs(self) -> tuple[str, ...]:
        """Return the ids of all packs: the folders of `cards/`."""
        return self.project.list_packs()

    def load_pack(self, pack: str) -> LoadedPack:
        """Return a pack from its current files, not from a release."""
        return load_pack(self.project, pack)

    def open_releases(self, pack: str) -> Releases:
        """Return the releases of a pack."""
        from builder.packs.releases.folders import Releases

        return Releases(self.project, pack)

    def load_stats(self, pack: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
        """Return the content of stats.yaml and its findings."""
        return load_stats(self.project, pack)

    def revise_cards(
        self,
        entries_by_card: Sequence[tuple[CardFile, HistoryEntry]],
        pending_ids: Collection[str] = (),
    ) -> tuple[int, ...]:
        """Add a history entry and a new revision number to card files. Return the numbers.

        A pending revision, which is in no release yet, is replaced.
        """
        edited_files: list[tuple[Path, str, int]] = []
        for card, entry in entries_by_card:
            path = self.project.root / card.document.file
            require_within(self.project.root, path.parent, path.name)
            is_pending = (card.id or card.stem) in pending_ids
            edit = bump_revision(
                read_text(path), card.document.file, entry, is_pending=is_pending
            )
            edited_files.append((path, *edit))
        # Nothing is written before all edits have been made without an error.
        for path, text, _number in edited_files:
            write_atomic(path, text.encode())
        return tuple(number for _path, _text, number in edited_files)

    def write_translation(
        self, pack: str, lang: str, card_location: str, strings: Mapping[str, Json]
    ) -> str:
        """Write translated texts into a card's translation file. Return its path."""
        path, text = self.format_translation(pack, lang, card_location, strings)
        write_atomic(path, text.encode())
        return self.project.shorten_path(path)

    def format_translation(
        self, pack: str, lang: str, card_location: str, strings: Mapping[str, Json]
    ) -> tuple[Path, str]:
        """Return the path and the new text of a card's translation file, without writing it."""
        from builder.packs.yaml.editing import YamlText
        from builder.packs.yaml.reading import make_schema_line, parse_document

        folder = self.project.get_cards_dir(pack) / "i18n" / lang
        card = Path(card_location).name
        # The author may have put the file into another folder.
        path = next(
            iter(find_files(folder, f"**/{card}.yaml")),
            folder / f"{card_location}.yaml",
        )
        require_within(self.project.root, path, path.name)
        name = self.project.shorten_path(path)
        if path.is_file():
            old_text = read_text(path)
        else:
            schema_line = make_schema_line("core/translation", name)
            old_text = f"{schema_line}\nid: {card}\nstrings: {{}}\n"
        edit = YamlText(old_text, name)
        document, _findings = parse_document(edit.body, "")
        for where, text in strings.items():
            old = look_up(document.value, ("strings", where)) if document else None
            if old is None:
                edit.set_entry(("strings",), where, text)
            else:
                edit.change_value(("strings", where), old, text)
        return path, edit.text

    def parse_roster(self, text: str, name: str) -> LoadedRoster:
        """Parse the text of a roster file."""
        from builder.packs.rosters import parse_roster

        return parse_roster(text, name, self.project)

    def find_other_project(self, name: str) -> PackFiles | None:
        """Return the packs of another project folder, or None if it is no folder."""
        return PackFiles(find_project(Path(name))) if Path(name).is_dir() else None


def write_json(file: Path, value: Mapping[str, Json], private: bool = False) -> None:
    """Write a value as an indented JSON file.

    Only the owner can read a `private` file.
    """
    text = json.dumps(value, ensure_ascii=False, indent=1)
    write_atomic(file, f"{text}\n".encode(), private)


def read_text(file: Path) -> str:
    """Return a file's text with the line ends it has."""
    try:
        return read_limited(file).decode("utf-8")
    except OSError as error:
        message = _(
            "{file} cannot be read: {reason}",
            file=file,
            reason=describe_os_error(error),
        )
        raise InputUnreadable(message, _("Give a regular, readable file.")) from error
    except UnicodeDecodeError as error:
        message = _("{file} cannot be read", file=file)
        raise InputUnreadable(message, _("Save it as a regular UTF-8 file.")) from error


def bump_revision(
    text: str, file: str, entry: HistoryEntry, *, is_pending: bool = False
) -> tuple[str, int]:
    """Return the text of a card file with a new revision, and the revision's number.

    If the last revision `is_pending` (not in any release yet), its history entry is replaced.

    Raise InputUnreadable if this would change anything else in the card.
    """
    from builder.packs.schema.bundle import get_list
    from builder.packs.yaml.editing import YamlText

    before = _read_card(text, file)
    old = before.get("revision")
    if not isinstance(old, int):
        raise _refuse_edit(file, _("it has no revision"))
    history = get_list(before, "history")
    last = history[-1] if history else None
    replaces_last = (
        is_pending and isinstance(last, dict) and last.get("revision") == old
    )
    number = old if replaces_last else old + 1
    new_entry = entry.model_copy(update={"revision": number})
    change: Json = new_entry.model_dump(mode="json", exclude_none=True)
    head: dict[str, Json] = {"revision": number, "released": entry.released.isoformat()}
    edit = YamlText(text, file)
    for key, value in head.items():
        edit.set_scalar((key,), value)
    if replaces_last:
        history = history[:-1]
        edit.change_value(("history", len(history)), last, change)
    else:
        edit.append_item(("history",), change, after="released")
    expected_card = {**before, **head, "history": [*history, change]}
    # An unusual file may be edited wrongly, so the result is read before anything is written.
    if _read_card(edit.text, file) != expected_card:
        raise _refuse_edit(file, _("its format cannot be edited safely"))
    return edit.text, number


def _read_card(text: str, file: str) -> dict[str, Json]:
    from builder.packs.yaml.reading import parse_document

    document, findings = parse_document(text.removeprefix("\ufeff"), file)
    if document is None or not isinstance(document.value, dict):
        raise _refuse_edit(
            file, findings[0].message if findings else _("it is not a card")
        )
    return document.value


def _refuse_edit(file: str, reason: str) -> InputUnreadable:
    message = _("{file} was not edited: {reason}", file=file, reason=reason)
    hint = _("Fix it (`squadpress check` shows the location), or edit it by hand.")
    return InputUnreadable(message, hint)
