"""Add newer releases from a publication to a player's project."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errata.release import (
    Release,
    ReleaseState,
    find_newest,
    find_release_in_force,
    find_state,
    parse_version,
)
from builder.errata.snapshot import Snapshot, Withdrawal, format_canonical
from builder.errors import InputUnreadable, PackUnreadable, UsageError
from builder.files import write_atomic
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import MANIFEST, open_package
from builder.packs.releases.publication import Publication
from builder.usecases.pack_states import (
    find_verdict_flaws,
    read_working_pack,
    report_withdrawn,
)


@dataclass(frozen=True, slots=True)
class AvailableUpdate:
    """The new releases of a publication, and the states before and after the update."""

    pack: str
    new_files: Mapping[str, Mapping[str, bytes]]
    old: Snapshot
    new: Snapshot
    marks: tuple[Withdrawal, ...] = ()
    """The withdrawals that are not in this project yet."""
    planned: tuple[Release, ...] = ()
    """Those whose day of effect has not come, and to which squads are not moved."""
    findings: tuple[Finding, ...] = ()
    previous: str | None = None
    """The release that the new one continues."""
    withdrawn: tuple[Release, ...] = ()
    """All releases that are withdrawn on the day of the update."""


def warn_of_withdrawn_versions(
    update: AvailableUpdate, versions: Iterable[str]
) -> Iterator[Finding]:
    """Yield a warning for each withdrawn release that a squad is pinned to.

    The release to use instead is the new one. The new one has a warning of its own.
    """
    pinned_versions = {*versions} - {update.new.label}
    for release in update.withdrawn:
        if release.version in pinned_versions:
            hint = _("Use {version} instead.", version=update.new.label)
            yield replace(report_withdrawn(release), hint=hint)


def find_oldest_state(
    update: AvailableUpdate, releases: Releases, versions: Iterable[str]
) -> Snapshot:
    """Return the oldest state among the versions of squads.

    Squads without a version, and those with a release that is not here, move from the old state.
    """
    target = parse_version(update.new.label)
    oldest = update.old
    labels = [
        version if releases.has_version(version) else oldest.label
        for version in versions
    ]
    numbers = [parse_version(label) for label in labels]
    first = min((number for number in numbers if number is not None), default=None)
    if first is None or str(first) == oldest.label:
        return oldest
    if target is not None and first >= target:
        return update.new  # no squad moves
    return releases.load_state(str(first))[0]


def find_update(
    project: Project, place: Path, to: str | None = None, day: date | None = None
) -> AvailableUpdate:
    """Find out what a publication, a folder or archive, would change in this project.

    Nothing is written.

    The new state is the release in force on a day, today if none is given, or the version `to`; the
    old one is the release in force here.

    Raises PackUnreadable if a release here is damaged. Raises InputUnreadable if the publication is
    damaged, or has other files of a release that is here.
    """
    today = day or date.today()
    publication = Publication(place)
    pack = publication.index.pack
    if pack not in project.list_packs():
        hint = _("Run it in the project that contains the cards.")
        raise InputUnreadable(_("the pack {pack} does not exist here", pack=pack), hint)
    own_releases = PackFiles(project).open_releases(pack)
    # Undamaged, because they are compared with the publication.
    damage = find_verdict_flaws(own_releases.find_damage(thorough=True))
    if damage:
        raise PackUnreadable(pack, damage)
    new_files = _find_new_files(publication, own_releases)
    withdrawals = {
        release.version: release.withdrawn
        for release in publication.index.releases
        if release.withdrawn is not None
    }
    # The publication is checked as a whole before any of its files is placed here.
    with TemporaryDirectory(prefix="squadpress-") as folder:
        staged = Releases(Project(Path(folder)), pack)
        for published in publication.index.releases:
            files = new_files.get(published.version) or own_releases.read_parts(
                published.version
            )
            _find_target(staged, published.version, files)
        published_releases = tuple(
            replace(release, withdrawal=withdrawals.get(release.version))
            for release in staged.list_releases()
        )
        staged_findings = staged.find_damage(thorough=True)
        if has_errors(staged_findings):
            message = _(
                "{file}: {reason}", file=place, reason=staged_findings[0].message
            )
            raise InputUnreadable(message, _("Download it again."))
        target = _choose_target(published_releases, place, to, today)
        new, state_findings = staged.load_state(target.version)
    # Before the first day of effect, players use the newest release that they have.
    before = find_release_in_force(own_releases.list_releases(), today) or find_newest(
        own_releases.list_releases()
    )
    if before:
        old, old_findings = own_releases.load_state(before.version)
    else:
        old, old_findings = read_working_pack(PackFiles(project), pack)[:2]
    own_withdrawals = {mark.version for mark in own_releases.load_withdrawals()[0]}
    missing_withdrawals = tuple(
        mark for version, mark in withdrawals.items() if version not in own_withdrawals
    )
    planned_releases = _list_planned_releases(published_releases, target, today)
    findings = (*_warn_of_withdrawal(target, today), *state_findings, *old_findings)
    return AvailableUpdate(
        pack,
        new_files,
        old,
        new,
        missing_withdrawals,
        planned_releases,
        findings,
        target.previous,
        _list_withdrawn_releases(published_releases, today),
    )


def find_update_alone(
    place: Path, folder: Path, to: str | None = None, day: date | None = None
) -> tuple[AvailableUpdate, Releases]:
    """Return the newest release of a publication and the one before, outside a project.

    The releases are kept in `folder`. Raise InputUnreadable if the publication is damaged.
    """
    today = day or date.today()
    publication = Publication(place)
    releases = Releases(Project(folder), publication.index.pack)
    for published in publication.index.releases:
        _find_target(
            releases, published.version, publication.read_release(published.version)
        )
    withdrawals = {
        release.version: release.withdrawn for release in publication.index.releases
    }
    all_releases = tuple(
        replace(release, withdrawal=withdrawals.get(release.version))
        for release in releases.list_releases()
    )
    target = _choose_target(all_releases, place, to, today)
    new, findings = releases.load_state(target.version)
    # Rosters are read with what pack.yaml declares. JSON is YAML, too.
    manifest_file = releases.project.get_cards_dir(publication.index.pack) / "pack.yaml"
    write_atomic(manifest_file, format_canonical(new.manifest).encode())
    old = releases.load_state(target.previous)[0] if target.previous else new
    planned = _list_planned_releases(all_releases, target, today)
    findings = (*_warn_of_withdrawal(target, today), *findings)
    update = AvailableUpdate(
        publication.index.pack,
        {},
        old,
        new,
        planned=planned,
        findings=findings,
        previous=target.previous,
        withdrawn=_list_withdrawn_releases(all_releases, today),
    )
    return update, releases


def _find_new_files(
    publication: Publication, own_releases: Releases
) -> dict[str, Mapping[str, bytes]]:
    """Return the files of releases that the project does not have.

    Raises InputUnreadable if one that is here differs.
    """
    new_files: dict[str, Mapping[str, bytes]] = {}
    for release in publication.index.releases:
        files = publication.read_release(release.version)
        if not own_releases.has_version(release.version):
            new_files[release.version] = files
        elif own_releases.read_parts(release.version)[MANIFEST] != files[MANIFEST]:
            form = _(
                "{version} of {pack} differs between this project and the publication"
            )
            message = _(form, version=release.version, pack=publication.index.pack)
            hint = _("A release never changes. Ask the publisher which one is right.")
            raise InputUnreadable(message, hint)
    return new_files


def _list_planned_releases(
    releases: Sequence[Release], target: Release, today: date
) -> tuple[Release, ...]:
    """Return valid releases after the target that are not in force yet."""
    planned_releases = []
    for release in releases:
        is_planned = find_state(release, releases, today) is ReleaseState.PLANNED
        is_valid = (
            release.withdrawal is None
        )  # nobody should move to one that ends soon
        if is_planned and is_valid and release.number > target.number:
            planned_releases.append(release)
    return tuple(planned_releases)


def _list_withdrawn_releases(
    releases: Sequence[Release], today: date
) -> tuple[Release, ...]:
    """Return the releases that are withdrawn today."""
    return tuple(release for release in releases if release.is_withdrawn(today))


def _choose_target(
    releases: Sequence[Release], place: Path, to: str | None, day: date
) -> Release:
    """Choose the release to which squads are updated."""
    if to is not None:
        named_release = next(
            (release for release in releases if release.version == to), None
        )
        if named_release is None:
            message = _("{file} has no release {version}", file=place, version=to)
            raise UsageError(
                message,
                suggest_word(
                    to, [release.version for release in releases], _("Releases")
                ),
            )
        return named_release
    current = find_release_in_force(releases, day)
    # The hints differ: nobody can move to a withdrawn release.
    if current is None and all(release.withdrawal is not None for release in releases):
        reason = _("all its releases are withdrawn")
        hint = _("Download it again.")
    elif current is None:
        reason = _("none of the published releases is in force yet")
        hint = _("Use --to VERSION to move squads to a planned release.")
    else:
        return current
    raise InputUnreadable(_("{file}: {reason}", file=place, reason=reason), hint)


def _warn_of_withdrawal(target: Release, today: date) -> tuple[Finding, ...]:
    """Return a warning if the target release is withdrawn or will be."""
    if target.withdrawal is None:
        return ()
    return (report_withdrawn(target, day=today),)


def put_update(project: Project, update: AvailableUpdate) -> tuple[Path, ...]:
    """Write the new releases of a publication into a project, and mark withdrawn ones.

    Return the new folders.
    """
    releases = PackFiles(project).open_releases(update.pack)
    placed = tuple(
        _find_target(releases, version, files)
        for version, files in update.new_files.items()
    )
    for mark in update.marks:
        releases.write_withdrawal(mark)
    return placed


def _find_target(releases: Releases, version: str, files: Mapping[str, bytes]) -> Path:
    target = releases.find_path(version)
    with open_package(target) as box:
        for name, data in files.items():
            box.write_file(name, data)
    return target
