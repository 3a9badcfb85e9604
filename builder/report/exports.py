"""Formats cut lines for a machine and orders for a shop. Pure."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from builder.findings import Box
from builder.geometry.boxes import find_hexagon_corners
from builder.geometry.imposition import Stroke
from builder.model.pack import Size
from builder.model.shop import FacePlace, OrderCard, ShopOrder
from builder.model.words import format_csv_line, guard_cell
from builder.report.json_text import dump_json

QUARTER_CIRCLE_BULGE = math.tan(math.pi / 8)
"""The bulge of a quarter circle in DXF."""
DXF_HEADER = """0
SECTION
2
HEADER
9
$ACADVER
1
AC1009
9
$INSUNITS
70
4
0
ENDSEC
0
SECTION
2
ENTITIES
"""
"""Group codes and values by turns: the version, mm as the unit, and the start of the entities."""


def format_svg_cut_lines(
    width: float,
    height: float,
    cards: Sequence[Box],
    card_size: Size,
    marks: Sequence[Stroke],
) -> str:
    """Format the cut lines and registration marks of a sheet as an SVG file. Lengths are in mm.

    Layer `cut` with the outlines of cards, layer `registration` with marks.
    """
    width_text = _format_mm(width)
    height_text = _format_mm(height)
    # The view box makes the units of all coordinates mm.
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_text}mm" height="{height_text}mm" '
        f'viewBox="0 0 {width_text} {height_text}" fill="none" stroke-width="0.1">'
    ]
    lines.append('<g id="cut" stroke="#ff0000">')
    lines += [_format_svg_outline(card, card_size) for card in cards]
    lines += ["</g>", '<g id="registration" stroke="#000000">']
    for mark in marks:
        start = f"{_format_mm(mark.x1)} {_format_mm(mark.y1)}"
        end = f"{_format_mm(mark.x2)} {_format_mm(mark.y2)}"
        lines.append(f'<path d="M{start}L{end}"/>')
    lines += ["</g>", "</svg>", ""]
    return "\n".join(lines)


def _format_svg_outline(card: Box, size: Size) -> str:
    if size.shape == "hexagon":
        corners = [
            f"{_format_mm(x)},{_format_mm(y)}" for x, y in find_hexagon_corners(card)
        ]
        return f'<polygon points="{" ".join(corners)}"/>'
    return (
        f'<rect x="{_format_mm(card.x)}" y="{_format_mm(card.y)}" width="{_format_mm(card.width)}" '
        f'height="{_format_mm(card.height)}" rx="{_format_mm(size.radius)}"/>'
    )


def format_dxf_cut_lines(
    height: float, cards: Sequence[Box], card_size: Size, marks: Sequence[Stroke]
) -> str:
    """Format the cut lines and registration marks of a sheet as a DXF file. Lengths are in mm.

    The version is AC1009. Cut lines are in layer CUT, marks in layer REGISTRATION, and y points up.
    """
    parts = [DXF_HEADER]
    parts += [_format_dxf_outline(card, card_size, height) for card in cards]
    for mark in marks:
        start = f"10\n{_format_mm(mark.x1)}\n20\n{_format_mm(height - mark.y1)}"
        end = f"11\n{_format_mm(mark.x2)}\n21\n{_format_mm(height - mark.y2)}"
        parts.append(f"0\nLINE\n8\nREGISTRATION\n{start}\n{end}\n")
    parts.append("0\nENDSEC\n0\nEOF\n")
    return "".join(parts)


def _format_dxf_outline(card: Box, size: Size, height: float) -> str:
    """Format the outline of a card as a closed DXF polyline, counter-clockwise.

    Round corners are arcs.
    """
    if size.shape == "hexagon":
        # The corners are clockwise on the page.
        corners = reversed(find_hexagon_corners(card))
        vertices = [(x, height - y, 0.0) for x, y in corners]
    else:
        vertices = _list_rounded_vertices(card, size.radius, height)
    # Code 66 announces vertices, and 1 in code 70 closes the line.
    parts = ["0\nPOLYLINE\n8\nCUT\n66\n1\n70\n1\n"]
    for x, y, bulge in vertices:
        point = f"10\n{_format_mm(x)}\n20\n{_format_mm(y)}"
        parts.append(f"0\nVERTEX\n8\nCUT\n{point}\n42\n{bulge:.6f}\n")
    parts.append("0\nSEQEND\n")
    return "".join(parts)


def _list_rounded_vertices(
    card: Box, radius: float, height: float
) -> list[tuple[float, float, float]]:
    """Return the vertices of a rounded rectangle as (x, y, bulge of the line to the next one)."""
    radius = min(radius, card.width / 2, card.height / 2)
    x_min = card.x
    x_max = card.x + card.width
    y_min = height - card.y - card.height
    y_max = height - card.y
    bulge = QUARTER_CIRCLE_BULGE if radius else 0.0
    return [
        (x_min + radius, y_min, 0.0),
        (x_max - radius, y_min, bulge),
        (x_max, y_min + radius, 0.0),
        (x_max, y_max - radius, bulge),
        (x_max - radius, y_max, 0.0),
        (x_min + radius, y_max, bulge),
        (x_min, y_max - radius, 0.0),
        (x_min, y_min + radius, bulge),
    ]


def _format_mm(value: float) -> str:
    """Format a length in mm with at most 4 decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def format_order_json(order: ShopOrder) -> str:
    """Format a print shop order as JSON. Equal orders give equal text."""
    value: dict[str, object] = {
        "made_by": "squadpress",
        **asdict(order),
        "totals": order.totals,
    }
    return dump_json(value, indent=1)


