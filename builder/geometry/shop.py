"""From a card's own size to a print shop's page, and the order of pages in its files. Pure.

A shop's card may be a little larger or smaller than the card: the card then lies in the middle, a smaller cut takes
from its edge, a larger one shows some of its bleed. A page that reaches past the bleed the card has is filled by
mirroring the outermost strip of the face, which is cut away unless the cutter errs by that much.

Shops make upright cards. A lying card is turned: its front clockwise, its back the other way round, so that who turns
the card over like a page finds the back upright too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from builder.findings import Box
from builder.geometry.imposition import Pair
from builder.model.pack import Size
from builder.model.shop import PageOrder, Preset
from builder.units import inches

T = TypeVar("T")

NEAR = 0.05
"""Sizes that differ by less, in mm, are the same; so much of a mirrored edge needs no telling."""


@dataclass(frozen=True, slots=True)
class ShopPage:
    """A page of a shop: its size, where the trim lies on it, and where the face with its bleed lies.

    `face` may reach past the page (then it is cropped) or fall short of it (then its edge is mirrored outwards).
    `reach` is how far it falls short, across and down; `pixels` the exact size of an image; `rotate` the degrees
    clockwise by which the face is turned. All boxes are those of the turned face.
    """

    name: str
    width: float
    height: float
    trim: Box
    face: Box
    reach: tuple[float, float]
    pixels: tuple[int, int]
    differs: tuple[float, float]
    rotate: Literal[0, 90, -90] = 0

    @property
    def behind(self) -> "ShopPage":
        """The page of the other side of the same card."""
        return replace(self, rotate=-90 if self.rotate == 90 else 0)


@dataclass(frozen=True, slots=True)
class RefusedSize:
    """Why a size cannot be made: `size` the shop has none near it, `bleed` the face has too little to go on."""

    why: Literal["size", "bleed"]
    lacking: float = 0.0


def cut_of(size: Size, preset: Preset) -> ShopPage | RefusedSize:
    """The page on which the front of a card of this size is made; its back is on the page `behind` it."""
    turned = size.model_copy(update={"width": size.height, "height": size.width})
    near = sorted(
        (max(abs(made.width - way.width), abs(made.height - way.height)), way is turned, name)
        for name, made in preset.sizes.items()
        if made.shape == size.shape
        for way in (size, turned)
    )
    if near and near[0][0] / 2 <= preset.tolerance + 1e-6:
        _, lying, name = near[0]
        made = preset.sizes[name]
        found = _cut(
            turned if lying else size, preset, name, (made.width, made.height), made.pixels
        )
    elif not preset.other_sizes or size.shape != "rectangle":  # a shop says what shapes it punches
        return RefusedSize("size")
    else:
        lying = size.width > size.height
        way = turned if lying else size
        found = _cut(way, preset, f"{way.width:g}x{way.height:g}", (way.width, way.height), None)
    return replace(found, rotate=90) if lying and isinstance(found, ShopPage) else found


def _cut(
    size: Size, preset: Preset, name: str, trim: tuple[float, float], pixels: tuple[int, int] | None
) -> ShopPage | RefusedSize:
    if pixels is not None:
        width, height = (inches(count / preset.dpi) for count in pixels)
    else:
        width, height = (side + 2 * preset.bleed for side in trim)
        pixels = (round(width / inches(1) * preset.dpi), round(height / inches(1) * preset.dpi))
    face = (size.width + 2 * size.bleed, size.height + 2 * size.bleed)
    reach = (max(0.0, (width - face[0]) / 2), max(0.0, (height - face[1]) / 2))
    reach = (0.0 if reach[0] < 1e-6 else reach[0], 0.0 if reach[1] < 1e-6 else reach[1])
    if max(reach) > size.bleed + NEAR:
        return RefusedSize("bleed", max(reach) + size.bleed)
    return ShopPage(
        name,
        width,
        height,
        Box((width - trim[0]) / 2, (height - trim[1]) / 2, *trim),
        Box((width - face[0]) / 2, (height - face[1]) / 2, *face),
        reach,
        pixels,
        tuple(
            0.0 if abs(off) < NEAR else off for off in (trim[0] - size.width, trim[1] - size.height)
        ),  # type: ignore[arg-type]
    )


@dataclass(frozen=True, slots=True)
class ShopLeaf(Generic[T]):
    """One page of a shop's file: what is on it, which side, and which of the pairs it belongs to (None: all).

    `item` is None for an empty back, which keeps the others behind their fronts.
    """

    item: T | None
    side: Literal["front", "back"]
    pair: int | None


@dataclass(frozen=True, slots=True)
class ShopFile(Generic[T]):
    """The pages of one file, in order; `ending` tells files of one deck apart."""

    ending: str
    leaves: tuple[ShopLeaf[T], ...]


def runs(pairs: Sequence[Pair[T]], order: PageOrder) -> tuple[ShopFile[T], ...]:
    """The files of one deck. No card is lost, and each front knows its back."""
    if order == "common-back-last":
        return tuple(_by_back(pairs))
    backed = any(pair.back is not None for pair in pairs)
    # A shop that reads pages two by two takes every second one for a back: an empty one where there is none.
    both = [
        _leaves(pair, index, paired=backed or order != "apart") for index, pair in enumerate(pairs)
    ]
    if order == "apart":
        fronts, backs = (
            tuple(leaf for leaves in both for leaf in leaves[at : at + 1]) for at in (0, 1)
        )
        return tuple(
            run for run in (ShopFile("-fronts", fronts), ShopFile("-backs", backs)) if run.leaves
        )
    turned = -1 if order == "back-front" else 1
    return (ShopFile("", tuple(leaf for leaves in both for leaf in leaves[::turned])),)


def _leaves(pair: Pair[T], index: int, *, paired: bool) -> tuple[ShopLeaf[T], ...]:
    """Front and back of one card, or the front alone."""
    front = ShopLeaf(pair.front, "front", index)
    return (front, ShopLeaf(pair.back, "back", index)) if paired else (front,)


def _by_back(pairs: Sequence[Pair[T]]) -> Iterator[ShopFile[T]]:
    """Cards that share a back in a file that ends with it; cards with backs of their own alternate in another.

    Cards without a back share an empty one: the shop takes the last page for a back in any case.
    """
    sharing: dict[T | None, list[int]] = {}
    for index, pair in enumerate(pairs):
        sharing.setdefault(pair.back, []).append(index)
    common = {
        back: indices
        for back, indices in sharing.items()
        if len({pairs[i].front for i in indices}) > 1
    }
    number = 0
    for back, indices in common.items():
        number += back is not None
        leaves = tuple(ShopLeaf(pairs[index].front, "front", index) for index in indices)
        ending = "-no-back" if back is None else f"-back{number}"
        yield ShopFile(ending, (*leaves, ShopLeaf(back, "back", None)))
    rest = [(index, pair) for index, pair in enumerate(pairs) if pair.back not in common]
    if rest:
        own = tuple(leaf for index, pair in rest for leaf in _leaves(pair, index, paired=True))
        yield ShopFile("-own-backs" if common else "", own)
