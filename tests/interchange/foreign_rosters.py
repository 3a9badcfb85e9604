"""Rosters of any content, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.interchange.systems import (
    category,
    cost,
    make_roster,
    profile,
    rule,
    selection,
)

TEXTS = st.text(
    st.characters(
        min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cs", "Cn"]
    ),
    max_size=12,
)
NAMES = st.sampled_from(
    ["Lamp captain", "Ash rifle", "Gull", 'Quote " & <tag>', "Ёж", "a  b"]
)
COSTS = st.builds(
    cost,
    st.integers(-5, 300) | st.floats(0, 50).map(lambda value: round(value, 2)),
    st.sampled_from(["pts", " PL", ""]),
    st.sampled_from(["points", "power"]),
)
PROFILES = st.builds(
    profile,
    NAMES,
    st.sampled_from(["Model", "Weapons"]),
    st.dictionaries(NAMES, TEXTS, max_size=3),
)
RULES = st.builds(rule, NAMES, TEXTS)
CATEGORIES = st.builds(category, NAMES, st.booleans())


def make_selection(
    name: str, kind: str, number: int, parts: dict[str, Any]
) -> dict[str, Any]:
    """Return a selection with its optional parts."""
    return selection(name, kind, number, **parts)


def make_selections(
    children: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[Any]:
    """Return a strategy for selections with these children."""
    child_lists = st.just([]) if children is None else st.lists(children, max_size=3)
    parts = st.fixed_dictionaries(
        {},
        optional={
            "costs": st.lists(COSTS, max_size=2),
            "profiles": st.lists(PROFILES, max_size=2),
            "rules": st.lists(RULES, max_size=2),
            "categories": st.lists(CATEGORIES, max_size=2),
            "selections": child_lists,
            "customName": NAMES,
            "customNotes": TEXTS,
            "associations": st.lists(st.fixed_dictionaries({"to": NAMES}), max_size=1),
            "page": st.integers(1, 9).map(str),
        },
    )
    kinds = st.sampled_from(["unit", "model", "upgrade"])
    return st.builds(make_selection, NAMES, kinds, st.integers(0, 12), parts)


SELECTIONS = st.recursive(make_selections(), make_selections, max_leaves=8)
FORCES = st.fixed_dictionaries(
    {"id": NAMES, "name": NAMES, "selections": st.lists(SELECTIONS, max_size=4)},
    optional={"rules": st.lists(RULES, max_size=2), "catalogueName": NAMES},
)
NESTED_FORCES = st.builds(
    lambda force, inner: {**force, "forces": inner}, FORCES, st.lists(FORCES)
)
ROSTERS = st.builds(
    make_roster,
    NAMES,
    st.sampled_from(["Lamps and Fog", "Ash Wars"]),
    st.integers(0, 2000),
    st.lists(NESTED_FORCES, min_size=1, max_size=2),
)
