"""Pools as the tests throw them."""

from __future__ import annotations

from builder.dice.odds import Split, dice_pool, die


def pool(
    count: int, sides: int, each: int | None, strong: int | None = None, *, under: bool = False
) -> Split:
    """So many dice, each a success on its own; successes from `strong` on are counted apart."""
    return dice_pool(count, die(sides, each, strong, under=under))
