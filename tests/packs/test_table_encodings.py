"""Texts of old programs are read in the encoding in which they look like words."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.errors import InputUnreadable
from builder.packs.tables.reader import read_tables

TEXTS = {
    "cp932": "名前,コスト,効果\n狐,2,速く走る。\n鷺,3,遠くを見る。\n",
    "cp1251": "Название;Цена;Правила\r\nЛиса;2;Бежит.\r\nЦапля;3;Видит далеко.\r\n",
    "gb2312": "名称,费用,效果\n狐狸,2,跑得快。\n",
    "euc-kr": "이름,비용,효과\n여우,2,빨리 달린다.\n",
    "big5": "名稱,費用,效果\n狐狸,2,跑得快。\n",
    "koi8-r": "Название;Цена;Правила\nЛиса;2;Бежит.\nЦапля;3;Видит далеко.\n",
    "mac-roman": "Name;Kosten;Regeln\rFüchsin;2;Läuft über Äcker.\r",
    "cp1250": "Nazwa;Koszt;Zasady\r\nŻuraw;2;Źle śpi. Łąka.\r\n",
    "cp1252": "Name;Kosten;Regeln\r\nFüchsin;2;Läuft über Äcker für 3 €.\r\n",
    "utf-16-be": "Name,Cost\nЛиса,2\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_text_in_an_old_encoding_is_read_and_reported(
    encoding: str, tmp_path: Path
) -> None:
    file = tmp_path / "cards.csv"
    file.write_bytes(TEXTS[encoding].encode(encoding))
    (table,), findings = read_tables(file)
    lines = TEXTS[encoding].replace("\r\n", "\n").replace("\r", "\n").splitlines()
    separator = ";" if ";" in lines[0] else ","
    rows = [[cell.text for cell in row.cells] for row in table.rows]
    assert rows == [line.split(separator) for line in lines]
    assert [finding.code for finding in findings] == ["table/encoding"]


@pytest.mark.parametrize(
    ("name", "data", "cause"),
    [
        ("cards.csv", b"Name,Cost\nA\0b,2\n", "NUL characters"),
        ("cards.csv", b"Name,Cost\nA,2\n\0\0\0\0\0", "NUL characters"),
        ("cards.csv", b"Name,Cost\nA,2\x02\n", "no text in an encoding"),
        ("cards.ods", b"\0\0\0\0\0\0\0", "no workbook"),
        ("cards.xlsx", b"\x01\x93\xff\0junk", "no workbook"),
        ("cards.xlsx", b"hello", "no workbook"),
        ("cards.ods", b"PK\3\4junkjunk", "no workbook"),
    ],
)
def test_junk_is_no_table(name: str, data: bytes, cause: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputUnreadable, match=cause):
        read_tables(tmp_path / name)


def test_the_hint_about_json_shows_json(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text("[NaN]")
    with pytest.raises(InputUnreadable) as caught:
        read_tables(tmp_path / "cards.json")
    assert '[{"name": "Old Fox", "cost": 3}' in str(caught.value.remedy)
