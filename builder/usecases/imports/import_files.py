"""The files of a pack during an import: as they are on the disk, or with their new content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from builder.errors import InputUnreadable
from builder.files import read_limited
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Json
from builder.model.import_record import ImportRecord, ListRecord
from builder.model.roster import Roster
from builder.packs.project import Project
from builder.packs.yaml.editing import YamlText
from builder.packs.yaml.reading import parse_document

RECORD = "imports/record.json"
"""The record of imports, from the folder of a pack."""


@dataclass(slots=True)
class ImportFiles:
    """The files of a project during an import. Changes stay in memory until the end."""

    project: Project
    changed_files: dict[Path, bytes | None] = field(default_factory=dict)

    def read_file(self, path: Path) -> bytes | None:
        """Return the bytes of a file after the changes so far. None if it does not exist."""
        if path in self.changed_files:
            return self.changed_files[path]
        if not path.exists():
            return None
        try:
            return read_limited(path)
        except OSError as error:
            reason = describe_os_error(error)
            message = _("{file} cannot be read: {reason}", file=path, reason=reason)
            raise InputUnreadable(message) from error

    def write_file(self, path: Path, data: bytes | None) -> None:
        """Store the new bytes of a file in memory. None deletes the file."""
        # An unchanged file is not written, so that it keeps its time.
        if data != self.read_file(path):
            self.changed_files[path] = data

    def read_yaml(self, path: Path) -> dict[str, Json] | None:
        """Parse a YAML file. Return None if it does not exist."""
        data = self.read_file(path)
        return (
            None if data is None else parse_yaml(data, self.project.shorten_path(path))
        )

    def change_yaml(
        self, path: Path, old: dict[str, Json], new: dict[str, Json]
    ) -> None:
        """Change values in a YAML file. Comments and order stay."""
        data = self.read_file(path)
        assert data is not None
        name = self.project.shorten_path(path)
        text = YamlText(_decode_yaml(data, name), name)
        text.change_value((), old, new)
        self.write_file(path, text.text.encode())

    def read_record(self, pack: str) -> ImportRecord | None:
        """Read the record of earlier imports into a pack. None if there is none."""
        path = self.project.get_cards_dir(pack) / RECORD
        data = self.read_file(path)
        if data is None:
            return None
        try:
            return ImportRecord.model_validate_json(data)
        except ValidationError as error:
            reason = str(error.errors()[0]["msg"])
            message = _("{file} is damaged: {reason}", file=path, reason=reason)
            hint = _("Restore it from a backup, or import the lists into a new folder.")
            raise InputUnreadable(message, hint) from error

    def write_record(self, pack: str, record: ImportRecord) -> None:
        """Store the record of imports of a pack."""
        text = json.dumps(record.model_dump(mode="json"), ensure_ascii=False, indent=1)
        self.write_file(
            self.project.get_cards_dir(pack) / RECORD, text.encode() + b"\n"
        )


def find_stored_list(files: ImportFiles, roster: Roster) -> ListRecord | None:
    """Return the record of a squad's last import. None if it was not imported."""
    record = files.read_record(roster.pack)
    if record is None or roster.origin is None:
        return None
    for stored_list in record.lists.values():
        if stored_list.original == roster.origin.file:
            return stored_list
    return None


def parse_yaml(data: bytes, name: str) -> dict[str, Json]:
    """Parse a YAML file with a map. Raise InputUnreadable with the first problem."""
    document, findings = parse_document(_decode_yaml(data, name), name)
    if document is not None and isinstance(document.value, dict):
        return document.value
    reason: str = _("the file contains no map")
    line: int | None = 1
    if findings:
        reason, line = findings[0].message, findings[0].location.line
    message = _("{file}:{line}: {reason}", file=name, line=line, reason=reason)
    hint = _("Correct the file, then import the list again. Nothing was changed.")
    raise InputUnreadable(message, hint)


def _decode_yaml(data: bytes, name: str) -> str:
    """Decode a file as UTF-8. Raise InputUnreadable with the line of a wrong byte."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = _("byte {byte} is not UTF-8 text", byte=f"0x{data[error.start]:02x}")
        message = _("{file}:{line}: {reason}", file=name, line=line, reason=reason)
        raise InputUnreadable(message, _("Save it as UTF-8 text.")) from error


def update_support_files(
    files: ImportFiles, generated_files: Mapping[str, bytes], digests: Mapping[str, str]
) -> dict[str, str]:
    """Update generated files that the author did not edit. Return the new digests of all."""
    new_digests = dict(digests)
    for name, data in generated_files.items():
        path = files.project.root / name
        current_data = files.read_file(path)
        # A file with another digest was edited after the last import.
        if current_data is None or _hash_bytes(current_data) == digests.get(name):
            files.write_file(path, data)
            new_digests[name] = _hash_bytes(data)
    return new_digests


def _hash_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()
