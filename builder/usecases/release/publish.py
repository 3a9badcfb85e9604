"""Publish a pack's releases as static files: JSON for machines, notes and prints for people, digests of every byte."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeAlias

from builder.errata import release as values
from builder.errata.change import tally
from builder.errata.difference import difference
from builder.errata.formats import format_legality
from builder.errata.reader import NoteReader
from builder.errata.snapshot import Snapshot, canonical, digest
from builder.errors import UsageError
from builder.findings import Finding, has_errors, in_order
from builder.messages import gettext as _, ngettext
from builder.report.pages import Download, PageRelease, badges, release_page
from builder.report.release import as_data, notes_markdown
from builder.store.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.options import BuildOptions, Publishing, Selection, WorkerPool
from builder.usecases.build.typeset import places
from builder.usecases.release.notes import print_notes, release_notes
from builder.usecases.storage import ReleaseStorage, withdrawn

TREE = values.API
"""The folder of a publication that is wholly its own."""

RANKS = {".html": 0, ".pdf": 0, ".md": 1}

Files: TypeAlias = tuple[Mapping[str, bytes], tuple[Finding, ...]]
"""Files by path, and what stands against them."""
Line: TypeAlias = tuple[Snapshot, ...]
"""A release and all that it continues, oldest first."""
Prints: TypeAlias = Callable[[Sequence[Line], Snapshot], Files]


def publish(releases: ReleaseStorage, pack: str, prints: Prints | None = None) -> Files:
    """The whole publication; no files if a release is damaged.

    `prints` makes those for people from all releases, oldest first, and the newest one. UsageError where nothing was
    released yet.
    """
    loaded = [releases.load(release.version) for release in releases.all()]
    findings = in_order((*releases.damaged(), *(finding for _unused, found in loaded for finding in found)))
    if not loaded and not findings:
        hint = _("`squadpress release new VERSION --effective DATE` makes the first.")
        raise UsageError(_("{pack} has no release", pack=pack), hint)
    if has_errors(findings):
        return {}, findings
    known, states = releases.all(), {state.label: state for state, _unused in loaded}
    lines = [tuple(states[one.version] for one in values.lineage(known, release)) for release in known]
    made: dict[str, bytes] = {}
    for line in lines:
        made |= _version(line, releases.parts(line[-1].label))
    current = values.newest(one for one in known if one.withdrawal is None) or known[-1]
    last = states[current.version]
    name = last.manifest.get("name")
    made[f"{TREE}/index.json"] = _bytes(values.index(pack, name, known, states))
    made[f"{TREE}/latest.json"] = _bytes(values.latest(last))
    if prints is not None:
        printed, flaws = prints(lines, last)
        made |= {f"{TREE}/{path}": data for path, data in printed.items()}
        findings = in_order((*findings, *flaws))
    title = NoteReader(last, last.source).localized(name) or pack
    made |= {f"{TREE}/schemas/{schema}": data for schema, data in releases.schemas().items()}
    for version, (told, svg) in badges(title, known, current).items():
        made[f"{TREE}/badges/{version}.json"], made[f"{TREE}/badges/{version}.svg"] = _bytes(told), svg.encode()
    made["index.html"] = release_page(title, _shown(known, lines, made), last.source).encode()

    return dict(sorted(made.items())), findings


def _bytes(value: object) -> bytes:
    return canonical(value).encode("utf-8")


def _version(line: Line, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """A release as it was frozen, and what is told of it."""
    state, root = line[-1], f"{TREE}/{line[-1].label}"
    before = _before(line)
    changes = difference(before, state)
    made = {
        **{f"{root}/{name}": data for name, data in parts.items()},
        f"{root}/legality.json": _bytes(values.legality(line)),
        f"{root}/changes.json": _bytes(as_data(changes, state)),
    }
    for name, day, said in format_legality(state):
        made[f"{root}/legality/{name}/{day}.json"] = _bytes(said)
    for lang in state.languages:
        made[f"{root}/{lang}/cards.json"] = _bytes(values.cards_in(state, lang))
    if len(line) > 1:
        for one in release_notes(before, state, ()):
            made[f"{root}/{one.lang}/CHANGES.md"] = notes_markdown(one).encode("utf-8")
        made[f"{root}/CHANGES.md"] = made[f"{root}/{state.source}/CHANGES.md"]
    return made


def printer(project: Project, workers: WorkerPool) -> Prints:
    """A function that sets printable notes of every step, and the whole set of the newest release."""

    def take(lines: Sequence[Line], last: Snapshot) -> Files:
        findings: list[Finding] = []
        made: dict[str, bytes] = {}
        for before, state in (line[-2:] for line in lines if len(line) > 1):
            notes = release_notes(before, state, ())
            files, flaws = print_notes(places(project, last.pack), before, state, notes, workers, ("pdf", "html"))
            findings += flaws
            made |= {f"{state.label}/{name}": data for name, data in files.items()}
        with TemporaryDirectory(prefix="squadpress-") as folder:
            publishing = Publishing(output=Path(folder))
            options = BuildOptions(Selection(as_of=last.label), publishing, workers)
            built = build_pack(project, last.pack, options)
            made |= {f"{last.label}/{file.path.name}": file.path.read_bytes() for file in built.files}
        return made, in_order((*findings, *built.findings))

    return take


def _shown(known: Sequence[values.Release], lines: Sequence[Line], made: Mapping[str, bytes]) -> list[PageRelease]:
    """The releases for the page, newest first; what people print comes before what machines read."""
    found = []
    for release, line in reversed(list(zip(known, lines, strict=True))):
        state = line[-1]
        paths = sorted(path for path in made if path.startswith(f"{TREE}/{state.label}/"))
        paths.sort(key=lambda path: RANKS.get(PurePosixPath(path).suffix, 2))
        cards, later = ngettext("{count} card", "{count} cards", len(state.cards)), len(line) > 1
        changes = tally(difference(line[-2], state).cards) if later else ""
        summary = _("{cards}. {changes}.", cards=cards, changes=changes) if later else _("{cards}.", cards=cards)
        files = [Download(path, len(made[path]), digest(made[path])) for path in paths]
        gone = withdrawn(release).message if release.withdrawal is not None else ""
        found.append(PageRelease(state.label, str(state.released), str(state.effective), summary, files, gone))
    return found


def _before(line: Line) -> Snapshot:
    """The release before the last of these; one without cards before the first."""
    return line[-2] if len(line) > 1 else Snapshot(line[0].pack, "nothing", manifest=line[0].manifest)
