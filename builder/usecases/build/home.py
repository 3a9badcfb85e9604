"""Print at home: tailor the profile, write files for cutting machines, measure printers."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from builder.errors import UsageError
from builder.files import write_atomic, write_if_changed
from builder.findings import Box, Finding, Location
from builder.geometry.calibration import draw_back, draw_front
from builder.geometry.imposition import Stroke, assign_cells
from builder.geometry.sheetplan import SheetPlan, plan_sheet
from builder.messages import gettext as _
from builder.model.profile import Marks, Paper, Printer, Profile
from builder.packs.profiles import find_printer, load_printers, store_printer
from builder.render.render_codes import MARKS_ON_CARDS
from builder.render.sheets.marks import moves_backs, write_calibration_pdf
from builder.render.sheets.sheets import Group
from builder.usecases.build.build_options import BuiltFile, HomeOptions

OUTER_BLEED_MM = 3.0
"""Bleed around a block of cards that touch, if they have as much."""


def adapt_profile(profile: Profile, home: HomeOptions) -> Profile:
    """Return the profile with the options applied.

    Raises UsageError for a profile without sheets, and for an unknown printer.
    """
    changes = _list_profile_changes(profile, home)
    if changes and profile.layout == "pages":
        form = _("profile {profile} prints one face per page, without sheets")
        message = _(form, profile=profile.id)
        raise UsageError(message, _("Choose home-a4 or home-letter."))
    # Marks are allowed without sheets: a page has cut marks, too.
    if home.marks is not None or home.mark_sides is not None:
        changes["marks"] = _change_marks(profile.marks or Marks(), home)
    return profile.model_copy(update=changes)


def _list_profile_changes(profile: Profile, home: HomeOptions) -> dict[str, object]:
    """Return the fields of the profile that the options change, without the marks."""
    # A cutting machine finds the cards by its registration marks.
    options: dict[str, object] = {
        "grid": home.grid,
        "duplex": home.duplex,
        "skip": home.skip or None,
        "registration": home.registration or bool(home.cut) or None,
    }
    changes = {name: value for name, value in options.items() if value is not None}
    if home.outer_bleed:
        bleed = max(profile.bleed, OUTER_BLEED_MM)
        changes |= {"outer_bleed": True, "gap": 0.0, "bleed": bleed}
    if home.gap is not None:
        # Each of two neighbours fills half of the gap.
        bleed = max(profile.bleed, home.gap / 2)
        changes |= {"gap": home.gap, "bleed": bleed}
    if home.fold:
        # Fronts and backs are on the same side of the sheet.
        changes |= {"layout": "fold", "duplex": "none"}
    if home.printer is not None:
        printer = find_printer(home.printer)
        shift = printer.find_shift(home.duplex or profile.duplex)
        changes |= {"back_shift": shift, "back_turn": printer.back_rotation}
    return changes


def _change_marks(marks: Marks, home: HomeOptions) -> Marks | None:
    if home.marks == "off":
        return None
    style: dict[str, object] = {}
    if home.marks not in ("on", None):
        style["style"] = home.marks
    if home.mark_sides is not None:
        style["sides"] = home.mark_sides
    return marks.model_copy(update=style)


def check_cut_marks(
    profile: Profile, groups: Sequence[Group], path: Path
) -> list[Finding]:
    """Return a warning for each card size whose cards cover the marks of a cutting machine."""
    if not profile.registration:
        return []
    findings = []
    for group in groups:
        plan = plan_sheet(profile, group.size, to_edge=group.to_edge)
        if plan.has_marks_on_cards:
            size = _(
                "{width:g} × {height:g} mm",
                width=group.size.width,
                height=group.size.height,
            )
            message = _("the marks cover cards of {size}", size=size)
            findings.append(MARKS_ON_CARDS.finding(message, Location(file=path.name)))
    return findings


def write_cut_files(
    profile: Profile, groups: Sequence[Group], path: Path, home: HomeOptions
) -> list[BuiltFile]:
    """Write the cut lines of each card size: of a full sheet, and of a partial last one."""
    built_files: list[BuiltFile] = []
    for index, group in enumerate(groups):
        # Only the first sheet of the file was used before.
        skipped_cells = () if index else profile.skip
        plan = plan_sheet(profile, group.size, to_edge=group.to_edge)
        for suffix, boxes in _find_different_sheets(group, plan, skipped_cells).items():
            stem = f"{path.stem}-{group.size.width:g}x{group.size.height:g}-cut{suffix}"
            texts = _draw_cut_lines(profile, group, plan, boxes)
            for extension in home.cut:
                target = path.with_name(f"{stem}.{extension}")
                is_changed = write_if_changed(target, texts[extension].encode())
                built_files.append(BuiltFile(target, 1, len(boxes), is_changed, "cuts"))
    return built_files


def _find_different_sheets(
    group: Group, plan: SheetPlan, skipped_cells: Sequence[int]
) -> dict[str, list[Box]]:
    """Return the boxes of the cards on each sheet with its own cut lines, by the file's suffix."""
    boxes_by_sheet: list[list[Box]] = []
    for _sheet, placed_pairs in assign_cells(group.pairs, plan.grid, skipped_cells):
        boxes_by_sheet.append([plan.grid.boxes[place] for _pair, place in placed_pairs])
    sheets: dict[str, list[Box]] = {}
    if skipped_cells:
        sheets["-first"] = boxes_by_sheet.pop(0)
    if boxes_by_sheet:
        # All sheets between the first and the last are full and have the same lines.
        sheets[""] = boxes_by_sheet[0]
        if len(boxes_by_sheet[-1]) < len(boxes_by_sheet[0]):
            sheets["-last"] = boxes_by_sheet[-1]
    return sheets


