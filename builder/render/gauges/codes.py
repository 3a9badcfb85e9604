"""What setting gauges can find."""

from __future__ import annotations

from builder.model.codes import define

TOO_LARGE = define(
    "gauges/too-large",
    "A gauge fits on no page",
    "A gauge is printed true to scale; what is larger than the paper would be cut off.",
    "Make it smaller, print on larger paper, or use a ruler: rulers are printed in parts to be joined.",
)
TOO_LONG = define(
    "gauges/text-too-long",
    "A text on a gauge is too long for its place",
    "Letters below 5.4 pt are not legible, and text over the edge is cut off.",
    "Shorten the text, enlarge the gauge, or use an icon.",
)
MISSING_LETTER = define(
    "gauges/missing-letter",
    "A letter is in no font",
    "It would be printed as nothing.",
    "Use a letter that the font has, or an icon.",
)
