"""Records of builds: unchanged builds are skipped, outputs of removed languages deleted."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from builder.cache import Value, fingerprint
from builder.files import hash_file, open_atomic
from builder.findings import Finding, has_errors
from builder.packs.project import Project, find_settings_folder
from builder.render.fonts import find_font_folders
from builder.usecases.build.build_options import (
    DRAFT_MARK,
    BuildResult,
    BuiltFile,
    EngineChoice,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

PROGRAM = Path(__file__).resolve().parents[2]
MAKERS = (
    "checks",
    "geometry",
    "model",
    "pdfinfo",
    "render",
    "report",
    "packs",
    "usecases",
)
"""Packages of the program that shape an order or check it."""
OUTPUTS = "outputs"
"""The cache entries of written files and folders."""
MIN_FILE_AGE_NS = 50_000_000
"""A younger file may change again without its times changing, so a record does not rely on it."""


def write_output(
    project: Project,
    path: Path,
    owner: Sequence[str],
    write: Callable[[IO[bytes]], str],
) -> bool:
    """Write a file and record its owner: a pack and languages. Return True if the file changed.

    `write` returns the SHA-256 of the written bytes. A file with the same bytes is left
    untouched.
    """
    is_changed = False
    with suppress(_SameBytes), open_atomic(path) as out:
        digest = write(out)
        # An untouched file keeps its times, and viewers that show it do not reload.
        if path.is_file() and hash_file(path) == digest:
            raise _SameBytes
        is_changed = True
    record_owner(project, path, owner, digest)
    return is_changed


class _SameBytes(Exception):
    """Raised to discard a draft because the file has the same bytes already."""


def record_owner(
    project: Project, path: Path, owner: Sequence[str], content: str = ""
) -> None:
    """Record the pack and the languages of a file or a folder, and the hash of its content."""
    entry: Value = {"owner": list(owner), "content": content or hash_content(path)}
    project.cache.write(OUTPUTS, _make_output_key(path), entry)


def _make_output_key(path: Path) -> str:
    return sha256(os.fsencode(path.resolve())).hexdigest()


def remove_outdated(
    project: Project, folder: Path, pack: str, languages: Collection[str]
) -> tuple[Path, ...]:
    """Remove the pack's outputs in languages that it no longer has. Return their paths.

    Outputs that were changed since, and files of others, stay.
    """
    if not folder.is_dir():
        return ()
    removed_paths = []
    for path in sorted(folder.iterdir()):
        entry = project.cache.value(OUTPUTS, _make_output_key(path)) or {}
        match entry.get("owner"):
            case [owner, *langs] if owner == pack and not set(langs) <= set(languages):
                if entry.get("content") == hash_content(path):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                    removed_paths.append(path)
    return tuple(removed_paths)


def add_draft_mark(path: Path) -> Path:
    """Return the path of a draft of a file or folder."""
    return path.with_name(f"{path.stem}{DRAFT_MARK}{path.suffix}")


def find_old_file(draft: Path) -> Path | None:
    """Return the good file or folder of an earlier build beside a draft. None if there is none."""
    path = draft.with_name(f"{draft.stem.removesuffix(DRAFT_MARK)}{draft.suffix}")
    return path if path != draft and path.exists() else None


def remove_draft(project: Project, path: Path) -> tuple[Path, ...]:
    """Remove the draft of a file or folder, unless somebody changed it.

    Return its path if it was removed.
    """
    draft = add_draft_mark(path)
    entry = project.cache.value(OUTPUTS, _make_output_key(draft)) or {}
    content = entry.get("content")
    if not content or content != hash_content(draft):
        return ()
    shutil.rmtree(draft) if draft.is_dir() else draft.unlink()
    return (draft,)


def hash_content(target: Path) -> str:
    """Return a hash of a file, or of a folder's files, or an empty text if there are none."""
    if target.is_file():
        return hash_file(target)
    if not target.is_dir():
        return ""
    files = sorted(path for path in target.rglob("*") if path.is_file())
    parts = [
        f"{path.relative_to(target).as_posix()} {hash_file(path)}" for path in files
    ]
    if not parts:
        return ""
    return sha256("\0".join(parts).encode()).hexdigest()


def check_with_cache(
    project: Project, check: Callable[[], Sequence[Finding]], *parts: str
) -> tuple[Finding, ...]:
    """Return the cached findings of a check, or run it. `parts` are its other inputs."""
    from builder.render.keys import hash_program

    inputs = (fingerprint(*MAKERS), hash_program(), *parts)
    key = sha256("\0".join(inputs).encode()).hexdigest()
    cached_findings = read_findings(project.cache.value("preflight", key))
    if cached_findings is not None:
        return cached_findings
    findings = tuple(check())
    entry: Value = {"findings": [finding.to_json() for finding in findings]}
    project.cache.write("preflight", key, entry)
    return findings


def read_findings(value: Value | None) -> tuple[Finding, ...] | None:
    """Return the findings of a cache entry, or None if it has none."""
    items = value.get("findings") if value is not None else None
    if not isinstance(items, list):
        return None
    # Another version of the program may have written the entry.
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        return tuple(Finding.from_json(item) for item in items)
    return None


