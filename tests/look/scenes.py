"""The picture of scenes in docs/templates.md: `python -m tests.look.scenes` renders it again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from pypdfium2 import PdfDocument
from weasyprint import HTML

from builder.render.html.templates import TemplateSet
from tests.house.source import ROOT

PICTURE = ROOT / "docs" / "pictures" / "scenes.png"
WIDE = 1364
DPI = 110
STYLES = {
    "ink": {},
    "flood": {
        "sky": "#a9c4c4",
        "light": "#f7f3da",
        "dark": "#15252b",
        "ground": "#5f8f93",
    },
    "night": {
        **{
            "sky": "#2d3a3a",
            "light": "#d9e3b0",
            "dark": "#0b0f10",
            "ground": "#3d4a44",
        },
        **{"accent": "#d6492a", "width": 0, "hatch": "none", "side": "right"},
    },
    "wood": {
        **{
            "sky": "#f3ead3",
            "light": "#fffaf0",
            "dark": "#231a14",
            "ground": "#d8c59c",
        },
        **{"accent": "#8c2b1f", "line": "#231a14", "width": 6, "hatch": "taper"},
    },
    "poster": {
        **{
            "sky": "#e8c77a",
            "light": "#fff0c2",
            "dark": "#3a1512",
            "ground": "#b8402c",
        },
        **{"accent": "#b8402c", "width": 0, "hatch": "none", "side": "right"},
    },
    "heat": {
        **{
            "sky": "#2a1247",
            "light": "#ffe37a",
            "dark": "#0c0420",
            "ground": "#4b1f7a",
        },
        **{"accent": "#ff7a1f", "width": 0, "hatch": "none"},
    },
}
SCENES = (
    ("ink", "glow", "city", "clouds", "street", "sandbags"),
    ("flood", "glow", "city", "rain", "water", "barrels"),
    ("night", "side", "hangar", "dust", "floor", "crates"),
    ("wood", "sun", "castle", "clouds", "field", "grass"),
    ("poster", "rays", "towers", "smoke", "rubble", "wire"),
    ("heat", "halo", "towers", "stars", "sand", "stones"),
    ("wood", "moon", "mountains", "snow", "snow", "fence"),
    ("ink", "sun", "forest", "fog", "field", "reeds"),
    ("night", "beams", "city", "embers", "rubble", "sandbags"),
)
TEMPLATE = """{% import "base/scene/scene.j2" as scene %}{% import "base/figure.html.j2" as people %}
{% set look = dict(scene.look, **style) %}<svg viewBox="0 0 {{ wide }} 1000" width="60mm" height="44mm">
{{ scene.behind(seed, wide, look, light, backdrop, weather, ground) }}
{% if pose %}{{ scene.shadow(look, 700) }}{{ people.figure({"pose": pose, "legs": "trousers",
"torso": "vest", "arms": ["cloth", "cloth"], "head": "helmet", "main": "carbine"}, x=700, y=960,
k=0.8, paper="#ffffff", tone="#1d4f91") }}{% endif %}
{{ scene.foreground(foreground, look, seed, wide) }}</svg>"""
POSES = ("", "port", "aim", "", "level", "", "kneel", "", "advance")
STYLE = """<style>@page { size: 192mm 142mm; margin: 4mm 0 0 4mm } body { margin: 0 }
svg { display: block; float: left; margin: 0 2mm 2mm 0 }</style>"""


def draw_scenes(folder: Path) -> str:
    """Return the scenes as HTML."""
    (folder / "scene.html.j2").write_text(TEMPLATE, "utf-8")
    templates = TemplateSet(folder, ROOT / "templates" / "base")
    drawings: list[str] = []
    for number, (style, light, backdrop, weather, ground, foreground) in enumerate(
        SCENES
    ):
        values = {
            "style": STYLES[style],
            "light": light,
            "backdrop": backdrop,
            "wide": WIDE,
        }
        values |= {"weather": weather, "ground": ground, "foreground": foreground}
        values |= {"seed": f"scene-{number}", "pose": POSES[number]}
        drawings.append(templates.render("scene.html.j2", values))
    return STYLE + "".join(drawings)


def main() -> None:
    """Write the picture."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        HTML(string=draw_scenes(folder)).write_pdf(folder / "scenes.pdf")
        picture = PdfDocument(folder / "scenes.pdf")[0].render(scale=DPI / 72).to_pil()
    picture.convert("RGB").quantize(160).save(PICTURE, optimize=True)
    print(PICTURE, PICTURE.stat().st_size)


if __name__ == "__main__":
    main()
