"""How a table was read is in a file, and the next import reads the table in the same way."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from builder.errors import UsageError
from builder.files import write_files
from builder.findings import Severity, has_errors
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.check_pack import check_packs
from builder.usecases.tables import add_kind as add_kind_module, new_pack
from builder.usecases.tables.add_kind import KindRequest, add_kind
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.new_pack import PackRequest, make_pack
from builder.usecases.tables.table_import import TableImport, TableOptions
from tests.usecases.table_cards import read_cards

UNNAMED = """Faction,Points,Move,Rules,Copies
Lamps,6,5,Once a turn it may move again.,1
Lamps,2,7,"After it moves, it may light a lamp.",3
Fog,4,5,Its target burns.,2
"""
BEASTS = (
    "Name,Points,Traits,Rules\nElk,3,Beast. Swift.,It runs.\nOwl,2,Beast.,It sees.\n"
)
DAY = date(2027, 5, 1)


@pytest.fixture(autouse=True)
def leave_out_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are not drawn here."""
    monkeypatch.setattr(new_pack, "fit_design", lambda *_arguments, **_options: None)
    monkeypatch.setattr(
        add_kind_module,
        "fit_design",
        lambda _proof, designs: designs,
    )


def begin(folder: Path, text: str) -> Project:
    """Make a pack from a table, and return its project."""
    (folder / "cards.csv").write_text(text, "utf-8")
    request = PackRequest(
        folder / "game", TableRequest((folder / "cards.csv",)), (63, 88), DAY
    )
    result = make_pack(request)
    assert not has_errors(result.findings)
    write_project(folder / "game", iter(result.files))
    return Project(folder / "game")


def import_again(
    project: Project, text: str, *, skip_errors: bool = False
) -> TableImport:
    """Import an edited table."""
    file = project.root.parent / "cards.csv"
    file.write_text(text, "utf-8")
    options = TableOptions(day=DAY, skip_errors=skip_errors)
    return import_tables(project, "game", TableRequest((file,)), options)


@pytest.mark.parametrize("text", [UNNAMED, BEASTS])
def test_the_same_table_changes_nothing(text: str, tmp_path: Path) -> None:
    result = import_again(begin(tmp_path, text), text)
    assert (result.changes, result.files, has_errors(result.findings)) == (
        [],
        {},
        False,
    )


def test_rows_in_another_order_are_the_same_cards(tmp_path: Path) -> None:
    project = begin(tmp_path, UNNAMED)
    head, first, second, third = UNNAMED.splitlines()
    new = "Fog,9,9,It is new.,1"
    result = import_again(project, "\n".join([head, new, third, first, second, ""]))
    assert [change.file for change in result.changes] == [
        "cards/game/cards/cards-4.yaml"
    ]
    write_files(result.files)
    mapping = (project.get_cards_dir("game") / "tables/cards.mapping.yaml").read_text(
        "utf-8"
    )
    assert mapping.count("cards-4") == 1
    assert import_again(project, "\n".join([head, third, new])).files == {}


