"""Words that are longer than a line are broken inside, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from builder.imported.measure import ZERO_WIDTH_SPACE, mark_breaks, measure_text


@pytest.mark.parametrize("text", ["", "Short words.", "**Bold** and \\*stars", "a\nb"])
def test_short_words_have_no_breaks(text: str) -> None:
    assert mark_breaks(text, 12) == text


def test_a_long_word_is_broken_between_letters() -> None:
    text = "A **" + "m" * 20 + "** and \\*\\*."
    breaks = mark_breaks(text, 12)
    assert breaks.replace(ZERO_WIDTH_SPACE, "") == text
    parts = breaks.split(ZERO_WIDTH_SPACE)
    assert len(parts) == 2
    assert parts[1] == "m" * 10 + "** and \\*\\*."


@given(st.text("aWil.*", max_size=80), st.floats(2, 12))
def test_no_letter_is_lost_and_all_parts_of_letters_fit(
    text: str, width: float
) -> None:
    breaks = mark_breaks(text, width)
    assert breaks.replace(ZERO_WIDTH_SPACE, "") == text
    for part in breaks.split(ZERO_WIDTH_SPACE):
        if part.isalpha():
            assert measure_text(part) <= width
