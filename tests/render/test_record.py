"""A record keeps what a face draws, and nothing of the file it was set in."""

from __future__ import annotations

import pytest

from builder.render.sheets.extract import list_glyphs
from builder.render.sheets.record import FontUse, PdfObject, Record


def test_a_record_reads_back_as_it_was():
    fonts = {
        "AAAAAA": FontUse(
            "f" * 32, {3: 500, 70: 612.5}, {3: " ", 70: "ы"}, "Roboto", 900, -200, 4
        )
    }
    record = Record(
        (0, 0, 10.5, 20),
        b"q Q",
        b"<<>>",
        (PdfObject(b"<<>>"), PdfObject(b"/Length 1", b"\x00\x01")),
        fonts,
    )
    assert Record.load(record.dump()) == record


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: b"x" + data, lambda data: b""]
)
def test_a_damaged_record_is_refused(damage):
    with pytest.raises(ValueError, match="record"):
        Record.load(damage(Record((0, 0, 1, 1), b"abc", b"<<>>").dump()))


def test_no_byte_of_a_record_changes_unseen():
    whole = Record(
        (0, 0, 1, 1), bytes(range(64)), b"<<>>", (PdfObject(b"/Length 8", b"12345678"),)
    ).dump()
    for at in range(len(whole)):
        with pytest.raises(ValueError, match="record"):
            Record.load(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])


def test_glyphs_are_distinguished_by_font_and_state():
    content = b"BT /A 8 Tf [<00010002>-12<0003>] TJ q /B 6 Tf <0009> Tj Q <0004> Tj ET"
    assert list_glyphs(content) == {"A": {1, 2, 3, 4}, "B": {9}}
