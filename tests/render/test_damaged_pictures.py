"""A drawing that a library cannot read is one error at that file, however many cards show it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
CASES = Path(__file__).parent / "cases"


def show_picture(project: Project, name: str, data: bytes) -> None:
    """Put a picture on each spirit of the toy game."""
    templates = project.get_templates_dir("lanterns")
    (templates / "art").mkdir(exist_ok=True)
    (templates / "art" / name).write_bytes(data)
    front = templates / "spirit" / "front.html.j2"
    front.write_text(
        front.read_text(encoding="utf-8")
        + f'<img src="art/{name}" alt="" style="position:absolute;width:5mm">',
        encoding="utf-8",
    )


def test_an_icon_with_a_point_far_away_is_one_error_at_the_icon(
    lanterns: Project,
) -> None:
    icons = lanterns.get_templates_dir("lanterns") / "icons"
    shutil.copy(CASES / "far-control-point.svg", icons / "far.svg")
    (found,) = build_pack(lanterns, "lanterns", build_options(langs=("en",))).findings
    assert found.code == "render/icon"
    assert found.location.file == "templates/lanterns/icons/far.svg"
    assert (
        "the icon far cannot be read: it is drawn far outside its viewBox"
        in found.message
    )


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bad.svg", b"<svg"),
        ("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10"),
        ("cut.jpg", b"\xff\xd8\xff\0\0"),
    ],
)
def test_a_damaged_picture_on_each_card_is_one_error_at_that_file(
    lanterns: Project, name: str, data: bytes
) -> None:
    show_picture(lanterns, name, data)
    found = build_pack(lanterns, "lanterns", build_options(langs=("en",))).findings
    assert {one.location.file for one in found} == {f"templates/lanterns/art/{name}"}
    assert len(found) == 1


@pytest.mark.parametrize("engine", ["weasyprint"], indirect=True)
def test_a_drawing_that_the_engine_alone_cannot_draw_is_one_error_at_that_file(
    lanterns: Project,
) -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="a b c d" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
    show_picture(lanterns, "box.svg", drawing)
    (found,) = build_pack(lanterns, "lanterns", build_options(langs=("en",))).findings
    assert found.code == "render/engine"
    assert found.location.file == "templates/lanterns/art/box.svg"
    assert "more faces: " in found.message
