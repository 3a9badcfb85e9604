"""Printing at home: a profile tailored by options, and files for cutting machines beside the sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import UsageError
from builder.files import write_atomic
from builder.findings import Box, Finding, Location
from builder.messages import gettext as _
from builder.model.pack import Size
from builder.model.profile import Marks, Paper, Profile
from builder.store.settings import find_printer
from builder.usecases.build.options import Built, Home, MarkStyle

if TYPE_CHECKING:
    from builder.render.sheets.sheets import Group


def tailored(profile: Profile, home: Home) -> Profile:
    """The profile with what is asked for. UsageError where it has no sheets to change, or for an unknown printer."""
    changes: dict[str, object] = {}
    if home.gap is not None:
        changes |= {"gap": home.gap, "bleed": max(profile.bleed, home.gap / 2)}
    if home.grid is not None:
        changes["grid"] = home.grid
    if home.duplex is not None:
        changes["duplex"] = home.duplex
    if home.fold:
        changes |= {"layout": "fold", "duplex": "none"}
    if home.printer is not None:
        printer = find_printer(home.printer)
        shift = printer.shift(home.duplex or profile.duplex)
        changes |= {"back_shift": shift, "back_turn": printer.back_rotation}
    if home.cut:
        changes["registration"] = True
    if (changes or home.cut) and profile.layout == "pages":
        raise UsageError(
            _("profile {profile} prints one face a page, no sheets", profile=profile.id),
            _("Choose home-a4 or home-letter."),
        )
    if home.marks is not None:
        changes["marks"] = _marks(profile, home.marks)
    return profile.model_copy(update=changes)


def _marks(profile: Profile, style: MarkStyle) -> Marks | None:
    """The asked marks, with the profile's own lengths."""
    if style == "off":
        return None
    before = profile.marks or Marks()
    return before if style == "on" else before.model_copy(update={"style": style})


def cut_findings(profile: Profile, groups: Sequence[Group], path: Path, home: Home) -> list[Finding]:
    """A warning for each size of card whose sheets have no room for a cutting machine's marks."""
    from builder.geometry.sheetplan import plan_sheet
    from builder.render.codes import MARKED

    found = []
    for group in groups if home.cut else ():
        if plan_sheet(profile, group.size, to_edge=group.to_edge).marked_cards:
            size = _("{width:g} × {height:g} mm", width=group.size.width, height=group.size.height)
            found.append(MARKED.finding(_("the marks lie on cards of {size}", size=size), Location(file=path.name)))
    return found


def cut_files(profile: Profile, groups: Sequence[Group], path: Path, home: Home) -> list[Built]:
    """For each size of card the cut lines of a full sheet, and of the last one where it is not full."""
    from builder.geometry.marks import MARK, registration
    from builder.geometry.sheetplan import plan_sheet
    from builder.render.sheets.marks import moves
    from builder.report.exports import cut_dxf, cut_svg

    built: list[Built] = []
    for group in groups if home.cut else ():
        plan = plan_sheet(profile, group.size, to_edge=group.to_edge)
        cells = [plan.grid.cell(column, row) for row in range(plan.grid.rows) for column in range(plan.grid.columns)]
        last = len(group.pairs) % len(cells)
        sheets = {"": cells, "-last": cells[:last]} if last and len(group.pairs) > len(cells) else {"": cells}
        if len(group.pairs) < len(cells):
            sheets = {"": cells[:last]}
        for ending, chosen in sheets.items():
            stem = f"{path.stem}-{_named(group.size)}-cut{ending}"
            marks, paper = registration(plan.paper), plan.paper
            if plan.lying and moves(profile):
                marks, chosen = (
                    tuple(_turned_spot(spot, paper) for spot in marks),
                    [_turned(box, paper) for box in chosen],
                )
                paper = Paper(width=paper.height, height=paper.width)
            made = {
                "svg": cut_svg(paper.width, paper.height, chosen, group.size.corner, marks, MARK),
                "dxf": cut_dxf(paper.height, chosen, group.size.corner, marks, MARK),
            }
            built += [_keep(path.with_name(f"{stem}.{form}"), made[form].encode(), chosen) for form in home.cut]
    return built


def _turned_spot(spot: tuple[float, float], paper: Paper) -> tuple[float, float]:
    """A place on a lying sheet that is printed upright, as sheets are whose backs are moved."""
    return (spot[1], paper.width - spot[0])


def _turned(box: Box, paper: Paper) -> Box:
    """A card's outline on such a sheet."""
    return Box(box.y, paper.width - box.x - box.width, box.height, box.width)


def _keep(path: Path, data: bytes, cards: Sequence[Box]) -> Built:
    """Write a file unless it is there already."""
    same = path.is_file() and path.read_bytes() == data
    if not same:
        write_atomic(path, data)
    return Built(path, 1, len(cards), not same, "cuts")


def _named(size: Size) -> str:
    """A size in a file's name."""
    return f"{size.width:g}x{size.height:g}"
