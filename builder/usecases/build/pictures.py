"""Faces as pictures: what is asked for, the cards that are shown, and their faces drawn when somebody looks."""

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
class Screen:
    """What is wanted: the form, pixels per inch, where a simulated table will find its sheets (else the disk), and the
    folder for the results (else that of the pack)."""

    form: Form
    dpi: int = 150
    url: str | None = None
    output: Path | None = None


@dataclass(frozen=True, slots=True)
class ShownFaces:
    """One card with its faces; `back` None where it has none. Its kind and faction as they are called, and `facts`."""

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
    """The faces of one language as pictures, drawn when asked for; `title` is the pack's name in it, `decks` those of a
    product by their ids; gauges and tokens are drawn too. `folder` is
    where the files will lie. `findings` is for what became of them.
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

    def pixels(self, size: Size) -> tuple[int, int]:
        """How large a face of this size is."""
        return to_pixels(size.width, self.dpi), to_pixels(size.height, self.dpi)

    def of(self, stack: Stack, pixels: tuple[int, int] | None = None) -> Picture:
        """A face cut to its trim, of these pixels where they are not those of the resolution."""
        index, size = self.order[stack]
        face: Picture = render_page(self.document, index, pixels or self.pixels(size))
        return face
