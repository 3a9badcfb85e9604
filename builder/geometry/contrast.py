"""The contrast of texts with what lies below them, as WCAG 2.2 counts it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from builder.findings import Box
from builder.geometry.spacing import PaintedBlock
from builder.messages import Message, gettext as _

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue of sRGB, 0 to 1."""

BLACK: Colour = (0.0, 0.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)
MIN_CONTRAST = 4.5
"""WCAG 2.2, criterion 1.4.3. Large text is held to it too: print is duller than a screen."""
MAX_QUOTED_CHARACTERS = 40


class PaintedText(NamedTuple):
    """A text with its color and its box, in mm from the corner of the bleed.

    `background` is None if the face itself paints nothing below the text: then its frame lies
    there, or paper. `size` is the type size in mm.
    """

    text: str
    colour: Colour
    alpha: float
    background: Colour | None
    box: Box
    size: float


@dataclass(frozen=True, slots=True)
class LowContrast:
    """A text whose contrast with its background is too low, with both colors."""

    text: PaintedText
    colour: Colour
    background: Colour
    contrast: float


def measure_luminance(colour: Colour) -> float:
    """Return the relative luminance of a color, from 0 to 1."""
    red, green, blue = map(_make_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _make_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def measure_contrast_ratio(first: Colour, second: Colour) -> float:
    """Return the contrast ratio of two colors, from 1 to 21."""
    dark, light = sorted((measure_luminance(first), measure_luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def blend_colours(colour: Colour, alpha: float, background: Colour) -> Colour:
    """Return the color that results from a color with this opacity on a background."""
    if alpha >= 1:
        return colour
    red, green, blue = (
        part * alpha + part_below * (1 - alpha)
        for part, part_below in zip(colour, background, strict=True)
    )
    return red, green, blue


def measure_contrast(text: PaintedText, background: Colour) -> LowContrast | None:
    """Return the contrast of a text on a background if it is too low, else None."""
    colour = blend_colours(text.colour, text.alpha, background)
    # As a browser counts: of colours with 8 bits, which a drawing may hold with more digits.
    colour = _round_to_8_bits(colour)
    background = _round_to_8_bits(background)
    contrast = measure_contrast_ratio(colour, background)
    return (
        LowContrast(text, colour, background, contrast)
        if contrast < MIN_CONTRAST
        else None
    )


def _round_to_8_bits(colour: Colour) -> Colour:
    red, green, blue = (round(part * 255) / 255 for part in colour)
    return red, green, blue


def describe_lowest(
    texts: Sequence[LowContrast], blocks: Iterable[PaintedBlock]
) -> tuple[Message, Box]:
    """Return the message about the texts of a face with low contrast, and the box of the worst."""
    worst = min(texts, key=lambda text: text.contrast)
    box = worst.text.box
    values: dict[str, object] = {
        "text": worst.text.text.strip()[:MAX_QUOTED_CHARACTERS].strip(),
        # Rounded down: what is below the limit must not read as the limit.
        "contrast": int(worst.contrast * 10) / 10,
        "limit": MIN_CONTRAST,
        "colour": format_colour(worst.colour),
        "background": format_colour(worst.background),
    }
    form = _(
        "the text {text!r} ({colour} on {background}) has a contrast of {contrast:.1f}:1; "
        "the limit is {limit:g}:1"
    )
    # Letters may stick out of their block by up to their height.
    enclosing = [
        block for block in blocks if min(box.measure_margins(block.box)) >= -box.height
    ]
    if enclosing:
        smallest = min(enclosing, key=lambda block: block.box.width * block.box.height)
        values["block"] = smallest.name
        form = _(
            "the text {text!r} in block {block!r} ({colour} on "
            "{background}) has a contrast of "
            "{contrast:.1f}:1; "
            "the limit is {limit:g}:1"
        )
    message = _(form, **values)
    if len(texts) > 1:
        form = _("{message}. Texts of this face with low contrast: {number}")
        message = _(form, message=message, number=len(texts))
    return message, box


def format_colour(colour: Colour) -> str:
    """Return a color as in CSS, such as "#1b1f24"."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)
