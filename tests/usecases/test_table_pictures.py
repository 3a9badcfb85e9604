"""Pictures and icons of cards from tables, at the first import and at later ones."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from PIL import Image

from builder.files import write_files
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from builder.usecases.tables.picture_folder import match_pictures
from builder.usecases.tables.table_import import TableImport, TableOptions

ROWS = "Name,Art,Rules\nFox,fox.png,Runs.\nCub,cub.png,Sleeps.\n"


def draw(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", (90, 60), "teal").save(path)


def begin(
    folder: Path, text: str, pictures: Path | None = None
) -> tuple[NewPack, Project]:
    (folder / "cards.csv").write_text(text, "utf-8")
    tables = TableRequest((folder / "cards.csv",))
    with patch.object(new_pack, "fit_design"):
        pack = make_pack(PackRequest(folder / "game", tables, pictures=pictures))
    write_project(folder / "game", iter(pack.files))
    return pack, Project(folder / "game")


def import_again(
    project: Project, text: str, pictures: Path | None = None
) -> TableImport:
    file = project.root.parent / "cards.csv"
    file.write_text(text, "utf-8")
    matcher = match_pictures(pictures) if pictures else None
    request = TableRequest((file,), pictures=pictures)
    result = import_tables(project, "game", request, TableOptions(pictures=matcher))
    write_files(result.files)
    return result


def list_art(project: Project) -> dict[str, object]:
    cards = PackFiles(project).load_pack("game").whole.cards
    return {card_id: card.data.get("art") for card_id, card in cards.items()}


def test_a_missing_picture_is_taken_when_it_appears(tmp_path: Path) -> None:
    draw(tmp_path / "fox.png")
    _pack, project = begin(tmp_path, ROWS)
    assert list_art(project) == {"cub": None, "fox": "fox.png"}
    mapping = project.get_cards_dir("game") / "tables" / "cards.mapping.yaml"
    assert "null" not in mapping.read_text("utf-8")
    second_import = import_again(project, ROWS)
    assert [str(item.message) for item in second_import.findings] == [
        "B3: no picture beside the table is called cub.png"
    ]
    assert second_import.files == {}
    draw(tmp_path / "cub.png")
    import_again(project, ROWS)
    assert list_art(project) == {"cub": "cub.png", "fox": "fox.png"}
    assert (project.get_cards_dir("game") / "art" / "cub.png").is_file()
    assert import_again(project, ROWS).files == {}


def test_a_picture_that_a_stored_mapping_left_out_is_taken_too(tmp_path: Path) -> None:
    draw(tmp_path / "fox.png")
    _pack, project = begin(tmp_path, ROWS)
    mapping = project.get_cards_dir("game") / "tables" / "cards.mapping.yaml"
    text = mapping.read_text("utf-8")
    mapping.write_text(
        text.replace("Art: art", "Art: {field: art, values: {cub.png: null}}")
    )
    draw(tmp_path / "cub.png")
    import_again(project, ROWS)
    assert list_art(project) == {"cub": "cub.png", "fox": "fox.png"}


def test_new_rows_get_pictures_by_id_or_name(tmp_path: Path) -> None:
    for name in ("fox.png", "cub.png", "Old Heron.png"):
        draw(tmp_path / "pictures" / name)
    rows = "Name,Rules\nFox,Runs.\n"
    pack, project = begin(tmp_path, rows, tmp_path / "pictures")
    assert "Pictures matched by id or name: 1" in map(str, pack.summary)
    more_rows = f"{rows}Cub,Sleeps.\nOld Heron,Sees.\nOwl,Flies.\n"
    import_again(project, more_rows)
    assert list_art(project) == {
        "cub": None,
        "fox": "fox.png",
        "old-heron": None,
        "owl": None,
    }
    import_again(project, more_rows, tmp_path / "pictures")
    assert list_art(project) == {
        "cub": "cub.png", "fox": "fox.png", "old-heron": "Old Heron.png", "owl": None,
    }  # fmt: skip


def test_pictures_named_by_a_column_are_counted(tmp_path: Path) -> None:
    for name in ("fox.png", "cub.png"):
        draw(tmp_path / "pictures" / name)
    pack, _project = begin(tmp_path, ROWS, tmp_path / "pictures")
    assert "Pictures named by a column: 2; matched by id or name: 0" in map(
        str, pack.summary
    )


@pytest.mark.parametrize(
    "text", ["Name,Rules\nFox,Runs.\n", "Name,Rules\nFox,Runs 🏹.\n"]
)
def test_new_symbols_get_icons_at_later_imports(text: str, tmp_path: Path) -> None:
    _pack, project = begin(tmp_path, text)
    result = import_again(project, f"{text}Cub,Sleeps 🛌.\n")
    pack = PackFiles(project).load_pack("game").whole
    assert "🛌" in pack.manifest.icons
    icon = (
        project.get_templates_dir("game") / "icons" / f"{pack.manifest.icons['🛌']}.svg"
    )
    assert icon.is_file()
    assert any(
        "no typeface has these symbols" in str(item.message) for item in result.findings
    )
    assert import_again(project, f"{text}Cub,Sleeps 🛌.\n").files == {}
