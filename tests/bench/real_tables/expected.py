"""The 30 tables, and what a reader must find on their cards.

The expected texts were written before the program read a table for the first time.
"""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from tests.bench.real_tables import workbooks

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Table:
    """A table: its file, how it is written, and which of its columns are printed."""

    name: str
    file: str
    delimiter: str = ","
    encoding: str = "utf-8"
    # Columns for the program, not for the reader: copies, pictures, ids.
    hidden: tuple[str, ...] = ()
    # Columns of yes and no: their heading is printed, or the words; no word is required.
    flags: tuple[str, ...] = ()
    # Cells whose printed text differs from their text: symbols drawn as icons, for example.
    printed: dict[str, str] = field(default_factory=dict)
    # Lines above the column names, and lines below the cards.
    first_line: int = 0
    last_line: int | None = None
    writer: Callable[[Path], list[list[str]]] | None = None
    headings: str = ""
    # Words that may stand on a card although no cell contains them.
    also_printed: str = ""
    picture_folder: str = ""
    options: tuple[str, ...] = ()
    title_column: int = 0
    needs_font: bool = False
    # Languages of columns such as `Name (ru)`. Their cards need not have the other columns.
    langs: tuple[str, ...] = ("",)

    def prepare(self, folder: Path) -> list[list[str]]:
        """Write the table and its pictures. Return the expected text of each card."""
        if self.writer is not None:
            return self.writer(folder / self.file)
        text = (DATA / self.file).read_text(encoding="utf-8")
        newline = "\r\n" if self.encoding in {"cp1252", "cp1251", "utf-16"} else "\n"
        (folder / self.file).write_bytes(
            text.replace("\n", newline).encode(self.encoding)
        )
        if self.file.endswith(".json"):
            return self._list_objects(text)
        lines = text.splitlines(keepends=True)[self.first_line : self.last_line]
        rows = [
            row
            for row in csv.DictReader(lines, delimiter=self.delimiter)
            if any(row.values())
        ]
        for row in rows:
            self._draw_picture(row, folder)
        return [self._list_printed(row, lang) for lang in self.langs for row in rows]

    def list_headings(self) -> str:
        """Return the column names: words that may stand on each card."""
        if self.headings or self.writer is not None:
            return self.headings
        if self.file.endswith(".json"):
            return " ".join(
                json.loads((DATA / self.file).read_text(encoding="utf-8"))[0]
            )
        lines = (DATA / self.file).read_text(encoding="utf-8").splitlines()
        return lines[self.first_line].replace(self.delimiter, " ")

    def _list_objects(self, text: str) -> list[list[str]]:
        cards = []
        for item in json.loads(text):
            values = {
                key: value for key, value in item.items() if key not in self.hidden
            }
            cells = []
            for key, value in values.items():
                if isinstance(value, list):
                    cells.append(" ".join(value))
                elif value is not None and key not in self.flags:
                    cells.append(str(value))
            cards.append(cells)
        return cards

    def _list_printed(self, row: dict[str, str], lang: str) -> list[str]:
        cells = []
        for heading, text in row.items():
            if (
                not heading
                or not text
                or heading in self.hidden
                or heading in self.flags
            ):
                continue
            translation = re.search(r"\((\w\w)\)$", heading)
            column_lang = translation[1] if translation else ""
            if lang != (column_lang if column_lang in self.langs else ""):
                continue
            cells.append(self.printed.get(text, _strip_markup(text)))
        return cells

    def _draw_picture(self, row: dict[str, str], folder: Path) -> None:
        """Draw a picture that the row names, in the folder where such users keep it."""
        for text in row.values():
            found = re.match(r"[\w\\-]+\.png", text or "")
            if found is not None:
                file = folder / self.picture_folder / found[0].replace("\\", "/")
                file.parent.mkdir(parents=True, exist_ok=True)
                color = (len(file.stem) * 20, 90, 140)
                Image.new("RGB", (1000, 900), color).save(file, dpi=(300, 300))


