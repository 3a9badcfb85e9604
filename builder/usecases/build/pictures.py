"""Faces of cards as pictures, drawn when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from builder.findings import Finding
from builder.model.card import Card
from builder.model.pack import Size
from builder.render.prepress.raster import render_page
from builder.render.sheets.sheets import Stack
from builder.units import to_pixels
from builder.usecases.build.gauges import GaugePicture

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

Form = Literal["png", "webp", "tabletop", "cgs", "overview", "gallery"]


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """The options of pictures for screens.

    `url` is the address where a tabletop simulator finds the sheets, None for this disk.
    `output` is the output folder, by default that of the pack. With `strict`, cards that do not
    fit are not drawn.
    """

    form: Form
    dpi: int = 150
    url: str | None = None
    output: Path | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class CardFaces:
    """One card with its faces, and its texts in one language. `back` is None if it has none."""

    card: Card
    name: str
    kind: str
    faction: str
    facts: tuple[str, ...]
    size: Size
    front: Stack
    back: Stack | None
    deck: str = ""
    text: str = ""


@dataclass
class Pictures:
    """The faces of one language as pictures, drawn when they are needed.

    `title` is the pack's name, `decks` are the names of a product's decks by their ids, `pieces`
    are its gauges and tokens. The files are written to `folder`. `findings` collects findings about
    the pictures.
    """

    document: object
    order: dict[Stack, tuple[int, Size]]
    dpi: int
    lang: str
    title: str
    folder: Path
    decks: Mapping[str, str] = field(default_factory=dict)
    pieces: Callable[[], Iterable[GaugePicture]] = tuple
    findings: list[Finding] = field(default_factory=list)

    def measure_face(self, size: Size) -> tuple[int, int]:
        """Return the width and height in pixels of a face with this size in mm."""
        return to_pixels(size.width, self.dpi), to_pixels(size.height, self.dpi)

    def draw_face(self, stack: Stack, pixels: tuple[int, int] | None = None) -> Picture:
        """Return a picture of a face, cut to its trim.

        `pixels` is its width and height. By default they follow from the resolution.
        """
        index, size = self.order[stack]
        face: Picture = render_page(
            self.document, index, pixels or self.measure_face(size)
        )
        return face
