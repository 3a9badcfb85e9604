"""The number of copies of a card that a table states, in products.yaml."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from builder.errata.change import compare_leaves
from builder.messages import Message, gettext as _
from builder.model.base import DataPath, Json, get_map, list_items, look_up
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import read_text
from builder.packs.project import Project
from builder.packs.yaml.editing import YamlText
from builder.packs.yaml.reading import parse_document
from builder.report.release import TableChange
from builder.usecases.build.product import SHEETS, list_main_deck_cards
from builder.usecases.tables.table_import import TableImport

COPIES = ("copies",)
"""The column that counts the copies of a card in the box."""
COUNT = re.compile(r"[x×]?\s*(\d{1,4})(?:[.,]0+)?\s*[x×]?", re.IGNORECASE)
"""A number of copies: `3`, `3x`, `x3`."""
MAX_COPIES = 1000


def read_copies(text: str) -> int | Message:
    """Parse a number of copies from a cell. Return a message if it is not one."""
    match = COUNT.fullmatch(text)
    # A spreadsheet may export the number 3 as `3.0`, which the expression allows.
    if not match or int(match[1]) > MAX_COPIES:
        return _("copies must be a whole number, 0 or more: {value}", value=text)
    return int(match[1])


def write_copies(project: Project, loaded: LoadedPack, result: TableImport) -> None:
    """Write the numbers of copies from tables of all kinds into products.yaml."""
    if not result.copies:
        return
    document = loaded.sources["products.yaml"]
    path = project.get_cards_dir(loaded.whole.id) / "products.yaml"
    old_text = read_text(path)
    edit = YamlText(old_text, document.file)
    editor = CopiesEditor(loaded, edit, document.value, list_main_deck_cards(loaded))
    for copies in result.copies:
        # The reporter of a kind collected its findings in a result that was merged since.
        reporter = replace(copies.reporter, findings=result.findings)
        for card_id, problem in editor.set_copies(copies.kind, copies.counts).items():
            reporter.report_row(copies.rows[card_id], problem, column=copies.column)
    editor.write_new_lines()
    if edit.text != old_text:
        new_document, _findings = parse_document(edit.body, document.file)
        new_value = get_map(new_document.value if new_document else None)
        leaves = compare_leaves(get_map(document.value), new_value)
        result.files[path] = edit.text.encode()
        result.changes.append(TableChange(document.file, "changed", leaves))


@dataclass(slots=True)
class CopiesEditor:
    """Edits the numbers of copies in the first product of products.yaml."""

    loaded: LoadedPack
    text: YamlText
    value: Json
    deck_cards: Sequence[tuple[str, str]]
    """Deck and id of each copy in the first product."""
    product: str | int | None = None
    places: dict[str, dict[str, str | int]] = field(default_factory=dict)
    """The index of the last line that names a card, by its id and deck."""
    decks_by_kind: dict[str, list[str]] = field(default_factory=dict)
    """The decks with all cards of a kind."""
    new_lines: dict[DataPath, list[Json]] = field(default_factory=dict)
    """The lines to be added, by the path of their list."""

    counts: Counter[str] = field(default_factory=Counter)
    decks_by_card: dict[str, list[str]] = field(default_factory=dict)
    known_ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Count the copies that the product has now."""
        self.find_lines()
        self.counts.update(card for _deck, card in self.deck_cards)
        for deck, card in dict.fromkeys(self.deck_cards):
            self.decks_by_card.setdefault(card, []).append(deck)
        self.known_ids.update(file.id or file.stem for file in self.loaded.files)

    def set_copies(self, kind: str, copies: Mapping[str, int]) -> dict[str, Message]:
        """Set the copies of cards whose number changed. Return the reasons for impossible ones.

        New lines are collected until `write_new_lines`.
        """
        problems: dict[str, Message] = {}
        for card, count in copies.items():
            old_count = self.counts[card]
            if card not in self.known_ids:
                # A new card is not counted yet, but a deck with its whole kind holds it once.
                old_count = 1
            is_default = count == 1 and not self.counts[card]
            if count == old_count or is_default:
                continue
            problem = self.write_card(kind, card, count)
            if problem is not None:
                problems[card] = problem
        return problems

    def write_new_lines(self) -> None:
        """Write the new lines of all kinds at once, because parsing the file takes seconds."""
        for path, lines in self.new_lines.items():
            self.text.append_items(path, lines)

    def find_lines(self) -> None:
        """Find the first product, its lines that name cards, and its decks with whole kinds."""
        products = list_items(look_up(self.value, ("products",)))
        self.product, content = next(iter(products), (None, None))
        for deck, lines in list_deck_lines(content).items():
            for index, line in list_items(lines):
                card = look_up(line, ("card",))
                if isinstance(card, str):
                    self.places.setdefault(card, {})[deck] = index
                kind = look_up(line, ("where", "kind"))
                if isinstance(kind, str):
                    self.decks_by_kind.setdefault(kind, []).append(deck)

    def write_card(self, kind: str, card: str, count: int) -> Message | None:
        """Write a card's copies on the last line that names it, or on a new line.

        Return a message if no line or several decks fit.
        """
        if self.product is None:
            return _("products.yaml holds no product")
        places = self.places.get(card, {})
        # A line may name a card with 0 copies, so a card without a deck may have a line.
        decks = self.decks_by_card.get(card) or list(places)
        if not decks:
            decks = self.decks_by_kind.get(kind, [])[:1]
        if len(decks) > 1:
            listed = ", ".join(deck or "sheets" for deck in decks)
            return _(
                "copies of {card} lie in several decks: {listed}",
                card=card,
                listed=listed,
            )
        if not decks:
            form = _("no deck of the first product holds cards of the kind {kind}")
            return _(form, kind=kind)
        deck = decks[0]
        path: DataPath = ("products", self.product, "decks", deck, "cards")
        if deck == SHEETS:
            path = ("products", self.product, "sheets")
        if deck in places:
            self.text.set_entry((*path, places[deck]), "copies", count)
        else:
            self.new_lines.setdefault(path, []).append({"card": card, "copies": count})
        return None


def list_deck_lines(product: Json) -> dict[str, Json]:
    """Return the lines of each deck of a product, by deck."""
    lines_by_deck: dict[str, Json] = {}
    for deck, content in list_items(look_up(product, ("decks",))):
        lines_by_deck[str(deck)] = look_up(content, ("cards",))
    lines_by_deck[SHEETS] = look_up(product, ("sheets",))
    return lines_by_deck
