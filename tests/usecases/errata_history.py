"""A toy pack with 4 releases: gains, losses, a revert, a ban, announcements and a ruling."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.usecases.toy import bump, edit, toy_project

NEWS = "https://news.example.org/"
FORMATS = f"""formats:
  open:
    name: {{en: Open season, de: Offene Saison}}
    banned:
      - cards: [old-wick]
        from: 2026-08-01
        reason: {{en: Too bright., de: Zu hell.}}
        announcement: {NEWS}ban
    points:
      - {{max: 12, from: 2026-08-01, announcement: "{NEWS}points"}}
"""
RULINGS = """rulings:
  - id: moth-light
    date: 2026-06-10
    cards: [dusk-moth]
    question: {en: "Does a moth see its own light?", de: "Sieht eine Motte ihr Licht?"}
    answer: {en: "No. It only sees the lanterns of others.", de: "Nein, nur andere."}
    source: https://forum.example.org/12
"""
DAYS = {
    "1.0.0": date(2026, 4, 1),
    "1.1.0": date(2026, 6, 1),
    "1.2.0": date(2026, 7, 1),
    "1.3.0": date(2026, 8, 1),
}


def release(project: Project, version: str, announcement: str = "") -> None:
    day = DAYS[version]
    request = ReleaseRequest(version, day, day, announcement=announcement)
    release_result = make_release(PackFiles(project), "lanterns", request)
    assert release_result.frozen, release_result.findings


def make_history(folder: Path) -> Project:
    """Return a project whose last release is 1.3.0 and that has no later changes."""
    project = Project(toy_project(folder))
    cards = project.get_cards_dir("lanterns")
    moth, mother = (
        cards / "spirit" / "dusk-moth.yaml",
        cards / "spirit" / "reed-mother.yaml",
    )
    with (cards / "pack.yaml").open("a", encoding="utf-8") as file:
        file.write("better: {lumen: higher, waft: higher}\n")
    release(project, "1.0.0")
    edit(moth, "cost: 1", "cost: 2")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, DAYS["1.1.0"])
    release(project, "1.1.0")
    edit(moth, "lumen: 1", "lumen: 2")
    bump(project, "dusk-moth", {"en": "Brighter.", "de": "Heller."}, DAYS["1.2.0"])
    release(project, "1.2.0")
    edit(moth, "cost: 2", "cost: 1")
    bump(
        project,
        "dusk-moth",
        {"en": "Costs 1 again.", "de": "Kostet wieder 1."},
        DAYS["1.3.0"],
    )
    edit(mother, "waft: 4", "waft: 3")
    bump(project, "reed-mother", {"en": "Slower.", "de": "Langsamer."}, DAYS["1.3.0"])
    edit(
        cards / "rules.yaml",
        "exactly: 1\n",
        f"exactly: 1\n    announcement: {NEWS}kindler\n",
    )
    edit(
        cards / "rules.yaml",
        "    measure: {distinct: faction}\n    max: 1",
        "    measure: {distinct: faction}\n    max: 2\n    announcement: https://news.example.org/frost",
    )
    (cards / "formats.yaml").write_text(FORMATS, encoding="utf-8")
    (cards / "rulings").mkdir()
    (cards / "rulings" / "2026.yaml").write_text(RULINGS, encoding="utf-8")
    release(project, "1.3.0", f"{NEWS}august")
    return project
