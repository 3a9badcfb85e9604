from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from builder.errata.change import (
    ABSENT,
    LeafChange,
    TextPiece,
    changed_leaves,
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


def test_a_marked_up_word_changes_as_one() -> None:
    assert word_difference("цель {key:slow}.", "цель {key:swift}.") == (
        TextPiece("same", "цель "),
        TextPiece("gone", "{key:slow}"),
        TextPiece("new", "{key:swift}"),
        TextPiece("same", "."),
    )


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
