"""Find versions that another branch of git released with other files."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from builder.errata import release_codes
from builder.errata.difference import list_lost_changes
from builder.errata.release import (
    Release,
    VersionStep,
    find_common_release,
    find_predecessor,
    find_step,
    list_lineage,
    list_side_releases,
    parse_version,
)
from builder.errors import ToolMissing
from builder.files import read_limited
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import MANIFEST
from builder.usecases.git import run_git

MERGED_REVISION = "MERGE_HEAD"
"""The name that git gives to the branch that is being merged."""
MAIN_BRANCHES = ("main", "master")
MAX_BRANCHES = 200
"""Branches without commits for a longer time are not compared."""
SHA1_DIGITS = 40

BlobIds = Mapping[str, str]
"""The id of each file of a release except its manifest, by name."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A git branch whose releases are compared with those of the current branch."""

    name: str
    is_main: bool


def find_same_versions(releases: Releases) -> Iterator[Finding]:
    """Report versions that another branch released with different files.

    It is an error against the main branch and during a merge, otherwise a warning.
    """
    versions = _list_versions(releases.folder)
    root = releases.project.root
    if not versions or not any(
        (folder / ".git").exists() for folder in (root, *root.parents)
    ):
        return
    try:
        branches = [*_list_branches(root), Branch(MERGED_REVISION, is_main=True)]
    except ToolMissing:  # everything else can be checked without git
        return
    own_files: dict[str, BlobIds] = {}
    names_by_version: dict[str, list[Branch]] = {}
    next_version = ""
    for branch, version in _find_different_manifests(releases, branches, versions):
        other_files = _list_release_files(releases, branch.name)
        # Files are hashed only after a difference was found, which is rare.
        own_files = own_files or _hash_release_files(releases, versions)
        # `release renumber` writes the same files under another version.
        if other_files[version] not in own_files.values():
            names_by_version.setdefault(version, []).append(branch)
            next_version = _find_free_version(
                releases, version, {*other_files, *versions}
            )
    for version, same_branches in names_by_version.items():
        yield _report_same_version(releases, version, same_branches, next_version)


def find_lost_changes(releases: Releases) -> Iterator[Finding]:
    """Report changes of other releases that the newest release lacks.

    It happens if two branches made a release, and both are merged.
    """
    for other, newest in list_side_releases(releases.list_releases()):
        yield from _report_lost_changes(releases, other, newest)


def find_lost_changes_between(
    releases: Releases, old: str, new: str
) -> Iterator[Finding]:
    """Report changes of one release that another release lacks."""
    all_releases = releases.list_releases()
    releases_by_version = {release.version: release for release in all_releases}
    first, second = (releases_by_version.get(version) for version in (old, new))
    if first is None or second is None or first.number > second.number:
        return
    if first not in list_lineage(all_releases, second):
        yield from _report_lost_changes(releases, first, second)


def _report_lost_changes(
    releases: Releases, other: Release, newest: Release
) -> Iterator[Finding]:
    common = find_common_release(releases.list_releases(), other, newest)
    if common is None:
        return
    base, other_state, state = (
        releases.load_state(release.version)[0] for release in (common, other, newest)
    )
    place = Location(file=f"{_get_folder(releases)}/{newest.version}/{MANIFEST}")
    for card, fields in list_lost_changes(base, other_state, state).items():
        changes = [f"{field.path} {field.old} -> {field.new}" for field in fields]
        form = _("{newest} takes back what {other} changed: {card} ({changes})")
        if not fields:
            form = _("{newest} lacks the new card of {other}: {card}")
        message = _(
            form,
            newest=newest.version,
            other=other.version,
            card=card,
            changes=", ".join(changes),
        )
        yield release_codes.TAKES_BACK.finding(message, place)


def _list_versions(folder: Path) -> list[str]:
    """Return all versions that have a manifest, even one that cannot be read."""
    folders = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    return [folder.name for folder in folders if parse_version(folder.name) is not None]


def _list_branches(root: Path) -> Iterator[Branch]:
    """Yield all git branches except the current one."""
    # %(HEAD) is a star for the current branch, and %(symref) the target of a symbolic name.
    form = "--format=%(HEAD) %(refname) %(symref)"
    order = ("--sort=-committerdate", f"--count={MAX_BRANCHES}")
    answer = run_git(root, "for-each-ref", form, *order, "refs/heads", "refs/remotes")
    branches: list[str] = []
    main_names = set(MAIN_BRANCHES)
    for line in answer.stdout.decode(errors="replace").splitlines():
        mark, ref, target = (line[:1], *line[2:].split(" ", 1))
        if target:  # refs/remotes/origin/HEAD names the main branch
            main_names.add(target.rpartition("/")[2])
        elif mark != "*":
            branches.append(ref)
    for ref in branches:
        # `refs/heads/main` and `refs/remotes/origin/main` become `main` and `origin/main`.
        name = ref.split("/", 2)[2]
        yield Branch(name, name.removeprefix("origin/") in main_names)


