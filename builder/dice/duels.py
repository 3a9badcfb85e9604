"""Two sides spend successes one by one, to strike or to take one of the other's away.

Every throw, best play.

After the throw nothing is left to chance, so that each game is solved from its end: who is to move
picks what leaves the largest difference between damage dealt and taken. A side whose stamina is
gone strikes no more.
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
    """One side: what its dice may show, and what a success is worth.

    `guarded`: only strong ones take it away.
    """

    split: tuple[tuple[tuple[int, int], Fraction], ...]
    worth: int
    strong: int
    sure: int
    stamina: int
    is_guarded: bool


Hand: TypeAlias = tuple[int, int, int]
"""What a side has left: common and strong successes, and its stamina."""


def make_side(duel: Duel, read: Reading) -> DuelSide | None:
    """One side by its own attack and card.

    None where they do not state how often it strikes or what it stands.
    """
    worth, stamina = read.find_number(duel.worth), read.find_number(duel.stamina)
    if worth is None or stamina is None or stamina <= 0:
        return None
    strong = worth if duel.strong_worth is None else read.find_number(duel.strong_worth)
    return DuelSide(
        split=tuple(sorted(roll_successes(duel.dice, read).items())),
        worth=worth,
        strong=worth if strong is None else strong,
        sure=read.find_number(duel.sure) or 0,
        stamina=stamina,
        is_guarded=bool(read.find_number(duel.guarded)),
    )


def solve_duel(one: DuelSide, other: DuelSide, duel: Duel, names: tuple[str, ...] = ()) -> DuelLine:
    """Return what `one`, who spends first, may expect against `other`, whose names these are."""
    game = Game(one, other, duel)
    scale, mine = _counted(one)
    also, theirs = _counted(other)
    dealt = taken = fells = falls = 0
    for (many, few), weight in mine:
        for (more, sharp), times in theirs:
            own, foe = (
                max(0, one.stamina - sharp * other.sure),
                max(0, other.stamina - few * one.sure),
            )
            left, right = game.find_best_end((many, few, own), (more, sharp, foe), True)
            cases = weight * times
            dealt += cases * (other.stamina - right)
            taken += cases * (one.stamina - left)
            fells += cases * (right == 0)
            falls += cases * (left == 0)
    return DuelLine(
        names, *(Fraction(value, scale * also) for value in (dealt, taken, fells, falls))
    )


def _counted(one: DuelSide) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """Return the dice as equally likely cases: how many in all, and how many for each outcome."""
    scale = lcm(*(chance.denominator for _, chance in one.split))
    return scale, [(pair, int(chance * scale)) for pair, chance in one.split]


class Game:
    """One pair of sides; positions are solved once."""

    def __init__(self, one: DuelSide, other: DuelSide, duel: Duel) -> None:
        self.first_side, self.second_side, self.duel = one, other, duel
        self.solved: dict[tuple[Hand, Hand, bool], tuple[int, int]] = {}

    def find_best_end(self, mine: Hand, theirs: Hand, first: bool) -> tuple[int, int]:
        """Return what stamina both are left with.

        `mine` is the first side's hand, `first` says whether it is to spend.
        """
        if not (mine[2] and theirs[2]) or not any((*mine[:2], *theirs[:2])):
            return mine[2], theirs[2]
        acting, facing = (mine, theirs) if first else (theirs, mine)
        if not (acting[0] or acting[1]):
            return self.find_best_end(mine, theirs, not first)
        key = (mine, theirs, first)
        if key not in self.solved:
            moves = self._moves(acting, facing, first)
            ends = [
                self.find_best_end(*(pair if first else pair[::-1]), not first) for pair in moves
            ]
            sign = 1 if first else -1
            self.solved[key] = max(ends, key=lambda end: sign * (end[0] - end[1]))
        return self.solved[key]

    def _moves(self, acting: Hand, facing: Hand, first: bool) -> Iterator[tuple[Hand, Hand]]:
        """Yield the side that acts and the one that faces it, after each strike and each parry."""
        own, foe = (
            (self.first_side, self.second_side) if first else (self.second_side, self.first_side)
        )
        (common, strong, stamina), (many, few, left) = acting, facing
        if common:
            spent = (common - 1, strong, stamina)
            yield spent, (many, few, max(0, left - own.worth))
            if many and not foe.is_guarded:
                yield spent, (many - 1, few, left)
        if strong:
            spent = (common, strong - 1, stamina)
            yield spent, (many, few, max(0, left - own.strong))
            if few:
                yield spent, (many, few - 1, left)
            if many and self.duel.strong_for_common:
                yield spent, (many - 1, few, left)
