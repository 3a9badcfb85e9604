"""The pictures of faces before and after a change, with marks around what differs."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from builder.errata.notes import Notes
from builder.findings import Box
from builder.model.pack import Size
from builder.model.pdf import grow_box, intersect_boxes
from builder.usecases.build.faces import FaceName, PackFaces

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MAX_FACE_WIDTH_MM = 43.5
MAX_LANDSCAPE_WIDTH_MM = 90.0
MAX_FACE_HEIGHT_MM = 75.0
"""The largest size of a face on a page of notes: 4 portrait faces fit side by side."""
MARK_MARGIN_MM = 0.7
"""The distance of a mark's frame from the change that it marks."""


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A picture of a card face in release notes. `marks` are frames around differences."""

    name: FaceName
    is_old: bool
    size: Size
    marks: tuple[Box, ...] = ()

    @property
    def is_landscape(self) -> bool:
        """True if the face is wider than high."""
        return self.size.width > self.size.height

    @property
    def scale(self) -> float:
        """The ratio of the face's size in the notes to its printed size."""
        max_width = MAX_LANDSCAPE_WIDTH_MM if self.is_landscape else MAX_FACE_WIDTH_MM
        return min(
            1.0, max_width / self.size.width, MAX_FACE_HEIGHT_MM / self.size.height
        )

    def place_marks(self, face_box: Box) -> Iterator[Box]:
        """Yield the frames around differences in mm, with a margin.

        `face_box` is the box in which the face is shown.
        """
        for mark in self.marks:
            frame = (
                intersect_boxes(
                    grow_box(mark, MARK_MARGIN_MM),
                    Box(0, 0, self.size.width, self.size.height),
                )
                or mark
            )
            x = face_box.x + frame.x * self.scale
            y = face_box.y + frame.y * self.scale
            yield Box(x, y, frame.width * self.scale, frame.height * self.scale)


@dataclass(frozen=True)
class NoteFaces:
    """The rendered faces of changed cards in release notes, before and after.

    `shown_faces` holds the faces of each note by language and card.
    """

    before: PackFaces
    after: PackFaces
    shown_faces: Mapping[tuple[str, str], Sequence[ShownFace]]

    def pack_of(self, face: ShownFace) -> PackFaces:
        """Return the rendered cards to which a face belongs."""
        return self.before if face.is_old else self.after


def encode_picture(face: ShownFace, picture: Picture) -> str:
    """Draw the marks of a face on its picture, and return it as a data URL."""
    buffer = BytesIO()
    _draw_marks(face, picture)
    picture.save(buffer, "WEBP", quality=82)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def _draw_marks(face: ShownFace, picture: Picture) -> None:
    from PIL import ImageDraw

    pixels_per_mm = picture.width / face.size.width / face.scale
    draw = ImageDraw.Draw(picture)
    for mark in face.place_marks(Box(0, 0, 0, 0)):
        edges = (mark.x, mark.y, mark.right, mark.bottom)
        draw.rectangle(
            [edge * pixels_per_mm for edge in edges], outline=(217, 26, 26), width=3
        )


COMPARISON_HEIGHT_PIXELS = 480
GAP_PIXELS = 16
"""The distance of faces in a comparison, and of faces from its edges."""


def draw_comparisons(faces: NoteFaces, notes: Notes) -> dict[str, bytes]:
    """Draw the faces of each changed card before and after, side by side, by `CARD.png`."""
    files: dict[str, bytes] = {}
    for note in notes.cards:
        shown_faces = faces.shown_faces.get((notes.lang, note.card), ())
        if shown_faces:
            files[f"{note.card}.png"] = _draw_comparison(faces, shown_faces)
    return files


def _draw_comparison(faces: NoteFaces, shown_faces: Sequence[ShownFace]) -> bytes:
    from PIL import Image

    pictures: list[Picture] = []
    for face in shown_faces:
        (picture,) = faces.pack_of(face).render_pictures([face.name])
        _draw_marks(face, picture)
        face_width = round(picture.width * COMPARISON_HEIGHT_PIXELS / picture.height)
        pictures.append(
            picture.convert("RGB").resize((face_width, COMPARISON_HEIGHT_PIXELS))
        )
    # A comment shows the picture in the width of its column, so all have the same height.
    width = GAP_PIXELS + sum(picture.width + GAP_PIXELS for picture in pictures)
    height = COMPARISON_HEIGHT_PIXELS + 2 * GAP_PIXELS
    # White cards need a background that is not white, also on a dark page.
    comparison = Image.new("RGB", (width, height), "#c9ccd3")
    x = GAP_PIXELS
    for picture in pictures:
        comparison.paste(picture, (x, GAP_PIXELS))
        x += picture.width + GAP_PIXELS
    buffer = BytesIO()
    comparison.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
