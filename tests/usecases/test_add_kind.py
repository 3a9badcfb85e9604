"""A kind is added with a layout or a design from its columns, and its cards build."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PIL import Image

from builder.files import write_files
from builder.findings import Severity, has_errors
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import list_layouts, write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.tables.add_kind import KindRequest, NewKind, add_kind
from builder.usecases.tables.kind_style import RESET, adapt_kind_style
from builder.usecases.tables.new_pack import PackRequest, make_pack
from tests.hostile.attacks import call

BEASTS = "Name,Points,Rules\nElk,3,It runs.\nOwl,2,It sees.\n"
UNITS = """Name,Faction,Cost,Keywords,Speed,Strength,Nerve,Health,Rules
Mist,Fen,3,Ghost,4,2,3,5,No model may charge.
Mire,Peak,2,Wet,1,2,3,9,**Difficult** ground.
"""
STATS = "Speed,Strength,Nerve,Health"
TABLES_BY_LAYOUT = {
    "poker": f"Name,Faction,Cost,{STATS},Rules\nMist,Fen,3,4,2,3,5,Wait.\nMire,Fen,2,1,2,3,9,Go.\n",
    "tarot": (
        f"Name,Cost,Title,Quote,{STATS},Attack,Hit,Damage,Rules\n"
        "Mist,3,The cold,Be still.,4,2,3,5,Claw,2d6,1,Wait.\n"
        "Mire,2,The wet,Come in.,1,2,3,9,Bite,3d6,2,Go.\n"
    ),
    "mini": "Name,Cost,Worn,Rules\nLamp,3,paw,It glows.\nCloak,2,back,It warms.\n",
    "square": "Name,Cover,Worth,Text\nMarsh,1,2,Slow.\nHill,2,3,High.\n",
    "ship": (
        "Name,Cost,Class,Speed,Turn,Draught,Hull,Crew,Rules\n"
        "Skiff,3,Small boat,6,2,1,4,2,Light.\nBarge,5,Big boat,3,1,2,9,4,Heavy.\n"
    ),
    "sheet": (
        f"Name,Faction,Leader,Motto,{STATS},Stores,Renown,Rules\n"
        "Reds,Fen,Old Fox,Run!,4,2,3,5,6,3,Wait.\nBlues,Fen,Cub,Stay!,4,2,3,5,7,4,Go.\n"
    ),
    "mission": (
        "Name,Flavour,Setup,Turns,Bands,Board,Rules\n"
        "Ford,A ford at dawn.,Put three stones.,5,30,24,Deep water.\n"
        "Mill,A mill at dusk.,Put four stones.,6,40,30,Loud wheels.\n"
    ),
    "folder": (
        "Name,Subtitle,About,Address,Left,Right,Effect\n"
        "Aid,All in one,It helps.,https://a.example/aid,Turn,Tables,Move all.\n"
        "Help,More in one,It does.,https://a.example/help,Turn,Tables,Move one.\n"
    ),
    "picture": "Name,Art\nMist,mist.png\nMire,mire.png\n",
}
LAYOUTS_OF_LISTS = {"event", "reference", "tokens", "unit"}
"""Layouts whose cards consist of lists or scenes, for which a table has no columns."""
SENTENCE = (
    "It sees what nobody sees and tells nobody about it until the moon is full again. "
)
DAY = date(2027, 5, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Make a pack with one kind."""
    (tmp_path / "beasts.csv").write_text(BEASTS, "utf-8")
    request = PackRequest(
        tmp_path / "game", TableRequest((tmp_path / "beasts.csv",)), (63, 88)
    )
    write_project(tmp_path / "game", iter(make_pack(request).files))
    return Project(tmp_path / "game")


def add(
    project: Project, table: str, layout: str = "", *, skip_errors: bool = False
) -> NewKind:
    """Add the kind `unit`, and write its files."""
    file = project.root.parent / "units.csv"
    file.write_text(table, "utf-8")
    request = KindRequest(
        "game", "unit", TableRequest((file,)), layout, DAY, skip_errors
    )
    result = add_kind(project, request)
    write_files(result.files)
    return result


def build(project: Project) -> None:
    """Check and build the pack without an error."""
    for command in (("check",), ("build", "--pack", "game")):
        code, output = call(project.root, *command)
        assert code == 0, output


def test_a_layout_takes_the_columns_with_the_names_of_its_fields(
    project: Project,
) -> None:
    result = add(project, UNITS, "poker")
    assert result.findings == []
    pack = PackFiles(project).load_pack("game").whole
    assert pack.cards["mire"].data == {
        "speed": 1,
        "strength": 2,
        "nerve": 3,
        "health": 9,
        "abilities": {"rules": {"name": "Rules", "text": "**Difficult** ground."}},
    }
    assert (pack.cards["mire"].faction, pack.cards["mire"].cost) == ("peak", 2)
    assert pack.vocabulary.factions.keys() == {"fen", "peak"}
    template = (project.get_templates_dir("game") / "unit/front.html.j2").read_text(
        "utf-8"
    )
    assert "ability_list" in template
    build(project)
    code, output = call(
        project.root, "table", "import", project.root.parent / "units.csv"
    )
    assert (code, output.strip()) == (0, "Nothing changed.")


