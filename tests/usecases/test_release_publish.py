"""Published files prove themselves, point onwards, and come out the same again."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

from builder.model.card import ChangeType
from builder.store.project import Project
from builder.usecases.files import PackFiles
from builder.usecases.release.card_bump import Bump, bump_card
from builder.usecases.release.new import make_release
from builder.usecases.release.publish import publish
from tests.usecases.toy import edit, toy_project

FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two releases: a dearer card, and a card that was withdrawn."""
    project = Project(toy_project(tmp_path / "project"))
    assert make_release(PackFiles(project), "lanterns", "1.0.0", FIRST, FIRST).frozen
    cards = project.cards_dir("lanterns")
    edit(cards / "spirit" / "dusk-moth.yaml", "cost: 1", "cost: 2")
    notes = {"en": "Costs 2.", "de": "Kostet 2."}
    bump_card(project, "lanterns", "dusk-moth", Bump(ChangeType.BALANCE, notes, SECOND))
    (cards / "charm" / "amber-brooch.yaml").unlink()
    (cards / "i18n" / "de" / "charm" / "amber-brooch.yaml").unlink()
    line = f"migrations:\n  - {{old: amber-brooch, type: delete, date: {SECOND}}}\n"
    (cards / "migrations.yaml").write_text(line)
    made = make_release(PackFiles(project), "lanterns", "2.0.0", SECOND, SECOND)
    assert made.frozen, made.findings
    return project


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_every_byte_is_proved_and_comes_out_again(project: Project, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    made = publish(project, "lanterns", first, prints=False)
    publish(project, "lanterns", second, prints=False)
    assert made.findings == ()
    assert tree(first) == tree(second)
    assert set(tree(first)) == set(made.files)
    proof = subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=first, capture_output=True, check=False)
    assert proof.returncode == 0, proof.stdout
    assert len(proof.stdout.splitlines()) == len(made.files) - 1


def test_machines_find_their_way(project: Project, tmp_path: Path) -> None:
    publish(project, "lanterns", tmp_path, prints=False)

    def read(path: str) -> dict:
        return json.loads((tmp_path / path).read_text(encoding="utf-8"))

    index = read("v1/index.json")
    assert [(one["version"], one["until"]) for one in index["releases"]] == [("1.0.0", "2026-06-01"), ("2.0.0", None)]
    assert read("v1/latest.json") == {"version": "2.0.0", "path": "v1/2.0.0/"}
    legality = read("v1/2.0.0/legality.json")
    assert legality["legal"]["dusk-moth"] == {"since": "1.0.0", "revision": 2, "revisedIn": "2.0.0"}
    assert legality["withdrawn"] == {"amber-brooch": {"lastIn": "1.0.0", "type": "delete", "successors": []}}
    assert read("v1/2.0.0/de/cards.json")["dusk-moth"]["name"] != read("v1/2.0.0/en/cards.json")["dusk-moth"]["name"]
    assert {card["id"] for card in read("v1/2.0.0/changes.json")["cards"]} == {"dusk-moth", "amber-brooch"}
    assert "Costs 2." in (tmp_path / "v1" / "2.0.0" / "CHANGES.md").read_text(encoding="utf-8")
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index("2.0.0") < page.index(">1.0.0<")
    assert "http" not in page


def test_a_new_release_leaves_the_old_ones_bytes(project: Project, tmp_path: Path) -> None:
    later = project.cards_dir("lanterns") / "releases" / "2.0.0"
    shutil.move(later, tmp_path / "later")
    publish(project, "lanterns", tmp_path / "out", prints=False)
    before = {path: data for path, data in tree(tmp_path / "out").items() if path.startswith("v1/1.0.0/")}
    shutil.move(tmp_path / "later", later)
    publish(project, "lanterns", tmp_path / "out", prints=False)
    after = tree(tmp_path / "out")
    assert {path: after[path] for path in before} == before


def test_a_damaged_release_is_not_published(project: Project, tmp_path: Path) -> None:
    path = project.cards_dir("lanterns") / "releases" / "1.0.0" / "cards.json"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    made = publish(project, "lanterns", tmp_path / "out", prints=False)
    assert (made.files, [finding.code for finding in made.findings]) == ((), ["release/altered"])
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_prints_are_published_too(project: Project, tmp_path: Path) -> None:
    made = publish(project, "lanterns", tmp_path, workers=1)
    assert made.findings == ()
    names = {path.rpartition("/")[2] for path in made.files if path.endswith(".pdf")}
    assert {"lanterns-2.0.0-notes-en.pdf", "lanterns-en-home-a4-2.0.0.pdf"} <= names
    first = (tmp_path / "SHA256SUMS").read_bytes()
    publish(project, "lanterns", tmp_path, workers=1)
    assert (tmp_path / "SHA256SUMS").read_bytes() == first
