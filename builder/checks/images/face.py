"""The images and folders that the checks of image orders receive. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from builder.findings import Box, Location
from builder.messages import Message, gettext as _
from builder.model.pdf import Edges, Raster
from builder.model.shop import OrderFile, Preset, ShopOrder
from builder.units import from_inches, to_pixels

SIDES_BY_WORD = {
    "front": "front",
    "fronts": "front",
    "face": "front",
    "faces": "front",
    "back": "back",
    "backs": "back",
}
_WORD = re.compile(r"[a-z]+")
# only whole words: `comeback` names no side
_SIDE_WORD = re.compile(r"(?<![a-z])(fronts?|backs?|faces?)(?![a-z])")
_COPIES = re.compile(r"-x(\d+)$")


@dataclass(frozen=True, slots=True)
class ImageFace:
    """An image of one side of a card, as it is sent to a print shop.

    `listed` is its entry in the order's manifest, if there is one for this shop.
    """

    name: str
    raster: Raster
    preset: Preset
    listed: OrderFile | None = None

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        """The sizes in pixels that the shop accepts, by name. Empty if it accepts any size."""
        if self.listed is not None and self.listed.pixels is not None:
            return {self.listed.size: self.listed.pixels}
        sizes = {}
        for name, size in self.preset.sizes.items():
            sizes[name] = size.pixels or self._count_pixels(size.width, size.height)
        return sizes

    def _count_pixels(self, width: float, height: float) -> tuple[int, int]:
        bleed, dpi = self.preset.bleed, self.preset.dpi
        return to_pixels(width + 2 * bleed, dpi), to_pixels(height + 2 * bleed, dpi)

    @property
    def shows(self) -> Box:
        """The area of the whole image in mm, from the manifest or the shop's resolution."""
        if self.listed is not None:
            return Box(0, 0, *self.listed.page)
        wide, high = (
            from_inches(count / self.preset.dpi) for count in self.raster.pixels
        )
        return Box(0, 0, wide, high)

    @property
    def trim(self) -> Box:
        """The cut line as a box in mm."""
        page = self.shows
        trim = None if self.listed is None else self.listed.trim
        for name, pixels in self.sizes.items():
            if trim is None and pixels == self.raster.pixels:
                trim = (self.preset.sizes[name].width, self.preset.sizes[name].height)
        if trim is None:
            # An image that is smaller than its bleed must still have a card in its middle.
            bleed = min(self.preset.bleed, page.width / 4, page.height / 4)
            trim = (page.width - 2 * bleed, page.height - 2 * bleed)
        return Box((page.width - trim[0]) / 2, (page.height - trim[1]) / 2, *trim)

    def locate(self, edges: Edges | None = None) -> Location:
        """Return the location of the image, or of the part between these pixel edges."""
        if edges is None:
            return Location(file=self.name)
        left, top, right, bottom = edges
        mm = self.shows.width / self.raster.pixels[0]
        box = Box(left * mm, top * mm, (right - left) * mm, (bottom - top) * mm)
        return Location(file=self.name, box=box)

    @property
    def side(self) -> Literal["front", "back"] | None:
        """Whether the file name or its folder says "front" or "back", else None."""
        for part in reversed(PurePosixPath(self.name).parts):
            words = SIDES_BY_WORD.keys() & _WORD.findall(part.lower())
            sides = {SIDES_BY_WORD[word] for word in words}
            # a name with both words says nothing, so its folder decides
            if len(sides) == 1:
                return "back" if sides == {"back"} else "front"
        return None

    @property
    def group(self) -> str:
        """The folder of the image without the part that names the side. It identifies the deck."""
        parts = PurePosixPath(self.name).parent.parts
        return "/".join(part for part in parts if part.lower() not in SIDES_BY_WORD)

    @property
    def card(self) -> str:
        """The file name without side and copies, which is equal for both sides of a card."""
        stem = _COPIES.sub("", PurePosixPath(self.name).stem.lower())
        name = _SIDE_WORD.sub("", stem)
        return re.sub(r"[^\w]+", "-", name).strip("-_")

    @property
    def copies(self) -> int:
        """The number of copies in the file name, such as 3 in `guard-x3.png`, else 1."""
        match = _COPIES.search(PurePosixPath(self.name).stem)
        return int(match[1]) if match else 1


@dataclass(frozen=True, slots=True)
class ExistingFile:
    """A file in the order's folder: its SHA-256, and its pages (None if unreadable)."""

    sha256: str
    pages: int | None


@dataclass(frozen=True, slots=True)
class OrderFolder:
    """A folder with a print order: its images, all its files, and its manifest if it has one."""

    faces: Sequence[ImageFace]
    present: Mapping[str, ExistingFile]
    order: ShopOrder | None = None


def describe_pixels(pixels: tuple[int, int]) -> Message:
    """Return a size in pixels as text, such as "822 × 1122 pixels"."""
    return _("{wide} × {high} pixels", wide=pixels[0], high=pixels[1])
