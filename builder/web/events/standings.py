"""Standings of a Swiss tournament: points, and the tie-breakers behind them.

Pure functions. Players are numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

OPEN, FIRST, DRAW, SECOND, NEITHER = "", "first", "draw", "second", "neither"
"""Outcomes of a match: not known, the first player won, a draw, the second won, both lost."""
OUTCOMES = (OPEN, FIRST, DRAW, SECOND, NEITHER)


@dataclass(frozen=True, slots=True)
class Scoring:
    """The points for a win, a draw and a loss. A bye is a win."""

    win: int = 3
    draw: int = 1
    loss: int = 0


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match of two players. `second` is None for a bye."""

    first: int
    second: int | None
    outcome: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a player. Players who are equal in everything share a rank.

    `opponents` is the average of what the opponents won per round, in points.
    `their_opponents` is the average of that number over the opponents.
    """

    rank: int
    player: int
    points: int
    wins: int
    draws: int
    losses: int
    opponents: Fraction
    their_opponents: Fraction


def rank_players(
    players: Sequence[int], results: Iterable[MatchResult], scoring: Scoring
) -> list[Standing]:
    """Return the standings, best first. Equal players are in the order of `players`."""
    tallies, opponents = _tally_results(players, results)
    points = {player: _count_points(tallies[player], scoring) for player in players}
    averages = {
        player: Fraction(points[player], max(1, tallies[player].total()))
        for player in players
    }
    strengths = {
        player: _average_values(opponents[player], averages) for player in players
    }
    deep_strengths = {
        player: _average_values(opponents[player], strengths) for player in players
    }

    def sort_key(player: int) -> tuple[int, Fraction, Fraction]:
        return -points[player], -strengths[player], -deep_strengths[player]

    standings: list[Standing] = []
    for _key, equals in groupby(sorted(players, key=sort_key), key=sort_key):
        rank = len(standings) + 1
        for player in equals:
            tally = tallies[player]
            standings.append(
                Standing(
                    rank,
                    player,
                    points[player],
                    tally["win"],
                    tally["draw"],
                    tally["loss"],
                    strengths[player],
                    deep_strengths[player],
                )
            )
    return standings


def _tally_results(
    players: Sequence[int], results: Iterable[MatchResult]
) -> tuple[dict[int, Counter[str]], Mapping[int, Sequence[int]]]:
    """Count the wins, draws and losses of each player, and list the opponents."""
    tallies = {player: Counter[str]() for player in players}
    opponents: defaultdict[int, list[int]] = defaultdict(list)
    for result in results:
        if result.outcome == OPEN:
            continue
        for player, opponent, has_won in _list_sides(result):
            tallies[player][_name_outcome(result.outcome, has_won)] += 1
            if opponent is not None:
                opponents[player].append(opponent)
    return tallies, opponents


def _list_sides(result: MatchResult) -> list[tuple[int, int | None, bool]]:
    """Return the players of a match with their opponent, and True for the winner."""
    sides = [(result.first, result.second, result.outcome == FIRST)]
    if result.second is not None:
        sides.append((result.second, result.first, result.outcome == SECOND))
    return sides


def _name_outcome(outcome: str, has_won: bool) -> str:
    if outcome == DRAW:
        return "draw"
    return "win" if has_won else "loss"


def _count_points(tally: Mapping[str, int], scoring: Scoring) -> int:
    return (
        tally["win"] * scoring.win
        + tally["draw"] * scoring.draw
        + tally["loss"] * scoring.loss
    )


def _average_values(players: Sequence[int], values: Mapping[int, Fraction]) -> Fraction:
    if not players:
        return Fraction(0)
    return Fraction(sum(values[player] for player in players), len(players))
