"""Cards, sheets and orders set with a pack's own font.

It is embedded like the others, and counts like them.
"""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fontTools.ttLib import TTFont

from builder.findings import Severity
from builder.packs.loading import load_pack
from builder.render.prepress.ink import GENERAL_REQUEST
from builder.render.renderer import Renderer
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.watch.pack_watch import PackWatch
from tests.render.conftest import copy_project
from tests.render.typefaces import typeface
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
COLD = True

CSS = ".title { font-family: 'Lantern Hand', sans-serif; letter-spacing: 0.1pt }"


def add_font(project, data: bytes, name: str = "hand.ttf") -> Path:
    path = project.get_templates_dir(project.list_packs()[0]) / "fonts" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


def style(project, css: str, file: str = "pack.css") -> int:
    """Add a line to a style sheet; its number."""
    path = project.get_templates_dir(project.list_packs()[0]) / file
    text = f"{path.read_text(encoding='utf-8')}\n{css}\n"
    path.write_text(text, encoding="utf-8")
    return text.count("\n")


@pytest.fixture
def lettered(lanterns):
    """Return a pack whose titles are set in a font of its own."""
    add_font(lanterns, typeface("Lantern Hand"))
    style(lanterns, CSS)
    return lanterns


def embedded(path: Path) -> dict[str, bytes]:
    """Return the font files in a document, by the font's name."""
    found: dict[str, bytes] = {}
    with pikepdf.open(path) as pdf:
        for item in pdf.objects:
            if (
                isinstance(item, pikepdf.Dictionary)
                and item.get("/Type") == "/FontDescriptor"
            ):
                found[str(item["/FontName"])] = item["/FontFile2"].read_bytes()
    return found


def contents(result) -> list[bytes]:
    assert not [
        finding for finding in result.findings if finding.severity is Severity.ERROR
    ]
    return [file.path.read_bytes() for file in result.files]


def test_a_pack_s_own_font_is_embedded_with_the_letters_shown_and_no_others(
    lettered, build
):
    result = build(lettered, langs=("en",))
    assert result.findings == ()
    name, data = next(
        item
        for item in embedded(result.files[0].path).items()
        if "Lantern-Hand" in item[0]
    )
    assert re.fullmatch(r"/[A-Z]{6}\+Lantern-Hand(-[A-Z][a-z]+)?", name)
    shown, whole = TTFont(BytesIO(data)), TTFont(BytesIO(typeface("Lantern Hand")))
    drawn = [
        glyph
        for glyph in shown.getGlyphOrder()
        if shown["glyf"][glyph].numberOfContours
    ]
    assert 5 < len(drawn) < whole["maxp"].numGlyphs / 3
    assert build(lettered, langs=("en",)).rendered_count == 0


def test_a_family_is_found_whatever_its_case_and_cut(lanterns, build):
    add_font(lanterns, typeface("Lantern Hand"))
    add_font(
        lanterns, typeface("Lantern Hand", "Roboto-BoldItalic"), "deep/slanted.ttf"
    )
    style(lanterns, ".title { font: italic bold 9pt/1.2 'lantern hand' }")
    result = build(lanterns, langs=("en",))
    assert result.findings == ()
    assert [
        name
        for name in embedded(result.files[0].path)
        if name.endswith("+Lantern-Hand-Bold-Italic")
    ]


def test_an_edited_font_sets_its_pack_anew_as_if_it_had_always_been_so(
    lettered, build, tmp_path, engine
):
    other = copy_project("lanterns", tmp_path / "other", engine)
    add_font(other, typeface("Lantern Hand", "Roboto-Black", _regular))
    style(other, CSS)
    expected = contents(build(other, langs=("en",)))
    first = build(lettered, langs=("en",))
    add_font(lettered, typeface("Lantern Hand", "Roboto-Black", _regular))
    again = build(lettered, langs=("en",))
    assert (again.rendered_count, again.cached_count) == (first.rendered_count, 0)
    assert contents(again) == expected


def _regular(font: Any) -> None:
    """Say of a cut that it is the regular one."""
    font["name"].setName("Regular", 2, 3, 1, 0x409)
    font["OS/2"].usWeightClass = 400


def test_a_font_counts_for_its_own_pack_alone(lanterns, tmp_path):
    beside = copy_project("brigade", lanterns.root)

    def hashes() -> list[str]:
        return [
            Renderer(
                load_pack(beside, pack).pack, get_render_folders(beside, pack)
            ).shared_hash
            for pack in ("brigade", "lanterns")
        ]

    before = hashes()
    path = beside.get_templates_dir("lanterns") / "fonts" / "hand.ttf"
    path.parent.mkdir()
    path.write_bytes(typeface("Lantern Hand"))
    after = hashes()
    assert (after[0] == before[0], after[1] == before[1]) == (True, False)


def test_workers_give_the_same_bytes(lettered, build, monkeypatch):
    monkeypatch.setattr("builder.render.workers.MIN_FACES_PER_BATCH", 1)
    first = contents(build(lettered))
    shutil.rmtree(lettered.cache_dir)
    assert contents(build_pack(lettered, "lanterns", build_options(workers=2))) == first


