"""Cards of a foreign list: what is a card, what is merged, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builder.imported.card import Boxes, ImportedList, TitledText
from builder.imported.cardmaker import CardScope, make_imported_list
from builder.imported.roles import ProfileRole, find_roles
from builder.imported.text import convert_name, convert_text
from builder.interchange.reading import read_foreign_roster
from builder.interchange.tree import ForeignRoster
from builder.model.markup import parse_and_check
from builder.usecases.imports.pack_files import load_import_names, make_title_card
from tests.imported.lost_texts import find_lost_texts
from tests.interchange.systems import (
    SYSTEMS,
    Node,
    category,
    cost,
    make_fleet,
    make_roster,
    make_skirmish,
    profile,
    rule,
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


def test_empty_columns_make_no_table() -> None:
    values = {"Cost": "6", "Effect": "It rains. " * 9, "Keywords": "", "Used by": ""}
    spell = selection("Rain", profiles=[profile("Rain", "Spell", values)])
    force = {"name": "F", "selections": [spell]}
    roles = find_roles(read(make_roster("x", "x", 0, [force])), NAMES)
    assert roles == {"type-Spell": ProfileRole.TEXT}


def test_stat_lines_on_upgrades_are_stat_lines() -> None:
    columns = {"Move": "5", "Fight": "3", "Nerve": "4"}
    models = [
        selection(f"Model {index}", "model", profiles=[profile("M", "Model", columns)])
        for index in range(2)
    ]
    crew = selection(
        "Crew", profiles=[profile("Crew", "Crewman", {**columns, "Skill": "1"})]
    )
    force = {"name": "F", "selections": [*models, crew]}
    assert (
        find_roles(read(make_roster("x", "x", 0, [force])), NAMES)["type-Crewman"]
        is ProfileRole.STAT
    )


def test_equal_cards_are_merged_and_counted() -> None:
    cards = {card.name: card.copies for card in make(make_skirmish()).cards}
    assert cards == {"Lamp captain": 1, "Street guard": 2, "Fog hound": 1}


def test_cards_below_wrappers_are_found() -> None:
    assert [card.name for card in make(make_fleet()).cards] == [
        "Heron",
        "Gull",
        "Tern",
        "Petrel",
    ]


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
    assert (imported.card_cost, imported.leftover_cost, imported.has_equal_costs) == (
        10,
        0,
        True,
    )


def test_weapons_are_counted_and_wounds_become_boxes() -> None:
    squad, walker = make(SYSTEMS["regiments"]()).cards
    rows = {row.name: row.count for table in squad.tables for row in table.rows}
    assert rows == {"Trench axe": 1, "Ash rifle": 5}
    assert (squad.boxes, walker.boxes) == ((Boxes(5, 2),), (Boxes(1, 12),))


def test_shared_texts_move_to_a_reference() -> None:
    imported = make(make_skirmish())
    (reference,) = imported.references
    assert [passage.title for passage in reference.passages] == ["Fog", "Night watch"]
    captain = imported.cards[0]
    assert ("Night watch", "") in [(text.title, text.text) for text in captain.passages]


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_lost(system: str) -> None:
    """Every profile, rule and keyword is on a card, a reference, or among the list's options."""
    roster = read(SYSTEMS[system]())
    assert find_lost_texts(roster, make_imported_list(roster, NAMES), NAMES) == []


def test_a_roster_without_totals_has_those_of_its_selections() -> None:
    roster = replace(read(make_skirmish()), costs=())
    imported = make_imported_list(roster, NAMES)
    assert (imported.cost_name, imported.total, imported.has_equal_costs) == (
        "pts",
        68,
        True,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **bold** word", "a **bold** word"),
        ("^^**Loud**^^ words", "**Loud** words"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
        ("- one\n- two", "• one\n• two"),
        ("5 * 3 and {braces}", "5 \\* 3 and \\{braces\\}"),
        ("a\u00a0b \u200bc", "a b c"),
        ("symbol \ue123", "symbol \ue123"),
        ('within 6" of "it"', "within 6″ of “it”"),
        ("-1 to hit - or 2-3 d6", "−1 to hit – or 2–3 D6"),
        ("it's 2d6 .", "it’s 2D6."),
        ("2 &lt; 3 &amp; more", "2 < 3 & more"),
    ],
)
def test_foreign_marks_become_ours(text: str, expected: str) -> None:
    assert convert_text(text) == expected
    assert not parse_and_check(convert_text(text)).errors


def test_names_are_plain() -> None:
    assert convert_name("  **Old**  <b>Wick</b>\n") == "Old Wick"


STAT = {"Move": "5", "Fight": "3", "Wounds": "2"}


