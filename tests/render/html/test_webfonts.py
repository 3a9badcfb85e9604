"""Web fonts: WOFF files are unpacked, and `@font-face` may name a file of the pack."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from builder.render.html.packfonts import FontCut, check_font, load_pack_fonts
from builder.render.html.webfonts import (
    list_font_faces,
    remove_font_faces,
    rename_font,
    unpack_web_font,
)
from builder.render.jobs import Places
from tests.render.typefaces import typeface


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "templates/game/fonts").mkdir(parents=True)
    names = ("templates/game", "base", "cards/game", ".cache")
    templates, base, data, cache = (tmp_path / name for name in names)
    return Places(templates, base, data, cache, tmp_path)


def pack_font(flavor: str, family: str = "Ink") -> bytes:
    def edit(font: Any) -> None:
        font.flavor = flavor

    return typeface(family, edit=edit)


@pytest.mark.parametrize(("flavor", "start"), [("woff", b"wOFF"), ("woff2", b"wOF2")])
def test_a_web_font_is_unpacked(places, flavor, start):
    data = pack_font(flavor)
    assert data[:4] == start
    (places.templates / "fonts" / f"ink.{flavor}").write_bytes(data)
    fonts = load_pack_fonts(places)
    assert (fonts.findings, fonts.families) == ((), {"Ink"})
    font = TTFont(fonts.paths[0])
    assert font.flavor is None
    assert (
        font.getBestCmap().keys()
        == TTFont(BytesIO(typeface("Ink"))).getBestCmap().keys()
    )
    assert load_pack_fonts(places).hash == fonts.hash


@pytest.mark.parametrize("flavor", ["woff", "woff2"])
def test_a_web_font_that_is_too_large_unpacked_is_refused(flavor):
    data = pack_font(flavor)
    with pytest.raises(ValueError, match="too large"):
        unpack_web_font(data, 1000)


@pytest.mark.parametrize("flavor", ["woff", "woff2"])
@pytest.mark.parametrize("length", [4, 40, 300, -200])
def test_a_broken_web_font_is_reported(places, flavor, length):
    (places.templates / "fonts/ink.woff2").write_bytes(pack_font(flavor)[:length])
    (finding,) = load_pack_fonts(places).findings
    assert (finding.code, finding.message) == (
        "render/font",
        "ink.woff2 is damaged or not a font",
    )


RULE = """@font-face {
  font-family: "Lantern Hand"; font-weight: bold; font-style: italic;
  src: local("Ink"), url("type/ink.eot"), url("type/ink.woff2") format("woff2");
}"""


def test_a_rule_with_a_file_of_the_pack_gives_the_font_its_name(places):
    (places.templates / "type").mkdir()
    (places.templates / "type/ink.woff2").write_bytes(pack_font("woff2"))
    sheet = places.templates / "pack.css"
    sheet.write_text(f"{RULE}\n.name {{ color: red }}")
    fonts = load_pack_fonts(places)
    assert (fonts.findings, fonts.families) == ((), {"Lantern Hand"})
    (path,) = fonts.paths
    assert check_font("ink", path.read_bytes())[0] == FontCut(
        "Lantern Hand", 700, 5, True
    )
    stripped = remove_font_faces(places.templates, sheet.read_text())
    assert stripped == "\n\n\n\n.name { color: red }"


@pytest.mark.parametrize(
    "source",
    [
        "url(https://example.org/ink.woff2)",
        "url(../other/ink.ttf)",
        "url(missing.ttf)",
        "url(/etc/ink.ttf)",
        "local(Ink)",
    ],
)
def test_a_rule_with_another_file_stays_and_adds_no_font(places, source):
    (places.templates.parent / "other").mkdir()
    (places.templates.parent / "other/ink.ttf").write_bytes(typeface("Ink"))
    rule = f"@font-face {{ font-family: Ink; src: {source} }}"
    (places.templates / "pack.css").write_text(rule)
    assert list_font_faces(places.templates) == []
    assert remove_font_faces(places.templates, rule) == rule
    assert load_pack_fonts(places).paths == ()


def test_a_font_that_has_these_names_already_stays_as_it_is(places):
    (places.templates / "fonts/ink.ttf").write_bytes(typeface("Ink"))
    rule = "@font-face { font-family: Ink; src: url(fonts/ink.ttf) }"
    (places.templates / "pack.css").write_text(rule)
    (face,) = list_font_faces(places.templates)
    assert rename_font(typeface("Ink"), face) == typeface("Ink")
    assert len(load_pack_fonts(places).paths) == 1
