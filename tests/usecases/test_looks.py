"""Pictures and drawings that stand in style sheets and templates are judged as files are."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from builder.store.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.looks import judge_files
from tests.usecases.toy import build_options, edit, toy_project

TEMPLATES = "templates/lanterns"


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (40, 40), "red").save(out, "PNG")
    return out.getvalue()


def found(folder: Path) -> list[tuple[str, str, int | None]]:
    places = ((one.code, one.location) for one in judge_files(Project(folder), "lanterns"))
    return [(code, (place.file or "").rpartition("/")[2], place.line) for code, place in places]


def test_what_a_style_sheet_holds_is_judged(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    whole, half = (b64encode(data).decode() for data in (png(), png()[:60]))
    sheet = folder / TEMPLATES / "more.css"
    sheet.write_text(f".a {{ background: url(data:image/png;base64,{whole}) }}\n")
    assert found(folder) == []
    sheet.write_text(f".a {{ color: red }}\n.b {{ background: url('data:image/png;base64,{half}') }}\n")
    assert found(folder) == [("looks/damaged-picture", "more.css", 2)]


@pytest.mark.parametrize(
    ("inside", "codes"),
    [
        ("<path d='M0 0H9V9Z' fill='{{ card.name }}'/>", []),
        ("<filter id='f'/><path filter='url(#f)' d='M0 0H9V9Z'/>", ["looks/undrawn"]),
        ("<g id='a'><use href='#a'/></g>", ["looks/too-much-drawing"]),
        ("<text font-family='Papyrus'>a</text>", ["looks/drawing-font"]),
        ("<text font-family='{{ card.name }}'>a</text>", []),
        ("{% if card.name %}<g>{% else %}<g class='b'>{% endif %}</g>", []),
    ],
)
def test_drawings_within_templates_are_judged_as_far_as_they_can_be_read(
    tmp_path: Path, inside: str, codes: list[str]
) -> None:
    folder = toy_project(tmp_path)
    (folder / TEMPLATES / "part.j2").write_text(f"<p>\n<svg viewBox='0 0 9 9'>{inside}</svg></p>")
    assert found(folder) == [(code, "part.j2", 2) for code in codes]


def test_a_span_that_is_worked_out_is_told_of_its_face(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    template = next((folder / TEMPLATES / "spirit").glob("front.html.j2"))
    template.write_text(template.read_text() + '<table><tr><td colspan="{{ card.lumen * 100000 }}"></td></tr></table>')
    result = build_pack(Project(folder), "lanterns", build_options(workers=1, only=("old-wick",), langs=("en",)))
    assert [one.code for one in result.findings] == ["render/too-many-cells"]
    assert "spirit/old-wick front" in result.findings[0].message
    edit(template, "100000", "1")
    result = build_pack(Project(folder), "lanterns", build_options(workers=1, only=("old-wick",), langs=("en",)))
    assert result.findings == ()
