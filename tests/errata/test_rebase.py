"""A draft and a release made since that rename cards: no card is lost without a word."""

from __future__ import annotations

import pytest

from builder.errata.rebase import merge_draft
from builder.errata.snapshot import Snapshot
from tests.errata.states import fox, gone, state


def after(*cards: str, **renamed: str) -> Snapshot:
    """Return a state with these cards, each named as it is called unless it is `a` of old.

    And what became of old ids.
    """
    heirs = {"a", *renamed.values()}
    made = (fox(id=card, name="Fox" if card in heirs else card) for card in cards)
    return state(
        *made, migrations=tuple(gone(old, new) for old, new in renamed.items())
    )


@pytest.mark.parametrize(
    ("draft", "onto", "cards", "told"),
    [
        (after("b", a="b"), after("b", a="b"), {"b"}, set()),
        (after("b", a="b"), after("a", "c"), {"b", "c"}, set()),
        (after("b", a="b"), after("a", "b"), {"b"}, {"cards.b", "cards.b.name"}),
        (after("a", "b"), after("b", a="b"), {"b"}, {"cards.b", "cards.b.name"}),
        (after("b", a="b"), after("c", a="c"), {"b", "c"}, {"cards.a.id"}),
    ],
)
def test_a_card_with_two_names_or_a_name_of_two_cards_is_a_conflict(
    draft: Snapshot, onto: Snapshot, cards: set[str], told: set[str]
) -> None:
    made, findings = merge_draft(state(fox(id="a", name="Fox")), draft, onto, "draft:2")
    assert set(made.cards) == cards
    assert {finding.location.path for finding in findings} == told
