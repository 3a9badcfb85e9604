"""A folder of pictures becomes cards, or the pictures of a table's cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from builder.errors import UsageError
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from builder.usecases.tables.picture_folder import list_pictures, match_backs
from tests.program import run


def draw(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        Image.new("RGB", (690, 940), "teal").save(folder / name)
    return folder


def test_each_picture_is_a_card_with_its_own_or_the_common_back(tmp_path):
    draw(
        tmp_path / "art",
        "Red Fox.png",
        "old_otter-front.png",
        "old_otter-back.png",
        "back.png",
    )
    process = run(tmp_path, "new", "game", "--layout", "picture", "--pictures", "art")
    assert (process.returncode, process.stderr) == (0, "")
    project = Project(tmp_path / "game")
    pack = load_pack(project, "game").whole
    arts = {
        card.name: (card.data["art"], card.data.get("back_art"))
        for card in pack.cards.values()
    }
    assert arts == {
        "Red Fox": ("Red Fox.png", None),
        "Old otter": ("old_otter-front.png", "old_otter-back.png"),
    }
    assert pack.manifest.kinds["picture"].back == "own"
    template = (tmp_path / "game/templates/game/picture/back.html.j2").read_text()
    assert 'src="art/back.png"' in template
    assert check_packs(project, "game") == ()
    built = run(tmp_path / "game", "build", "--profile", "screen")
    assert (built.returncode, "2 cards on 4 pages" in built.stdout) == (0, True)


def test_without_paired_backs_all_cards_share_one(tmp_path):
    draw(tmp_path / "art", "fox.png", "otter.png")
    arguments = ("--layout", "picture", "--pictures", "art", "--size", "2.5inx3.5in")
    assert run(tmp_path, "new", "game", *arguments).returncode == 0
    kind = load_pack(Project(tmp_path / "game"), "game").whole.manifest.kinds["picture"]
    assert (kind.back, kind.size.width, kind.size.height) == ("common", 63.5, 88.9)


def test_pictures_of_a_table_are_found_by_id_and_by_name(tmp_path):
    draw(tmp_path / "art", "red-fox.png", "Старая выдра.png", "nobody.png")
    table = "id;Name;Rules\nred-fox;Reynard;It runs.\nx7;Старая выдра;It swims.\nx8;Owl;It sees."
    (tmp_path / "cards.csv").write_text(table, "utf-8")
    process = run(tmp_path, "new", "game", "--from", "cards.csv", "--pictures", "art")
    assert process.returncode == 0, process.stderr
    assert "Pictures matched by id or name: 2" in process.stdout
    cards = load_pack(Project(tmp_path / "game"), "game").whole.cards.values()
    arts = {card.name: card.data.get("art") for card in cards}
    assert arts == {
        "Reynard": "red-fox.png",
        "Старая выдра": "Старая выдра.png",
        "Owl": None,
    }
    template = (tmp_path / "game/templates/game/cards/front.html.j2").read_text()
    assert "pictures.shown(card, " in template


def test_pictures_of_a_column_are_read_from_the_folder(tmp_path):
    draw(tmp_path / "art", "a.png")
    (tmp_path / "cards.csv").write_text(
        "Name;Picture;Rules\nFox;a.png;It runs.", "utf-8"
    )
    process = run(tmp_path, "new", "game", "--from", "cards.csv", "--pictures", "art")
    assert process.returncode == 0, process.stderr
    assert (tmp_path / "game/cards/game/art/a.png").is_file()


def test_a_folder_without_pictures_and_pictures_without_a_use_are_refused(tmp_path):
    (tmp_path / "art").mkdir()
    (tmp_path / "art/notes.txt").write_text("none")
    with pytest.raises(UsageError, match="contains no pictures"):
        list_pictures(tmp_path / "art")
    refused = run(tmp_path, "new", "game", "--pictures", "art")
    assert (refused.returncode, (tmp_path / "game").exists()) == (2, False)


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["a.png", "a-back.png"], [("A", "a.png", "a-back.png")]),
        (
            ["Black.png", "Humpback.png"],
            [("Black", "Black.png", ""), ("Humpback", "Humpback.png", "")],
        ),
        (["lone_back.png"], [("Lone back", "lone_back.png", "")]),
    ],
)
def test_backs_are_paired_with_their_fronts(names, pairs):
    cards, common_back = match_backs([Path(name) for name in names])
    assert common_back is None
    assert [
        (card.name, card.front.name, card.back.name if card.back else "")
        for card in cards
    ] == pairs
