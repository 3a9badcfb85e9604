"""An unchanged pack is not read again; whatever changed is; a broken cache is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from builder.cache import Value
from builder.packs.loading import CachedCards, load_pack
from builder.packs.project import Project
from builder.packs.sources import Reader
from builder.packs.yaml import reading
from builder.usecases.check_pack import check_packs
from tests.checks.projects import ROOT, lay_over

PACK = "lanterns"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = lay_over(tmp_path / "no-case", tmp_path / "project")
    for path in found.root.rglob("*.yaml"):
        os.utime(path, ns=(10**18, 10**18))
    return found


def warm(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill the cache as if all files were old."""
    monkeypatch.setattr("builder.packs.sources.MIN_FILE_AGE_NS", -(10**18))
    load_pack(project, PACK)


def forbid(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read from now on."""
    real, read = reading.read_document, []

    def spy(path: Path, file: str) -> object:
        read.append(file)
        return real(path, file)

    monkeypatch.setattr(reading, "read_document", spy)
    return read


def test_nothing_is_read_twice(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = load_pack(project, PACK)
    place = cold.documents["old-wick"].locate(("lumen",))
    warm(project, monkeypatch)
    read = forbid(monkeypatch)
    again = load_pack(project, PACK)
    assert read == []
    assert again.pack == cold.pack
    assert again.mentions == cold.mentions
    assert again.wheres == cold.wheres
    assert again.documents["old-wick"].locate(("lumen",)) == place
    assert read == ["cards/lanterns/spirit/old-wick.yaml"]


def test_an_edit_is_seen_and_only_it_is_read(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(project, monkeypatch)
    path = project.get_cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    path.write_text(path.read_text("utf-8").replace("lumen: 1", "lumen: 9"), "utf-8")
    read = forbid(monkeypatch)
    loaded = load_pack(project, PACK)
    assert loaded.pack is not None
    assert loaded.pack.cards["dusk-moth"].get_field("lumen") == 9
    assert read == ["cards/lanterns/spirit/dusk-moth.yaml"]


def test_who_reads_again_and_again_is_given_what_changed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: CachedCards = {}
    warm(project, monkeypatch)
    first = load_pack(project, PACK, known)
    asked: list[Path] = []
    original = Reader.read_document
    monkeypatch.setattr(
        Reader,
        "read_document",
        lambda self, path: asked.append(path) or original(self, path),
    )
    again = load_pack(project, PACK, known)
    spirits = project.get_cards_dir(PACK) / "spirit"
    assert known.keys().isdisjoint(asked)
    assert (again.pack, again.mentions, again.wheres) == (
        first.pack,
        first.mentions,
        first.wheres,
    )
    assert [each.document.value for each in again.files] == [
        each.document.value for each in first.files
    ]
    moth, wick = spirits / "dusk-moth.yaml", spirits / "old-wick.yaml"
    moth.write_text(moth.read_text("utf-8").replace("lumen: 1", "lumen: 9"), "utf-8")
    wick.write_text(wick.read_text("utf-8") + "lumen: 9\n", "utf-8")
    for _again in range(2):
        loaded = load_pack(project, PACK, known)
        assert loaded.pack is not None
        assert loaded.pack.cards["dusk-moth"].get_field("lumen") == 9
        assert [each.code for each in loaded.findings] == ["yaml/duplicate-key"]
    schema = project.get_schemas_dir(PACK) / "spirit.schema.json"
    schema.write_text(
        schema.read_text("utf-8").replace('"minimum": 0', '"minimum": 20'), "utf-8"
    )
    assert "schema/range" in {
        each.code for each in load_pack(project, PACK, known).findings
    }
    moth.unlink()
    assert "dusk-moth" not in load_pack(project, PACK, known).documents


def test_an_editors_lock_beside_a_card_is_no_card(project: Project) -> None:
    folder = project.get_cards_dir(PACK) / "spirit"
    before = load_pack(project, PACK)
    (folder / ".#old-wick.yaml").symlink_to("author@host.1234:5678")
    (folder / "._old-wick.yaml").write_bytes(b"\0\5\26\7")
    after = load_pack(project, PACK)
    assert after.findings == before.findings
    assert after.documents.keys() == before.documents.keys()


def test_a_changed_schema_checks_all_cards_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(project, monkeypatch)
    schema = project.get_schemas_dir(PACK) / "spirit.schema.json"
    schema.write_text(
        schema.read_text("utf-8").replace('"minimum": 0', '"minimum": 2'), "utf-8"
    )
    assert {finding.code for finding in check_packs(project, PACK)} == {"schema/range"}


def test_mistakes_are_reported_every_time(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project.get_cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    path.write_text(path.read_text("utf-8") + "waft: 9\n", "utf-8")
    warm(project, monkeypatch)
    assert [finding.code for finding in check_packs(project, PACK)] == [
        "yaml/duplicate-key"
    ]
    assert [finding.code for finding in check_packs(project, PACK)] == [
        "yaml/duplicate-key"
    ]


def entries(project: Project) -> dict[str, Value]:
    """What is remembered of each file of the pack."""
    files = [
        project.shorten_path(path)
        for path in project.get_cards_dir(PACK).rglob("*.yaml")
    ]
    found = {file: project.cache.value("read", file) for file in files}
    return {file: entry for file, entry in found.items() if entry is not None}


@pytest.mark.parametrize("name", ["gauges.yaml", "stats.yaml"])
def test_mistakes_of_what_few_need_are_reported_every_time(
    project: Project, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = project.get_cards_dir(PACK) / name
    path.write_text("{nonsense: []}", "utf-8")
    warm(project, monkeypatch)
    for _again in range(2):
        loaded = load_pack(project, PACK)
        assert {finding.location.file for finding in loaded.findings} == {
            f"cards/lanterns/{name}"
        }
        assert (loaded.gauges, loaded.stats) == (None, None)
    whole = ROOT / "cards" / "hydrophilia" / name
    path.write_bytes(whole.read_bytes())
    for _again in range(2):
        loaded = load_pack(project, PACK)
        assert not loaded.findings
        assert (loaded.gauges or loaded.stats) is not None


def test_notes_and_values_of_another_form_are_none(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(project, monkeypatch)
    known = entries(project)
    judged = next(entry["schema"] for entry in known.values() if "schema" in entry)
    assert isinstance(judged, list)
    assert isinstance(judged[1], str)
    texts, rich, wheres, mentions = json.loads(judged[1])
    strange = [["at", "keyword", ["no", "name"], False]]
    parts = (
        [texts, rich, wheres, strange],
        [texts, rich, [[["deep"]]], mentions],
        {"plain": 3},
    )
    for notes in (3, {"plain": 3}, "no JSON", "[" * 10**5, *map(json.dumps, parts)):
        for file, entry in known.items():
            project.cache.write("read", file, {**entry, "schema": [judged[0], notes]})
        assert check_packs(project, PACK) == ()
    for file, entry in known.items():
        project.cache.write("read", file, {"state": entry["state"]})
    assert check_packs(project, PACK) == ()


def test_an_edit_of_what_reads_reads_all_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(project, monkeypatch)
    assert load_pack(project, PACK).files_read == frozenset()
    monkeypatch.setattr(
        "builder.packs.sources.fingerprint", lambda *_, **__: "another program"
    )
    assert len(load_pack(project, PACK).files_read) > 3


def test_only_what_is_read_anew_is_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(project, monkeypatch)
    before = entries(project)
    edited = project.shorten_path(
        project.get_cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    )
    os.utime(project.root / edited, ns=(10**18, 10**18 + 1))
    assert load_pack(project, PACK).files_read == {edited}
    after = entries(project)
    assert {file for file in after if after[file] != before[file]} == {edited}
    assert load_pack(project, PACK).files_read == frozenset()


def test_a_cache_that_cannot_be_written_is_done_without(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.cache_dir.parent.mkdir()
    project.cache_dir.write_text("in the way")
    warm(project, monkeypatch)
    assert check_packs(project, PACK) == ()
