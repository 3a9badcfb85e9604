"""The tallest band without content: plain colours and borders at the sides are none."""

from __future__ import annotations

from PIL import Image, ImageDraw

from builder.render.prepress.empty_bands import measure_tallest_band


def draw(*rectangles: tuple[int, int, int, int]) -> Image.Image:
    """Return a picture of 60 x 100 pixels with black rectangles, the far edges included."""
    image = Image.new("RGB", (60, 100), (240, 230, 200))
    for rectangle in rectangles:
        ImageDraw.Draw(image).rectangle(rectangle, fill="black")
    return image


def test_an_empty_face_is_one_band() -> None:
    assert measure_tallest_band(draw()) == 99


def test_lines_divide_the_face() -> None:
    # Rows 0 to 29 and 31 to 99 are plain: 29 and 68 pairs of equal rows.
    assert measure_tallest_band(draw((10, 30, 50, 30))) == 68


def test_borders_at_the_sides_are_no_content() -> None:
    assert measure_tallest_band(draw((0, 0, 2, 99), (57, 0, 59, 99))) == 99


def test_a_slanted_line_is_content_in_each_row() -> None:
    image = draw()
    ImageDraw.Draw(image).line((0, 20, 59, 80), fill="black")
    assert measure_tallest_band(image) == 19
