"""Publish a pack's releases as static files.

JSON for machines, notes and prints for people, digests of every byte.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeAlias

from builder.diskmap import MAX_VALUES_IN_MEMORY, DiskMap
from builder.errata import release as values
from builder.errata.difference import compare_states
from builder.errata.reader import NoteReader
from builder.errata.rulings import make_rulings_data
from builder.errata.snapshot import Snapshot, hash_data
from builder.errors import UsageError
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import Message, gettext as _, ngettext, translate
from builder.model.words import name_language
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import refuse_imported
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.rulings import load_rulings
from builder.render.html.pages import page
from builder.report.faq import format_faq
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import (
    BuildOptions,
    PublishOptions,
    Selection,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.changed import build_changed
from builder.usecases.pack_states import read_working_state, report_withdrawn
from builder.usecases.release.notes import compose_release_notes, print_notes
from builder.usecases.release.published_feeds import FeedWriter
from builder.usecases.release.published_versions import (
    TREE,
    Files,
    PublishedVersions,
    ReleaseSummary,
    Step,
    add_files,
    encode_json,
)
from builder.usecases.release.release_templates import (
    explain_errors,
    find_release_project,
)
from builder.usecases.release.rulings import open_rulings

RANKS = {".html": 0, ".pdf": 0, ".md": 1}
MAX_RELEASES_IN_MEMORY = 3
"""Maximum number of releases whose files are in memory. With more, they are on the disk."""

Prints: TypeAlias = Callable[[Iterable[Step], Snapshot], Files]


def publish_releases(
    releases: Releases,
    pack: str,
    prints: Prints | None = None,
    day: date | None = None,
    base_url: str = "",
) -> Files:
    """Return all files of a publication by path. There are none if a release is damaged.

    `day` decides which release is current; default: today. Before the first effective date
    there is no `latest.json`. `prints` makes printable files from all steps, oldest first, and
    the current release. `base_url` is the future address, for the links in feeds. At most two
    releases are in memory. Raise UsageError if nothing was released yet, and for a private pack.
    """
    refuse_imported(releases.project, pack)
    day = day or date.today()
    all_releases = releases.list_releases()
    damaged = releases.find_damage()
    if not all_releases and not damaged:
        hint = _(
            "Create the first with `squadpress release new VERSION --effective DATE`."
        )
        raise UsageError(_("{pack} has no release yet", pack=pack), hint)
    load = releases.load_state
    # The files of many releases would not fit into memory.
    has_many_releases = len(all_releases) > MAX_RELEASES_IN_MEMORY
    files = DiskMap[str, bytes](
        0 if has_many_releases else MAX_VALUES_IN_MEMORY, max_recent=1
    )
    versions = PublishedVersions(releases, files)
    versions.write_releases()
    findings = sort_findings((*damaged, *versions.findings))
    if has_errors(findings):
        return {}, findings
    current = values.find_release_in_force(all_releases, day)
    last = load(
        (current or values.find_newest(all_releases) or all_releases[-1]).version
    )[0]
    name = last.manifest.get("name")
    sizes = {version: size for version, (size, _changes) in versions.summaries.items()}
    index = values.make_index(pack, name, all_releases, sizes)
    files[f"{TREE}/index.json"] = encode_json(index)
    if current is not None:
        files[f"{TREE}/latest.json"] = encode_json(values.make_latest_pointer(last))
    add_files(files, _list_ruling_files(releases, last, day))
    if prints is not None:
        printed_files, print_findings = prints(versions.load_steps(), last)
        add_files(
            files, ((f"{TREE}/{path}", data) for path, data in printed_files.items())
        )
        findings = sort_findings((*findings, *print_findings))
    title = NoteReader(last, last.source).pick_language(name) or pack
    add_files(
        files,
        (
            (f"{TREE}/schemas/{schema}", data)
            for schema, data in releases.load_schemas().items()
        ),
    )
    add_files(files, _make_badges(title, all_releases, day, last.source))
    listed_releases = [*_list_releases(all_releases, versions.summaries, files, day)]
    for lang in last.languages or (last.source,):
        files[f"index.{lang}.html"] = _make_landing_page(last, lang, listed_releases)
        writer = FeedWriter(last, all_releases, day, base_url.rstrip("/"))
        add_files(files, writer.list_files(versions.notes.get(lang, ()), lang))
    files["index.html"] = files[f"index.{last.source}.html"]
    return files, findings


def _list_ruling_files(
    releases: Releases, last: Snapshot, day: date
) -> Iterator[tuple[str, bytes]]:
    """Yield the files with rulings up to a day: data, and a page per language."""
    reader = open_rulings(PackFiles(releases.project), last.pack, state=last)[0]
    reader = reader.limit_to_past(day, ())
    if not reader.rulings.rulings:
        return
    data = [*make_rulings_data(reader.rulings, reader)]
    yield f"{TREE}/rulings.json", encode_json({"pack": last.pack, "rulings": data})
    for lang in last.languages:
        translated = replace(reader, reader=NoteReader(last, lang))
        yield f"{TREE}/faq/{lang}.md", format_faq(translated).encode()


def _make_landing_page(
    last: Snapshot, lang: str, listed_releases: list[Mapping[str, object]]
) -> bytes:
    """Return the HTML page with all releases in a language."""
    name = NoteReader(last, lang).pick_language(last.manifest.get("name")) or last.pack
    releases: list[Mapping[str, object]] = []
    for release in listed_releases:
        files = release["files"]
        assert isinstance(files, list)
        documents: list[tuple[str, str]] = []
        for path, _size, _sha256 in files:
            words = name_document(path, lang)
            if words is not None:
                documents.append((path, translate(words, lang)))
        releases.append({**release, "documents": documents})
    return page(
        "releases.html",
        lang,
        title=translate(_("{name}: releases", name=name), lang),
        name=name,
        releases=releases,
        lang=lang,
        languages=[
            # Readers look for the name of their language in this language.
            (other_lang, translate(name_language(other_lang), other_lang))
            for other_lang in last.languages
            if other_lang != lang
        ],
    ).encode()


def name_document(path: str, lang: str) -> Message | str | None:
    """Return the title of a file of a publication. None for data and other languages."""
    name = PurePosixPath(path).name
    if path.endswith(f"/{lang}/CHANGES.md"):
        return _("Release notes (text)")
    # The language is the end of most names, but profiles follow it in those of prints.
    stem, _dot, extension = name.rpartition(".")
    if not stem.endswith(f"-{lang}") and f"-{lang}-" not in stem:
        return None
    if "-notes-" in stem:
        return (
            _("Release notes (web page)")
            if extension == "html"
            else _("Release notes (PDF)")
        )
    if "-since-" in stem:
        return _("Changed cards with swap list (PDF)")
    return _("All cards (PDF)") if extension == "pdf" else None


def make_printer(project: Project, workers: WorkerPool) -> Prints:
    """Make a function that prints release notes and the cards of the newest release."""

    def print_steps(steps: Iterable[Step], last: Snapshot) -> Files:
        findings: list[Finding] = []
        files: dict[str, bytes] = {}
        rulings = load_rulings(project, last.pack)[0]
        for before, state, changes in steps:
            notes = compose_release_notes(
                before, state, (), rulings=rulings, difference=changes
            )
            drawn_project = find_release_project(project, last.pack, state.label)
            note_files, note_findings = print_notes(
                get_render_folders(drawn_project, last.pack),
                before,
                state,
                notes,
                workers,
                ("pdf", "html"),
            )
            findings += explain_errors(project, last.pack, state.label, note_findings)
            files |= {
                f"{state.label}/{name}": data for name, data in note_files.items()
            }
        with TemporaryDirectory(prefix="squadpress-") as folder:
            publishing = PublishOptions(output=Path(folder), strict=True)
            options = BuildOptions(Selection(as_of=last.label), publishing, workers)
            drawn_project = find_release_project(project, last.pack, last.label)
            result = build_pack(drawn_project, last.pack, options)
            files |= {
                f"{last.label}/{file.path.name}": file.path.read_bytes()
                for file in result.files
            }
            findings += explain_errors(project, last.pack, last.label, result.findings)
        with TemporaryDirectory(prefix="squadpress-") as folder:
            changed_files = _print_changed_cards(project, last, Path(folder), workers)
            files |= {
                f"{last.label}/{name}": data for name, data in changed_files.items()
            }
        return files, sort_findings(findings)

    return print_steps


def _print_changed_cards(
    project: Project, last: Snapshot, folder: Path, workers: WorkerPool
) -> dict[str, bytes]:
    """Print the changed cards and the list of cards to swap. Return the files by name.

    They are printed from the edited files, so there are none if these differ from the release.
    """
    packs = PackFiles(project)
    releases = {
        item.version: item for item in packs.open_releases(last.pack).list_releases()
    }
    previous = releases[last.label].previous if last.label in releases else None
    work = read_working_state(packs, last.pack)[0]
    # Cards are printed from the edited files, which must be those of the release.
    if previous is None or not compare_states(last, work).empty:
        return {}
    options = BuildOptions(Selection(), PublishOptions(output=folder), workers)
    result = build_changed(project, last.pack, previous, options)
    return {
        file.path.name: file.path.read_bytes()
        for file in result.files
        if not file.draft
    }


def _list_releases(
    all_releases: Sequence[values.Release],
    summaries: Mapping[str, ReleaseSummary],
    files: Mapping[str, bytes],
    day: date,
) -> Iterator[Mapping[str, object]]:
    """Yield the rows of the landing page, the newest release first."""
    for release in reversed(all_releases):
        size, changes = summaries[release.version]
        paths = sorted(
            path for path in files if path.startswith(f"{TREE}/{release.version}/")
        )
        # Sorting is stable, so files of the same rank stay in the order of their names.
        paths.sort(key=lambda path: RANKS.get(PurePosixPath(path).suffix, 2))
        cards = ngettext("{count} card", "{count} cards", size["cards"])
        yield {
            "release": release,
            "state": values.describe_state(release, all_releases, day),
            "summary": _("{cards}. {changes}.", cards=cards, changes=changes)
            if changes
            else _("{cards}.", cards=cards),
            "files": [
                (path, len(files[path]), hash_data(files[path])) for path in paths
            ],
            "withdrawn": report_withdrawn(release, day=day).message
            if release.withdrawal is not None
            else "",
        }


BADGE_COLOURS = {
    values.ReleaseState.IN_FORCE: "#2a7d4f",
    values.ReleaseState.PLANNED: "#4a5568",
    values.ReleaseState.WITHDRAWN: "#a11d1d",
    values.ReleaseState.SUPERSEDED: "#b4560b",
    values.ReleaseState.CORRECTION: "#2a7d4f",
}


def _make_badges(
    name: str, releases: Sequence[values.Release], day: date, lang: str
) -> Iterator[tuple[str, bytes]]:
    """Yield an SVG badge for each release that says whether it is in force on a day.

    Each badge is a file for shields.io and a picture. The addresses stay the same; the texts
    change with the day and with each release.
    """
    current = values.find_release_in_force(releases, day)
    for release in releases:
        newer = (
            f" \u2192 {current.version}"
            if current is not None and current != release
            else ""
        )
        state = values.find_state(release, releases, day)
        words = translate(values.describe_state(release, releases, day), lang)
        text = release.version + newer
        if state is values.ReleaseState.WITHDRAWN:
            text = (
                translate(_("{version} withdrawn", version=release.version), lang)
                + newer
            )
        elif state is values.ReleaseState.PLANNED:
            text = f"{release.version} {words}"
        elif state is values.ReleaseState.CORRECTION:
            text = f"{release.version} ({words})"
        path = f"{TREE}/badges/{release.version}"
        fill = BADGE_COLOURS[state]
        yield (
            f"{path}.json",
            encode_json(
                {"schemaVersion": 1, "label": name, "message": text, "color": fill}
            ),
        )
        yield (
            f"{path}.svg",
            page("badge.svg", "en", name=name, told=text, colour=fill).encode(),
        )