def _draw_cut_lines(
    profile: Profile, group: Group, plan: SheetPlan, boxes: Sequence[Box]
) -> dict[str, str]:
    """Return the cut lines of one sheet by file extension."""
    from builder.report.exports import (
        format_dxf_cut_lines,
        format_svg_cut_lines,
    )  # few users have a cutting machine

    marks, paper = plan.machine_marks, plan.paper
    # Where backs are moved, a sheet that lies on its side is printed upright.
    if plan.is_landscape and moves_backs(profile):
        marks = tuple(_turn_stroke(mark, paper.width) for mark in marks)
        boxes = [_turn_box(box, paper.width) for box in boxes]
        paper = Paper(width=paper.height, height=paper.width)
    return {
        "svg": format_svg_cut_lines(
            paper.width, paper.height, boxes, group.size, marks
        ),
        "dxf": format_dxf_cut_lines(paper.height, boxes, group.size, marks),
    }


def _turn_stroke(line: Stroke, width: float) -> Stroke:
    return Stroke(line.y1, width - line.x1, line.y2, width - line.x2)


def _turn_box(box: Box, width: float) -> Box:
    return Box(box.y, width - box.x - box.width, box.height, box.width)


def measure_misprint(
    left_reading: tuple[float, float],
    right_reading: tuple[float, float],
    distance: float,
) -> tuple[tuple[float, float], float]:
    """Return the offset (mm right, mm down) and the clockwise rotation (degrees) of the back.

    The readings are those of the two rulers, in mm. `distance` is the distance between them in
    mm.
    """
    left_across, left_down = left_reading
    right_across, right_down = right_reading
    offset = (
        round((left_across + right_across) / 2, 3),
        round((left_down + right_down) / 2, 3),
    )
    # On a turned back, the rulers lie at different heights.
    rotation = math.degrees(math.atan2(right_down - left_down, distance))
    return offset, round(rotation, 4)


def save_printer(
    name: str,
    offset: tuple[float, float] | None,
    rotation: float | None,
    duplex: Literal["long-edge", "short-edge"] | None = None,
) -> Path:
    """Update the values of a printer that are not None. Raise UsageError for impossible numbers."""
    values = load_printers().printers.get(name, Printer()).model_dump()
    new_values = {"back_offset": offset, "back_rotation": rotation, "duplex": duplex}
    values |= {key: value for key, value in new_values.items() if value is not None}
    try:
        # Validated, not copied: a wrong reading may be out of range.
        printer = Printer.model_validate(values)
    except ValidationError:
        message = _("the offset is too large: at most 20 mm and 5 degrees")
        hint = _("Check the edge over which you turned the sheet, and measure again.")
        raise UsageError(message, hint) from None
    return store_printer(name, printer)


def write_calibration(
    paper: str, printer_name: str | None, output: Path, lang: str
) -> None:
    """Write the calibration sheet, with its back moved for the printer if one is named.

    Raises UsageError for an unknown printer, OutputNotWritten.
    """
    from builder.geometry.gauges.sheet import PAPERS

    sheet = PAPERS[paper]
    profile = Profile(id="calibration", name={"en": "Calibration"}, paper=sheet)
    if printer_name is not None:
        printer = find_printer(printer_name)
        shift = {"back_shift": printer.back_offset, "back_turn": printer.back_rotation}
        profile = profile.model_copy(update=shift)
    sides = (draw_front(sheet, lang), draw_back(sheet, lang))
    write_atomic(output, write_calibration_pdf(profile, sides, "Calibration"))
