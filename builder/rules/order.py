"""The order in which a squad goes to the table, step by step as rules.yaml states it."""

from dataclasses import dataclass
from heapq import heappop, heappush

from builder.model.base import Localized
from builder.model.pack import Pack
from builder.model.rules import OrderStep, Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.evaluate import compile_rule
from builder.rules.link_assignment import CopyTargets
from builder.rules.query import Selector


@dataclass(frozen=True, slots=True)
class Placed:
    """One card put down: its step (from 0), the pick, which of its copies (from 1), and the entry it waited for."""

    step: int
    label: Localized
    selected: SelectedCard
    copy: int
    after: SelectedCard | None = None


def find_deployment(squad: Squad, pack: Pack) -> tuple[Placed, ...]:
    """Every copy of every pick that some step selects, once, in the first step that selects it.

    Equal cards keep the order of the file: between them the player is free.
    """
    order = pack.rules.order
    if order is None:
        return ()
    placed: list[Placed] = []
    done: set[int] = set()
    for number, step in enumerate(order.steps):
        waiting = [
            selected
            for selected in Selector(step.select).select_from(squad)
            if id(selected) not in done
        ]
        waiting.sort(key=lambda selected: _rank(selected, step))
        done.update(map(id, waiting))
        copies = [(selected, copy) for selected in waiting for copy in range(1, selected.count + 1)]
        followed = _followed(step, squad, pack)
        for selected, copy in _in_turn(copies, followed):
            after = (
                followed.get((selected.line, copy)) if selected.source is Source.ENTRIES else None
            )
            placed.append(
                Placed(number, step.label, selected, copy, after[0] if after is not None else None)
            )
    return tuple(placed)


def _rank(selected: SelectedCard, step: OrderStep) -> tuple[int, float, str]:
    """Where a pick comes in its step: by the field's value, those without one last; text sorts as text."""
    value = selected.get_value(step.by) if step.by is not None else None
    if isinstance(value, int | float):
        return (0, -value if step.falling else value, "")
    return (1, 0.0, value if isinstance(value, str) else "")


def _followed(step: OrderStep, squad: Squad, pack: Pack) -> CopyTargets:
    """For the copies of entries the copy that each must follow: only where a rule demands the tie, if one does."""
    if step.after_link is None:
        return {}
    forms = [
        form
        for rule in pack.rules.rules
        if (form := compile_rule(rule, pack)).link == step.after_link
    ]
    if forms:
        return {copy: target for form in forms for copy, target in form.assign_links(squad).items()}
    counts = {entry.line: entry.count for entry in squad.entries}
    stated = (
        (line, target) for (line, link), target in squad.links.items() if link == step.after_link
    )
    return {
        (line, copy): (target, 1)
        for line, target in stated
        for copy in range(1, counts.get(line, 0) + 1)
    }


def _in_turn(
    copies: list[tuple[SelectedCard, int]], followed: CopyTargets
) -> list[tuple[SelectedCard, int]]:
    """The first copy whose target is not itself waiting, again and again; a ring of ties is cut at its first copy."""
    places = {
        (selected.line, copy): place
        for place, (selected, copy) in enumerate(copies)
        if selected.source is Source.ENTRIES
    }
    followers: dict[int, list[int]] = {}
    ready: list[int] = []
    for place, (selected, copy) in enumerate(copies):
        target = followed.get((selected.line, copy)) if selected.source is Source.ENTRIES else None
        waits_for = places.get((target[0].line, target[1])) if target is not None else None
        if waits_for is None:
            ready.append(place)
        else:
            followers.setdefault(waits_for, []).append(place)
    placed: dict[int, tuple[SelectedCard, int]] = {}
    for first in range(len(copies)):
        if not ready and first not in placed:
            ready.append(first)
        while ready:
            place = heappop(ready)
            if place not in placed:
                placed[place] = copies[place]
                for follower in followers.get(place, ()):
                    heappush(ready, follower)
    return list(placed.values())
