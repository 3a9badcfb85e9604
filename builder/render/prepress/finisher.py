"""A shop's files from a PDF of faces: pages in the shop's order, each on the shop's page, or images of them; and plates
for foil and white ink: the same pages in black alone, or in the spot colour a shop names.
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
    Pdf,
    read_instructions,
    serialize_instructions,
)
from builder.render.cache import ResultCache
from builder.render.prepress import prepress_codes
from builder.render.prepress.document import NAMES, concatenate, describe, save
from builder.render.prepress.drawings import content, drawings, images_of, stated, store
from builder.render.prepress.ink import Ink, find_profile
from builder.render.prepress.objects import (
    convert_picture,
    convert_shading,
    opaque,
    regroup,
    shadings_of,
)
from builder.render.prepress.outline import Outliner
from builder.render.prepress.pages import PORTION, arrange, laid, lay_pages, portions, some_faces
from builder.render.prepress.paint import Painter
from builder.render.prepress.raster import encoded, opened, picture
from builder.render.prepress.transparency import flatten

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

_BLACK = re.compile(rb"(?<![\d.])0(?:\.0)? 0(?:\.0)? 0(?:\.0)? 1(?:\.0)? ([kK])\b")


@dataclass
class Finisher:
    """Makes a shop's PDF files. `colour` says in words what was done; `findings` what must be known.

    `flat` are the faces of each deck that held transparent drawings, and those with drawings over their type.
    """

    preset: Preset
    icc: Path | None
    day: str
    memo: ResultCache = field(default_factory=ResultCache)
    findings: list[Finding] = field(default_factory=list)
    flat: dict[Path, tuple[set[int], set[int]]] = field(default_factory=dict)

    @cached_property
    def _ink(self) -> Ink:
        """The conversion into inks."""
        return Ink(self.preset.colour, find_profile(self.preset.colour, self.icc))

    @property
    def colour(self) -> str:
        """How colours were made, in words."""
        if self.preset.colour.space == "rgb":
            return "RGB (sRGB)"
        parts = ["CMYK", self._ink.profile.description]
        if self.preset.colour.standard:
            parts.append(NAMES[self.preset.colour.standard])
        if self.preset.colour.ink_limit:
            parts.append(_("total ink at most {limit:g} %", limit=self.preset.colour.ink_limit))
        return join_messages(parts)

    def finish(
        self,
        source: Path,
        cuts: Sequence[ShopPage],
        order: Sequence[int | None],
        title: str,
        path: Path,
        lettered: Path,
    ) -> None:
        """Write the file with its pages in this order; a page may come several times, None is an empty one.

        Where text is made outlines, the same file with its letters is written too, to be judged.
        """
        parts: list[Path] = []
        letters: list[Path] = []
        colour = self.preset.colour
        for number, portion in enumerate(portions(order, PORTION)):
            faces = sorted({face for face in portion if face is not None}) or [0]
            parts.append(source.with_name(f"part{number}.pdf"))
            with some_faces(source, faces) as pdf:
                lay_pages(pdf, [cuts[face] for face in faces], self.memo)
                if colour.space == "cmyk":
                    self._press(pdf, source, faces)
                    describe(pdf, colour, self._ink.profile, title, self.day, len(cuts))
                arrange(pdf, [None if face is None else faces.index(face) for face in portion])
                if self.preset.outlined_text:
                    letters.append(source.with_name(f"letters{number}.pdf"))
                    save(pdf, colour.standard, letters[-1])
                    self._outline(pdf)
                save(pdf, colour.standard, parts[-1])
        concatenate(parts, path)
        if letters:
            concatenate(letters, lettered)

    def _press(self, pdf: Pdf, source: Path, faces: Sequence[int]) -> None:
        """All colours into inks, nothing transparent where that is forbidden."""
        ink, allowed = self._ink, self.preset.colour.transparency
        memo = self.memo.under(
            self.preset.colour.model_dump_json(), hashlib.sha256(ink.profile.data).hexdigest()
        )
        if not allowed:
            known = self.flat.setdefault(source, (set(), set()))
            for those, pages in zip(known, flatten(pdf, ink, memo), strict=True):
                those |= {faces[page] for page in pages}
        refused: set[str] = set()
        seen: set[tuple[int, int]] = set()
        for item, resources in drawings([page.obj for page in pdf.pages]):
            said = [
                content(item),
                str(item.get("/Type")).encode(),
                stated(resources, "/ColorSpace"),
            ]
            data, kept = memo.get("inks", said, lambda: _inked(ink, item, resources))  # noqa: B023
            store(item, data, pdf)
            refused |= set(kept)
            for _unused, image in images_of(resources):
                if image.objgen not in seen:
                    seen.add(image.objgen)
                    refused.add(convert_picture(image, ink))
            refused |= {convert_shading(shading, ink, pdf) for shading in shadings_of(resources)}
            regroup(item, allowed=allowed)
            if not allowed:
                opaque(resources)
        self.findings += [
            prepress_codes.COLOUR.finding(_("cannot be turned into inks: {what}", what=what))
            for what in sorted(refused - {""})
        ]

    def _outline(self, pdf: Pdf) -> None:
        """All text into curves; what has to stay text is said."""
        outliner = Outliner(pdf, self.memo)
        outliner.outline()
        form = _("{shop} wants text as outlines; there is still {what}")
        self.findings += [
            prepress_codes.OUTLINES.finding(_(form, shop=self.preset.id, what=what))
            for what in sorted(outliner.refused)
        ]


def _inked(ink: Ink, item: Object, resources: Object | None) -> tuple[bytes, Sequence[str]]:
    """A drawing in inks, and what could not be turned into them."""
    painter = Painter(ink, resources, page=item.get("/Type") == "/Page")
    return serialize_instructions(painter.rewrite(read_instructions(item))), sorted(painter.refused)


def write_plate(
    finisher: Finisher,
    source: Path,
    cuts: Sequence[ShopPage],
    order: Sequence[int | None],
    path: Path,
    spot: str,
) -> None:
    """Write a plate from a file of its faces, as the finisher writes the file it belongs to; type becomes outlines."""
    preset = finisher.preset
    colour = preset.colour.model_copy(update={"space": "cmyk", "rich_black": None})
    taken = preset.model_copy(update={"colour": colour, "outlined_text": True})
    letters = source.with_name("letters.pdf")
    replace(finisher, preset=taken, findings=[], flat={}).finish(
        source, cuts, order, path.stem, path, letters
    )
    if spot:
        _paint(path, spot)


def _paint(path: Path, spot: str) -> None:
    """Name black as another ink, drawn on screens as black."""
    with Pdf.open(path, allow_overwriting_input=True) as pdf:
        shown = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 0, 0, 1], N=1)
        ink = pdf.make_indirect(Array([Name.Separation, Name(f"/{spot}"), Name.DeviceCMYK, shown]))
        for item, resources in drawings([page.obj for page in pdf.pages]):
            found = _BLACK.sub(
                lambda one: b"/Plate cs 1 scn" if one[1] == b"k" else b"/Plate CS 1 SCN",
                content(item),
            )
            store(item, found, pdf)
            if resources is not None:
                resources["/ColorSpace"] = Dictionary(Plate=ink)
        pdf.save(path, deterministic_id=True)


def is_plate(item: Item) -> bool:
    """True for type and shapes in black ink alone, or in a spot colour."""
    inks = [paint.values for paint in list_paints(item) if paint.space != "Separation"]
    return isinstance(item, Shape | PdfText) and all(values == (0, 0, 0, 1) for values in inks)


@dataclass
class Images:
    """The faces of one deck as the shop's images; those that are known are not drawn again."""

    source: Path
    cuts: Sequence[ShopPage]
    preset: Preset
    memo: ResultCache
    _open: ExitStack = field(default_factory=ExitStack)
    _document: PdfDocument = None
    _start: int = -1

    def __enter__(self) -> Images:
        return self

    def __exit__(self, *_error: object) -> None:
        self._open.close()

    def _page(self, index: int) -> Image:
        """The picture of one page, from the portion of the deck that is open."""
        start = index - index % PORTION
        if start != self._start:
            self._open.close()
            path = laid(self.source, self.cuts, self.memo, start)
            self._start, self._document = start, self._open.enter_context(opened(path))
        return picture(self._document, index - start, self.cuts[index].pixels)

    def image(self, index: int, face: str) -> bytes:
        """One page's image; `face` is the hash of what is on it."""
        form, dpi = self.preset.output, self.preset.dpi
        said = [part.encode() for part in (face, repr(self.cuts[index]), form, str(dpi))]
        return self.memo.get("image", said, lambda: (encoded(self._page(index), form, dpi), ()))[0]