def make_one(
    *selections: Node, scope: CardScope = CardScope.UNIT, **force_parts: Any
) -> ImportedList:
    """Return the cards of a list with one force."""
    force = {"name": "F", "selections": list(selections), **force_parts}
    return make_imported_list(read(make_roster("x", "x", 100, [force])), NAMES, scope)


def test_models_that_the_data_calls_upgrades_have_cards_with_stat_lines() -> None:
    troops = [
        selection(name, number=2, profiles=[profile(name, "Character", STAT)])
        for name in "AB"
    ]
    imported = make_one(selection("Troops", selections=troops))
    assert [card.name for card in imported.cards] == ["A", "B"]
    assert [card.boxes for card in imported.cards] == [(Boxes(2, 2),), (Boxes(2, 2),)]


def test_a_unit_that_the_data_calls_an_upgrade_is_one_card() -> None:
    models = [selection("M", "model", 3, profiles=[profile("M", "Model", STAT)])]
    imported = make_one(selection("Troop", costs=[cost(100)], selections=models))
    assert [(card.name, card.cost) for card in imported.cards] == [("Troop", 100)]


def test_units_within_a_unit_have_cards_of_their_own() -> None:
    def make_squad(name: str) -> Node:
        return selection(
            name, "unit", profiles=[profile(name, "Team", STAT)], costs=[cost(30)]
        )

    platoon = selection(
        "Platoon",
        "unit",
        costs=[cost(40)],
        selections=[make_squad("A"), make_squad("B")],
    )
    imported = make_one(platoon)
    assert [(card.name, card.cost) for card in imported.cards] == [
        ("Platoon", 40),
        ("A", 30),
        ("B", 30),
    ]
    assert imported.has_equal_costs


def test_a_card_within_a_card_counts_once() -> None:
    inner = selection(
        "Inner", "unit", profiles=[profile("Inner", "Team", STAT)], costs=[cost(3)]
    )
    middle = selection("Middle", "unit", selections=[inner], costs=[cost(7)])
    imported = make_one(
        selection("Outer", "unit", selections=[middle], costs=[cost(90)])
    )
    assert [(card.name, card.cost) for card in imported.cards] == [
        ("Outer", 90),
        ("Middle", 7),
        ("Inner", 3),
    ]


def test_an_only_card_prints_what_its_wrapper_says() -> None:
    hero = selection("Hero", "model", profiles=[profile("Hero", "Model", STAT)])
    wrapper = selection(
        "Wrapper",
        categories=[category("Brave")],
        rules=[rule("Oath", "Never flees.")],
        selections=[hero, selection("Banner")],
    )
    (card,) = make_one(wrapper).cards
    assert card.keywords == ("Brave",)
    assert [passage.title for passage in card.passages] == ["Oath"]


def test_rules_of_categories_and_costs_of_forces_count() -> None:
    brave = {**category("Brave"), "rules": [rule("Courage", "Ignores fear.")]}
    hero = selection(
        "Hero",
        "model",
        profiles=[profile("Hero", "Model", STAT)],
        categories=[brave],
        costs=[cost(90)],
    )
    imported = make_one(hero, costs=[cost(10)])
    assert [passage.title for passage in imported.cards[0].passages] == ["Courage"]
    assert (imported.leftover_cost, imported.has_equal_costs) == (10, True)


def test_stat_lines_count_their_models() -> None:
    squad = selection(
        "Squad",
        "unit",
        profiles=[
            profile("Leader", "Unit", {**STAT, "Wounds": "3"}),
            profile("Trooper", "Unit", STAT),
        ],
        selections=[
            selection("Leader", "model"),
            selection("Trooper with gun", "model", 4),
        ],
    )
    (card,) = make_one(squad).cards
    assert card.boxes == (Boxes(1, 3, "Leader"), Boxes(4, 2, "Trooper"))


def test_each_model_can_have_a_card() -> None:
    unit = selection(
        "Squad",
        "unit",
        costs=[cost(50)],
        profiles=[profile("Trooper", "Unit", STAT)],
        rules=[rule("Oath", "Never flees.")],
        selections=[
            selection("Leader", "model", costs=[cost(30)]),
            selection("Trooper", "model", 4, costs=[cost(20)]),
        ],
    )
    imported = make_one(unit, scope=CardScope.MODEL)
    # the 50 points of the unit are divided among its 5 models
    assert [(card.name, card.cost) for card in imported.cards] == [
        ("Leader", 40),
        ("Trooper", 60),
    ]
    assert all(card.stats and card.passages for card in imported.cards)
    assert (imported.leftover_cost, imported.has_equal_costs) == (0, True)
    assert {card.groups for card in imported.cards} == {("Squad",)}


