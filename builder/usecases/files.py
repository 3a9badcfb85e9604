"""Packs as files of a project: the storage of the command line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.errors import InputUnreadable
from builder.files import write_atomic, write_once
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import HistoryEntry
from builder.model.loaded import CardFile, LoadedPack, LoadedRoster
from builder.model.stats import StatsFile
from builder.store.packs import load_pack, load_stats
from builder.store.project import Project, find_project
from builder.store.releases import Releases
from builder.store.rosters import parse_roster
from builder.store.yaml import parse_document
from builder.store.yaml_edit import YamlText
from builder.usecases.release.card_bump import bumped


@dataclass(frozen=True)
class PackFiles:
    """The packs of a project's folder."""

    project: Project

    def packs(self) -> tuple[str, ...]:
        """The folders of `cards/`."""
        return self.project.packs()

    def load(self, pack: str) -> LoadedPack:
        """A pack as it is edited."""
        return load_pack(self.project, pack)

    def releases(self, pack: str) -> Releases:
        """The folders of `releases/`."""
        return Releases(self.project, pack)

    def stats(self, pack: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
        """What stats.yaml says."""
        return load_stats(self.project, pack)

    def revise(self, card: CardFile, entry: HistoryEntry) -> int:
        """Edit a card's file."""
        path = self.project.root / card.document.file
        edited, revision = bumped(text_of(path), card.document.file, entry)
        write_atomic(path, edited.encode())
        return revision

    def translate(self, pack: str, lang: str, place: str, strings: Mapping[str, Json]) -> str:
        """Edit a card's file below `i18n/`, or begin it."""
        folder, card = self.project.cards_dir(pack) / "i18n" / lang, Path(place).name
        path = next(iter(sorted(folder.rglob(f"{card}.yaml"))), folder / f"{place}.yaml")
        up = "../" * (len(path.relative_to(self.project.root).parents) - 1)
        schema = f"# yaml-language-server: $schema={up}schemas/core/translation.schema.json"
        begun = f"{schema}\nid: {card}\nstrings: {{}}\n"
        edit = YamlText(text_of(path) if path.is_file() else begun, self.project.relative(path))
        for where, text in strings.items():
            edit.put(("strings",), where, text)
        write_atomic(path, edit.text.encode())
        return self.project.relative(path)

    def parse(self, text: str, name: str) -> LoadedRoster:
        """A squad from a text."""
        return parse_roster(text, name, self.project)

    def elsewhere(self, name: str) -> "PackFiles | None":
        """The packs of the project around another folder."""
        return PackFiles(find_project(Path(name))) if Path(name).is_dir() else None


def read_form(file: Path) -> Json:
    """A form for translators as it was filled. InputUnreadable where it cannot be read."""
    try:
        document, found = parse_document(file.read_bytes().decode("utf-8-sig"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        message = _("{file} cannot be read", file=file)
        raise InputUnreadable(message, _("Name the file the translator filled.")) from error
    if document is None:
        raise InputUnreadable(_("{file}: {reason}", file=file, reason=found[0].message), found[0].hint)
    return document.value


def write_tree(folder: Path, files: Mapping[str, bytes], own: str) -> None:
    """Files by their paths; below the folder's part that is wholly `own` whatever is not among them goes."""
    for path, data in files.items():
        write_once(folder / path, data)
    for there in sorted((folder / own).rglob("*"), reverse=True):
        if there.is_file() and there.relative_to(folder).as_posix() not in files:
            there.unlink()
        elif there.is_dir() and not any(there.iterdir()):
            there.rmdir()


def write_json(file: Path, value: Mapping[str, Json]) -> None:
    """A value as a JSON file for people to keep."""
    write_atomic(file, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def text_of(file: Path) -> str:
    """A file's text with the line ends it has."""
    return file.read_bytes().decode("utf-8")
