"""Lengths in mm, and the units of costs.

All lengths in the program are in mm, unless a name says otherwise.
"""

import re

MM_PER_INCH = 25.4
MM_PER_UNIT = {
    "mm": 1.0,
    "cm": 10.0,
    "inch": MM_PER_INCH,
    "in": MM_PER_INCH,
    '"': MM_PER_INCH,
}
POINTS_PER_INCH = 72.0
SINGULAR_UNITS = {
    "pts": "pt",
    "pts.": "pt.",
    "points": "point",
    "Punkte": "Punkt",
    "Pkte.": "Pkt.",
}
"""Units of costs by their plural, which packs declare as `currency`. Others have one form."""


def from_inches(value: float) -> float:
    """Convert inches to mm."""
    return value * MM_PER_INCH


def from_points(value: float) -> float:
    """Convert typographic (PDF) points to mm."""
    return value * MM_PER_INCH / POINTS_PER_INCH


def to_points(mm: float) -> float:
    """Convert mm to PDF points."""
    return mm * POINTS_PER_INCH / MM_PER_INCH


def to_pixels(mm: float, dpi: float) -> int:
    """Convert mm to whole pixels at a resolution, rounded to the nearest."""
    return round(mm * dpi / MM_PER_INCH)


def parse_size(text: str) -> tuple[float, float] | None:
    """Parse a size such as `63x88`, `63x88mm` or `2.5inx3.5in` to width and height in mm.

    Return None for any other text. A single unit counts for both sides. The default is mm.
    """
    # Each side may have decimals after a point or comma, and a unit of its own.
    side = rf"(\d+(?:[.,]\d+)?)\s*({'|'.join(MM_PER_UNIT)})?"
    sides = re.fullmatch(rf"\s*{side}\s*[x×*]\s*{side}\s*", text.lower())
    if sides is None:
        return None
    width, width_unit, height, height_unit = sides.groups()
    height_unit = height_unit or width_unit or "mm"
    width_unit = width_unit or height_unit
    width_mm = float(width.replace(",", ".")) * MM_PER_UNIT[width_unit]
    height_mm = float(height.replace(",", ".")) * MM_PER_UNIT[height_unit]
    return round(width_mm, 2), round(height_mm, 2)


def pick_unit_form(unit: str, amount: float) -> str:
    """Return the singular of a cost unit for an amount of 1, such as `pt` for `pts`."""
    return SINGULAR_UNITS.get(unit, unit) if amount == 1 else unit
