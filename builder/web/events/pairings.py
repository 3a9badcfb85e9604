"""Swiss pairings: who plays whom in the next round.

Pure functions. Players are numbers, and the result depends on nothing but the arguments.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

BYE = -1
"""Stands for the opponent of a player who has none."""
Pair = tuple[int, int]
"""The numbers of two players. The second one is BYE for a bye."""


def pair_round(
    order: Sequence[int],
    points: Mapping[int, int],
    meetings: Mapping[frozenset[int], int],
    byes: Mapping[int, int],
) -> list[Pair]:
    """Pair all players for a round, the best pairs first and a bye last.

    `order` lists the players, best first. `meetings` counts how often two players have met, and
    `byes` how often a player had none to play.

    Nobody meets an opponent again unless every possible round repeats a pair. Then as few pairs as
    possible are repeated. An odd player out is the last one with the fewest byes for whom this
    holds. Players with equal points meet, the upper half of them the lower half.
    """
    players = [*order] if len(order) % 2 == 0 else [BYE, *order]
    min_byes = min((byes.get(player, 0) for player in order), default=0)

    def may_meet(player: int, opponent: int) -> bool:
        if BYE in (player, opponent):
            return byes.get(max(player, opponent), 0) == min_byes
        return frozenset((player, opponent)) not in meetings

    matcher = _Matcher(players, may_meet)
    pairs: list[Pair] = []
    leftover: list[int] = []
    while players:
        player, *others = players
        candidates = _sort_candidates(player, others, points)
        opponent = matcher.fix_first(player, candidates)
        if opponent is None:
            leftover.append(player)
            players = others
        else:
            pairs.append((player, opponent))
            players = [rival for rival in others if rival != opponent]
    pairs += _pair_again(leftover, meetings)
    rank = {player: index for index, player in enumerate(order)}
    rank[BYE] = len(order)
    ordered_pairs = [_sort_pair(pair, rank) for pair in pairs]
    return sorted(ordered_pairs, key=lambda pair: (pair[1] == BYE, rank[pair[0]]))


def _sort_pair(pair: Pair, rank: Mapping[int, int]) -> Pair:
    first, second = sorted(pair, key=lambda player: rank[player])
    return first, second


def _sort_candidates(
    player: int, others: Sequence[int], points: Mapping[int, int]
) -> list[int]:
    """Return the opponents of a player, the preferred one first. `others` are ordered by rank."""
    if player == BYE:
        return list(reversed(others))
    equals = [opponent for opponent in others if points[opponent] == points[player]]
    # The upper half of those with equal points meets the lower half.
    middle = max(0, (len(equals) + 1) // 2 - 1)
    lower_ranked = [
        opponent for opponent in others if points[opponent] != points[player]
    ]
    return [*equals[middle:], *reversed(equals[:middle]), *lower_ranked]


def _pair_again(
    players: Sequence[int], meetings: Mapping[frozenset[int], int]
) -> list[Pair]:
    """Pair players who have all met each other, those first who met least often."""
    pairs = []
    remaining = list(players)
    while remaining:
        player = remaining.pop(0)
        counts = {
            opponent: meetings.get(frozenset((player, opponent)), 0)
            for opponent in remaining
        }
        opponent = min(remaining, key=counts.__getitem__)
        remaining.remove(opponent)
        pairs.append((player, opponent))
    return pairs


class _Matcher:
    """As many pairs as possible of those who may meet. Fixed pairs are taken out.

    It is a maximum matching of a graph, found with the algorithm of Edmonds.
    """

    def __init__(
        self, players: Iterable[int], may_meet: Callable[[int, int], bool]
    ) -> None:
        self.players = dict.fromkeys(players)
        self.neighbors: dict[int, list[int]] = {}
        for player in self.players:
            self.neighbors[player] = [
                candidate
                for candidate in self.players
                if candidate != player and may_meet(player, candidate)
            ]
        self.partners: dict[int, int] = {}
        for player in self.players:
            if player not in self.partners:
                self._extend_matching(player)

    def fix_first(self, player: int, candidates: Iterable[int]) -> int | None:
        """Fix a player's pair with the first candidate that costs the others no pair.

        Return the opponent. None, and the player is taken out, if there is none.
        """
        neighbors = set(self.neighbors[player])
        for candidate in candidates:
            if candidate in neighbors and self._fix_pair(player, candidate):
                return candidate
        self._take_out(player)
        return None

    def _fix_pair(self, player: int, opponent: int) -> bool:
        partners = dict(self.partners)
        freed = [self._take_out(player), self._take_out(opponent)]
        # The pair replaces two others if both have partners. These need new ones.
        if None in freed or partners[player] == opponent:
            return True
        if any(
            self._extend_matching(opponent)
            for opponent in freed
            if opponent is not None
        ):
            return True
        self.players |= dict.fromkeys((player, opponent))
        self.partners = partners
        return False

    def _take_out(self, player: int) -> int | None:
        """Take out a player and return the former partner."""
        del self.players[player]
        partner = self.partners.pop(player, None)
        if partner is not None:
            self.partners.pop(partner, None)
        return partner

    def _extend_matching(self, root: int) -> bool:
        """Exchange partners so that one more pair results, with a player who has none."""
        search = _PathSearch(self.players, self.neighbors, self.partners, root)
        end: int | None = search.find_end()
        if end is None:
            return False
        while end is not None:
            previous = search.parents[end]
            following = self.partners.get(previous)
            self.partners[end] = previous
            self.partners[previous] = end
            end = following
        return True


class _PathSearch:
    """The search for a path on which alternately pairs are broken up and made."""

    def __init__(
        self,
        players: Collection[int],
        neighbors: Mapping[int, Sequence[int]],
        partners: Mapping[int, int],
        root: int,
    ) -> None:
        self.neighbors, self.partners, self.root = neighbors, partners, root
        self.bases = {player: player for player in players}
        """The base of the odd cycle to which a player belongs. Alone, the player."""
        self.parents: dict[int, int] = {}
        self.queue = [root]
        self.reached = {root}

    def find_end(self) -> int | None:
        """Return the last player of a path from the root. `parents` leads back."""
        # The queue grows during the loop.
        for player in self.queue:
            for opponent in self.neighbors[player]:
                if self._is_inside(player, opponent):
                    continue
                if opponent == self.root or self.partners.get(opponent) in self.parents:
                    self._contract_cycle(player, opponent)
                elif opponent not in self.parents:
                    self.parents[opponent] = player
                    if opponent not in self.partners:
                        return opponent
                    self._reach_player(self.partners[opponent])
        return None

    def _is_inside(self, player: int, opponent: int) -> bool:
        """Return True for a removed player, for a partner, and within one odd cycle."""
        if opponent not in self.bases or self.partners.get(player) == opponent:
            return True
        return self.bases[player] == self.bases[opponent]

    def _reach_player(self, player: int) -> None:
        if player not in self.reached:
            self.reached.add(player)
            self.queue.append(player)

    def _contract_cycle(self, player: int, opponent: int) -> None:
        """Make an odd cycle behave as one player, its base."""
        base = self._find_common_base(player, opponent)
        cycle: set[int] = set()
        self._mark_path(player, base, opponent, cycle)
        self._mark_path(opponent, base, player, cycle)
        for member, member_base in self.bases.items():
            if member_base in cycle:
                self.bases[member] = base
                self._reach_player(member)

    def _find_common_base(self, player: int, opponent: int) -> int:
        bases = set()
        base = self.bases[player]
        bases.add(base)
        while base in self.partners:
            base = self.bases[self.parents[self.partners[base]]]
            bases.add(base)
        base = self.bases[opponent]
        while base not in bases:
            base = self.bases[self.parents[self.partners[base]]]
        return base

    def _mark_path(self, player: int, base: int, child: int, cycle: set[int]) -> None:
        while self.bases[player] != base:
            partner = self.partners[player]
            cycle |= {self.bases[player], self.bases[partner]}
            self.parents[player] = child
            child = partner
            player = self.parents[partner]
