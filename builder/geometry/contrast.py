"""How much a text stands out from what lies below it, as WCAG 2.2 counts it. Pure."""

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
    """A text with its colour and its box in mm from the bleed box's corner.

    `background` is None where the face itself paints nothing below it: there is its frame, or paper. `size` is the type
    size in mm.
    """

    text: str
    colour: Colour
    alpha: float
    background: Colour | None
    box: Box
    size: float


@dataclass(frozen=True, slots=True)
class LowContrast:
    """A text that stands out too little: its colour as it is seen, what it lies on, and their contrast."""

    text: PaintedText
    colour: Colour
    background: Colour
    contrast: float


def luminance_of(colour: Colour) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast_of(first: Colour, second: Colour) -> float:
    """Return the contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance_of(first), luminance_of(second)))
    return (light + 0.05) / (dark + 0.05)


def blend(colour: Colour, alpha: float, below: Colour) -> Colour:
    """Return the colour that is seen where one with this opacity lies on another."""
    if alpha >= 1:
        return colour
    red, green, blue = (
        part * alpha + other * (1 - alpha) for part, other in zip(colour, below, strict=True)
    )
    return red, green, blue


def measure_contrast(text: PaintedText, background: Colour) -> LowContrast | None:
    """Return what is wrong with a text on a background; None if it stands out."""
    colour = blend(text.colour, text.alpha, background)
    # As a browser counts: of colours with 8 bits, which a drawing may hold with more digits.
    colour, background = _rounded(colour), _rounded(background)
    contrast = contrast_of(colour, background)
    return LowContrast(text, colour, background, contrast) if contrast < MIN_CONTRAST else None


def _rounded(colour: Colour) -> Colour:
    red, green, blue = (round(part * 255) / 255 for part in colour)
    return red, green, blue


def describe_lowest(
    found: Sequence[LowContrast], blocks: Iterable[PaintedBlock]
) -> tuple[Message, Box]:
    """Return the message for the texts of a face that stand out too little, and where the worst of them is."""
    worst = min(found, key=lambda each: each.contrast)
    box = worst.text.box
    around = [block for block in blocks if min(box.margins(block.box)) >= -box.height]
    name = min(around, key=lambda block: block.box.width * block.box.height).name if around else ""
    quoted = worst.text.text.strip()[:MAX_QUOTED_CHARACTERS].strip()
    colour, background = format_colour(worst.colour), format_colour(worst.background)
    # Rounded down: what is below the limit must not read as the limit.
    values = {
        "text": quoted,
        "block": name,
        "contrast": int(worst.contrast * 10) / 10,
        "limit": MIN_CONTRAST,
    }
    values |= {"colour": colour, "background": background}
    form = _(
        "the text {text!r} ({colour} on {background}) has a contrast of {contrast:.1f}:1; the limit is {limit:g}:1"
    )
    if name:
        form = _(
            "the text {text!r} in block {block!r} ({colour} on {background}) has a contrast of {contrast:.1f}:1; "
            "the limit is {limit:g}:1"
        )
    message = _(form, **values)
    if len(found) > 1:
        message = _(
            "{message}. Texts of this face with low contrast: {number}",
            message=message,
            number=len(found),
        )
    return message, box


def format_colour(colour: Colour) -> str:
    """Return a colour as a style sheet writes it, such as #1b1f24."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)
