"""Sheets planned: which paper way up, which grid, what stands around it. Pure, mm."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from builder.errors import UsageError
from builder.geometry.imposition import Grid, Stroke, best_grid, fit_grid, turned
from builder.geometry.marks import (
    ARM,
    INSET,
    MARK,
    Strip,
    cross,
    folds,
    registration,
    silhouette,
    strip,
    trim_marks,
)
from builder.messages import Message, gettext as _, joined
from builder.model.pack import Size
from builder.model.profile import Paper, Profile


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """`shown` is the bleed that is printed around each card."""

    profile: Profile
    paper: Paper
    grid: Grid
    bleed: float
    shown: float
    place: Strip | None

    @property
    def lying(self) -> bool:
        """True if the paper lies on its long edge."""
        return self.paper.width > self.paper.height

    def lines(self, cards: int) -> tuple[Stroke, ...]:
        """All straight marks for scissors of a sheet that holds so many cards: none where nothing is cut."""
        grid = self.grid.holding(cards)
        lines = trim_marks(self.profile, self.paper, grid, self.bleed, self.place)
        return (*lines, *(folds(grid) if self.profile.layout == "fold" else ()))

    def behind(self, lines: Iterable[Stroke]) -> tuple[Stroke, ...]:
        """These lines as the paper's other side shows them."""
        paper = self.paper
        if (self.profile.duplex == "short-edge") == self.lying:
            return tuple(
                replace(line, x1=paper.width - line.x1, x2=paper.width - line.x2) for line in lines
            )
        return tuple(
            replace(line, y1=paper.height - line.y1, y2=paper.height - line.y2) for line in lines
        )

    @property
    def machine_marks(self) -> tuple[Stroke, ...]:
        """The lines a cutting machine looks for, of a filled square its outline; on full paper they lie on cards."""
        if self.profile.registration == "silhouette":
            square, arms = silhouette(self.paper)
            (left, top), (right, foot) = (
                (square.x, square.y),
                (square.x + square.width, square.y + square.height),
            )
            spots = ((left, top), (right, top), (right, foot), (left, foot), (left, top))
            return (*(Stroke(*one, *other) for one, other in pairwise(spots)), *arms)
        crosses = registration(self.paper) if self.profile.registration else ()
        return tuple(line for x, y in crosses for line in cross(x, y, MARK))

    @property
    def marked_cards(self) -> bool:
        """True if one of these lines lies on a card of a full sheet."""
        return any(
            line.x1 < box.right and line.x2 > box.x and line.y1 < box.bottom and line.y2 > box.y
            for line in self.machine_marks
            for box in self.grid.boxes
        )


def plan_sheet(profile: Profile, size: Size, *, to_edge: bool = False) -> SheetPlan:
    """The sheet for cards of one size; front and back side by side where the profile folds.

    Raises UsageError where the paper is too small for one card, or for the grid that the profile asks for; the remedy
    says what would fit. `to_edge`: the margin may be left out where it costs cards.
    """
    assert profile.paper is not None
    if (
        profile.marks is not None and size.shape != "rectangle"
    ):  # no straight line tells where it is cut
        profile = profile.model_copy(
            update={"marks": profile.marks.model_copy(update={"style": "outline"})}
        )
    bleed = min(profile.bleed, size.bleed)
    width = size.width * (2 if profile.layout == "fold" else 1)
    paper, grid = _grid(profile, width, size.height, bleed, to_edge=to_edge)
    if profile.skip and (max(profile.skip) > grid.cells or len(set(profile.skip)) == grid.cells):
        listed = ", ".join(map(str, profile.skip))
        message = _(
            "a sheet holds {many} cards: skipping {listed} leaves none, or no such place",
            many=grid.cells,
            listed=listed,
        )
        raise UsageError(message, _("Places are counted row by row from the top left."))
    shown = min(bleed, profile.gap / 2) if grid.cells > 1 and not profile.outer_bleed else bleed
    place = strip(paper, grid, profile)
    if (
        place is not None and profile.registration == "silhouette"
    ):  # clear of the angle in its corner
        clear = (
            INSET + ARM + 4 - place.start
            if not place.standing
            else place.start - (paper.height - INSET - ARM - 4)
        )
        place = replace(
            place,
            start=place.start + (-clear if place.standing else clear),
            length=place.length - clear,
        )
    return SheetPlan(profile, paper, grid, bleed, shown, place)


def _grid(
    profile: Profile, width: float, height: float, bleed: float, *, to_edge: bool
) -> tuple[Paper, Grid]:
    """The asked grid, else the largest."""
    assert profile.paper is not None
    measures = (profile.paper, width, height)
    best = best_grid(
        *measures, margin=profile.margin, gap=profile.gap, bleed=bleed, to_edge=to_edge
    )
    card, room = _size(width, height), _size(profile.paper.width, profile.paper.height)
    if best is None:
        form = _("a card of {card} does not fit the paper of {profile} ({room})")
        message = _(form, card=card, profile=profile.id, room=room)
        raise UsageError(message, _("Choose a profile with larger paper, or --profile screen."))
    if profile.grid is None:
        return best
    columns, rows = profile.grid
    fitting = []
    for form, paper in (
        (_("{columns} × {rows} on the paper upright"), profile.paper),
        (_("{columns} × {rows} on the paper lying"), turned(profile.paper)),
    ):
        grid = fit_grid(paper, width, height, margin=profile.margin, gap=profile.gap, bleed=bleed)
        if grid is not None and grid.columns >= columns and grid.rows >= rows:
            return paper, replace(grid, columns=columns, rows=rows).centred(paper)
        if grid is not None:
            fitting.append(_(form, columns=grid.columns, rows=grid.rows))
    need = _size(
        columns * width + (columns - 1) * profile.gap, rows * height + (rows - 1) * profile.gap
    )
    form = _(
        "{columns} × {rows} cards of {card} need {need}; {room} with margins of {margin:g} mm holds less"
    )
    message = _(
        form, columns=columns, rows=rows, card=card, need=need, room=room, margin=profile.margin
    )
    listed = joined(fitting, _("{first} or {rest}")) or _("one card on bare paper without margins")
    raise UsageError(message, _("What fits: {listed}.", listed=listed))


def _size(width: float, height: float) -> Message:
    return _("{width:g} × {height:g} mm", width=width, height=height)
