"""A workbook that the library cannot read is an error that names the file.

Long numbers are a field like any other.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from builder.errors import InputUnreadable
from builder.packs.tables.card_kinds import guess_kinds
from builder.packs.tables.inference import guess_column
from builder.packs.tables.reader import read_tables
from tests.hostile.attacks import call, say
from tests.usecases.toy import toy_project

CASES = Path(__file__).parent / "cases"
EAN = ["4006381333931", "4006381333948"]


def workbook(
    change: Callable[[dict[str, bytes]], object] = lambda _parts: None,
) -> bytes:
    """Return a workbook of one card whose parts were changed."""
    book, out, changed = Workbook(), io.BytesIO(), io.BytesIO()
    sheet = book.active
    sheet.append(["name", "cost"])
    sheet.append(["Moth", 3])
    book.save(out)
    with ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    with ZipFile(changed, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return changed.getvalue()


def replace_in(
    part: str, old: bytes, new: bytes
) -> Callable[[dict[str, bytes]], object]:
    def change(parts: dict[str, bytes]) -> None:
        assert old in parts[part]
        parts[part] = parts[part].replace(old, new)

    return change


SHEET, BOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
BROKEN = {
    "without sheets": (CASES / "no-sheets.xlsx").read_bytes(),
    "only a hidden sheet": workbook(
        replace_in(BOOK, b'state="visible"', b'state="hidden"')
    ),
    "without its list of parts": workbook(
        lambda parts: parts.pop("[Content_Types].xml")
    ),
    "without its sheet": workbook(lambda parts: parts.pop(SHEET)),
    "without its workbook": workbook(lambda parts: parts.pop(BOOK)),
    "an empty archive of another kind": workbook(
        lambda parts: parts.clear() or parts.update({"a.txt": b"x"})
    ),
    "a sheet that is no XML": workbook(
        replace_in(SHEET, b"<sheetData>", b"<sheetData><<")
    ),
    "a cell far away": workbook(replace_in(SHEET, b'r="A2"', b'r="QQQQQQ99999999999"')),
    "a date of no calendar": workbook(
        replace_in(BOOK, b"<sheets>", b'<sheets date1904="x"><')
    ),
    "cut short": workbook()[:-400],
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_workbook_that_cannot_be_read_is_an_error_with_its_name(
    data: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "cards.xlsx"
    file.write_bytes(data)
    with pytest.raises(InputUnreadable, match=r"cards\.xlsx cannot be read"):
        read_tables(file)


def test_new_and_import_refuse_a_workbook_without_sheets(tmp_path: Path) -> None:
    file, project = CASES / "no-sheets.xlsx", toy_project(tmp_path / "toy")
    for code, message in (
        say("new", tmp_path / "mine", "--from", file),
        call(project, "table", "import", file, "--kind", "spirit"),
    ):
        assert code == 3
        assert (
            "no-sheets.xlsx cannot be read: it has no visible sheet of cells" in message
        )


def test_a_column_of_article_numbers_is_a_field(tmp_path: Path) -> None:
    tables, _found = read_tables(CASES / "ean-column.csv")
    ((_kind, _table, columns, _notes),) = guess_kinds(tables, "ean-column")
    ean = columns[-1]
    assert ean.rule.field == "ean"
    assert ean.schema == {"description": "EAN.", "type": "integer", "minimum": 0}
    assert say("new", tmp_path / "mine", "--from", CASES / "ean-column.csv")[0] == 0
    cards = [
        path.read_text(encoding="utf-8")
        for path in sorted((tmp_path / "mine/cards").rglob("ean-column/*.yaml"))
    ]
    assert [
        f"ean: {number}\n" in card for number, card in zip(EAN, cards, strict=True)
    ] == [
        True,
        True,
    ]
    assert call(tmp_path / "mine", "check")[0] == 0


@pytest.mark.parametrize(
    ("cells", "schema"),
    [
        (["3", "10"], {"type": "integer", "minimum": 0, "maximum": 10}),
        (["-2.5", "7"], {"type": "number", "minimum": -3, "maximum": 10}),
        (["1000000001"], {"type": "integer", "minimum": 0}),
        (["9" * 15], {"type": "integer", "minimum": 0}),
        (["9" * 16], {"type": "string", "minLength": 1}),
    ],
)
def test_the_range_of_a_column_holds_its_numbers(
    cells: list[str], schema: dict[str, object]
) -> None:
    found = dict(guess_column("value", cells).schema)
    del found["description"]
    assert found == schema


@pytest.mark.parametrize("cell", ["9" * 400, "-" + "9" * 400, "9" * 5000])
def test_a_number_that_no_program_can_count_is_a_text(cell: str) -> None:
    assert guess_column("value", [cell]).schema["type"] == "string"
