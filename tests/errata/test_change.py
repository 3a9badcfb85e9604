from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from builder.errata.change import (
    ABSENT,
    LeafChange,
    compare_leaves,
    compare_words,
    has_only_renamed_words,
    has_same_words,
    mark_pieces,
)
from tests.errata.states import values

maps = st.dictionaries(st.sampled_from("xyz"), values, max_size=3)


@given(maps)
def test_nothing_differs_from_itself(value: dict) -> None:
    assert compare_leaves(value, value) == ()


def test_null_is_not_absent_and_true_is_not_one() -> None:
    assert compare_leaves({"x": None}, {}) == (LeafChange(("x",), None, ABSENT),)
    assert compare_leaves({"x": 1}, {"x": True}) == (LeafChange(("x",), 1, True),)


def test_a_list_of_scalars_changes_as_a_whole() -> None:
    assert compare_leaves({"x": ["a", "b"]}, {"x": ["b"]}) == (
        LeafChange(("x",), ["a", "b"], ["b"]),
    )


texts = st.lists(
    st.sampled_from(["лис", " ", "{key:slow}", "4", ",", "\n", "бежит"]), max_size=9
).map("".join)


@given(texts, texts)
def test_pieces_join_to_both_texts(old: str, new: str) -> None:
    pieces = compare_words(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


def marks(old: str, new: str) -> str:
    forms = {"same": "{}", "gone": "~~{}~~", "new": "**{}**"}
    return mark_pieces(
        compare_words(old, new), lambda kind, text: forms[kind].format(text)
    )


def test_a_marked_up_word_changes_as_one() -> None:
    assert (
        marks("цель {key:slow} вот", "цель {key:swift|быстр ая} вот")
        == "цель ~~{key:slow}~~ **{key:swift|быстр ая}** вот"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "near the hunter.",
            "near the hunter; only one.",
            "near the ~~hunter.~~ **hunter; only one.**",
        ),
        ("Costs 2, then 3.", "Costs 3, then 3.", "Costs ~~2,~~ **3,** then 3."),
        ("a b c", "x y c", "~~a b~~ **x y** c"),
        ("one", "one two", "one **two**"),
        (
            "first\nsecond",
            "first\nthird\nfourth",
            "first\n~~second~~ **third**\n**fourth**",
        ),
    ],
)
def test_marks_stand_around_whole_words_with_spaces_outside(
    old: str, new: str, told: str
) -> None:
    assert marks(old, new) == told


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("near the hunter. Only one", "near the hunter; only one", True),
        ("the **model's** height", "the model’s height", True),
        ("Бросьте {dice:d6}, затем", "Бросьте {dice:d6} — затем", True),
        ("gain 1–2", "gain 1-2", True),
        ("gain 1.", "gain 1,", True),
        ("gain 1 or 2", "gain 1, 2", False),
        ("may attack", "may not attack", False),
        ("gain +1", "gain -1", False),
        ("gain 1.5", "gain 15", False),
        ("gain 1/2", "gain 1 2", False),
        ("range 6″", "range 6", False),
        ("at ≤ 4", "at ≥ 4", False),
        ("a token", "1 token", False),
        ("move teh model", "move the model", False),
        ("цель {key:slow}", "цель {key:slow|Медленная}", False),
        ("Бросьте {dice:d6}.", "Бросьте {dice:2d6}.", False),
    ],
)
def test_only_marks_and_punctuation_leave_the_words_the_same(
    old: str, new: str, same: bool
) -> None:
    assert has_same_words(old, new) is same
    assert has_same_words(new, old) is same


@given(texts, st.sampled_from([",", ".", "!", "«", "*", "  "]), st.integers(0, 20))
def test_a_mark_between_words_changes_no_word(text: str, mark: str, place: int) -> None:
    words = text.split()
    words.insert(place, mark)
    assert has_same_words(" ".join(text.split()), " ".join(words))


def test_a_text_that_only_names_a_renamed_card_has_no_other_word() -> None:
    names = {("Сокол", "Кречет"), ("Old Fox", "Grey Fox")}
    assert has_only_renamed_words("в паре с Соколом", "в паре с Кречетом", names)
    assert has_only_renamed_words("two Old Foxes move", "two Grey Foxes move", names)
    assert not has_only_renamed_words("в паре с Соколом", "вместо Кречета", names)
    assert not has_only_renamed_words("a Falcon", "a Hawk", names)
    assert not has_only_renamed_words("an Old Fox moves", "Grey Foxes move", names)
    assert not has_only_renamed_words("Сокол бьёт", "Кречет и бьёт", names)
    assert not has_only_renamed_words("Сокол", "", names)
