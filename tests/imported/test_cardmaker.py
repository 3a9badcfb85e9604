"""Cards of a foreign list: what is a card, what is merged, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.imported.card import Boxes, ImportedList
from builder.imported.cardmaker import make_imported_list
from builder.imported.roles import ProfileRole, find_roles
from builder.imported.text import convert_name, convert_text
from builder.interchange.reading import read_foreign_roster
from builder.interchange.tree import ForeignRoster
from builder.model.markup import parse_and_check
from builder.usecases.imports.pack_files import load_import_names
from tests.interchange.systems import (
    SYSTEMS,
    Node,
    cost,
    make_fleet,
    make_roster,
    make_skirmish,
    profile,
    selection,
    write_xml,
)

NAMES = load_import_names()


def read(roster: Node) -> ForeignRoster:
    return read_foreign_roster(write_xml(roster))


def make(roster: Node) -> ImportedList:
    return make_imported_list(read(roster), NAMES)


def test_columns_decide_the_role_of_a_profile_type() -> None:
    assert find_roles(read(SYSTEMS["regiments"]()), NAMES) == {
        "type-Unit": ProfileRole.STAT,
        "type-Ranged Weapons": ProfileRole.TABLE,
        "type-Melee Weapons": ProfileRole.TABLE,
        "type-Abilities": ProfileRole.TEXT,
    }


def test_stat_lines_on_upgrades_are_stat_lines() -> None:
    columns = {"Move": "5", "Fight": "3", "Nerve": "4"}
    models = [
        selection(f"Model {index}", "model", profiles=[profile("M", "Model", columns)])
        for index in range(2)
    ]
    crew = selection("Crew", profiles=[profile("Crew", "Crewman", {**columns, "Skill": "1"})])
    force = {"name": "F", "selections": [*models, crew]}
    assert (
        find_roles(read(make_roster("x", "x", 0, [force])), NAMES)["type-Crewman"]
        is ProfileRole.STAT
    )


def test_equal_cards_are_merged_and_counted() -> None:
    cards = {card.name: card.copies for card in make(make_skirmish()).cards}
    assert cards == {"Lamp captain": 1, "Street guard": 2, "Fog hound": 1}


def test_cards_below_wrappers_are_found() -> None:
    assert [card.name for card in make(make_fleet()).cards] == ["Heron", "Gull", "Tern", "Petrel"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_costs_are_compared_with_the_total(system: str) -> None:
    imported = make(SYSTEMS[system]())
    expected_equal = system != "fleet"  # whose total is 5 larger than its parts
    assert imported.has_equal_costs == expected_equal


def test_costs_of_wrappers_are_counted_as_leftovers() -> None:
    ship = selection("Ship", "model", costs=[cost(10)])
    roster = make_roster(
        "x", "x", 10, [{"name": "F", "selections": [selection("W", selections=[ship])]}]
    )
    imported = make(roster)
    assert (imported.card_cost, imported.leftover_cost, imported.has_equal_costs) == (10, 0, True)


def test_weapons_are_counted_and_wounds_become_boxes() -> None:
    squad, walker = make(SYSTEMS["regiments"]()).cards
    rows = {row.name: row.count for table in squad.tables for row in table.rows}
    assert rows == {"Trench axe": 1, "Ash rifle": 5}
    assert (squad.boxes, walker.boxes) == (Boxes(5, 2), Boxes(1, 12))


def test_shared_texts_move_to_a_reference() -> None:
    imported = make(make_skirmish())
    (reference,) = imported.references
    assert [passage.title for passage in reference.passages] == ["Fog", "Night watch"]
    captain = imported.cards[0]
    assert ("Night watch", "") in [(text.title, text.text) for text in captain.passages]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_lost(system: str) -> None:
    """Every profile, rule and category is on a card, a reference, or among the list's options."""
    roster = read(SYSTEMS[system]())
    expected: set[str] = set()
    for force in roster.walk_forces():
        expected |= {profile.id for profile in force.profiles} | {rule.id for rule in force.rules}
    for each in roster.walk_selections():
        expected |= {profile.id for profile in each.profiles}
        expected |= {rule.id for rule in each.rules}
        expected |= {category.id for category in each.categories}
    assert expected <= set(make_imported_list(roster, NAMES).list_sources())


def test_a_roster_without_costs_is_no_error() -> None:
    roster = replace(read(make_skirmish()), costs=())
    assert make_imported_list(roster, NAMES).cost_name == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **bold** word", "a **bold** word"),
        ("^^**Loud**^^ words", "**Loud** words"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
        ("- one\n- two", "• one\n• two"),
        ("5 * 3 and {braces}", "5 \\* 3 and \\{braces\\}"),
        ("a\u00a0b \ue123c", "a b c"),
        ("2 &lt; 3 &amp; more", "2 < 3 & more"),
    ],
)
def test_foreign_marks_become_ours(text: str, expected: str) -> None:
    assert convert_text(text) == expected
    assert not parse_and_check(convert_text(text)).errors


def test_names_are_plain() -> None:
    assert convert_name("  **Old**  <b>Wick</b>\n") == "Old Wick"
