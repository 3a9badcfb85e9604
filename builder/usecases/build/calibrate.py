"""The calibration sheet of a printer, as a file."""

from __future__ import annotations

from pathlib import Path

from builder.files import write_atomic
from builder.geometry.calibration import back, front
from builder.model.profile import Paper, Profile
from builder.render.sheets.plainsheet import plain_sheet
from builder.store.settings import find_printer

PAPERS = {"a4": Paper(width=210, height=297), "letter": Paper(width=215.9, height=279.4)}


def write_calibration(paper: str, printer: str | None, output: Path, lang: str) -> None:
    """Write the sheet, its back moved where a printer is named. UsageError for an unknown one, OutputNotWritten."""
    sheet = PAPERS[paper]
    profile = Profile(id="calibration", name={"en": "Calibration"}, paper=sheet)
    if printer is not None:
        known = find_printer(printer)
        profile = profile.model_copy(update={"back_shift": known.back_offset, "back_turn": known.back_rotation})
    write_atomic(output, plain_sheet(profile, (front(sheet, lang), back(sheet, lang)), "Calibration"))
