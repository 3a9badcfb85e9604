"""What a squad costs, with the breakdown: the total is the sum of its lines, always."""

from __future__ import annotations

from dataclasses import dataclass

from builder.model.base import Path
from builder.roster.resolve import Pick, Squad


@dataclass(frozen=True, slots=True)
class CostLine:
    """One pick's share: `each` a copy, `copies` in the whole roster (every copy of an entry carries its own)."""

    path: Path
    card: str
    each: int | float
    copies: int

    @property
    def total(self) -> int | float:
        """What all copies cost together."""
        return self.each * self.copies


@dataclass(frozen=True, slots=True)
class Costs:
    """The breakdown of a squad's cost, in the order of the roster file."""

    lines: tuple[CostLine, ...]

    @property
    def total(self) -> int | float:
        """The sum of all lines."""
        return sum(line.total for line in self.lines)

    def of_entry(self, line: int) -> int | float:
        """What one entry costs with all it carries, all copies."""
        return sum(item.total for item in self.lines if item.path[:2] == ("entries", line))


def costs(squad: Squad) -> Costs:
    """The breakdown: each entry followed by what it carries, then the deck. A card without a cost is free."""
    lines: list[CostLine] = []
    for entry in squad.entries:
        lines.append(_line(entry))
        lines.extend(_line(pick) for pick in squad.carried(entry))
    lines.extend(_line(pick) for pick in squad.deck)
    return Costs(tuple(lines))


def _line(pick: Pick) -> CostLine:
    """One pick as a line of the breakdown."""
    return CostLine(pick.path, pick.card.id, pick.card.cost or 0, pick.count)
