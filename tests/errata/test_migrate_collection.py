"""A collection follows renames and merges; copies of what is one card by now are added up."""

from __future__ import annotations

from datetime import date

from builder.errata.impact import migrate_collection
from builder.model.card import Migration, MigrationType
from builder.model.roster import Collection

DAY = date(2026, 11, 1)
STEPS = (
    Migration(old="moth", new=("dusk-moth",), type=MigrationType.RENAME, date=DAY),
    Migration(old="grey-moth", new=("dusk-moth",), type=MigrationType.MERGE, date=DAY),
    Migration(old="wolf", new=("cub", "hunter"), type=MigrationType.SPLIT, date=DAY),
    Migration(old="lynx", type=MigrationType.DELETE, date=DAY),
)
CARDS = ("dusk-moth", "cub", "hunter")


def test_renamed_and_merged_cards_are_added_up() -> None:
    owned = {
        "moth": {"count": 2, "painted": 1},
        "grey-moth": 1,
        "dusk-moth": 3,
        "cub": 1,
    }
    current, new_ids = migrate_collection(
        Collection.model_validate({"pack": "p", "owned": owned}), STEPS, CARDS
    )
    assert current.count_copies() == {"dusk-moth": 6, "cub": 1}
    assert current.count_copies(only_painted=True) == {"dusk-moth": 1, "cub": 0}
    assert new_ids == {"moth": "dusk-moth", "grey-moth": "dusk-moth"}


def test_split_and_removed_cards_stay_for_their_owner_to_decide() -> None:
    stated = Collection.model_validate({"pack": "p", "owned": {"wolf": 1, "lynx": 2}})
    assert migrate_collection(stated, STEPS, CARDS) == (stated, {})


def test_no_more_copies_are_counted_than_a_collection_may_hold() -> None:
    stated = Collection.model_validate(
        {"pack": "p", "owned": {"moth": 999, "dusk-moth": 999}}
    )
    assert migrate_collection(stated, STEPS, CARDS)[0].count_copies() == {
        "dusk-moth": 999
    }
