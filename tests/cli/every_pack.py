"""Every pack there is, each with one of its sample squads."""

from __future__ import annotations

from pathlib import Path

from builder.packs.project import Project
from builder.usecases.roster.check_roster import CheckedRoster
from builder.usecases.roster.roster_files import check_roster_files

ROOT = Path(__file__).parents[2]
PROJECTS = [
    ROOT,
    *sorted(path for path in (ROOT / "tests" / "toys").iterdir() if path.is_dir()),
]
PACKS = [
    (project, pack)
    for project in PROJECTS
    for pack in sorted((project / "cards").iterdir())
]
FIRST = [
    (project, sorted((pack / "rosters").glob("*.yaml"))[0])
    for project in PROJECTS
    for pack in sorted((project / "cards").iterdir())
    if sorted((pack / "rosters").glob("*.yaml"))
]
"""Project folders and, for each pack, its first sample."""


def first_legal(project: Path, pack: Path) -> CheckedRoster:
    """The first sample of a pack that is legal."""
    files = sorted((pack / "rosters").glob("*.yaml"))
    return next(
        file for file in check_roster_files(Project(project), files) if file.legal
    )
