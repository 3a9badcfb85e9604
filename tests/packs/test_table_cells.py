"""Cells of workbooks are read as the spreadsheet shows them."""

from __future__ import annotations

import io
import re
from datetime import date, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from builder.errors import InputUnreadable
from builder.packs.tables.number_format import format_cell_value
from builder.packs.tables.reader import read_tables
from builder.packs.tables.sheet import Table
from builder.packs.tables.workbook import Formula, describe_formula_problem
from tests.packs.test_tables import SHEET, repacked

CASES = Path(__file__).parent / "cases"


def read_texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def save(folder: Path, book: Workbook) -> Table:
    book.save(folder / "cards.xlsx")
    (table, *_tables), _findings = read_tables(folder / "cards.xlsx")
    return table


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (3, "General", "3"),
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (4006381333931, "General", "4006381333931"),
        (0.5, "0%", "50%"),
        (0.125, "0.0%", "12.5%"),
        (3.5, '"$"#,##0.00', "$3.50"),
        (1234.5, '"$"#,##0.00', "$1,234.50"),
        (-3.5, '"$"#,##0.00;[Red]-"$"#,##0.00', "-$3.50"),
        (3.5, "#,##0.00\\ [$€-407]", "3.50 €"),
        (1234567, "#,##0", "1234567"),
        (7, "000", "007"),
        (2.5, "0.00", "2.50"),
        (2.5, "0.##", "2.5"),
        (2, "0.##", "2"),
        (2.7, "0", "3"),
        (0.25, "# ?/?", "1/4"),
        (1.5, "# ?/?", "1 1/2"),
        (2, "# ?/?", "2"),
        (5, '0"+"', "5+"),
        (5, '"d"0', "d5"),
        (-2, '+0;-0;0', "-2"),
        (2, '+0;-0;0', "+2"),
        (0, '+0;-0;"none"', "none"),
        (1234567, "0.00E+00", "1.23E+06"),
        (12000, "0,", "12"),
        (5, "@", "5"),
        (True, "General", "TRUE"),
        (datetime(2026, 5, 3), "yyyy-mm-dd", "2026-05-03"),
        (datetime(2026, 5, 3), "d/m/yyyy", "2026-05-03"),
        (datetime(2026, 5, 3), "d-mmm", "3-May"),
        (datetime(2026, 5, 3), "mmm yyyy", "May 2026"),
        (datetime(2026, 5, 3), "dddd", "Sunday"),
        (datetime(2026, 5, 3, 14, 5), "h:mm", "14:05"),
        (datetime(2026, 5, 3, 14, 5), "h:mm AM/PM", "2:05 PM"),
        (datetime(2026, 5, 3, 14, 5, 9), "mm:ss", "05:09"),
        (float("inf"), "0%", "inf"),
    ],
)  # fmt: skip
def test_a_number_is_shown_in_its_format(
    value: object, number_format: str, text: str
) -> None:
    assert format_cell_value(value, number_format) == text


def test_a_merged_cell_belongs_to_all_of_its_rows() -> None:
    (table,), findings = read_tables(CASES / "merged.xlsx")
    assert [row[1] for row in read_texts(table)] == ["Faction", "Lamps", "Lamps", "Fog"]
    assert [*findings, *table.findings] == []


def test_a_merged_name_is_one_card_with_several_rows(tmp_path: Path) -> None:
    book = Workbook()
    for row in [["Name", "Cost", "Attack"], ["Moth", 2, "Bite"], [None, None, "Sting"]]:
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    book.active.merge_cells("B2:B3")
    assert read_texts(save(tmp_path, book))[2] == ["", "", "Sting"]


def test_a_date_in_a_column_without_dates_is_a_warning() -> None:
    (table,), _findings = read_tables(CASES / "dates.xlsx")
    (finding,) = table.findings
    assert finding.code == "table/date"
    assert finding.severity == "warning"
    assert (
        "Cards!D2, Cards!D3, Cards!D4: the spreadsheet program may have turned 3/5"
        in finding.message
    )


@pytest.mark.parametrize(
    ("name", "values", "warns"),
    [
        ("Released", [date(2026, 5, 3), date(2026, 5, 4)], False),
        ("Move", [date(2026, 5, 3), "4-6"], True),
        ("Founded", [date(1926, 5, 3), date(1931, 5, 4)], False),
        ("", [date(2026, 5, 3)], False),
    ],
)
def test_dates_on_purpose_are_no_mistake(
    name: str, values: list[object], warns: bool, tmp_path: Path
) -> None:
    book = Workbook()
    book.active.append(["Name", "Cost", name])
    for value in values:
        book.active.append(["Moth", 1, value])
    assert bool(save(tmp_path, book).findings) is warns


def test_an_error_value_is_an_error_at_its_cell() -> None:
    (table,), _findings = read_tables(CASES / "error_cell.xlsx")
    assert [finding.message for finding in table.findings] == [
        "Cards!C2: the value is an error: #REF!"
    ]
    assert (table.findings[0].location.line, table.findings[0].location.column) == (
        2,
        3,
    )
    assert table.rows[1].cells[2].is_error


