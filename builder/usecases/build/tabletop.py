"""Cards for simulated tables: decks that Tabletop Simulator loads, games for Card Game Simulator."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from builder.findings import Box, Location
from builder.messages import gettext as _
from builder.model.pack import Size
from builder.packs.releases.package import Package
from builder.render.prepress.raster import encode_picture, make_grid_sheet
from builder.render.render_codes import COARSE, ONE_BACK
from builder.render.sheets.sheets import Stack
from builder.report.tabletop import (
    MAX_COLUMNS,
    MAX_ROWS,
    GameCard,
    TableCard,
    TableDeck,
    TablePiece,
    TableSheet,
    choose_sheet_grid,
    format_game_files,
    format_saved_object,
)
from builder.usecases.build.pictures import Pictures, Screen, ShownFaces

Pile: TypeAlias = dict[Stack, list[ShownFaces]]
"""Copies of cards by their fronts."""


def write_table_game(
    box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen
) -> int:
    """Deck sheets, a deck for each of a product and each size, gauges and tokens, and the object that brings them."""
    where = screen.url.rstrip("/") if screen.url else pictures.folder.resolve().as_uri()
    decks: list[TableDeck] = []
    for number, (name, pile) in enumerate(_piles(pictures, cards), 1):
        decks.append(_build_deck(box, pictures, f"deck-{number}", name, pile, where))
    pieces = list(_pieces(box, pictures, where))
    box.write(
        "saved-object.json", format_saved_object(pictures.folder.name, decks, pieces).encode()
    )
    return sum(1 for name in box.hashes if name.endswith(".png"))


def _piles(pictures: Pictures, cards: Sequence[ShownFaces]) -> Iterator[tuple[str, Pile]]:
    """Decks with their names: those of a product, cards of different sizes apart."""
    piles: dict[tuple[str, Size], Pile] = {}
    for card in cards:
        piles.setdefault((card.deck, card.size), {}).setdefault(card.front, []).append(card)
    for (deck, _size), pile in piles.items():
        kinds = dict.fromkeys(copies[0].kind for copies in pile.values())
        yield pictures.decks.get(deck) or ", ".join(kinds), pile


def _build_deck(
    box: Package, pictures: Pictures, stem: str, name: str, pile: Pile, where: str
) -> TableDeck:
    faces = [copies[0] for copies in pile.values()]
    size = faces[0].size
    most = MAX_COLUMNS * MAX_ROWS
    sheets, found = [], []
    for number, start in enumerate(range(0, len(faces), most)):
        chunk = faces[start : start + most]
        title = f"{stem}-{number + 1}" if len(faces) > most else stem
        sheets.append(_build_sheet(box, pictures, title, chunk, where))
        for place, card in enumerate(chunk):
            facts = " · ".join(filter(None, (card.kind, card.faction, *card.facts)))
            text = f"{facts}\n{card.text}".strip()
            found.append(
                TableCard(card.card.id, card.name, text, number, place, len(pile[card.front]))
            )
    return TableDeck(
        name, Box(0, 0, size.width, size.height), tuple(sheets), tuple(found), size.shape
    )


def _build_sheet(
    box: Package, pictures: Pictures, title: str, cards: Sequence[ShownFaces], where: str
) -> TableSheet:
    """One picture of faces, and one of their backs: of all, or the one that they share."""
    asked = pictures.pixels(cards[0].size)
    columns, rows, sharp = choose_sheet_grid(len(cards), asked)
    cell = (int(asked[0] * sharp), int(asked[1] * sharp))
    dpi = round(pictures.dpi * sharp)
    if sharp < 1:
        form = _("{many} cards on a sheet have {got} dpi instead of {asked}")
        message = _(form, many=len(cards), got=dpi, asked=pictures.dpi)
        pictures.findings.append(COARSE.finding(message, Location(file=f"{title}-front.png")))
    backs = [card.back or card.front for card in cards]
    unique = len(set(backs)) > 1
    sides = {"front": ([card.front for card in cards], (columns, rows))}
    sides["back"] = (backs, (columns, rows)) if unique else (backs[:1], (1, 1))
    for side, (stacks, grid) in sides.items():
        drawn = (pictures.of(stack, cell) for stack in stacks)
        box.write(
            f"{title}-{side}.png", encode_picture(make_grid_sheet(drawn, cell, grid), "png", dpi)
        )
    front, back = (f"{where}/{title}-{side}.png" for side in sides)
    return TableSheet(front, back, columns, rows, unique)


def _pieces(box: Package, pictures: Pictures, where: str) -> Iterator[TablePiece]:
    for number, piece in enumerate(pictures.pieces(), 1):
        names = [f"gauges/{number:02d}-{piece.id}-{side}.png" for side in ("front", "back")]
        for name, side in zip(names, (piece.front, piece.back), strict=True):
            if side is not None:
                box.write(name, encode_picture(side, "png", piece.dpi))
        front, back = (f"{where}/{name}" for name in names)
        yield TablePiece(
            f"{number}-{piece.id}",
            piece.name,
            piece.note,
            front,
            back if piece.back is not None else front,
            piece.height,
            piece.cut_out,
            piece.count,
        )


def write_card_game(
    box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen
) -> int:
    """A folder for Card Game Simulator: a set for each kind, a deck for each of a product, one back for all."""
    unique = {card.front: card for card in cards}
    backs = Counter(card.back for card in cards if card.back is not None)
    commonest = backs.most_common(1)[0][0] if backs else None
    for card in unique.values():
        box.write(
            f"sets/{card.card.kind}/{card.card.id}.png",
            encode_picture(pictures.of(card.front), "png", screen.dpi),
        )
    if commonest is not None:
        box.write("CardBack.png", encode_picture(pictures.of(commonest), "png", screen.dpi))
    sizes = Counter(card.size for card in unique.values())
    size = sizes.most_common(1)[0][0]
    if len(backs) > 1 or len(sizes) > 1:
        message = _("the game needs one back and one card size; these cards have {backs} "
                    "and {sizes}",
                    backs=len(backs), sizes=len(sizes))  # fmt: skip
        pictures.findings.append(
            ONE_BACK.finding(message, Location(file="cgs.json"), ONE_BACK.remedy)
        )
    sets = {card.card.kind: card.kind for card in unique.values()}
    told = [
        GameCard(card.card.id, card.name, card.card.kind, next(iter(card.facts), ""), card.text)
        for card in unique.values()
    ]
    decks: dict[str, Mapping[str, int]] = {}
    for deck in dict.fromkeys(card.deck for card in cards):
        name = _file_name(pictures.decks.get(deck) or pictures.title)
        decks[name] = Counter(card.card.id for card in cards if card.deck == deck)
    url = (screen.url or "").rstrip("/")
    measure = Box(0, 0, size.width, size.height)
    for name, text in format_game_files(
        _file_name(pictures.title), sets, told, measure, decks, url
    ):
        box.write(name, text.encode())
    return len(unique) + (commonest is not None)


def _file_name(text: str) -> str:
    """A name that a file may have anywhere."""
    return (
        "".join(sign if sign.isalnum() or sign in " -_" else "-" for sign in text).strip()[:80]
        or "cards"
    )
