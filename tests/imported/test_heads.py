"""Names at the heads of cards are cut where they do not fit, and then printed in full below."""

from __future__ import annotations

from builder.imported.card import ImportedCard
from builder.imported.heads import ELLIPSIS, Heads, fit_heads
from builder.imported.measure import count_lines

LONG_NAME = "The very old keeper of the seven lanterns of the northern harbour"


def test_short_names_stay_as_they_are() -> None:
    heads, cut_texts = fit_heads(ImportedCard("Hound", custom_name="Rex"), "Beasts", 55)
    assert heads == Heads("Hound", "Rex · Beasts", "Hound")
    assert cut_texts == []


def test_long_names_are_cut_and_printed_below() -> None:
    heads, cut_texts = fit_heads(ImportedCard(LONG_NAME), "S" * 200, 40)
    assert heads.name.endswith(ELLIPSIS)
    assert LONG_NAME.startswith(heads.name.removesuffix(ELLIPSIS))
    assert heads.side.endswith(ELLIPSIS)
    assert [text.text for text in cut_texts] == [LONG_NAME, "S" * 200]


def test_a_name_on_the_back_has_one_line() -> None:
    heads, _cut_texts = fit_heads(ImportedCard(LONG_NAME), "", 55)
    assert count_lines(heads.back_name, 55 / 2.4) == 1
