"""Which elements depend on their neighbours is read off a style sheet in little time, whatever stands in it."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint.parts import neighbours


@pytest.mark.parametrize(
    ("sheet", "names"),
    [
        ("p + .a { color: red }", {".a"}),
        ("td:hover:first-child { color: red } .b { color: red }", {"td"}),
        (".a:not(.b):first-child { color: red }", {".b"}),
        (":last-child { color: red }", {"*"}),
        (".a { color: red } .b { color: red }", set()),
    ],
)
def test_what_stands_beside_is_found(sheet: str, names: set[str]) -> None:
    assert neighbours((sheet,)) == names


@pytest.mark.parametrize("part", [".a{}", "(", ")", ":a", "a", "/*", ":not(", "+", "{"])
def test_long_nonsense_is_read_in_little_time(part: str) -> None:
    neighbours((part * 150_000,))
