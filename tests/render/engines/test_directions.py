"""What is written from right to left: PlutoPrint sets it in its order, WeasyPrint refuses it."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from builder.findings import has_errors
from builder.model.languages import get_text_direction
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.packs.scaffold import list_pack_files, write_project
from builder.packs.tables.request import TableRequest
from builder.usecases.build.build import build_pack
from builder.usecases.check_pack import check_packs
from builder.usecases.tables.new_pack import PackRequest, make_pack
from tests.render.typefaces import typeface
from tests.usecases.toy import build_options

HEBREW = range(0x05D0, 0x05EB)
TABLE = (
    'id,Name,Rules,Points\nguard,שומר,"הקלף '
    "(הזה) מאפשר לך לזוז 3 פעמים, "
    'בתור.",3\nboy,נער,"אור.",2\n'
)
DICE = (
    '<div style="position: absolute; top: 40mm; right: 10mm; width: 20mm">'
    '<span style="color: #a00">2</span>D<span style="color: #00a">6</span></div>\n'
)
"""Digits and a Latin letter of different types: WeasyPrint prints them as 6D2."""


@pytest.mark.parametrize(
    ("lang", "direction"),
    [
        ("he", "rtl"),
        ("ar", "rtl"),
        ("fa", "rtl"),
        ("ar-EG", "rtl"),
        ("ur", "rtl"),
        ("yi", "rtl"),
        ("az-Arab", "rtl"),
        ("en", "ltr"),
        ("ru", "ltr"),
        ("uk", "ltr"),
        ("ar-Latn", "ltr"),
        ("zh-Hant", "ltr"),
    ],
)
def test_direction_of_a_language(lang: str, direction: str) -> None:
    assert get_text_direction(lang) == direction


def hebrew_typeface() -> bytes:
    """Return a typeface with Latin shapes for the Hebrew letters."""

    def add_hebrew(font: object) -> None:
        for table in font["cmap"].tables:  # type: ignore[index]
            shapes = [table.cmap[code] for code in range(ord("a"), ord("z") + 1)]
            table.cmap |= {
                code: shapes[number % len(shapes)] for number, code in enumerate(HEBREW)
            }

    return typeface("Test Hebrew", edit=add_hebrew)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    table = tmp_path / "he.csv"
    table.write_text(TABLE, encoding="utf-8")
    folder = tmp_path / "game"
    new_pack = make_pack(PackRequest(folder, TableRequest((table,), lang="he")))
    assert not has_errors(new_pack.findings)
    write_project(folder, iter(new_pack.files))
    fonts = folder / "templates/game/fonts"
    fonts.mkdir(exist_ok=True)
    (fonts / "TestHebrew.ttf").write_bytes(hebrew_typeface())
    look = folder / "templates/game/pack.css"
    look.write_text(
        look.read_text()
        + "\n.face { --display: Test Hebrew; font-family: Test Hebrew }\n"
        ".monogram { display: none }\n"  # its letter is also the first of the name
    )
    front = folder / "templates/game/he/front.html.j2"
    front.write_text(front.read_text() + DICE)
    return Project(folder)


def shapes_of(text: str) -> str:
    """Return the Latin letters whose shapes a Hebrew text has; a PDF names them."""
    return "".join(chr(ord("a") + (ord(letter) - HEBREW.start) % 26) for letter in text)


def letter_places(file: Path, text: str) -> list[float]:
    """Return the left ends of a text's letters on a PDF's first page, in reading order."""
    page = pypdfium2.PdfDocument(file)[0].get_textpage()
    letters = [
        (page.get_text_range(at, 1), page.get_charbox(at)[0])
        for at in range(page.count_chars())
    ]
    letters = [letter for letter in letters if letter[0].strip()]
    for start in range(len(letters)):
        found = letters[start : start + len(text)]
        if sorted(letter for letter, _left in found) == sorted(text):
            lefts = dict(found)
            return [lefts[letter] for letter in text]
    raise AssertionError(f"{text} is not on the page")


def test_a_new_pack_in_hebrew_is_set_from_right_to_left(project: Project) -> None:
    pytest.importorskip("plutoprint")
    assert load_pack(project, "game").whole.manifest.engine == "plutoprint"
    assert [
        finding.message
        for finding in check_packs(project, None)
        if "plutoprint" in finding.hint
    ] == []
    (built,) = build_pack(project, "game", build_options()).files
    name, dice = (
        letter_places(built.path, shapes_of("שומר")),
        letter_places(built.path, "2D6"),
    )
    assert name == sorted(name, reverse=True)
    assert dice == sorted(dice)


def test_a_caption_that_its_font_cannot_write_names_the_pack_s_id(
    project: Project,
) -> None:
    pytest.importorskip("plutoprint")
    manifest = project.get_cards_dir("game") / "pack.yaml"
    manifest.write_text(
        manifest.read_text("utf-8").replace("name: {he: Game}", "name: {he: משחק}"),
        "utf-8",
    )
    (built,) = build_pack(project, "game", build_options()).files
    assert (
        "game (he) · 1"
        in pypdfium2.PdfDocument(built.path)[0].get_textpage().get_text_range()
    )


def test_weasyprint_refuses_hebrew(project: Project) -> None:
    manifest = project.get_cards_dir("game") / "pack.yaml"
    manifest.write_text(
        manifest.read_text("utf-8").replace("plutoprint", "weasyprint"), "utf-8"
    )
    found = [
        finding
        for finding in check_packs(project, None)
        if finding.code == "i18n/direction"
    ]
    assert [
        (one.severity.value, one.location.file, one.location.line) for one in found
    ] == [("error", "cards/game/pack.yaml", 4)]
    assert "plutoprint" in found[0].hint
    result = build_pack(project, "game", build_options())
    assert not result.files
    assert {finding.code for finding in result.findings} == {"i18n/direction"}


def test_a_new_pack_of_a_layout_names_the_engine(tmp_path: Path) -> None:
    for langs, engine in ((["en", "ar"], "plutoprint"), (["en", "ru"], "auto")):
        folder = tmp_path / engine
        write_project(folder, list_pack_files({"": "mini"}, langs, None))
        assert load_pack(Project(folder), engine).whole.manifest.engine == engine


def test_a_table_in_hebrew_letters_is_set_from_right_to_left(tmp_path: Path) -> None:
    """Without a typeface that has the letters, building says which file to add."""
    (tmp_path / "he.csv").write_text(TABLE, encoding="utf-8")
    request = PackRequest(tmp_path / "game", TableRequest((tmp_path / "he.csv",)))
    files = dict(make_pack(request).files)
    manifest = files["cards/game/pack.yaml"].decode()
    assert "languages: {source: he}" in manifest
    assert "engine: plutoprint" in manifest
    style = files["templates/game/he/card.css"].decode()
    assert '.face[dir="rtl"] .name' in style
    assert "hyphens" not in style
