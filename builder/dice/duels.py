"""Duels: two sides spend successes in turn, to strike or to cancel a success of the other.

After the roll nothing is left to chance, so each game is solved exactly from its end. The side to
move chooses the largest difference between damage dealt and taken. A side without stamina strikes
no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from builder.dice.pools import roll_successes
from builder.dice.reading import Reading
from builder.model.sheets import DuelLine
from builder.model.stats import Duel


@dataclass(frozen=True, slots=True)
class DuelSide:
    """One side of a duel: the possible results of its dice, and its damage per success.

    If `is_guarded`, only strong successes of the other side cancel its successes.
    """

    split: tuple[tuple[tuple[int, int], Fraction], ...]
    worth: int
    strong: int
    sure: int
    stamina: int
    is_guarded: bool


Hand: TypeAlias = tuple[int, int, int]
"""The remaining common and strong successes of a side, and its stamina."""


def make_duel_side(duel: Duel, reading: Reading) -> DuelSide | None:
    """Return one side of a duel, or None if it has no damage or no stamina."""
    worth = reading.find_number(duel.worth)
    stamina = reading.find_number(duel.stamina)
    if worth is None or stamina is None or stamina <= 0:
        return None
    strong = (
        None if duel.strong_worth is None else reading.find_number(duel.strong_worth)
    )
    return DuelSide(
        split=tuple(sorted(roll_successes(duel.dice, reading).items())),
        worth=worth,
        strong=worth if strong is None else strong,
        sure=reading.find_number(duel.sure) or 0,
        stamina=stamina,
        is_guarded=bool(reading.find_number(duel.guarded)),
    )


def solve_duel(
    first: DuelSide, second: DuelSide, duel: Duel, names: tuple[str, ...] = ()
) -> DuelLine:
    """Return the expected result of a duel in which the first side moves first.

    `names` are those of the second side.
    """
    game = DuelSolver(first, second, duel)
    first_total, first_cases = _count_cases(first)
    second_total, second_cases = _count_cases(second)
    dealt = lost = wins = losses = 0
    for (first_common, first_strong), first_weight in first_cases:
        for (second_common, second_strong), second_weight in second_cases:
            # sure damage of strong successes is done before the first move
            first_stamina = max(0, first.stamina - second_strong * second.sure)
            second_stamina = max(0, second.stamina - first_strong * first.sure)
            first_hand = (first_common, first_strong, first_stamina)
            second_hand = (second_common, second_strong, second_stamina)
            first_end, second_end = game.find_best_end(first_hand, second_hand, True)
            weight = first_weight * second_weight
            dealt += weight * (second.stamina - second_end)
            lost += weight * (first.stamina - first_end)
            wins += weight * (second_end == 0)
            losses += weight * (first_end == 0)
    total = first_total * second_total
    return DuelLine(
        names, *(Fraction(value, total) for value in (dealt, lost, wins, losses))
    )


def _count_cases(side: DuelSide) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """Return the number of equally likely rolls, and how many of them give each result."""
    total = lcm(*(chance.denominator for _pair, chance in side.split))
    # Whole numbers are added faster than fractions.
    return total, [(pair, int(chance * total)) for pair, chance in side.split]


class DuelSolver:
    """Solves the duel of two sides, if both play their best. Each position is solved once."""

    def __init__(self, first_side: DuelSide, second_side: DuelSide, duel: Duel) -> None:
        self.first_side = first_side
        self.second_side = second_side
        self.duel = duel
        self.solved: dict[tuple[Hand, Hand, bool], tuple[int, int]] = {}

    def find_best_end(
        self, first: Hand, second: Hand, is_first_turn: bool
    ) -> tuple[int, int]:
        """Return the stamina that both sides have left at the end of the best play."""
        has_stamina = first[2] and second[2]
        has_successes = any((*first[:2], *second[:2]))
        if not has_stamina or not has_successes:
            return first[2], second[2]
        acting, facing = (first, second) if is_first_turn else (second, first)
        # The turn of a side without successes is skipped.
        if not (acting[0] or acting[1]):
            return self.find_best_end(first, second, not is_first_turn)
        key = (first, second, is_first_turn)
        # Every move spends a success of the acting side, so the search ends.
        if key not in self.solved:
            ends = []
            for acting_after, facing_after in self._find_moves(
                acting, facing, is_first_turn
            ):
                if is_first_turn:
                    ends.append(self.find_best_end(acting_after, facing_after, False))
                else:
                    ends.append(self.find_best_end(facing_after, acting_after, True))
            # each side wants the difference in its own favour
            sign = 1 if is_first_turn else -1
            self.solved[key] = max(ends, key=lambda end: sign * (end[0] - end[1]))
        return self.solved[key]

    def _find_moves(
        self, acting: Hand, facing: Hand, is_first_turn: bool
    ) -> Iterator[tuple[Hand, Hand]]:
        """Yield the remaining dice of both sides after each strike and each parry."""
        acting_side = self.first_side
        facing_side = self.second_side
        if not is_first_turn:
            acting_side, facing_side = facing_side, acting_side
        common, strong, stamina = acting
        facing_common, facing_strong, facing_stamina = facing
        if common:
            hand = (common - 1, strong, stamina)
            after_strike = max(0, facing_stamina - acting_side.worth)
            yield hand, (facing_common, facing_strong, after_strike)
            if facing_common and not facing_side.is_guarded:
                yield hand, (facing_common - 1, facing_strong, facing_stamina)
        if strong:
            hand = (common, strong - 1, stamina)
            after_strike = max(0, facing_stamina - acting_side.strong)
            yield hand, (facing_common, facing_strong, after_strike)
            if facing_strong:
                yield hand, (facing_common, facing_strong - 1, facing_stamina)
            if facing_common and self.duel.strong_for_common:
                yield hand, (facing_common - 1, facing_strong, facing_stamina)
