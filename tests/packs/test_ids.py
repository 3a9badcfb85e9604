"""Ids are made from names in any script."""

import pytest

from builder.packs.scaffold import MAX_ID_CHARACTERS, make_id


@pytest.mark.parametrize(
    ("name", "card_id"),
    [
        ("Señor O'Brien", "senor-obrien"),
        ("Über Straße 2", "uber-strasse-2"),
        ("Łódź", "lodz"),
        ("Съёмный щит", "semnyy-shchit"),
        ("Чёрный цех", "chernyy-tsekh"),
        ("Юный яд", "yunyy-yad"),
        ("狐", "hu"),
        ("!?", ""),
    ],
)
def test_an_id_is_made_from_the_letters_of_a_name(name: str, card_id: str) -> None:
    assert make_id(name) == card_id


def test_an_id_ends_with_a_letter_even_if_it_is_cut() -> None:
    assert make_id("a" * (MAX_ID_CHARACTERS - 1) + " b") == "a" * (
        MAX_ID_CHARACTERS - 1
    )
