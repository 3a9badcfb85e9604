"""Tables of every format and dialect give the same rows.

Everything else is an error with a reason.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from builder.errors import InputUnreadable, UsageError
from builder.packs.tables.reader import read_tables
from builder.packs.tables.sheet import Table
from tests.hostile.attacks import call, say
from tests.packs.ods_file import make_sheet, make_text, make_value, pack_ods, write_ods
from tests.usecases.toy import toy_project

ROWS = [
    ["Name", "Cost", "Rules"],
    ["Ёж", "2", "Draw 2; then “stop”."],
    ["Fuß", "3", "x"],
]


def read_texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def read_file(folder: Path, name: str, data: bytes) -> Table:
    (folder / name).write_bytes(data)
    (table,), _findings = read_tables(folder / name)
    return table


CSV = 'Name,Cost,Rules\nЁж,2,"Draw 2; then “stop”."\nFuß,3,x\n'
SEMICOLONS = 'Name;Cost;Rules\nЁж;2;"Draw 2; then “stop”."\nFuß;3;x\n'
TEXTS = {
    "commas": CSV.encode(),
    "byte order mark": CSV.encode("utf-8-sig"),
    "semicolons": SEMICOLONS.encode(),
    "tabs": CSV.replace(",", "\t").encode(),
    "bars": CSV.replace(",", "|").encode(),
    "line ends of old Macs": CSV.replace("\n", "\r").encode(),
    "line ends of Windows": CSV.replace("\n", "\r\n").encode(),
    "no line end at the end": CSV.rstrip().encode(),
    "separator line": b"sep=;\r\n" + SEMICOLONS.encode(),
    "UTF-16": CSV.encode("utf-16"),
    "UTF-16 without a mark": CSV.encode("utf-16-le"),
    "blank first lines": b"\n\n,,\n" + CSV.encode(),
    "a title with a comma": b"My game, version 3;;\n\n" + SEMICOLONS.encode(),
    "notes above": b"Version:;3;\n" + SEMICOLONS.encode(),
    "empty columns at the end": CSV.replace("\n", ",,\n").encode(),
    "spaces around cells": CSV.replace(",", " , ").replace(' "', '"').encode(),
}


@pytest.mark.parametrize("name", TEXTS)
def test_dialects_of_csv_give_the_same_rows(name: str, tmp_path: Path) -> None:
    assert read_texts(read_file(tmp_path, "cards.csv", TEXTS[name])) == ROWS


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ('Name,Rules\nA,"Say ""no""."\n', 'Say "no".'),
        ('Name,Rules\nA,"Say \\"no\\"."\n', 'Say "no".'),
        ('Name,Rules\nA,2" thick\n', '2" thick'),
        ('Name\tRules\nA\t"Stop" he said\n', '"Stop" he said'),
        ('Name,Rules\nA,"one\ntwo"\n', "one\ntwo"),
        ("Name,Rules\nA,'=1+1\n", "=1+1"),
        ("Name,Rules\nA,'tis\n", "'tis"),
        ("Name,Rules\nA,007\n", "007"),
        ("Name,Rules\nA,50%\n", "50%"),
        ("Name,Rules\nA,$3.50\n", "$3.50"),
        ("Name,Rules\nA,1/4\n", "1/4"),
    ],
)
def test_a_cell_of_csv_stays_as_it_is(text: str, rules: str, tmp_path: Path) -> None:
    assert read_texts(read_file(tmp_path, "cards.csv", text.encode()))[1] == [
        "A",
        rules,
    ]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Ёж,Он идёт дальше"),
        ("cp1252", "Fuß,Größe für Bäcker"),
        ("cp1252", "Reine,Été à l’eau"),
    ],
)
def test_encodings_of_windows_are_guessed_and_reported(
    encoding: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "cards.csv").write_bytes(f"Name,Rules\n{text}\n".encode(encoding))
    (table,), (finding,) = read_tables(tmp_path / "cards.csv")
    assert read_texts(table)[1] == text.split(",")
    assert finding.code == "table/encoding"


def test_one_damaged_letter_does_not_change_the_encoding(tmp_path: Path) -> None:
    data = CSV.replace("Cost", "Стоимость").encode() + b"A\xff,1,x\n"
    with pytest.raises(InputUnreadable, match="line 4: a letter is not UTF-8"):
        read_file(tmp_path, "cards.csv", data)


JSONS = {
    "list of objects": [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]],
    "object of lists": {
        name: [ROWS[1][at], ROWS[2][at]] for at, name in enumerate(ROWS[0])
    },
    "list of lists": ROWS,
    "named list": {
        "version": 2,
        "cards": [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]],
    },
    "records of Airtable": {
        "records": [
            {"id": "rec1", "fields": dict(zip(ROWS[0], row, strict=True))}
            for row in ROWS[1:]
        ]
    },
}


@pytest.mark.parametrize("name", JSONS)
def test_forms_of_json_give_the_same_rows(name: str, tmp_path: Path) -> None:
    data = json.dumps(JSONS[name], ensure_ascii=False).encode()
    assert read_texts(read_file(tmp_path, "cards.json", data)) == ROWS
    assert read_texts(read_file(tmp_path, "cards.txt", data)) == ROWS


def test_nested_json_becomes_columns_and_rows(tmp_path: Path) -> None:
    card = {
        "name": "Moth",
        "stats": {"move": 5, "nerve": 2.5},
        "keywords": ["swift", "small"],
        "flies": True,
        "note": None,
        "attacks": [{"name": "Bite", "dice": 2}, {"name": "Sting", "dice": 1}],
    }
    table = read_file(
        tmp_path, "cards.json", json.dumps([card, {"name": "Wick"}]).encode()
    )
    assert read_texts(table) == [
        [
            "name",
            "stats.move",
            "stats.nerve",
            "keywords",
            "flies",
            "note",
            "attacks.*.name",
            "attacks.*.dice",
        ],
        ["Moth", "5", "2.5", "swift; small", "true", "", "Bite", "2"],
        ["", "", "", "", "", "", "Sting", "1"],
        ["Wick"],
    ]
    assert table.rows[1].cells[1].value == 5


def test_json_by_id_has_a_column_id(tmp_path: Path) -> None:
    data = b'{"moth": {"name": "Moth"}, "wick": {"name": "Wick"}}'
    assert read_texts(read_file(tmp_path, "cards.json", data))[1:] == [
        ["moth", "Moth"],
        ["wick", "Wick"],
    ]


def test_headings_in_brackets_are_no_json(tmp_path: Path) -> None:
    table = read_file(tmp_path, "deck.csv", b"[Title];[Points]\nPup;1\n")
    assert table.head == ("[Title]", "[Points]")


def test_ods_shows_what_libreoffice_shows(tmp_path: Path) -> None:
    heading = "".join(
        map(make_text, ["Name", "Chance", "Price", "Odds", "Day", "Rules", "Power"])
    )
    rules = (
        '<text:span text:style-name="T1">Action:</text:span> draw<text:s text:c="2"/>2.'
    )
    moth = "".join(
        [
            make_text("Moth"),
            make_value("percentage", 'office:value="0.5"', "50%"),
            make_value("currency", 'office:value="3.5"', "3,50 €"),
            make_value("float", 'office:value="0.25"', "1/4"),
            make_value("date", 'office:date-value="2026-05-03"', "03.05.26"),
            make_text(rules, '<text:span text:style-name="T2">Quick.</text:span>'),
            make_value("float", 'office:value="1234.5"', "1.234,50"),
        ]
    )
    path = write_ods(
        tmp_path / "cards.ods",
        make_sheet("Cards", [heading, moth]),
        make_sheet("Notes", [make_text("x")], "ta2"),
    )
    (table,), (finding,) = read_tables(path)
    cells = table.rows[1].cells
    assert [cell.text for cell in cells] == [
        "Moth",
        "50%",
        "3,50 €",
        "1/4",
        "2026-05-03",
        "Action: draw  2.\nQuick.",
        "1234.5",
    ]
    assert cells[5].markup == "**Action:** draw  2.\n*Quick.*"
    assert cells[6].value == 1234.5
    assert finding.code == "table/hidden"


def test_ods_reports_errors_hidden_rows_and_merged_cells(tmp_path: Path) -> None:
    merged = make_text("Lamps").replace(
        "<table:table-cell ", '<table:table-cell table:number-rows-spanned="2" '
    )
    error = make_value(
        "string", 'office:string-value="" calcext:value-type="error"', "Err:502"
    )
    rows = [
        make_text("Name") + make_text("Faction") + make_text("Cost"),
        make_text("Moth") + merged + error,
        make_text("Wick")
        + "<table:covered-table-cell/>"
        + make_value("float", 'office:value="2"', "2"),
    ]
    sheet = make_sheet("Cards", rows)
    last_row = sheet.rindex("<table:table-row><table:table-cell office")
    sheet = sheet[:last_row] + sheet[last_row:].replace(
        "<table:table-row>", '<table:table-row table:visibility="filter">', 1
    )
    (table,), _findings = read_tables(write_ods(tmp_path / "cards.ods", sheet))
    assert read_texts(table)[1:] == [
        ["Moth", "Lamps", "Err:502"],
        ["Wick", "Lamps", "2"],
    ]
    assert [finding.code for finding in table.findings] == [
        "table/error-value",
        "table/hidden",
    ]


def pack_zip(names: list[str]) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    return file.getvalue()


REPEATED = make_sheet("A", [make_text("Name")]).replace(
    "<table:table-row>", '<table:table-row table:number-rows-repeated="1000000000">'
)
REPEATED_COLUMNS = make_sheet("A", [make_text("Name")]).replace(
    "<table:table-cell office",
    '<table:table-cell table:number-columns-repeated="1000000000" office',
)
WRONG_FILES = {
    "page.xls": (b"<html><table><tr><td>Name</td></tr></table>", "web page"),
    "bom.xls": (b"\xef\xbb\xbf\r\n<!DOCTYPE html>", "web page"),
    "xml.xls": (b'<?xml version="1.0"?><Workbook/>', "web page or XML"),
    "print.csv": (b"%PDF-1.7\n", "a PDF file"),
    "picture.xlsx": (b"\x89PNG\r\n\x1a\n", "a PNG file"),
    "photo.csv": (b"\xff\xd8\xff\xe0", "a JPEG file"),
    "cut.ods": (pack_ods(make_sheet("A", [make_text("Name")]))[:-50], "no workbook"),
    "broken.ods": (pack_ods("<table:table>"), "no workbook"),
    "empty.ods": (pack_ods(""), "no visible sheet"),
    "rows.ods": (pack_ods(REPEATED), "20000 rows"),
    "columns.ods": (pack_ods(REPEATED_COLUMNS), "500 columns"),
    "deck.numbers": (pack_zip(["Index/Document.iwa"]), "Apple Numbers"),
    "deck.xlsb": (
        pack_zip(["xl/workbook.bin", "[Content_Types].xml"]),
        "binary workbook",
    ),
    "text.docx": (pack_zip(["word/document.xml"]), "no workbook"),
    "odd.csv": (b"Name\n\x01\x02\n", "no text"),
    "nothing.json": (b"", "line 1"),
    "number.json": (b"3", "no list of cards"),
    "words.json": (b'["a", "b"]', "entry 1 of the list is not an object"),
    "twice.json": (b'[{"name": "A", "name": "B"}]', "the key name twice"),
    "nan.json": (b'[{"cost": NaN}]', "NaN is not a JSON number"),
    "deep.json": (b"[" * 100_000, "nested too deeply|line 1"),
    "long.json": (b'[{"cost": ' + b"9" * 5000 + b"}]", "too long"),
    "open.json": (b'[{"name": "A"', "line 1"),
    "half.json": (rb'[{"name": "A\ud800"}]', "D800 is half a character"),
    "half-key.json": (rb'[{"A\udc00": 1}]', "DC00 is half a character"),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_files_that_are_no_tables_are_refused_with_a_reason(
    name: str, tmp_path: Path
) -> None:
    data, reason = WRONG_FILES[name]
    with pytest.raises(InputUnreadable, match=reason) as caught:
        read_file(tmp_path, name, data)
    assert caught.value.remedy
    assert name in caught.value.message


def test_a_google_address_explains_how_to_export(tmp_path: Path) -> None:
    address = "https://docs.google.com/spreadsheets/d/abc/edit#gid=0"
    for code, message in (
        say("new", tmp_path / "mine", "--from", address),
        call(
            toy_project(tmp_path / "toy"),
            "table",
            "import",
            address,
            "--kind",
            "spirit",
        ),
    ):
        assert code == 3
        assert "https://docs.google.com/" in message
        assert "In Google Sheets choose File > Download" in message
    assert (
        "Download the table"
        in say("new", tmp_path / "mine", "--from", "https://example.org/a.csv")[1]
    )


def test_standard_input_is_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Input:
        buffer = io.BytesIO(CSV.encode())

    monkeypatch.setattr("sys.stdin", Input)
    (table,), _findings = read_tables(Path("-"))
    assert read_texts(table) == ROWS


def test_several_files_and_chosen_sheets_are_read(tmp_path: Path) -> None:
    book = Workbook()
    book.active.title = "Units"
    for sheet in (book.active, book.create_sheet("Items"), book.create_sheet("Notes")):
        sheet.append(["Name", "Cost"])
        sheet.append([f"One of {sheet.title}", 1])
    book.save(tmp_path / "cards.xlsx")
    (tmp_path / "more.csv").write_text("Name,Cost\nMore,1\n")
    tables, _findings = read_tables(tmp_path / "cards.xlsx", tmp_path / "more.csv")
    assert [table.sheet for table in tables] == ["Units", "Items", "Notes", ""]
    tables, _findings = read_tables(tmp_path / "cards.xlsx", sheets=("Items", "Units"))
    assert [table.sheet for table in tables] == ["Units", "Items"]
    with pytest.raises(UsageError, match=r"there is no sheet Unit$") as caught:
        read_tables(tmp_path / "cards.xlsx", sheets=("Unit",))
    assert "Units" in caught.value.remedy


def test_a_group_heading_over_columns_is_no_heading(tmp_path: Path) -> None:
    book = Workbook()
    for row in [
        ["Card", "Stats", None, "Text"],
        ["Name", "Move", "Nerve", "Rules"],
        ["Moth", 5, 2, "x"],
    ]:
        book.active.append(row)
    book.active.merge_cells("B1:C1")
    book.save(tmp_path / "cards.xlsx")
    (table,), _findings = read_tables(tmp_path / "cards.xlsx")
    assert table.head == ("Name", "Move", "Nerve", "Rules")
    assert table.skipped_rows == (1,)


@pytest.mark.parametrize(
    ("lang", "code", "message"),
    [
        ("en", 0, ""),
        ("de", 2, "name@de"),
        ("ru", 0, "use: squadpress --interface-lang ru"),
        ("xx", 2, "has no language xx"),
    ],
)
def test_import_takes_the_language_of_the_table(
    lang: str, code: int, message: str, tmp_path: Path
) -> None:
    project = toy_project(tmp_path / "toy")
    (tmp_path / "cards.csv").write_text("id,cost\ndusk-moth,1\n")
    words = (
        "table",
        "import",
        tmp_path / "cards.csv",
        "--kind",
        "spirit",
        "--lang",
        lang,
    )
    result, output = call(project, *words)
    assert (result, message in output) == (code, True), output
