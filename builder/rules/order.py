"""Find the order in which a squad is deployed, by the steps in rules.yaml."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from builder.model.base import Localized
from builder.model.pack import Pack
from builder.model.rules import OrderStep, Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.evaluate import compile_rule
from builder.rules.link_assignment import Copy, CopyTargets
from builder.rules.query import Selector


@dataclass(frozen=True, slots=True)
class DeployedCopy:
    """One copy of a card in deployment order: its step, and the entry it follows, if any."""

    step: int
    label: Localized
    selected: SelectedCard
    copy: int
    after: SelectedCard | None = None


def find_deployment(squad: Squad, pack: Pack) -> tuple[DeployedCopy, ...]:
    """Return all copies of the squad's cards in the order in which they are deployed.

    Each copy is listed at the first step that selects it. Equal cards keep the order of the file:
    the player may deploy them in any order.
    """
    order = pack.rules.order
    if order is None:
        return ()
    deployed_copies = []
    seen_ids: set[int] = set()
    for number, step in enumerate(order.steps):
        selected_cards = Selector(step.select).select_from(squad)
        waiting_cards = [card for card in selected_cards if id(card) not in seen_ids]
        waiting_cards.sort(key=lambda card: _rank_card(card, step))
        # by identity, because two lines may hold equal cards
        seen_ids.update(map(id, waiting_cards))
        copies = []
        for card in waiting_cards:
            copies += [(card, copy) for copy in range(1, card.count + 1)]
        targets = _find_linked_models(step, squad, pack)
        for card, copy in _sort_after_targets(copies, targets):
            target = _get_target((card, copy), targets)
            after = target[0] if target is not None else None
            deployed_copies.append(DeployedCopy(number, step.label, card, copy, after))
    return tuple(deployed_copies)


def _get_target(copy: Copy, targets_by_copy: CopyTargets) -> Copy | None:
    """Return the copy that a copy is linked to, and after which it is deployed, or None."""
    card, number = copy
    return (
        targets_by_copy.get((card.line, number))
        if card.source is Source.ENTRIES
        else None
    )


def _rank_card(card: SelectedCard, order_step: OrderStep) -> tuple[int, float, str]:
    """Return a sort key from the field that the step sorts by.

    Numbers come first, then texts, then cards without a value.
    """
    value = card.get_value(order_step.by) if order_step.by is not None else None
    if isinstance(value, int | float):
        return (0, -value if order_step.falling else value, "")
    return (1, 0.0, value if isinstance(value, str) else "")


def _find_linked_models(order_step: OrderStep, squad: Squad, pack: Pack) -> CopyTargets:
    """Return the copy that each copy follows because it is linked to it.

    If rules demand the link of the step, only the links that they assign count, else those in the
    roster.
    """
    if order_step.after_link is None:
        return {}
    targets: dict[tuple[int, int], Copy] = {}
    has_rule = False
    for rule in pack.rules.rules:
        form = compile_rule(rule, pack)
        if form.link == order_step.after_link:
            has_rule = True
            targets.update(form.assign_links(squad))
    if has_rule:
        return targets
    counts = {entry.line: entry.count for entry in squad.entries}
    for (line, link), target in squad.links.items():
        if link == order_step.after_link:
            # a link in the roster names a line, of which the first copy comes first
            for copy in range(1, counts.get(line, 0) + 1):
                targets[line, copy] = (target, 1)
    return targets


def _sort_after_targets(
    copies: Sequence[Copy], targets_by_copy: CopyTargets
) -> list[Copy]:
    """Return the copies in the given order, but each one after the copy it is linked to.

    A ring of links is cut at its first copy. The method is Kahn's topological sort (1962), with a
    heap so that of all free copies the first comes next.
    """
    followers_by_target, free_positions = _find_followers(copies, targets_by_copy)
    sorted_positions: dict[int, None] = {}
    for first in range(len(copies)):
        # nothing is free, but this copy still waits: it is the first of a ring
        if not free_positions and first not in sorted_positions:
            free_positions.append(first)
        while free_positions:
            position = heappop(free_positions)
            if position not in sorted_positions:
                sorted_positions[position] = None
                for follower in followers_by_target.get(position, ()):
                    heappush(free_positions, follower)
    return [copies[position] for position in sorted_positions]


def _find_followers(
    copies: Sequence[Copy], targets_by_copy: CopyTargets
) -> tuple[dict[int, list[int]], list[int]]:
    """Return the positions of the copies that follow each copy, and of those that follow none."""
    position_by_copy = {}
    for position, (card, copy) in enumerate(copies):
        if card.source is Source.ENTRIES:
            position_by_copy[card.line, copy] = position
    followers_by_target: dict[int, list[int]] = {}
    free_positions = []
    for position, follower in enumerate(copies):
        target = _get_target(follower, targets_by_copy)
        target_position = None
        if target is not None:
            target_position = position_by_copy.get((target[0].line, target[1]))
        if target_position is None:
            free_positions.append(position)
        else:
            followers_by_target.setdefault(target_position, []).append(position)
    return followers_by_target, free_positions
