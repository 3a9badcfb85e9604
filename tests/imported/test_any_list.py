"""No cost and no text of any list is lost, whatever its selections are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from builder.imported.cardmaker import CardScope, make_imported_list
from builder.interchange.reading import read_foreign_roster
from builder.interchange.tree import ForeignCost, ForeignRoster
from builder.usecases.imports.pack_files import load_import_names
from tests.imported.lost_texts import find_lost_texts
from tests.interchange.foreign_rosters import ROSTERS
from tests.interchange.systems import Node, write_xml

NAMES = load_import_names()


def list_costs(roster: ForeignRoster) -> Iterator[ForeignCost]:
    for selection in roster.walk_selections():
        yield from selection.costs


@settings(max_examples=150, deadline=None)
@given(ROSTERS, st.sampled_from(CardScope))
def test_no_cost_and_no_text_of_any_list_is_lost(node: Node, scope: CardScope) -> None:
    roster = read_foreign_roster(write_xml(node))
    imported = make_imported_list(roster, NAMES, scope)
    costs = [cost.value for cost in list_costs(roster) if cost.type_id == "points"]
    costs += [
        cost.value
        for cost in list_costs(roster)
        if cost.type_id != "points" and cost.name == imported.cost_name
    ]
    assert find_lost_texts(roster, imported, NAMES) == []
    if imported.cost_name == "pts":
        assert imported.card_cost + imported.leftover_cost == pytest.approx(sum(costs))