def test_a_squad_s_sheet_is_set_with_it(lanterns, build):
    add_font(lanterns, typeface("Lantern Hand"))
    sheet = lanterns.get_templates_dir("lanterns") / "squad.css"
    sheet.write_text(
        "body, body * { font-family: 'Lantern Hand' !important }", encoding="utf-8"
    )
    roster = lanterns.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    result = build(lanterns, langs=("en",), roster=roster)
    assert any("Lantern-Hand" in name for name in embedded(result.files[0].path))


@pytest.mark.parametrize(("shop", "kept"), [("longpack", True), ("mbprint", False)])
def test_an_order_embeds_it_or_makes_curves_of_it(lettered, build, shop, kept):
    result = build(lettered, langs=("en",), profile=f"shop:{shop}", icc=GENERAL_REQUEST)
    files = list(result.files[0].path.glob("lanterns-en*.pdf"))
    assert files
    for path in files:
        assert any("Lantern-Hand" in name for name in embedded(path)) == kept
        assert kept or not embedded(path)


def test_a_watch_notices_an_edited_font(lettered):
    watch = PackWatch(lettered, "lanterns")
    watch.start_watch(["cards/lanterns/spirit/old-wick.yaml"])
    before = watch._view
    add_font(lettered, typeface("Lantern Hand", "Roboto-Black", _regular))
    after = watch.show_saved_files(["templates/lanterns/fonts/hand.ttf"])
    assert not after.findings
    assert [seen.card for seen in after.cards] == [seen.card for seen in before.cards]
    assert after.cards[0].pictures != before.cards[0].pictures


def test_a_broken_font_is_reported_and_nothing_is_written(lettered, build):
    add_font(lettered, b"junk", "junk.ttf")
    result = build(lettered)
    assert [(finding.code, finding.location.file) for finding in result.findings] == [
        ("render/font", "templates/lanterns/fonts/junk.ttf")
    ]
    assert result.files == ()


@pytest.mark.parametrize(
    "source",
    ["url(fonts/none.ttf)", "url(data:font/ttf;base64,AAEAAAA)", "local('Roboto')"],
)
def test_a_font_that_a_style_sheet_brings_along_is_refused(lettered, build, source):
    line = style(lettered, f"@font-face {{ font-family: Sneak; src: {source} }}")
    result = build(lettered)
    finding = result.findings[0]
    assert (finding.code, finding.severity) == ("render/font-face", Severity.ERROR)
    assert (finding.location.file, finding.location.line) == (
        "templates/lanterns/pack.css",
        line,
    )
    assert "Sneak" in finding.message
    assert "templates/<pack>/fonts" in finding.hint
    assert (len(result.findings), result.files) == (1, ())


def test_a_font_face_with_a_web_font_of_the_pack_is_printed(lanterns, build):
    def pack_font(font):
        font.flavor = "woff2"

    folder = lanterns.get_templates_dir("lanterns") / "type"
    folder.mkdir()
    (folder / "ink.woff2").write_bytes(typeface("Ink", edit=pack_font))
    style(lanterns, "@font-face { font-family: Sneak; src: url(type/ink.woff2) }")
    style(lanterns, ".title { font-family: Sneak, sans-serif }")
    result = build(lanterns)
    assert result.findings == ()
    assert any("Sneak" in name for name in embedded(result.files[0].path))


def test_a_font_that_a_template_brings_along_is_refused(lettered, build):
    front = lettered.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    rule = "<style>@font-face { font-family: Sneak; src: url(fonts/hand.ttf) }</style>"
    front.write_text(rule + front.read_text(encoding="utf-8"), encoding="utf-8")
    result = build(lettered, langs=("en",))
    assert {finding.code for finding in result.findings} == {"render/font-face"}
    assert result.files == ()


def test_a_family_that_no_font_is_of_is_a_warning_at_its_place(lettered, build):
    line = style(
        lettered,
        "/* font-family: Silent; */ .title { font: bold 9pt/1 Nowhere, 'Lantern Hand', serif }",
    )
    result = build(lettered)
    assert [
        (finding.code, finding.severity, finding.location.line)
        for finding in result.findings
    ] == [("render/font-family", Severity.WARNING, line)]
    assert result.findings[0].location.file == "templates/lanterns/pack.css"
    assert "Nowhere" in result.findings[0].message
    assert result.files
    assert build(lettered).findings == result.findings


def test_names_that_ask_for_no_family_and_names_of_known_ones_are_no_finding(
    lettered, build
):
    style(
        lettered,
        ".title { font-family: MANROPE, roboto, Icons, sans-serif; } .x { font: inherit }",
    )
    style(
        lettered, ".y { font-family: var(--any); font-size: 3pt; -x-font-family: Odd }"
    )
    codes = {finding.code for finding in build(lettered, langs=("en",)).findings}
    assert "render/font-family" not in codes
