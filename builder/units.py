"""Lengths. Everything inside the program is in millimetres; names say when it is not."""

MM_PER_INCH = 25.4
POINTS_PER_INCH = 72.0


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