def _find_different_manifests(
    releases: Releases, branches: Sequence[Branch], versions: Sequence[str]
) -> Iterator[tuple[Branch, str]]:
    """Yield (branch, version) for each manifest that differs from the one here."""
    root = releases.project.root
    # One process answers all questions; a process for each would take seconds.
    pairs = [*product(branches, versions)]
    queries: list[str] = []
    for branch, version in pairs:
        queries.append(f"{branch.name}:./{_get_folder(releases)}/{version}/{MANIFEST}")
    answer = run_git(
        root, "cat-file", "--batch-check", input_text="\n".join(queries) + "\n"
    )
    lines = answer.stdout.decode(errors="replace").splitlines()
    manifests = {version: releases.folder / version / MANIFEST for version in versions}
    for (branch, version), line in zip(pairs, lines, strict=False):
        # A line is `ID blob SIZE`, or `QUERY missing` for a version that the branch lacks.
        blob_id, _space, kind = line.partition(" ")
        if kind.startswith("blob") and blob_id not in _hash_blob(
            manifests[version], len(blob_id)
        ):
            yield branch, version


def _get_folder(releases: Releases) -> str:
    return releases.folder.relative_to(releases.project.root).as_posix()


def _hash_blob(path: Path, digit_count: int = SHA1_DIGITS) -> tuple[str, ...]:
    """Return the git ids of a file: as it is, and with LF line ends."""
    data = read_limited(path)
    algorithm = "sha1" if digit_count == SHA1_DIGITS else "sha256"
    ids: list[str] = []
    # Git on Windows may have converted line ends, while the blob has LF.
    for content in (data, data.replace(b"\r\n", b"\n")):
        blob = b"blob %d\0" % len(content) + content
        ids.append(hashlib.new(algorithm, blob, usedforsecurity=False).hexdigest())
    return tuple(ids)


def _list_release_files(releases: Releases, branch: str) -> dict[str, BlobIds]:
    """Return the files of each release of a branch, by version."""
    folder = f"{_get_folder(releases)}/"
    answer = run_git(releases.project.root, "ls-tree", "-r", branch, "--", folder)
    files: dict[str, dict[str, str]] = {}
    for line in answer.stdout.decode(errors="replace").splitlines():
        # A line is `MODE blob ID`, a tab, and the path.
        facts, _tab, path = line.partition("\t")
        version, _slash, name = path.partition(folder)[2].partition("/")
        if parse_version(version) is not None:
            files.setdefault(version, {})
            if name != MANIFEST:
                files[version][name] = facts.split()[2]
    return dict(files)


def _hash_release_files(
    releases: Releases, versions: Sequence[str]
) -> dict[str, BlobIds]:
    """Return the git ids of each release's files in the working folder, by version."""
    files: dict[str, BlobIds] = {}
    for version in versions:
        folder = releases.folder / version
        parts = [
            path
            for path in folder.rglob("*")
            if path.is_file() and path.name != MANIFEST
        ]
        files[version] = {
            path.relative_to(folder).as_posix(): _hash_blob(path)[0] for path in parts
        }
    return files


def _find_free_version(releases: Releases, version: str, versions: set[str]) -> str:
    """Return the next version that no branch has released."""
    number = parse_version(version)
    assert number is not None
    previous = find_predecessor(releases.list_releases(), version)
    step = (
        find_step(previous.number, number)
        if previous is not None
        else VersionStep.MINOR
    )
    while str(number) in versions:
        number = number.add_step(step)
    return str(number)


def _report_same_version(
    releases: Releases, version: str, branches: Sequence[Branch], next_version: str
) -> Finding:
    is_merge = any(branch.name == MERGED_REVISION for branch in branches)
    names = [_("the merged branch") if is_merge else branch.name for branch in branches]
    form = _("{version} was also released in {revision}, with other files")
    message = _(form, version=version, revision=", ".join(dict.fromkeys(names)))
    command = (
        f"squadpress release renumber {version} {next_version} --pack {releases.pack}"
    )
    form = _(
        "Give the release that is not published yet the next version: `{command}`."
    )
    if is_merge:
        form = _(
            "Stop the merge with `git merge --abort`, give your release the next version with "
            "`{command}`, and merge again."
        )
    place = Location(file=f"{_get_folder(releases)}/{version}/{MANIFEST}")
    is_error = any(branch.is_main for branch in branches)
    severity = Severity.ERROR if is_error else Severity.WARNING
    return release_codes.COLLISION.finding(
        message, place, _(form, command=command), severity
    )
