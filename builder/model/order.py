"""What an order for a print shop holds: every card, copy and back accounted for. Pure values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MEASURED = re.compile(r"([\d.]+)x([\d.]+)")


def shown_size(name: str) -> str:
    """A size's name for people: `63x88`, which names files too, as `63 × 88`."""
    return _MEASURED.sub(r"\1 × \2", name) if _MEASURED.fullmatch(name) else name


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a face is printed: a file of the order and its page (0 for an image)."""

    file: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class OrderCard:
    """One card of the order. `fronts` and `backs` name every place it stands at; a common back serves many cards."""

    id: str
    kind: str
    name: str
    lang: str
    size: str
    copies: int
    fronts: tuple[Spot, ...]
    backs: tuple[Spot, ...]
    common_back: bool = False


@dataclass(frozen=True, slots=True)
class OrderFile:
    """One file of the order; lengths in mm, `pixels` of an image."""

    name: str
    size: str
    pages: int
    page: tuple[float, float]
    trim: tuple[float, float]
    sha256: str
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """The whole order. `colour` says in words how colours were made; `remarks` what shop and author must know;
    `release` names the state that is printed, empty for the cards as they are.
    """

    preset: str
    shop: str
    pack: str
    title: str
    state: str
    colour: str
    cards: tuple[OrderCard, ...]
    files: tuple[OrderFile, ...]
    remarks: tuple[str, ...] = field(default=())
    release: str = ""

    @property
    def totals(self) -> dict[str, int]:
        """How much of everything there is; copies counted where it says so."""
        own = [card for card in self.cards if card.backs and not card.common_back]
        common = {(card.kind, card.lang) for card in self.cards if card.common_back}
        return {
            "different_cards": len(self.cards),
            "cards": sum(card.copies for card in self.cards),
            "different_fronts": len(self.cards),
            "different_backs": len(own) + len(common),
            "cards_with_own_back": sum(card.copies for card in own),
            "cards_with_common_back": sum(card.copies for card in self.cards if card.common_back),
            "cards_without_back": sum(card.copies for card in self.cards if not card.backs),
            "files": len(self.files),
            "pages": sum(file.pages for file in self.files),
        }
