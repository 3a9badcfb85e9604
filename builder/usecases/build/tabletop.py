"""Write cards for simulated tables: Tabletop Simulator decks, Card Game Simulator games."""

import re
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
from builder.usecases.build.pictures import CardFaces, PictureOptions, Pictures

Pile: TypeAlias = dict[Stack, list[CardFaces]]
"""Copies of cards by their fronts."""
MAX_NAME_LENGTH = 80
"""Characters of a file name."""


def write_table_game(
    box: Package, pictures: Pictures, cards: Sequence[CardFaces], screen: PictureOptions
) -> int:
    """Write deck sheets, gauges and tokens, and the saved object that places them on the table.

    There is a deck for each deck of a product and each card size. Return the number of pictures.
    """
    # Without an address, the simulator reads the pictures from this disk.
    url = pictures.folder.resolve().as_uri()
    if screen.url:
        url = screen.url.rstrip("/")
    decks: list[TableDeck] = []
    for number, (name, pile) in enumerate(_sort_into_piles(pictures, cards), 1):
        decks.append(_build_deck(box, pictures, f"deck-{number}", name, pile, url))
    pieces = list(_build_pieces(box, pictures, url))
    saved_object = format_saved_object(pictures.folder.name, decks, pieces)
    box.write_file("saved-object.json", saved_object.encode())
    return sum(1 for name in box.hashes if name.endswith(".png"))


def _sort_into_piles(
    pictures: Pictures, cards: Sequence[CardFaces]
) -> Iterator[tuple[str, Pile]]:
    """Yield the name and the cards of each deck. Cards of different sizes are in separate decks."""
    piles: dict[tuple[str, Size], Pile] = {}
    for card in cards:
        pile = piles.setdefault((card.deck, card.size), {})
        pile.setdefault(card.front, []).append(card)
    for (deck, _size), pile in piles.items():
        kinds = dict.fromkeys(copies[0].kind for copies in pile.values())
        yield pictures.decks.get(deck) or ", ".join(kinds), pile


def _build_deck(
    box: Package, pictures: Pictures, stem: str, name: str, pile: Pile, url: str
) -> TableDeck:
    faces = [copies[0] for copies in pile.values()]
    size = faces[0].size
    max_cards = MAX_COLUMNS * MAX_ROWS
    sheets: list[TableSheet] = []
    cards: list[TableCard] = []
    for number, start in enumerate(range(0, len(faces), max_cards)):
        sheet_faces = faces[start : start + max_cards]
        title = f"{stem}-{number + 1}" if len(faces) > max_cards else stem
        sheets.append(_build_sheet(box, pictures, title, sheet_faces, url))
        for place, card in enumerate(sheet_faces):
            copies = len(pile[card.front])
            text = _describe_card(card)
            cards.append(
                TableCard(card.card.id, card.name, text, number, place, copies)
            )
    trim = Box(0, 0, size.width, size.height)
    return TableDeck(name, trim, tuple(sheets), tuple(cards), size.shape)


def _describe_card(card: CardFaces) -> str:
    facts = [fact for fact in (card.kind, card.faction, *card.facts) if fact]
    return f"{' · '.join(facts)}\n{card.text}".strip()


def _build_sheet(
    box: Package, pictures: Pictures, title: str, cards: Sequence[CardFaces], url: str
) -> TableSheet:
    """Write one picture of fronts and one of backs, or of the back that all cards share."""
    width, height = pictures.measure_face(cards[0].size)
    columns, rows, scale = choose_sheet_grid(len(cards), (width, height))
    cell = (int(width * scale), int(height * scale))
    dpi = round(pictures.dpi * scale)
    if scale < 1:
        form = _("{many} cards on a sheet have {got} dpi instead of {asked}")
        message = _(form, many=len(cards), got=dpi, asked=pictures.dpi)
        pictures.findings.append(
            COARSE.finding(message, Location(file=f"{title}-front.png"))
        )
    fronts = [card.front for card in cards]
    backs = [card.back or card.front for card in cards]
    has_unique_backs = len(set(backs)) > 1
    grid = (columns, rows)
    sides = {"front": (fronts, grid), "back": (backs, grid)}
    if not has_unique_backs:
        sides["back"] = (backs[:1], (1, 1))
    for side, (stacks, grid) in sides.items():
        # A generator: one face at a time is in memory.
        faces = (pictures.draw_face(stack, cell) for stack in stacks)
        sheet = make_grid_sheet(faces, cell, grid)
        box.write_file(f"{title}-{side}.png", encode_picture(sheet, "png", dpi))
    front_url = f"{url}/{title}-front.png"
    back_url = f"{url}/{title}-back.png"
    return TableSheet(front_url, back_url, columns, rows, has_unique_backs)


