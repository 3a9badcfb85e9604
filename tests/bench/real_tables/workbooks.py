"""Write the tables that cannot be text files: workbooks, and long lists of cards.

Each function writes one file and returns the text of its cards, cell by cell, as a reader must find it.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

BOLD = InlineFont(b=True)


@dataclass(frozen=True)
class Formula:
    """A formula and the result that a spreadsheet program stores with it."""

    source: str
    result: str


def _save(book: openpyxl.Workbook, path: Path, formulas: dict[str, Formula]) -> None:
    """Save a workbook. Put the results of formulas in, which openpyxl does not write."""
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name, data in parts.items():
        if not name.startswith("xl/worksheets/"):
            continue
        text = data.decode()
        for place, formula in formulas.items():
            is_text = not re.fullmatch(r"-?[\d.]+", formula.result)
            found = re.compile(rf'<c r="{place}"([^>]*)><f>(.*?)</f><v ?/?>(</v>)?')
            kind = ' t="str"' if is_text else ""
            text = found.sub(
                lambda hit, k=kind, f=formula: (
                    f'<c r="{hit[0].split(chr(34))[1]}"{hit[1]}{k}><f>{hit[2]}</f>'
                    f"<v>{escape(f.result)}</v>"
                ),
                text,
            )
        parts[name] = text.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def _fill(sheet: Worksheet, rows: list[list[object]]) -> dict[str, Formula]:
    formulas: dict[str, Formula] = {}
    for row_number, row in enumerate(rows, sheet.max_row + (sheet.max_row > 1)):
        for column_number, value in enumerate(row, 1):
            cell = sheet.cell(row_number, column_number)
            if isinstance(value, Formula):
                formulas[cell.coordinate] = value
                cell.value = value.source
            elif value is not None:
                cell.value = value  # type: ignore[assignment]
    return formulas


def write_voyages(path: Path) -> list[list[str]]:
    """40 rows of a Squib game with regions and goods."""
    regions = ["Cold Coast", "Spice Gulf", "Long Shoals", "Amber Bay"]
    goods = [
        "Salt",
        "Cloves",
        "Amber",
        "Tin",
        "Silk",
        "Tar",
        "Wool",
        "Ivory",
        "Figs",
        "Rope",
    ]
    rules = [
        "Sell it for 2 more in {0}.",
        "You may load 2 of these in one action.",
        "Spoils at the end of the round, unless it is in a dry hold.",
        "If a pirate takes it, take 1 gold from the bank.",
        "Trade it for any other cargo at a ratio of 2:1.",
    ]
    lines = ["Name;Region;Value;Weight;Rules;Count"]
    cards = []
    for number in range(40):
        region = regions[number % 4]
        good = goods[number // 4]
        rule = rules[number % 5].format(regions[(number + 1) % 4])
        row = [
            f"{good} of {region}",
            region,
            str(number % 9 + 1),
            f"{number % 4}.5",
            rule,
        ]
        cards.append(row)
        lines.append(";".join([*row, str(number % 3 + 1)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return cards


def write_suits(path: Path) -> list[list[str]]:
    """52 playing cards and 2 jokers for nanDECK."""
    suits = ["Ravens", "Keys", "Bells", "Thorns"]
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    lines = ['"Rank","Suit","Points","Copies"']
    cards = []
    for suit in suits:
        for number, rank in enumerate(ranks, 1):
            cards.append([rank, suit, str(number)])
            lines.append(f'"{rank}","{suit}","{number}","1"')
    for _ in range(2):
        cards.append(["Joker", "Fools", "0"])
        lines.append('"Joker","Fools","0","1"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return cards


def write_smugglers(path: Path) -> list[list[str]]:
    """A Squib workbook: quantities, prices, a hidden sheet and rich text."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Deck"
    rich = CellRichText("Pay ", TextBlock(BOLD, "2 coins"), " to look into any crate.")
    rows: list[list[object]] = [
        ["Name", "Type", "Bribe", "Ability", "Risk", "Qty"],
        ["Customs Officer", "Law", 4, rich, 0.5, 1],
        ["False Bottom", "Trick", 1.5, "Hide 1 crate under it.", 0.1, 3],
        ["Night Boat", "Boat", 3, "Move twice.\nThen turn it face down.", 0.25, 2],
        ["Revenue Cutter", "Law", 6, "Chases the boat with the most crates.", 0.75, 1],
        ["Brandy", "Crate", 2, "Worth 5, or 8 in the north.", 0.3, 5],
        ["Lace", "Crate", 0.5, "Weighs nothing.", 0.05, 5],
        ["The Parson", "Trick", 2.75, "Cancels a search; he is above suspicion.", 0, 1],
    ]
    _fill(sheet, rows)
    for row in range(2, len(rows) + 1):
        sheet.cell(row, 3).number_format = '"$"#,##0.00'
        sheet.cell(row, 5).number_format = "0%"
    notes = book.create_sheet("Playtest notes")
    notes.append(["Brandy is too strong, says Kit."])
    notes.sheet_state = "hidden"
    _save(book, path, {})
    return [
        [
            "Customs Officer",
            "Law",
            "$4.00",
            "Pay 2 coins to look into any crate.",
            "50%",
        ],
        ["False Bottom", "Trick", "$1.50", "Hide 1 crate under it.", "10%"],
        ["Night Boat", "Boat", "$3.00", "Move twice. Then turn it face down.", "25%"],
        [
            "Revenue Cutter",
            "Law",
            "$6.00",
            "Chases the boat with the most crates.",
            "75%",
        ],
        ["Brandy", "Crate", "$2.00", "Worth 5, or 8 in the north.", "30%"],
        ["Lace", "Crate", "$0.50", "Weighs nothing.", "5%"],
        [
            "The Parson",
            "Trick",
            "$2.75",
            "Cancels a search; he is above suspicion.",
            "0%",
        ],
    ]


