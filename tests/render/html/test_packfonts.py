"""A pack's fonts: whole ones stay unchanged, unusable ones are reported with the fix."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

from builder.findings import Finding, Severity
from builder.render.fonts import find_font_folders
from builder.render.html.packfonts import load_pack_fonts
from builder.render.jobs import Places
from tests.render.typefaces import typeface


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "templates/game/fonts").mkdir(parents=True)
    return Places(
        tmp_path / "templates/game",
        tmp_path / "base",
        tmp_path / "cards/game",
        tmp_path / ".cache",
        tmp_path,
    )


def put(places: Places, name: str, data: bytes) -> Path:
    path = places.templates / "fonts" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


def without_names(font: Any) -> None:
    font["name"].names = []


def coloured(font: Any) -> None:
    font["COLR"] = DefaultTable("COLR")
    font["COLR"].data = bytes(14)


def packed(flavor: str) -> Callable[[Any], None]:
    def pack(font: Any) -> None:
        font.flavor = flavor

    return pack


def rights(bits: int) -> Callable[[Any], None]:
    def state(font: Any) -> None:
        font["OS/2"].fsType = bits

    return state


def variable() -> bytes:
    return next(
        path for folder in find_font_folders() for path in folder.glob("*VariableFont*")
    ).read_bytes()


def collection() -> bytes:
    both, out = TTCollection(), BytesIO()
    both.fonts = [TTFont(BytesIO(typeface("One"))), TTFont(BytesIO(typeface("Two")))]
    both.save(out)
    return out.getvalue()


def postscript() -> bytes:
    builder, pen, out = (
        FontBuilder(1000, isTTF=False),
        T2CharStringPen(600, None),
        BytesIO(),
    )
    pen.moveTo((0, 0))
    pen.lineTo((500, 0))
    pen.lineTo((500, 700))
    pen.closePath()
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    builder.setupCFF(
        "Curve", {}, {".notdef": pen.getCharString(), "A": pen.getCharString()}, {}
    )
    builder.setupHorizontalMetrics({".notdef": (600, 0), "A": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Curve", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(out)
    return out.getvalue()


def only(findings: tuple[Finding, ...]) -> Finding:
    assert len(findings) == 1
    assert findings[0].translate("ru").message != findings[0].message
    assert findings[0].translate("ru").hint != findings[0].hint
    return findings[0]


def test_a_pack_without_fonts_of_its_own_has_none(places):
    (places.templates / "fonts").rmdir()
    assert load_pack_fonts(places).paths == load_pack_fonts(places).findings == ()


def test_fonts_are_kept_as_they_are_in_whatever_folder_they_lie(places):
    first, second = (
        put(places, "a.ttf", typeface("Ink")),
        put(places, "bold/B.TTF", typeface("Ink", "Roboto-Bold")),
    )
    found = load_pack_fonts(places)
    assert found.findings == ()
    assert {path.read_bytes() for path in found.paths} == {
        first.read_bytes(),
        second.read_bytes(),
    }
    assert all(path.is_relative_to(places.cache) for path in found.paths)


def test_contents_count_and_names_do_not(places):
    path = put(places, "a.ttf", typeface("Ink"))
    before = load_pack_fonts(places)
    path.rename(path.with_name("b.ttf"))
    assert load_pack_fonts(places) == before
    put(places, "b.ttf", typeface("Ink", "Roboto-Light"))
    assert load_pack_fonts(places).hash != before.hash


def test_the_same_font_twice_is_one(places):
    put(places, "a.ttf", typeface("Ink"))
    put(places, "copy.ttf", typeface("Ink"))
    assert (len(load_pack_fonts(places).paths), load_pack_fonts(places).findings) == (
        1,
        (),
    )


def test_what_is_no_font_is_left_alone(places):
    for name in ("OFL.txt", "README.md", ".hidden.ttf", "._Ink.ttf"):
        put(places, name, b"words")
    assert load_pack_fonts(places) == load_pack_fonts(
        Places(places.cache, places.cache, places.cache, places.cache, places.project)
    )


@pytest.mark.parametrize(
    ("make", "says", "remedy"),
    [
        (lambda: b"junk", "damaged", "Download it again"),
        (lambda: b"", "damaged", "Download it again"),
        (lambda: typeface("Ink")[:-5000], "damaged", "Download it again"),
        (lambda: typeface("Ink")[:40], "damaged", "Download it again"),
        (variable, "variable", "varLib.instancer"),
        (postscript, "no TrueType outlines", ".ttf"),
        (collection, "several fonts", "its own .ttf"),
        (lambda: typeface("Ink", edit=coloured), "coloured", "static"),
        (lambda: typeface("Ink", edit=without_names), "has no family name", "editor"),
        (lambda: typeface("roboto"), "family name roboto", "Change"),
        (lambda: typeface("Man rope"), "family name Man rope", "Change"),
        (lambda: typeface("icons"), "family name icons", "Change"),
    ],
)
def test_a_font_that_cannot_be_used_is_an_error_and_hides_no_other(
    places, make, says, remedy
):
    put(places, "good.ttf", typeface("Good"))
    put(places, "bad.otf", make())
    found = load_pack_fonts(places)
    finding = only(found.findings)
    assert (finding.code, finding.severity) == ("render/font", Severity.ERROR)
    assert finding.location.file == "templates/game/fonts/bad.otf"
    assert says in finding.message
    assert remedy in finding.hint
    assert [path.read_bytes() for path in found.paths] == [typeface("Good")]


def test_two_fonts_of_one_cut_would_be_taken_for_each_other(places):
    put(places, "a.ttf", typeface("Ink"))
    put(places, "more/a.ttf", typeface("Ink", edit=rights(4)))
    finding = only(load_pack_fonts(places).findings)
    assert finding.message == "more/a.ttf is the same style of Ink as a.ttf"
    put(places, "more/a.ttf", typeface("Ink", "Roboto-Italic"))
    assert load_pack_fonts(places).findings == ()


@pytest.mark.parametrize(
    ("bits", "says"),
    [(2, "forbid embedding"), (0x104, "a part of it"), (0x208, "outlines")],
)
def test_a_font_that_forbids_to_embed_it_is_a_warning(places, bits, says):
    put(places, "a.ttf", typeface("Ink", edit=rights(bits)))
    found = load_pack_fonts(places)
    finding = only(found.findings)
    assert (finding.code, finding.severity) == ("render/font-rights", Severity.WARNING)
    assert says in finding.message
    assert len(found.paths) == 1


@pytest.mark.parametrize("bits", [0, 4, 8, 6])
def test_a_font_that_allows_to_embed_it_is_no_finding(places, bits):
    put(places, "a.ttf", typeface("Ink", edit=rights(bits)))
    assert load_pack_fonts(places).findings == ()


def test_a_link_that_leads_out_of_the_pack_is_not_followed(places, tmp_path):
    (tmp_path / "far.ttf").write_bytes(typeface("Ink"))
    (places.templates / "fonts/near.ttf").symlink_to(tmp_path / "far.ttf")
    found = load_pack_fonts(places)
    assert (found.paths, only(found.findings).code) == ((), "render/font")
