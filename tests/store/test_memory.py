"""An unchanged pack is not read again; whatever changed is; a broken cache is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from builder.store import yaml
from builder.store.memory import FEW, Memory
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


def cache(project: Project) -> Path:
    return project.cache_dir / "read" / f"{PACK}.jsonl"


def entries(path: Path) -> list[tuple[str, dict[str, object]]]:
    """What a cache tells of each file, in the order of its lines."""
    return [(json.loads(name), json.loads(entry)) for name, entry in
            (line.split("\t") for line in path.read_text("utf-8").splitlines()[1:])]  # fmt: skip


def written(path: Path, kept: list[tuple[str, dict[str, object]]]) -> None:
    """Write such lines in place of a cache's own."""
    head = path.read_text("utf-8").splitlines()[0]
    lines = (f"{json.dumps(name)}\t{json.dumps(entry)}" for name, entry in kept)
    path.write_text("\n".join((head, *lines, "")), "utf-8")


DAMAGES = ["", "{", "[]", "null", '{"key": 1}', "SQLite format 3\0", "\n" * 100, "[" * 100_000, "{}\t" * 1000]


@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_cache_is_no_cache(project: Project, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    warm(project, monkeypatch)
    whole = cache(project).read_bytes()
    cache(project).write_text(damage, "utf-8")
    assert check_packs(project, PACK) == ()
    assert cache(project).read_bytes() == whole


@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_line_is_none(project: Project, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    warm(project, monkeypatch)
    head, *lines = cache(project).read_text("utf-8").splitlines()
    bad = [f"{line.split(chr(9))[0]}\t{damage}" for line in lines[::2]]
    cache(project).write_text("\n".join((head, *bad, *lines[1::2], "")), "utf-8")
    assert check_packs(project, PACK) == ()


def test_notes_and_values_of_another_form_are_none(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    warm(project, monkeypatch)
    known = entries(cache(project))
    judged = next(entry["schema"] for _, entry in known if "schema" in entry)
    strange = [["at", "keyword", ["no", "name"], False]]
    for notes in ({"plain": 3}, {**judged[1], "mentions": strange}, {**judged[1], "wheres": [[["deep"]]]}):
        written(cache(project), [(name, {**entry, "schema": [judged[0], notes]}) for name, entry in known])
        assert check_packs(project, PACK) == ()
    written(cache(project), [(name, {"stamp": entry["stamp"]}) for name, entry in known])
    assert check_packs(project, PACK) == ()


def test_a_cache_that_is_no_file_is_done_without(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    cache(project).mkdir(parents=True)
    warm(project, monkeypatch)
    assert check_packs(project, PACK) == ()


def test_a_cache_cut_short_anywhere_gives_the_same_pack(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is then written behind it harms nothing."""
    warm(project, monkeypatch)
    whole, wanted = cache(project).read_bytes(), load_pack(project, PACK)
    edited = project.cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    os.utime(edited, ns=(10**18, 10**18 + 1))
    for end in range(0, len(whole), 797):
        cache(project).write_bytes(whole[:end])
        for _ in range(2):
            found = load_pack(project, PACK)
            assert (found.pack, found.mentions, found.findings) == (wanted.pack, wanted.mentions, ())


def test_what_is_read_anew_is_written_behind_the_rest(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    warm(project, monkeypatch)
    files = len(entries(cache(project)))
    edited = project.cards_dir(PACK) / "spirit" / "dusk-moth.yaml"
    for turn in range(3 * FEW):
        before = cache(project).read_bytes()
        os.utime(edited, ns=(10**18, 10**18 + 1 + turn))
        assert load_pack(project, PACK).read == {project.relative(edited)}
        if turn < FEW:
            assert cache(project).read_bytes().startswith(before)
        assert files <= len(entries(cache(project))) <= files + FEW
    assert load_pack(project, PACK).read == frozenset()


def test_what_is_gone_is_forgotten(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    warm(project, monkeypatch)
    kept = entries(cache(project))
    written(cache(project), [*kept, *((f"cards/gone-{number}.yaml", kept[0][1]) for number in range(FEW + 1))])
    load_pack(project, PACK)
    assert entries(cache(project)) == kept


def test_two_builds_may_write_at_once(tmp_path: Path) -> None:
    """Each keeps what it read, whoever is done first; no line of one is ever taken for another's."""
    path = tmp_path / "pack.jsonl"
    first = Memory(path)
    for name in ("a", "b"):
        first.remember(name, [1, 1, 1], {"name": name})
    first.save()
    one, other = Memory(path), Memory(path)
    for memory, own, many in ((one, "one", 2), (other, "other", FEW + 1)):
        for name in ("a", "b"):
            assert memory.recall(name, [1, 1, 1]) == {"stamp": [1, 1, 1], "value": {"name": name}}
        for number in range(many):
            memory.remember(f"{own}-{number}", [1, 1, 1], {"name": own})
    other.save()
    one.save()
    last = Memory(path)
    for name, value in (("a", "a"), ("b", "b"), ("one-0", "one"), ("one-1", "one"), ("other-0", "other")):
        entry = last.recall(name, [1, 1, 1])
        assert entry is not None
        assert entry["value"] == {"name": value}


def test_nothing_is_written_behind_what_another_program_wrote(tmp_path: Path) -> None:
    path = tmp_path / "pack.jsonl"
    for name in ("a", "b"):
        memory = Memory(path)
        memory.remember(name, [1, 1, 1], name)
        if name == "b":
            path.write_text("of another program\n", "utf-8")
        memory.save()
    assert path.read_text("utf-8") == "of another program\n"


def test_the_later_line_about_a_file_counts_and_only_for_its_own_state(tmp_path: Path) -> None:
    path = tmp_path / "pack.jsonl"
    for turn in (1, 2):
        memory = Memory(path)
        memory.remember("a\tname\nof \udcff", [turn, 1, 1], turn)
        memory.take_note("a\tname\nof \udcff", "seen", [turn])
        memory.save()
    last = Memory(path)
    assert last.recall("a\tname\nof \udcff", [1, 1, 1]) is None
    assert last.note("a\tname\nof \udcff", "seen") is None
    assert last.recall("a\tname\nof \udcff", [2, 1, 1]) == {"stamp": [2, 1, 1], "value": 2, "seen": [2]}
    assert last.note("a\tname\nof \udcff", "seen") == [2]
    assert last.note("another", "seen") is None


def test_a_cache_that_cannot_be_written_is_done_without(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.cache_dir.parent.mkdir()
    project.cache_dir.write_text("in the way")
    warm(project, monkeypatch)
    assert check_packs(project, PACK) == ()
