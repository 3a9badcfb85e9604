"""Judge packs: load, run the checks."""

from __future__ import annotations

from builder.checks.runner import judge_pack
from builder.findings import Finding
from builder.store.packs import load_pack
from builder.store.project import Project


def check_packs(project: Project, pack: str | None) -> tuple[Finding, ...]:
    """All findings about one pack, or about every pack of the project."""
    return tuple(finding for one in project.choose(pack) for finding in judge_pack(load_pack(project, one)))
