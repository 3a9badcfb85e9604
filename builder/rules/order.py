"""The order in which a squad goes to the table, step by step as rules.yaml states it."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from builder.model.base import Localized
from builder.model.pack import Pack
from builder.model.rules import OrderStep
from builder.roster.resolve import Pick, Squad
from builder.rules.evaluate import compile_rule
from builder.rules.query import Selector


@dataclass(frozen=True, slots=True)
class Placed:
    """One card put down: its step (from 0), the pick, which of its copies (from 1), and the entry it waited for."""

    step: int
    label: Localized
    pick: Pick
    copy: int
    after: Pick | None = None


def deployment(squad: Squad, pack: Pack) -> tuple[Placed, ...]:
    """Every copy of every pick that some step selects, once, in the first step that selects it.

    Equal cards keep the order of the file: between them the player is free.
    """
    order = pack.rules.order
    if order is None:
        return ()
    placed: list[Placed] = []
    done: set[int] = set()
    for number, step in enumerate(order.steps):
        waiting = [pick for pick in Selector(step.select).of(squad) if id(pick) not in done]
        waiting.sort(key=lambda pick: _rank(pick, step))
        followed = _followed(waiting, step, squad, pack)
        for pick in _in_turn(waiting, followed):
            done.add(id(pick))
            after = followed.get(id(pick))
            placed += [Placed(number, step.label, pick, copy, after) for copy in range(1, pick.count + 1)]
    return tuple(placed)


def _rank(pick: Pick, step: OrderStep) -> tuple[int, float, str]:
    """Where a pick comes in its step: by the field's value, those without one last; text sorts as text."""
    value = pick.value(step.by) if step.by is not None else None
    if isinstance(value, int | float):
        return (0, -value if step.falling else value, "")
    return (1, 0.0, value if isinstance(value, str) else "")


def _followed(waiting: list[Pick], step: OrderStep, squad: Squad, pack: Pack) -> Mapping[int, Pick]:
    """For each waiting pick the entry that it must follow: only where a rule demands the tie, if one does."""
    if step.after_link is None:
        return {}
    forms = [form for rule in pack.rules.rules if (form := compile_rule(rule, pack)).link == step.after_link]
    found: dict[int, Pick | None] = {}
    tied = [(form, form.tied(squad)) for form in forms]
    for pick in waiting:
        found[id(pick)] = None if forms else squad.ties.get((pick.line, step.after_link))
        for form, target in tied:
            if form.selector.takes(pick):
                found[id(pick)] = target(pick)
    return {pick: target for pick, target in found.items() if target is not None}


def _in_turn(waiting: list[Pick], followed: Mapping[int, Pick]) -> list[Pick]:
    """The first pick whose entry is not itself waiting, again and again; a ring of ties is cut at its first pick."""
    number = {id(pick): place for place, pick in enumerate(waiting)}
    followers: dict[int, list[int]] = {}
    ready: list[int] = []
    for place, pick in enumerate(waiting):
        target = number.get(id(followed.get(id(pick))))
        if target is None:
            ready.append(place)
        else:
            followers.setdefault(target, []).append(place)
    placed: dict[int, Pick] = {}
    for first in range(len(waiting)):
        if not ready and first not in placed:
            ready.append(first)
        while ready:
            place = heappop(ready)
            if place not in placed:
                placed[place] = waiting[place]
                for follower in followers.get(place, ()):
                    heappush(ready, follower)
    return list(placed.values())
