"""The states of a pack that commands compare: a release by version or day, the edited state, another project's."""

from __future__ import annotations

from dataclasses import replace

from builder.errata.release import as_of
from builder.errata.snapshot import WORK, Snapshot, freeze, thaw
from builder.errors import UsageError
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.loaded import Document, LoadedPack
from builder.model.words import suggestion
from builder.store.project import Project
from builder.usecases.storage import PackStorage


def one_pack(project: Project, pack: str | None) -> str:
    """The pack that is meant; UsageError where it must be named."""
    known = project.choose(pack)
    if len(known) > 1:
        raise UsageError(
            _("this project has several packs"), _("Name one with --pack: {listed}.", listed=", ".join(known))
        )
    return known[0]


def load_as_of(packs: PackStorage, pack: str, as_of: str | None = None) -> LoadedPack:
    """The pack as it is edited, or as a release or day (YYYY-MM-DD) had it. UsageError if there is no such state."""
    if as_of is None or as_of == WORK:
        return packs.load(pack)
    state, found = state_of(packs, pack, as_of)
    loaded = thaw(state, f"cards/{pack}/releases/{state.label}/cards.json")
    return replace(loaded, findings=(*found, *loaded.findings))


def state_of(packs: PackStorage, pack: str, name: str) -> tuple[Snapshot, tuple[Finding, ...]]:
    """The state that `name` means: `work`, a version, a day (YYYY-MM-DD), or the folder of another project.

    What cannot be read is a finding; the rest is there to be compared.
    """
    if name == WORK:
        return working(packs, pack)[:2]
    releases = packs.releases(pack)
    found = as_of(releases.all(), name)
    version = found.version if found is not None else name
    if found is not None or releases.has(version):
        return releases.load(version)
    other = packs.elsewhere(name)
    if other is not None:
        return working(other, pack)[:2]
    known = [WORK, *(release.version for release in releases.all())]
    raise UsageError(
        _(
            "{name} is neither a release of {pack}, nor a day after its first one, nor a project's folder",
            name=name,
            pack=pack,
        ),
        suggestion(name, known, _("States here")),
    )


def working(packs: PackStorage, pack: str) -> tuple[Snapshot, tuple[Finding, ...], LoadedPack]:
    """The state that is being edited, what reading it found, and the pack it was taken from."""
    releases, loaded = packs.releases(pack), packs.load(pack)
    migrations, found = releases.migrations()
    return freeze(loaded, releases.digests(), migrations), (*loaded.findings, *found), loaded


def documents(loaded: LoadedPack) -> dict[str, Document]:
    """Each card's file by the card's id."""
    return {file.id or file.stem: file.document for file in loaded.files}
