"""A newer list is merged into edited cards."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import given, strategies as st

from builder.errata.change import ABSENT
from builder.imported.merging import Merger
from builder.model.base import Json

CARD: dict[str, Json] = {
    "id": "fog-hound",
    "cost": 9,
    "side": "Lamps",
    "front": {
        "stats": [
            {"columns": ["Move"], "rows": [{"name": "Fog hound", "values": ["8"]}]}
        ],
        "texts": [
            {"title": "Howl", "text": "Afraid."},
            {"title": "Bite", "text": "Hurts."},
        ],
    },
    "back": {"texts": [{"title": "Smell", "text": "Finds."}]},
}


def change(
    card: dict[str, Json], path: tuple[str | int, ...], value: Json
) -> dict[str, Json]:
    """Return a copy of a card with another value."""
    copy = deepcopy(card)
    place: Json = copy
    for key in path[:-1]:
        place = place[key]  # type: ignore[index, call-overload]
    place[path[-1]] = value  # type: ignore[index, call-overload]
    return copy


def test_edits_and_new_values_are_both_kept() -> None:
    new = change(CARD, ("cost",), 11)
    edited = change(CARD, ("front", "texts", 0, "text"), "Very afraid.")
    merger = Merger()
    merged = merger.merge_card(CARD, new, edited)
    assert merged == change(new, ("front", "texts", 0, "text"), "Very afraid.")
    assert not merger.conflicts


def test_an_edit_stays_when_the_list_changes_the_same_value() -> None:
    merger = Merger()
    merged = merger.merge_card(
        CARD, change(CARD, ("cost",), 11), change(CARD, ("cost",), 10)
    )
    assert merged["cost"] == 10
    (conflict,) = merger.conflicts
    assert (conflict.path, conflict.new, conflict.edited) == (("cost",), 11, 10)


def test_an_edited_text_is_found_on_the_other_face() -> None:
    new = deepcopy(CARD)
    new["front"]["texts"] = [{"title": "Howl", "text": "Afraid."}]  # type: ignore[index, call-overload]
    new["back"]["texts"].insert(0, {"title": "Bite", "text": "Hurts."})  # type: ignore[index, call-overload, union-attr]
    edited = change(CARD, ("front", "texts", 1, "text"), "Hurts a lot.")
    merger = Merger()
    merged = merger.merge_card(CARD, new, edited)
    assert not merger.conflicts
    assert merged["back"] == {
        "texts": [
            {"title": "Bite", "text": "Hurts a lot."},
            {"title": "Smell", "text": "Finds."},
        ]
    }
    assert merged["front"]["texts"] == [{"title": "Howl", "text": "Afraid."}]  # type: ignore[index, call-overload]


def test_added_and_removed_items_are_kept() -> None:
    edited = deepcopy(CARD)
    edited["front"]["texts"] = [
        {"title": "Howl", "text": "Afraid."},
        {"title": "Own", "text": "A"},
    ]  # type: ignore[index, call-overload]
    new = deepcopy(CARD)
    new["back"] = {"texts": [{"title": "Sleep", "text": "Rests."}]}
    merged = Merger().merge_card(CARD, new, edited)
    assert merged["front"]["texts"] == edited["front"]["texts"]  # type: ignore[index, call-overload]
    assert merged["back"] == new["back"]


def test_a_name_with_a_number_is_no_second_item() -> None:
    items: list[Json] = [
        {"title": title, "text": title} for title in ("A", "A", "A 2", "2")
    ]
    base: Json = {"cost": 1, "texts": [*items, {"text": "1"}, {"text": "2"}]}
    edited: Json = {"cost": 1, "texts": [*items, {"text": "1"}, {"text": "mine"}]}
    new: Json = {
        "cost": 2,
        "texts": [{"title": "New"}, *items, {"text": "1"}, {"text": "2"}],
    }
    merged = Merger().merge_card(base, new, edited)
    assert merged["texts"] == [
        {"title": "New"},
        *items,
        {"text": "1"},
        {"text": "mine"},
    ]


def test_a_removed_value_that_was_edited_is_a_conflict() -> None:
    merger = Merger()
    new = {key: value for key, value in CARD.items() if key != "side"}
    merged = merger.merge_card(CARD, new, change(CARD, ("side",), "Mine"))
    assert merged["side"] == "Mine"
    assert merger.conflicts[0].new is ABSENT


WORDS = st.sampled_from(["a", "b", "c"])
TABLE_ROWS = st.lists(
    st.fixed_dictionaries({"name": WORDS, "values": st.lists(WORDS)}), max_size=3
)
ITEMS = st.lists(
    st.dictionaries(st.sampled_from(["title", "text"]), WORDS, max_size=2)
    | st.fixed_dictionaries({"rows": TABLE_ROWS}),
    min_size=1,
    max_size=4,
)
FACE = st.dictionaries(st.sampled_from(["texts", "tables"]), ITEMS, max_size=2)
CARDS = st.fixed_dictionaries(
    {"cost": st.integers(0, 2)}, optional={"front": FACE, "back": FACE, "side": WORDS}
)


@given(first=CARDS, second=CARDS)
def test_without_edits_the_new_value_wins_and_without_news_the_edit(
    first: Json, second: Json
) -> None:
    assert Merger().merge_value(first, second, first) == second
    assert Merger().merge_value(first, first, second) == second
    assert Merger().merge_card(first, second, second) == second


@given(base=CARDS, new=CARDS, edited=CARDS)
def test_any_values_can_be_merged(base: Json, new: Json, edited: Json) -> None:
    merger = Merger()
    merged = merger.merge_card(base, new, edited)
    assert isinstance(merged, dict)
    # A second import of the same list changes nothing.
    assert Merger().merge_card(new, new, merged) == merged
