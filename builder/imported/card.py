"""The cards of an imported list, as plain values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a card's table: its name, how many models or items it stands for, and its values.

    `note` has the values of columns that are too wide for the card.
    """

    name: str
    values: tuple[str, ...]
    count: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table on an imported card, such as stat lines. `title` is the name of the profile type.

    The columns of a tight table have equal widths, and longer words are broken.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    is_tight: bool = False


@dataclass(frozen=True, slots=True)
class TitledText:
    """A rules text with its title, as printed on an imported card.

    If the text is empty, only the title is printed: the text is on a reference card.
    """

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes to tick off for damage: `per_model` boxes for each of the `models`.

    `name` is that of the stat line if the card has several.
    """

    models: int
    per_model: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class ImportedCard:
    """A card made from an imported list: a unit, a model, or a reference card with shared texts.

    `side` is the faction. `cost` is that of one copy. `models` are the members of a unit,
    `equipment` other selections without profiles. `code` is a text for a QR code. `groups` names
    the group of each copy, such as a detachment. `selection_ids` has the topmost selection of each
    copy.
    """

    name: str
    side: str = ""
    custom_name: str = ""
    cost: float = 0
    copies: int = 1
    model_count: int = 1
    stats: tuple[CardTable, ...] = ()
    tables: tuple[CardTable, ...] = ()
    passages: tuple[TitledText, ...] = ()
    keywords: tuple[str, ...] = ()
    models: tuple[TableRow, ...] = ()
    equipment: tuple[TableRow, ...] = ()
    notes: str = ""
    boxes: tuple[Boxes, ...] = ()
    code: str = ""
    groups: tuple[str, ...] = ("",)
    entry_id: str = ""
    selection_ids: tuple[str, ...] = ()

    @property
    def has_content(self) -> bool:
        """True if the card has more to print than a name, keywords and a cost."""
        tables = self.stats or self.tables or self.models or self.equipment
        return bool(tables or self.passages or self.notes or self.custom_name)

    @property
    def content(self) -> tuple[object, ...]:
        """All printed values of the card.

        Cards with equal content are merged into one with copies.
        """
        return (
            self.name,
            self.side,
            self.custom_name,
            self.cost,
            self.stats,
            self.tables,
            self.passages,
            self.keywords,
            self.models,
            self.equipment,
            self.notes,
            self.boxes,
        )


@dataclass(frozen=True, slots=True)
class ImportedList:
    """All cards made from an imported list, and the list's totals.

    `cost_name` is the main cost type, `total` the total in the file, `cost_limit` the limit in the
    file (0 for none), and `leftover_cost` the cost of selections that belong to no card. `options`
    are selections without cards, such as the size of the battle, and `option_keywords` their
    categories. `problems` are messages about numbers that cannot be read.
    """

    name: str
    system_id: str
    system_name: str
    cost_name: str
    total: float
    cards: tuple[ImportedCard, ...]
    references: tuple[ImportedCard, ...]
    options: tuple[TitledText, ...] = ()
    option_keywords: tuple[str, ...] = ()
    leftover_cost: float = 0
    notes: str = ""
    unknown_elements: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    id: str = ""
    cost_limit: float = 0

    @property
    def excess_cost(self) -> float:
        """The part of the total cost that is over the list's limit, or 0."""
        return max(self.total - self.cost_limit, 0) if self.cost_limit > 0 else 0

    @property
    def card_cost(self) -> float:
        """The total cost of all cards, copies included."""
        return sum(card.cost * card.copies for card in self.cards)

    @property
    def has_costs(self) -> bool:
        """True if anything in the list has a cost."""
        return bool(
            self.total or self.leftover_cost or any(card.cost for card in self.cards)
        )

    @property
    def has_equal_costs(self) -> bool:
        """True if the costs of all selections add up to the total that the file states."""
        return abs(self.card_cost + self.leftover_cost - self.total) < 0.01
