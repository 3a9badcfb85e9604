"""The parts of a squad in the making: picks that are there or may be added, each with its variables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.roster.resolve import Pick


@dataclass(eq=False)
class Part:
    """One pick. `many` counts its copies in the roster, `on` tells whether it is there; `was` are the copies the
    roster has now, 0 for an addition, `grown` counts what an old line has more than it had; `freed` allows an
    attachment another slot than the one named. `domains` are the choices of an entry that are open: for each value the
    literal that it is chosen."""

    pick: Pick
    many: int
    on: int
    was: int = 0
    grown: int | None = None
    freed: int | None = None
    domains: dict[str, Mapping[str, int]] = field(default_factory=dict)
    bearer: "Part | None" = None


@dataclass(eq=False)
class DecisionLine:
    """One entry and what it carries or may carry."""

    entry: Part
    carried: list[Part] = field(default_factory=list)


Meant: TypeAlias = tuple[Part, int]
"""A part, and the literal that a rule means it if it is there."""
