"""Records of builds: a build without edits is not repeated, and outputs of removed languages are deleted."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from builder.cache import Value, fingerprint
from builder.files import hash_file, open_atomic
from builder.findings import Finding, has_errors
from builder.packs.project import Project, find_settings_folder
from builder.render.fonts import font_folders
from builder.usecases.build.build_options import BuildResult, BuiltFile, EngineChoice

PROGRAM = Path(__file__).resolve().parents[2]
MAKERS = ("checks", "geometry", "model", "pdfinfo", "render", "report", "packs", "usecases")
"""Packages of the program that shape an order, or say what is wrong with it."""
OUTPUTS = "outputs"
"""The cache entries of written files and folders."""
YOUNG = 50_000_000
"""Ns within which a file may change again without its times changing: what was edited just now is not relied on."""


def write_output(
    project: Project, path: Path, owner: Sequence[str], write: Callable[[IO[bytes]], str]
) -> bool:
    """Write a file and note its owner: a pack and languages. Return True if the file changed.

    `write` returns the SHA-256 of what it wrote. A file with the same bytes is left untouched.
    """
    is_changed = False
    with suppress(_SameBytes), open_atomic(path) as out:
        digest = write(out)
        if path.is_file() and hash_file(path) == digest:
            raise _SameBytes
        is_changed = True
    note_owner(project, path, owner, digest)
    return is_changed


class _SameBytes(Exception):
    """Ends a draft: the same file is there already."""


def note_owner(project: Project, path: Path, owner: Sequence[str], content: str = "") -> None:
    """Note the pack and the languages of a file or a folder, and the hash of its content."""
    entry: Value = {"owner": list(owner), "content": content or hash_content(path)}
    project.cache.write(OUTPUTS, _output_key(path), entry)


def _output_key(path: Path) -> str:
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
        entry = project.cache.value(OUTPUTS, _output_key(path)) or {}
        match entry.get("owner"):
            case [owner, *langs] if owner == pack and not set(langs) <= set(languages):
                if entry.get("content") == hash_content(path):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                    removed_paths.append(path)
    return tuple(removed_paths)


def hash_content(target: Path) -> str:
    """What lies in a file or a folder, as one hash; nothing where there is none."""
    if target.is_file():
        return hash_file(target)
    files = sorted(path for path in target.rglob("*") if path.is_file()) if target.is_dir() else []
    parts = [f"{path.relative_to(target).as_posix()} {hash_file(path)}" for path in files]
    return sha256("\0".join(parts).encode()).hexdigest() if parts else ""


def check_with_cache(
    project: Project, judge: Callable[[], Sequence[Finding]], *parts: str
) -> tuple[Finding, ...]:
    """What preflight found before, else what `judge` finds now. `parts`: all that it depends on besides the program."""
    from builder.render.keys import program_hash

    key = sha256("\0".join((fingerprint(*MAKERS), program_hash(), *parts)).encode()).hexdigest()
    known = read_findings(project.cache.value("preflight", key))
    if known is None:
        known = tuple(judge())
        project.cache.write(
            "preflight", key, {"findings": [finding.to_json() for finding in known]}
        )
    return known


def read_findings(value: Value | None) -> tuple[Finding, ...] | None:
    """The findings among what was kept; None where they are none."""
    found = value.get("findings") if value is not None else None
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        return tuple(Finding.from_json(item) for item in found) if isinstance(found, list) else None
    return None


class BuildRecord:
    """The last build of one pack in one way: where nothing was edited since, its outcome stands and nothing is loaded.

    Every file a build may read is known by its place, size and times: those of the pack, the program and its packages.
    Made before anything is read: what is edited meanwhile counts as edited since.
    """

    def __init__(self, project: Project, pack: str, asked: Mapping[str, object]) -> None:
        # A path is what it means from here.
        said = sorted(
            (key, str(one.resolve()) if isinstance(one, Path) else repr(one))
            for key, one in asked.items()
        )
        self.cache = project.cache
        self.key = sha256(repr((pack, said)).encode("utf-8", "surrogatepass")).hexdigest()
        roster = asked.get("roster")
        inputs = sorted(
            _files(_folders(project, pack, Path(str(roster)) if roster else None), project)
        )
        self.settled = max((times[-1] for _, times in inputs), default=0) < time.time_ns() - YOUNG
        self.inputs = sha256(repr(inputs).encode()).hexdigest()

    def known(self) -> BuildResult | None:
        """The outcome, if nothing was edited since and the files are still those that were written."""
        noted = self.cache.value("builds", self.key)
        findings = read_findings(noted)
        with suppress(OSError, ValueError, KeyError, TypeError):
            if noted is None or findings is None or noted["inputs"] != self.inputs:
                return None
            files: list[Any] = list(noted["files"])  # type: ignore[arg-type]
            if all(list(_times(Path(path).stat())) == times for path, times, *_ in files):
                built = tuple(BuiltFile(Path(path), *facts) for path, _, *facts in files)
                return BuildResult(
                    built,
                    findings,
                    0,
                    int(str(noted["known"])),
                    engine_choice=EngineChoice.from_json(noted.get("engine_choice")),
                )
        return None

    def note(self, result: BuildResult) -> None:
        """Remember an outcome without errors."""
        if not self.settled or has_errors(result.findings):
            return
        files = [replace(file, path=file.path.resolve(), changed=False) for file in result.files]
        with suppress(OSError):
            noted: Value = {
                "inputs": self.inputs,
                "files": [
                    [
                        str(file.path),
                        [*_times(file.path.stat())],
                        file.pages,
                        file.cards,
                        file.changed,
                        file.unit,
                    ]
                    for file in files
                ],
                "findings": [finding.to_json() for finding in result.findings],
                "known": result.rendered_count + result.cached_count,
            }
            if result.engine_choice is not None:
                noted["engine_choice"] = result.engine_choice.to_json()
            self.cache.write("builds", self.key, noted)


def _folders(project: Project, pack: str, roster: Path | None) -> Iterator[str]:
    templates = project.root / "templates"
    yield from map(str, (project.cards_dir(pack), project.root / "schemas", project.core_schemas))
    yield from map(
        str,
        (templates / pack, templates / "profiles", templates / "presets", project.base_templates),
    )
    yield from map(str, (PROGRAM, find_settings_folder(), *font_folders()))
    yield from [str(roster)] if roster else []
    # Installing a package changes the folder it is installed in.
    yield from (f"{path}/." for path in sys.path if path.endswith("-packages"))


def _files(places: Iterable[str], project: Project) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """All files at or below these places by size and times; of a place that ends in `/.` only the folder itself.

    A linked folder of the project is searched only if it leads to a place in the project.
    """
    todo = list(dict.fromkeys(places))
    searched_links: set[Path] = set()
    while todo:
        place = todo.pop()
        with suppress(OSError):
            if place.endswith("/.") or not Path(place).is_dir():
                yield place, _times(Path(place).stat())
                continue
            for entry in os.scandir(place):
                if not entry.is_dir():
                    yield entry.path, _entry_times(entry)
                elif entry.is_symlink():
                    yield entry.path, _times(entry.stat(follow_symlinks=False))
                    path, target = Path(entry.path), Path(entry.path).resolve()
                    is_ours = not path.is_relative_to(project.root) or project.is_inside(target)
                    if is_ours and target not in searched_links:  # links may form a circle
                        searched_links.add(target)
                        todo.append(entry.path)
                elif entry.name != "__pycache__":
                    todo.append(entry.path)


def _entry_times(entry: os.DirEntry[str]) -> tuple[int, int, int]:
    """The times of a file in a folder; of a link that leads nowhere, an editor's lock for one, its own."""
    try:
        return _times(entry.stat())
    except OSError:
        return _times(entry.stat(follow_symlinks=False))


def _times(status: os.stat_result) -> tuple[int, int, int]:
    """Size, last change of contents, last change of anything."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
