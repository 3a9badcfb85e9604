"""Links from rules, bans, points limits and releases to their announcements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builder.packs.project import Project
from tests.program import run
from tests.usecases.errata_history import NEWS, make_history
from tests.usecases.toy import edit


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_history(tmp_path_factory.mktemp("history"))


def test_notes_link_the_announcements_of_what_changed(project: Project) -> None:
    text = run(project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en").stdout
    assert f"[Announcement](<{NEWS}august>)" in text
    assert f"Too bright. [Announcement](<{NEWS}ban>)" in text
    assert f"[Announcement](<{NEWS}points>)" in text
    assert f"The rule changed. [Announcement](<{NEWS}frost>)" in text
    # An announcement alone is no change of a rule.
    assert "kindler" not in text
    chat = run(project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en", "--chat").stdout
    for page in ("august", "ban", "points", "frost"):
        assert NEWS + page in chat


def test_published_data_has_the_announcements(project: Project, tmp_path: Path) -> None:
    words = ("--pack", "lanterns", "--no-pdf", "--output", str(tmp_path / "out"))
    made = run(project.root, "release", "publish", *words)
    assert made.returncode == 0, made.stderr
    index = json.loads((tmp_path / "out/v1/index.json").read_text())
    assert [item.get("announcement") for item in index["releases"]] == [None] * 3 + [
        f"{NEWS}august"
    ]
    legality = json.loads((tmp_path / "out/v1/1.3.0/legality/open/2026-08-01.json").read_text())
    assert legality["cards"]["old-wick"]["announcement"] == f"{NEWS}ban"


def test_an_announcement_is_an_address(project: Project) -> None:
    words = ("--effective", "2026-09-01", "--announcement", "soon")
    assert run(project.root, "release", "new", "1.4.0", *words).returncode == 2
    file = project.get_cards_dir("lanterns") / "formats.yaml"
    edit(file, f"{NEWS}ban", "javascript:alert(1)")
    checked = run(project.root, "check", "lanterns")
    edit(file, "javascript:alert(1)", f"{NEWS}ban")
    assert checked.returncode == 1
    assert "announcement" in checked.stdout


def test_notes_and_diff_name_gains_losses_and_reverts(project: Project) -> None:
    notes = run(project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en").stdout
    assert "Cost: ~~2~~ → **1** (gain, reverts 1.1.0)" in notes
    assert "Weaker: Reed Mother" in notes
    diff = run(project.root, "release", "diff", "1.2.0", "1.3.0").stdout
    assert "cost: 2 -> 1 (gain, reverts 1.1.0)" in diff
    assert "(loss)" in diff
    since = run(project.root, "release", "diff", "1.1.0", "1.2.0").stdout
    assert "reverts" not in since
    data = run(project.root, "release", "diff", "1.2.0", "1.3.0", "--format", "json").stdout
    cards = {card["id"]: card for card in json.loads(data)["cards"]}
    assert cards["dusk-moth"]["effect"] == "gain"
    assert cards["dusk-moth"]["fields"][0]["reverts"] == "1.1.0"
    assert cards["reed-mother"]["effect"] == "loss"