def write_castle(path: Path) -> list[list[str]]:
    """A nanDECK workbook with merged factions and a title in a merged row."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Castle"
    rows: list[list[object]] = [
        ["CASTLE OF RUST - card list", None, None, None, None, None],
        ["Faction", "Name", "Cost", "Strength", "Text", "Count"],
        ["Household", "Steward", 3, 1, "Take 1 card from the discard pile.", 1],
        [None, "Cook", 2, 1, "Feed 2 guards: they are ready again.", 2],
        [None, "Guard", 2, 4, "Blocks one door.", 4],
        ["Ghosts", "White Lady", 5, 3, "Passes through walls. Cannot be blocked.", 1],
        [None, "Rattling Knight", 4, 6, "When he enters, everyone discards a card.", 1],
        ["Vermin", "Rat", 0, 1, "Comes in threes.", 6],
        [None, "Moth", 1, 0, "Destroys a tapestry.", 3],
        [None, "Jackdaw", 1, 1, "Steals the crown if nobody guards it.", 2],
    ]
    _fill(sheet, rows)
    for area in ("A1:F1", "A3:A5", "A6:A7", "A8:A10"):
        sheet.merge_cells(area)
    for cell in sheet[2]:
        cell.font = Font(bold=True)
    _save(book, path, {})
    cards = []
    faction = ""
    for row in rows[2:]:
        faction = str(row[0] or faction)
        cards.append([faction, *(str(value) for value in row[1:5])])
    return cards


def write_arena(path: Path) -> list[list[str]]:
    """A Google Sheets workbook: formulas with results, percent, money, a hidden row, notes."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Gladiators"
    rows: list[list[object]] = [
        [
            "Name",
            "School",
            "Attack",
            "Defence",
            "Total",
            "Crowd",
            "Fee",
            "Trait",
            "Copies",
        ],
        ["Brutus the Small", "Net", 3, 2, Formula("=C2+D2", "5"), 0.8, 120, "Dodge", 1],
        ["Lydia", "Sword", 5, 4, Formula("=C3+D3", "9"), 0.95, 300, "Leader", 1],
        ["The Ox", "Hammer", 7, 3, Formula("=C4+D4", "10"), 0.4, 180, "Slow", 2],
        ["Old Marcus", "Sword", 2, 6, Formula("=C5+D5", "8"), 0.65, 90, "Veteran", 1],
        ["Nobody", "Net", 4, 4, Formula("=C6+D6", "8"), 0.05, 0, "Dodge", 3],
        ["Twins", "Hammer", 6, 2, Formula("=C7+D7", "8"), 0.7, 250, "Leader", 1],
    ]
    rows[0].append("Note")
    for row in rows[1:]:
        text = "Crowd favourite" if float(str(row[5])) > 0.6 else ""
        row.append(
            Formula(f'=IF(F{rows.index(row) + 1}>0.6,"Crowd favourite","")', text)
        )
    formulas = _fill(sheet, rows)
    for number in range(2, len(rows) + 1):
        sheet.cell(number, 6).number_format = "0%"
        sheet.cell(number, 7).number_format = "#,##0 [$€-1]"
    sheet.row_dimensions[5].hidden = True
    log = book.create_sheet("Change log")
    log.append(["Date", "Change"])
    log.append(["2026-02-01", "Ox weaker"])
    _save(book, path, formulas)
    cards = []
    for row in rows[1:]:
        note = row[9]
        assert isinstance(note, Formula)
        assert isinstance(row[4], Formula)
        cards.append(
            [
                *(str(value) for value in row[:4]),
                row[4].result,
                f"{round(float(str(row[5])) * 100)}%",
                f"{row[6]} €",
                str(row[7]),
                note.result,
            ]
        )
    return cards


