"""Gains and losses of cards, and values that return to those of before a release."""

from __future__ import annotations

from typing import Any

import pytest

from builder.errata.change import CardClass, CardEffect
from builder.errata.difference import compare_states
from builder.errata.effects import classify_effect, mark_reverts
from builder.errata.notes import compose_notes
from builder.report.release import format_markdown, format_notes, make_difference_data
from tests.errata.states import entry, fox, gone, state

BETTER = {"speed": "higher", "save": "lower", "bites.*.damage": "higher"}
MANIFEST = {
    "id": "woods",
    "languages": {"source": "ru", "translations": ["en"]},
    "better": BETTER,
}


@pytest.mark.parametrize(
    ("path", "old", "new", "effect"),
    [
        ("cost", 5, 4, CardEffect.GAIN),
        ("cost", 4, 5.5, CardEffect.LOSS),
        ("speed", 4, 5, CardEffect.GAIN),
        ("speed", 5, 4, CardEffect.LOSS),
        ("save", "4+", "3+", CardEffect.GAIN),
        ("save", "4+", "5+", CardEffect.LOSS),
        ("speed", '4"', '6"', CardEffect.GAIN),
        ("speed", "−1", "+1", CardEffect.GAIN),
        ("speed", "2,5", "2,25", CardEffect.LOSS),
        ("bites.0.damage", 1, 2, CardEffect.GAIN),
        ("bites.0.reach", 1, 2, None),
        ("damage", 1, 2, None),
        ("speed", "1d6", "2d6", None),
        ("speed", '4"', "4 cm", None),
        ("speed", 4, "4+", None),
        ("speed", 4, None, None),
        ("speed", True, False, None),
    ],
)
def test_a_number_is_better_where_the_pack_says_so(
    path: str, old: Any, new: Any, effect: CardEffect | None
) -> None:
    assert classify_effect(path, old, new, {"cost": "lower", **BETTER}) is effect


def change(**changes: Any) -> Any:
    history = [entry(1, "rules"), entry(2)]
    new = fox(revision=2, history=history, **changes)
    difference = compare_states(
        state(fox(save="4+")), state(new, label="1.1.0", manifest=MANIFEST)
    )
    return difference.cards[0]


def test_a_card_gains_only_if_the_pack_can_tell_of_every_change() -> None:
    assert change(save="3+").effect is CardEffect.GAIN
    assert change(save="3+", cost=2).effect is CardEffect.GAIN
    assert change(save="5+").effect is CardEffect.LOSS
    assert change(save="3+", cost=4).effect is CardEffect.MIXED
    assert change(save="3+", keywords=["slow"]).effect is None
    assert change(save="4+", cost=2).fields[0].effect is CardEffect.GAIN


def test_without_data_of_the_pack_only_the_cost_is_told() -> None:
    new = fox(revision=2, history=[entry(1), entry(2)], cost=2, speed=9)
    fields = compare_states(state(fox()), state(new, label="1.1.0")).cards[0].fields
    assert [(field.path, field.effect) for field in fields] == [
        ("cost", CardEffect.GAIN),
        ("speed", None),
    ]


def make_history(**final: Any) -> Any:
    """Return the last of 4 releases compared with the third: the speed was 4, 5, 6."""
    names = {"id": "vixen"} | final
    states = [
        state(fox(), label="1.0.0"),
        state(fox(speed=5, revision=2), label="1.1.0"),
        state(fox(speed=6, revision=3, save="3+"), label="2.1.0"),
        state(
            fox(revision=4, history=[entry(4)], **names),
            label="2.2.0",
            migrations=(gone("fox", names["id"]),),
            manifest=MANIFEST,
        ),
    ]
    steps = [compare_states(states[i], states[i + 1]) for i in range(3)]
    return states, mark_reverts(steps[2], reversed(steps[:2]))


def test_a_field_names_the_release_that_it_reverts() -> None:
    _states, difference = make_history(speed=5, save="3+")
    assert [(field.path, field.reverts) for field in difference.cards[0].fields] == [
        ("speed", "2.1.0")
    ]
    # It was 4 before 1.1.0, and 2.1.0 changed it again.
    _states, difference = make_history(speed=4)
    reverts = {field.path: field.reverts for field in difference.cards[0].fields}
    assert reverts == {"speed": "1.1.0", "save": "2.1.0"}
    _states, difference = make_history(speed=7, save="2+")
    assert not any(field.reverts for field in difference.cards[0].fields)


def test_notes_diff_and_data_show_gains_and_reverts() -> None:
    states, difference = make_history(speed=5, save="3+", id="fox")
    assert difference.cards[0].card_class is CardClass.PLAYS
    assert "speed: 6 -> 5 (loss, reverts 2.1.0)" in format_markdown(difference)
    notes = compose_notes(states[2], states[3], difference, "en")
    assert "**5** (loss, reverts 2.1.0)" in format_notes(notes)
    assert any(line.startswith("Weaker: ") for line in notes.summary)
    (card,) = make_difference_data(difference)["cards"]  # type: ignore[misc]
    assert card["effect"] == "loss"
    (field,) = card["fields"]
    assert (field["effect"], field["reverts"]) == ("loss", "2.1.0")
