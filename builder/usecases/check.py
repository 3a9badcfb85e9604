"""Judge packs: load, run the checks, look at the form of their sample rosters."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.registry import judge_pack
from builder.findings import Finding
from builder.store.project import Project
from builder.store.rosters import read_roster
from builder.usecases.files import PackFiles
from builder.usecases.release.states import load_as_of


def check_packs(project: Project, pack: str | None, as_of: str | None = None) -> tuple[Finding, ...]:
    """All findings about one pack, or about every pack of the project, as they are or as a release had them."""
    return tuple(finding for one in project.choose(pack) for finding in _check(project, one, as_of))


def _check(project: Project, pack: str, as_of: str | None) -> Iterator[Finding]:
    loaded = load_as_of(PackFiles(project), pack, as_of)
    yield from judge_pack(loaded)
    if loaded.pack is not None and as_of is None:
        for path in project.rosters(pack):
            yield from read_roster(path, project, loaded.pack.manifest.roster).findings
