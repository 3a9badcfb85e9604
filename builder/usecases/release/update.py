"""Take newer releases from a publication, for a player: proved, held against what is there, put beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errata.release import newest
from builder.errata.snapshot import Snapshot, Withdrawal
from builder.errors import InputUnreadable
from builder.findings import Finding, has_errors
from builder.messages import gettext as _
from builder.store.package import MANIFEST, package
from builder.store.project import Project
from builder.store.publication import Publication
from builder.store.releases import Releases
from builder.usecases.files import PackFiles
from builder.usecases.storage import working


@dataclass(frozen=True, slots=True)
class Update:
    """What a publication brings: the files of the releases that are not here yet, and the states to be compared."""

    pack: str
    fresh: Mapping[str, Mapping[str, bytes]]
    old: Snapshot
    new: Snapshot
    marks: tuple[Withdrawal, ...] = ()
    """Of releases that were withdrawn there, and are not yet here."""
    findings: tuple[Finding, ...] = ()


def find_update(project: Project, place: Path) -> Update:
    """What the publication in a folder or archive brings to this project. Nothing is fetched, nothing written.

    InputUnreadable where it is none, is not as its lists say, or has other files of a release that is here.
    """
    publication = Publication(place)
    pack = publication.index.pack
    if pack not in project.packs():
        hint = _("Run it in the project whose cards are updated.")
        raise InputUnreadable(_("there is no pack {pack} here", pack=pack), hint)
    here, fresh = PackFiles(project).releases(pack), dict[str, Mapping[str, bytes]]()
    for one in publication.index.releases:
        files = publication.release(one.version)
        if not here.has(one.version):
            fresh[one.version] = files
        elif here.parts(one.version)[MANIFEST] != files[MANIFEST]:
            message = _("{version} of {pack} is another one here than there", version=one.version, pack=pack)
            raise InputUnreadable(message, _("A release never changes: ask its publisher which of them is right."))
    marks = {one.version: one.withdrawn for one in publication.index.releases if one.withdrawn is not None}
    with TemporaryDirectory(prefix="squadpress-") as folder:
        staged = Releases(Project(Path(folder)), pack)
        for one in publication.index.releases:
            _place(staged, one.version, fresh.get(one.version) or here.parts(one.version))
        last = newest(one for one in staged.all() if one.version not in marks)
        found = staged.damaged(thorough=True)
        if last is None or has_errors(found):
            reason = found[0].message if found else _("every release of it is withdrawn")
            raise InputUnreadable(_("{file}: {reason}", file=place, reason=reason), _("Fetch it anew."))
        new, flaws = staged.load(last.version)
    before = newest(here.all())
    old, more = here.load(before.version) if before else working(PackFiles(project), pack)[:2]
    known = {one.version for one in here.withdrawals()[0]}
    missing = tuple(mark for version, mark in marks.items() if version not in known)
    return Update(pack, fresh, old, new, missing, (*flaws, *more))


def put_update(project: Project, update: Update) -> tuple[Path, ...]:
    """Put the new releases beside those that are there, and mark those that were withdrawn; the new folders."""
    releases = PackFiles(project).releases(update.pack)
    placed = tuple(_place(releases, version, files) for version, files in update.fresh.items())
    for mark in update.marks:
        releases.withdraw(mark)
    return placed


def _place(releases: Releases, version: str, files: Mapping[str, bytes]) -> Path:
    target = releases.place(version)
    with package(target) as box:
        for name, data in files.items():
            box.write(name, data)
    return target
