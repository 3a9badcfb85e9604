"""Plan a sheet: the direction of the paper, the grid of cards, and the marks around it.

Pure; mm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from builder.errors import UsageError
from builder.findings import Box
from builder.geometry.boxes import list_corners
from builder.geometry.imposition import (
    Grid,
    Spacing,
    Stroke,
    choose_grid,
    fit_grid,
    turn_paper,
)
from builder.geometry.marks import (
    REGISTRATION_MARK_MM,
    SILHOUETTE_ARM_MM,
    SILHOUETTE_INSET_MM,
    Strip,
    find_registration_marks,
    find_strip,
    make_cross,
    make_fold_lines,
    make_silhouette_marks,
    make_trim_marks,
)
from builder.messages import Message, gettext as _, join_messages
from builder.model.pack import Size
from builder.model.profile import Paper, Profile

SILHOUETTE_CLEARANCE_MM = 4


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """The layout of a sheet of cards. `visible_bleed` is printed around each card."""

    profile: Profile
    paper: Paper
    grid: Grid
    bleed: float
    visible_bleed: float
    strip: Strip | None

    @property
    def is_landscape(self) -> bool:
        """True if the paper is in landscape format."""
        return self.paper.width > self.paper.height

    def make_cut_lines(self, cards: int) -> tuple[Stroke, ...]:
        """Return all straight cut marks for a sheet with this many cards."""
        grid = self.grid.limit_to(cards)
        lines = make_trim_marks(self.profile, self.paper, grid, self.bleed, self.strip)
        if self.profile.layout == "fold":
            lines = (*lines, *make_fold_lines(grid))
        return lines

    def mirror_lines(self, lines: Iterable[Stroke]) -> tuple[Stroke, ...]:
        """Return lines as they are on the back of the paper."""
        width = self.paper.width
        height = self.paper.height
        # Paper that is turned over an upright edge mirrors left and right.
        mirrors_columns = (self.profile.duplex == "short-edge") == self.is_landscape
        mirrored_lines: list[Stroke] = []
        for line in lines:
            if mirrors_columns:
                mirrored = replace(line, x1=width - line.x1, x2=width - line.x2)
            else:
                mirrored = replace(line, y1=height - line.y1, y2=height - line.y2)
            mirrored_lines.append(mirrored)
        return tuple(mirrored_lines)

    @property
    def machine_marks(self) -> tuple[Stroke, ...]:
        """The marks that a cutting machine reads, as lines."""
        if self.profile.registration == "silhouette":
            square, arms = make_silhouette_marks(self.paper)
            return (*_outline_box(square), *arms)
        lines: list[Stroke] = []
        if self.profile.registration:
            for x, y in find_registration_marks(self.paper):
                lines += make_cross(x, y, REGISTRATION_MARK_MM)
        return tuple(lines)

    @property
    def has_marks_on_cards(self) -> bool:
        """True if a mark for the cutting machine would be on a card of a full sheet."""
        marks = self.machine_marks
        return any(_lies_under_a_line(box, marks) for box in self.grid.boxes)


def _outline_box(box: Box) -> list[Stroke]:
    corners = list_corners(box.x, box.y, box.right, box.bottom)
    return [Stroke(*start, *end) for start, end in pairwise((*corners, corners[0]))]


def _lies_under_a_line(box: Box, lines: Iterable[Stroke]) -> bool:
    for line in lines:
        is_beside = line.x1 >= box.right or line.x2 <= box.x
        if not is_beside and line.y1 < box.bottom and line.y2 > box.y:
            return True
    return False


def plan_sheet(profile: Profile, size: Size, *, to_edge: bool = False) -> SheetPlan:
    """Return the layout of sheets for cards of one size.

    A folded card has its front and back side by side.
    """
    if profile.marks is not None and size.shape != "rectangle":
        # Straight lines do not show where a round card is cut.
        marks = profile.marks.model_copy(update={"style": "outline"})
        profile = profile.model_copy(update={"marks": marks})
    bleed = min(profile.bleed, size.bleed)
    width = size.width * (2 if profile.layout == "fold" else 1)
    paper, grid = _plan_grid(profile, width, size.height, bleed, to_edge=to_edge)
    _check_skipped_places(profile, grid)
    visible_bleed = bleed
    if grid.cells > 1 and not profile.outer_bleed:
        # Neighbours share the gap between them.
        visible_bleed = min(bleed, profile.gap / 2)
    strip = find_strip(paper, grid, profile)
    if strip is not None and profile.registration == "silhouette":
        strip = _shorten_strip(strip, paper)
    return SheetPlan(profile, paper, grid, bleed, visible_bleed, strip)


def _check_skipped_places(profile: Profile, grid: Grid) -> None:
    places = set(profile.skip)
    if places and (max(places) > grid.cells or len(places) == grid.cells):
        form = _(
            "a sheet has {many} positions; after skipping {listed} none is left, or a "
            "position does not exist"
        )
        listed = ", ".join(map(str, profile.skip))
        hint = _("Positions are counted row by row from the top left.")
        raise UsageError(_(form, many=grid.cells, listed=listed), hint)


def _shorten_strip(strip: Strip, paper: Paper) -> Strip:
    """Return the strip without the part that Silhouette's mark in the corner needs."""
    clear = SILHOUETTE_INSET_MM + SILHOUETTE_ARM_MM + SILHOUETTE_CLEARANCE_MM
    if strip.is_vertical:
        # A strip on the left begins at the bottom and reads upwards.
        start = paper.height - clear
        return replace(strip, start=start, length=strip.length + start - strip.start)
    return replace(strip, start=clear, length=strip.length - clear + strip.start)


