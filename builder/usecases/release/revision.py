"""Compare the edited pack with a revision of git, such as the main branch."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.checks.release import numbering, revisions
from builder.errata import release_codes
from builder.errata.change import Difference
from builder.errata.release import (
    Proposal,
    Release,
    find_newest,
    find_predecessor,
    parse_version,
)
from builder.errata.snapshot import Snapshot
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import MANIFEST
from builder.usecases.git import extract_revision, find_merge_base
from builder.usecases.pack_states import read_working_pack
from builder.usecases.release.past import compare_with_past

HISTORY_CODES = frozenset(
    code.code
    for code in (
        revisions.NO_REVISION,
        revisions.HISTORY_MISMATCH,
        revisions.HIDDEN,
        revisions.REUSED,
        revisions.VANISHED,
        revisions.IDLE,
    )
)
"""The findings that say that the history disagrees with the changes."""


@dataclass(frozen=True, slots=True)
class RevisionComparison:
    """The changes of a pack since a git revision, with errors in history and releases."""

    old: Snapshot
    new: Snapshot
    difference: Difference
    findings: tuple[Finding, ...]


def compare_with_revision(
    project: Project, pack: str, revision: str
) -> RevisionComparison:
    """Compare the edited pack with the commit where its branch left a git revision.

    Releases are compared with those of the revision itself. Raise UsageError if it is unknown.
    """
    packs = PackFiles(project)
    releases = packs.open_releases(pack)
    with _extract_project(project, revision) as newest_project:
        other_releases = PackFiles(newest_project).open_releases(pack)
        collisions = tuple(_find_collisions(releases, other_releases, revision))
    # Later changes of the other branch would look like changes of this one.
    base = find_merge_base(project.root, revision)
    with _extract_project(project, base) as old_project:
        new, findings, loaded = read_working_pack(packs, pack)
        old = Snapshot(pack, revision, manifest=new.manifest)
        # A pack that is new on the branch is compared with an empty one.
        if pack in old_project.list_packs():
            old = replace(
                read_working_pack(PackFiles(old_project), pack)[0], label=revision
            )
        old_releases = PackFiles(old_project).open_releases(pack)
        last_states = [
            _load_last_release(item) or old for item in (old_releases, releases)
        ]
    documents = {file.id or file.stem: file.document for file in loaded.files}
    today = date.today()
    # The checks of a release also judge edited files, as if they were released today.
    proposal = Proposal("work", today, today, new, old, documents=documents)
    # The branch may announce a change that the revision already has, or have released the new
    # revision. Then nobody may remove it.
    findings_by_state = [
        tuple(revisions.check(replace(proposal, previous=state)))
        for state in last_states
    ]
    history_findings = []
    for finding in revisions.check(proposal):
        if finding.code not in HISTORY_CODES:
            continue
        is_new = all(finding in findings for findings in findings_by_state)
        if is_new or finding.code != revisions.IDLE.code:
            history_findings.append(finding)
    return RevisionComparison(
        old,
        new,
        compare_with_past(packs, old, new),
        (*findings, *history_findings, *collisions),
    )


@contextmanager
def _extract_project(project: Project, revision: str) -> Iterator[Project]:
    """Provide a project as it was at a git revision. Raise UsageError if it is unknown."""
    with TemporaryDirectory(prefix="squadpress-against-") as folder:
        extract_revision(project.root, revision, Path(folder))
        yield Project(Path(folder))


def _load_last_release(releases: Releases) -> Snapshot | None:
    """Load the newest release of a branch. None if it has none."""
    last = find_newest(releases.list_releases())
    return releases.load_state(last.version)[0] if last is not None else None


def _find_collisions(
    releases: Releases, other_releases: Releases, revision: str
) -> Iterator[Finding]:
    """Report releases of the same version with different files."""
    for release in releases.list_releases():
        version = release.version
        if not other_releases.has_version(version):
            continue
        # The manifest names the digests of all other files.
        if (
            releases.read_parts(version)[MANIFEST]
            != other_releases.read_parts(version)[MANIFEST]
        ):
            form = _("{version} was also released in {revision}, with other files")
            message = _(form, version=version, revision=revision)
            place = Location(
                file=releases.project.shorten_path(releases.find_path(version))
            )
            yield release_codes.COLLISION.finding(message, place)


def renumber_release(releases: Releases, version: str, new_version: str) -> Path:
    """Change the version of the last release. Return its new folder.

    It is written again with the predecessors that are here now. Raise UsageError for a release that
    others continue, and for a version that exists, is not the next one or is too small a step.
    """
    if new_version == version:
        raise UsageError(_("{version} is the version it has already", version=version))
    all_releases = releases.list_releases()
    release = next((item for item in all_releases if item.version == version), None)
    if release is None:
        raise UsageError(_("there is no release {version}", version=version))
    heirs = [item.version for item in all_releases if item.previous == version]
    if heirs:
        message = _(
            "{version} is continued by {heirs}", version=version, heirs=", ".join(heirs)
        )
        raise UsageError(
            message, _("Only the last release of a branch can be renumbered.")
        )
    state = releases.load_state(version)[0]
    # The release must not become its own predecessor.
    remaining = [item for item in all_releases if item.version != version]
    last = _find_previous(remaining, new_version)
    dates = Release(new_version, release.released, release.effective)
    previous = last.version if last is not None else None
    if last is not None:
        _refuse_small_step(state, dates, releases.load_state(last.version)[0])
    # The old folder is removed only after the new one is complete.
    with releases.remove_after_block(version):
        return releases.write_release(
            replace(state, label=new_version), new_version, dates, previous
        )


def _refuse_small_step(state: Snapshot, dates: Release, previous: Snapshot) -> None:
    """Raise UsageError if the changes need a larger step from the previous version."""
    proposal = Proposal(dates.version, dates.released, dates.effective, state, previous)
    for finding in numbering.check(proposal):
        if finding.code == numbering.TOO_SMALL.code:
            raise UsageError(finding.message)


def _find_previous(releases: Sequence[Release], version: str) -> Release | None:
    if parse_version(version) is None:
        message = _("{version!r} is not a version", version=version)
        raise UsageError(message, _("Write MAJOR.MINOR.PATCH, such as 1.2.0."))
    return find_predecessor(releases, version)
