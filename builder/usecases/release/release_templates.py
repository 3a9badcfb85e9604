"""Draw a release with the templates and pictures that it was made with."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errata import release_codes
from builder.errata.release import list_lineage
from builder.errata.snapshot import WORK, Snapshot
from builder.errors import SquadpressError
from builder.findings import Finding, Location, Severity, has_errors
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import MANIFEST
from builder.usecases.git import extract_revision, run_git


def find_release_project(project: Project, pack: str, version: str | None) -> Project:
    """Return a project folder with the templates and pictures that a release was made with.

    It is the project itself if its files are still those of the release. Otherwise the files come
    from the commit of git that added the release. If git does not have them, today's files draw
    the release. The same holds for the edited files (None or `work`).
    """
    if version is None or version == WORK:
        return project
    releases = PackFiles(project).open_releases(pack)
    if not releases.has_version(version):
        return project
    state = releases.load_state(version)[0]
    if _has_files_of(releases, state):
        return project
    for commit in _list_commits(releases, state):
        old_project = _extract_commit(project, commit)
        if old_project is not None and _has_files_of(
            PackFiles(old_project).open_releases(pack), state
        ):
            return old_project
    return project


def explain_errors(
    project: Project, pack: str, version: str | None, findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Add a warning if today's templates draw a release that was made with others.

    Nobody can correct the errors in its cards, so they are warnings, too.
    """
    error_count = sum(item.severity is Severity.ERROR for item in findings)
    releases = PackFiles(project).open_releases(pack)
    if version is None or not releases.has_version(version):
        return tuple(findings)
    state = releases.load_state(version)[0]
    is_own = find_release_project(project, pack, version) is not project
    if is_own or _has_files_of(releases, state):
        return tuple(findings)
    form = _("{version} is drawn with other templates than it was made with")
    message = _(form, version=version)
    if error_count:
        message = ngettext(
            "{version} is drawn with other templates than it was made with: {count} error",
            "{version} is drawn with other templates than it was made with: {count} errors",
            error_count,
            version=version,
        )
    place = Location(file=f"cards/{pack}/releases/{version}/files.json")
    warnings = [
        replace(item, severity=Severity.WARNING) if has_errors((item,)) else item
        for item in findings
    ]
    return release_codes.OTHER_TEMPLATES.finding(message, place), *warnings


def _has_files_of(releases: Releases, state: Snapshot) -> bool:
    """Return True if a project has the templates and pictures that a release was made with."""
    return _select_drawn_files(state.pack, releases.hash_files()) == (
        _select_drawn_files(state.pack, state.files)
    )


def _select_drawn_files(pack: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the templates and pictures among a state's files."""
    folders = (f"templates/{pack}/", f"cards/{pack}/art/")
    return {path: digest for path, digest in files.items() if path.startswith(folders)}


def _list_commits(releases: Releases, state: Snapshot) -> Iterator[str]:
    """Yield git commits that may contain a release's templates, the most likely first.

    A release of single cards keeps the templates of the release before it.
    """
    all_releases = releases.list_releases()
    files = _select_drawn_files(state.pack, state.files)
    releases_by_version = {item.version: item for item in all_releases}
    release = releases_by_version[state.label]
    for item in reversed(list_lineage(all_releases, release)):
        earlier_files = releases.load_state(item.version)[0].files
        if _select_drawn_files(state.pack, earlier_files) != files:
            return
        commit = _find_commit(releases, item.version)
        if commit:
            yield commit


def _find_commit(releases: Releases, version: str) -> str:
    """Return the git commit that added a release. Empty if it is not known."""
    file = releases.folder / version / MANIFEST
    root = releases.project.root
    try:
        # The files of a release never change, so the last commit that added them is the one.
        answer = run_git(
            root, "log", "--diff-filter=A", "-1", "--format=%H", "--", str(file)
        )
    except SquadpressError:
        return ""
    return answer.stdout.decode(errors="replace").strip()


def _extract_commit(project: Project, commit: str) -> Project | None:
    """Return a commit as a project in the cache, so that its pictures are only rendered once."""
    target = project.cache_dir / "commits" / commit
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent) as folder:
            extracted = Path(folder) / "project"
            extracted.mkdir()
            try:
                extract_revision(project.root, commit, extracted)
            except SquadpressError:
                return None
            # Renamed when complete: another process may look for it.
            if not target.is_dir():
                shutil.move(extracted, target)
    return Project(target)
