"""Small states of an invented pack, and strategies that make them, for the errata tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from hypothesis import strategies as st

from builder.errata.snapshot import Snapshot
from builder.model.card import Migration

RULES: dict[str, Any] = {
    "rules": [
        {
            "id": "points",
            "type": "limit",
            "measure": {"sum": "cost"},
            "max": {"param": "size"},
        },
        {"id": "fit", "type": "slots", "slots": "pockets", "need": "pocket"},
    ]
}


def entry(
    revision: int, kind: str = "balance", day: str = "2026-03-01", **more: Any
) -> dict[str, Any]:
    return {
        "revision": revision,
        "released": day,
        "type": kind,
        "note": {"ru": f"Правка {revision}."},
        **more,
    }


def fox(**changes: Any) -> dict[str, Any]:
    """One card; the text speaks of a number and of a keyword."""
    return {
        "id": "fox",
        "kind": "beast",
        "name": "Лис",
        "faction": "wood",
        "keywords": ["swift"],
        "cost": 3,
        "revision": 1,
        "released": "2026-03-01",
        "history": [entry(1, "rules")],
        "speed": 4,
        "pockets": ["head"],
        "tricks": {
            "bite": {"name": "Укус", "text": "Бросьте {dice:d6}: на 4 цель {key:slow}."}
        },
        **changes,
    }


def state(
    *cards: dict[str, Any],
    label: str = "1.0.0",
    migrations: tuple[Migration, ...] = (),
    **more: Any,
) -> Snapshot:
    values: dict[str, Any] = {
        "pack": "woods",
        "label": label,
        "released": date(2026, 3, 1),
        "effective": date(2026, 3, 1),
        "manifest": {
            "id": "woods",
            "languages": {"source": "ru", "translations": ["en"]},
        },
        "rules": RULES,
        "cards": {card["id"]: card for card in cards},
        "texts": {
            card["id"]: ("name", "tricks.bite.name", "tricks.bite.text")
            for card in cards
        },
        "rich": {card["id"]: frozenset({"tricks.bite.text"}) for card in cards},
        "migrations": migrations,
    }
    return Snapshot(**(values | more))


def gone(
    old: str, *new: str, kind: str = "rename", day: str = "2026-04-01"
) -> Migration:
    return Migration.model_validate({"old": old, "new": new, "type": kind, "date": day})


scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "b"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
)
cards = st.fixed_dictionaries(
    {
        "kind": st.just("beast"),
        "name": st.sampled_from(["Лис", "Волк"]),
        "revision": st.just(1),
    },
    optional={"cost": st.integers(0, 3), "speed": values, "tricks": values},
)


@st.composite
def states(draw: st.DrawFn, label: str = "1.0.0") -> Snapshot:
    named = draw(
        st.dictionaries(st.sampled_from(["fox", "wolf", "hare"]), cards, max_size=3)
    )
    return replace(
        state(label=label),
        cards={key: {"id": key, **card} for key, card in named.items()},
    )
