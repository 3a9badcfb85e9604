"""Export the cards of a kind as a table that has all their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from builder.files import write_atomic
from builder.findings import Finding, has_errors
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.schema.annotations import Fields
from builder.packs.schema.validation import load_kind_schema
from builder.packs.tables.flatten import CardExporter
from builder.packs.tables.sheet import CellValue
from builder.packs.tables.write import format_table
from builder.usecases.build.product import list_main_deck_cards


def export_table(
    project: Project, pack: str, kind: str, file: Path
) -> tuple[int, tuple[Finding, ...]]:
    """Write all cards of a kind into a table file. Return their number and findings.

    Nothing is written if the pack has errors, because cards would be missing. Raise UsageError if
    there is no such kind, or the file's extension is none of a table.
    """
    loaded = PackFiles(project).load_pack(pack)
    if loaded.pack is None or has_errors(loaded.findings):
        return 0, loaded.findings
    schema = load_kind_schema(project, loaded.pack.manifest, kind)
    flattener = CardExporter(Fields(schema.schema))
    copies = Counter(card for _deck, card in list_main_deck_cards(loaded))
    names = ["id", "name"]
    rows: list[dict[str, CellValue]] = []
    card_count = 0
    for card in loaded.pack.list_cards_of_kind(kind):
        card_count += 1
        card_rows = make_card_rows(loaded, flattener, card.id)
        for row in card_rows:
            merge_column_names(names, row)
        # Set after the names are known: the column is the last, and only there if a deck exists.
        card_rows[0]["copies"] = copies[card.id] or None
        rows += card_rows
    if copies:
        names.append("copies")
    cells: list[list[CellValue]] = [[*names]]
    for row in rows:
        values = (row.get(name) for name in names)
        cells.append([*values])
    write_atomic(file, format_table(file, kind, cells))
    return card_count, ()


def make_card_rows(
    loaded: LoadedPack, flattener: CardExporter, card: str
) -> list[dict[str, CellValue]]:
    """Return the table rows of one card, each as values by column name."""
    pack = loaded.whole
    translations: dict[str, dict[str, str]] = {}
    for lang, strings in pack.translations.items():
        texts = strings.get(card, {})
        translations[lang] = {path: string.text for path, string in texts.items()}
    value = loaded.documents[card].value
    assert isinstance(value, dict)
    return flattener.make_rows(value, pack.texts[card], translations)


def merge_column_names(names: list[str], new_names: Iterable[str]) -> None:
    """Insert the column names of a card into `names`, each after the column before it.

    Cards have different fields, and their columns should keep the order of the fields.
    """
    place = 0
    for name in new_names:
        if name not in names:
            names.insert(place, name)
        place = names.index(name) + 1
