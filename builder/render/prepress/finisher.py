"""A shop's files from a PDF of faces: its pages in the shop's order, or images of them.

Also plates for foil and white ink: the same pages in black alone, or in the spot colour that a shop
names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from builder.findings import Finding
from builder.geometry.shop import ShopPage
from builder.messages import gettext as _, join_messages
from builder.model.pdf import Item, PdfText, Shape, list_paints
from builder.model.shop import Preset
from builder.pdf import (
    Array,
    Dictionary,
    Name,
    Object,
    ObjectId,
    Pdf,
    read_instructions,
    serialize_instructions,
)
from builder.render.cache import Result, ResultCache
from builder.render.prepress import prepress_codes
from builder.render.prepress.document import (
    STANDARD_NAMES,
    concatenate_files,
    save_file,
    write_metadata,
)
from builder.render.prepress.drawings import (
    find_drawings,
    hash_resources,
    list_images,
    read_content,
    replace_content,
)
from builder.render.prepress.ink import Ink, find_profile
from builder.render.prepress.objects import (
    convert_group,
    convert_picture,
    convert_shading,
    list_shadings,
    remove_opaque_states,
)
from builder.render.prepress.outline import Outliner
from builder.render.prepress.pages import (
    MAX_FACES_IN_MEMORY,
    lay_out_pages,
    open_faces,
    reorder_pages,
    split_order,
    write_shop_pages,
)
from builder.render.prepress.paint import Painter
from builder.render.prepress.raster import encode_picture, open_document, render_page
from builder.render.prepress.transparency import flatten

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

BLACK_OPERATORS = re.compile(
    rb"(?<![\d.])0(?:\.0)? 0(?:\.0)? 0(?:\.0)? 1(?:\.0)? ([kK])\b"
)
"""Black ink alone, for fills (k) or strokes (K)."""
SPOT_OPERATORS = {b"k": b"/Plate cs 1 scn", b"K": b"/Plate CS 1 SCN"}
BLACK_INKS = (0, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class ShopJob:
    """One PDF file for a print shop: the faces in `source`, their pages, and the order of these.

    None in the order is an empty page. The file is written to `path`. If its text becomes outlines,
    the same file with its text is written to `text_path`, to be checked.
    """

    source: Path
    shop_pages: Sequence[ShopPage]
    order: Sequence[int | None]
    title: str
    path: Path
    text_path: Path


@dataclass
class Finisher:
    """Writes PDF files as a print shop requires them.

    `flattened_faces` are the faces of each deck that were transparent, and those whose text
    became part of the picture.
    """

    preset: Preset
    icc: Path | None
    day: str
    cache: ResultCache = field(default_factory=ResultCache)
    findings: list[Finding] = field(default_factory=list)
    flattened_faces: dict[Path, tuple[set[int], set[int]]] = field(default_factory=dict)

    @cached_property
    def _ink(self) -> Ink:
        return Ink(self.preset.colour, find_profile(self.preset.colour, self.icc))

    @property
    def colour(self) -> str:
        """A text that says how colors are converted."""
        colour = self.preset.colour
        if colour.space == "rgb":
            return "RGB (sRGB)"
        parts = ["CMYK", self._ink.profile.description]
        if colour.standard:
            parts.append(STANDARD_NAMES[colour.standard])
        if colour.ink_limit:
            parts.append(_("total ink at most {limit:g} %", limit=colour.ink_limit))
        return join_messages(parts)

    def finish(self, job: ShopJob) -> None:
        """Write a file for the shop."""
        paths: list[Path] = []
        text_paths: list[Path] = []
        colour = self.preset.colour
        for number, portion in enumerate(split_order(job.order, MAX_FACES_IN_MEMORY)):
            # A portion of empty pages takes their size from the first face.
            faces = sorted({face for face in portion if face is not None}) or [0]
            paths.append(job.source.with_name(f"part{number}.pdf"))
            with open_faces(job.source, faces) as pdf:
                lay_out_pages(pdf, [job.shop_pages[face] for face in faces], self.cache)
                if colour.space == "cmyk":
                    self._convert_colours(pdf, job.source, faces)
                    profile = self._ink.profile
                    face_count = len(job.shop_pages)
                    write_metadata(
                        pdf, colour, profile, job.title, self.day, face_count
                    )
                indices = [
                    None if face is None else faces.index(face) for face in portion
                ]
                # Only now, so that a face on several pages was converted once.
                reorder_pages(pdf, indices)
                if self.preset.outlined_text:
                    text_paths.append(job.source.with_name(f"letters{number}.pdf"))
                    save_file(pdf, colour.standard, text_paths[-1])
                    self._outline_text(pdf)
                save_file(pdf, colour.standard, paths[-1])
        concatenate_files(paths, job.path)
        if text_paths:
            concatenate_files(text_paths, job.text_path)

    def _convert_colours(self, pdf: Pdf, source: Path, faces: Sequence[int]) -> None:
        """Convert all colors to inks. Flatten transparency if the shop forbids it."""
        ink = self._ink
        allows_transparency = self.preset.colour.transparency
        profile_hash = hashlib.sha256(ink.profile.data).hexdigest()
        cache = self.cache.with_key_parts(
            self.preset.colour.model_dump_json(), profile_hash
        )
        if not allows_transparency:
            flattened, with_drawn_type = flatten(pdf, ink, cache)
            face_sets = self.flattened_faces.setdefault(source, (set(), set()))
            face_sets[0].update(faces[index] for index in flattened)
            face_sets[1].update(faces[index] for index in with_drawn_type)
        # An empty reason stands for what was converted.
        for reason in sorted(self._convert_drawings(pdf, cache) - {""}):
            message = _("{what} cannot be converted to inks", what=reason)
            self.findings.append(prepress_codes.COLOUR.finding(message))

    def _convert_drawings(self, pdf: Pdf, cache: ResultCache) -> set[str]:
        """Convert all drawings to inks. Return messages about what cannot be converted."""
        ink = self._ink
        allows_transparency = self.preset.colour.transparency
        refused: set[str] = set()
        seen_images: set[ObjectId] = set()
        for item, resources in find_drawings(pdf.pages):
            refused |= _convert_drawing(item, resources, ink, pdf, cache)
            for _name, image in list_images(resources):
                # Drawings may share a picture.
                if image.objgen not in seen_images:
                    seen_images.add(image.objgen)
                    refused.add(convert_picture(image, ink))
            for shading in list_shadings(resources):
                refused.add(convert_shading(shading, ink, pdf))
            convert_group(item, allowed=allows_transparency)
            if not allows_transparency:
                remove_opaque_states(resources)
        return refused

    def _outline_text(self, pdf: Pdf) -> None:
        """Convert all text to outlines, and report text that cannot be converted."""
        outliner = Outliner(pdf, self.cache)
        outliner.outline()
        form = _("{shop} requires text as outlines; still text: {what}")
        for reason in sorted(outliner.refused):
            message = _(form, shop=self.preset.id, what=reason)
            self.findings.append(prepress_codes.OUTLINES.finding(message))


def _convert_drawing(
    item: Object, resources: Object | None, ink: Ink, pdf: Pdf, cache: ResultCache
) -> set[str]:
    """Convert one drawing to inks. Return messages about what cannot be converted."""
    kind = str(item.get("/Type"))
    inputs = [
        read_content(item),
        kind.encode(),
        hash_resources(resources, "/ColorSpace"),
    ]

    def convert() -> Result:
        painter = Painter(ink, resources, is_page=kind == "/Page")
        instructions = painter.rewrite(read_instructions(item))
        return serialize_instructions(instructions), sorted(painter.refused)

    data, refused = cache.get("inks", inputs, convert)
    replace_content(item, data, pdf)
    return set(refused)


def write_plate(finisher: Finisher, job: ShopJob, spot: str) -> None:
    """Write the PDF for an additional ink, such as foil. Text becomes outlines.

    `spot` names the ink that replaces black. Empty leaves black.
    """
    preset = finisher.preset
    # A plate is one ink: rich black would mix others into it.
    colour = preset.colour.model_copy(update={"space": "cmyk", "rich_black": None})
    preset = preset.model_copy(update={"colour": colour, "outlined_text": True})
    replace(finisher, preset=preset, findings=[], flattened_faces={}).finish(job)
    if spot:
        _replace_black(job.path, spot)


def _replace_black(path: Path, spot: str) -> None:
    """Replace black by another ink, which is shown as black on screens."""
    with Pdf.open(path, allow_overwriting_input=True) as pdf:
        # From no ink to black, which screens show in place of the spot colour.
        function = Dictionary(
            FunctionType=2,
            Domain=[0, 1],
            C0=[0, 0, 0, 0],
            C1=BLACK_INKS,
            N=1,
        )
        space = Array([Name.Separation, Name(f"/{spot}"), Name.DeviceCMYK, function])
        ink = pdf.make_indirect(space)
        for item, resources in find_drawings(pdf.pages):
            content = read_content(item)
            content = BLACK_OPERATORS.sub(
                lambda match: SPOT_OPERATORS[match[1]], content
            )
            replace_content(item, content, pdf)
            if resources is not None:
                resources["/ColorSpace"] = Dictionary(Plate=ink)
        pdf.save(path, deterministic_id=True)


def is_plate(item: Item) -> bool:
    """Return True for text and shapes in black ink only, or in a spot color."""
    if not isinstance(item, Shape | PdfText):
        return False
    inks = [paint.values for paint in list_paints(item) if paint.space != "Separation"]
    return all(values == BLACK_INKS for values in inks)


@dataclass
class ShopImages:
    """Makes the images of one deck for a shop. Cached images are not drawn again."""

    source: Path
    shop_pages: Sequence[ShopPage]
    preset: Preset
    cache: ResultCache
    _exit_stack: ExitStack = field(default_factory=ExitStack)
    _document: PdfDocument = None
    _start: int = -1

    def __enter__(self) -> ShopImages:
        return self

    def __exit__(self, *_error: object) -> None:
        self._exit_stack.close()

    def _draw_page(self, index: int) -> Image:
        """Draw one page as a picture.

        The part of the deck that contains it is opened if necessary.
        """
        # A whole deck would not fit into memory.
        start = index - index % MAX_FACES_IN_MEMORY
        if start != self._start:
            self._exit_stack.close()
            path = write_shop_pages(self.source, self.shop_pages, self.cache, start)
            self._document = self._exit_stack.enter_context(open_document(path))
            self._start = start
        return render_page(self._document, index - start, self.shop_pages[index].pixels)

    def make_image(self, index: int, face_hash: str) -> bytes:
        """Return the image of one page. `face_hash` identifies its content in the cache."""
        form = self.preset.output
        dpi = self.preset.dpi
        texts = (face_hash, repr(self.shop_pages[index]), form, str(dpi))
        inputs = [text.encode() for text in texts]

        def draw() -> Result:
            return encode_picture(self._draw_page(index), form, dpi), ()

        return self.cache.get("image", inputs, draw)[0]
