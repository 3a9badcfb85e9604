"""A second engine, to show that the seam holds.

It draws each word of a face as a bar, by plain operators.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from builder.render.engines import RenderedDocument, RenderedFace
from builder.render.jobs import Batch, FaceFacts, FaceHtml, Places, Style
from builder.render.sheets.record import Record, compress
from builder.units import to_points

BAR, STEP, LETTER = 4, 6, 3
"""Points: how high a bar is, how far the next lies below it, and how wide a letter of its word is.
"""


def drawn(html: str, style: Style) -> Record:
    """Return the bars of a text, from the top of the bleed box down."""
    box = style.boxes.bleed
    width, height = to_points(box.width), to_points(box.height)
    words = re.sub(r"<[^>]*>", " ", html).split()
    bars = (
        f"9 {height - STEP * (row + 2):g} {LETTER * len(word)} {BAR} re f"
        for row, word in enumerate(words)
    )
    return Record(
        (0.0, 0.0, width, height), compress("\n".join(bars).encode()), b"<<>>"
    )


@dataclass(frozen=True)
class ToyEngine:
    """Ready at once."""

    places: Places

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        return [
            RenderedFace(
                face,
                FaceFacts(face.key, face.label, deps=face.deps),
                drawn(face.html, batch.style),
            )
            for face in batch.faces
        ]

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        return RenderedDocument((drawn(page.html, style),), ())


class ToyAdapter:
    """Nothing to load."""

    name, findings = "toy", ()

    def make_fingerprint(self) -> str:
        return "toy 1"

    def import_engine(self) -> None:
        pass

    def list_libraries(self) -> dict[str, str]:
        return {}

    def open(self, places: Places, fonts: tuple[Path, ...]) -> ToyEngine:
        return ToyEngine(places)


TOY = ToyAdapter()
