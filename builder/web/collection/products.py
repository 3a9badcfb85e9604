"""The products of a game. Whoever owns one owns its cards."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from builder.errors import SquadpressError
from builder.model.product import GameProduct, ProductSet
from builder.packs.schema.validation import parse_model
from builder.packs.yaml.reading import parse_document
from builder.usecases.build.product import list_product_cards
from builder.web.cards.library import (
    cache_per_library,
    choose_card_language,
    get_library,
)


@dataclass(frozen=True, slots=True)
class BoxedCards:
    """A product of a game and its copies of each card."""

    product: GameProduct
    copies: Mapping[str, int]

    @property
    def count(self) -> int:
        """The number of cards in the product."""
        return sum(self.copies.values())


@cache_per_library(100)
def load_products(pack_id: str) -> Mapping[str, BoxedCards]:
    """Return the products of a game that contain cards for squads, by id.

    A file with errors has none: `squadpress check` reports them to the game's author.
    """
    library = get_library()
    file = library.project.get_cards_dir(pack_id) / "products.yaml"
    if not file.is_file():
        return {}
    document = parse_document(file.read_text(encoding="utf-8"), str(file))[0]
    product_set = parse_model(ProductSet, document)[0] if document is not None else None
    if product_set is None:
        return {}
    pack = library.get_pack(pack_id)
    lang = choose_card_language(pack, "")
    boxes = {}
    for key, product in product_set.products.items():
        try:
            cards = [
                card for _deck, card in list_product_cards(pack, product, (), lang)
            ]
        except SquadpressError:
            continue
        copies = Counter(
            card for card in cards if pack.find_role(pack.cards[card]) != "none"
        )
        if copies:
            boxes[key] = BoxedCards(product, copies)
    return boxes
