"""Convert a card's size to a print shop's page, and order the pages of its files.

Pure. A shop's card may be slightly larger or smaller than the card, which then lies in its middle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import Generic, Literal, TypeVar

from builder.findings import Box
from builder.geometry.imposition import Pair
from builder.model.pack import Size
from builder.model.shop import PageOrder, Preset
from builder.units import from_inches

T = TypeVar("T")

SIZE_TOLERANCE_MM = 0.05
"""Sizes that differ by less are equal, and a mirrored edge up to this width is not reported."""


@dataclass(frozen=True, slots=True)
class ShopPage:
    """A page as a shop requires it: its size, and where the card and its face are on it.

    `face` may reach past the page (then it is cropped) or fall short of it by `reach`, across and
    down (then its edge is mirrored outwards). `pixels` is the exact size of an image. `differs` is
    how much larger the shop's card is than the card. `rotate` turns the face, in degrees clockwise.
    All boxes are those of the turned face.
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
    def back_page(self) -> "ShopPage":
        """The page for the back of the same card."""
        return replace(self, rotate=-90 if self.rotate == 90 else 0)


@dataclass(frozen=True, slots=True)
class RefusedSize:
    """Why a shop cannot print a card: "size" (no similar size) or "bleed" (too little bleed)."""

    why: Literal["size", "bleed"]
    needed_bleed: float = 0.0


def find_shop_page(size: Size, preset: Preset) -> ShopPage | RefusedSize:
    """Return the page on which a shop prints the front of a card of this size."""
    turned_size = size.model_copy(update={"width": size.height, "height": size.width})
    # Of equally near sizes one without turning is taken: False sorts before True.
    candidates: list[tuple[float, bool, str]] = []
    for name, shop_size in preset.sizes.items():
        if shop_size.shape == size.shape:
            for is_turned, card in ((False, size), (True, turned_size)):
                across = abs(shop_size.width - card.width)
                down = abs(shop_size.height - card.height)
                candidates.append((max(across, down), is_turned, name))
    difference, is_turned, name = min(candidates, default=(inf, False, ""))
    # The card lies in the middle: half of a difference is at each edge.
    if difference / 2 <= preset.tolerance + 1e-6:
        shop_size = preset.sizes[name]
        trim = (shop_size.width, shop_size.height)
        pixels = shop_size.pixels
    elif preset.other_sizes and size.shape == "rectangle":
        is_turned = size.width > size.height
        trim = (min(size.width, size.height), max(size.width, size.height))
        pixels = None
        name = f"{trim[0]:g}x{trim[1]:g}"
    else:  # other shapes are punched only in the sizes that a shop states
        return RefusedSize("size")
    if not is_turned:
        return _make_page(size, preset, name, trim, pixels)
    page = _make_page(turned_size, preset, name, trim, pixels)
    return replace(page, rotate=90) if isinstance(page, ShopPage) else page


def _make_page(
    size: Size,
    preset: Preset,
    name: str,
    trim: tuple[float, float],
    pixels: tuple[int, int] | None,
) -> ShopPage | RefusedSize:
    if pixels is not None:
        # The shop's images must have exactly these pixels, so they decide the page's size.
        width = from_inches(pixels[0] / preset.dpi)
        height = from_inches(pixels[1] / preset.dpi)
    else:
        width = trim[0] + 2 * preset.bleed
        height = trim[1] + 2 * preset.bleed
        pixels = (
            round(width / from_inches(1) * preset.dpi),
            round(height / from_inches(1) * preset.dpi),
        )
    face_width = size.width + 2 * size.bleed
    face_height = size.height + 2 * size.bleed
    reach_x = _drop_rounding_error((width - face_width) / 2)
    reach_y = _drop_rounding_error((height - face_height) / 2)
    max_reach = max(reach_x, reach_y)
    # A mirrored edge shows only the bleed again: it must not be wider than that.
    if max_reach > size.bleed + SIZE_TOLERANCE_MM:
        return RefusedSize("bleed", max_reach + size.bleed)
    trim_box = _centre_box(width, height, *trim)
    face_box = _centre_box(width, height, face_width, face_height)
    across = _drop_small_difference(trim[0] - size.width)
    down = _drop_small_difference(trim[1] - size.height)
    reach = (reach_x, reach_y)
    return ShopPage(
        name, width, height, trim_box, face_box, reach, pixels, (across, down)
    )


