"""Tables of strangers: any common dialect is read, other files refused with a reason."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given, strategies as st
from openpyxl import Workbook, load_workbook

from builder.errors import InputUnreadable, UsageError
from builder.model.words import format_csv_line
from builder.packs.tables.reader import read_tables
from builder.packs.tables.sheet import CellValue
from builder.packs.tables.write import format_table

ROWS: list[list[CellValue]] = [
    ["id", "name"],
    ["a", "Щит; ёж"],
    ["b", 'Say "no",\nthen'],
]


def read(
    folder: Path, data: bytes, name: str = "cards.csv"
) -> list[tuple[CellValue, ...]]:
    (folder / name).write_bytes(data)
    (table, *_more), _found = read_tables(folder / name)
    return [tuple(cell.value for cell in row.cells) for row in table.rows]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ('id,name\na,Щит; ёж\nb,"Say ""no"",\nthen"\n', "utf-8"),
        ('id;name\r\na;"Щит; ёж"\r\nb;"Say ""no"",\nthen"\r\n', "utf-8-sig"),
        ('id\tname\na\tЩит; ёж\nb\t"Say ""no"",\nthen"\n', "utf-16"),
        ('sep=;\nid;name\n\n;\na;"Щит; ёж"\nb;"Say ""no"",\nthen"\n', "cp1251"),
    ],
)
def test_dialects_of_csv_say_the_same(text: str, encoding: str, tmp_path: Path) -> None:
    assert read(tmp_path, text.encode(encoding)) == [tuple(row) for row in ROWS]


def test_a_guessed_encoding_is_reported(tmp_path: Path) -> None:
    for text, encoding, told in (
        ("Größe,Écu", "cp1252", "Windows-1252"),
        ("имя,цена", "cp1251", "Windows-1251"),
    ):
        assert read(tmp_path, text.encode(encoding)) == [tuple(text.split(","))]
        assert told in read_tables(tmp_path / "cards.csv")[1][0].message


@pytest.mark.parametrize("name", ["cards.csv", "cards.xlsx"])
def test_no_text_becomes_a_formula(name: str, tmp_path: Path) -> None:
    texts: list[CellValue] = ["=1+1", "+7", "-x", "@me", "'=1", "plain", -3, 0.5]
    data = format_table(Path(name), "kind", [["id", *"bcdefgh"], texts])
    back = read(tmp_path, data, name)[1]
    assert [str(one) for one in back] == [str(one) for one in texts]
    if name.endswith("csv"):
        assert (
            data.decode("utf-8-sig").splitlines()[1]
            == "'=1+1,'+7,'-x,'@me,''=1,plain,-3,0.5"
        )
    else:
        sheet = load_workbook(io.BytesIO(data))["kind"]
        assert {cell.data_type for cell in sheet[2]} == {"s", "n"}


@given(
    st.lists(
        st.text("a\r\n\",;'= ", min_size=1).filter(str.strip), min_size=1, max_size=4
    )
)
def test_every_text_is_read_back_from_csv(texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        data = format_table(
            Path("cards.csv"), "kind", [["id", "name", "text", "note"], ["a", *texts]]
        )
        assert read(Path(folder), data)[1] == ("a", *texts)


def test_a_row_of_csv_ends_in_lf_and_quotes_line_ends() -> None:
    assert format_csv_line(["a", "b\rc", "d\ne", 3, None]) == 'a,"b\rc","d\ne",3,\n'


def test_the_same_cards_give_the_same_workbook_of_sound_xml() -> None:
    first, second = (format_table(Path("a.xlsx"), "kind", ROWS) for _unused in range(2))
    assert first == second
    with ZipFile(io.BytesIO(first)) as archive:
        assert archive.testzip() is None
        for part in archive.namelist():
            ElementTree.fromstring(archive.read(part))


@pytest.mark.parametrize("text", ["x" * 40_000, "bell \a"])
def test_a_text_that_no_cell_holds_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="too long for a cell"):
        format_table(Path("a.xlsx"), "kind", [["id"], [text]])
    with pytest.raises(UsageError, match="no name of a table"):
        format_table(Path("a.ods"), "kind", [["id"]])


def workbook(*rows: list[str], width: int = 1) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.active.cell(1, width, "far")
    book.save(out)
    return out.getvalue()


def repacked(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """Return a workbook in which a part was tampered with."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as archive, ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name in archive.namelist():
            text = archive.read(name)
            made.writestr(name, text.replace(old, new) if name == part else text)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
HOSTILE = {
    "zip bomb": (
        repacked(
            workbook(["a"]), SHEET, b"<sheetData>", b"<sheetData>" + b" " * 50_000_000
        ),
        "unpacks",
    ),
    "entities": (
        repacked(
            workbook(["a"]),
            SHEET,
            b"<worksheet",
            b'<!DOCTYPE w [<!ENTITY a "b">]><worksheet',
        ),
        "no workbook",
    ),
    "a million rows": (
        repacked(workbook(["a"]), SHEET, b'r="1"', b'r="1048576"'),
        "20000 rows",
    ),
    "many columns": (workbook(["a"], width=5_000), "500 columns"),
    "cut short": (workbook(["a"])[:-200], "no workbook"),
    "not one of ours": (
        repacked(workbook(["a"]), "xl/workbook.xml", b"<", b"<<"),
        "no workbook",
    ),
    "old form": (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "old or protected"),
    "many lines": (b"a,b\n" * 20_002, "20000 rows"),
    "open quotes": (b'id,name\na,"b\n', "line 2"),
    "letters without end": (b"a," + b"x" * 200_000, "line 1"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_table_of_cards_is_refused_with_a_reason(
    name: str, tmp_path: Path
) -> None:
    data, reason = HOSTILE[name]
    with pytest.raises(InputUnreadable, match=reason) as refused:
        read(tmp_path, data)
    assert refused.value.remedy


def test_formulas_are_neither_worked_out_nor_followed(tmp_path: Path) -> None:
    (tmp_path / "f.xlsx").write_bytes(
        workbook(["id", "=1+1", "=[1]other!A1", "=cmd|'/c calc'!A0", "plain"])
    )
    (table,), _found = read_tables(tmp_path / "f.xlsx")
    told = [
        "B1: the formula has no value",
        "C1: the formula asks something outside",
        "D1: the formula asks something",
    ]
    assert [finding.code for finding in table.findings] == ["table/formula"] * 3
    assert all(
        text in finding.message
        for text, finding in zip(told, table.findings, strict=True)
    )
    valued = repacked(
        (tmp_path / "f.xlsx").read_bytes(),
        SHEET,
        b"<f>1+1</f><v></v>",
        b"<f>1+1</f><v>2</v>",
    )
    valued = repacked(valued, SHEET, b"<f>1+1</f><v/>", b"<f>1+1</f><v>2</v>")
    (tmp_path / "v.xlsx").write_bytes(valued)
    (table,), _found = read_tables(tmp_path / "v.xlsx")
    assert (table.rows[0].cells[1].value, len(table.findings)) == (2, 2)
