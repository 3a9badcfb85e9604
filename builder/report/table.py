"""What programs that show cards read: a gallery page, and the saved object of a simulated table. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

_STYLE = """body{font:16px sans-serif;margin:1.5rem;background:#eee;color:#111}
main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;background:#fff;padding:.6rem;border-radius:.5rem}
figure img{height:22rem;border-radius:.6rem;display:inline-block}figcaption{padding-top:.4rem}
@media(prefers-color-scheme:dark){body{background:#222;color:#eee}figure{background:#333}}"""


def gallery_html(title: str, cards: Sequence[tuple[str, str, str | None]], ending: str) -> str:
    """A page with every card: its name, the picture of its front, that of its back where it has one."""
    figures = []
    for name, front, back in cards:
        sides = [(front, ""), *([(back, " (back)")] if back else [])]
        pictures = "".join(
            f'<img loading="lazy" src="{escape(file)}.{ending}" alt="{escape(name + side)}">' for file, side in sides
        )
        figures.append(f"<figure>{pictures}<figcaption>{escape(name)}</figcaption></figure>")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(figures)
    page = f"<head>{head}<style>{_STYLE}</style></head><body><main>\n{body}\n</main></body>"
    return f"<!DOCTYPE html>\n<html>{page}</html>\n"


def saved_object(title: str, decks: Sequence[dict[str, Any]], columns: int, rows: int) -> str:
    """Decks as a simulated table saves them. Each deck: `face`, `back` (addresses of sheets), `cards` (name, id)."""
    objects = [_deck(number, deck, columns, rows) for number, deck in enumerate(decks, 1)]
    return json.dumps({"SaveName": title, "ObjectStates": objects}, ensure_ascii=False, indent=1) + "\n"


def _deck(number: int, deck: dict[str, Any], columns: int, rows: int) -> dict[str, Any]:
    """One deck; a deck of one card is a card."""
    sheet = {
        "FaceURL": deck["face"],
        "BackURL": deck["back"],
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
        for index, (name, identity) in enumerate(deck["cards"])
    ]
    if len(cards) == 1:
        return {**cards[0], "Transform": _transform(number - 1)}
    return {
        "Name": "DeckCustom",
        "Transform": _transform(number - 1),
        "DeckIDs": [card["CardID"] for card in cards],
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
