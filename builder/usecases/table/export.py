"""The cards of a kind as a table that says all that they say, and is read back as it was written."""

from collections import Counter
from pathlib import Path

from builder.files import write_atomic
from builder.findings import Finding, has_errors
from builder.store.annotations import Fields
from builder.store.project import Project
from builder.store.schema import kind_schema
from builder.store.tables import CellValue, table_bytes
from builder.store.tabular import Flattening
from builder.usecases.build.product import main_decks
from builder.usecases.files import PackFiles


def export_table(project: Project, pack: str, kind: str, file: Path) -> tuple[int, tuple[Finding, ...]]:
    """Write the cards of a kind into a file; how many. Nothing is written where the pack has errors: what is no card
    would be missing. UsageError where there is no such kind, or the file's name ends in none of a table.
    """
    loaded = PackFiles(project).load(pack)
    if loaded.pack is None or has_errors(loaded.findings):
        return 0, loaded.findings
    schema = kind_schema(project, loaded.pack.manifest, kind)
    flattening, cards = Flattening(Fields(schema.schema)), list(loaded.pack.of_kind(kind))
    rows: list[dict[str, CellValue]] = []
    heads, copies = ["id", "name"], Counter(card for _deck, card in main_decks(loaded))
    for card in cards:
        translations = {
            lang: {path: one.text for path, one in strings.get(card.id, {}).items()}
            for lang, strings in loaded.pack.translations.items()
        }
        value = loaded.documents[card.id].value
        assert isinstance(value, dict)
        own = flattening.rows(value, loaded.pack.texts[card.id], translations)
        _join(heads, list(dict.fromkeys(name for row in own for name in row)))
        rows += own
        rows[-len(own)]["copies"] = copies[card.id] or None
    heads += ["copies"] if copies else []
    cells: list[list[CellValue]] = [[*heads], *([row.get(name) for name in heads] for row in rows)]
    write_atomic(file, table_bytes(file, kind, cells))
    return len(cards), ()


def _join(heads: list[str], own: list[str]) -> None:
    """Put the columns of one card that are new behind those they follow."""
    place = 0
    for name in own:
        if name not in heads:
            heads.insert(place, name)
        place = heads.index(name) + 1
