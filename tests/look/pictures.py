"""The pictures of the README and of the packs' pages, made of today's cards.

`python -m tests.look.pictures [NAME ...]` writes docs/pictures/<name>.png.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import fix_engine
from builder.usecases.build.typeset import TRIM, compose_face_pages
from tests.checks.projects import ROOT

PICTURES = ROOT / "docs" / "pictures"
GROUND, EDGE, GAP, COLOURS = "#d8d4c8", 18, 14, 256

FACES = {
    "characters": (
        "hydrophilia",
        100,
        ["captain-davis front", "cachalot front", "mother-ebb front", "shadow back"],
    ),
    "kinds": (
        *("hydrophilia", 88),
        [
            "hydroleum-dose front",
            "high-water front",
            "theft front",
            "wedge front",
            "turn-order front",
        ],
    ),
    "languages-and-ink": (
        *("hydrophilia", 100),
        [
            "themis front ru",
            "themis front",
            "themis front ru ink",
            "themis back ru ink",
        ],
    ),
    "killteam": (
        *("killteam", 82),
        ["oath-seneschal front", "oath-seneschal back", "team-sump-brood front"],
        ["kommando front", "team-green-mob back", "relay front"],
    ),
    "zod": (
        *("zod", 84),
        ["doberman front", "mastodon back"],
        [
            "captain-vetrova front",
            "starter-infantry-zastava front",
            "snow-plough front",
        ],
    ),
}
"""A pack, a resolution, and lines of faces: a card, its side, a language (English) and a variant
(full).
"""

PAGES = {
    "table": ("en", 54, [("home-a4", 1), ("home-a4", -1), ("gauges-a4", 3)]),
    "gauges": ("en", 50, [("gauges-a4", 1), ("gauges-a4", 3), ("gauges-a4", 4)]),
}
"""A language, a resolution, and pages of what a squad's build writes, counted from 1 or from the
end.
"""


def draw_faces(name: str) -> list[list[Image.Image]]:
    """Return the faces of a picture, line by line."""
    pack_id, dpi, *lines = FACES[name]
    pack = load_pack(Project(ROOT), str(pack_id)).pack
    assert pack is not None
    places = get_render_folders(Project(ROOT), pack.id)
    renderer = Renderer(fix_engine(places, pack), places)
    face_pictures = []
    for line in lines:
        stacks = []
        for card_id, side, *rest in map(str.split, line):  # type: ignore[arg-type]
            lang, variant = [*rest, *("en", "full")[len(rest) :]]
            card = pack.cards[card_id]
            keys = renderer.render(
                jobs := list_layers(renderer, card, side, lang, variant)
            ).keys
            stacks.append(
                (tuple(keys[job] for job in jobs), pack.manifest.kinds[card.kind].size)
            )
        with compose_face_pages(renderer, TRIM, stacks, "pictures") as path:
            face_pictures.append(render_pages(path, int(str(dpi))))
    return face_pictures


def render_pages(path: Path, dpi: int) -> list[Image.Image]:
    """Return all pages of a PDF."""
    with open_document(path) as document:
        return [
            page.render(scale=dpi / 72).to_pil().convert("RGB") for page in document
        ]


def draw_pages(name: str) -> list[list[Image.Image]]:
    """Pages of a squad's cards, of its own sheet, of gauges."""
    lang, dpi, page_names = PAGES[name]
    roster = ROOT / "cards" / "hydrophilia" / "rosters" / "legal-varga-drones.yaml"
    with TemporaryDirectory() as folder:
        for output_options in (("--roster", str(roster)), ("--gauges",)):
            command = [
                "build",
                "hydrophilia",
                "--lang",
                lang,
                *output_options,
                "--output",
                folder,
            ]
            subprocess.run(
                [sys.executable, "-m", "builder", *command], check=True, cwd=ROOT
            )
        pages_by_file = {
            file: render_pages(next(Path(folder).glob(f"*{file}.pdf")), dpi)
            for file in dict(page_names)
        }
    return [
        [
            pages_by_file[file][page - 1 if page > 0 else page]
            for file, page in page_names
        ]
    ]


def make_sheet(lines: Sequence[Sequence[Image.Image]]) -> Image.Image:
    """Lines below each other, the pictures of each centred on it."""
    widths = [
        sum(picture.width for picture in line) + GAP * (len(line) - 1) for line in lines
    ]
    heights = [max(picture.height for picture in line) for line in lines]
    sheet_picture = Image.new(
        "RGB",
        (max(widths) + 2 * EDGE, sum(heights) + GAP * (len(lines) - 1) + 2 * EDGE),
        GROUND,
    )
    y = EDGE
    for line, width, height in zip(lines, widths, heights, strict=True):
        x = (sheet_picture.width - width) // 2
        for picture in line:
            sheet_picture.paste(picture, (x, y + (height - picture.height) // 2))
            x += picture.width + GAP
        y += height + GAP
    return sheet_picture.quantize(COLOURS)


def main(picture_names: Sequence[str]) -> None:
    """Write them."""
    for name in picture_names or (*FACES, *PAGES):
        make_sheet(draw_faces(name) if name in FACES else draw_pages(name)).save(
            PICTURES / f"{name}.png", optimize=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
