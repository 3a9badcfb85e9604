"""Names of columns in one row or two, units below them, and cells beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from builder.packs.tables.card_kinds import guess_kinds
from builder.packs.tables.cleaning import clean_table
from builder.packs.tables.reader import read_tables
from builder.packs.tables.sheet import Table


def read(folder: Path, text: str) -> Table:
    (folder / "cards.csv").write_text(text, "utf-8")
    (table,), _findings = read_tables(folder / "cards.csv")
    return table


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (
            ",,Weapon,,,Armour\nName,Cost,Range,Damage,Type,Value\nFox,3,12,2,bow,4\n",
            (
                "Name",
                "Cost",
                "Weapon Range",
                "Weapon Damage",
                "Weapon Type",
                "Armour Value",
            ),
        ),
        (
            "Name,Cost,Weapon,,Rules\n,,Range,Damage,\nFox,3,12,2,Sly.\n",
            ("Name", "Cost", "Weapon Range", "Weapon Damage", "Rules"),
        ),
        (
            ",Weapon,Weapon,Armour,Armour\nName,Type,Range,Type,Value\nFox,bow,12,hide,4\n",
            ("Name", "Weapon Type", "Weapon Range", "Armour Type", "Armour Value"),
        ),
        (
            ",English,,Deutsch,\nID,Name,Rules,Name,Rules\nC1,Fox,Runs.,Fuchs,Rennt.\n",
            ("ID", "Name (en)", "Rules (en)", "Name (de)", "Rules (de)"),
        ),
        (
            "Name,,Notes\nFox,sly,Runs fast\nCub,,Small\n",
            ("Name", "", "Notes"),
        ),
        (
            ",,Fighting\nName,Price,Attack name,Attack dice,Trait\nFox,1,Bite,d6,Sly\n",
            ("Name", "Price", "Attack name", "Attack dice", "Trait"),
        ),
        (
            ",,Stats,,Text\nName,Cost,Move,Nerve,Rules\nFox,3,5,2,Sly.\n",
            ("Name", "Cost", "Move", "Nerve", "Rules"),
        ),
        ("Name,Cost\nA,1,2,3,4\nB\n", ("Name", "Cost")),
    ],
)
def test_headings_are_read_from_one_row_or_two(
    rows: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    assert read(tmp_path, rows).head == names


@pytest.mark.parametrize("is_merged", [True, False])
def test_group_headings_of_a_workbook_are_joined(
    is_merged: bool, tmp_path: Path
) -> None:
    book = Workbook()
    sheet = book.active
    for row in (
        ["My cards"],
        ["Name", "Weapon", None, None, "Rules"],
        [None, "Range", "Damage", "Notes", None],
        ["Fox", 12, 2, "loud", "Sly."],
    ):
        sheet.append(row)
    if is_merged:
        for cells in ("A2:A3", "B2:D2", "E2:E3"):
            sheet.merge_cells(cells)
    book.save(tmp_path / "cards.xlsx")
    (table,), _findings = read_tables(tmp_path / "cards.xlsx")
    assert table.head == (
        "Name",
        "Weapon Range",
        "Weapon Damage",
        "Weapon Notes",
        "Rules",
    )
    assert [row.number for row in table.rows] == [3, 4]
    messages = [str(finding.message) for finding in table.findings]
    assert messages[0] == "rows above the names of the columns are skipped: 1"
    assert messages[1].startswith(
        "rows 2 and 3 name the columns together: Weapon Range,"
    )


@pytest.mark.parametrize(
    "units", [",in,mm", "unit,in.,(mm)", ",дюйм,мм", 'Units,"""",–']
)
def test_a_row_of_units_is_no_card(units: str, tmp_path: Path) -> None:
    table = read(tmp_path, f"Name,Move,Range\n{units}\nFox,3,12\nCub,1,6\n")
    cleaned_table = clean_table(table)
    assert [row.number for row in cleaned_table.rows] == [1, 3, 4]
    assert "row 2 with units is skipped: " in str(cleaned_table.findings[0].message)
    (kind,) = guess_kinds([table], "cards")
    assert [column.sort for column in kind.columns] == ["", "number", "number"]


def test_a_first_card_without_a_name_is_no_row_of_units(tmp_path: Path) -> None:
    table = clean_table(read(tmp_path, "Name,Move,Range\n,3,12\nCub,1,6\n"))
    assert [row.number for row in table.rows] == [1, 2, 3]


def test_cells_beside_the_names_of_columns_are_reported(tmp_path: Path) -> None:
    table = read(tmp_path, "Name,Cost\nA,1,2,3,4\nB\nC,2,Runs\nD,1\n")
    assert [(str(item.message), item.severity.value) for item in table.findings] == [
        (
            "row 2 has more cells than columns with names: C2 to E2 are not read",
            "warning",
        ),
        ("row 4 has more cells than columns with names: C4 is not read", "warning"),
    ]


def test_a_column_without_a_name_is_one_note(tmp_path: Path) -> None:
    table = read(tmp_path, "Name,Cost\nA,1,old\nB,2,new\n")
    (kind,) = guess_kinds([table], "cards")
    messages = [str(item.message) for item in (*table.findings, *kind.findings)]
    assert messages == ["columns without a name are not read: C"]


def test_odd_costs_are_reported(tmp_path: Path) -> None:
    table = read(tmp_path, "Name,Cost\nA,-5\nB,1e400\nC,NaN\nD,3\nE,X\n")
    (kind,) = guess_kinds([table], "cards")
    values = [str(item.message).split(": ")[0] for item in kind.findings]
    assert values == ["B2", "B3", "B4"]