def test_edits_of_the_mapping_file_count(tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    path = project.get_cards_dir("game") / "tables/cards.mapping.yaml"
    mapping = path.read_text("utf-8")
    assert 'split: ". "' in mapping
    path.write_text(
        mapping.replace("Points: {field: cost", "Worth: {field: cost"), "utf-8"
    )
    result = import_again(
        project, BEASTS.replace("Points", "Worth").replace("Elk,3", "Elk,4")
    )
    assert [change.leaves[0].new for change in result.changes] == [4]
    result = import_again(project, BEASTS)
    assert [
        "B1: no field is called Points" in item.message for item in result.findings
    ] == [True]


def test_all_wrong_cells_are_reported_and_can_be_left_out(tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    text = (
        BEASTS.replace("Elk,3", "Elk,many").replace("Owl,2", "Owl,few")
        + "Fox,1,Swift.,Sly.\n"
    )
    result = import_again(project, text)
    errors = [
        item.message for item in result.findings if item.severity.value == "error"
    ]
    assert [message[:3] for message in errors] == ["B2:", "B3:"]
    result = import_again(project, text, skip_errors=True)
    assert not has_errors(result.findings)
    assert [change.file for change in result.changes] == ["cards/game/cards/fox.yaml"]


@pytest.mark.parametrize(
    "row", ["Fox,3,soon,1,1", "Fox,3,2024-02-03,first,1", "Fox,3,2024-02-03,1,many"]
)
def test_rows_with_wrong_history_or_copies_are_left_out(
    row: str, tmp_path: Path
) -> None:
    text = "Name,Points,Released,Revision,Copies\nElk,3,2024-02-03,2,4\n"
    project = begin(tmp_path, text)
    assert has_errors(import_again(project, f"{text}{row}\n").findings)
    result = import_again(
        project, f"{text}{row}\nOwl,1,2024-02-03,1,1\n", skip_errors=True
    )
    assert not has_errors(result.findings)
    assert [change.file for change in result.changes] == ["cards/game/cards/owl.yaml"]


@pytest.mark.parametrize(
    ("costs", "values"),
    [
        (("€ 3,50", "€ 12,00"), ("€ 3,50", "€ 12,00")),
        (("$3", "2"), ("$3", "2")),
        (("3.50", "1"), ("3.50", "1")),
        (("EUR 3", "EUR 4"), ("EUR 3", "EUR 4")),
        (("X", "2"), ("X", 2)),
    ],
)
def test_costs_that_are_no_whole_numbers_are_kept(
    costs: tuple[str, str], values: tuple[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "shop.csv"
    path.write_text(f"Name;Cost\nKey;{costs[0]}\nGate;{costs[1]}\n", "utf-8")
    result = make_pack(
        PackRequest(tmp_path / "game", TableRequest((path,)), (63, 88), DAY)
    )
    assert not has_errors(result.findings)
    assert read_cards(result) == {
        "key": {"name": "Key", "cost-text": values[0]},
        "gate": {"name": "Gate", "cost-text": values[1]},
    }


@pytest.mark.parametrize(
    ("texts", "costs"),
    [(("2,5", "1"), (2.5, 1)), (("0", "12"), (0, 12)), (("1 250", "900"), (1250, 900))],
)
def test_costs_that_print_as_shown_are_numbers(
    texts: tuple[str, str], costs: tuple[float, float], tmp_path: Path
) -> None:
    path = tmp_path / "shop.csv"
    path.write_text(f"Name;Cost\nKey;{texts[0]}\nGate;{texts[1]}\n", "utf-8")
    result = make_pack(
        PackRequest(tmp_path / "game", TableRequest((path,)), (63, 88), DAY)
    )
    cards = read_cards(result)
    assert (cards["key"]["cost"], cards["gate"]["cost"]) == costs


def test_each_value_of_the_column_kind_is_imported(tmp_path: Path) -> None:
    text = "Kind,Name,Points\nUnit,Elk,3\nUnit,Owl,2\nEvent,Fog,1\n"
    project = begin(tmp_path, text)
    pack = PackFiles(project).load_pack("game").pack
    assert pack is not None
    kinds = {card.id: card.kind for card in pack.cards.values()}
    assert kinds == {"elk": "unit", "owl": "unit", "fog": "event"}
    assert import_again(project, text).files == {}
    result = import_again(
        project, text.replace("Elk,3", "Elk,4").replace("Fog,1", "Fog,2")
    )
    assert {change.file for change in result.changes} == {
        "cards/game/unit/elk.yaml",
        "cards/game/event/fog.yaml",
    }
    result = import_again(project, text + "Spell,Fire,1\n")
    assert [
        "A5: no mapping file has the kind Spell" in item.message
        for item in result.findings
    ]
    assert has_errors(result.findings)
    # Without mapping files, the column alone says which row is of which kind.
    for path in (project.get_cards_dir("game") / "tables").iterdir():
        path.unlink()
    without_mapping = text.replace("Points", "cost").replace("Fog,1", "Fog,5")
    result = import_again(project, without_mapping)
    assert [change.file for change in result.changes] == ["cards/game/event/fog.yaml"]


def test_each_file_is_a_kind(tmp_path: Path) -> None:
    files = (tmp_path / "unit.csv", tmp_path / "event.csv")
    files[0].write_text("Name,Points\nElk,3\n")
    files[1].write_text("Name,Effect\nFog,Stay.\n")
    result = make_pack(
        PackRequest(tmp_path / "game", TableRequest(files), (63, 88), DAY)
    )
    assert read_cards(result) == {
        "elk": {"name": "Elk", "cost": 3},
        "fog": {"name": "Fog", "effect": "Stay."},
    }
    write_project(tmp_path / "game", iter(result.files))
    project = Project(tmp_path / "game")
    pack = PackFiles(project).load_pack("game").pack
    assert pack is not None
    assert {card.id: card.kind for card in pack.cards.values()} == {
        "elk": "unit",
        "fog": "event",
    }
    assert (
        import_tables(project, "game", TableRequest(files), TableOptions()).files == {}
    )
    files[0].write_text("Name,Points\nElk,5\n")
    files[1].write_text("Name,Effect\nFog,Go.\n")
    changed = import_tables(project, "game", TableRequest(files), TableOptions())
    assert sorted(path.stem for path in changed.files) == ["elk", "fog"]
    files[1].write_text("Name,Effect,Zeal\nFog,Go.,9\n")
    assert has_errors(
        import_tables(project, "game", TableRequest(files), TableOptions()).findings
    )


def test_a_mapping_file_has_no_path_outside_the_pack(tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    path = project.get_cards_dir("game") / "tables/cards.mapping.yaml"
    path.write_text(
        path.read_text("utf-8").replace("file: cards.csv", "file: ../../cards.csv")
    )
    assert has_errors(import_again(project, BEASTS).findings)


def test_each_sheet_and_each_value_of_kind_is_a_kind(tmp_path: Path) -> None:
    book = Workbook()
    book.active.title = "Unit"
    for row in (["Name", "Points"], ["Elk", 3]):
        book.active.append(row)
    sheet = book.create_sheet("Event")
    for row in (["Name", "Effect"], ["Elk", "Run."], ["Fog", "Stay."]):
        sheet.append(row)
    book.save(tmp_path / "all.xlsx")
    tables = TableRequest((tmp_path / "all.xlsx",))
    result = make_pack(PackRequest(tmp_path / "game", tables, (63, 88), DAY))
    assert read_cards(result) == {
        "elk": {"name": "Elk", "cost": 3},
        "elk-2": {"name": "Elk", "effect": "Run."},
        "fog": {"name": "Fog", "effect": "Stay."},
    }
    write_project(tmp_path / "game", iter(result.files))
    project = Project(tmp_path / "game")
    assert import_tables(project, "game", tables, TableOptions()).files == {}
    book["Unit"]["B2"], sheet["B3"] = 5, "Go."
    book.save(tmp_path / "all.xlsx")
    changed = import_tables(project, "game", tables, TableOptions())
    assert sorted(path.stem for path in changed.files) == ["elk", "fog"]
    book["Unit"]["B2"] = "many"
    book.save(tmp_path / "all.xlsx")
    assert has_errors(import_tables(project, "game", tables, TableOptions()).findings)


def test_a_kind_is_added_with_its_cards(tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    (tmp_path / "spells.csv").write_text(
        "Name,Power,Text\nFire,X,Burn.\nElk,2,Call it.\n"
    )
    request = KindRequest(
        "game", "spell", TableRequest((tmp_path / "spells.csv",)), day=DAY
    )
    result = add_kind(project, request)
    assert not has_errors(result.findings)
    write_files(result.files)
    pack = PackFiles(project).load_pack("game").pack
    assert pack is not None
    assert {card.id: card.kind for card in pack.cards.values()} == {
        "elk": "cards",
        "owl": "cards",
        "fire": "spell",
        "elk-2": "spell",
    }
    assert pack.cards["fire"].data == {"power": "X", "text": "Burn."}


def test_columns_set_the_history(tmp_path: Path) -> None:
    text = "Name,Points,Released,Revision\nElk,3,2024-02-03,2\nOwl,2,,\n"
    pack = PackFiles(begin(tmp_path, text)).load_pack("game").pack
    assert pack is not None
    history = {card.id: (card.revision, card.released) for card in pack.cards.values()}
    assert history == {"elk": (2, date(2024, 2, 3)), "owl": (1, DAY)}


def test_equal_rows_without_a_name_are_two_cards(tmp_path: Path) -> None:
    project = begin(
        tmp_path, "Rank,Suit,Copies\nA,Keys,1\nJoker,None,1\nJoker,None,1\nA,Bells,1\n"
    )
    assert len(list(project.root.glob("cards/game/cards/*.yaml"))) == 4


@pytest.mark.parametrize(
    ("row", "lang"),
    [
        ("Draw a card and put it into your hand.", "en"),
        ("Du darfst in diesem Zug eine Karte mit dem Stern ablegen.", "de"),
        ("Si vous n'avez pas de carte, piochez-en une sur la table.", "fr"),
        ("El jugador con más cartas pierde una de las suyas.", "es"),
        ("Возьмите карту.", "ru"),
        ("Safran", "en"),
    ],
)
def test_frequent_words_decide_about_the_language(
    row: str, lang: str, tmp_path: Path
) -> None:
    project = begin(tmp_path, f"Name,Text\nA,{row}\n")
    text = (project.root / "cards/game/pack.yaml").read_text("utf-8")
    assert f"languages: {{source: {lang}}}" in text


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        (r"art\fox.png", "art/fox.png"),
        ("./fox.png", "fox.png"),
        ("fox.png (https://example.org/a/fox.png)", "fox.png"),
        ("fox.png (https://example.org/1),hare.png (https://example.org/2)", "fox.png"),
    ],
)
def test_picture_columns_of_other_programs(
    cell: str, name: str, tmp_path: Path
) -> None:
    text = f'Name,Art\nFox,"{cell}"\n'
    (tmp_path / "art").mkdir()
    for folder in (tmp_path, tmp_path / "art"):
        (folder / "fox.png").write_bytes(b"\x89PNG")
    project = begin(tmp_path, text)
    assert f"art: {name}\n" in (project.root / "cards/game/cards/fox.yaml").read_text(
        "utf-8"
    )
    assert (project.root / "cards/game/art" / name).is_file()
    assert not import_again(project, text).changes


def test_words_without_a_translation_are_printed_in_all_languages(
    tmp_path: Path,
) -> None:
    text = "Name,Name (ru),Leaf,Rules,Rules (ru)\nA,А,black,Wake.,Встань.\nB,Б,white,Run.,Беги.\n"
    project = begin(tmp_path, text)
    loaded = PackFiles(project).load_pack("game")
    assert not has_errors(loaded.findings)
    schema = (project.root / "schemas/game/cards.schema.json").read_text("utf-8")
    assert "x-text" not in schema.partition('"leaf"')[2].partition("}")[0]
    assert "x-text" in schema.partition('"rules"')[2].partition("}")[0]


def test_cards_without_names_are_titled_by_a_text(tmp_path: Path) -> None:
    project = begin(
        tmp_path, "Rank,Suit,Points\nA,Keys,1\nJ,Bells,11\nA,Bells,1\n2,Keys,2\n"
    )
    template = (project.root / "templates/game/cards/front.html.j2").read_text("utf-8")
    assert 'display">{{ card["rank"] | value }}' in template
    assert "card.name" not in template


def test_a_renamed_table_is_read_like_the_one_with_its_columns(tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    renamed = tmp_path / "beasts v2.csv"
    renamed.write_text(
        BEASTS.replace("Elk,3", "Elk,4") + "Fox,1,Beast.,It hides.\n", "utf-8"
    )
    result = import_tables(
        project, "game", TableRequest((renamed,)), TableOptions(day=DAY)
    )
    assert [str(change.file) for change in result.changes] == [
        "cards/game/cards/elk.yaml",
        "cards/game/cards/fox.yaml",
    ]
    assert [finding.severity for finding in result.findings] == [Severity.NOTE]
    assert "cards.csv" in str(result.findings[0].message)


@pytest.mark.parametrize("damage", ["{{{\n", "regex: x\n", "rows: {Elk: ../../elk}\n"])
def test_a_damaged_mapping_file_is_the_only_error(damage: str, tmp_path: Path) -> None:
    project = begin(tmp_path, "Name,Points\nElk,3\nOwl,2\n")
    path = project.get_cards_dir("game") / "tables/cards.mapping.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.partition("# The id of")[0] + damage, "utf-8")
    result = import_again(project, "Name,Points\nElk,3\nOwl,2\n")
    assert [finding.location.file for finding in result.findings] == [
        "cards/game/tables/cards.mapping.yaml"
    ]
    errors = [
        item for item in check_packs(project, "game") if item.severity is Severity.ERROR
    ]
    assert errors == result.findings


@pytest.mark.parametrize(
    "text",
    [
        f"Name,Points\n{'N' * 5000},1\n{'Word ' * 60},2\n{'Word ' * 60}and,3\n",
        f"Name,{'Heading ' * 400},Points\nElk,runs far,1\nOwl,sees well,2\n",
        "Name,Points\nCON,1\nnul,2\nCom1,3\n..,4\n",
    ],
)
def test_names_that_are_hard_to_store(text: str, tmp_path: Path) -> None:
    project = begin(tmp_path, text)
    errors = [
        item for item in check_packs(project, "game") if item.severity is Severity.ERROR
    ]
    assert errors == []
    assert import_again(project, text).changes == []
    assert not {"con.yaml", "nul.yaml"} & {
        path.name for path in project.root.rglob("*.yaml")
    }


@pytest.mark.parametrize(
    "name", ["art", "releases", "Rosters", "i18n", "tables", "base"]
)
def test_a_kind_is_not_called_like_a_folder_of_the_pack(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / f"{name}.csv"
    file.write_text(BEASTS, "utf-8")
    day = PackRequest(tmp_path / "game", TableRequest((file,)), (63, 88), DAY)
    write_project(tmp_path / "game", iter(make_pack(day).files))
    project = Project(tmp_path / "game")
    kind = f"{name.lower()}-cards"
    assert list(PackFiles(project).load_pack("game").whole.manifest.kinds) == [kind]
    assert len(list(project.get_cards_dir("game").glob(f"{kind}/*.yaml"))) == 2
    assert (
        import_tables(
            project, "game", TableRequest((file,)), TableOptions(day=DAY)
        ).changes
        == []
    )


@pytest.mark.parametrize("name", ["", "art", "tables", "../x"])
def test_names_that_a_new_kind_cannot_have(name: str, tmp_path: Path) -> None:
    project = begin(tmp_path, BEASTS)
    request = KindRequest(
        "game", name, TableRequest((tmp_path / "cards.csv",)), "", DAY
    )
    with pytest.raises(UsageError):
        add_kind(project, request)
