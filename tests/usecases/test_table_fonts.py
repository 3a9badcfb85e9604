"""Letters that no font of the program has are printed with an installed font, or one of the pack."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont

from builder.findings import Severity
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.render import installed_fonts
from builder.render.html.templates import add_families
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from tests.hostile.attacks import call

RUNES = "ᚠᚢᚦᚨᚱᚲ"
TABLE = "Name,Cost,Rules\nMist ᚠᚢᚦ,3,It waits ᚨᚱᚲ.\nMire,2,It goes.\n"


def make_font(
    family: str, letters: str, style: str = "Regular", rights: int = 0
) -> bytes:
    """Return a font with boxes as letters."""
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in ((50, 700), (550, 700), (550, 0)):
        pen.lineTo(corner)
    pen.closePath()
    glyph = pen.glyph()
    names = {ord(letter): f"g{ord(letter)}" for letter in letters}
    glyphs = [".notdef", *names.values()]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(glyphs, glyph))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (600, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": style})
    weight = 700 if style == "Bold" else 400
    builder.setupOS2(usWeightClass=weight, usWidthClass=5, fsType=rights)
    builder.setupPost()
    out = BytesIO()
    builder.save(out)
    return out.getvalue()


@pytest.fixture
def font_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of installed fonts."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.setattr(installed_fonts, "FONT_FOLDERS", (str(folder),))
    return folder


def begin(folder: Path, table: str = TABLE) -> tuple[Project, NewPack]:
    """Make a pack of a table."""
    (folder / "cards.csv").write_text(table, "utf-8")
    request = PackRequest(
        folder / "game", TableRequest((folder / "cards.csv",)), (63, 88)
    )
    result = make_pack(request)
    write_project(folder / "game", iter(result.files))
    return Project(folder / "game"), result


def test_an_installed_font_is_copied_and_named(
    tmp_path: Path, font_folder: Path
) -> None:
    (font_folder / "a.ttf").write_bytes(make_font("Rune Mono", RUNES))
    (font_folder / "b.ttf").write_bytes(make_font("Rune Sans", RUNES))
    (font_folder / "c.ttf").write_bytes(make_font("Rune Sans", RUNES, "Bold"))
    (font_folder / "d.ttf").write_bytes(make_font("Aa", RUNES[:3]))
    (font_folder / "e.ttf").write_bytes(
        make_font("Able", RUNES, rights=2)
    )  # no embedding
    (font_folder / "broken.ttf").write_bytes(b"no font")
    project, result = begin(tmp_path)
    fonts = project.get_templates_dir("game") / "fonts"
    assert sorted(path.name for path in fonts.iterdir()) == [
        "RuneSans-Bold.ttf",
        "RuneSans-Regular.ttf",
    ]
    style = (project.get_templates_dir("game") / "pack.css").read_text("utf-8")
    assert '--text: Roboto, "Rune Sans"' in style
    messages = [item.message for item in result.findings]
    assert any(
        "printed with Rune Sans, copied to templates/game/fonts" in message
        for message in messages
    )
    for command in (("check",), ("build",)):
        code, output = call(project.root, *command)
        assert code == 0, output


def test_a_font_of_a_collection_is_copied(tmp_path: Path, font_folder: Path) -> None:
    collection = TTCollection()
    for family in ("Rune KR", "Rune JP"):
        font = TTFont(BytesIO(make_font(family, RUNES)))
        collection.fonts.append(font)
    collection.save(font_folder / "runes.ttc")
    copy = installed_fonts.find_family([ord(letter) for letter in RUNES], "ja")
    assert copy is not None
    assert (copy.family, [name for name, _data in copy.files]) == (
        "Rune JP",
        ["RuneJP-Regular.ttf"],
    )
    assert copy.files[0][1][:4] == b"\0\1\0\0"


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_a_font_laid_in_the_pack_is_used_without_naming_it(
    engine: str, tmp_path: Path, font_folder: Path
) -> None:
    project, result = begin(tmp_path)
    (warning,) = [item for item in result.findings if item.severity is Severity.WARNING]
    assert warning.message == "no font on this machine has the characters ᚠ ᚢ ᚦ ᚨ ᚱ ᚲ"
    assert "templates/game/fonts" in warning.hint
    code, output = call(project.root, "build", "--engine", engine)
    assert (code, "render/missing-glyph" in output) == (1, True)
    fonts = project.get_templates_dir("game") / "fonts"
    fonts.mkdir()
    (fonts / "any-name.ttf").write_bytes(make_font("Rune Sans", RUNES))
    code, output = call(project.root, "build", "--engine", engine)
    assert code == 0, output


def test_a_table_in_latin_letters_gets_no_font(
    tmp_path: Path, font_folder: Path
) -> None:
    (font_folder / "b.ttf").write_bytes(make_font("Rune Sans", RUNES + "abc"))
    project, _result = begin(tmp_path, "Name,Cost\nMist,3\nMire,2\n")
    assert not (project.get_templates_dir("game") / "fonts").exists()
    assert "Rune" not in (project.get_templates_dir("game") / "pack.css").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("p { font-family: Roboto }", 'p { font-family: Roboto, "Rune Sans"}'),
        ("p{font: 7pt/1 A;x:y}", 'p{font: 7pt/1 A, "Rune Sans";x:y}'),
        ("p { font-family: RUNE sans, A }", "p { font-family: RUNE sans, A}"),
        ("@font-face { font-family: A }", "@font-face { font-family: A }"),
        ("p { font-family: inherit }", "p { font-family: inherit }"),
        ("p { font-size: 7pt; --font-x: 2 }", "p { font-size: 7pt; --font-x: 2 }"),
    ],
)
def test_the_families_of_a_pack_follow_the_named_ones(css: str, expected: str) -> None:
    assert add_families(css, ["Rune Sans"]) == expected
    assert add_families(css, []) == css
