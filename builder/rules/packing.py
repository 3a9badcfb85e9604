"""Pack linked models into single carriers: exact up to a stated size.

Pure; knows nothing of rules or rosters.

A carrier is one model. A load is never divided between two carriers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

MAX_MODELS_TO_PACK = 60
"""Models with different loads, together with the carriers that they share, that are packed exactly.
"""
MAX_PACKING_STEPS = 100_000
"""Fillings of single carriers that are tried for one rule and one squad."""
MAX_EDGES = 2_000
"""Pairs of a group and a kind of carrier that are searched for one rule and one squad."""


class UndecidedPackingError(Exception):
    """The packing is larger than what is searched."""


@dataclass(frozen=True, slots=True)
class ModelGroup:
    """Equal models that are linked.

    How many, the load of one, and the carriers that it may go to, by index.

    `own` are the carriers that are these models themselves. No model is its own carrier.
    """

    count: int
    load: int | float
    targets: tuple[int, ...]
    own: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CarrierGroup:
    """A number of models that can each carry the same load. A capacity of None has no limit."""

    count: int
    capacity: int | float | None


Packing = Mapping[tuple[int, int], tuple[int, ...]]
"""By the indexes of a group and of its carriers: how many models each of these carriers gets."""
Limits = Mapping[tuple[int, int], int]
"""By the same key: the largest number of models of the group that all these carriers together may
get.
"""


def pack_models(
    groups: Sequence[ModelGroup],
    carriers: Sequence[CarrierGroup],
    limits: Limits | None = None,
    budget: "StepBudget | None" = None,
) -> Packing | None:
    """Return a packing of all models, None if there is none.

    Raise UndecidedPackingError where the search would be larger than the limits of this module.
    """
    task = _Task(groups, carriers, limits or {}, budget or StepBudget())
    packing: dict[tuple[int, int], tuple[int, ...]] = {}
    for part in task.find_components():
        found = task.pack_component(part)
        if found is None:
            return None
        packing.update(found)
    return packing


@dataclass
class StepBudget:
    """The steps that are left for one rule and one squad."""

    steps: int = MAX_PACKING_STEPS

    def count_step(self) -> None:
        """Count one step. Raise UndecidedPackingError if none is left."""
        self.steps -= 1
        if self.steps < 0:
            raise UndecidedPackingError


@dataclass
class _Component:
    """Groups and carriers that depend on each other, and models in unlimited carriers."""

    groups: list[int]
    carriers: list[int]
    remaining: dict[int, int]
    placed: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)


class _Task:
    """One packing, with all loads and capacities as whole numbers."""

    def __init__(
        self,
        groups: Sequence[ModelGroup],
        carriers: Sequence[CarrierGroup],
        limits: Limits,
        budget: StepBudget,
    ) -> None:
        self.groups = groups
        self.carriers = carriers
        self.limits = limits
        self.budget = budget
        loads = [_to_fraction(group.load) for group in groups]
        rooms = [None if one.capacity is None else _to_fraction(one.capacity) for one in carriers]
        scale = math.lcm(1, *(load.denominator for load in loads))
        self.loads = [max(0, int(load * scale)) for load in loads]
        self.rooms = [None if space is None else math.floor(space * scale) for space in rooms]

    def count_per_carrier(self, group: int, carrier: int) -> int:
        """Return how many models of a group one carrier holds at most."""
        space, load, count = self.rooms[carrier], self.loads[group], self.groups[group].count
        if carrier in self.groups[group].own:
            count -= 1
        if space is None or load == 0:
            return max(0, count) if space is None or space >= 0 else 0
        return max(0, min(count, space // load))

    def find_edge_limit(self, group: int, carrier: int) -> int:
        """Return how many models of a group all carriers of one index hold at most."""
        max_count = self.count_per_carrier(group, carrier) * self.carriers[carrier].count
        return min(max_count, self.limits.get((group, carrier), max_count))

    def is_limited(self, group: int, carrier: int) -> bool:
        """Return True if models of the group take room that others may need."""
        return self.rooms[carrier] is not None and self.loads[group] > 0

    def find_components(self) -> Iterator[_Component]:
        """Yield the parts that can be packed one by one.

        Models that take no room are placed at once.
        """
        if sum(len(group.targets) for group in self.groups) > MAX_EDGES * 10:
            raise UndecidedPackingError
        first = _Component([], [], {})
        for index in range(len(self.groups)):
            first.remaining[index] = self._place_freely(index, first)
        yield first
        groups_at: dict[int, list[int]] = {}
        waiting_groups = [index for index, remaining in first.remaining.items() if remaining]
        for index in waiting_groups:
            for carrier in self._find_limited_targets(index):
                groups_at.setdefault(carrier, []).append(index)
        seen: set[int] = set()
        for start in waiting_groups:
            if start not in seen:
                yield self._find_component(start, first.remaining, groups_at, seen)

    def _find_limited_targets(self, group: int) -> list[int]:
        """Return the carriers of a group that others may need too."""
        return [
            carrier for carrier in self.groups[group].targets if self.is_limited(group, carrier)
        ]

    def _place_freely(self, group: int, part: _Component) -> int:
        """Place models in carriers that hold any number of them. Return how many are left over."""
        remaining = self.groups[group].count
        for carrier in self.groups[group].targets:
            if remaining and not self.is_limited(group, carrier):
                count = min(remaining, self.find_edge_limit(group, carrier))
                part.placed[group, carrier] = self._distribute_models(carrier, count)
                remaining -= count
        return remaining

    def _find_component(
        self,
        start: int,
        remaining: Mapping[int, int],
        groups_at: Mapping[int, Sequence[int]],
        seen: set[int],
    ) -> _Component:
        """Return the part that a group belongs to, and add its groups to `seen`."""
        part, carriers, pending = _Component([], [], {}), dict[int, None](), [start]
        seen.add(start)
        while pending:
            index = pending.pop()
            part.groups.append(index)
            part.remaining[index] = remaining[index]
            for carrier in self._find_limited_targets(index):
                if carrier not in carriers:
                    carriers[carrier] = None
                    new = [other for other in groups_at[carrier] if other not in seen]
                    seen.update(new)
                    pending += new
        part.carriers += carriers
        return part

    def _distribute_models(self, carrier: int, count: int) -> tuple[int, ...]:
        """Return how many of `count` models each carrier gets, as evenly as possible."""
        carriers = self.carriers[carrier].count
        return (
            tuple(count // carriers + (number < count % carriers) for number in range(carriers))
            if carriers
            else ()
        )

    def pack_component(self, part: _Component) -> Packing | None:
        """Return a packing of one part, None if there is none."""
        if not part.groups:
            return part.placed
        if len({self.loads[group] for group in part.groups}) == 1:
            return self._pack_equal(part)
        if self._is_overfull(part):
            return None
        found = self._pack_greedily(part)
        if found is not None:
            return found
        size = sum(part.remaining.values()) + sum(
            self.carriers[carrier].count for carrier in part.carriers
        )
        if size > MAX_MODELS_TO_PACK:
            raise UndecidedPackingError
        return _ExactPacking(self, part).find_packing()

    def _list_edges(self, part: _Component) -> list[tuple[int, int]]:
        """Return the pairs of a group and carriers that it may go to."""
        within = set(part.carriers)
        edges: list[tuple[int, int]] = []
        for group in part.groups:
            edges += [
                (group, carrier)
                for carrier in self.groups[group].targets
                if carrier in within and self.find_edge_limit(group, carrier) > 0
            ]
        return edges

    def _pack_equal(self, part: _Component) -> Packing | None:
        """Pack models of one load: each carrier is a number of places, so that a flow is exact."""
        load = self.loads[part.groups[0]]
        places = {
            carrier: (self.rooms[carrier] or 0) // load * self.carriers[carrier].count
            for carrier in part.carriers
        }
        flow = _find_flow(
            part.remaining,
            places,
            {edge: self.find_edge_limit(*edge) for edge in self._list_edges(part)},
        )
        return self._divide_among_carriers(flow, load) if flow is not None else None

    def _divide_among_carriers(self, flow: Mapping[tuple[int, int], int], load: int) -> Packing:
        """Divide models among equal carriers, first the models that are carriers themselves."""
        packing: dict[tuple[int, int], tuple[int, ...]] = {}
        by_carrier: dict[int, list[int]] = {}
        for (group, carrier), count in flow.items():
            if count:
                by_carrier.setdefault(carrier, []).append(group)
        for carrier, groups in by_carrier.items():
            free = [(self.rooms[carrier] or 0) // load] * self.carriers[carrier].count
            for group in sorted(groups, key=lambda group: carrier not in self.groups[group].own):
                counts = [0] * len(free)
                for _model in range(flow[group, carrier]):
                    # the emptiest carrier, so that none of a group's own carriers gets the whole
                    # group
                    number = min(
                        (n for n, space in enumerate(free) if space), key=lambda n: (counts[n], n)
                    )
                    counts[number] += 1
                    free[number] -= 1
                packing[group, carrier] = tuple(counts)
        return packing

    def _is_overfull(self, part: _Component) -> bool:
        """Return True if the loads do not even fit where they might be divided."""
        volumes = {group: count * self.loads[group] for group, count in part.remaining.items()}
        rooms = {
            carrier: (self.rooms[carrier] or 0) * self.carriers[carrier].count
            for carrier in part.carriers
        }
        edges = {
            edge: self.find_edge_limit(*edge) * self.loads[edge[0]]
            for edge in self._list_edges(part)
        }
        return _find_flow(volumes, rooms, edges) is None

    def _pack_greedily(self, part: _Component) -> Packing | None:
        """Return a packing that places the largest loads first, None if some do not fit."""
        free = {
            carrier: [self.rooms[carrier] or 0] * self.carriers[carrier].count
            for carrier in part.carriers
        }
        packing: dict[tuple[int, int], list[int]] = {}
        order = sorted(
            part.groups, key=lambda group: (-self.loads[group], len(self.groups[group].targets))
        )
        for group in order:
            remaining = part.remaining[group]
            for carrier in self.groups[group].targets:
                if carrier not in free:
                    continue
                rooms, max_count = free[carrier], self.find_edge_limit(group, carrier)
                counts = packing.setdefault((group, carrier), [0] * len(rooms))
                for number, space in enumerate(rooms):
                    count = min(
                        remaining,
                        max_count,
                        space // self.loads[group],
                        self.count_per_carrier(group, carrier),
                    )
                    counts[number] += count
                    rooms[number] -= count * self.loads[group]
                    remaining -= count
                    max_count -= count
            if remaining:
                return None
        return {edge: tuple(counts) for edge, counts in packing.items() if any(counts)}


class _ExactPacking:
    """A search over a part's carriers in turn; remembers states without a solution."""

    def __init__(self, task: _Task, part: _Component) -> None:
        self.task = task
        self.groups = sorted(part.groups, key=lambda group: -task.loads[group])
        self.remaining = tuple(part.remaining[group] for group in self.groups)
        # The smallest carriers first: a dead end shows early.
        self.bins: list[tuple[int, int]] = []
        for carrier in sorted(part.carriers, key=lambda carrier: task.rooms[carrier] or 0):
            self.bins += [(carrier, number) for number in range(task.carriers[carrier].count)]
        self.room_after = self._sum_rooms_after()
        self.last_bin = [self._find_last_bin(group) for group in self.groups]
        self.dead_ends: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()
        self.edges: list[tuple[int, int, int]] = []
        for place, group in enumerate(self.groups):
            for carrier in task.groups[group].targets:
                if (group, carrier) in task.limits:
                    self.edges.append((place, group, carrier))

    def _sum_rooms_after(self) -> list[int]:
        """Return the room of all carriers from each position on; 0 after the last."""
        rooms = [0]
        for carrier, _number in reversed(self.bins):
            rooms.append(rooms[-1] + (self.task.rooms[carrier] or 0))
        return rooms[::-1]

    def _find_last_bin(self, group: int) -> int:
        """Return the position of the last carrier that accepts a group, -1 if none does."""
        for position in reversed(range(len(self.bins))):
            if self._accepts_group(group, position):
                return position
        return -1

    def find_packing(self) -> Packing | None:
        """Return a packing, None if there is none."""
        allowance = tuple(self.task.limits[group, carrier] for _place, group, carrier in self.edges)
        fillings = self._search_fillings(0, self.remaining, allowance)
        if fillings is None:
            return None
        packing: dict[tuple[int, int], list[int]] = {}
        for (carrier, number), filling in zip(self.bins, fillings, strict=False):
            for group, count in zip(self.groups, filling, strict=True):
                if count:
                    counts = packing.setdefault(
                        (group, carrier), [0] * self.task.carriers[carrier].count
                    )
                    counts[number] = count
        return {edge: tuple(counts) for edge, counts in packing.items()}

    def _accepts_group(self, group: int, number: int) -> bool:
        """Return True if models of a group may go to a single carrier, by its number."""
        return self.bins[number][0] in self.task.groups[group].targets

    def _search_fillings(
        self, start: int, remaining: tuple[int, ...], allowance: tuple[int, ...]
    ) -> list[tuple[int, ...]] | None:
        """Return the fillings of the carriers from `start` on that leave nothing over."""
        if not any(remaining):
            return []
        if self._is_hopeless(start, remaining) or (start, remaining, allowance) in self.dead_ends:
            return None
        for filling in self._generate_fillings(start, remaining, allowance):
            self.task.budget.count_step()
            after = tuple(
                count - placed_count for count, placed_count in zip(remaining, filling, strict=True)
            )
            rest = self._search_fillings(
                start + 1, after, self._subtract_from_limits(start, filling, allowance)
            )
            if rest is not None:
                return [filling, *rest]
        self.dead_ends.add((start, remaining, allowance))
        return None

    def _is_hopeless(self, start: int, remaining: tuple[int, ...]) -> bool:
        """Return True if the remaining carriers have too little space, or some models none."""
        loads = sum(
            count * self.task.loads[group]
            for count, group in zip(remaining, self.groups, strict=True)
        )
        late = any(
            count and last < start for count, last in zip(remaining, self.last_bin, strict=True)
        )
        return late or loads > self.room_after[start]

    def _find_max_models(
        self, start: int, place: int, remaining: tuple[int, ...], allowance: tuple[int, ...]
    ) -> int:
        """Return how many models of a group the carrier may get at most, whatever else it holds."""
        carrier, group = self.bins[start][0], self.groups[place]
        if not self._accepts_group(group, start):
            return 0
        max_count = min(remaining[place], self.task.count_per_carrier(group, carrier))
        for (_place, limited, limited_carrier), rest in zip(self.edges, allowance, strict=True):
            if (limited, limited_carrier) == (group, carrier):
                max_count = min(max_count, rest)
        return max_count

    def _subtract_from_limits(
        self, start: int, filling: tuple[int, ...], allowance: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Return what the limits allow after a filling."""
        carrier = self.bins[start][0]
        edges = zip(self.edges, allowance, strict=True)
        return tuple(
            rest - (filling[place] if limited == carrier else 0)
            for (place, _group, limited), rest in edges
        )

    def _generate_fillings(
        self, start: int, remaining: tuple[int, ...], allowance: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """Yield each filling to which nothing can be added: a fuller carrier never hurts."""
        loads = [self.task.loads[group] for group in self.groups]
        max_count = [
            self._find_max_models(start, place, remaining, allowance)
            for place in range(len(self.groups))
        ]
        space = self.task.rooms[self.bins[start][0]] or 0

        def fill(place: int, space: int, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if place == len(loads):
                full = all(
                    count == top or load > space
                    for count, top, load in zip(counts, max_count, loads, strict=True)
                )
                if full:
                    yield counts
                return
            for count in range(min(max_count[place], space // loads[place]), -1, -1):
                yield from fill(place + 1, space - count * loads[place], (*counts, count))

        return fill(0, space, ())


def _find_flow(
    supplies: Mapping[int, int], rooms: Mapping[int, int], edges: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], int] | None:
    """Return a flow that uses all supplies within the limits, None if there is none."""
    flow = dict.fromkeys(edges, 0)
    used = dict.fromkeys(rooms, 0)
    targets: dict[int, list[int]] = {}
    sources: dict[int, list[int]] = {}
    for supply, space in edges:
        targets.setdefault(supply, []).append(space)
        sources.setdefault(space, []).append(supply)
    for supply, amount in supplies.items():
        remaining = amount
        for space in targets.get(
            supply, ()
        ):  # most need no path: what fits directly is placed first
            pushed = min(remaining, edges[supply, space], rooms[space] - used[space])
            flow[supply, space] += pushed
            used[space] += pushed
            remaining -= pushed
        if remaining and len(edges) > MAX_EDGES:
            raise UndecidedPackingError
        while remaining:
            path = _find_path(supply, rooms, edges, flow, used, targets, sources)
            if path is None:
                return None
            gains = [(edge, edges[edge] - flow[edge]) for edge in path[::2]]
            losses = [(edge, flow[edge]) for edge in path[1::2]]
            last = path[-1][1]
            pushed = min(
                remaining,
                rooms[last] - used[last],
                *(available for _edge, available in (*gains, *losses)),
            )
            for number, edge in enumerate(path):
                flow[edge] += -pushed if number % 2 else pushed
            used[last] += pushed
            remaining -= pushed
    return flow


def _find_path(
    start: int,
    rooms: Mapping[int, int],
    edges: Mapping[tuple[int, int], int],
    flow: Mapping[tuple[int, int], int],
    used: Mapping[int, int],
    targets: Mapping[int, Sequence[int]],
    sources: Mapping[int, Sequence[int]],
) -> list[tuple[int, int]] | None:
    """Return a path to a room with space: edges that gain and edges that lose flow, in turn."""
    reached: dict[int, list[tuple[int, int]]] = {start: []}
    pending = [start]
    seen: set[int] = set()
    for supply in pending:
        for space in targets.get(supply, ()):
            if space in seen or flow[supply, space] >= edges[supply, space]:
                continue
            seen.add(space)
            path = [*reached[supply], (supply, space)]
            if used[space] < rooms[space]:
                return path
            for other in sources[space]:
                if other not in reached and flow[other, space] > 0:
                    reached[other] = [*path, (other, space)]
                    pending.append(other)
    return None


def _to_fraction(value: int | float) -> Fraction:
    """Return a number as it was written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))