def _plan_grid(
    profile: Profile, width: float, height: float, bleed: float, *, to_edge: bool
) -> tuple[Paper, Grid]:
    """Return the grid that the profile states, or else the largest one."""
    assert profile.paper is not None
    spacing = Spacing(profile.margin, profile.gap, bleed)
    largest = choose_grid(profile.paper, width, height, spacing, to_edge=to_edge)
    card = _format_size(width, height)
    area = _format_size(profile.paper.width, profile.paper.height)
    if largest is None:
        form = _("a card of {card} does not fit on the paper of {profile} ({room})")
        message = _(form, card=card, profile=profile.id, room=area)
        raise UsageError(
            message, _("Choose a profile with larger paper, or --profile screen.")
        )
    if profile.grid is None:
        return largest
    columns, rows = profile.grid
    # What fits in each direction of the paper, for the hint.
    fitting_grids: list[Message] = []
    for form, paper in (
        (_("{columns} × {rows} on the paper in portrait format"), profile.paper),
        (
            _("{columns} × {rows} on the paper in landscape format"),
            turn_paper(profile.paper),
        ),
    ):
        grid = fit_grid(paper, width, height, spacing)
        if grid is not None and grid.columns >= columns and grid.rows >= rows:
            return paper, replace(grid, columns=columns, rows=rows).centre_on(paper)
        if grid is not None:
            fitting_grids.append(_(form, columns=grid.columns, rows=grid.rows))
    needed_width = columns * width + (columns - 1) * profile.gap
    needed_height = rows * height + (rows - 1) * profile.gap
    form = _(
        "{columns} × {rows} cards of {card} need {need}, but {room} with margins of "
        "{margin:g} mm has less"
    )
    needed = _format_size(needed_width, needed_height)
    margin = profile.margin
    values = {"card": card, "need": needed, "room": area, "margin": margin}
    message = _(form, columns=columns, rows=rows, **values)
    listed = join_messages(fitting_grids, _("{first} or {rest}"))
    listed = listed or _("one card without margins")
    raise UsageError(message, _("These fit: {listed}.", listed=listed))


def _format_size(width: float, height: float) -> Message:
    return _("{width:g} × {height:g} mm", width=width, height=height)
