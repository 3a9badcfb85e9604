"""A home printer: by how much its backs come out beside their fronts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from builder.model.base import Id, Model

Shift = Annotated[float, Field(ge=-20, le=20)]


class Printer(Model):
    """What to do to every back so that it lies behind its front."""

    back_offset: tuple[Shift, Shift] = Field(default=(0.0, 0.0), description="Right and down, in mm.")
    back_rotation: float = Field(default=0.0, ge=-5, le=5, description="Clockwise, in degrees.")
    duplex: Literal["long-edge", "short-edge"] = Field(
        default="long-edge", description="Over which edge the sheet was turned that was measured."
    )

    def shift(self, duplex: str) -> tuple[float, float]:
        """How to move backs in mm right and down, the paper being turned over this edge.

        Printers flip the paper always alike and print one side upside down for the other edge: the offset stays where
        it is on the paper, and is the opposite one on a page that stands on its head.
        """
        across, down = self.back_offset
        return (-across, -down) if duplex not in (self.duplex, "none") else (across, down)


class Printers(Model):
    """All printers of a user, by name."""

    printers: Mapping[Id, Printer] = Field(default_factory=dict, description="Each printer by its name.")
