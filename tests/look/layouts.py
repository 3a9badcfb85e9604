"""The pictures of docs/layouts.md.

`python -m tests.look.layouts` sets each layout's first cards and writes them.

`python -m tests.look.layouts DIR --lang ru --engine plutoprint` writes all cards of all layouts so,
to be looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw
from pypdfium2 import PdfDocument

from builder.packs.project import Project, find_project
from builder.packs.scaffold import list_layouts, list_pack_files, write_project
from builder.usecases.build.build import build_pack
from tests.usecases.toy import build_options

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "layouts"
DPI, WIDE, GAP = 110, 900, 18
GROUND = (238, 236, 231)
FACES_BY_LAYOUT = {
    **{
        "poker": (0, 2, 4, 1),
        "mini": (0, 2, 4, 1),
        "square": (0, 2, 1),
        "ship": (0, 2),
    },
    **{"event": (0, 2, 4, 1), "unit": (0, 1)},
}
"""Which faces stand in the picture: the first two where nothing is said."""


def write_layout(name: str, folder: Path) -> Project:
    """Return a pack of one layout."""
    write_project(folder / "ford", list_pack_files({"": name}, ("en", "ru"), None))
    return find_project(folder / "ford")


def draw_faces(project: Project, lang: str, engine: str) -> list[Image.Image]:
    """Return all faces of a pack as the screen shows them, fronts before their backs."""
    options = build_options(
        workers=1, langs=(lang,), profile="screen", engine=engine, gauges="with"
    )
    result = build_pack(project, "ford", options)
    assert result.findings == (), result.findings
    return [
        page.render(scale=DPI / 72).to_pil()
        for page in PdfDocument(result.files[0].path)
    ]


def make_row(pictures: list[Image.Image], corner: float) -> Image.Image:
    """Faces beside each other on a quiet ground, their corners cut."""
    high = max(picture.height for picture in pictures)
    row_picture = Image.new(
        "RGB",
        (sum(picture.width + GAP for picture in pictures) + GAP, high + 2 * GAP),
        GROUND,
    )
    x = GAP
    for picture in pictures:
        mask = Image.new("L", (picture.width * 4, picture.height * 4))
        ImageDraw.Draw(mask).rounded_rectangle(
            (0, 0, mask.width - 1, mask.height - 1), corner * DPI / 25.4 * 4, 255
        )
        row_picture.paste(
            picture.convert("RGB"),
            (x, GAP),
            mask.resize(picture.size, Image.Resampling.LANCZOS),
        )
        x += picture.width + GAP
    if row_picture.width > WIDE:
        row_picture = row_picture.resize(
            (WIDE, round(row_picture.height * WIDE / row_picture.width)),
            Image.Resampling.LANCZOS,
        )
    return row_picture


def main(words: list[str]) -> None:
    """Write the pictures."""
    options = dict(zip(words[1::2], words[2::2], strict=False))
    folder = Path(words[0]) if words else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in list_layouts():
        with TemporaryDirectory() as scratch:
            project = write_layout(name, Path(scratch))
            all_faces = draw_faces(
                project,
                options.get("--lang", "en"),
                options.get("--engine", "weasyprint"),
            )
        row_faces = (
            all_faces
            if words
            else [all_faces[at] for at in FACES_BY_LAYOUT.get(name, (0, 1))]
        )
        corner = 0 if name in ("sheet", "tokens") else 3
        make_row(row_faces, corner).quantize(160, dither=Image.Dither.NONE).save(
            folder / f"{name}.png", optimize=True
        )
        print(folder / f"{name}.png", (folder / f"{name}.png").stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1:])