def write_bazaar(path: Path) -> list[list[str]]:
    """A Google Sheets workbook with three kinds of cards on three sheets, in French."""
    book = openpyxl.Workbook()
    sheets: dict[str, list[list[object]]] = {
        "Marchands": [
            ["Nom", "Ville", "Prix", "Effet"],
            ["Yasmine", "Port-Sec", 4, "Piochez 2 marchandises."],
            [
                "Le Borgne",
                "Haute-Tour",
                2,
                "Volez 1 marchandise à votre voisin de gauche.",
            ],
            ["Frère Anselme", "Port-Sec", 3, "Personne ne peut vous voler."],
        ],
        "Marchandises": [
            ["Nom", "Valeur", "Poids"],
            ["Soie", 5, 1],
            ["Sel", 1, 4],
            ["Encens", 6, 1],
            ["Céramique", 3, 3],
        ],
        "Événements": [
            ["Nom", "Effet", "Durée"],
            ["Sécheresse", "Les puits sont fermés : chacun perd 1 eau.", "2 tours"],
            ["Caravane", "Tout le monde gagne 3 pièces.", "1 tour"],
        ],
    }
    cards = []
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        _fill(sheet, rows)
        cards += [[str(value) for value in row] for row in rows[1:]]
    del book["Sheet"]
    _save(book, path, {})
    return cards