def _drop_rounding_error(length: float) -> float:
    """Return a length, or 0 if it is negative or below 1e-6."""
    return 0.0 if length < 1e-6 else length


def _drop_small_difference(difference: float) -> float:
    return 0.0 if abs(difference) < SIZE_TOLERANCE_MM else difference


def _centre_box(
    page_width: float, page_height: float, width: float, height: float
) -> Box:
    return Box((page_width - width) / 2, (page_height - height) / 2, width, height)


@dataclass(frozen=True, slots=True)
class ShopFilePage(Generic[T]):
    """One page of a file for a shop: what is on it, and the index of its card (None: all).

    `item` is None for an empty back, which keeps the others behind their fronts.
    """

    item: T | None
    side: Literal["front", "back"]
    pair: int | None


@dataclass(frozen=True, slots=True)
class ShopFile(Generic[T]):
    """The pages of one file for a shop. `suffix` distinguishes the files of one deck."""

    suffix: str
    pages: tuple[ShopFilePage[T], ...]


def arrange_files(
    pairs: Sequence[Pair[T]], order: PageOrder
) -> tuple[ShopFile[T], ...]:
    """Divide the cards of a deck into the files that the shop's page order requires."""
    if order == "common-back-last":
        return tuple(_group_by_back(pairs))
    fronts = [
        ShopFilePage(pair.front, "front", index) for index, pair in enumerate(pairs)
    ]
    # A shop that reads pages two by two takes every second one for a back: an empty page if there
    # is none.
    backs = [ShopFilePage(pair.back, "back", index) for index, pair in enumerate(pairs)]
    if order == "apart":
        if all(pair.back is None for pair in pairs):
            backs = []
        files = (ShopFile("-fronts", tuple(fronts)), ShopFile("-backs", tuple(backs)))
        return tuple(file for file in files if file.pages)
    sides = (backs, fronts) if order == "back-front" else (fronts, backs)
    pages = chain.from_iterable(zip(*sides, strict=True))
    return (ShopFile("", tuple(pages)),)


def _group_by_back(pairs: Sequence[Pair[T]]) -> Iterator[ShopFile[T]]:
    """Yield the cards for each file: those with a common back, then all others.

    A shared back is the last page of its file. Cards without a back share an empty one. The shop
    takes the last page for a back in any case.
    """
    indices_by_back: dict[T | None, list[int]] = {}
    for index, pair in enumerate(pairs):
        indices_by_back.setdefault(pair.back, []).append(index)
    common_backs: set[T | None] = set()
    number = 0
    for back_item, indices in indices_by_back.items():
        fronts = [ShopFilePage(pairs[index].front, "front", index) for index in indices]
        # Copies of one card alone do not make its back a common one.
        if len({page.item for page in fronts}) == 1:
            continue
        common_backs.add(back_item)
        suffix = "-no-back"
        if back_item is not None:
            number += 1
            suffix = f"-back{number}"
        yield ShopFile(suffix, (*fronts, ShopFilePage(back_item, "back", None)))
    own_pages: list[ShopFilePage[T]] = []
    for index, pair in enumerate(pairs):
        if pair.back not in common_backs:
            own_pages.append(ShopFilePage(pair.front, "front", index))
            own_pages.append(ShopFilePage(pair.back, "back", index))
    if own_pages:
        yield ShopFile("-own-backs" if common_backs else "", tuple(own_pages))
