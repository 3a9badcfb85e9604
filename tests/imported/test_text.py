"""Foreign texts lose what cannot be printed, and nothing else."""

from __future__ import annotations

import pytest

from builder.imported.card import CardTable, ImportedCard, TableRow
from builder.imported.text import clean_card, convert_name, convert_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क\u094d\u200dष", "क\u094d\u200dष"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\u200bLamp\ufeff\u202e", "Lamp"),
        ("\u0007Lamp\uffff\ufdd0", "Lamp"),
    ],
)
def test_joiners_of_words_stay_and_invisible_characters_go(
    text: str, expected: str
) -> None:
    assert convert_name(text) == expected
    assert convert_text(text) == expected


def test_emphasis_is_left_out_and_other_stars_stay() -> None:
    assert (
        convert_text("*Main:* add *all of it*, 2*3 = 6*")
        == "Main: add all of it, 2\\*3 = 6\\*"
    )


@pytest.mark.parametrize("value", ["", "-", " - ", "--", "—"])
def test_an_empty_value_is_a_dash(value: str) -> None:
    table = CardTable("", ("Range",), (TableRow("Axe", (value,)),))
    (cleaned,) = clean_card(ImportedCard("Hero", tables=(table,))).tables
    assert cleaned.rows[0].values == ("–",)