def _strip_markup(text: str) -> str:
    """Return the words of a cell as a reader sees them: without HTML and Markdown."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    text = re.sub(r"^- ", "", text, flags=re.MULTILINE)
    return re.sub(r"\*(\w(?:[^*]*\w)?)\*", r"\1", text.replace("**", ""))


TABLES = (
    Table("squib-lighthouse", "squib-lighthouse.csv", hidden=("Qty", "Art")),
    Table("squib-insects", "squib-insects.tsv", "\t", hidden=("qty",)),
    Table("squib-gewuerze", "squib-gewuerze.csv", ";", "cp1252", hidden=("Anzahl",)),
    Table("squib-alchemy", "squib-alchemy.csv", hidden=("Copies",)),
    Table(
        "squib-voyages",
        "squib-voyages.csv",
        writer=workbooks.write_voyages,
        headings="Name Region Value Weight Rules",
    ),
    Table(
        "squib-smugglers",
        "squib-smugglers.xlsx",
        writer=workbooks.write_smugglers,
        headings="Name Type Bribe Ability Risk",
    ),
    Table(
        "nandeck-mines",
        "nandeck-mines.csv",
        ";",
        "cp1252",
        hidden=("[COUNT]", "[IMAGE]"),
    ),
    Table(
        "nandeck-suits",
        "nandeck-suits.csv",
        writer=workbooks.write_suits,
        headings="Rank Suit Points",
    ),
    Table("nandeck-bolota", "nandeck-bolota.csv", ";", "cp1251", hidden=("Кол-во",)),
    Table(
        "nandeck-marche", "nandeck-marche.txt", "\t", "utf-16", hidden=("Exemplaires",)
    ),
    Table("nandeck-forge", "nandeck-forge.csv", "|"),
    Table(
        "nandeck-castle",
        "nandeck-castle.xlsx",
        writer=workbooks.write_castle,
        headings="Faction Name Cost Strength Text",
        title_column=1,
    ),
    Table("cardpen-kitchen", "cardpen-kitchen.csv", hidden=("cardCount",)),
    Table("cardpen-expedition", "cardpen-expedition.csv", flags=("camp",)),
    Table("cardpen-trials", "cardpen-trials.csv", hidden=("kind",)),
    Table("cardpen-yokai", "cardpen-yokai.csv", hidden=("枚数",), needs_font=True),
    Table(
        "cardpen-garden",
        "cardpen-garden.csv",
        also_printed="sun with face droplet",
        printed={
            "Harvest: +1 🪙": "Harvest: +1",
            "Needs 🌞🌞🌞. Birds 🐦 visit it.": "Needs Birds visit it.",
            "Score 1 more for each 🐛 you have removed.": "Score 1 more for each you have removed.",
            "Spreads ➡ next bed.": "Spreads next bed.",
            "❤ +1, thorns ⚔ 1": "+1, thorns 1",
            "Ignores ❄.": "Ignores",
        },
    ),
    Table(
        "cardpen-harbour",
        "cardpen-harbour.csv",
        hidden=("id", "art"),
        flags=("armed",),
        picture_folder="pictures",
        options=("--pictures", "pictures"),
    ),
    Table(
        "airtable-creatures",
        "airtable-creatures.csv",
        encoding="utf-8-sig",
        hidden=("Art",),
        flags=("Flying",),
    ),
    Table("airtable-startups", "airtable-startups.csv", encoding="utf-8-sig"),
    Table(
        "airtable-spells", "airtable-spells.json", hidden=("id",), flags=("Reaction",)
    ),
    Table("airtable-museum", "airtable-museum.csv", hidden=("Anzahl",)),
    Table(
        "airtable-trains",
        "airtable-trains.csv",
        hidden=("No.",),
        also_printed="001 002 003 004 005 006 007",
    ),
    Table(
        "airtable-tea",
        "airtable-tea.csv",
        options=("--lang", "en"),
        langs=("", "ru"),
        also_printed="black white green 5 1 3 4 2",
    ),
    Table(
        "sheets-festival",
        "sheets-festival.csv",
        hidden=("Copies",),
        flags=("Headliner",),
        first_line=2,
        last_line=-1,
    ),
    Table(
        "sheets-arena",
        "sheets-arena.xlsx",
        writer=workbooks.write_arena,
        headings="Name School Attack Defence Total Crowd Fee Trait Note",
        options=("--sheet", "Gladiators"),
    ),
    Table(
        "sheets-bazaar",
        "sheets-bazaar.xlsx",
        writer=workbooks.write_bazaar,
        headings="Nom Ville Prix Effet Valeur Poids Durée",
        also_printed="Marchands Marchandises Événements",
    ),
    Table(
        "sheets-planets",
        "sheets-planets.xlsx",
        writer=workbooks.write_planets,
        headings="Planet Climate Size Moons Orbit (AU) Text Inhabited",
    ),
    Table(
        "sheets-winery",
        "sheets-winery.ods",
        writer=workbooks.write_winery,
        headings="Rebe Region Alkohol Punkte Regel",
    ),
    Table(
        "sheets-mazes",
        "sheets-mazes.xlsx",
        writer=workbooks.write_mazes,
        headings="שם סוג מחיר כללים",
        needs_font=True,
    ),
)