class BuildRecord:
    """The record of the last build of a pack with the same options.

    If no input was edited since, its result is used and nothing is loaded. The inputs are the
    path, size and times of every file that a build may read: of the pack, the program and its
    packages. Create the record before anything is read. Then edits during the build count as
    later edits.
    """

    def __init__(
        self, project: Project, pack: str, options: Mapping[str, object]
    ) -> None:
        self.cache = project.cache
        values = []
        for name, value in options.items():
            # A relative path is another file in another folder.
            text = str(value.resolve()) if isinstance(value, Path) else repr(value)
            values.append((name, text))
        key = repr((pack, sorted(values)))
        self.key = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        roster = options.get("roster")
        places = _list_input_places(
            project, pack, Path(str(roster)) if roster else None
        )
        inputs = sorted(_list_files(places, project))
        # The last of the times changes with any edit, even if a tool restores the others.
        newest_ns = max((times[-1] for _path, times in inputs), default=0)
        self.is_reliable = newest_ns < time.time_ns() - MIN_FILE_AGE_NS
        self.inputs = sha256(repr(inputs).encode()).hexdigest()

    def find_result(self) -> BuildResult | None:
        """Return the last result if no input was edited and its files are unchanged."""
        entry = self.cache.value("builds", self.key)
        findings = read_findings(entry)
        if entry is None or findings is None or entry.get("inputs") != self.inputs:
            return None
        # A damaged entry, or one of another version, has another form.
        with suppress(OSError, ValueError, KeyError, TypeError):
            files = []
            stored_files: Any = entry["files"]
            for path, times, *facts in stored_files:
                if list(_read_file_state(Path(path).stat())) != times:
                    return None
                files.append(BuiltFile(Path(path), *facts))
            cached_count = int(str(entry["known"]))
            choice = EngineChoice.from_json(entry.get("engine_choice"))
            return BuildResult(
                tuple(files), findings, 0, cached_count, engine_choice=choice
            )
        return None

    def save_result(self, result: BuildResult) -> None:
        """Save a result without errors."""
        if not self.is_reliable or has_errors(result.findings):
            return
        with suppress(OSError):
            files: list[JsonValue] = []
            for file in result.files:
                path = file.path.resolve()
                times: list[JsonValue] = [*_read_file_state(path.stat())]
                files.append(
                    [str(path), times, file.pages, file.cards, False, file.unit]
                )
            entry: Value = {
                "inputs": self.inputs,
                "files": files,
                "findings": [finding.to_json() for finding in result.findings],
                "known": result.rendered_count + result.cached_count,
            }
            if result.engine_choice is not None:
                entry["engine_choice"] = result.engine_choice.to_json()
            self.cache.write("builds", self.key, entry)


def _list_input_places(project: Project, pack: str, roster: Path | None) -> list[str]:
    """Return the files and folders that a build may read.

    Of a path that ends in `/.`, only the folder itself counts, not its content.
    """
    templates = project.root / "templates"
    places = [
        project.get_cards_dir(pack),
        project.root / "schemas",
        project.core_schemas,
        templates / pack,
        templates / "profiles",
        templates / "presets",
        project.base_templates,
        PROGRAM,
        find_settings_folder(),
        *find_font_folders(),
    ]
    if roster is not None:
        places.append(roster)
    # Installing a package changes the folder it is installed in.
    package_folders = [f"{path}/." for path in sys.path if path.endswith("-packages")]
    return [*map(str, places), *package_folders]


def _list_files(
    places: Iterable[str], project: Project
) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield all files at or below these places with their size and times.

    A linked folder of the project is searched only if it leads to a place in the project.
    """
    pending_places = list(dict.fromkeys(places))
    searched_targets: set[Path] = set()
    while pending_places:
        place = pending_places.pop()
        with suppress(OSError):
            if place.endswith("/.") or not Path(place).is_dir():
                yield place, _read_file_state(Path(place).stat())
                continue
            for entry in os.scandir(place):
                if not entry.is_dir():
                    yield entry.path, _read_entry_times(entry)
                    continue
                if entry.is_symlink():
                    yield (
                        entry.path,
                        _read_file_state(entry.stat(follow_symlinks=False)),
                    )
                if _is_searched(entry, project, searched_targets):
                    pending_places.append(entry.path)


def _is_searched(
    entry: os.DirEntry[str], project: Project, searched_targets: set[Path]
) -> bool:
    """Return whether to list the files of a folder. Remember the targets of links."""
    if not entry.is_symlink():
        return entry.name != "__pycache__"
    path = Path(entry.path)
    target = path.resolve()
    if path.is_relative_to(project.root) and not project.is_inside(target):
        return False
    if target in searched_targets:  # links may form a circle
        return False
    searched_targets.add(target)
    return True


def _read_entry_times(entry: os.DirEntry[str]) -> tuple[int, int, int]:
    """Return the times of a file in a folder. A broken link has its own times."""
    try:
        return _read_file_state(entry.stat())
    except OSError:
        return _read_file_state(entry.stat(follow_symlinks=False))


def _read_file_state(status: os.stat_result) -> tuple[int, int, int]:
    """Return the size in bytes, the mtime and the ctime (ns)."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
