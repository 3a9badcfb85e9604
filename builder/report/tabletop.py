"""Write the files that simulated tables load beside pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from builder.findings import Box
from builder.model.pack import Shape
from builder.report.json_text import dump_json
from builder.units import from_inches

MAX_SHEET_PIXELS, MAX_COLUMNS, MAX_ROWS = 4096, 10, 7
"""The largest sheet in pixels a side, and the most cards across and down."""
SCALE_1_HEIGHT_MM = from_inches(3.5)
"""The height of a piece at scale 1."""
THICKNESS = 0.05
SHAPES: Mapping[Shape, int] = {"rectangle": 0, "hexagon": 3, "round": 4}
"""The game's numbers for outlines of cards: rounded rectangle, hexagon, circle."""


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A picture with a grid of card faces for Tabletop Simulator, and the picture of the backs.

    `face` and `back` are the pictures' addresses. `unique` is True if the backs differ.
    """

    face: str
    back: str
    columns: int
    rows: int
    unique: bool


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card in a Tabletop Simulator deck. `sheet` and `place` count from 0."""

    id: str
    name: str
    text: str
    sheet: int
    place: int
    copies: int


@dataclass(frozen=True, slots=True)
class TableDeck:
    """A pile of cards for Tabletop Simulator. All cards have one size in mm."""

    name: str
    size: Box
    sheets: tuple[TableSheet, ...]
    cards: tuple[TableCard, ...]
    shape: Shape = "rectangle"


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A gauge or token for Tabletop Simulator. `cut_out` is True if it is not a rectangle."""

    id: str
    name: str
    text: str
    face: str
    back: str
    height: float
    cut_out: bool
    count: int


def choose_sheet_grid(cards: int, cell: tuple[int, int]) -> tuple[int, int, float]:
    """Return the columns, rows and scale of a picture that holds a number of cards.

    `cell` is the full size of a card in pixels. Sharpness counts first, then few empty cells,
    then a nearly square sheet.
    """
    grids = []
    for columns in range(1, min(cards, MAX_COLUMNS) + 1):
        rows = -(-cards // columns)
        if rows <= MAX_ROWS:
            width = columns * cell[0]
            height = rows * cell[1]
            scale = min(1.0, MAX_SHEET_PIXELS / width, MAX_SHEET_PIXELS / height)
            empty_cells = columns * rows - cards
            # The smallest tuple is the best grid, so the scale is negative.
            grids.append((-scale, empty_cells, abs(width - height), columns, rows))
    negative_scale, _empty_cells, _difference, columns, rows = min(grids)
    return columns, rows, -negative_scale


def format_saved_object(
    title: str, decks: Sequence[TableDeck], pieces: Sequence[TablePiece]
) -> str:
    """Format decks and pieces as a saved object of Tabletop Simulator (JSON).

    Decks form one row. Each type of gauge or token forms a row below.
    """
    guids = _Guids(title)
    objects: list[dict[str, object]] = []
    sheets = 0
    for place, deck in enumerate(decks):
        scale = deck.size.height / SCALE_1_HEIGHT_MM
        transform = _make_transform(4.0 * place, 0, scale)
        # The numbers of sheets are unique among all decks of the file.
        objects.append(_make_deck(deck, sheets + 1, transform, guids))
        sheets += len(deck.sheets)
    for row, piece in enumerate(pieces):
        scale = piece.height / SCALE_1_HEIGHT_MM
        for copy in range(piece.count):
            transform = _make_transform(1.5 * copy, -5.0 - 2.0 * row, scale, up=True)
            objects.append(_make_piece(piece, transform, guids))
    return dump_json({"SaveName": title, "ObjectStates": objects}, indent=1)


class _Guids:
    """Makes object ids for a saved file: 6 hexadecimal digits, unique, and equal in every build."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._used_guids = set[str]()

    def make_guid(self, *parts: object) -> str:
        number = 0
        while True:
            key = repr((self._seed, parts, number))
            guid = sha256(key.encode()).hexdigest()[:6]
            # Two of many hashes may begin with the same digits.
            if guid not in self._used_guids:
                self._used_guids.add(guid)
                return guid
            number += 1


