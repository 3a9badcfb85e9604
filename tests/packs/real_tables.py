"""Tables as designers keep them for Squib, nanDECK, CardPen, Airtable and Google Sheets.

All words are invented.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from tests.packs.ods_file import make_sheet, make_text, make_value, write_ods

CASES = Path(__file__).parent / "cases"


class RealTable(NamedTuple):
    """A table, the number of its cards, and texts that the cards must contain."""

    write: Callable[[Path], Path]
    card_count: int
    texts: tuple[str, ...]


def text_table(name: str, text: str, encoding: str = "utf-8") -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(text.encode(encoding))
        return folder / name

    return write


def write_sheets(folder: Path) -> Path:
    """A workbook as Google Sheets exports it, with a title, a legend, merged cells and formats."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Cards"
    action = TextBlock(InlineFont(b=True), "Action:")
    rows: list[list[object]] = [
        ["Harbour Nights – master list", None, None, None, None, None],
        ["Last edited:", "Nov 3", None, None, None, None],
        [],
        ["Card Name ", "Crew", "Price", "Luck", "Effect", "#"],
        ["Night Warden", "Lamps", 3.5, 0.5, CellRichText(action, " light a lamp."), 2],
        ["Wick Boy", None, 2, 0.25, "After it moves, it may light a lamp.", 3],
        ["Oil Thrower", "Fog", 4, 1, "Its target burns.\nIt burns for 2 turns.", 1],
    ]
    for row in rows:
        sheet.append(row)
    sheet.merge_cells("A1:F1")
    sheet.merge_cells("B5:B6")
    for number in range(5, 8):
        sheet.cell(number, 1).font = Font(bold=True)
        sheet.cell(number, 3).number_format = '"$"#,##0.00'
        sheet.cell(number, 4).number_format = "0%"
    book.create_sheet("Old ideas").sheet_state = "hidden"
    book.save(folder / "harbour.xlsx")
    return folder / "harbour.xlsx"


def write_kinds(folder: Path) -> Path:
    """A workbook with a sheet for each kind."""
    book = Workbook()
    units, items = book.active, book.create_sheet("Items")
    units.title = "Units"
    for row in (
        ["Name", "Move", "Nerve"],
        ["Reed Runner", 6, "3+"],
        ["Old Pike", 4, "2+"],
    ):
        units.append(row)
    for row in (
        ["Name", "Weight", "Text"],
        ["Rope", 1.5, "Climb."],
        ["Lantern", 2, 'See 6" far.'],
    ):
        items.append(row)
    book.save(folder / "kinds.xlsx")
    return folder / "kinds.xlsx"


def write_german(folder: Path) -> Path:
    """A workbook of LibreOffice in German, with amounts of money and fractions."""
    rows = [
        "".join(map(make_text, ["Name", "Preis", "Chance", "Text"])),
        make_text("Käsemesser")
        + make_value("currency", 'office:value="3.5"', "3,50 €")
        + make_value("percentage", 'office:value="0.5"', "50%")
        + make_text("Schneidet Käse.", "Auch harten."),
        make_text("Rührlöffel")
        + make_value("currency", 'office:value="12"', "12,00 €")
        + make_value("percentage", 'office:value="0.75"', "75%")
        + make_text("Rührt."),
    ]
    return write_ods(folder / "kueche.ods", make_sheet("Küche", rows))


def write_json(folder: Path) -> Path:
    cards = [
        {
            "name": "Glass Moth",
            "stats": {"speed": 7, "grit": 1},
            "tags": ["insect", "night"],
            "text": "Flies.",
        },
        {
            "name": "Tin Toad",
            "stats": {"speed": 2, "grit": 5},
            "tags": ["toy", "night"],
            "text": 'Hops 2".',
        },
        {
            "name": "Rag Crow",
            "stats": {"speed": 5, "grit": 2},
            "tags": ["toy", "bird"],
            "text": "Caws.",
        },
    ]
    (folder / "toys.json").write_text(
        json.dumps({"version": 3, "cards": cards}), encoding="utf-8"
    )
    return folder / "toys.json"


def copy_quests(folder: Path) -> Path:
    (folder / "quests.xls").write_bytes((CASES / "quests.xls").read_bytes())
    return folder / "quests.xls"


