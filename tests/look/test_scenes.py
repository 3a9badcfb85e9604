"""Each layer of base/scene is drawn by both engines, and another seed draws another picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops
from pypdfium2 import PdfDocument

from builder.packs.project import Project
from builder.render.html.templates import TemplateSet
from builder.render.html.view import TemplateView
from builder.usecases.build.build import build_pack
from tests.house.source import ROOT
from tests.usecases.toy import build_options, edit, toy_project

KINDS = {
    "light": ("side", "rays", "sun", "moon", "glow", "halo", "beams"),
    "backdrop": ("city", "forest", "mountains", "hangar", "towers", "castle", "wall"),
    "ground": ("street", "water", "rubble", "field", "floor", "snow", "sand", "deck"),
    "weather": (
        *(
            "rain",
            "snow",
            "dust",
            "fog",
            "smoke",
            "clouds",
            "stars",
            "embers",
            "lightning",
        ),
    ),
    "foreground": (
        *("grass", "reeds", "barrels", "crates", "fence", "wire", "stones", "sandbags"),
    ),
}
HATCHINGS = ("lines", "cross", "dots", "level", "waves", "taper")
REGULAR = {("hatching", kind) for kind in ("lines", "cross", "dots")}
"""Hatching that is the same for each seed."""
CELLS = [
    *((layer, kind) for layer, kinds in KINDS.items() for kind in kinds),
    *(("hatching", kind) for kind in HATCHINGS),
]
LOOK = '{% set look = dict(scene.look, sky="#6b7a80") %}'
COLUMNS, LEFT_MM, TOP_MM, PITCH_MM, SIZE_MM, BLEED_MM = 7, 4, 4, 6, 5, 3
DOTS_PER_MM = 12
MAX_BYTES = 25_000


def draw_cell(number: int, drawing: str) -> str:
    """Return the drawing in its cell of the face."""
    left_mm = LEFT_MM + number % COLUMNS * PITCH_MM
    top = TOP_MM + number // COLUMNS * PITCH_MM
    return (
        f'<svg viewBox="0 0 1000 1000" style="position: absolute; left: {left_mm}mm; top: {top}mm;'
        f' width: {SIZE_MM}mm; height: {SIZE_MM}mm">{drawing}</svg>'
    )


def call_macro(layer: str, kind: str) -> str:
    """Return the call of a layer in a template."""
    if layer == "hatching":
        return f'{{{{ scene.hatching("{kind}", look, 0, 0, 1000, 1000, 90, card.id, none, 30) }}}}'
    return f'{{{{ scene.sky(look, 1000) }}}}{{{{ scene.{layer}("{kind}", look, card.id, 1000) }}}}'


def render_fronts(folder: Path, template: str, engine: str) -> list[Image.Image]:
    """Return the fronts of the three charms of a toy project, drawn by a template."""
    pytest.importorskip(engine)
    edit(folder / "cards" / "lanterns" / "pack.yaml", "back: common", "faces: [front]")
    path = folder / "templates" / "lanterns" / "charm" / "front.html.j2"
    path.write_text(
        '{% import "base/scene/scene.j2" as scene %}' + LOOK + template, "utf-8"
    )
    options = build_options(
        workers=0, only=("kind=charm",), langs=("en",), profile="screen", engine=engine
    )
    result = build_pack(Project(folder), "lanterns", options)
    assert result.findings == ()
    scale = DOTS_PER_MM * 25.4 / 72
    pages = PdfDocument(result.files[0].path)
    return [page.render(scale=scale).to_pil().convert("RGB") for page in pages]


def crop_mm(
    face: Image.Image, left_mm: float, top: float, width: float, height: float
) -> Image.Image:
    """Return a part of a face; lengths in mm of the bleed box."""
    corners = (left_mm, top, left_mm + width, top + height)
    return face.crop(tuple(round((mm - BLEED_MM) * DOTS_PER_MM) for mm in corners))  # type: ignore[arg-type]


def crop_cell(face: Image.Image, number: int) -> Image.Image:
    """Return the middle of a cell."""
    left_mm = LEFT_MM + number % COLUMNS * PITCH_MM
    top = TOP_MM + number // COLUMNS * PITCH_MM
    return crop_mm(face, left_mm + 0.2, top + 0.2, SIZE_MM - 0.4, SIZE_MM - 0.4)


def differ(first: Image.Image, second: Image.Image) -> bool:
    """Return True if many pixels are different."""
    red, green, blue = ImageChops.difference(first, second).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[24:]) > 20


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_each_layer_is_drawn_and_differs_by_seed(tmp_path: Path, engine: str) -> None:
    template = "".join(
        draw_cell(number, call_macro(*cell)) for number, cell in enumerate(CELLS)
    ) + draw_cell(len(CELLS), "{{ scene.sky(look, 1000) }}")
    fronts = render_fronts(toy_project(tmp_path, known=False), template, engine)
    assert len(fronts) == 3
    sky = crop_cell(fronts[0], len(CELLS))
    for number, cell in enumerate(CELLS):
        cells = [crop_cell(face, number) for face in fronts]
        assert differ(cells[0], sky), cell
        if cell not in REGULAR:
            assert differ(cells[0], cells[1]) or differ(cells[0], cells[2]), cell


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_a_figure_breaks_out_of_its_window_but_not_below(
    tmp_path: Path, engine: str
) -> None:
    figure = '<path d="M450 0h100v1000h-100z" fill="#c00000"/>'
    window = "200, 300, 600, 400"
    drawing = (
        f"{{% call scene.window({window}) %}}{{{{ scene.sky(look, 1000) }}}}{{% endcall %}}"
        f"{{% call scene.breakout({window}, over=150) %}}{figure}{{% endcall %}}"
    )
    svg = (
        '<svg viewBox="0 0 1000 1000" style="position: absolute; left: 5mm; top: 5mm; '
        f'width: 20mm; height: 20mm">{drawing}</svg>'
    )
    face = render_fronts(toy_project(tmp_path, known=False), svg, engine)[0]

    def colour(x: float, y: float) -> tuple[int, ...]:
        return (
            crop_mm(face, 5 + x / 50, 5 + y / 50, 0.2, 0.2)
            .resize((1, 1))
            .getpixel((0, 0))
        )  # type: ignore[return-value]

    red, sky, paper = (192, 0, 0), (107, 122, 128), (255, 255, 255)
    assert colour(500, 500) == colour(500, 200) == red
    assert colour(500, 120) == colour(500, 750) == paper
    assert colour(250, 500) == sky
    assert colour(150, 500) == paper


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_the_cards_picture_replaces_the_scene(tmp_path: Path, engine: str) -> None:
    """The crop keeps the right half of the picture; a card without one has the scene."""
    toy_project(tmp_path, known=False)
    art = tmp_path / "cards" / "lanterns" / "art"
    art.mkdir()
    picture = Image.new("RGB", (400, 200), (0, 0, 200))
    picture.paste((0, 160, 0), (200, 0, 400, 200))
    picture.save(art / "marsh.png")
    card = tmp_path / "cards" / "lanterns" / "charm" / "amber-brooch.yaml"
    card.write_text(
        card.read_text("utf-8") + "art: marsh.png\nart_crop: {x: 100, y: 50}\n", "utf-8"
    )
    box = (
        '<div style="position: absolute; left: 5mm; top: 5mm; width: 20mm; height: 20mm; '
        'overflow: hidden">{% call scene.picture(card, 1000, look, backdrop="city") %}'
        "{% endcall %}</div>"
    )
    fronts = render_fronts(tmp_path, box, engine)
    assert crop_mm(fronts[0], 6, 6, 18, 18).resize((1, 1)).getpixel((0, 0)) == (
        0,
        160,
        0,
    )
    assert len(crop_mm(fronts[1], 6, 6, 18, 18).getcolors(100_000) or ()) > 20


@pytest.mark.parametrize("hatch", ["none", *HATCHINGS])
def test_the_largest_scene_is_small(tmp_path: Path, hatch: str) -> None:
    """The largest layer of each sort, all in one drawing, three times as wide as high."""
    text = """{% import "base/scene/scene.j2" as scene %}
{% set look = dict(scene.look, hatch=hatch) %}{% call scene.picture(card, 1400, look, lights="beams",
backdrop="city", weather="rain", ground="rubble", foreground="sandbags") %}{% endcall %}"""
    (tmp_path / "scene.html.j2").write_text(text, "utf-8")
    templates = TemplateSet(tmp_path, ROOT / "templates" / "base")
    values = {"card": TemplateView({"id": "old-wick"}), "hatch": hatch}
    drawing = templates.render("scene.html.j2", values)
    assert 5_000 < len(drawing.encode()) < MAX_BYTES
    assert drawing == templates.render("scene.html.j2", values)