def _make_deck(
    deck: TableDeck, first_sheet: int, transform: Mapping[str, float], guids: _Guids
) -> dict[str, object]:
    """Return the data of a Tabletop Simulator deck. A deck with one card becomes a single card."""
    sheets = {
        str(first_sheet + index): {
            "FaceURL": sheet.face,
            "BackURL": sheet.back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            "BackIsHidden": True,
            "UniqueBack": sheet.unique,
            "Type": SHAPES[deck.shape],
        }
        for index, sheet in enumerate(deck.sheets)
    }
    sideways = deck.size.width > deck.size.height
    cards: list[dict[str, object]] = []
    for card in deck.cards:
        number = first_sheet + card.sheet
        for copy in range(card.copies):
            guid = guids.make_guid("card", deck.name, card.id, copy)
            cards.append(
                {
                    "GUID": guid,
                    "Name": "Card",
                    "Transform": transform,
                    "Nickname": card.name,
                    "Description": card.text,
                    "GMNotes": card.id,
                    # The game divides by 100: the sheet, and the position on it.
                    "CardID": number * 100 + card.place,
                    "SidewaysCard": sideways,
                    "CustomDeck": {str(number): sheets[str(number)]},
                }
            )
    if len(cards) == 1:
        return cards[0]
    return {
        "GUID": guids.make_guid("deck", deck.name, first_sheet),
        "Name": "DeckCustom",
        "Transform": transform,
        "Nickname": deck.name,
        "SidewaysCard": sideways,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": sheets,
        "ContainedObjects": cards,
    }


def _make_piece(
    piece: TablePiece, transform: Mapping[str, float], guids: _Guids
) -> dict[str, object]:
    """Return the data of a gauge or token: a cut-out token or a rectangular tile."""
    image: dict[str, object] = {
        "ImageURL": piece.face,
        "ImageSecondaryURL": piece.back,
        "WidthScale": 0.0,
    }
    if piece.cut_out:
        image["CustomToken"] = {
            "Thickness": THICKNESS,
            "MergeDistancePixels": 5.0,
            "Stackable": True,
        }
    else:
        image["CustomTile"] = {
            "Type": 0,
            "Thickness": THICKNESS,
            "Stackable": True,
            "Stretch": True,
        }
    return {
        "GUID": guids.make_guid("piece", piece.id),
        "Name": "Custom_Token" if piece.cut_out else "Custom_Tile",
        "Transform": transform,
        "Nickname": piece.name,
        "Description": piece.text,
        "CustomImage": image,
    }


def _make_transform(
    x: float, z: float, scale: float, *, up: bool = False
) -> dict[str, float]:
    """Return the position, rotation and scale of an object. It lies face down unless `up`."""
    size = round(scale, 4)
    return {
        "posX": x,
        "posY": 1.0,
        "posZ": z,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": 0.0 if up else 180.0,
        "scaleX": size,
        "scaleY": 1.0,
        "scaleZ": size,
    }


@dataclass(frozen=True, slots=True)
class GameCard:
    """A card for Card Game Simulator. `set` is the code of its kind."""

    id: str
    name: str
    set: str
    cost: str
    text: str


def format_game_files(
    name: str,
    sets: Mapping[str, str],
    cards: Sequence[GameCard],
    size: Box,
    decks: Mapping[str, Mapping[str, int]],
    url: str,
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file that Card Game Simulator needs for a game.

    `sets` are names by code, `size` is in mm, `decks` are copies by card id. `url` is the address
    of the folder; empty if it is only copied.
    """
    names = {card.id: card.name for card in cards}
    game: dict[str, object] = {
        "name": name,
        # Days between updates. -1 turns them off, because a copied folder has no address.
        "autoUpdate": 30 if url else -1,
        "cardNameIsUnique": False,
        "deckFileTxtId": "id",
        "cardPrimaryProperty": "text",
        "cardProperties": [
            {"name": part, "type": "string"} for part in ("cost", "text")
        ],
        "cardSize": {
            "x": round(size.width / from_inches(1), 3),
            "y": round(size.height / from_inches(1), 3),
        },
    }
    if url:
        game |= {
            "autoUpdateUrl": f"{url}/cgs.json",
            "allCardsUrl": f"{url}/AllCards.json",
            "allSetsUrl": f"{url}/AllSets.json",
            "cardBackImageUrl": f"{url}/CardBack.png",
            "cardImageUrl": f"{url}/sets/{{cardSet}}/{{cardId}}.{{cardImageFileType}}",
            "deckUrls": [
                {"name": deck, "url": f"{url}/decks/{deck}.txt"} for deck in decks
            ],
        }
    yield "cgs.json", dump_json(game, indent=1)
    yield f"{name}.json", dump_json(game, indent=1)
    yield "AllCards.json", dump_json([asdict(card) for card in cards], indent=1)
    set_names = [{"code": code, "name": set_name} for code, set_name in sets.items()]
    yield "AllSets.json", dump_json(set_names, indent=1)
    for deck, copies in decks.items():
        lines = [f"{count} [{card}] {names[card]}" for card, count in copies.items()]
        yield f"decks/{deck}.txt", "\n".join([f"### {name} Deck: {deck}", *lines, ""])
