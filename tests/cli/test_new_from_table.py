"""A publisher with nothing but a spreadsheet.

The pack that is begun from it checks, builds, and is edited by it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openpyxl import Workbook
from PIL import Image

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.card_kinds import guess_kinds
from builder.packs.tables.inference import guess_column
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table, make_row
from builder.usecases.check_pack import check_packs
from builder.usecases.tables.new_pack import PackRequest, make_pack
from tests.program import run

HEADS = [
    "Name",
    "Name@de",
    "Faction",
    "Keywords",
    "Points",
    "Move",
    "Armour",
    "Rank",
    "Rank@de",
    "Flying",
    "Rules",
    "Rules@de",
    "Qty",
]
CARDS = [
    [
        "Bog Wretch",
        "Fen",
        "Beast",
        2,
        5,
        1.5,
        "Trooper",
        "no",
        "Dies slowly, and never where one would expect it.",
        4,
    ],
    [
        "Marsh Hag",
        "Fen",
        "Witch; Leader",
        6,
        5,
        2,
        "Leader",
        "no",
        "She knows your grandmother, and what she owes.",
        1,
    ],
    [
        "Reed Runner",
        "Fen",
        "Beast; Swift",
        3,
        8,
        1,
        "Trooper",
        "no",
        "Ignores difficult ground of whatever sort.",
        3,
    ],
    [
        "Crag Hawk",
        "Peak",
        "Beast; Swift",
        3,
        12,
        0,
        "Trooper",
        "yes",
        "May leave a fight without being struck.",
        None,
    ],
]
RANKS = {"Trooper": "Krieger", "Leader": "Anführer"}


def workbook(file: Path) -> None:
    book = Workbook()
    book.active.title = "Monster"
    for row in [
        HEADS,
        *(
            [
                card[0],
                f"Ein {card[0]}",
                *card[1:7],
                RANKS[card[6]],
                *card[7:-1],
                f"Auf Deutsch: {card[0]}",
                card[-1],
            ]
            for card in CARDS
        ),
    ]:
        book.active.append(row)
    events = book.create_sheet("Event")
    for row in [
        ["Titel", "Titel@de", "Wirkung", "Wirkung@de"],
        ["Fog", "Nebel", "Nobody sees far.", "Niemand sieht weit."],
    ]:
        events.append(row)
    book.create_sheet("Notes").sheet_state = "hidden"
    book.save(file)


@pytest.mark.slow
def test_a_pack_from_a_table_checks_and_builds(tmp_path: Path) -> None:
    workbook(tmp_path / "cards.xlsx")
    new_process = run(tmp_path, "new", "mygame", "--from", "cards.xlsx")
    assert new_process.returncode == 0
    assert new_process.stderr == (
        "cards.xlsx: note table/hidden: hidden sheets are not read: Notes\n1 note\n"
    )
    game = tmp_path / "mygame"
    fields = json.loads((game / "schemas/mygame/monster.schema.json").read_text())[
        "properties"
    ]
    assert fields["move"] == {
        "description": "Move.",
        "type": "integer",
        "minimum": 0,
        "maximum": 20,
    }
    assert fields["armour"]["type"] == "number"
    assert fields["rank"] == {"description": "Rank.", "enum": ["trooper", "leader"]}
    assert fields["flying"]["type"] == "boolean"
    for words in (
        ("check",),
        ("build", "mygame", "--lang", "de"),
        ("build", "mygame", "--product", "box", "--lang", "en"),
    ):
        process = run(game, *words)
        assert (process.returncode, process.stderr) == (0, ""), process.stdout
    pack = PackFiles(Project(game)).load_pack("mygame").pack
    assert pack is not None
    assert (pack.cards["marsh-hag"].keywords, pack.cards["marsh-hag"].cost) == (
        ("witch", "leader"),
        6,
    )
    assert pack.vocabulary.terms["leader"].name == {"en": "Leader", "de": "Anführer"}
    assert pack.cards["marsh-hag"].data["rank"] == "leader"
    assert (
        pack.translations["de"]["crag-hawk"]["rules"].text == "Auf Deutsch: Crag Hawk"
    )
    assert ": 10 cards" in process.stdout  # four, one, three and one, and an event


def test_a_wrong_table_begins_nothing(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("Name,Cost,Copies\nA,1,many\nB,2,-1\n")
    process = run(tmp_path, "new", "mygame", "--from", "cards.csv")
    assert (process.returncode, (tmp_path / "mygame").exists()) == (1, False)
    assert "C2: copies must be a whole number, 0 or more: many" in process.stderr
    assert "C3: copies must be a whole number, 0 or more: -1" in process.stderr
    (tmp_path / "empty.csv").write_text("Name,Cost\n")
    assert run(tmp_path, "new", "mygame", "--from", "empty.csv").returncode == 2


@pytest.mark.parametrize(
    ("cells", "sort", "expected"),
    [
        (["1", "", "12"], "number", {"type": "integer", "minimum": 0, "maximum": 20}),
        (
            ["-1", "2,5", "3"],
            "number",
            {"type": "number", "minimum": -1, "maximum": 10},
        ),
        (["ja", "nein", ""], "flag", {"type": "boolean"}),
        (
            ["a; b", "b; c", "a"],
            "list",
            {"type": "array", "items": {"type": "string", "minLength": 1}},
        ),
        (
            ["sea", "land", "sea", "land"],
            "choice",
            {"enum": ["sea", "land"], "x-text": "plain"},
        ),
        (["FX-0001", "FX-0002"] * 2, "choice", {"enum": ["FX-0001", "FX-0002"]}),
        (["a.png", "art/b_2.svg"], "text", {"type": "string", "minLength": 1}),
        (["SKU1234", "FX-0042"], "text", {"type": "string", "minLength": 1}),
        (
            ["2D6+1", "Mr. Fox"],
            "text",
            {"type": "string", "minLength": 1, "x-text": "plain"},
        ),
        (
            ["one", "two", "three"],
            "text",
            {"type": "string", "minLength": 1, "x-text": "plain"},
        ),
        (
            ["of {many} words, " * 4, "two"],
            "text",
            {"type": "string", "minLength": 1, "x-text": "rich"},
        ),
        (
            ["of many words, and more of them " * 4, "two"],
            "text",
            {"type": "string", "minLength": 1, "x-text": "rich"},
        ),
    ],
)
def test_what_a_column_holds_is_recognised_by_its_cells(
    cells: list[str], sort: str, expected: dict[str, object]
) -> None:
    found = guess_column("Hit Points", [cell for cell in cells if cell])
    assert (found.field, found.sort) == ("hit-points", sort)
    assert found.schema == {"description": "Hit Points.", **expected}


def test_columns_that_sound_alike_are_fields_of_their_own() -> None:
    table = Table(
        "t.csv",
        "",
        (
            make_row(1, ("Name", "Title", "Text", "Text!", "Text", "?")),
            make_row(2, ("A", "Sir", "b", "c", "d", "e")),
        ),
    )
    ((_kind, _table, columns, _notes),) = guess_kinds([table], "t")
    assert [one.rule.field for one in columns] == [
        *("name", "title", "text", "text-2", "text-3", "column-6")
    ]


def test_two_columns_of_one_name_are_two_fields(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("Name,Text,Text\nA,b,c\n")
    request = PackRequest(tmp_path / "mygame", TableRequest((tmp_path / "cards.csv",)))
    card = dict(make_pack(request).files)["cards/mygame/cards/a.yaml"].decode()
    assert card.endswith("text: b\ntext-2: c\n")


DESIGNERS = """My cards, third draft;;;;;;;;
;;Fighting;;;;;;
Name;Название (ru);Attack name;Attack dice;Trait;Price;Art;Tags;Qty
THE FEN;;;;;;;;
Bog Witch;Ведьма;Curse;2d6;Nobody may charge her.;3,50 €;witch.png;Witch, Leader;1
;;Claw;d6;Water never slows her.;;;;
Crag Hawk;Ястреб;Dive;d8;It flies.;1,20 €;lost.png;Swift;3
Total;;;;;4,70 €;;;4
"""


def test_a_designers_table_is_read_as_it_was_meant(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(DESIGNERS, "utf-8")
    Image.new("RGB", (90, 60), "teal").save(tmp_path / "witch.png")
    request = TableRequest((tmp_path / "cards.csv",))
    new_pack = make_pack(PackRequest(tmp_path / "fen", request, (70.0, 120.0)))
    files = new_pack.files
    assert [finding.message for finding in new_pack.findings] == [
        "G7: no picture beside the table is called lost.png",
        "rows above the names of the columns are skipped: 1, 2",
        "rows with headings or totals are skipped: 4, 8",
    ]
    write_project(tmp_path / "fen", iter(files))
    project = Project(tmp_path / "fen")
    assert {finding.code for finding in check_packs(project, "fen")} == {
        "i18n/missing"
    }  # the other texts
    pack = PackFiles(project).load_pack("fen").pack
    assert pack is not None
    witch, hawk = pack.cards["bog-witch"], pack.cards["crag-hawk"]
    assert witch.data["attack"] == [
        {"name": "Curse", "dice": "2d6"},
        {"name": "Claw", "dice": "d6"},
    ]
    assert witch.data["trait"] == ["Nobody may charge her.", "Water never slows her."]
    assert (witch.data["price"], witch.keywords, witch.data["art"]) == (
        "3,50 €",
        ("witch", "leader"),
        "witch.png",
    )
    assert "art" not in hawk.data
    assert pack.translations["ru"]["crag-hawk"]["name"].text == "Ястреб"
    assert (
        pack.manifest.kinds["cards"].size.width,
        pack.manifest.languages.source,
    ) == (70, "en")
    template = dict(files)["templates/fen/cards/front.html.j2"].decode()
    assert "pictures.shown(card, " in template
    assert 'map(attribute="name") | list' in template  # a chip each


@pytest.mark.parametrize(
    ("table", "languages", "fields"),
    [
        ("Name,Level,Level up,Rules\nA,1,2,c\n", ["en"], ["level", "level-up"]),
        (
            "My game,,,\nName (de),Name (en),Text (en),Text (de)\nA,B,C,D\n",
            ["de", "en"],
            ["text"],
        ),
        (
            "Name (de),Name (en),Level,Level up\nA,B,1,2\n",
            ["de", "en"],
            ["level", "level-up"],
        ),
    ],
)
def test_languages_are_recognised_by_the_names_of_columns(
    table: str, languages: list[str], fields: list[str], tmp_path: Path
) -> None:
    (tmp_path / "cards.csv").write_text(table, "utf-8")
    write_project(
        tmp_path / "fen",
        iter(
            make_pack(
                PackRequest(tmp_path / "fen", TableRequest((tmp_path / "cards.csv",)))
            ).files
        ),
    )
    pack = PackFiles(Project(tmp_path / "fen")).load_pack("fen").pack
    assert pack is not None
    assert list(pack.manifest.languages.all) == languages
    assert pack.cards["a"].data.keys() >= set(fields)


def test_a_picture_that_cannot_be_read_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "Name,Kind,Art\nA,Beast,a.png\nB,Witch,b.png\nC,Fen,\n"
    (tmp_path / "cards.csv").write_text(rows, "utf-8")
    with (tmp_path / "a.png").open("wb") as file:
        file.truncate(64_000_001)
    request = TableRequest((tmp_path / "cards.csv",))
    found = make_pack(PackRequest(tmp_path / "fen", request)).findings
    told = ["C2: larger than 64 MB", "C3: no picture beside the table is called b.png"]
    assert [finding.message for finding in found] == told


def test_a_table_takes_no_layout(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("Name,Text\nA,b\n")
    process = run(tmp_path, "new", "mygame", "--from", "cards.csv", "--layout", "poker")
    assert (process.returncode, (tmp_path / "mygame").exists()) == (2, False)
    assert "Leave out --layout." in process.stderr
    process = run(
        tmp_path, "new", "mygame", "--from", "cards.csv", "--kind", "unit=poker"
    )
    assert "Leave out --kind." in process.stderr


def test_a_missing_table_has_a_hint_about_its_name(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("Name,Text\nA,b\n")
    result = run(tmp_path, "new", "mygame", "--from", "card.csv")
    assert (result.returncode, "workbook" in result.stderr) == (3, False)
    assert "cards.csv?" in result.stderr


def test_a_choice_beside_a_list_builds(tmp_path: Path) -> None:
    rows = ["A;Unit;red, blue", "B;Place;green", "C;Unit;green", "D;Place;green, red"]
    (tmp_path / "lc.csv").write_text("\n".join(["Name;Type;Colours", *rows]), "utf-8")
    assert run(tmp_path, "new", "lc", "--from", "lc.csv").returncode == 0
    built = run(tmp_path / "lc", "build", "lc")
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1 250", "2'500", "3"], [1250, 2500, 3]),
        (["3", "–", "n/a"], [3, None, None]),
    ],
)
def test_costs_are_numbers(
    cells: list[str], values: list[float | None], tmp_path: Path
) -> None:
    lines = [f'Card {number};"{cell}";Text' for number, cell in enumerate(cells)]
    (tmp_path / "a.csv").write_text("\n".join(["Name;Price;Rules", *lines]), "utf-8")
    request = TableRequest((tmp_path / "a.csv",), lang="en")
    write_project(
        tmp_path / "a",
        iter(make_pack(PackRequest(tmp_path / "a", request, (63, 88))).files),
    )
    pack = PackFiles(Project(tmp_path / "a")).load_pack("a").pack
    assert pack is not None
    assert [pack.cards[f"card-{number}"].cost for number in range(len(cells))] == values


@pytest.mark.parametrize(
    ("cells", "type_name", "values"),
    [
        (["€3,50", "€4"], "stat", {}),
        (["50%", "25%"], "stat", {}),
        (["1 250", "2'500", "3"], "number", {}),
        (["3", "–", "n/a"], "number", {"–": None, "n/a": None}),
        (["1", "X", "2+", "*", "-1", "1/4"], "stat", {}),
        (["2d6+1", "d8"], "stat", {}),
        (["Sword", "–"], "text", {}),
        (["1/4", "2/5", "1/3", "0/2"], "stat", {}),
        (["x", "X"], "yes-no", {}),
        (["1", "X"], "stat", {}),
        (["007", "042"], "text", {}),
    ],
)
def test_signs_and_words_of_values_are_kept(
    cells: list[str], type_name: str, values: dict[str, None]
) -> None:
    column = guess_column("Worth", cells)
    assert (column.rule.type, column.rule.values) == (type_name, values)


def test_a_total_that_is_a_formula_is_passed_over_and_no_copies_are_reported_as_such(
    tmp_path: Path,
) -> None:
    book = Workbook()
    for row in [
        ["Name", "Cost", "Qty"],
        ["Ash", 2, 1],
        ["Elm", 3, 0],
        ["TOTAL", "=SUM(B2:B3)", "=SUM(C2:C3)"],
    ]:
        book.active.append(row)
    book.save(tmp_path / "cards.xlsx")
    process = run(tmp_path, "new", "mygame", "--from", "cards.xlsx")
    assert process.returncode == 0
    assert "formula" not in process.stderr
    products = (tmp_path / "mygame/cards/mygame/products.yaml").read_text()
    assert "{card: elm, copies: 0}" in products
