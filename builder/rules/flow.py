"""Move amounts from sources to sinks within limits. Pure.

The method is that of Edmonds and Karp ("Theoretical improvements in algorithmic efficiency for
network flow problems", 1972): push along shortest augmenting paths, which may take back what
another source pushed before.
"""

from collections.abc import Mapping
from typing import TypeAlias

MAX_EDGES_TO_SEARCH = 2_000
"""Edges of a network in which augmenting paths are searched."""

Edge: TypeAlias = tuple[int, int]
"""A source and a sink, by their numbers."""


class FlowTooLargeError(Exception):
    """The network has more edges than MAX_EDGES_TO_SEARCH."""


def find_flow(
    supplies: Mapping[int, int],
    capacities: Mapping[int, int],
    limits: Mapping[Edge, int],
) -> dict[Edge, int] | None:
    """Move the supply of every source to sinks. Return the amount on each edge, or None.

    None if the sinks or the edges cannot take all supplies. `supplies` are the amounts of the
    sources, `capacities` those that the sinks can hold, and `limits` the largest amounts of the
    edges. Raise FlowTooLargeError.
    """
    flow = _Flow(capacities, limits)
    for source, supply in supplies.items():
        # Most networks need no path at all: what fits directly is pushed first.
        remaining = supply - flow.push_directly(source, supply)
        if remaining and len(limits) > MAX_EDGES_TO_SEARCH:
            raise FlowTooLargeError
        while remaining:
            path = flow.find_path(source)
            if path is None:
                return None
            remaining -= flow.push_along(path, remaining)
    return flow.amounts


class _Flow:
    """A flow that is being built: the amount on each edge and the load of each sink."""

    def __init__(
        self, capacities: Mapping[int, int], limits: Mapping[Edge, int]
    ) -> None:
        self.capacities = capacities
        self.limits = limits
        self.amounts = dict.fromkeys(limits, 0)
        self.used = dict.fromkeys(capacities, 0)
        self.sinks_by_source: dict[int, list[int]] = {}
        self.sources_by_sink: dict[int, list[int]] = {}
        for source, sink in limits:
            self.sinks_by_source.setdefault(source, []).append(sink)
            self.sources_by_sink.setdefault(sink, []).append(source)

    def push_directly(self, source: int, amount: int) -> int:
        """Push as much of an amount to the source's sinks as they can hold.

        Return the pushed amount.
        """
        pushed_amount = 0
        for sink in self.sinks_by_source.get(source, ()):
            step = min(
                amount - pushed_amount,
                self._get_free_edge_capacity(source, sink),
                self._get_free_sink_capacity(sink),
            )
            self.amounts[source, sink] += step
            self.used[sink] += step
            pushed_amount += step
        return pushed_amount

    def push_along(self, path: list[Edge], max_amount: int) -> int:
        """Push an amount along an augmenting path. Return the pushed amount."""
        last_sink = path[-1][1]
        # Every second edge is walked backwards: it gives back flow that an earlier source pushed.
        amount = min(max_amount, self._get_free_sink_capacity(last_sink))
        for index, edge in enumerate(path):
            takes_back = index % 2 == 1
            amount = min(
                amount,
                self.amounts[edge]
                if takes_back
                else self._get_free_edge_capacity(*edge),
            )
        for index, edge in enumerate(path):
            self.amounts[edge] += -amount if index % 2 == 1 else amount
        self.used[last_sink] += amount
        return amount

    def find_path(self, start: int) -> list[Edge] | None:
        """Return a shortest path along which more can be pushed, or None.

        It ends at a sink with free capacity. Its edges gain and lose flow in turn.
        """
        path_by_source: dict[int, list[Edge]] = {start: []}
        pending_sources = [start]
        seen_sinks = set()
        for source in pending_sources:  # the list grows during the loop: breadth first
            for sink in self.sinks_by_source.get(source, ()):
                if sink in seen_sinks or not self._get_free_edge_capacity(source, sink):
                    continue
                seen_sinks.add(sink)
                path = [*path_by_source[source], (source, sink)]
                if self._get_free_sink_capacity(sink):
                    return path
                new_sources = self._list_sources_of(sink) - path_by_source.keys()
                for user in sorted(new_sources):
                    path_by_source[user] = [*path, (user, sink)]
                    pending_sources.append(user)
        return None

    def _list_sources_of(self, sink: int) -> set[int]:
        """Return the sources that have pushed something to this sink."""
        return {
            source
            for source in self.sources_by_sink[sink]
            if self.amounts[source, sink] > 0
        }

    def _get_free_edge_capacity(self, source: int, sink: int) -> int:
        return self.limits[source, sink] - self.amounts[source, sink]

    def _get_free_sink_capacity(self, sink: int) -> int:
        return self.capacities[sink] - self.used[sink]
