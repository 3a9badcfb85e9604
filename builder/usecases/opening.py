"""A pack as it is, or as it was: what every command with `--as-of` opens."""

from __future__ import annotations

from dataclasses import replace

from builder.errata import codes
from builder.errata.snapshot import WORK, thaw
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.document import Document
from builder.model.loaded import LoadedPack
from builder.model.roster import Roster
from builder.model.spelling import suggestion
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.store.releases import Releases
from builder.usecases.release.states import state_of


def open_pack(project: Project, pack: str, as_of: str | None = None) -> LoadedPack:
    """The pack as it is edited, or as a release or day (YYYY-MM-DD) had it. UsageError if there is no such state."""
    if as_of is None or as_of == WORK:
        return load_pack(project, pack)
    state, found = state_of(project, pack, as_of)
    folder = project.relative(project.cards_dir(pack) / "releases" / state.label)
    loaded = thaw(state, f"{folder}/cards.json")
    return replace(loaded, findings=(*found, *loaded.findings))


def pinned(
    project: Project, roster: Roster, document: Document | None, as_of: str | None = None
) -> tuple[Finding, ...]:
    """What there is to say about the release a roster is pinned to; nothing where `as_of` overrides it."""
    if roster.version is None or as_of is not None:
        return ()
    releases = Releases(project, roster.pack).all()
    place = document.locate(("version",)) if document else Location()
    own = next((release for release in releases if release.version == roster.version), None)
    if own is None:
        hint = suggestion(roster.version, [release.version for release in releases], "Releases")
        return (
            codes.UNKNOWN.finding(
                _("{pack} has no release {version}", pack=roster.pack, version=roster.version), place, hint
            ),
        )
    last = max(releases, key=lambda release: (release.effective, release.number))
    if last.number > own.number:
        form = _("judged by {own}; {last} is in force from {day}")
        message = _(form, own=own.version, last=last.version, day=last.effective)
        return (codes.NEWER.finding(message, place),)
    return ()
