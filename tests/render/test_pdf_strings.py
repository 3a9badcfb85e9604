"""Codes of the strings in a PDF."""

import pytest

from builder.render.engines.plutoprint.glyphs import read_codes


@pytest.mark.parametrize(
    ("piece", "codes"),
    [
        (b"<00410042>", [0x41, 0x42]),
        (b"<0041 0042>", [0x41, 0x42]),
        (b"<004\n1004 2>", [0x41, 0x42]),
        (b"(AB)", [0x41, 0x42]),
    ],
)
def test_codes_are_read_wherever_a_line_ends(piece: bytes, codes: list[int]) -> None:
    assert list(read_codes(piece)) == codes
