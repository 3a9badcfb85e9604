"""Import lists of other programs into a pack that can be edited. Nothing is written here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from builder.errata.change import ABSENT, compare_leaves
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.imported.card import ImportedList
from builder.imported.merging import CardVersions, EditConflict, Merger, move_edits
from builder.messages import Message, gettext as _
from builder.model.base import Json
from builder.model.import_record import ImportRecord, ListRecord
from builder.packs.project import NEW_PACK, Project
from builder.packs.scaffold import make_pack_id
from builder.packs.tables.mapping_file import require_inside
from builder.packs.yaml.editing import format_block
from builder.report.import_changes import ListChange
from builder.report.release import format_value
from builder.usecases.imports import import_codes
from builder.usecases.imports.card_ids import ImportTarget, make_unused_id
from builder.usecases.imports.import_design import (
    ImportRequest,
    apply_design,
    choose_design,
    make_print_options,
    require_same_design,
)
from builder.usecases.imports.import_files import (
    ImportFiles,
    parse_yaml,
    update_support_files,
)
from builder.usecases.imports.list_findings import relocate_findings, report_list
from builder.usecases.imports.print_list import (
    PrintOptions,
    build_list,
    read_imported_list,
)

MAX_HINT_CHARACTERS = 60
"""Longer values are cut in the message about a conflict, and left out of its hint."""
ORIGINAL_EXTENSIONS = (".ros", ".rosz", ".json", ".txt")


@dataclass(slots=True)
class ListImport:
    """The result of importing lists into a pack: files to write, changes and squads.

    `changes` are those of lists that were imported before. `sources` are the imported files
    by the id of their squad.
    """

    project: Project
    pack: str
    files: dict[Path, bytes | None] = field(default_factory=dict)
    lists: dict[Path, ImportedList] = field(default_factory=dict)
    sources: dict[str, Path] = field(default_factory=dict)
    changes: list[ListChange] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def import_lists(
    folder: Path, sources: Sequence[Path], request: ImportRequest
) -> ListImport:
    """Import lists of other programs into a project. Return the files without writing them.

    Raise InputUnreadable for a file without a list, and UsageError if a list is of another game or
    the folder is not a project.
    """
    options = make_print_options(request)
    first_list = _read_foreign_list(sources[0], options)
    project = Project(folder.resolve())
    is_new = not project.list_packs()
    is_empty_folder = not folder.exists() or (
        folder.is_dir() and not any(folder.iterdir())
    )
    if is_new and not is_empty_folder:
        message = _("{folder} is neither a project nor an empty folder", folder=folder)
        raise UsageError(message, _("Choose another folder. Nothing was changed."))
    files = ImportFiles(project)
    pack, record = _choose_pack(files, first_list)
    if record is None:
        design = choose_design(files, pack, request, first_list)
        record = ImportRecord(
            system_id=first_list.system_id,
            system_name=first_list.system_name,
            design=design,
        )
    else:
        require_same_design(files, pack, record.design, request)
    if is_new:
        _add_project_files(files)
    result = ListImport(project, pack)
    options = apply_design(files, pack, record.design, options)
    for source in sources:
        imported = _read_foreign_list(source, options)
        _require_same_game(source, imported, record)
        list_importer = ListImporter(files, result, record, options)
        record = list_importer.add_list(source, imported)
    files.write_record(pack, record)
    # A linked folder could lead the import outside the project.
    require_inside(project, list(files.changed_files))
    result.files = files.changed_files
    return result


def _read_foreign_list(source: Path, options: PrintOptions) -> ImportedList:
    imported = read_imported_list(source, options)
    if imported is None:
        message = _("{file} is already a squad of a pack", file=source)
        raise UsageError(message, _("Print it: squadpress print {file}", file=source))
    return imported


def _choose_pack(
    files: ImportFiles, imported: ImportedList
) -> tuple[str, ImportRecord | None]:
    """Return the pack that has lists of the same game, and its import record.

    If there is none, return an id for a new pack.
    """
    packs = files.project.list_packs()
    for pack in packs:
        record = files.read_record(pack)
        if record is not None and _is_same_game(record, imported):
            return pack, record
    if not packs:
        return make_pack_id(files.project.root), None
    return make_unused_id(imported.system_name or imported.name, set(packs)), None


def _is_same_game(record: ImportRecord, imported: ImportedList) -> bool:
    """Return True if a list is of the game whose lists a pack contains."""
    if record.system_id or imported.system_id:
        return record.system_id == imported.system_id
    # Records of earlier versions have no name.
    return record.system_name in (None, imported.system_name)


def _require_same_game(
    source: Path, imported: ImportedList, record: ImportRecord
) -> None:
    if not _is_same_game(record, imported):
        message = _("{file} is a list of another game than the others", file=source)
        raise UsageError(
            message, _("Import the lists of each game with a command of their own.")
        )


def _add_project_files(files: ImportFiles) -> None:
    """Add the files that every project has: editor schemas and .gitignore."""
    root = files.project.root
    files.write_file(root / ".gitignore", (NEW_PACK / "gitignore").read_bytes())
    for schema in sorted(Project.core_schemas.glob("*.schema.json")):
        files.write_file(root / "schemas" / "core" / schema.name, schema.read_bytes())


@dataclass(slots=True)
class ListImporter:
    """Imports one list into a pack, after earlier lists of the same command."""

    files: ImportFiles
    result: ListImport
    record: ImportRecord
    options: PrintOptions

    def add_list(self, source: Path, imported: ImportedList) -> ImportRecord:
        """Add the cards and the squad of a list to the pack. Return the new record."""
        pack_folder = self.files.project.get_cards_dir(self.result.pack)
        squad_id = self._find_squad_id(source, imported)
        first_source = self.result.sources.get(squad_id)
        if first_source is not None:
            message = _(
                "{file} and {other} are the same list", file=first_source, other=source
            )
            hint = _("Import only the newer file, or give one list another id.")
            raise UsageError(message, hint)
        self.result.sources[squad_id] = source
        stored_list = self.record.lists.get(squad_id)
        extension = source.suffix.lower()
        if extension not in ORIGINAL_EXTENSIONS:
            extension = ".txt"
        original = f"imports/{squad_id}{extension}"
        stored_cards: dict[str, Json] = {}
        if stored_list is not None:
            stored_cards = {key: {**card} for key, card in stored_list.cards.items()}
        target = ImportTarget(
            self.result.pack,
            squad_id,
            original,
            imported.id,
            stored_cards,
            frozenset(self._list_card_ids()),
        )
        generated_files = self._generate_files(source, imported, target)
        cards: dict[str, dict[str, Json]] = {}
        squad: dict[str, Json] = {}
        support_files: dict[str, bytes] = {}
        versions = self._list_versions(generated_files, stored_list)
        for name, data in generated_files.items():
            path = PurePosixPath(name)
            kind = path.parent.name
            if not name.startswith(f"cards/{target.pack}/{kind}/"):
                support_files[name] = data
            elif kind == "rosters":
                squad = parse_yaml(data, name)
                self._merge_squad(name, data, stored_list)
            else:
                cards[path.stem] = parse_yaml(data, name)
                self._merge_card(name, data, stored_list, versions[path.stem])
        self._remove_cards(stored_list, versions, squad_id)
        self.files.write_file(pack_folder / original, source.read_bytes())
        # A later file may have another extension.
        if stored_list is not None and stored_list.original != original:
            self.files.write_file(pack_folder / stored_list.original, None)
        self.result.lists[pack_folder / "rosters" / f"{squad_id}.yaml"] = imported
        new_list = ListRecord(
            file=source.name,
            original=original,
            list_id=imported.id,
            squad=squad,
            cards=cards,
        )
        lists = {**self.record.lists, squad_id: new_list}
        digests = update_support_files(self.files, support_files, self.record.files)
        return self.record.model_copy(update={"lists": lists, "files": digests})

    def _find_squad_id(self, source: Path, imported: ImportedList) -> str:
        """Return the id of the squad that this list was imported as, or a new id."""
        for squad_id, stored_list in self.record.lists.items():
            is_same_list = bool(imported.id) and stored_list.list_id == imported.id
            if is_same_list or (not imported.id and stored_list.file == source.name):
                return squad_id
        rosters = self.files.project.list_rosters(self.result.pack)
        used_ids = {*self.record.lists, *(roster.stem for roster in rosters)}
        return make_unused_id(imported.name, used_ids)

    def _list_card_ids(self) -> Iterator[str]:
        """Yield the ids of all cards in the pack, also of lists before this one."""
        folder = self.files.project.get_cards_dir(self.result.pack)
        for path in (*folder.glob("*/*.yaml"), *self.files.changed_files):
            yield path.stem

    def _generate_files(
        self, source: Path, imported: ImportedList, target: ImportTarget
    ) -> dict[str, bytes]:
        """Return the files of a new pack with this list alone, in which all texts fit."""
        # A pack keeps its language, whatever a later list is written in.
        options = replace(self.options, lang=self._find_language() or self.options.lang)
        self.result.findings += report_list(imported, source)
        with TemporaryDirectory(prefix="squadpress-") as folder:
            built = build_list(imported, Path(folder).resolve(), options, target)
            self.result.findings += relocate_findings(
                built.result.findings, built.cards, source
            )
            root = built.project.root
            generated_files: dict[str, bytes] = {}
            for part in ("cards", "templates", "schemas"):
                for path in sorted((root / part).rglob("*")):
                    if path.is_file():
                        generated_files[path.relative_to(root).as_posix()] = (
                            path.read_bytes()
                        )
        return generated_files

    def _find_language(self) -> str | None:
        """Return the source language of the pack. None for a new pack."""
        path = self.files.project.get_cards_dir(self.result.pack) / "pack.yaml"
        languages = (self.files.read_yaml(path) or {}).get("languages")
        source = languages.get("source") if isinstance(languages, dict) else None
        return source if isinstance(source, str) else None

    def _list_versions(
        self, generated_files: Mapping[str, bytes], stored_list: ListRecord | None
    ) -> dict[str, CardVersions]:
        """Return the stored, new and edited version of each card of the list, by id.

        Edits are moved between cards of a unit first. A card that the list no longer has gets an
        empty new version.
        """
        stored_cards = stored_list.cards if stored_list is not None else {}
        new_cards: dict[str, dict[str, Json]] = {
            card_id: {} for card_id in stored_cards
        }
        for name, data in generated_files.items():
            path = PurePosixPath(name)
            if path.parts[0] == "cards" and path.parent.name not in (
                "rosters",
                path.parts[1],
            ):
                new_cards[path.stem] = parse_yaml(data, name)
        versions: dict[str, CardVersions] = {}
        cards_by_unit: defaultdict[str, list[CardVersions]] = defaultdict(list)
        for card_id, new in new_cards.items():
            base = stored_cards.get(card_id, {})
            file = self._find_card_file(card_id) if base else None
            edited = self.files.read_yaml(file) if file is not None else None
            versions[card_id] = CardVersions(base, new, edited or {})
            card = new or base
            cards_by_unit[f"{card.get('name')} {card.get('origin')}"].append(
                versions[card_id]
            )
        for cards in cards_by_unit.values():
            move_edits(cards)
        return versions

    def _merge_card(
        self,
        name: str,
        data: bytes,
        stored_list: ListRecord | None,
        versions: CardVersions,
    ) -> None:
        """Write a card of the list. The author's edits of an earlier import stay."""
        path = self.files.project.root / name
        base = stored_list.cards.get(path.stem) if stored_list is not None else None
        old_path = self._find_card_file(path.stem) or path
        edited = self.files.read_yaml(old_path)
        if base is not None and edited is None:
            message = _(
                "you deleted this card, but the list still has it. It stays deleted."
            )
            location = Location(file=self.files.project.shorten_path(path))
            hint = _(
                "To get the card back, restore its file from a backup. Otherwise do nothing."
            )
            self.result.findings.append(
                import_codes.CONFLICT.finding(message, location, hint)
            )
            return
        if base is None or edited is None:
            self.files.write_file(path, data)
            self.files.change_yaml(path, parse_yaml(data, name), versions.new)
            if stored_list is not None:
                self.result.changes.append(ListChange(name, "new"))
            return
        merger = Merger()
        merged = merger.merge_card({**base}, versions.new, versions.edited)
        # The card is of another kind now, and so in another folder.
        if old_path != path:
            self.files.write_file(path, self.files.read_file(old_path))
            self.files.write_file(old_path, None)
        self._change_file(path, edited, merged, merger.conflicts)

    def _merge_squad(
        self, name: str, data: bytes, stored_list: ListRecord | None
    ) -> None:
        """Write the squad of the list. The author's edits of an earlier import stay."""
        path = self.files.project.root / name
        edited = self.files.read_yaml(path)
        if stored_list is None or edited is None:
            self.files.write_file(path, data)
            return
        merger = Merger()
        merged = merger.merge_value(
            {**stored_list.squad}, {**parse_yaml(data, name)}, {**edited}
        )
        assert isinstance(merged, dict)
        self._change_file(path, edited, merged, merger.conflicts)

    def _change_file(
        self,
        path: Path,
        old: dict[str, Json],
        new: dict[str, Json],
        conflicts: Sequence[EditConflict],
    ) -> None:
        """Write changed values into a file. Report the changes, and conflicts with edits."""
        name = self.files.project.shorten_path(path)
        leaves = compare_leaves(old, new)
        if leaves:
            self.files.change_yaml(path, old, new)
            is_squad = path.parent.name == "rosters"
            change = ListChange(name, "changed", leaves, {**old, **new}, is_squad)
            self.result.changes.append(change)
        for conflict in conflicts:
            message = _(
                "{path}: the list now has {new}. Your edit {edited} is kept.",
                path=_format_conflict_path(conflict),
                new=_shorten_value(conflict.new),
                edited=_shorten_value(conflict.edited),
            )
            hint = _make_conflict_hint(conflict)
            finding = import_codes.CONFLICT.finding(message, Location(file=name), hint)
            self.result.findings.append(finding)

    def _remove_cards(
        self,
        stored_list: ListRecord | None,
        versions: Mapping[str, CardVersions],
        squad_id: str,
    ) -> None:
        """Delete cards that the list no longer has, unless they are edited or used elsewhere."""
        if stored_list is None:
            return
        used_ids = self._list_ids_in_other_squads(squad_id)
        for card_id, base in stored_list.cards.items():
            path = self._find_card_file(card_id)
            edited = versions[card_id].edited
            if versions[card_id].new or path is None or not edited:
                continue
            name = self.files.project.shorten_path(path)
            if edited == base and card_id not in used_ids:
                self.files.write_file(path, None)
                self.result.changes.append(ListChange(name, "gone"))
                continue
            message = _(
                "the list no longer has this card. It is edited or used, and is kept."
            )
            hint = _(
                "Delete the file if you do not need the card. Otherwise do nothing."
            )
            finding = import_codes.CONFLICT.finding(message, Location(file=name), hint)
            self.result.findings.append(finding)

    def _find_card_file(self, card_id: str) -> Path | None:
        """Return the file of a card as it will be after the import. None if it has none."""
        folder = self.files.project.get_cards_dir(self.result.pack)
        paths = {*folder.glob(f"*/{card_id}.yaml"), *self.files.changed_files}
        for path in sorted(paths):
            if path.name != f"{card_id}.yaml" or path.parent.parent != folder:
                continue
            # The import may have deleted the file.
            if path.parent.name != "rosters" and self.files.read_file(path) is not None:
                return path
        return None

    def _list_ids_in_other_squads(self, squad_id: str) -> set[str]:
        """Return all words in the pack's other squads, among them the ids of their cards."""
        words: set[str] = set()
        for roster in self.files.project.list_rosters(self.result.pack):
            data = self.files.read_file(roster)
            if roster.stem != squad_id and data is not None:
                words.update(re.findall(r"[a-z0-9-]+", data.decode(errors="replace")))
        return words


def _shorten_value(value: object) -> str:
    text = format_value(value)  # type: ignore[arg-type]
    if len(text) <= MAX_HINT_CHARACTERS:
        return text
    return f"{text[:MAX_HINT_CHARACTERS]}…"


def _format_conflict_path(conflict: EditConflict) -> str:
    # The merger compares both faces as a map `faces`, which files do not have.
    return ".".join(key for key in conflict.path if key != "faces")


def _make_conflict_hint(conflict: EditConflict) -> Message:
    """Return a hint about how to replace an edited value by that of the list."""
    if conflict.new is ABSENT:
        form = _(
            "To follow the list, remove {path} from this file. Otherwise do nothing."
        )
        return _(form, path=_format_conflict_path(conflict))
    if (
        isinstance(conflict.new, dict | list)
        or len(str(conflict.new)) > MAX_HINT_CHARACTERS
    ):
        return _(
            "To use the list's value, write it in this file. Otherwise do nothing."
        )
    line = format_block({conflict.path[-1]: conflict.new})[0]
    form = _(
        "To use the list's value, write `{line}` in this file. Otherwise do nothing."
    )
    return _(form, line=line)