REAL_TABLES = {
    "squib": RealTable(
        text_table(
            "deck.csv",
            'Title,Description,Snark,Level,Qty\nRobot Golem,"Draw two cards, then discard one.",'
            '"All shall fear it, probably.",7,1\nNinja Cat ,  Gain a reroll.  ,"Silent.",4,2\n'
            'Pirate Queen,"Steal a card.\nThen hide it.","Arrr, of course.",9,1\n',
        ),
        3,
        (
            "Robot Golem",
            "Ninja Cat",
            "Steal a card.",
            "Then hide it.",
            "All shall fear it, probably.",
        ),
    ),
    "nanDECK": RealTable(
        text_table(
            "linked.csv",
            (
                "sep=;\r\n[NAME];[COST];[TEXT];[COUNT]\r\nMill;3;Take 1 grain; then sell it.;2\r\n"
            ).replace("Take 1 grain; then sell it.", '"Take 1 grain; then sell it."')
            + "Bakery;5;Turn grain into bread.;1\r\n",
            "cp1252",
        ),
        2,
        ("Mill", "Take 1 grain; then sell it.", "Bakery"),
    ),
    "CardPen": RealTable(
        text_table(
            "cardpen.csv",
            "name,cost,type,text,flavor,count\nEmber Fox,2,Creature,<b>Swift.</b> Deals 1 "
            "damage.,,3\n"
            'Sudden Rain,1,Spell,"Put out all fires.<br>Draw a card.",It smells of stone.,2\n'
            "Old Well,X,Place,Pay X: draw X cards.,,1\n",
        ),
        3,
        (
            "Ember Fox",
            "Put out all fires.",
            "It smells of stone.",
            "Pay X: draw X cards.",
        ),
    ),
    "Airtable": RealTable(
        text_table(
            "Grid view.csv",
            "\ufeffName,Price,Tags,In "
            "stock,Notes\nBrass "
            'Key,$3.00,"metal,small",checked,"Opens\none door."\n'
            'Iron Gate,$12.50,"metal,large",,Heavy.\nGlass Bead,$0.25,"glass,small",checked,\n',
        ),
        3,
        ("Brass Key", "Iron Gate", "one door.", "Glass Bead"),
    ),
    "Google Sheets": RealTable(
        write_sheets, 3, ("Night Warden", "Wick Boy", "50%", "It burns for 2 turns.")
    ),
    "LibreOffice in German": RealTable(
        write_german, 2, ("Käsemesser", "Auch harten.", "75%")
    ),
    "Google TSV with emoji": RealTable(
        text_table(
            "cards.tsv",
            "Name\t⚔️\t❤️\tText 📜\nСова\t2\t3\tSees in the dark 🌙\nГриб\t1\t1\tFeeds 2 models\n",
        ),
        2,
        ("Сова", "Sees in the dark 🌙", "Гриб"),
    ),
    "JSON": RealTable(write_json, 3, ("Glass Moth", "Tin Toad", "Caws.")),
    "Unicode text of Excel": RealTable(
        text_table(
            "monsters.txt",
            (
                'Name\tHP\tAttack\tDescription\r\nMud Imp\t4\t2\t"Throws '
                '""mud""."\r\nBog '
                "Ogre\t12\t5\tSlow.\r\n"
            ),
            "utf-16",
        ),
        2,
        ("Mud Imp", "Bog Ogre", "Slow."),
    ),
    "ranges and signs": RealTable(
        text_table(
            "weapons.csv",
            'Name,Range,Roll,Damage,Save\nSling,3-12",1d6,2,4+\nClub,—,2d6,3,–\nHarpoon,0-8",1d6+1,1/2,-1\n',
        ),
        3,
        ("Sling", "3-12", "1d6", "4+", "1/2", "-1"),
    ),
    "German Excel": RealTable(
        text_table(
            "Karten.csv",
            "Name;Kosten;Gewicht;Fähigkeit;Anzahl\nBär;5;120,5;Brüllt: alle Gegner fliehen.;2\n"
            "Fuchs;2;8,25;Schleicht.;4\n",
            "cp1252",
        ),
        2,
        ("Bär", "120.5", "Brüllt: alle Gegner fliehen.", "Schleicht."),
    ),
    "a sheet per kind": RealTable(
        write_kinds, 4, ("Reed Runner", "3+", "Rope", "Lantern")
    ),
    "bars and long cells": RealTable(
        text_table(
            "events.txt",
            'Event|When|What happens\nFlood 🌊|Turn 3|"Each player loses 1 boat.\n- Ignore islands.\n- Draw 1."\n'
            "Calm|any|Nothing happens, for once.\n",
        ),
        2,
        ("Flood 🌊", "Each player loses 1 boat.", "Nothing happens, for once."),
    ),
    "XLS": RealTable(
        copy_quests, 3, ("Find the Ferryman", "Ring the bell.", "10.5", "Bees!")
    ),
    "blank rows and totals": RealTable(
        text_table(
            "list.csv",
            "My skirmish game – v0.3,,,,,\n,,,,,\nName,,Points,Rules \n text,Set,\n".replace(
                "Rules \n text", '"Rules \n text"'
            )
            + 'Tide,,,,,\nHeron,,4,Sees far.,Base,\nOtter,,3,"Swims, dives.",Base,\n\nHill,,,,,\n'
            "Goat,,2,Climbs.,Extra,\nTotal,,9,,,\n",
        ),
        3,
        ("Heron", "Otter", "Swims, dives.", "Goat"),
    ),
}
"""The tables by the programs that they were made for."""
