"""Printers: measured from the calibration sheet, remembered, applied to a profile."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from builder.errors import UsageError
from builder.files import write_atomic
from builder.geometry.marks import back, front
from builder.messages import gettext as _
from builder.model.profile import Paper, Printer, Profile
from builder.render.sheets.marks import plain_sheet
from builder.store.settings import find_printer, keep_printer, load_printers


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


PAPERS = {"a4": Paper(width=210, height=297), "letter": Paper(width=215.9, height=279.4)}


def write_calibration(paper: str, printer: str | None, output: Path, lang: str) -> None:
    """Write the sheet, its back moved where a printer is named. UsageError for an unknown one, OutputNotWritten."""
    sheet = PAPERS[paper]
    profile = Profile(id="calibration", name={"en": "Calibration"}, paper=sheet)
    if printer is not None:
        known = find_printer(printer)
        profile = profile.model_copy(update={"back_shift": known.back_offset, "back_turn": known.back_rotation})
    write_atomic(output, plain_sheet(profile, (front(sheet, lang), back(sheet, lang)), "Calibration"))
