from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errata.words import Piece, same_substance, word_difference

texts = st.lists(st.sampled_from(["лис", " ", "{key:slow}", "4", ",", "\n", "бежит"]), max_size=9).map("".join)


@given(texts, texts)
def test_pieces_join_to_both_texts(old: str, new: str) -> None:
    pieces = word_difference(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


def test_a_marked_up_word_changes_as_one() -> None:
    assert word_difference("цель {key:slow}.", "цель {key:swift}.") == (
        Piece("same", "цель "),
        Piece("gone", "{key:slow}"),
        Piece("new", "{key:swift}"),
        Piece("same", "."),
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