@pytest.mark.parametrize(
    ("unit_cost", "costs"),
    [(53, [14, 39]), (-3, [0, -3]), (2.5, [2.5, 0]), (0, [0, 0])],
)
def test_the_rest_of_a_divided_cost_is_on_the_first_card(
    unit_cost: float, costs: list[float]
) -> None:
    models = [selection("Leader", "model"), selection("Trooper", "model", 3)]
    unit = selection("Squad", "unit", costs=[cost(unit_cost)], selections=models)
    imported = make_one(unit, scope=CardScope.MODEL)
    assert [card.cost for card in imported.cards] == costs
    assert imported.leftover_cost == 0


def test_choices_of_a_list_are_named() -> None:
    size = selection(
        "Battle size", selections=[selection("Skirmish", customNotes="small table")]
    )
    hero = selection("Hero", "model", profiles=[profile("Hero", "Model", STAT)])
    assert make_one(size, hero).options == (
        TitledText("F"),
        TitledText("Battle size: Skirmish", "small table"),
    )


def test_categories_of_choices_are_keywords_of_the_list() -> None:
    names = ("Configuration", "Keyword: Army Composition", "ARMY COMPOSITION")
    categories = [category(name) for name in names]
    size = selection("Battle size", categories=categories)
    hero = selection("Hero", "model", profiles=[profile("Hero", "Model", STAT)])
    imported = make_one(size, hero)
    assert imported.option_keywords == ("Army Composition",)
    assert make_title_card(imported, "en").keywords == ("Army Composition",)


def test_upgrades_with_nothing_but_a_cost_are_options() -> None:
    stash = selection(
        "Stash", selections=[selection("Coins", number=45, costs=[cost(45)])]
    )
    hero = selection(
        "Hero", "model", costs=[cost(5)], profiles=[profile("Hero", "Model", STAT)]
    )
    imported = make_one(stash, hero)
    assert [card.name for card in imported.cards] == ["Hero"]
    assert TitledText("Stash: 45× Coins (45)") in imported.options
    assert (imported.card_cost, imported.leftover_cost) == (5, 45)
    # A list without models has cards of its upgrades.
    assert [card.name for card in make_one(stash).cards] == ["Coins"]


def test_a_squad_with_a_transport_has_one_card_and_the_transport_another() -> None:
    trooper = selection(
        "Trooper", "model", 4, profiles=[profile("Trooper", "Unit", STAT)]
    )
    wagon = selection("Wagon", "unit", profiles=[profile("Wagon", "Unit", STAT)])
    squad = selection("Squad", "unit", selections=[trooper, wagon])
    assert [card.name for card in make_one(squad).cards] == ["Squad", "Wagon"]


def test_names_of_selections_around_a_card_are_printed() -> None:
    stat_line = [profile("Hero", "Model", STAT)]
    hero = selection("Hero", "model", profiles=stat_line)
    alone = make_one(selection("Warband", selections=[hero])).cards[0]
    assert [row.name for row in alone.equipment] == ["Warband"]
    squire = selection("Squire", "model", profiles=stat_line)
    for card in make_one(selection("Warband", selections=[hero, squire])).cards:
        assert (card.groups, card.equipment) == (("Warband",), ())


def test_only_a_selection_whose_words_are_printed_is_left_out() -> None:
    sword = profile("Sword", "Weapons", {"Range": "1", "Dice": "2", "Harm": "3"})
    burst = profile("- burst", "Weapons", {"Range": "9", "Dice": "2", "Harm": "3"})
    hero = selection(
        "Hero",
        "model",
        profiles=[profile("Hero", "Model", STAT)],
        selections=[
            selection("Sword and shield", profiles=[sword]),
            selection("Rifle", profiles=[burst]),
        ],
    )
    (card,) = make_one(hero).cards
    assert [row.name for row in card.equipment] == ["Sword and shield"]
    assert [row.name for row in card.tables[0].rows] == ["Sword", "Rifle – burst"]


def test_short_texts_stay_on_their_cards() -> None:
    texts = [
        rule("Calm", "Never flees."),
        rule("Grim", "It stands where it stood. " * 3),
    ]
    heroes = [
        selection(name, "model", profiles=[profile(name, "Model", STAT)], rules=texts)
        for name in ("Ash", "Elm")
    ]
    for card in make_one(*heroes).cards:
        assert card.passages == (TitledText("Calm", "Never flees."), TitledText("Grim"))


def test_a_custom_name_follows_the_name_of_its_unit() -> None:
    title = make_title_card(make(make_skirmish()), "en")
    names = [row.name for row in title.tables[0].rows]
    assert names == ["Lamp captain · Old Wick", "Street guard", "Fog hound"]
    assert "1x Lamp captain · Old Wick 35" in title.code