def test_columns_without_a_place_in_the_layout_are_reported(project: Project) -> None:
    table = UNITS.replace("Speed,", "Range,Speed,").replace(",4,2,", ",8,4,2,")
    result = add(project, table.replace(",1,2,", ",7,1,2,"), "poker")
    messages = [item.message for item in result.findings]
    assert messages == ["the layout poker does not print the columns Range"]
    assert PackFiles(project).load_pack("game").whole.cards["mire"].data["range"] == 7
    build(project)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (
            "Name,Power,Text\nMist,X,Wait.\nMire,2,Go.\n",
            "no columns for its fields faction, cost",
        ),
        (UNITS.replace(",5,No", ",50,No"), "H2: "),
        (UNITS.replace(",Fen,3,Ghost,4", ",Fen,3,Ghost,X"), "E2: "),
    ],
)
def test_a_table_that_does_not_suit_a_layout_gets_a_design_from_its_columns(
    table: str, reason: str, project: Project
) -> None:
    result = add(project, table, "poker")
    (warning,) = result.findings
    assert warning.severity is Severity.WARNING
    assert "the layout poker was not used" in warning.message
    assert reason in warning.message
    cards = PackFiles(project).load_pack("game").whole.cards
    assert {"mist", "mire"} < cards.keys()
    build(project)


@pytest.mark.parametrize(
    ("wrong_rows", "uses_layout"), [(1, True), (2, True), (3, False)]
)
def test_a_wrong_row_that_is_left_out_keeps_the_layout(
    wrong_rows: int, uses_layout: bool, project: Project
) -> None:
    heading, first_row, *_rows = UNITS.splitlines()
    rows = [first_row.replace("Mist", f"Mist {number}") for number in range(4)]
    for number in range(wrong_rows):
        rows[number] = rows[number].replace(",4,2,", ",fast,2,")
    result = add(project, "\n".join([heading, *rows, ""]), "poker", skip_errors=True)
    was_switched = any("was not used" in str(item.message) for item in result.findings)
    cards = PackFiles(project).load_pack("game").whole.cards
    count = sum(card.kind == "unit" for card in cards.values())
    assert (was_switched, count) == (
        not uses_layout,
        4 - wrong_rows if uses_layout else 4,
    )


def test_the_design_of_a_new_kind_fits_its_cards(project: Project) -> None:
    result = add(project, f"Name,Text\nMist,{SENTENCE * 40}\nMire,Wait for ⚔.\n")
    assert not has_errors(result.findings)
    pack = PackFiles(project).load_pack("game").whole
    size = pack.manifest.kinds["unit"].size
    assert (size.width, size.height) == (88.9, 139.7)
    assert pack.manifest.kinds["beasts"].size.width == 63
    assert dict(pack.manifest.icons) == {"⚔": "crossed-swords"}
    build(project)


def test_a_wrong_table_changes_nothing(project: Project) -> None:
    table = "Name,Text,Released\nMist,Wait.,soon\nMire,Go.,2026-01-01\n"
    assert has_errors(add(project, table).findings)
    assert "unit" not in PackFiles(project).load_pack("game").whole.manifest.kinds


@pytest.mark.parametrize("layout", sorted({*list_layouts()} - LAYOUTS_OF_LISTS))
def test_every_layout_takes_a_table_with_columns_for_its_fields(
    layout: str, project: Project
) -> None:
    for name in ("mist.png", "mire.png"):
        Image.new("RGB", (900, 1200), "#446644").save(project.root.parent / name)
    result = add(project, TABLES_BY_LAYOUT[layout], layout)
    assert [item.message for item in result.findings] == []
    pack = PackFiles(project).load_pack("game").whole
    assert dict(pack.manifest.kinds["unit"].name) == {"en": "Unit"}
    assert not pack.manifest.kinds["unit"].plural
    assert len(list(pack.list_cards_of_kind("unit"))) == 2
    build(project)


def test_the_design_of_a_new_kind_fits_in_the_style_of_the_pack(
    project: Project,
) -> None:
    style = project.get_templates_dir("game") / "pack.css"
    style.write_text(
        style.read_text("utf-8") + ".body { letter-spacing: 4pt }\n", "utf-8"
    )
    add(project, f"Name,Text\nMist,{SENTENCE * 8}\nMire,Wait.\n")
    pack = PackFiles(project).load_pack("game").whole
    assert pack.manifest.kinds["unit"].size.width == 70
    assert style.read_text("utf-8").endswith("letter-spacing: 4pt }\n")
    build(project)


@pytest.mark.parametrize("layout", ["", "poker"])
def test_a_pack_with_a_style_of_its_own_gets_another_kind(
    layout: str, tmp_path: Path
) -> None:
    write_project(tmp_path / "game")
    project = Project(tmp_path / "game")
    style = project.get_templates_dir("game") / "pack.css"
    old_style = style.read_bytes()
    result = add(project, UNITS, layout)
    assert [item.message for item in result.findings] == []
    assert style.read_bytes() == old_style
    css = (project.get_templates_dir("game") / "unit/card.css").read_text("utf-8")
    assert css.startswith('@import url("base/blocks/blocks.css");')
    assert ".kind-unit .name { position: absolute;" in css
    code, output = call(project.root, "build", "--lang", "en")
    assert code == 0, output


def test_rules_of_a_new_kind_do_not_change_other_kinds() -> None:
    pack_css = ".face { color: red } .name, .price { width: 42mm; color: red } .mood { color: red }"
    design_css = ".face { --ink: black } .body p, .mood { margin: 0 }"
    css = adapt_kind_style("unit", ".name { left: 2mm }", design_css, pack_css)
    assert css.splitlines() == [
        '@import url("base/blocks/blocks.css");',
        f".kind-unit .name {{ {RESET} }}",
        ".kind-unit.face { --ink: black }",
        ".kind-unit .body p { margin: 0 }",
        ".kind-unit .mood { margin: 0 }",
        ".kind-unit .name { left: 2mm }",
    ]
