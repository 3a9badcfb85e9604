"""Store squads as project files, with the states before each edit for undo."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from builder.errata.impact import MigratedRoster
from builder.errors import InputUnreadable, OutputNotWritten, UsageError
from builder.files import lock_file, read_limited, write_atomic
from builder.messages import gettext as _
from builder.model.formats import FormatDay
from builder.model.loaded import LoadedRoster
from builder.model.pack import RosterForm
from builder.model.roster import Roster
from builder.packs.pack_files import PackFiles, read_text
from builder.packs.project import Project
from builder.packs.rosters import format_roster, load_roster, parse_roster, read_roster
from builder.packs.sources import list_yaml_files, pause_garbage_collector
from builder.packs.yaml.editing import YamlText
from builder.roster.operations import Edit
from builder.usecases.imports.foreign_lists import refuse_foreign_list
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    check_roster,
    require_verdict,
)
from builder.usecases.roster.edit import edit_text, extend_text, write_migrated_ids
from builder.usecases.roster.verdict import RosterListing, Submission, check_submissions

MAX_UNDO_STEPS = 100
"""Edits of a file that can be undone."""


@dataclass(frozen=True)
class RosterFiles:
    """Stores squads as YAML files, named by their paths. Edits keep comments, order and quotes.

    `form` has the pack's settings for rosters. If it is None, the pack is read for each file.
    """

    project: Project
    paths: tuple[Path, ...] = ()
    form: RosterForm | None = None

    def list_names(self) -> tuple[str, ...]:
        """Return the paths of the files."""
        return tuple(map(str, self.paths))

    def load(self, name: str) -> LoadedRoster:
        """Read a squad's file. Raise an error if it is missing, or a list of another program."""
        refuse_foreign_list(Path(name))
        return load_roster(Path(name), self.project, self.form)

    def create(self, name: str, roster: Roster, like: str | None = None) -> None:
        """Write a squad into a new file. With `like`, keep the comments of that file.

        Raise UsageError if another squad is there.
        """
        file = Path(name)
        text = format_roster(roster)
        if like is not None:
            text = extend_text(read_text(Path(like)), roster, self._make_parser(like))
        # A file with the same text is that of a repeated call. A broken link exists, too.
        is_same = file.is_file() and read_limited(file) == text.encode()
        if os.path.lexists(file) and not is_same:
            message = _("{file} already exists", file=file)
            raise UsageError(message, _("Give the name of a new file."))
        write_atomic(file, text.encode())

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Lock a squad's file against other processes during the block."""
        return lock_file(_UndoHistory(self.project, Path(name)).store)

    def _make_parser(self, name: str) -> Callable[[str], LoadedRoster]:
        """Return a function that parses a text as if it were the content of a file."""
        return lambda text: parse_roster(text, name, self.project)

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        """Apply an edit to a file and save it. `what` describes it for undo."""
        history = _UndoHistory(self.project, Path(name))
        with self.lock(name):
            loaded = self.load(name)
            old_text = read_text(Path(name))
            text, edited_roster = edit_text(
                old_text, loaded, edit, self._make_parser(name)
            )
            history.replace_file_text(text, what)
            return edited_roster

    def undo(self, name: str) -> str:
        """Restore the file as it was before the last edit. Return the edit's description."""
        history = _UndoHistory(self.project, Path(name))
        with self.lock(name):
            # Raises an error for a file that is missing or not a roster.
            self.load(name)
            return history.undo_edit()

    def migrate(
        self, name: str, migrated: MigratedRoster, version: str, pin: bool = False
    ) -> bool:
        """Write the new ids of renamed cards into a file. Return False if nothing changed.

        The version is written too if the file is pinned or `pin` is set. Everything else stays.
        """
        with self.lock(name):
            file = Path(name)
            document = self.load(name).document
            assert document is not None
            text = read_text(file)
            edit = YamlText(text, self.project.shorten_path(file))
            write_migrated_ids(edit, document, migrated, version, pin)
            if edit.text == text:
                return False
            write_atomic(file, edit.text.encode("utf-8"))
            return True


def check_roster_files(
    project: Project,
    files: Iterable[Path],
    lang: str | None = None,
    as_of: str | None = None,
    repaired: bool = True,
    format_day: FormatDay | None = None,
) -> Iterator[CheckedRoster]:
    """Check squads in files one after another. Yield the results in the same order."""
    checkers = RosterCheckers(PackFiles(project), as_of, format_day=format_day)
    rosters = RosterFiles(project)
    for file in files:
        loaded = rosters.load(str(file))
        yield check_roster(checkers, loaded, project.shorten_path(file), lang, repaired)


def check_roster_file(
    project: Project,
    file: Path,
    lang: str | None = None,
    format_day: FormatDay | None = None,
) -> CheckedRoster:
    """Check the squad in a file. Raise PackUnreadable if its pack or release cannot be read."""
    (result,) = check_roster_files(project, (file,), lang, format_day=format_day)
    require_verdict(result, _guess_pack(file))
    return result


