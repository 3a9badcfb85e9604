"""Every pack there is, each with one of its sample squads."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, *sorted((ROOT / "tests" / "packs").iterdir())]
PACKS = [(project, pack) for project in PROJECTS for pack in sorted((project / "cards").iterdir())]
FIRST = [
    (project, sorted((pack / "rosters").glob("*.yaml"))[0])
    for project in PROJECTS
    for pack in sorted((project / "cards").iterdir())
    if sorted((pack / "rosters").glob("*.yaml"))
]
"""Project folders and, for each pack, its first sample."""
