"""A pack of which hardly anything finds room in memory is the same pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.checks.registry import check_loaded_pack
from builder.diskmap import MAX_RECENT_VALUES, DiskMap
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.packs.yaml.reading import parse_document
from builder.usecases.build.build import build_pack
from tests.checks.projects import ROOT, lay_over
from tests.usecases.toy import build_options

PACKS = [
    (root, pack)
    for root in (ROOT, ROOT / "tests/toys/brigade")
    for pack in Project(root).list_packs()
]


@pytest.mark.parametrize(("root", "pack"), PACKS, ids=[pack for _, pack in PACKS])
def test_a_pack_that_finds_no_room_is_the_same(
    root: Path, pack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = load_pack(Project(root), pack)
    monkeypatch.setattr(DiskMap.__init__, "__defaults__", (3, MAX_RECENT_VALUES))
    far = load_pack(Project(root), pack)
    assert far.pack is not None
    assert near.pack is not None
    assert far.pack == near.pack
    assert list(far.pack.cards) == list(near.pack.cards)
    assert [(file.id, file.kind, file.folder, file.stem) for file in far.files] == [
        (file.id, file.kind, file.folder, file.stem) for file in near.files
    ]
    for one, other in (
        (far.documents, near.documents),
        (far.translations, near.translations),
    ):
        assert {key: found.value for key, found in one.items()} == {
            key: found.value for key, found in other.items()
        }
    assert (far.mentions, far.wheres) == (near.mentions, near.wheres)
    assert check_loaded_pack(far) == check_loaded_pack(near)


def test_few_cards_and_values_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DiskMap.__init__, "__defaults__", (3, 1))
    loaded = load_pack(lay_over(tmp_path / "no-case", tmp_path / "project"), "lanterns")
    assert loaded.pack is not None
    *_, last, other = loaded.pack.cards
    card, value = loaded.pack.cards[last], loaded.documents[last].value
    assert loaded.pack.cards[other] != card
    assert loaded.documents[other].value != value
    assert loaded.pack.cards[last] is not card
    assert loaded.documents[last].value is not value
    assert (loaded.pack.cards[last], loaded.documents[last].value) == (card, value)


def test_every_place_is_found_without_being_held(tmp_path: Path) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    cold = load_pack(project, "lanterns")
    assert cold.files_read
    for loaded in (cold, load_pack(project, "lanterns")):
        for document in (*loaded.documents.values(), *loaded.translations.values()):
            text = (project.root / document.file).read_text("utf-8")
            read, _ = parse_document(text, document.file)
            assert read is not None
            assert document.value == read.value
            assert {path: document.locate(path) for path in read.marks} == {
                path: read.locate(path) for path in read.marks
            }
            for path in read.key_marks:
                assert document.locate(path, key=True) == read.locate(path, key=True)


def test_a_place_in_a_file_edited_meanwhile_is_where_it_is_now(tmp_path: Path) -> None:
    """What the file held when it was read stays."""
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    moved, gone = (
        project.get_cards_dir("lanterns") / "spirit" / f"{card}.yaml"
        for card in ("old-wick", "dusk-moth")
    )
    before, loaded = load_pack(project, "lanterns"), load_pack(project, "lanterns")
    place = before.documents["old-wick"].locate(("lumen",))
    moved.write_text("# a remark\n" + moved.read_text("utf-8"), "utf-8")
    gone.unlink()
    assert loaded.documents["old-wick"].locate(("lumen",)).line == (place.line or 0) + 1
    assert loaded.documents["dusk-moth"].locate(("lumen",)).line == 1
    assert loaded.documents["dusk-moth"].value["id"] == "dusk-moth"
    moved.write_text("{", "utf-8")
    again = load_pack(project, "lanterns")
    assert "old-wick" not in again.documents
    assert loaded.documents["old-wick"].value["id"] == "old-wick"


@pytest.mark.slow
def test_a_squad_prints_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(ROOT)
    squad = project.get_cards_dir("killteam") / "rosters" / "legal-last-candle.yaml"
    made = []
    for room in (1000, 3):
        monkeypatch.setattr(DiskMap.__init__, "__defaults__", (room, MAX_RECENT_VALUES))
        options = build_options(
            langs=("ru",),
            roster=squad,
            profile="proof",
            output=tmp_path / str(room),
            workers=1,
        )
        made.append(
            [
                file.path.read_bytes()
                for file in build_pack(project, "killteam", options).files
            ]
        )
    assert made[0] == made[1] != []
