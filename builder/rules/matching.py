"""Attachments into slots: a true matching, found whenever one exists.

Each item needs so many slots, of types it accepts; a slot holds one. Items are placed one after another along
augmenting paths (Kuhn's method over units), so an early choice never blocks a later item that could be helped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SlotNeed:
    """One item: the slot types it accepts (None: any) and how many slots it takes."""

    accepts: frozenset[str] | None
    size: int = 1

    def fits(self, slot: str) -> bool:
        """True if a slot of this type will do."""
        return self.accepts is None or slot in self.accepts


@dataclass(frozen=True, slots=True)
class Placement:
    """Slot indices per item, empty for an item left over; `whole` if nothing is."""

    slots: tuple[tuple[int, ...], ...]
    left: tuple[int, ...]

    @property
    def whole(self) -> bool:
        """True if every item has its slots."""
        return not self.left


def match(needs: Sequence[SlotNeed], slots: Sequence[str]) -> Placement:
    """Place all items if that is possible; else as many, in order, as fit together."""
    owner: dict[int, int] = {}
    left: list[int] = []
    for item, need in enumerate(needs):
        before = dict(owner)
        if not all(_augment(item, needs, slots, owner, set()) for _ in range(need.size)):
            owner.clear()
            owner.update(before)
            left.append(item)
    held: list[list[int]] = [[] for _ in needs]
    for slot in sorted(owner):
        held[owner[slot]].append(slot)
    return Placement(tuple(tuple(found) for found in held), tuple(left))


def _augment(item: int, needs: Sequence[SlotNeed], slots: Sequence[str], owner: dict[int, int], seen: set[int]) -> bool:
    """Give the item one more slot, moving others along if needed. Free slots are taken first, in their order."""
    fitting = [index for index, slot in enumerate(slots) if index not in seen and needs[item].fits(slot)]
    for index in fitting:
        if index not in owner:
            owner[index] = item
            return True
    for index in fitting:
        if owner[index] == item or index in seen:
            continue
        seen.add(index)
        holder = owner[index]
        if _augment(holder, needs, slots, owner, seen):
            owner[index] = item
            return True
    return False
