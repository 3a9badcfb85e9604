"""Take newer releases from a publication, for a player: proved, held against what is there, put beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errata.release import Release, find_newest, find_release_in_force
from builder.errata.snapshot import Snapshot, Withdrawal
from builder.errors import InputUnreadable, PackUnreadable, UsageError
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import MANIFEST, open_package
from builder.packs.releases.publication import Publication
from builder.usecases.pack_states import find_verdict_flaws, read_working_pack


@dataclass(frozen=True, slots=True)
class Update:
    """What a publication brings: the files of the releases that are not here yet, and the states to be compared."""

    pack: str
    fresh: Mapping[str, Mapping[str, bytes]]
    old: Snapshot
    new: Snapshot
    marks: tuple[Withdrawal, ...] = ()
    """Of releases that were withdrawn there, and are not yet here."""
    planned: tuple[Release, ...] = ()
    """Those whose day of effect has not come, and to which squads are not moved."""
    findings: tuple[Finding, ...] = ()


def find_update(
    project: Project, place: Path, to: str | None = None, day: date | None = None
) -> Update:
    """What the publication in a folder or archive brings to this project. Nothing is fetched, nothing written.

    The new state is the release in force on a day, today if none is given, or the version `to`; the old one is the
    release in force here.

    PackUnreadable where a release here is damaged. InputUnreadable where the publication is none, is not as its lists
    say, or has other files of a release that is here.
    """
    on = day or date.today()
    publication = Publication(place)
    pack = publication.index.pack
    if pack not in project.packs():
        hint = _("Run it in the project whose cards are updated.")
        raise InputUnreadable(_("there is no pack {pack} here", pack=pack), hint)
    here, fresh = PackFiles(project).releases(pack), dict[str, Mapping[str, bytes]]()
    if damage := find_verdict_flaws(
        here.damaged(thorough=True)
    ):  # they are compared with what the publication has
        raise PackUnreadable(pack, damage)
    for one in publication.index.releases:
        files = publication.release(one.version)
        if not here.has(one.version):
            fresh[one.version] = files
        elif here.parts(one.version)[MANIFEST] != files[MANIFEST]:
            message = _(
                "{version} of {pack} is another one here than there", version=one.version, pack=pack
            )
            raise InputUnreadable(
                message, _("A release never changes: ask its publisher which of them is right.")
            )
    marks = {
        one.version: one.withdrawn
        for one in publication.index.releases
        if one.withdrawn is not None
    }
    with TemporaryDirectory(prefix="squadpress-") as folder:
        staged = Releases(Project(Path(folder)), pack)
        for one in publication.index.releases:
            _place(staged, one.version, fresh.get(one.version) or here.parts(one.version))
        known = tuple(replace(one, withdrawal=marks.get(one.version)) for one in staged.all())
        found = staged.damaged(thorough=True)
        if has_errors(found):
            raise InputUnreadable(
                _("{file}: {reason}", file=place, reason=found[0].message), _("Fetch it anew.")
            )
        target = _choose_target(known, place, to, on)
        new, flaws = staged.load(target.version)
    before = find_release_in_force(here.all(), on) or find_newest(here.all())
    old, more = (
        here.load(before.version) if before else read_working_pack(PackFiles(project), pack)[:2]
    )
    marked_here = {one.version for one in here.withdrawals()[0]}
    missing = tuple(mark for version, mark in marks.items() if version not in marked_here)
    planned = tuple(
        one
        for one in known
        if one.effective > on and one.number > target.number and not one.withdrawal
    )
    return Update(pack, fresh, old, new, missing, planned, (*flaws, *more))


def _choose_target(known: Sequence[Release], place: Path, to: str | None, day: date) -> Release:
    """The release to which squads are moved."""
    if to is not None:
        asked = next((one for one in known if one.version == to), None)
        if asked is None:
            message = _("{file} has no release {version}", file=place, version=to)
            raise UsageError(
                message, suggest_word(to, [one.version for one in known], _("Releases"))
            )
        return asked
    current = find_release_in_force(known, day)
    if current is None and all(one.withdrawal is not None for one in known):
        reason, hint = _("every release of it is withdrawn"), _("Fetch it anew.")
    elif current is None:
        reason, hint = (
            _("no release of the publication is in force yet"),
            _("Use --to VERSION to move squads to a planned release."),
        )
    else:
        return current
    raise InputUnreadable(_("{file}: {reason}", file=place, reason=reason), hint)


def put_update(project: Project, update: Update) -> tuple[Path, ...]:
    """Put the new releases beside those that are there, and mark those that were withdrawn; the new folders."""
    releases = PackFiles(project).releases(update.pack)
    placed = tuple(_place(releases, version, files) for version, files in update.fresh.items())
    for mark in update.marks:
        releases.withdraw(mark)
    return placed


def _place(releases: Releases, version: str, files: Mapping[str, bytes]) -> Path:
    target = releases.place(version)
    with open_package(target) as box:
        for name, data in files.items():
            box.write(name, data)
    return target
