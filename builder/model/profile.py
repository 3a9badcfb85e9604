"""Models of profiles, of home printers that shift backs, and of shared stores of faces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from builder.model.base import Id, Localized, Mm, Model


class Paper(Model):
    """A sheet of paper in mm, as it leaves the printer."""

    width: Mm = Field(gt=0, description="Width in mm.")
    height: Mm = Field(gt=0, description="Height in mm.")


class Marks(Model):
    """Cut marks: short lines outside the cards that continue their edges."""

    length: Mm = Field(default=4.0, ge=0, description="Length in mm; 0 draws none.")
    offset: Mm = Field(
        default=1.0, ge=0, description="Distance from the card's edge in mm."
    )
    weight: Mm = Field(default=0.1, gt=0, description="Line width in mm.")
    style: Literal["ticks", "crosses", "outline"] = Field(
        default="ticks",
        description=(
            "Type of marks: short lines outside the cards, small crosses on every "
            "corner, or each card's outline."
        ),
    )
    sides: Literal["front", "back", "both"] = Field(
        default="front", description="The sides of a sheet with marks."
    )


class Profile(Model):
    """A print profile: how card faces are laid out on paper.

    `layout: sheets` places as many cards as fit on `paper`, backs on the following page. `layout:
    fold` puts each back beside its front, to be folded and glued; `layout: pages` makes one page
    per face of the card's own size.
    """

    id: Id = Field(description="The profile's id: its file name.")
    name: Localized = Field(description="The printed name.")
    layout: Literal["sheets", "fold", "pages"] = Field(
        default="sheets",
        description=(
            "Layout: several cards per sheet with backs behind or beside their "
            "fronts, or one face per page."
        ),
    )
    paper: Paper | None = Field(
        default=None, description="The paper; needed for `layout: sheets` and `fold`."
    )
    grid: tuple[int, int] | None = Field(
        default=None,
        description="Columns and rows; as many as fit if absent. An error if they do not fit.",
    )
    margin: Mm = Field(
        default=5.0,
        ge=0,
        description="The margin that the printer cannot print on, in mm.",
    )
    gap: Mm = Field(default=0.0, ge=0, description="Distance between cards in mm.")
    bleed: Mm = Field(
        default=0.0, ge=0, description="Visible part of the bleed, in mm."
    )
    duplex: Literal["long-edge", "short-edge", "none"] = Field(
        default="long-edge",
        description="The edge over which the printer turns the paper; `none` prints fronts only.",
    )
    marks: Marks | None = Field(
        default=Marks(), description="Cut marks; null draws none."
    )
    check_line: Mm = Field(
        default=100.0,
        ge=0,
        description="Length of a line for checking the scale, on each sheet; 0 draws none.",
    )
    label: bool = Field(
        default=True,
        description="True: print pack, language and page number at the edge of the sheet.",
    )
    registration: bool | Literal["silhouette"] = Field(
        default=False,
        description=(
            "Print registration marks for a cutting machine: crosses, or those of "
            "Silhouette machines."
        ),
    )
    outer_bleed: bool = Field(
        default=False,
        description="True: cards touch, and only the outer edges of the sheet have bleed.",
    )
    skip: tuple[int, ...] = Field(
        default=(),
        description="Positions of the first sheet that stay empty, counted from 1.",
    )
    back_shift: tuple[Mm, Mm] = Field(
        default=(0.0, 0.0),
        description="Moves backs right and down, in mm, to correct a printer's offset.",
    )
    back_turn: float = Field(
        default=0.0, ge=-5, le=5, description="Rotates backs clockwise, in degrees."
    )


Shift = Annotated[float, Field(ge=-20, le=20)]


class Printer(Model):
    """How far a printer moves backs, so that each back can be aligned with its front."""

    back_offset: tuple[Shift, Shift] = Field(
        default=(0.0, 0.0), description="Offset right and down, in mm."
    )
    back_rotation: float = Field(
        default=0.0, ge=-5, le=5, description="Rotation clockwise, in degrees."
    )
    duplex: Literal["long-edge", "short-edge"] = Field(
        default="long-edge",
        description="The edge over which the measured sheet was turned.",
    )

    def find_shift(self, duplex: str) -> tuple[float, float]:
        """Return how far backs are moved, in mm to the right and down, for this edge of turning.

        Printers always flip the paper in the same way and print one side upside down for the other
        edge. The offset stays where it is on the paper: on such a page it is the opposite one.
        """
        across, down = self.back_offset
        return (
            (-across, -down) if duplex not in (self.duplex, "none") else (across, down)
        )


class Printers(Model):
    """All printers of a user, by name."""

    printers: Mapping[Id, Printer] = Field(
        default_factory=dict, description="Each printer by its name."
    )


@dataclass(frozen=True, slots=True)
class Shared:
    """The settings of a shared store of rendered faces. `store` is a folder or a URL.

    `cluster` the address of a scheduler (`tcp://HOST:PORT`), None for none.
    """

    store: str
    cluster: str | None = None
