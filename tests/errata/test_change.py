from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from builder.errata.change import (
    ABSENT,
    LeafChange,
    changed_leaves,
    marked,
    same_substance,
    word_difference,
)
from tests.errata.states import values

maps = st.dictionaries(st.sampled_from("xyz"), values, max_size=3)


@given(maps)
def test_nothing_differs_from_itself(value: dict) -> None:
    assert changed_leaves(value, value) == ()


def test_null_is_not_absent_and_true_is_not_one() -> None:
    assert changed_leaves({"x": None}, {}) == (LeafChange(("x",), None, ABSENT),)
    assert changed_leaves({"x": 1}, {"x": True}) == (LeafChange(("x",), 1, True),)


def test_a_list_of_scalars_changes_as_a_whole() -> None:
    assert changed_leaves({"x": ["a", "b"]}, {"x": ["b"]}) == (LeafChange(("x",), ["a", "b"], ["b"]),)


texts = st.lists(st.sampled_from(["лис", " ", "{key:slow}", "4", ",", "\n", "бежит"]), max_size=9).map("".join)


@given(texts, texts)
def test_pieces_join_to_both_texts(old: str, new: str) -> None:
    pieces = word_difference(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


def marks(old: str, new: str) -> str:
    forms = {"same": "{}", "gone": "~~{}~~", "new": "**{}**"}
    return marked(word_difference(old, new), lambda kind, text: forms[kind].format(text))


def test_a_marked_up_word_changes_as_one() -> None:
    assert (
        marks("цель {key:slow} вот", "цель {key:swift|быстр ая} вот")
        == "цель ~~{key:slow}~~ **{key:swift|быстр ая}** вот"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("near the hunter.", "near the hunter; only one.", "near the ~~hunter.~~ **hunter; only one.**"),
        ("Costs 2, then 3.", "Costs 3, then 3.", "Costs ~~2,~~ **3,** then 3."),
        ("a b c", "x y c", "~~a b~~ **x y** c"),
        ("one", "one two", "one **two**"),
        ("first\nsecond", "first\nthird\nfourth", "first\n~~second~~ **third**\n**fourth**"),
    ],
)
def test_marks_stand_around_whole_words_with_spaces_outside(old: str, new: str, told: str) -> None:
    assert marks(old, new) == told


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("Бросьте {dice:d6}.", "Киньте {dice:d6}.", True),
        ("Бросьте {dice:d6}.", "Бросьте {dice:2d6}.", False),
        ("цель {key:slow}", "цель {key:slow|Медленная}", True),
        ("на 4 и выше", "на 5 и выше", False),
    ],
)
def test_substance_is_numbers_and_named_things(old: str, new: str, same: bool) -> None:
    assert same_substance(old, new) is same