def test_an_error_in_csv_or_json_is_an_error_too(tmp_path: Path) -> None:
    for name, text in (
        ("a.csv", "Name,Cost\nA,#N/A\n"),
        ("a.json", '[{"Name":"A","Cost":"#N/A"}]'),
    ):
        (tmp_path / name).write_text(text)
        (table,), _findings = read_tables(tmp_path / name)
        assert [finding.code for finding in table.findings] == ["table/error-value"]


def test_bold_and_italic_words_become_markup(tmp_path: Path) -> None:
    bold, italic = InlineFont(b=True), InlineFont(i=True)
    book = Workbook()
    rules = CellRichText(
        TextBlock(bold, "Action: "), "draw ", TextBlock(italic, "two"), " cards."
    )
    for row in [
        ["Name", "Rules"],
        ["Moth", rules],
        ["Wick", "Plain."],
        ["Ash", "Loud."],
    ]:
        book.active.append(row)
    for cell in ("A1", "B1", "A2", "A3", "A4", "B4"):
        book.active[cell].font = Font(bold=True)
    table = save(tmp_path, book)
    cells = [row.cells[1] for row in table.rows[1:]]
    assert [cell.markup for cell in cells] == [
        "**Action:** draw *two* cards.",
        "Plain.",
        "**Loud.**",
    ]
    assert cells[0].text == "Action: draw two cards."
    # All names are bold: that is the style of the column, and not emphasis.
    assert [row.cells[0].markup for row in table.rows[1:]] == ["Moth", "Wick", "Ash"]


def test_hidden_rows_and_sheets_are_reported(tmp_path: Path) -> None:
    book = Workbook()
    for row in [["Name", "Cost"], ["Moth", 1], ["Wick", 2]]:
        book.active.append(row)
    book.active.row_dimensions[3].hidden = True
    book.create_sheet("Notes").sheet_state = "hidden"
    book.save(tmp_path / "cards.xlsx")
    (table,), findings = read_tables(tmp_path / "cards.xlsx")
    assert [finding.message for finding in (*findings, *table.findings)] == [
        "hidden sheets are not read: Notes",
        "1 hidden row is read too: 3",
    ]


@pytest.mark.parametrize(
    ("attributes", "value", "text", "has_error"),
    [
        (' t="str"', "<v></v>", "", False),
        (' t="str"', "<v>x</v>", "x", False),
        ("", "<v>2</v>", "2", False),
        ("", "<v></v>", "", True),
        ("", "", "", True),
        (' t="e"', "<v>#REF!</v>", "#REF!", True),
    ],
)
def test_a_formula_has_its_stored_result(
    attributes: str, value: str, text: str, has_error: bool, tmp_path: Path
) -> None:
    book, file = Workbook(), io.BytesIO()
    for row in [["Name", "Cost"], ["Moth", "=A1"]]:
        book.active.append(row)
    book.save(file)
    with ZipFile(file) as archive:
        sheet = archive.read(SHEET)
    old = re.search(rb'<c r="B2"><f>A1</f>.*?</c>', sheet)
    assert old is not None
    new = f'<c r="B2"{attributes}><f>A1</f>{value}</c>'.encode()
    data = repacked(file.getvalue(), SHEET, old[0], new)
    (tmp_path / "cards.xlsx").write_bytes(data)
    (table,), _findings = read_tables(tmp_path / "cards.xlsx")
    cells = table.rows[1].cells
    assert (cells[1].text if len(cells) > 1 else "") == text
    assert bool(table.findings) is has_error


def test_a_reference_to_a_column_of_a_table_asks_nothing_outside() -> None:
    for text, is_problem in (
        ("Cards[[#This Row],[Cost]]*2", False),
        ('IF(A1="a|b","[1]","IMPORT(x)")', False),
        ("[1]Other!A1", True),
        ("cmd|'/c calc'!A0", True),
        ('IMPORTRANGE("x","y")', True),
    ):
        problem = describe_formula_problem(
            "Cards", Formula(2, 2, text, has_result=True)
        )
        assert bool(problem) is is_problem, text


def test_an_old_workbook_is_read_and_what_is_not_seen_is_reported() -> None:
    (table,), findings = read_tables(CASES / "cards.xls")
    assert read_texts(table)[1:] == [
        ["Night Warden", "Lamps", "0.5", "2026-05-03", "", "", "Once a turn."],
        ["Wick Boy", "Lamps", "3", "TRUE", "2.5", "", "x"],
    ]
    assert [finding.code for finding in findings] == ["table/hidden", "table/unseen"]


@pytest.mark.parametrize("part", [2, 3, 5, 9])
def test_a_damaged_old_workbook_is_an_error(part: int, tmp_path: Path) -> None:
    data = (CASES / "cards.xls").read_bytes()
    (tmp_path / "cards.xls").write_bytes(data[: len(data) * part // 10])
    with pytest.raises(InputUnreadable, match=r"cards\.xls cannot be read"):
        read_tables(tmp_path / "cards.xls")
