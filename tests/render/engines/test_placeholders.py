"""Pictures are only measured in a layout that is not drawn.

Their placeholders must take the same room.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image

from builder.geometry.boxes import make_face_boxes
from builder.model.pack import Size
from builder.render.engines.plutoprint import fetcher
from builder.render.files import BASE_URL
from builder.render.jobs import Style
from builder.render.workers import EngineSetup, open_engine
from builder.usecases.build.build_options import get_render_folders

RULES = (
    "", "width:30mm", "height:9mm", "max-width:20mm", "max-height:9mm;width:auto",
    "width:30mm;height:9mm;object-fit:cover", "min-width:60mm",
)  # fmt: skip
TURNED_BY_CAMERA = 6
ORIENTATION_TAG = 0x0112


def write_picture(path: Path, kind: str) -> None:
    exif = Image.Exif()
    exif[ORIENTATION_TAG] = TURNED_BY_CAMERA
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.effect_noise((124, 96), 80).convert("RGB").save(path, kind, exif=exif)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("display", ["block", "flex"])
def test_a_layout_with_placeholders_measures_the_same(
    lanterns, monkeypatch, kind: str, rule: str, display: str
) -> None:
    spot = get_render_folders(lanterns, "lanterns")
    name = f"art/noise.{'jpg' if kind == 'JPEG' else 'png'}"
    write_picture(spot.data / name, kind)
    engine = cast(Any, open_engine(EngineSetup(spot, (), "plutoprint")))
    css = f".box{{display:{display};width:50mm}} img{{{rule}}} .text{{height:4mm}}"
    boxes = make_face_boxes(Size(width=63, height=88))
    style = Style(f"{rule} {display}", (("card", css),), boxes, {}, "en")
    face = f'<section class="face"><div class="box" data-block="box"><img src="{name}" alt=""></div>'
    face += '<div class="text">The text below the picture.</div></section>'
    with_placeholders, complaints = engine.lay_out_faces(style, [face])
    monkeypatch.setattr(fetcher, "_draw_placeholder", lambda *_: None)
    with_pictures, _complaints = engine.lay_out_faces(style, [face])
    assert not complaints
    assert with_placeholders[0].measured == with_pictures[0].measured
    assert with_placeholders[0].measured.text


DRAWINGS = (
    '<?xml version="1.0"?><!-- <a> --><svg xmlns="http://www.w3.org/2000/svg" width="30mm" {}><path d="M0 0"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" {}><g title="a>b"><path d="M0 0"/></g></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" {}/>',
    '<svg xmlns="http://www.w3.org/2000/svg" {}><style>svg{{width:30px;height:7px}}</style></svg>',
)


@pytest.mark.parametrize("drawing", DRAWINGS)
@pytest.mark.parametrize("rule", ["", "width:30mm", "max-width:20mm"])
@pytest.mark.parametrize("attributes", ["", 'height="7" aria-label="a > b"'])
def test_a_layout_with_empty_drawings_measures_the_same(
    lanterns, monkeypatch, drawing: str, rule: str, attributes: str
) -> None:
    folders = get_render_folders(lanterns, "lanterns")
    path = folders.templates / "drawing.svg"
    path.write_text(drawing.format(attributes), "utf-8")
    engine = cast(Any, open_engine(EngineSetup(folders, (), "plutoprint")))
    css = f".box{{width:50mm}} img{{{rule}}} .text{{height:4mm}}"
    style = Style(
        css, (("card", css),), make_face_boxes(Size(width=63, height=88)), {}, "en"
    )
    face = '<section class="face"><div class="box" data-block="box">'
    face += '<img src="drawing.svg" alt=""></div><div class="text">Text</div></section>'
    layouts = []
    for empty in (fetcher.empty_drawing, bytes):
        monkeypatch.setattr(fetcher, "empty_drawing", empty)
        engine._resources.forget()
        layouts += engine.lay_out_faces(style, [face])[0]
    assert layouts[0].measured == layouts[1].measured
    assert layouts[0].measured.text


def test_only_the_contents_of_a_drawing_are_left_out() -> None:
    drawings = [fetcher.empty_drawing(text.format("").encode()) for text in DRAWINGS]
    assert [b"<path" in drawing for drawing in drawings] == [False] * 4
    assert drawings[0].startswith(b'<?xml version="1.0"?><!-- <a> --><svg ')
    assert b"<style>" in drawings[3]  # it decides the size
    assert fetcher.empty_drawing(b"no drawing") == b"no drawing"


def test_small_files_are_read_once_a_batch(lanterns, monkeypatch) -> None:
    folders = get_render_folders(lanterns, "lanterns")
    path = folders.templates / "drawing.svg"
    path.write_text("<svg/>", "utf-8")
    resources = fetcher.PackResources(folders)
    address = f"{BASE_URL}drawing.svg"
    before = resources.read(address, only_size=False)
    assert before.data == b"<svg/>"
    path.write_text("<svg />", "utf-8")
    assert resources.read(address, only_size=False) is before
    resources.forget()
    assert resources.read(address, only_size=False).data == b"<svg />"
    monkeypatch.setattr(fetcher, "MAX_REMEMBERED_BYTES", 3)
    resources.forget()
    large = resources.read(address, only_size=False)
    assert resources.read(address, only_size=False) is not large
    assert resources.read(f"{BASE_URL}gone.svg", only_size=False).is_refused


def test_a_damaged_picture_has_no_placeholder(tmp_path: Path) -> None:
    damaged, whole = tmp_path / "damaged.jpg", tmp_path / "whole.png"
    damaged.write_bytes(b"\xff\xd8 no picture")
    assert fetcher._draw_placeholder(damaged, 0) is None
    data = io.BytesIO()
    Image.new("L", (30, 20)).save(data, "PNG")
    whole.write_bytes(data.getvalue())
    drawing = fetcher._draw_placeholder(whole, 0)
    assert drawing is not None
    assert b'width="30" height="20"' in drawing
