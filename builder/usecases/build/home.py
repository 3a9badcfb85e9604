"""Printing at home: a profile tailored by options, files for cutting machines, printers that are measured."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from builder.errors import UsageError
from builder.files import write_atomic, write_if_changed
from builder.findings import Box, Finding, Location
from builder.geometry.calibration import draw_back, draw_front
from builder.geometry.imposition import Stroke, assign_places
from builder.geometry.sheetplan import plan_sheet
from builder.messages import gettext as _
from builder.model.profile import Marks, Paper, Printer, Profile
from builder.packs.profiles import find_printer, keep_printer, load_printers
from builder.render.render_codes import MARKED
from builder.render.sheets.marks import moves_backs, write_calibration_pdf
from builder.render.sheets.sheets import Group
from builder.usecases.build.build_options import BuiltFile, Home

OUTER = 3.0
"""Mm of bleed around a block of cards that touch, as far as they have it."""


def tailor_profile(profile: Profile, home: Home) -> Profile:
    """The profile with what is asked for. UsageError where it has no sheets to change, or for an unknown printer."""
    asked: dict[str, object] = {"grid": home.grid, "duplex": home.duplex, "skip": home.skip or None}
    asked["registration"] = home.registration or bool(home.cut) or None
    changes = {name: value for name, value in asked.items() if value is not None}
    if home.outer_bleed:
        changes |= {"outer_bleed": True, "gap": 0.0, "bleed": max(profile.bleed, OUTER)}
    if home.gap is not None:
        changes |= {"gap": home.gap, "bleed": max(profile.bleed, home.gap / 2)}
    if home.fold:
        changes |= {"layout": "fold", "duplex": "none"}
    if home.printer is not None:
        printer = find_printer(home.printer)
        shift = printer.find_shift(home.duplex or profile.duplex)
        changes |= {"back_shift": shift, "back_turn": printer.back_rotation}
    if changes and profile.layout == "pages":
        message = _(
            "profile {profile} prints one face per page, without sheets", profile=profile.id
        )
        raise UsageError(message, _("Choose home-a4 or home-letter."))
    if home.marks is not None or home.mark_sides is not None:
        style: dict[str, object] = {} if home.marks in ("on", None) else {"style": home.marks}
        style |= {"sides": home.mark_sides} if home.mark_sides is not None else {}
        changes["marks"] = (
            None if home.marks == "off" else (profile.marks or Marks()).model_copy(update=style)
        )
    return profile.model_copy(update=changes)


def check_cut_marks(profile: Profile, groups: Sequence[Group], path: Path) -> list[Finding]:
    """A warning for each size of card whose sheets have no room for a cutting machine's marks."""
    found = []
    for group in groups if profile.registration else ():
        if plan_sheet(profile, group.size, to_edge=group.to_edge).has_marks_on_cards:
            size = _("{width:g} × {height:g} mm", width=group.size.width, height=group.size.height)
            found.append(
                MARKED.finding(
                    _("the marks cover cards of {size}", size=size), Location(file=path.name)
                )
            )
    return found


def write_cut_files(
    profile: Profile, groups: Sequence[Group], path: Path, home: Home
) -> list[BuiltFile]:
    """For each size of card the cut lines of a full sheet, and of the last one where it is not full."""
    from builder.report.exports import cut_dxf, cut_svg  # few have such a machine

    built: list[BuiltFile] = []
    for number, group in enumerate(groups):
        skip = () if number else profile.skip
        plan = plan_sheet(profile, group.size, to_edge=group.to_edge)
        every = [
            [plan.grid.boxes[at] for _pair, at in held]
            for _sheet, held in assign_places(group.pairs, plan.grid, skip)
        ]
        sheets = {"-first": every.pop(0)} if skip else {}
        if every:
            sheets[""] = every[0]
            if len(every[-1]) < len(every[0]):
                sheets["-last"] = every[-1]
        for ending, chosen in sheets.items():
            stem = f"{path.stem}-{group.size.width:g}x{group.size.height:g}-cut{ending}"
            marks, paper = plan.machine_marks, plan.paper
            if plan.lying and moves_backs(
                profile
            ):  # a lying sheet is printed upright where backs are moved
                across = paper.width
                marks = tuple(
                    Stroke(line.y1, across - line.x1, line.y2, across - line.x2) for line in marks
                )
                chosen = [
                    Box(box.y, paper.width - box.x - box.width, box.height, box.width)
                    for box in chosen
                ]
                paper = Paper(width=paper.height, height=paper.width)
            made = {
                "svg": cut_svg(paper.width, paper.height, chosen, group.size, marks),
                "dxf": cut_dxf(paper.height, chosen, group.size, marks),
            }
            for form in home.cut:
                target = path.with_name(f"{stem}.{form}")
                built.append(
                    BuiltFile(
                        target,
                        1,
                        len(chosen),
                        write_if_changed(target, made[form].encode()),
                        "cuts",
                    )
                )
    return built


def measure_misprint(
    left: tuple[float, float], right: tuple[float, float], apart: float
) -> tuple[tuple[float, float], float]:
    """Offset (mm right, mm down) and rotation (degrees clockwise) from the readings of both rulers of the back."""
    offset = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    return (round(offset[0], 3), round(offset[1], 3)), round(
        math.degrees(math.atan2(right[1] - left[1], apart)), 4
    )


def save_printer(
    name: str,
    offset: tuple[float, float] | None,
    rotation: float | None,
    duplex: Literal["long-edge", "short-edge"] | None = None,
) -> Path:
    """Keep what is said of a printer; what is not said stays as it was. UsageError for impossible numbers."""
    before = load_printers().printers.get(name, Printer()).model_dump()
    said = {"back_offset": offset, "back_rotation": rotation, "duplex": duplex}
    try:
        printer = Printer.model_validate(
            before | {key: value for key, value in said.items() if value is not None}
        )
    except ValidationError:
        message = _("the offset is too large: at most 20 mm and 5 degrees")
        raise UsageError(
            message, _("Check the edge over which you turned the sheet, and measure again.")
        ) from None
    return keep_printer(name, printer)


def write_calibration(paper: str, printer: str | None, output: Path, lang: str) -> None:
    """Write the sheet, its back moved where a printer is named. UsageError for an unknown one, OutputNotWritten."""
    from builder.geometry.gauges.sheet import PAPERS

    sheet = PAPERS[paper]
    profile = Profile(id="calibration", name={"en": "Calibration"}, paper=sheet)
    if printer is not None:
        known = find_printer(printer)
        profile = profile.model_copy(
            update={"back_shift": known.back_offset, "back_turn": known.back_rotation}
        )
    write_atomic(
        output,
        write_calibration_pdf(
            profile, (draw_front(sheet, lang), draw_back(sheet, lang)), "Calibration"
        ),
    )
