"""What programs that show cards read: a gallery page, and the saved object of a simulated table. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from builder.messages import gettext as _
from builder.messages import translate

_STYLE = """body{font:16px/1.4 sans-serif;margin:1.5rem;background:#eee;color:#111}h1{font-size:1.3rem}
main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;background:#fff;padding:.6rem;border-radius:.5rem;max-width:100%;
box-sizing:border-box}figure img{height:22rem;width:auto;max-width:100%;object-fit:contain;border-radius:.6rem}
figure img+img{margin-left:.4rem}figcaption{padding-top:.4rem}
@media(prefers-color-scheme:dark){body{background:#222;color:#eee}figure{background:#333}}"""


@dataclass(frozen=True, slots=True)
class Hung:
    """A card in a gallery: its name, the files of its front and of its back where it has one, their size in pixels."""

    name: str
    front: str
    back: str | None
    pixels: tuple[int, int]


def gallery_html(title: str, lang: str, cards: Sequence[Hung]) -> str:
    """A page with every card: its name, the picture of its front, that of its back where it has one."""
    words = (translate(_("front"), lang), translate(_("back"), lang))
    figures = []
    for card in cards:
        sides = zip((card.front, card.back), words, strict=True)
        pictures = "".join(_picture(card, file, side) for file, side in sides if file)
        figures.append(f"<figure>{pictures}<figcaption>{escape(card.name)}</figcaption></figure>")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    )
    body = "\n".join(figures)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}"><head>{head}</head>'
        f"<body><h1>{escape(title)}</h1><main>\n{body}\n</main></body></html>\n"
    )


def _picture(card: Hung, file: str, side: str) -> str:
    width, height = card.pixels
    size = f'width="{width}" height="{height}"'
    return f'<img loading="lazy" src="{escape(file)}" {size} alt="{escape(f"{card.name}, {side}")}">'


@dataclass(frozen=True, slots=True)
class TableDeck:
    """A deck of a simulated table: the addresses of its two sheets, and the name and id of each card."""

    face: str
    back: str
    cards: tuple[tuple[str, str], ...]


def saved_object(title: str, decks: Sequence[TableDeck], columns: int, rows: int) -> str:
    """Decks as a simulated table saves them."""
    objects = [_deck(number, deck, columns, rows) for number, deck in enumerate(decks, 1)]
    return json.dumps({"SaveName": title, "ObjectStates": objects}, ensure_ascii=False, indent=1) + "\n"


def _deck(number: int, deck: TableDeck, columns: int, rows: int) -> dict[str, object]:
    """One deck; a deck of one card is a card."""
    sheet = {
        "FaceURL": deck.face,
        "BackURL": deck.back,
        "NumWidth": columns,
        "NumHeight": rows,
        "BackIsHidden": True,
        "UniqueBack": True,
    }
    cards = [
        {
            "Name": "Card",
            "Nickname": name,
            "GMNotes": identity,
            "Transform": _transform(0),
            "CardID": number * 100 + index,
            "CustomDeck": {str(number): sheet},
        }
        for index, (name, identity) in enumerate(deck.cards)
    ]
    if len(cards) == 1:
        return {**cards[0], "Transform": _transform(number - 1)}
    return {
        "Name": "DeckCustom",
        "Transform": _transform(number - 1),
        "DeckIDs": [number * 100 + index for index in range(len(cards))],
        "CustomDeck": {str(number): sheet},
        "ContainedObjects": cards,
    }


def _transform(place: int) -> dict[str, float]:
    """Where an object lies: decks beside each other, face down."""
    return {
        "posX": 4.0 * place,
        "posY": 1.0,
        "posZ": 0.0,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": 180.0,
        "scaleX": 1.0,
        "scaleY": 1.0,
        "scaleZ": 1.0,
    }
