"""Workbooks with several sheets, notes beside the cards, and bold words in any column."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from builder.findings import Severity
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.column_types import guess_cell_type
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from builder.usecases.tables.table_import import TableOptions

SHEETS = {
    "Units": [["Name", "Cost", "Copies"], ["Fox", 3, 2], ["Cub", 1, 4]],
    "Gear": [["Name", "Weight", "Copies"], ["Net", 2, 1], ["Hook", 4, 3]],
    "Notes": [["Ideas for later"], ["More water cards."], ["Ask Kim about the map."]],
}


def save(folder: Path, sheets: dict[str, list[list[object]]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(folder / "cards.xlsx")
    return folder / "cards.xlsx"


def begin(file: Path, *sheets: str) -> tuple[NewPack, Project]:
    folder = file.parent / "game"
    with patch.object(new_pack, "fit_design"):
        pack = make_pack(PackRequest(folder, TableRequest((file,), sheets)))
    write_project(folder, iter(pack.files))
    return pack, Project(folder)


def list_kinds(project: Project) -> list[str]:
    return list(PackFiles(project).load_pack("game").whole.manifest.kinds)


def test_a_sheet_of_notes_is_no_kind_of_card(tmp_path: Path) -> None:
    pack, project = begin(save(tmp_path, SHEETS))
    assert list_kinds(project) == ["units", "gear"]
    (warning,) = [item for item in pack.findings if item.severity is Severity.WARNING]
    assert warning.message == "the sheet Notes looks like notes, and is not read"
    assert '--sheet "Units" --sheet "Gear" --sheet "Notes"' in warning.hint


def test_a_sheet_of_notes_that_is_chosen_is_read(tmp_path: Path) -> None:
    _pack, project = begin(save(tmp_path, SHEETS), "Units", "Notes")
    assert list_kinds(project) == ["units", "notes"]


def test_a_sheet_of_names_alone_is_read_if_there_is_no_other(tmp_path: Path) -> None:
    _pack, project = begin(save(tmp_path, {"Notes": SHEETS["Notes"]}))
    assert list_kinds(project) == ["notes"]


def test_import_reads_only_sheets_with_a_mapping_file(tmp_path: Path) -> None:
    file = save(tmp_path, SHEETS)
    _pack, project = begin(file, "Units")
    result = import_tables(project, "game", TableRequest((file,)), TableOptions())
    assert result.files == {}
    (note,) = result.findings
    assert note.message == "sheets without a mapping file are not read: Gear, Notes"
    assert "--sheet Gear" in note.hint


def test_findings_name_their_sheet(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["My units", None, None],
        *SHEETS["Units"],
        ["Total", 4, 6],
    ]
    pack, _project = begin(save(tmp_path, {**SHEETS, "Units": rows}))
    assert {str(item.message) for item in pack.findings} >= {
        "Units: rows above the names of the columns are skipped: 1",
        "Units: rows with headings or totals are skipped: 5",
    }


def test_copies_that_cannot_be_written_are_an_error_of_the_import(
    tmp_path: Path,
) -> None:
    file = save(tmp_path, SHEETS)
    _pack, project = begin(file)
    products = project.get_cards_dir("game") / "products.yaml"
    text = products.read_text("utf-8")
    products.write_text(text.replace("{where: {kind: gear}}", "{card: net}"), "utf-8")
    text = products.read_text("utf-8")
    sheets: dict[str, list[list[object]]] = {
        **SHEETS,
        "Gear": [*SHEETS["Gear"], ["Rope", 1, 5]],
    }
    result = import_tables(
        project, "game", TableRequest((save(tmp_path, sheets),)), TableOptions()
    )
    assert [
        str(item.message) for item in result.findings if item.severity is Severity.ERROR
    ] == ["Gear!C4: no deck of the first product holds cards of the kind gear"], text


@pytest.mark.parametrize(
    ("name", "texts", "sort", "is_rich"),
    [
        ("Ability", ["Runs.", "Sleeps."], "text", True),
        ("Special", ["Flies", "-"], "text", True),
        ("Special", ["x", "-"], "flag", False),
        ("Abilities", ["3", "4"], "number", False),
        ("Beschreibung", ["Rennt."], "text", True),
        ("Fähigkeiten", ["Rennt."], "text", True),
        ("Способность", ["Бежит."], "text", True),
        ("Описание", ["Бежит."], "text", True),
        ("Place", ["Mill", "Ford"], "text", False),
    ],
)
def test_columns_named_for_what_cards_do_are_rules(
    name: str, texts: list[str], sort: str, is_rich: bool
) -> None:
    cell_type = guess_cell_type(name, texts)
    assert (cell_type.name, cell_type.schema.get("x-text") == "rich") == (sort, is_rich)


def test_bold_words_in_any_column_of_texts_stay_bold(tmp_path: Path) -> None:
    bold = CellRichText("at ", TextBlock(InlineFont(b=True), "night"))
    title = CellRichText("Old ", TextBlock(InlineFont(b=True), "Fox"))
    rows: list[list[object]] = [["Name", "Time"], [title, bold], ["Cub", "by day"]]
    pack, project = begin(save(tmp_path, {"Units": rows}))
    card = PackFiles(project).load_pack("game").whole.cards["old-fox"]
    assert card.data["time"] == "at **night**"
    assert [str(item.message) for item in pack.findings] == [
        "bold and italic words are printed plain in: Name"
    ]


def test_a_kind_that_no_row_has_is_reported(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(
        "Kind,Name,Cost\nunit,Fox,1\nitem,Net,2\n", "utf-8"
    )
    _pack, project = begin(tmp_path / "cards.csv")
    (tmp_path / "more.csv").write_text("kind,name,cost\nunit,Fox,1\n", "utf-8")
    request = TableRequest((tmp_path / "more.csv",), kind="item")
    result = import_tables(project, "game", request, TableOptions())
    assert [str(item.message) for item in result.findings] == [
        "no row is of the kind item, but of: unit"
    ]
