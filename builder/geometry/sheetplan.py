"""Sheets planned: which paper way up, which grid, what stands around it. Pure, mm."""

from dataclasses import dataclass, replace

from builder.errors import UsageError
from builder.geometry.imposition import Grid, Stroke, best_grid, fit_grid, turned
from builder.geometry.marks import MARK, Strip, cross, folds, registration, strip, trim_marks
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
        return lines + (folds(grid) if self.profile.layout == "fold" else ())

    @property
    def machine_marks(self) -> tuple[Stroke, ...]:
        """The crosses a cutting machine looks for; on paper that is full they lie on cards."""
        spots = registration(self.paper) if self.profile.registration else ()
        return tuple(line for x, y in spots for line in cross(x, y, MARK))

    @property
    def marked_cards(self) -> bool:
        """True if one of these crosses lies on a card of a full sheet."""
        half = MARK / 2
        return any(
            box.x - half < x < box.right + half and box.y - half < y < box.bottom + half
            for x, y in registration(self.paper)
            for box in self.grid.boxes
        )


def plan_sheet(profile: Profile, size: Size, *, to_edge: bool = False) -> SheetPlan:
    """The sheet for cards of one size; front and back side by side where the profile folds.

    Raises UsageError where the paper is too small for one card, or for the grid that the profile asks for; the remedy
    says what would fit. `to_edge`: the margin may be left out where it costs cards.
    """
    assert profile.paper is not None
    bleed = min(profile.bleed, size.bleed)
    width = size.width * (2 if profile.layout == "fold" else 1)
    paper, grid = _grid(profile, width, size.height, bleed, to_edge=to_edge)
    shown = min(bleed, profile.gap / 2) if grid.cells > 1 else bleed
    return SheetPlan(profile, paper, grid, bleed, shown, strip(paper, grid, profile))


def _grid(profile: Profile, width: float, height: float, bleed: float, *, to_edge: bool) -> tuple[Paper, Grid]:
    """The asked grid, else the largest."""
    assert profile.paper is not None
    measures = (profile.paper, width, height)
    best = best_grid(*measures, margin=profile.margin, gap=profile.gap, bleed=bleed, to_edge=to_edge)
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
    need = _size(columns * width + (columns - 1) * profile.gap, rows * height + (rows - 1) * profile.gap)
    form = _("{columns} × {rows} cards of {card} need {need}; {room} with margins of {margin:g} mm holds less")
    message = _(form, columns=columns, rows=rows, card=card, need=need, room=room, margin=profile.margin)
    listed = joined(fitting, _("{first} or {rest}")) or _("one card on bare paper without margins")
    raise UsageError(message, _("What fits: {listed}.", listed=listed))


def _size(width: float, height: float) -> Message:
    """A size in words."""
    return _("{width:g} × {height:g} mm", width=width, height=height)
