"""An order for a print shop as JSON for programs and as text for people. Pure."""

from __future__ import annotations

import json
from dataclasses import asdict

from builder.model.shop import FacePlace, OrderCard, ShopOrder


def order_json(order: ShopOrder) -> str:
    """The whole order; equal orders give equal text."""
    value: dict[str, object] = {"made_by": "squadpress", **asdict(order), "totals": order.totals}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def order_text(order: ShopOrder) -> str:
    """The order to be read: totals, files, cards, remarks."""
    lines = [f"{order.title}: {order.shop}", f"pack {order.pack}, {order.state}", f"colour: {order.colour}", ""]
    lines += [f"{count:6d}  {name.replace('_', ' ')}" for name, count in order.totals.items()]
    lines += ["", "Files"]
    for file in order.files:
        shape = f"{file.pixels[0]} × {file.pixels[1]} px" if file.pixels else f"{file.pages} pages"
        trim, page = (f"{size[0]:g} × {size[1]:g} mm" for size in (file.trim, file.page))
        lines.append(f"  {file.name}: {shape}, trim {trim}, with bleed {page}")
    lines += ["", "Cards (copies, name, where)"]
    lines += [_card(card) for card in order.cards]
    if order.remarks:
        lines += ["", "To be known", *(f"  - {remark}" for remark in order.remarks)]
    return "\n".join(lines) + "\n"


def _card(card: OrderCard) -> str:
    """One line of a card."""
    back = "no back" if not card.backs else f"{'common ' if card.common_back else ''}back {_spots(card.backs)}"
    return f"{card.copies:4d}  {card.name} [{card.lang}] ({card.kind}/{card.id}): front {_spots(card.fronts)}; {back}"


def _spots(spots: tuple[FacePlace, ...]) -> str:
    """Places in few words: the pages of one file together."""
    files: dict[str, list[int]] = {}
    for spot in spots:
        files.setdefault(spot.file, []).append(spot.page)
    parts = []
    for name, pages in files.items():
        shown = ", ".join(map(str, pages if len(pages) <= 6 else [*pages[:5], "...", pages[-1]]))
        parts.append(f"{name} p. {shown}" if any(pages) else name)
    return "; ".join(parts)
