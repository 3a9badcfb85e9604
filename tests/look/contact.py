"""Contact sheets: of each kind the fullest and emptiest card, both faces, all languages.

`python -m tests.look.contact FOLDER [PACK ...]` writes FOLDER/<pack>.png.
"""

import sys
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from PIL import Image

from builder.model.card import Card
from builder.model.pack import Pack
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import fix_engine
from builder.usecases.build.typeset import TRIM, compose_face_pages
from tests.checks.projects import ROOT

DPI = 62
WIDTH = 1640
GAP = 6
COLOURS = 48


def choose_cards(pack: Pack, kind: str) -> list[Card]:
    """Return the card of a kind with the most to say, the one with the least."""
    cards = sorted(
        pack.list_cards_of_kind(kind), key=lambda card: len(card.model_dump_json())
    )
    return [cards[-1], cards[0]]


def draw_cards(pack: Pack) -> list[list[Image.Image]]:
    """Return the faces of each kind."""
    places = get_render_folders(Project(ROOT), pack.id)
    renderer = Renderer(fix_engine(places, pack), places)
    rows, langs = [], cycle(pack.manifest.languages.all)
    for kind, about in pack.manifest.kinds.items():
        stacks = [
            list_layers(renderer, card, side, lang, "full")
            for card, lang in zip(choose_cards(pack, kind), langs, strict=False)
            for side in dict.fromkeys(about.faces)
        ]
        keys = renderer.render([job for stack in stacks for job in stack]).keys
        faces = list(
            dict.fromkeys(
                (tuple(keys[job] for job in stack), about.size) for stack in stacks
            )
        )
        with (
            compose_face_pages(renderer, TRIM, faces, "contact") as path,
            open_document(path) as document,
        ):
            rows.append(
                [
                    page.render(scale=DPI / 72).to_pil().convert("RGB")
                    for page in document
                ]
            )
    return rows


def make_sheet(rows: Sequence[Sequence[Image.Image]]) -> Image.Image:
    """Return all of them in lines of one width."""
    x = y = low = 0
    spots = []
    for picture in (picture for row in rows for picture in row):
        if x + picture.width > WIDTH:
            x, y = 0, y + low + GAP
            low = 0
        spots.append((picture, (x, y)))
        x, low = x + picture.width + GAP, max(low, picture.height)
    sheet_picture = Image.new("RGB", (WIDTH, y + low), "#8c8c8c")
    for picture, spot in spots:
        sheet_picture.paste(picture, spot)
    return sheet_picture.quantize(COLOURS)


def main(folder: Path, pack_names: Sequence[str]) -> None:
    """Write the sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in pack_names or Project(ROOT).list_packs():
        pack = load_pack(Project(ROOT), name).pack
        assert pack is not None
        make_sheet(draw_cards(pack)).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
