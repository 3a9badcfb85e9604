"""Printers: measured from the calibration sheet, remembered, applied to a profile."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.profile import Printer
from builder.store.settings import keep_printer, load_printers


def measured(left: tuple[float, float], right: tuple[float, float], apart: float) -> tuple[tuple[float, float], float]:
    """Offset (mm right, mm down) and rotation (degrees clockwise) from the readings of both rulers of the back."""
    offset = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    return (round(offset[0], 3), round(offset[1], 3)), round(math.degrees(math.atan2(right[1] - left[1], apart)), 4)


def remember(
    name: str,
    offset: tuple[float, float] | None,
    rotation: float | None,
    duplex: Literal["long-edge", "short-edge"] | None = None,
) -> Path:
    """Keep what is said of a printer; what is not said stays as it was. UsageError for impossible numbers."""
    before = load_printers().printers.get(name, Printer())
    try:
        printer = Printer(
            back_offset=before.back_offset if offset is None else offset,
            back_rotation=before.back_rotation if rotation is None else rotation,
            duplex=before.duplex if duplex is None else duplex,
        )
    except ValidationError:
        raise UsageError(
            _("no printer misses by so much: at most 20 mm and 5 degrees"),
            _("Check the duplex edge, and measure again."),
        ) from None
    return keep_printer(name, printer)
