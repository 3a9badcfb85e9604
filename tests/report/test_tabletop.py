"""Objects for simulated tables.

Sheets follow the deck, copies count, nothing is named twice or anew.
"""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from builder.findings import Box
from builder.model.shop import FacePlace, OrderCard
from builder.report.exports import format_autofill_xml
from builder.report.tabletop import (
    MAX_SHEET_PIXELS,
    GameCard,
    TableCard,
    TableDeck,
    TablePiece,
    TableSheet,
    choose_sheet_grid,
    format_game_files,
    format_saved_object,
)

POKER = (744, 1039)
"""A poker card at 300 dpi."""


@pytest.mark.parametrize(
    ("cards", "grid"),
    [(1, (1, 1)), (5, (5, 1)), (7, (4, 2)), (12, (4, 3)), (15, (5, 3)), (70, (10, 7))],
)
def test_a_sheet_is_as_sharp_as_it_can_be_and_wastes_little(
    cards: int, grid: tuple[int, int]
) -> None:
    columns, rows, sharp = choose_sheet_grid(cards, POKER)
    assert (columns, rows) == grid
    assert max(columns * POKER[0], rows * POKER[1]) * sharp <= MAX_SHEET_PIXELS + 1
    assert (sharp == 1) == (cards <= 15)


@pytest.mark.parametrize("cards", range(1, 71))
def test_no_grid_is_too_small_or_has_an_empty_row(cards: int) -> None:
    columns, rows, _sharp = choose_sheet_grid(cards, POKER)
    assert columns <= 10
    assert rows <= 7
    assert cards <= columns * rows < cards + columns


SHEET = TableSheet("file:///f.png", "file:///b.png", 2, 1, False)
CARDS = (
    TableCard("net", "Net", "2 points", 0, 0, 4),
    TableCard("map", "Map", "", 0, 1, 1),
)
PIECE = TablePiece(
    "1-moved", "Moved", "", "file:///t.png", "file:///u.png", 20, True, 3
)


def saved(decks: list[TableDeck], pieces: list[TablePiece]) -> list[dict]:
    return json.loads(format_saved_object("box", decks, pieces))["ObjectStates"]


def test_copies_and_pieces_are_objects_of_their_own_with_stable_names() -> None:
    decks = [TableDeck("Gear", Box(0, 0, 63.5, 88.9), (SHEET,), CARDS)] * 2
    objects = saved(decks, [PIECE])
    every = objects + [
        card for deck in objects for card in deck.get("ContainedObjects", ())
    ]
    guids = [one["GUID"] for one in every]
    assert len(set(guids)) == len(guids) == 2 + 10 + 3
    assert all(re.fullmatch("[0-9a-f]{6}", guid) for guid in guids)
    assert saved(decks, [PIECE]) == objects
    assert objects[1]["DeckIDs"] == [200, 200, 200, 200, 201]
    assert all(
        str(card["CardID"] // 100) in card["CustomDeck"]
        for card in objects[1]["ContainedObjects"]
    )
    assert [one["Name"] for one in objects[2:]] == ["Custom_Token"] * 3
    (round_deck,) = saved(
        [TableDeck("Coins", Box(0, 0, 30, 30), (SHEET,), CARDS, "round")], []
    )
    assert round_deck["CustomDeck"]["1"]["Type"] == 4


def test_things_are_as_large_beside_each_other_as_on_paper() -> None:
    tarot = TableDeck("Tarot", Box(0, 0, 70, 120), (SHEET,), CARDS[1:])
    card, token = saved([tarot], [PIECE])[:2]
    assert card["Name"] == "Card"
    assert card["Transform"]["scaleX"] / token["Transform"]["scaleX"] == pytest.approx(
        120 / 20, rel=1e-3
    )
    assert (
        saved([TableDeck("P", Box(0, 0, 63.5, 88.9), (SHEET,), CARDS[1:])], [])[0][
            "Transform"
        ]["scaleZ"]
        == 1
    )


GAME = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        **{
            key: {"type": "string"}
            for key in ("name", "cardPrimaryProperty", "cardImageUrl")
        },
        **{
            f"{key}Url": {"type": ["null", "string"]}
            for key in ("autoUpdate", "allCards", "allSets", "cardBackImage")
        },
        "autoUpdate": {"type": "integer"},
        "cardNameIsUnique": {"type": "boolean"},
        "deckFileTxtId": {"enum": ["id", "set"]},
        "cardSize": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        },
        "cardProperties": {
            "type": "array",
            "items": {"type": "object", "required": ["name", "type"]},
        },
        "deckUrls": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"name": {"type": "string"}, "url": {"type": "string"}},
            },
        },
    },
}
"""What the schema cgs.json of Card Game Simulator says of the keys that are written."""


@pytest.mark.parametrize("url", ["", "https://example.org/game"])
def test_a_game_keeps_to_the_schema_and_its_decks_name_its_cards(url: str) -> None:
    from jsonschema import validate

    cards = [
        GameCard("net", "Net", "gear", "2", "Entangles."),
        GameCard("map", "Map", "gear", "", ""),
    ]
    files = dict(
        format_game_files(
            "Marsh",
            {"gear": "Gear"},
            cards,
            Box(0, 0, 63.5, 88.9),
            {"Gear": {"net": 4, "map": 1}},
            url,
        )
    )
    game = json.loads(files["cgs.json"])
    validate(game, GAME)
    assert game["cardSize"] == {"x": 2.5, "y": 3.5}
    assert (game["autoUpdate"] == -1) == (not url)
    assert files["decks/Gear.txt"].splitlines() == [
        "### Marsh Deck: Gear",
        "4 [net] Net",
        "1 [map] Map",
    ]
    assert {card["set"] for card in json.loads(files["AllCards.json"])} <= {
        file["code"] for file in json.loads(files["AllSets.json"])
    }


def test_an_order_for_the_tool_fills_every_slot_once() -> None:
    def card(name: str, copies: int, back: str) -> OrderCard:
        places = (
            (FacePlace(f"en/fronts/{name}.png"),),
            (FacePlace(f"en/backs/{back}.png"),),
        )
        return OrderCard(name, "gear", name, "en", "poker", copies, *places)

    cards = [
        card("net", 4, "common"),
        card("map", 1, "map"),
        card("rope", 30, "common"),
    ]
    root = ElementTree.fromstring(format_autofill_xml(cards, "(S30) Standard Smooth"))
    assert {one.tag: one.text for one in root.findall("details/*")} == {
        "quantity": "35",
        "bracket": "36",
        "stock": "(S30) Standard Smooth",
        "foil": "false",
    }
    slots = [
        int(slot)
        for one in root.findall("fronts/card/slots")
        for slot in (one.text or "").split(",")
    ]
    assert slots == list(range(35))
    assert root.findtext("cardback") == "en/backs/common.png"
    assert [
        (one.findtext("id"), one.findtext("slots"))
        for one in root.findall("backs/card")
    ] == [("en/backs/map.png", "4")]
