"""Tables as users of other programs keep them become the cards that they mean, word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.findings import has_errors
from builder.packs.tables.request import TableRequest
from builder.usecases.tables import new_pack
from builder.usecases.tables.new_pack import NewPack, PackRequest, make_pack
from tests.usecases.table_cards import read_cards

SQUIB = """Name,Cost,Description,Art,Type,Qty
Thief,1,Steal 1 {gold}. It's quick.,thief.png,Action,3
Robot,2X,"Gain 2*, then rest.",robot.png,Action,2
Grifter,-1,Nobody trusts you.,grifter.png,Trap,1
Ruler,10,"You win, if you may.",,Trap,
"""
NANDECK = """[TITLE];[POINTS];[TEXT];[COPIES]
Wolf;3;Hunts at night.\\nAlone.;2
Bear;5;"Sleeps; all winter";x1
"""
CARDPEN = """count,card_name,power,flavour,colour
2,Ash Imp,2+,It burns.,Red/Black
1,Tide Imp,1/4,It drips.,Blue
1,Stone Imp,*,It waits.,Black/Red
"""
AIRTABLE = """Name,Notes,Tags,Exhausts,Last Modified,Attachments
Lantern,Lights a room.,"Light, Tool",checked,2026-03-04,
Rope,,Tool,,2026-03-05,
Flare,Burns out.,"Light, Single use",checked,2026-04-05,
"""
GOOGLE = """My deck v3,,,,,,
,,,,,,
Card Name,Move (in),Move (cm),Health,Rules Text,,Health
FOREST,,,,,,
Elk,6,15,4,Runs.,draft?,high
Owl,9,23,2,Flies.,,low
TOTAL,15,38,6,,,
Elk,7,18,5,Runs far.,,high
"""
UNITS = """Name,Speed,Weight
,(in),(kg)
Cart,4,120
Sled,8,"1,5"
"""
LANGUAGES = """Name (EN);Name (DE);Effect EN;Effect DE;Power
Fox;Fuchs;Draw 1.;Ziehe 1.;3
Hare;Hase;Run.;Lauf.;X
"""
RUSSIAN = """Название,Стоимость,Текст,Признаки,Кол-во
Лиса,3,Хитрая.,Зверь. Быстрый.,2
Ёж,1,Колючий.,Зверь.,1
"""
GERMAN = """Kartenname;Kosten;Wirkung;Fraktion;Anzahl;Fliegt
Eule;2,5;Sieht alles.;Wald;2;ja
Molch;1;-;Sumpf;1;nein
"""
DATABASE = """Number,Set,Title,Cost,ATK,HP,Keyword,Text
001,Core,Alpha,0,1,2,,
002,Core,Beta,1,0,3,Flying;Swift,When played: draw.
003,Dawn,Gamma,X,-,-,Swift,Spell.
004,Dawn,Delta,3,4,4,Flying,
"""
ENTRIES = """Unit,Cost,Weapon name,Weapon dice,Weapon range
Archer,20,Bow,2d6,12-24
,,Knife,d6,
Rider,35,Lance,3d6,2
"""
NUMBERED = """Effect,Value
Draw two cards.,1
Lose a turn.,-2
Draw two cards.,3
"""
REPEATED = """Name,Type,HP
Ash,Tree,3
Name,Type,HP
Elm,Tree,4
Oak,Bush,5
Yew,Bush,2
"""
MARKUP = """Name,Ability
Ward,"**Action**: Draw a card, then discard one of your cards."
Hawk,"Costs 2* less {always} while the moon is up, it says here."
"""
TRAITS = """Name;Subtypes;Slots;Damage
Axe;Melee / Heavy;1/2;1/4
Bow;Ranged;2/2;2/5
Dart;Ranged / Light;1/1;1/3
Hook;Melee / Light;1/3;0/2
"""
TABLES: dict[str, tuple[str, dict[str, dict[str, object]]]] = {
    "squib": (
        SQUIB,
        {
            "thief": {
                "name": "Thief",
                "cost-text": 1,
                "description": r"Steal 1 \{gold\}. It's quick.",
                "type": "action",
            },
            "robot": {
                "name": "Robot",
                "cost-text": "2X",
                "description": r"Gain 2\*, then rest.",
                "type": "action",
            },
            "grifter": {
                "name": "Grifter",
                "cost-text": -1,
                "description": "Nobody trusts you.",
                "type": "trap",
            },
            "ruler": {
                "name": "Ruler",
                "cost-text": 10,
                "description": "You win, if you may.",
                "type": "trap",
            },
        },
    ),
    "nandeck": (
        NANDECK,
        {
            "wolf": {"name": "Wolf", "cost": 3, "text": "Hunts at night.\nAlone."},
            "bear": {"name": "Bear", "cost": 5, "text": "Sleeps; all winter"},
        },
    ),
    "cardpen": (
        CARDPEN,
        {
            "ash-imp": {
                "name": "Ash Imp",
                "power": "2+",
                "flavour": "It burns.",
                "colour": ["Red", "Black"],
            },
            "tide-imp": {
                "name": "Tide Imp",
                "power": "1/4",
                "flavour": "It drips.",
                "colour": ["Blue"],
            },
            "stone-imp": {
                "name": "Stone Imp",
                "power": "*",
                "flavour": "It waits.",
                "colour": ["Black", "Red"],
            },
        },
    ),
    "airtable": (
        AIRTABLE,
        {
            "lantern": {
                "name": "Lantern",
                "keywords": ["light", "tool"],
                "notes": "Lights a room.",
                "exhausts": True,
                "last-modified": "2026-03-04",
            },
            "rope": {
                "name": "Rope",
                "keywords": ["tool"],
                "last-modified": "2026-03-05",
            },
            "flare": {
                "name": "Flare",
                "keywords": ["light", "single-use"],
                "notes": "Burns out.",
                "exhausts": True,
                "last-modified": "2026-04-05",
            },
        },
    ),
    "google": (
        GOOGLE,
        {
            "elk": {
                "name": "Elk",
                "move": 6,
                "move-cm": 15,
                "health": 4,
                "rules-text": "Runs.",
                "health-2": "high",
            },
            "owl": {
                "name": "Owl",
                "move": 9,
                "move-cm": 23,
                "health": 2,
                "rules-text": "Flies.",
                "health-2": "low",
            },
            "elk-2": {
                "name": "Elk",
                "move": 7,
                "move-cm": 18,
                "health": 5,
                "rules-text": "Runs far.",
                "health-2": "high",
            },
        },
    ),
    "units": (
        UNITS,
        {
            "cart": {"name": "Cart", "speed": 4, "weight": 120},
            "sled": {"name": "Sled", "speed": 8, "weight": 1.5},
        },
    ),
    "languages": (
        LANGUAGES,
        {
            "fox": {
                "name": "Fox",
                "effect": "Draw 1.",
                "power": 3,
                "name@de": "Fuchs",
                "effect@de": "Ziehe 1.",
            },
            "hare": {
                "name": "Hare",
                "effect": "Run.",
                "power": "X",
                "name@de": "Hase",
                "effect@de": "Lauf.",
            },
        },
    ),
    "russian": (
        RUSSIAN,
        {
            "lisa": {
                "name": "Лиса",
                "cost": 3,
                "tekst": "Хитрая.",
                "keywords": ["zver", "bystryy"],
            },
            "ezh": {"name": "Ёж", "cost": 1, "tekst": "Колючий.", "keywords": ["zver"]},
        },
    ),
    "german": (
        GERMAN,
        {
            "eule": {
                "name": "Eule",
                "faction": "wald",
                "cost": 2.5,
                "wirkung": "Sieht alles.",
                "fliegt": True,
            },
            "molch": {
                "name": "Molch",
                "faction": "sumpf",
                "cost": 1,
                "wirkung": "-",
                "fliegt": False,
            },
        },
    ),
    "database": (
        DATABASE,
        {
            "alpha": {
                "name": "Alpha",
                "number": "001",
                "set": "core",
                "cost-text": 0,
                "atk": 1,
                "hp": 2,
            },
            "beta": {
                "name": "Beta",
                "number": "002",
                "set": "core",
                "cost-text": 1,
                "atk": 0,
                "hp": 3,
                "keyword": ["Flying", "Swift"],
                "text": "When played: draw.",
            },
            "gamma": {
                "name": "Gamma",
                "number": "003",
                "set": "dawn",
                "cost-text": "X",
                "keyword": ["Swift"],
                "text": "Spell.",
            },
            "delta": {
                "name": "Delta",
                "number": "004",
                "set": "dawn",
                "cost-text": 3,
                "atk": 4,
                "hp": 4,
                "keyword": ["Flying"],
            },
        },
    ),
    "entries": (
        ENTRIES,
        {
            "archer": {
                "name": "Archer",
                "cost": 20,
                "weapon": [
                    {"name": "Bow", "dice": "2d6", "range": "12-24"},
                    {"name": "Knife", "dice": "d6"},
                ],
            },
            "rider": {
                "name": "Rider",
                "cost": 35,
                "weapon": [{"name": "Lance", "dice": "3d6", "range": 2}],
            },
        },
    ),
    "numbered": (
        NUMBERED,
        {
            "numbered-1": {"name": "1", "effect": "Draw two cards.", "value": 1},
            "numbered-2": {"name": "2", "effect": "Lose a turn.", "value": -2},
            "numbered-3": {"name": "3", "effect": "Draw two cards.", "value": 3},
        },
    ),
    "repeated": (
        REPEATED,
        {
            "ash": {"name": "Ash", "type": "tree", "hp": 3},
            "elm": {"name": "Elm", "type": "tree", "hp": 4},
            "oak": {"name": "Oak", "type": "bush", "hp": 5},
            "yew": {"name": "Yew", "type": "bush", "hp": 2},
        },
    ),
    "markup": (
        MARKUP,
        {
            "ward": {
                "name": "Ward",
                "ability": "**Action**: Draw a card, then discard one of your cards.",
            },
            "hawk": {
                "name": "Hawk",
                "ability": "Costs 2\\* less \\{always\\} while the moon is up, it says here.",
            },
        },
    ),
    "traits": (
        TRAITS,
        {
            "axe": {
                "name": "Axe",
                "subtypes": ["Melee", "Heavy"],
                "slots": "1/2",
                "damage": "1/4",
            },
            "bow": {
                "name": "Bow",
                "subtypes": ["Ranged"],
                "slots": "2/2",
                "damage": "2/5",
            },
            "dart": {
                "name": "Dart",
                "subtypes": ["Ranged", "Light"],
                "slots": "1/1",
                "damage": "1/3",
            },
            "hook": {
                "name": "Hook",
                "subtypes": ["Melee", "Light"],
                "slots": "1/3",
                "damage": "0/2",
            },
        },
    ),
}
"""Tables with the cards that they mean."""


def make_quick_pack(folder: Path, *files: Path) -> NewPack:
    """Make a pack from tables."""
    return make_pack(PackRequest(folder / "game", TableRequest(files), (63, 88)))


@pytest.fixture(autouse=True)
def leave_out_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are not drawn here."""
    monkeypatch.setattr(new_pack, "fit_design", lambda *_arguments, **_options: None)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_becomes_the_cards_that_it_means(name: str, tmp_path: Path) -> None:
    text, cards = TABLES[name]
    file = tmp_path / f"{name}.csv"
    file.write_text(text, "utf-8")
    result = make_quick_pack(tmp_path, file)
    assert not has_errors(result.findings), result.findings
    assert read_cards(result) == cards
    assert len(result.summary) <= 10
