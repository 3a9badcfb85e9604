"""Measure bands of a rendered face that show nothing but plain background."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

MIN_DIFFERENCE = 20
"""The difference of two pixels, of 255, from which they are not the same background."""


def measure_tallest_band(image: Image) -> int:
    """Return the height in pixels of the tallest empty band across a picture.

    In such a band each row equals the one above it, so borders at the sides do not count.
    """
    from PIL import ImageChops

    width, height = image.size
    # The picture and the same picture a row lower: their difference shows where rows change.
    upper = image.crop((0, 0, width, height - 1))
    lower = image.crop((0, 1, width, height))
    difference = ImageChops.difference(upper.convert("RGB"), lower.convert("RGB"))
    red, green, blue = difference.split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    changes = largest.point(lambda value: 255 if value >= MIN_DIFFERENCE else 0)
    tallest = 0
    current = 0
    _has_change_by_column, has_change_by_row = changes.getprojection()
    for has_change in has_change_by_row:
        current = 0 if has_change else current + 1
        tallest = max(tallest, current)
    return tallest
