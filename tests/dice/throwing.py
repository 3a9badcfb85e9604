"""Pools as the tests throw them."""

from __future__ import annotations

from builder.dice.odds import Split, find_die_chances, roll_pool


def pool(
    count: int,
    sides: int,
    each: int | None,
    strong: int | None = None,
    *,
    under: bool = False,
) -> Split:
    """So many dice, each a success on its own; successes from `strong` on are counted apart."""
    return roll_pool(count, find_die_chances(sides, each, strong, under=under))
