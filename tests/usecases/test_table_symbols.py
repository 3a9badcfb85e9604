"""Symbols of tables that no typeface has are printed as icons, and the cards can be built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from builder.findings import Severity, has_errors
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.packs.tables.symbols import (
    CORNERS_AND_DEPTHS,
    HOLE_CORNERS,
    draw_icons,
    find_symbols,
    name_icons,
    remove_symbols,
)
from builder.render.html.icons import build_font
from builder.usecases.tables.new_pack import PackRequest, make_pack
from tests.hostile.attacks import call

HEADINGS = "Name,⚔,🛡,❤,Text\nFox,3,1,2,Gain 1 ⚔.\nBear,5,2,6,Heal 2 ❤.\n"
EVERYWHERE = """Name,Faction,Tags,Kind of 🔥,Text
Fox,🌲 Wood,🐾,🔥 hot,Gain 1 ⚔️ or 1️⃣.
Bear 🐻,🌲 Wood,🐾,🔥 hot,Heal 👨‍👩‍👧.
🐉 Drake,Sky,🐾,🧊,**Heal ❤**.
Owl,Sky,🐾,🧊,Wait → go.
"""


@pytest.mark.parametrize(
    ("table", "icons"),
    [
        (HEADINGS, {"⚔": "crossed-swords", "❤": "heart"}),
        (
            EVERYWHERE,
            {
                "🌲": "evergreen-tree",
                "🐾": "feet",
                "🔥": "fire",
                "⚔": "crossed-swords",
                "1️⃣": "1",
                "🐻": "bear",
                "👨‍👩‍👧": "man-woman-girl",
                "🐉": "dragon",
                "❤": "heart",
                "🧊": "ice-cube",
            },
        ),
    ],
)
def test_a_table_with_symbols_is_checked_and_built(
    table: str, icons: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "emoji.csv"
    path.write_text(table, "utf-8")
    result = make_pack(PackRequest(tmp_path / "game", TableRequest((path,)), (63, 88)))
    assert not has_errors(result.findings)
    (note,) = [item for item in result.findings if "no typeface" in item.message]
    assert note.severity is Severity.NOTE
    for symbol, name in icons.items():
        assert f"{symbol} {name}.svg" in note.message
    write_project(tmp_path / "game", iter(result.files))
    project = Project(tmp_path / "game")
    pack = PackFiles(project).load_pack("game").whole
    assert dict(pack.manifest.icons) == icons
    drawings = list((project.get_templates_dir("game") / "icons").glob("*.svg"))
    assert sorted(path.stem for path in drawings) == sorted(icons.values())
    assert len({path.read_bytes() for path in drawings}) == len(icons)
    for label in pack.vocabulary.labels.values():
        assert find_symbols(label.values()) == []
    for command in (("check",), ("build", "--pack", "game")):
        code, output = call(project.root, *command)
        assert code == 0, output


def test_symbols_are_found_with_the_signs_that_extend_them() -> None:
    text = "Gain 1 ⚔️ 🇩🇪 👍🏽 1️⃣. No. №5, 20°, «x», ½ … — 中文 ™"
    assert find_symbols([text]) == ["⚔", "🇩🇪", "👍🏽", "1️⃣"]
    assert find_symbols(["⚔⚔️"]) == ["⚔"]


@pytest.mark.parametrize(
    ("name", "label"),
    [("⚔️ Attack", "Attack"), ("Cost 💰 (gold)", "Cost (gold)"), ("№", "№")],
)
def test_labels_are_words(name: str, label: str) -> None:
    assert remove_symbols(name) == label


def test_every_icon_is_a_glyph_of_its_own() -> None:
    symbols = [chr(0x1F400 + number) for number in range(100)]
    icons = name_icons(symbols, {"rat"})
    assert len(icons) == len(CORNERS_AND_DEPTHS) * len(HOLE_CORNERS)
    assert icons["\U0001f400"] == "rat-2"
    drawings = draw_icons(icons)
    assert len(set(drawings.values())) == len(icons)
    assert build_font(drawings, "icons")[1] == ()
    assert all(
        re.fullmatch(r"<svg .*</svg>\n", data.decode()) for data in drawings.values()
    )
