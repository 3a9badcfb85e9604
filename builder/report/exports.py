"""Formats cut lines for a machine and orders for a shop. Pure."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from builder.findings import Box
from builder.geometry.boxes import find_hexagon_corners
from builder.geometry.imposition import Stroke
from builder.model.pack import Size
from builder.model.shop import OrderCard, ShopOrder
from builder.model.words import format_csv_line, guard_cell
from builder.report.json_text import dump_json

QUARTER_CIRCLE_BULGE = math.tan(math.pi / 8)
"""The bulge of a quarter circle in DXF."""


def cut_svg(
    width: float, height: float, cards: Sequence[Box], card_size: Size, marks: Sequence[Stroke]
) -> str:
    """Return the sheet as SVG.

    Layer `cut` with the outlines of cards, layer `registration` with marks.
    """
    rects = [_format_outline(card, card_size) for card in cards]
    crosses = [
        f'<path d="M{_to_mm(line.x1)} {_to_mm(line.y1)}L{_to_mm(line.x2)} {_to_mm(line.y2)}"/>'
        for line in marks
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'width="{_to_mm(width)}mm" '
        f'height="{_to_mm(height)}mm" '
        f'viewBox="0 0 {_to_mm(width)} {_to_mm(height)}" fill="none" stroke-width="0.1">'
    )
    cut = ['<g id="cut" stroke="#ff0000">', *rects, "</g>"]
    registration = ['<g id="registration" stroke="#000000">', *crosses, "</g>"]
    return "\n".join([head, *cut, *registration, "</svg>", ""])


def _format_outline(card: Box, size: Size) -> str:
    if size.shape == "hexagon":
        corners = [f"{_to_mm(x)},{_to_mm(y)}" for x, y in find_hexagon_corners(card)]
        return f'<polygon points="{" ".join(corners)}"/>'
    box = (
        f'x="{_to_mm(card.x)}" y="{_to_mm(card.y)}" '
        f'width="{_to_mm(card.width)}" '
        f'height="{_to_mm(card.height)}"'
    )
    return f'<rect {box} rx="{_to_mm(size.radius)}"/>'


def cut_dxf(height: float, cards: Sequence[Box], card_size: Size, marks: Sequence[Stroke]) -> str:
    """Return the sheet as DXF: layer CUT with closed lines, layer REGISTRATION with marks.

    The format is AC1009 in mm, with y upwards.
    """
    lines = [
        "0",
        "SECTION",
        "2",
        "HEADER",
        "9",
        "$ACADVER",
        "1",
        "AC1009",
        "9",
        "$INSUNITS",
        "70",
        "4",
        "0",
        "ENDSEC",
    ]
    lines += ["0", "SECTION", "2", "ENTITIES"]
    for card in cards:
        lines += _format_polyline(card, card_size, height)
    for line in marks:
        lines += [
            "0",
            "LINE",
            "8",
            "REGISTRATION",
            "10",
            _to_mm(line.x1),
            "20",
            _to_mm(height - line.y1),
        ]
        lines += ["11", _to_mm(line.x2), "21", _to_mm(height - line.y2)]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])


def _format_polyline(card: Box, size: Size, height: float) -> list[str]:
    """Return a closed outline, counter-clockwise. Round corners are true arcs."""
    radius = min(size.radius, card.width / 2, card.height / 2)
    x_min, x_max = card.x, card.x + card.width
    y_min, y_max = height - card.y - card.height, height - card.y
    bulge = QUARTER_CIRCLE_BULGE if radius else 0.0
    spots: tuple[tuple[float, float, float], ...] = (
        (x_min + radius, y_min, 0.0),
        (x_max - radius, y_min, bulge),
        (x_max, y_min + radius, 0.0),
        (x_max, y_max - radius, bulge),
        (x_max - radius, y_max, 0.0),
        (x_min + radius, y_max, bulge),
        (x_min, y_max - radius, 0.0),
        (x_min, y_min + radius, bulge),
    )
    if size.shape == "hexagon":
        spots = tuple((x, height - y, 0.0) for x, y in reversed(find_hexagon_corners(card)))
    out = ["0", "POLYLINE", "8", "CUT", "66", "1", "70", "1"]
    for x, y, bend in spots:
        out += [
            "0",
            "VERTEX",
            "8",
            "CUT",
            "10",
            _to_mm(x),
            "20",
            _to_mm(y),
            "42",
            f"{bend:.6f}",
        ]
    return [*out, "0", "SEQEND"]


def _to_mm(value: float) -> str:
    """Return a length in mm with at most 4 decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def order_json(order: ShopOrder) -> str:
    """Return the whole order as JSON. Equal orders give equal text."""
    value: dict[str, object] = {"made_by": "squadpress", **asdict(order), "totals": order.totals}
    return dump_json(value, indent=1)


def order_csv(order: ShopOrder) -> str:
    """Return the order's cards as CSV: one row per card and language, as order forms ask for."""
    lines = [
        format_csv_line(
            ("deck", "id", "name", "kind", "language", "size", "copies", "front", "back")
        )
    ]
    for card in order.cards:
        first = (places[0].file if places else "" for places in (card.fronts, card.backs))
        cells = (
            card.deck,
            card.id,
            guard_cell(card.name),
            card.kind,
            card.lang,
            card.size,
            card.copies,
            *first,
        )
        lines.append(format_csv_line(cells))
    return "".join(lines)


DECK_SIZES = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
"""Sizes in which the shop that the tool below fills in sells decks."""


def format_autofill_xml(cards: Sequence[OrderCard], stock: str) -> str:
    """Return one deck's cards for mpc-autofill, a desktop tool that uploads images to a shop.

    Images have the names of the files beside the order; slots count from 0. The back of most cards
    is the `cardback`; the others are listed as backs.
    """
    slots: dict[str, dict[str, list[int]]] = {"fronts": {}, "backs": {}}
    quantity = 0
    for card in cards:
        slots_of_card = range(quantity, quantity + card.copies)
        quantity += card.copies
        for side, places in (("fronts", card.fronts), ("backs", card.backs)):
            slots[side].setdefault(places[0].file if places else "", []).extend(slots_of_card)
    common = max(slots["backs"], key=lambda file: len(slots["backs"][file]))
    del slots["backs"][common]
    root = Element("order")
    details = SubElement(root, "details")
    bracket = next((size for size in DECK_SIZES if size >= quantity), DECK_SIZES[-1])
    for tag, value in (
        ("quantity", quantity),
        ("bracket", bracket),
        ("stock", stock),
        ("foil", "false"),
    ):
        SubElement(details, tag).text = str(value)
    for side, files in slots.items():
        part = SubElement(root, side)
        for file, places_of in files.items():
            listed = {
                "id": file,
                "slots": ",".join(map(str, places_of)),
                "name": file.rpartition("/")[2],
                "query": "",
            }
            card_element = SubElement(part, "card")
            for tag, text in listed.items():
                SubElement(card_element, tag).text = text
    SubElement(root, "cardback").text = common
    indent(root)
    return tostring(root, encoding="unicode") + "\n"
