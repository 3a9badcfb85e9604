"""An unchanged pack is not read again; whatever changed is; a broken cache is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from builder.store import yaml
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.check import check_packs
from tests.checks.projects import lay_over

PACK = "lanterns"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = lay_over(tmp_path / "no-case", tmp_path / "project")
    for path in found.root.rglob("*.yaml"):
        os.utime(path, ns=(10**18, 10**18))
    return found


def warm(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill the cache as if all files were old."""
    monkeypatch.setattr("builder.store.memory.YOUNG", -(10**18))
    load_pack(project, PACK)


def forbid(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read from now on."""
    real, read = yaml.read_document, []

    def spy(path: Path, file: str) -> object:
        read.append(file)
        return real(path, file)

    monkeypatch.setattr(yaml, "read_document", spy)
    return read


def test_nothing_is_read_twice(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = load_pack(project, PACK)
    warm(project, monkeypatch)
    read = forbid(monkeypatch)
    again = load_pack(project, PACK)
    assert read == []
    assert again.pack == cold.pack
    assert again.mentions == cold.mentions
    assert again.wheres == cold.wheres
    assert again.documents["old-wick"].locate(("lumen",)) == cold.documents["old-wick"].locate(("lumen",))
    assert read == ["cards/lanterns/spirit/old-wick.yaml"]


def test_an_edit_is_seen_and_only_it_is_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    warm(project, monkeypatch)
    path = project.cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    path.write_text(path.read_text("utf-8").replace("lumen: 1", "lumen: 9"), "utf-8")
    read = forbid(monkeypatch)
    loaded = load_pack(project, PACK)
    assert loaded.pack is not None
    assert loaded.pack.cards["dusk-moth"].field("lumen") == 9
    assert read == ["cards/lanterns/spirit/dusk-moth.yaml"]


def test_an_editors_lock_beside_a_card_is_no_card(project: Project) -> None:
    folder = project.cards_dir(PACK) / "spirit"
    before = load_pack(project, PACK)
    (folder / ".#old-wick.yaml").symlink_to("author@host.1234:5678")
    (folder / "._old-wick.yaml").write_bytes(b"\0\5\26\7")
    after = load_pack(project, PACK)
    assert after.findings == before.findings
    assert after.documents.keys() == before.documents.keys()


def test_a_changed_schema_judges_all_cards_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    warm(project, monkeypatch)
    schema = project.schemas_dir(PACK) / "spirit.schema.json"
    schema.write_text(schema.read_text("utf-8").replace('"minimum": 0', '"minimum": 2'), "utf-8")
    assert {finding.code for finding in check_packs(project, PACK)} == {"schema/range"}


def test_mistakes_are_told_every_time(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project.cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    path.write_text(path.read_text("utf-8") + "waft: 9\n", "utf-8")
    warm(project, monkeypatch)
    assert [finding.code for finding in check_packs(project, PACK)] == ["yaml/duplicate-key"]
    assert [finding.code for finding in check_packs(project, PACK)] == ["yaml/duplicate-key"]


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"key": 1}', "notes", "values"])
def test_a_damaged_cache_is_no_cache(project: Project, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    warm(project, monkeypatch)
    cache = project.cache_dir / "read" / f"{PACK}.json"
    saved = json.loads(cache.read_text("utf-8"))
    for entry in saved["files"].values():
        if damage == "notes" and "schema" in entry:
            entry["schema"][1] = {"plain": 3}
        if damage == "values":
            del entry["value"]
    cache.write_text(json.dumps(saved) if damage in ("notes", "values") else damage, "utf-8")
    assert check_packs(project, PACK) == ()


def test_a_cache_that_cannot_be_written_is_done_without(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.cache_dir.parent.mkdir()
    project.cache_dir.write_text("in the way")
    warm(project, monkeypatch)
    assert check_packs(project, PACK) == ()