def format_order_csv(order: ShopOrder) -> str:
    """Format the cards of a print shop order as CSV, one row per card and language."""
    columns = (
        "deck",
        "id",
        "name",
        "kind",
        "language",
        "size",
        "copies",
        "front",
        "back",
    )
    lines = [format_csv_line(columns)]
    for card in order.cards:
        cells = (
            card.deck,
            card.id,
            guard_cell(card.name),
            card.kind,
            card.lang,
            card.size,
            card.copies,
            _get_first_face_file(card.fronts),
            _get_first_face_file(card.backs),
        )
        lines.append(format_csv_line(cells))
    return "".join(lines)


def _get_first_face_file(places: Sequence[FacePlace]) -> str:
    return places[0].file if places else ""


DECK_SIZES = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
"""Sizes in which the shop that the tool below fills in sells decks."""


def format_autofill_xml(cards: Sequence[OrderCard], stock: str) -> str:
    """Format the cards of one deck for mpc-autofill, a tool that uploads images to a print shop.

    Images have the names of the files beside the order; slots count from 0. The back of most cards
    is the `cardback`; the others are listed as backs.
    """
    slots: dict[str, dict[str, list[int]]] = {"fronts": {}, "backs": {}}
    quantity = 0
    for card in cards:
        card_slots = range(quantity, quantity + card.copies)
        quantity += card.copies
        for side, places in (("fronts", card.fronts), ("backs", card.backs)):
            slots[side].setdefault(_get_first_face_file(places), []).extend(card_slots)
    # The format knows one default back, so the most frequent one saves most entries.
    common_back = max(slots["backs"], key=lambda file: len(slots["backs"][file]))
    del slots["backs"][common_back]
    root = Element("order")
    details = SubElement(root, "details")
    bracket = next((size for size in DECK_SIZES if size >= quantity), DECK_SIZES[-1])
    _add_text_elements(
        details, quantity=str(quantity), bracket=str(bracket), stock=stock, foil="false"
    )
    for side, slots_by_file in slots.items():
        part = SubElement(root, side)
        for file, file_slots in slots_by_file.items():
            listed_slots = ",".join(map(str, file_slots))
            name = file.rpartition("/")[2]
            _add_text_elements(
                SubElement(part, "card"),
                id=file,
                slots=listed_slots,
                name=name,
                query="",
            )
    SubElement(root, "cardback").text = common_back
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _add_text_elements(parent: Element, **texts: str) -> None:
    """Add a child element for each keyword. The keyword is its tag, the value its text."""
    for tag, text in texts.items():
        SubElement(parent, tag).text = text