def check_roster_folders(
    project: Project,
    paths: Iterable[Path],
    as_of: str | None = None,
    format_day: FormatDay | None = None,
) -> RosterListing:
    """Check all squads in files and folders, and list the results in a table.

    Raise InputUnreadable if there is no roster.
    """
    checkers = RosterCheckers(PackFiles(project), as_of, format_day=format_day)
    paths = tuple(paths)
    # Thousands of lists make many objects that all stay, so collecting garbage frees nothing.
    with pause_garbage_collector():
        listing = check_submissions(
            checkers, _read_submissions(checkers, project, paths)
        )
    if not listing.rows:
        places = ", ".join(map(str, paths))
        skipped_count = len(listing.skipped)
        form = _("{file} contains no roster")
        if skipped_count:
            form = _("{file}: none of {many} YAML files is a roster")
        hint = _("A roster is a .yaml file with `pack` and `entries`.")
        raise InputUnreadable(_(form, file=places, many=skipped_count), hint)
    return listing


def _read_submissions(
    checkers: RosterCheckers, project: Project, paths: Iterable[Path]
) -> Iterator[Submission]:
    """Read each file only when it is needed, because the pack may be loaded by then."""
    for path in paths:
        if path.is_file():
            refuse_foreign_list(path)
        files = list_yaml_files(path) if path.is_dir() else (path,)
        for file in files:
            pack = _guess_pack(file)
            loaded = read_roster(file, project, checkers.get_roster_form(pack))
            yield Submission(
                project.shorten_path(file), pack, loaded, is_named=file is path
            )


def list_roster_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the given files and all YAML files in the given folders.

    Raise InputUnreadable if one does not exist.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += list_yaml_files(path)
        elif path.is_file():
            files.append(path)
        else:
            message = _("the file {file} does not exist", file=path)
            raise InputUnreadable(message, _("Give roster files, or a folder of them."))
    return tuple(files)


def _guess_pack(file: Path) -> str:
    """Return the pack that the line `pack:` of a file names, without parsing the file."""
    line = ""
    # Reading the whole file reports what is wrong with it.
    with suppress(OSError, ValueError):
        lines = read_limited(file).decode("utf-8-sig").splitlines()
        line = next((line for line in lines if line.startswith("pack:")), "")
    name = line.removeprefix("pack:").split("#")[0]  # without a comment
    return name.strip().strip("\"'")


class _UndoHistory:
    """The undo steps of one squad file, newest last, stored in the project's cache."""

    def __init__(self, project: Project, file: Path) -> None:
        self.file = file
        name = sha256(str(file.resolve()).encode()).hexdigest()[:24]
        self.store = project.cache_dir / "undo" / f"{name}.json"

    def replace_file_text(self, text: str, what: str) -> None:
        """Write a new text into the file, and store the old one as an undo step."""
        before = self.file.read_bytes().decode("utf-8")
        stack = self._read_steps()
        # After an edit by hand, undoing the steps before it would lose that edit.
        if stack and stack[-1]["after"] != _hash_text(before):
            stack = []
        stack.append({"before": before, "after": _hash_text(text), "what": what})
        self._write_file_and_steps(text, stack[-MAX_UNDO_STEPS:])

    def undo_edit(self) -> str:
        """Restore the file's text before the last edit. Return the description of that edit.

        Raise UsageError if there is none or it is not last.
        """
        stack = self._read_steps()
        if not stack:
            message = _("{file} has no edit to undo", file=self.file)
            raise UsageError(
                message, _("Only edits made by `squadpress roster` can be undone.")
            )
        last = stack.pop()
        text = self.file.read_bytes().decode("utf-8")
        if _hash_text(text) != last["after"]:
            message = _(
                "{file} was changed by hand since the last edit", file=self.file
            )
            raise UsageError(message, _("Undoing that edit would lose the change."))
        self._write_file_and_steps(last["before"], stack)
        return last["what"]

    def _write_file_and_steps(self, text: str, stack: list[dict[str, str]]) -> None:
        """Write the file and its undo steps, both or neither.

        Raise OutputNotWritten if that fails.
        """
        before = self.store.read_bytes() if self.store.is_file() else b"[]"
        # The steps come first: an edited file without its step could not be undone.
        write_atomic(self.store, json.dumps(stack, ensure_ascii=False).encode())
        try:
            write_atomic(self.file, text.encode())
        except OutputNotWritten:
            with suppress(OutputNotWritten):
                write_atomic(self.store, before)
            raise

    def _read_steps(self) -> list[dict[str, str]]:
        """Read the undo steps. Empty if there are none or they are damaged."""
        try:
            value = json.loads(self.store.read_text(encoding="utf-8"))
        # Without a readable history there is nothing to undo, but edits must still work.
        except (OSError, ValueError):
            return []
        items = value if isinstance(value, list) else []
        return items if all(map(_is_undo_step, items)) else []


def _is_undo_step(item: object) -> bool:
    """Return True if a JSON value has the form of an undo step."""
    if not isinstance(item, dict) or item.keys() != {"before", "after", "what"}:
        return False
    return all(isinstance(text, str) for text in item.values())


def _hash_text(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()
