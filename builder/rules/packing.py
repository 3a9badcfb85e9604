"""Assign linked models to the models that carry them: exact up to a stated size.

Pure; knows nothing of rules or rosters.

A carrier is one model. A load is never divided between two carriers, so this is bin packing, which
is NP-hard. The cheap methods come first: equal loads are a flow, a flow of divided loads shows
that too little can be carried, and a greedy packing often succeeds. Only what these leave open is
searched filling by filling.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from builder.rules.flow import MAX_EDGES_TO_SEARCH, FlowTooLargeError, find_flow

MAX_MODELS_TO_PACK = 60
"""Models with different loads, together with the carriers that they share, that are packed exactly.
"""
MAX_PACKING_STEPS = 100_000
"""Fillings of single carriers that are tried for one rule and one squad."""
MAX_EDGES = MAX_EDGES_TO_SEARCH
"""Pairs of a group and a kind of carrier that are searched for one rule and one squad."""

Edge: TypeAlias = tuple[int, int]
"""The index of a group, and that of carriers which its models may go to."""
Packing: TypeAlias = Mapping[Edge, tuple[int, ...]]
"""How many models of the group each single carrier gets."""
Limits: TypeAlias = Mapping[Edge, int]
"""The largest number of models of the group that all these carriers together may get."""
Counts: TypeAlias = tuple[int, ...]
"""Numbers of models, one for each group or each edge."""


class UndecidedPackingError(Exception):
    """The packing problem is too large to be searched completely."""


@dataclass(frozen=True, slots=True)
class ModelGroup:
    """Equal models that must be packed: their number, the load of one, and possible carriers.

    `targets` are the indexes of the carriers that they may go to. `own_carriers` are
    the carriers that are these models themselves. No model is its own carrier.
    """

    count: int
    load: float
    targets: tuple[int, ...]
    own_carriers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CarrierGroup:
    """Equal models that carry others: their number and the capacity of one (None: no limit)."""

    count: int
    capacity: float | None


@dataclass
class StepBudget:
    """The number of search steps that may still be used for one rule and one squad."""

    steps: int = MAX_PACKING_STEPS

    def count_step(self) -> None:
        """Use up one step. Raise UndecidedPackingError if none is left."""
        self.steps -= 1
        if self.steps < 0:
            raise UndecidedPackingError


def pack_models(
    groups: Sequence[ModelGroup],
    carriers: Sequence[CarrierGroup],
    limits: Limits | None = None,
    budget: StepBudget | None = None,
) -> Packing | None:
    """Distribute models over carriers so that no carrier is overloaded. Return None if impossible.

    Raise UndecidedPackingError where the search would be larger than the limits of this module.
    """
    budget = budget or StepBudget()
    problem = _PackingProblem(groups, carriers, limits or {})
    # Even the cheap methods look at each pair, so far too many are refused at once.
    if sum(len(group.targets) for group in groups) > MAX_EDGES * 10:
        raise UndecidedPackingError
    packing, remaining = problem.place_unlimited()
    for component in problem.find_components(remaining):
        component_packing = _pack_component(problem, component, budget)
        if component_packing is None:
            return None
        packing.update(component_packing)
    return packing


@dataclass
class _Component:
    """Groups and carriers that compete with each other and with no others.

    `remaining` is how many models of each group are not placed yet.
    """

    groups: list[int] = field(default_factory=list)
    carriers: list[int] = field(default_factory=list)
    remaining: dict[int, int] = field(default_factory=dict)


class _PackingProblem:
    """A packing problem with all loads and capacities scaled to whole numbers."""

    def __init__(
        self,
        groups: Sequence[ModelGroup],
        carriers: Sequence[CarrierGroup],
        limits: Limits,
    ) -> None:
        self.groups = groups
        self.carriers = carriers
        self.limits = limits
        # Sums of floats differ by the order of adding: exact fractions do not.
        loads = [_to_fraction(group.load) for group in groups]
        scale = math.lcm(1, *(load.denominator for load in loads))
        self.loads = [max(0, int(load * scale)) for load in loads]
        self._capacities: list[int | None] = []
        for carrier in carriers:
            scaled = None
            if carrier.capacity is not None:
                scaled = math.floor(_to_fraction(carrier.capacity) * scale)
            self._capacities.append(scaled)

    def get_capacity(self, carrier: int) -> int:
        """Return the scaled capacity of one carrier, 0 if it has no limit."""
        return self._capacities[carrier] or 0

    def count_per_carrier(self, group: int, carrier: int) -> int:
        """Return how many models of a group one carrier can hold."""
        capacity = self._capacities[carrier]
        load = self.loads[group]
        count = self.groups[group].count
        if carrier in self.groups[group].own_carriers:
            # A model cannot carry itself.
            count -= 1
        if capacity is not None and load > 0:
            count = min(count, capacity // load)
        elif capacity is not None and capacity < 0:
            count = 0
        return max(0, count)

    def find_edge_limit(self, group: int, carrier: int) -> int:
        """Return how many models of a group all equal carriers together can hold."""
        max_count = (
            self.count_per_carrier(group, carrier) * self.carriers[carrier].count
        )
        return min(max_count, self.limits.get((group, carrier), max_count))

    def place_unlimited(self) -> tuple[dict[Edge, tuple[int, ...]], dict[int, int]]:
        """Place the models that never compete with others for capacity.

        Return their packing, and how many models of each group are left.
        """
        packing = {}
        remaining_by_group = {}
        for index, group in enumerate(self.groups):
            remaining = group.count
            for carrier in group.targets:
                if remaining and not self._is_limited(index, carrier):
                    count = min(remaining, self.find_edge_limit(index, carrier))
                    packing[index, carrier] = _divide_evenly(
                        count, self.carriers[carrier].count
                    )
                    remaining -= count
            if remaining:
                remaining_by_group[index] = remaining
        return packing, remaining_by_group

    def _is_limited(self, group: int, carrier: int) -> bool:
        """Return True if models of the group use capacity that others may need."""
        return self._capacities[carrier] is not None and self.loads[group] > 0

    def find_components(self, remaining: Mapping[int, int]) -> Iterator[_Component]:
        """Yield the independent parts of the problem, which can be packed one by one."""
        groups_by_carrier: dict[int, list[int]] = {}
        for group in remaining:
            for carrier in self._find_limited_targets(group):
                groups_by_carrier.setdefault(carrier, []).append(group)
        seen_groups = set()
        for start in remaining:
            if start in seen_groups:
                continue
            component = _Component()
            seen_groups.add(start)
            pending_groups = [start]
            while pending_groups:
                group = pending_groups.pop()
                component.groups.append(group)
                component.remaining[group] = remaining[group]
                for carrier in self._find_limited_targets(group):
                    # The groups of a carrier are taken once, with the first of them.
                    new_groups = set(groups_by_carrier.pop(carrier, ()))
                    if new_groups:
                        component.carriers.append(carrier)
                        pending_groups += sorted(new_groups - seen_groups)
                        seen_groups |= new_groups
            yield component

    def _find_limited_targets(self, group: int) -> list[int]:
        """Return the carriers of a group whose capacity others may need too."""
        targets = self.groups[group].targets
        return [carrier for carrier in targets if self._is_limited(group, carrier)]

    def list_edges(self, component: _Component) -> list[Edge]:
        """Return each pair of a group and a carrier that can hold at least one of its models."""
        component_carriers = set(component.carriers)
        edges = []
        for group in component.groups:
            carriers = [
                carrier
                for carrier in self.groups[group].targets
                if carrier in component_carriers
            ]
            for carrier in carriers:
                edge = (group, carrier)
                if self.find_edge_limit(group, carrier) > 0:
                    edges.append(edge)
        return edges


def _divide_evenly(count: int, shares: int) -> tuple[int, ...]:
    """Divide a number into whole shares, the larger ones first."""
    if not shares:
        return ()
    quotient, remainder = divmod(count, shares)
    return tuple(quotient + (index < remainder) for index in range(shares))


def _pack_component(
    problem: _PackingProblem, component: _Component, budget: StepBudget
) -> Packing | None:
    """Return a packing of one independent part of the problem, or None."""
    try:
        if len({problem.loads[group] for group in component.groups}) == 1:
            return _pack_equal_loads(problem, component)
        if not _fits_if_divided(problem, component):
            return None
    except FlowTooLargeError as error:
        raise UndecidedPackingError from error
    packing = _pack_greedily(problem, component)
    if packing is not None:
        return packing
    carriers = sum(problem.carriers[carrier].count for carrier in component.carriers)
    if sum(component.remaining.values()) + carriers > MAX_MODELS_TO_PACK:
        raise UndecidedPackingError
    return _ExactPacking(problem, component, budget).find_packing()


def _pack_equal_loads(
    problem: _PackingProblem, component: _Component
) -> Packing | None:
    """Pack models that all have the same load. Return None if they do not fit."""
    load = problem.loads[component.groups[0]]
    places = {}
    for carrier in component.carriers:
        places_per_carrier = problem.get_capacity(carrier) // load
        places[carrier] = places_per_carrier * problem.carriers[carrier].count
    limits = {
        edge: problem.find_edge_limit(*edge) for edge in problem.list_edges(component)
    }
    flow = find_flow(component.remaining, places, limits)
    return None if flow is None else _divide_flow(problem, flow, load)


def _divide_flow(
    problem: _PackingProblem, flow: Mapping[Edge, int], load: int
) -> Packing:
    """Distribute the models that equal carriers get among these carriers."""
    groups_by_carrier: dict[int, list[int]] = {}
    for (group, carrier), count in flow.items():
        if count:
            groups_by_carrier.setdefault(carrier, []).append(group)
    packing = {}
    for carrier, groups in groups_by_carrier.items():
        places_per_carrier = problem.get_capacity(carrier) // load
        free_places = [places_per_carrier] * problem.carriers[carrier].count
        # Models that are carriers themselves come first: not every place is right for them.
        groups.sort(key=lambda group: carrier not in problem.groups[group].own_carriers)
        for group in groups:
            counts = [0] * len(free_places)
            for _model in range(flow[group, carrier]):
                # The carrier with the fewest of the group: none of the group's own carriers may
                # get all of its models.
                candidates = [index for index, free in enumerate(free_places) if free]
                index = min(candidates, key=counts.__getitem__)
                counts[index] += 1
                free_places[index] -= 1
            packing[group, carrier] = tuple(counts)
    return packing


def _fits_if_divided(problem: _PackingProblem, component: _Component) -> bool:
    """Return False if the models would not even fit if loads could be split."""
    loads = problem.loads
    supplies = {
        group: count * loads[group] for group, count in component.remaining.items()
    }
    capacities = {}
    for carrier in component.carriers:
        capacities[carrier] = (
            problem.get_capacity(carrier) * problem.carriers[carrier].count
        )
    limits = {}
    for group, carrier in problem.list_edges(component):
        limits[group, carrier] = problem.find_edge_limit(group, carrier) * loads[group]
    return find_flow(supplies, capacities, limits) is not None


def _pack_greedily(problem: _PackingProblem, component: _Component) -> Packing | None:
    """Pack the largest loads first, each into the first carrier with room, or return None.

    This is first-fit decreasing, which fails only for tight packings.
    """
    free_by_carrier = {}
    for carrier in component.carriers:
        count = problem.carriers[carrier].count
        free_by_carrier[carrier] = [problem.get_capacity(carrier)] * count

    # Of equal loads, groups with fewer targets are harder to place, so they go first.
    def sort_key(group: int) -> tuple[int, int]:
        return -problem.loads[group], len(problem.groups[group].targets)

    packing = {}
    for group in sorted(component.groups, key=sort_key):
        remaining = component.remaining[group]
        for carrier in problem.groups[group].targets:
            if carrier in free_by_carrier:
                free = free_by_carrier[carrier]
                counts = _fill_in_order(problem, (group, carrier), free, remaining)
                remaining -= sum(counts)
                if any(counts):
                    packing[group, carrier] = tuple(counts)
        if remaining:
            return None
    return packing


def _fill_in_order(
    problem: _PackingProblem, edge: Edge, free_capacities: list[int], remaining: int
) -> list[int]:
    """Return how many models each carrier gets, and subtract their loads from `free_capacities`."""
    load = problem.loads[edge[0]]
    remaining = min(remaining, problem.find_edge_limit(*edge))
    counts = []
    for index, capacity in enumerate(free_capacities):
        count = min(remaining, capacity // load, problem.count_per_carrier(*edge))
        counts.append(count)
        free_capacities[index] -= count * load
        remaining -= count
    return counts


@dataclass(frozen=True, slots=True)
class _State:
    """A state of the search, in which all carriers before `position` are filled.

    `remaining` are the models of each group that are not packed yet. `allowances` are the models
    that may still use each edge with a limit.
    """

    position: int
    remaining: Counts
    allowances: Counts


class _ExactPacking:
    """Searches a packing of one independent part by trying every filling of each carrier.

    It remembers the states from which no packing can be finished.
    """

    def __init__(
        self, problem: _PackingProblem, component: _Component, budget: StepBudget
    ) -> None:
        self.problem = problem
        self.budget = budget
        self.groups = sorted(component.groups, key=lambda group: -problem.loads[group])
        self.loads = [problem.loads[group] for group in self.groups]
        self.remaining = tuple(component.remaining[group] for group in self.groups)
        # The smallest carriers first: a dead end shows early.
        self.bins: list[tuple[int, int]] = []
        for carrier in sorted(component.carriers, key=problem.get_capacity):
            self.bins += [
                (carrier, copy) for copy in range(problem.carriers[carrier].count)
            ]
        self.capacities_from = self._sum_capacities()
        self.last_positions = [self._find_last_position(group) for group in self.groups]
        # Different fillings lead to the same state, which is then not searched again.
        self.dead_ends: set[_State] = set()
        self.limited_edges: list[Edge] = []
        for group in self.groups:
            for carrier in problem.groups[group].targets:
                if (group, carrier) in problem.limits:
                    self.limited_edges.append((group, carrier))

    def _sum_capacities(self) -> list[int]:
        """Return the total capacity of the carriers from each position to the end."""
        sums = [0]
        for carrier, _copy in reversed(self.bins):
            sums.append(sums[-1] + self.problem.get_capacity(carrier))
        return sums[::-1]

    def _find_last_position(self, group: int) -> int:
        """Return the position of the last carrier that accepts a group, or -1."""
        for position in reversed(range(len(self.bins))):
            if self._accepts_group(group, position):
                return position
        return -1

    def _accepts_group(self, group: int, position: int) -> bool:
        return self.bins[position][0] in self.problem.groups[group].targets

    def find_packing(self) -> Packing | None:
        """Return a packing, or None if there is none."""
        allowances = tuple(self.problem.limits[edge] for edge in self.limited_edges)
        fillings = self._search_fillings(_State(0, self.remaining, allowances))
        if fillings is None:
            return None
        counts_by_edge: dict[Edge, list[int]] = {}
        # The carriers after the last filling stay empty.
        for (carrier, copy), filling in zip(self.bins, fillings, strict=False):
            for group, count in zip(self.groups, filling, strict=True):
                if count:
                    empty_counts = [0] * self.problem.carriers[carrier].count
                    counts_by_edge.setdefault((group, carrier), empty_counts)[copy] = (
                        count
                    )
        return {edge: tuple(counts) for edge, counts in counts_by_edge.items()}

    def _search_fillings(self, state: _State) -> list[Counts] | None:
        """Fill the carriers from a state on. Return their fillings, or None if models remain."""
        if not any(state.remaining):
            return []
        if self._is_hopeless(state) or state in self.dead_ends:
            return None
        for filling in self._generate_fillings(state):
            self.budget.count_step()
            later_fillings = self._search_fillings(self._fill_carrier(state, filling))
            if later_fillings is not None:
                return [filling, *later_fillings]
        self.dead_ends.add(state)
        return None

    def _is_hopeless(self, state: _State) -> bool:
        """Return True if the remaining models cannot fit, by a quick estimate."""
        total_load = 0
        for index, count in enumerate(state.remaining):
            if count and self.last_positions[index] < state.position:
                return True
            total_load += count * self.loads[index]
        return total_load > self.capacities_from[state.position]

    def _fill_carrier(self, state: _State, filling: Counts) -> _State:
        """Return the state after the next carrier got a filling."""
        carrier, _copy = self.bins[state.position]
        count_by_group = dict(zip(self.groups, filling, strict=True))
        remaining = tuple(map(int.__sub__, state.remaining, filling))
        allowances = []
        for edge, allowance in zip(self.limited_edges, state.allowances, strict=True):
            used = count_by_group[edge[0]] if edge[1] == carrier else 0
            allowances.append(allowance - used)
        return _State(state.position + 1, remaining, tuple(allowances))

    def _find_max_counts(self, state: _State) -> list[int]:
        """Return the largest number of models of each group that the next carrier may get."""
        carrier, _copy = self.bins[state.position]
        allowances = dict(zip(self.limited_edges, state.allowances, strict=True))
        max_counts = []
        for group, remaining in zip(self.groups, state.remaining, strict=True):
            max_count = 0
            if self._accepts_group(group, state.position):
                per_carrier = self.problem.count_per_carrier(group, carrier)
                allowance = allowances.get((group, carrier), remaining)
                max_count = min(remaining, per_carrier, allowance)
            max_counts.append(max_count)
        return max_counts

    def _generate_fillings(self, state: _State) -> Iterator[Counts]:
        """Yield every filling of the next carrier to which no further model can be added."""
        carrier, _copy = self.bins[state.position]
        max_counts = self._find_max_counts(state)

        def is_full(counts: Counts, space: int) -> bool:
            for count, max_count, load in zip(
                counts, max_counts, self.loads, strict=True
            ):
                if count < max_count and load <= space:
                    return False
            return True

        def fill_space(space: int, counts: Counts) -> Iterator[Counts]:
            index = len(counts)
            if index == len(max_counts):
                if is_full(counts, space):
                    yield counts
                return
            load = self.loads[index]
            # Many models first: a packing is then often found before most fillings are tried.
            for count in range(min(max_counts[index], space // load), -1, -1):
                yield from fill_space(space - count * load, (*counts, count))

        return fill_space(self.problem.get_capacity(carrier), ())


def _to_fraction(value: float) -> Fraction:
    """Convert a number to a fraction as it is written: 0.1 becomes 1/10."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))