def write_planets(path: Path) -> list[list[str]]:
    """60 rows of a Google Sheets workbook, with a column of dates and yes/no boxes."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Planets"
    first = [
        "Ash",
        "Blue",
        "Cinder",
        "Dove",
        "Echo",
        "Far",
        "Grim",
        "Halo",
        "Iron",
        "Jade",
    ]
    second = ["haven", "moor", " Prime", "fall", "mark", " IV"]
    climates = ["Ice", "Jungle", "Desert", "Ocean"]
    rules = [
        "Settle: gain 2 ore.",
        "Fleets that end here lose 1 fuel.",
        "While you own this planet, your hand limit is +1.",
        "Once per game: look at an opponent's hand.",
        "Worth 2 points per moon at the end of the game.",
        "No effect",
        "Trade 3 food for 1 relic",
    ]
    sheet.append(
        ["Planet", "Climate", "Size", "Moons", "Orbit (AU)", "Text", "Inhabited"]
    )
    cards = []
    for number in range(60):
        name = first[number % 10] + second[number // 10]
        row = [
            name,
            climates[number % 4],
            number % 5 + 1,
            number % 7,
            round(0.3 + number * 0.25, 2),
            rules[number % 7],
            number % 3 == 0,
        ]
        sheet.append(row)
        cards.append([str(value) for value in row[:6]])
    for cell in sheet["A"][1:]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    _save(book, path, {})
    return cards


def write_winery(path: Path) -> list[list[str]]:
    """An ODS workbook in German with percent, merged cells and a bold word."""
    rows = [
        ["Rebe", "Region", "Alkohol", "Punkte", "Regel", "Anzahl"],
        ["Steinriesling", "Hang", "12%", "4", "Lege zwei <b>rote</b> Trauben ab.", "2"],
        ["Nebelgutedel", "", "9%", "2", "Kostet bei Regen nichts.", "3"],
        ["Mohrenblut", "Tal", "14%", "6", "Zählt am Ende doppelt.", "1"],
        ["Eisköpfchen", "", "7%", "3", "Nur im Winter spielbar.", "2"],
        ["Schwarzer Peter", "Keller", "0%", "-2", "Gib ihn weiter.", "1"],
    ]
    lines = []
    for number, row in enumerate(rows):
        cells = []
        for column, text in enumerate(row):
            content = escape(text).replace(
                "&lt;b&gt;", '<text:span text:style-name="T1">'
            )
            content = content.replace("&lt;/b&gt;", "</text:span>")
            if number and column == 1 and not text:
                cells.append("<table:covered-table-cell/>")
                continue
            span = (
                ' table:number-rows-spanned="2"'
                if number in (1, 3) and column == 1
                else ""
            )
            kind = 'office:value-type="string"'
            if number and column == 2:
                share = int(text.removesuffix("%")) / 100
                kind = f'office:value-type="percentage" office:value="{share}"'
            elif number and column in (3, 5):
                kind = f'office:value-type="float" office:value="{text}"'
            paragraph = f"<text:p>{content}</text:p>"
            cells.append(
                f"<table:table-cell {kind}{span}>{paragraph}</table:table-cell>"
            )
        lines.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        f'xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0" '
        f'xmlns:text="{urn}:text:1.0" xmlns:style="{urn}:style:1.0" '
        f'xmlns:fo="{urn}:xsl-fo-compatible:1.0" office:version="1.2">'
        '<office:automatic-styles><style:style style:name="T1" style:family="text">'
        '<style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>'
        '<office:body><office:spreadsheet><table:table table:name="Weine">'
        f"{''.join(lines)}</table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{urn}:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
            '<manifest:file-entry manifest:full-path="content.xml" '
            'manifest:media-type="text/xml"/></manifest:manifest>',
        )
    cards = []
    region = ""
    for row in rows[1:]:
        region = row[1] or region
        rule = row[4].replace("<b>", "").replace("</b>", "")
        cards.append([row[0], region, *row[2:4], rule])
    return cards


def write_mazes(path: Path) -> list[list[str]]:
    """A Hebrew workbook, as Google Sheets saves it, with a sheet that runs right to left."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "קלפים"
    sheet.sheet_view.rightToLeft = True
    rows: list[list[object]] = [
        ["שם", "סוג", "מחיר", "כללים", "כמות"],
        ["שומר השער", "אדם", 3, "אין לעבור בשער בלי מפתח.", 2],
        ["מפתח זהב", "חפץ", 5, "פותח כל דלת, פעם אחת בלבד.", 1],
        ["רוח רפאים", "יצור", 2, "עוברת דרך קירות: זוזו 3 צעדים.", 3],
        ["מבוי סתום", "מקום", 0, "חזרו לחדר הקודם.", 4],
        ["מראה שבורה", "חפץ", 1, "החליפו קלף עם שחקן אחר.", 2],
    ]
    _fill(sheet, rows)
    _save(book, path, {})
    return [[str(value) for value in row[:4]] for row in rows[1:]]