def _build_pieces(box: Package, pictures: Pictures, url: str) -> Iterator[TablePiece]:
    for number, piece in enumerate(pictures.pieces(), 1):
        stem = f"gauges/{number:02d}-{piece.id}"
        front_name = back_name = f"{stem}-front.png"
        box.write_file(front_name, encode_picture(piece.front, "png", piece.dpi))
        if piece.back is not None:
            back_name = f"{stem}-back.png"
            box.write_file(back_name, encode_picture(piece.back, "png", piece.dpi))
        yield TablePiece(
            f"{number}-{piece.id}",
            piece.name,
            piece.note,
            f"{url}/{front_name}",
            f"{url}/{back_name}",
            piece.height,
            piece.cut_out,
            piece.count,
        )


def write_card_game(
    box: Package, pictures: Pictures, cards: Sequence[CardFaces], screen: PictureOptions
) -> int:
    """Write a game for Card Game Simulator. Return the number of pictures.

    It has a set for each kind, a deck for each deck of a product, and one back for all cards.
    """
    unique_cards = {card.front: card for card in cards}.values()
    for card in unique_cards:
        picture = encode_picture(pictures.draw_face(card.front), "png", screen.dpi)
        box.write_file(f"sets/{card.card.kind}/{card.card.id}.png", picture)
    # The program knows one back and one size for all cards of a game: the most frequent ones.
    backs = Counter(card.back for card in cards if card.back is not None)
    if backs:
        common_back = backs.most_common(1)[0][0]
        picture = encode_picture(pictures.draw_face(common_back), "png", screen.dpi)
        box.write_file("CardBack.png", picture)
    sizes = Counter(card.size for card in unique_cards)
    size = sizes.most_common(1)[0][0]
    if len(backs) > 1 or len(sizes) > 1:
        form = _(
            "the game needs one back and one card size; these cards have {backs} and {sizes}"
        )
        message = _(form, backs=len(backs), sizes=len(sizes))
        place = Location(file="cgs.json")
        pictures.findings.append(ONE_BACK.finding(message, place, ONE_BACK.remedy))
    sets: dict[str, str] = {}
    game_cards = []
    for card in unique_cards:
        kind = card.card.kind
        sets[kind] = card.kind
        fact = card.facts[0] if card.facts else ""
        game_cards.append(GameCard(card.card.id, card.name, kind, fact, card.text))
    trim = Box(0, 0, size.width, size.height)
    url = (screen.url or "").rstrip("/")
    title = _make_file_name(pictures.title)
    decks = _count_deck_cards(pictures, cards)
    for name, text in format_game_files(title, sets, game_cards, trim, decks, url):
        box.write_file(name, text.encode())
    return len(unique_cards) + bool(backs)


def _count_deck_cards(
    pictures: Pictures, cards: Sequence[CardFaces]
) -> dict[str, Mapping[str, int]]:
    """Return the copies of each card by the deck's name."""
    decks: dict[str, Mapping[str, int]] = {}
    for deck in dict.fromkeys(card.deck for card in cards):
        name = _make_file_name(pictures.decks.get(deck) or pictures.title)
        decks[name] = Counter(card.card.id for card in cards if card.deck == deck)
    return decks


def _make_file_name(text: str) -> str:
    """Return a file name that all systems accept."""
    name = re.sub(r"[^\w -]", "-", text).strip()
    return name[:MAX_NAME_LENGTH] or "cards"
