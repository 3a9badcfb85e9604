"""Publish a pack's releases as static files: JSON for machines, notes and prints for people, digests of every byte."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.errata import release as values
from builder.errata.difference import difference
from builder.errata.notes import NoteReader
from builder.errata.snapshot import Snapshot, canonical, digest
from builder.errors import UsageError
from builder.files import write_atomic
from builder.findings import Finding, has_errors, in_order
from builder.messages import gettext as _, ngettext
from builder.report.pages import Download, PageRelease, release_page
from builder.report.release import as_data, notes_markdown, sums
from builder.store.package import MANIFEST
from builder.store.project import Project
from builder.store.releases import Releases
from builder.usecases.build.build import build_pack
from builder.usecases.build.options import BuildOptions, Progress, Publishing, Selection, WorkerPool
from builder.usecases.release.notes import print_notes, release_notes


@dataclass(frozen=True)
class Published:
    """What was published: the folder, its files by path, and what stands against it."""

    folder: Path
    files: tuple[str, ...]
    findings: tuple[Finding, ...]


def publish(
    project: Project,
    pack: str,
    folder: Path,
    *,
    prints: bool = True,
    workers: int = 2,
    progress: Progress | None = None,
) -> Published:
    """Write everything below `folder`; what lay there of an earlier run and is no longer made is removed.

    Raises UsageError where nothing was released yet. Nothing is written if a release is damaged.
    """
    releases = Releases(project, pack)
    loaded = [releases.load(release.version) for release in releases.all()]
    findings = in_order(finding for _unused, found in loaded for finding in found)
    if not loaded:
        hint = _("`squadpress release new VERSION --effective DATE` makes the first.")
        raise UsageError(_("{pack} has no release", pack=pack), hint)
    if has_errors(findings):
        return Published(folder, (), findings)
    states = [state for state, _unused in loaded]
    made: dict[str, bytes] = {}
    for number, state in enumerate(states):
        manifest = (releases.folder / state.label / MANIFEST).read_bytes()
        made |= _version(states[: number + 1], manifest)
    name = NoteReader(states[-1], states[-1].source)
    made[f"{values.API}/index.json"] = _bytes(values.index(pack, states[-1].manifest.get("name"), states))
    made[f"{values.API}/latest.json"] = _bytes(values.latest(states))
    for path, data in made.items():
        write_atomic(folder / path, data)
    written = set(made)
    if prints:
        paths, flaws = _prints(project, states, folder, workers, progress)
        written |= paths
        findings = in_order((*findings, *flaws))
    title = name.localized(states[-1].manifest.get("name")) or pack
    page = release_page(title, _shown(folder, states, written), states[-1].source)
    write_atomic(folder / "index.html", page.encode())
    written.add("index.html")
    _sweep(folder, written)
    digests = {path: digest((folder / path).read_bytes()) for path in written}
    write_atomic(folder / "SHA256SUMS", sums(digests).encode())
    return Published(folder, (*sorted(written), "SHA256SUMS"), findings)


def _bytes(value: object) -> bytes:
    return canonical(value).encode("utf-8")


def _version(states: Sequence[Snapshot], manifest: bytes) -> dict[str, bytes]:
    """The files of the last of these releases."""
    state, root = states[-1], f"{values.API}/{states[-1].label}"
    before = states[-2] if len(states) > 1 else Snapshot(pack=state.pack, label="nothing", manifest=state.manifest)
    changes = difference(before, state)
    made = {
        f"{root}/manifest.json": manifest,
        f"{root}/cards.json": _bytes(values.cards(state)),
        f"{root}/rules.json": _bytes(dict(state.rules)),
        f"{root}/vocabulary.json": _bytes(dict(state.vocabulary)),
        f"{root}/legality.json": _bytes(values.legality(states)),
        f"{root}/migrations.json": _bytes([step.model_dump(mode="json") for step in state.migrations]),
        f"{root}/changes.json": _bytes(as_data(changes)),
    }
    for lang in state.languages:
        made[f"{root}/{lang}/cards.json"] = _bytes(values.cards_in(state, lang))
    if len(states) > 1:
        for one in release_notes(before, state, ()):
            made[f"{root}/{one.lang}/CHANGES.md"] = notes_markdown(one).encode("utf-8")
        made[f"{root}/CHANGES.md"] = made[f"{root}/{state.source}/CHANGES.md"]
    return made


def _prints(
    project: Project, states: Sequence[Snapshot], folder: Path, workers: int, progress: Progress | None
) -> tuple[set[str], list[Finding]]:
    """Printable notes of every step, and the whole set of the newest release."""
    findings: list[Finding] = []
    written: set[str] = set()
    for before, state in itertools.pairwise(states):
        target = folder / values.API / state.label
        notes = release_notes(before, state, ())
        files, flaws = print_notes(project, before, state, notes, target, workers, progress)
        findings += flaws
        written |= {path.relative_to(folder).as_posix() for path in files}
    last = states[-1]
    publishing = Publishing(output=folder / values.API / last.label)
    options = BuildOptions(Selection(as_of=last.label), publishing, WorkerPool(workers))
    built = build_pack(project, last.pack, options, progress)
    written |= {file.path.relative_to(folder).as_posix() for file in built.files}
    return written, [*findings, *built.findings]


def _shown(folder: Path, states: Sequence[Snapshot], written: set[str]) -> list[PageRelease]:
    """The releases for the page, newest first; what people print comes before what machines read."""
    found = []
    for number in range(len(states) - 1, -1, -1):
        state = states[number]
        root = f"{values.API}/{state.label}/"
        paths = sorted((path for path in written if path.startswith(root)), key=_rank)
        before = states[number - 1] if number else Snapshot(pack=state.pack, label="nothing", manifest=state.manifest)
        count = len(difference(before, state).cards)
        cards = ngettext("{count} card", "{count} cards", len(state.cards))
        form = _("{cards}, {many} of them new or changed.") if number else _("{cards}.")
        summary = _(form, cards=cards, many=count)
        made = {path: (folder / path).read_bytes() for path in paths}
        files = [Download(path, len(data), digest(data)) for path, data in made.items()]
        found.append(PageRelease(state.label, str(state.released), str(state.effective), summary, files))
    return found


def _rank(path: str) -> tuple[int, str]:
    return {".pdf": 0, ".md": 1}.get(Path(path).suffix, 2), path


def _sweep(folder: Path, written: set[str]) -> None:
    """Remove what an earlier run made and this one did not, within the served tree only."""
    for path in sorted((folder / values.API).rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(folder).as_posix() not in written:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
