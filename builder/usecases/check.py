"""Judge packs: load, run the checks."""

from __future__ import annotations

from builder.checks.runner import judge_pack
from builder.findings import Finding
from builder.store.project import Project
from builder.usecases.opening import open_pack


def check_packs(project: Project, pack: str | None, as_of: str | None = None) -> tuple[Finding, ...]:
    """All findings about one pack, or about every pack of the project, as they are or as a release had them."""
    return tuple(finding for one in project.choose(pack) for finding in judge_pack(open_pack(project, one, as_of)))
