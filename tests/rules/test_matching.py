"""The matching finds a placement whenever one exists, and what it names is one."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, strategies as st

from builder.rules.forms.slots import SlotNeed, match_slots

TYPES = ("a", "b", "c")
NEEDS = st.builds(
    SlotNeed,
    accepts=st.none() | st.frozensets(st.sampled_from(TYPES), max_size=2),
    size=st.integers(0, 2),
)


def exists(needs: list[SlotNeed], slots: list[str]) -> bool:
    """By trying everything: give the units of all needs to different slots."""
    units = [need for need in needs for _ in range(need.size)]
    return any(
        all(need.accepts_slot(slot) for need, slot in zip(units, chosen, strict=True))
        for chosen in permutations(slots, len(units))
    )


@given(st.lists(NEEDS, max_size=4), st.lists(st.sampled_from(TYPES), max_size=5))
def test_it_equals_brute_force(needs: list[SlotNeed], slots: list[str]) -> None:
    assert (not match_slots(needs, slots).unplaced) == exists(needs, slots)


@given(st.lists(NEEDS, max_size=5), st.lists(st.sampled_from(TYPES), max_size=6))
def test_the_placement_named_is_one(needs: list[SlotNeed], slots: list[str]) -> None:
    placement = match_slots(needs, slots)
    used = [slot for held in placement.slots for slot in held]
    assert len(used) == len(set(used))
    for item, need in enumerate(needs):
        held = placement.slots[item]
        assert len(held) == (0 if item in placement.unplaced else need.size)
        assert all(need.accepts_slot(slots[slot]) for slot in held)


def test_an_item_for_any_slot_moves_away_for_one_that_has_no_choice() -> None:
    placement = match_slots([SlotNeed(None), SlotNeed(frozenset("a"))], ["a", "b"])
    assert placement.slots == ((1,), (0,))


def test_a_large_item_takes_all_its_slots_or_none() -> None:
    both = match_slots([SlotNeed(None, 2)], ["a", "a"])
    assert both.slots == ((0, 1),)
    assert match_slots([SlotNeed(None), SlotNeed(None, 2)], ["a", "a"]).unplaced == (1,)
