"""Pairings and standings: properties of all rounds, and small cases by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from time import perf_counter

from hypothesis import given, settings, strategies as st

from builder.web.events.pairings import BYE, pair_round
from builder.web.events.standings import (
    DRAW,
    FIRST,
    NEITHER,
    SECOND,
    MatchResult,
    Scoring,
    Standing,
    rank_players,
)

Meetings = Counter[frozenset[int]]


def count_repeats(pairs: list[tuple[int, int]], meetings: Meetings) -> int:
    return sum(
        frozenset(pair) in meetings for pair in pairs if BYE not in frozenset(pair)
    )


def fewest_repeats(
    players: tuple[int, ...], meetings: Meetings, byes: Counter[int]
) -> int:
    """Return the least repeats of any round, by trying all."""
    least = min(byes[player] for player in players)

    @cache
    def search(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, found = rest[0], 99
        for place in range(1, len(rest)):
            again = frozenset((first, rest[place])) in meetings
            left = search(rest[1:place] + rest[place + 1 :])
            found = min(found, again + left)
        return found

    if len(players) % 2 == 0:
        return search(players)
    return min(
        search(tuple(other for other in players if other != player))
        for player in players
        if byes[player] == least
    )


@settings(max_examples=150, deadline=None)
@given(
    count=st.integers(2, 9),
    rounds=st.integers(1, 10),
    seed=st.integers(0, 10**6),
    leaves=st.booleans(),
)
def test_all_rounds_of_small_tournaments(
    count: int, rounds: int, seed: int, leaves: bool
) -> None:
    random, meetings, byes = Random(seed), Meetings(), Counter[int]()
    players, results = list(range(count)), list[MatchResult]()
    for _round in range(rounds):
        standings = rank_players(list(range(count)), results, Scoring())
        points = {one.player: one.points for one in standings}
        order = [one.player for one in standings if one.player in players]
        pairs = pair_round(order, points, meetings, byes)
        assert pairs == pair_round(order, points, dict(meetings), dict(byes))
        seats = [player for pair in pairs for player in pair if player != BYE]
        assert sorted(seats) == sorted(players)  # every player once
        assert [pair[1] for pair in pairs].count(BYE) == len(players) % 2
        assert BYE not in [pair[0] for pair in pairs]
        expected = fewest_repeats(tuple(players), meetings, byes)
        assert count_repeats(pairs, meetings) == expected
        had = min(byes[player] for player in players)
        for first, second in pairs:
            if second == BYE:
                assert byes[first] == had  # nobody has two while somebody has none
                byes[first] += 1
                results.append(MatchResult(first, None, FIRST))
            else:
                meetings[frozenset((first, second))] += 1
                outcome = random.choice([FIRST, DRAW, SECOND, NEITHER])
                results.append(MatchResult(first, second, outcome))
        if leaves and len(players) > 2 and random.random() < 0.4:
            players.remove(random.choice(players))


def test_a_pair_is_not_made_if_it_would_force_others_to_meet_again() -> None:
    # 0 and 1 are best, but 2 and 3 have met: 0 and 1 must not play each other.
    meetings = {frozenset((2, 3)): 1}
    points = {0: 6, 1: 6, 2: 0, 3: 0}
    assert pair_round([0, 1, 2, 3], points, meetings, {}) == [(0, 2), (1, 3)]


def test_the_upper_half_meets_the_lower_half_of_those_with_equal_points() -> None:
    points = dict.fromkeys(range(6), 3) | {6: 0, 7: 0}
    assert pair_round(range(8), points, {}, {}) == [(0, 3), (1, 4), (2, 5), (6, 7)]


def test_the_last_player_without_a_bye_has_the_bye() -> None:
    points = dict.fromkeys(range(5), 0)
    assert pair_round(range(5), points, {}, {4: 1, 3: 1})[-1] == (2, BYE)
    assert pair_round([0], points, {}, {}) == [(0, BYE)]
    assert pair_round([], points, {}, {}) == []


def test_rounds_of_300_players_are_paired_in_seconds() -> None:
    random, meetings, results = Random(1), Meetings(), list[MatchResult]()
    players, byes = list(range(299)), Counter[int]()
    start = perf_counter()
    for _round in range(5):
        standings = rank_players(players, results, Scoring())
        points = {one.player: one.points for one in standings}
        order = [one.player for one in standings]
        pairs = pair_round(order, points, meetings, byes)
        assert count_repeats(pairs, meetings) == 0
        for first, second in pairs:
            outcome = random.choice([FIRST, SECOND])
            if second == BYE:
                byes[first] += 1
                results.append(MatchResult(first, None, FIRST))
            else:
                meetings[frozenset((first, second))] += 1
                results.append(MatchResult(first, second, outcome))
    assert max(byes.values()) == 1
    assert perf_counter() - start < 30


def test_standings_by_points_then_by_the_opponents() -> None:
    results = [
        MatchResult(0, 1, FIRST),
        MatchResult(2, 3, DRAW),
        MatchResult(4, None, FIRST),
        MatchResult(0, 4, SECOND),
        MatchResult(1, 2, SECOND),
        MatchResult(3, 4, ""),  # not played yet
    ]
    found = rank_players(range(5), results, Scoring(3, 1, 0))
    assert [(one.rank, one.player, one.points) for one in found] == [
        (1, 4, 6),
        (2, 2, 4),
        (3, 0, 3),
        (4, 3, 1),
        (5, 1, 0),
    ]
    assert found[2] == Standing(3, 0, 3, 1, 0, 1, Fraction(3, 2), Fraction(13, 8))


def test_equal_players_share_a_rank() -> None:
    found = rank_players([5, 3, 8], [MatchResult(5, 3, NEITHER)], Scoring(2, 1, 1))
    assert [(one.rank, one.player, one.points) for one in found] == [
        (1, 5, 1),
        (1, 3, 1),
        (3, 8, 0),
    ]
