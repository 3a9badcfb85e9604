"""The pages of a collection: cards are counted one by one, or imported from a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from builder.model.card import Card
from builder.model.pack import Pack
from builder.packs.yaml.editing import format_scalar
from builder.rules.names import Names
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import FacePicture, get_faces, sample_games
from builder.web.cards.history import find_successor
from builder.web.cards.library import choose_card_language, get_library, get_names
from builder.web.cards.search import CardFilter, find_cards, sort_squad_cards
from builder.web.collection.counts import (
    NO_COPIES,
    OwnedById,
    add_copies,
    add_product,
    load_collection,
    read_collection,
    update_collection,
)
from builder.web.collection.models import SavedCollection
from builder.web.collection.products import BoxedCards, load_products
from builder.web.templating import (
    PageQuery,
    get_page_language,
    make_download,
    render_page,
)
from builder.web.uploads import read_field_or_file

CARDS_PER_PAGE = 40
MAX_RENAMED_SHOWN = 50
"""Renamed cards that are reported after the import of a collection."""
CHANGES: Mapping[str, tuple[int, int]] = {
    "more": (1, 0),
    "less": (-1, 0),
    "paint": (0, 1),
    "strip": (0, -1),
}
"""The copies and painted copies that a button adds."""


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """A card in the collection page with its numbers of owned and painted copies."""

    card: Card
    name: str
    face: FacePicture | None
    count: int
    painted: int


@require_GET
def show_collections(request: HttpRequest) -> HttpResponse:
    """Show all games, with what is owned of each."""
    owner = get_owner(request)
    owned_packs = set(
        SavedCollection.objects.filter(owner=owner).values_list("pack", flat=True)
    )
    rows = []
    for pack, names, faces in sample_games():
        items = (
            load_collection(owner, pack.id).owned.values()
            if pack.id in owned_packs
            else ()
        )
        count = sum(item.count for item in items)
        painted = sum(item.painted for item in items)
        rows.append((pack, names, faces, count, painted))
    return render_page(request, "collection/all", rows=rows)


@require_http_methods(["GET", "POST"])
def show_collection(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the cards of a game with their copies.

    A form changes one: `more`, `less`, `paint` or `strip CARD`. Or all cards of a product: `own` or
    `disown PRODUCT`.
    """
    game = get_library().get_pack(pack)
    if request.method == "POST":
        return _change_count(request, game)
    names = get_names(game, get_page_language())
    faces = get_faces(game, get_page_language())
    card_filter = CardFilter.from_query(request.GET, "")
    only_owned = request.GET.get("have") == "1"
    owned = load_collection(get_owner(request), pack).owned
    cards = _search_cards(game, card_filter)
    if only_owned:
        cards = [card for card in cards if owned.get(card.id, NO_COPIES).count]
    page = Paginator(cards, CARDS_PER_PAGE).get_page(card_filter.page)
    rows = []
    for card in page:
        item = owned.get(card.id, NO_COPIES)
        face = next(iter(faces.get(card.id, ())), None)
        rows.append(
            OwnedRow(card, names.name_card(card.id), face, item.count, item.painted)
        )
    return render_page(
        request,
        "collection/game",
        pack=game,
        names=names,
        rows=rows,
        chosen=card_filter,
        only=only_owned,
        number=page.number,
        pages=page.paginator.num_pages,
        total=sum(item.count for item in owned.values()),
        painted=sum(item.painted for item in owned.values()),
        here=request.get_full_path(),
        query=PageQuery(request.GET),
        renamed=_list_renamed_cards(request, game, names),
        products=_list_products(game, owned),
    )


def _list_products(game: Pack, owned: OwnedById) -> list[tuple[str, BoxedCards, bool]]:
    """Return the products of a game, each with True if all its cards are owned."""
    products = []
    for key, box in load_products(game.id).items():
        is_owned = all(
            owned.get(card, NO_COPIES).count >= copies
            for card, copies in box.copies.items()
        )
        products.append((key, box, is_owned))
    return products


def _search_cards(game: Pack, card_filter: CardFilter) -> list[Card]:
    cards = [card for card in sort_squad_cards(game) if card_filter.accepts(card)]
    lang = choose_card_language(game, get_page_language())
    return find_cards(cards, card_filter.words, game.id, "", lang)


def _list_renamed_cards(
    request: HttpRequest, game: Pack, names: Names
) -> list[tuple[str, str]]:
    """Return the current names of cards that an imported collection named by old ids."""
    renamed = []
    for card in request.GET.getlist("renamed")[:MAX_RENAMED_SHOWN]:
        new_id = None if card in game.cards else find_successor(game.id, card)
        if new_id is not None:
            renamed.append((card, names.name_card(new_id)))
    return renamed


def _change_count(request: HttpRequest, game: Pack) -> HttpResponse:
    """Change the counts of a card or product, and show the page again."""
    verb, _blank, card = request.POST.get("do", "").partition(" ")
    page = reverse("collection", args=[game.id])
    box = load_products(game.id).get(card)
    if verb in ("own", "disown") and box is not None:
        sign = 1 if verb == "own" else -1
        add_product(get_or_create_owner(request), game.id, box.copies, sign)
        return redirect(f"{page}#products")
    if verb not in CHANGES or card not in game.cards:
        raise Http404
    add_copies(get_or_create_owner(request), game.id, card, *CHANGES[verb])
    next_address = request.POST.get("next", "")
    address = next_address if next_address.partition("?")[0] == page else page
    return redirect(
        address if request.headers.get("HX-Request") else f"{address}#card-{card}"
    )


@require_GET
def export_collection(request: HttpRequest, pack: str) -> HttpResponse:
    """Return the collection as a file for the command line."""
    lines = []
    for card, item in load_collection(get_owner(request), pack).owned.items():
        value = str(item.count)
        if item.painted:
            value = f"{{count: {item.count}, painted: {item.painted}}}"
        if item.count:
            lines.append(f"  {format_scalar(card)}: {value}")
    head = f"pack: {format_scalar(get_library().get_pack(pack).id)}"
    text = "\n".join([head, "owned:", *lines] if lines else [head, "owned: {}"]) + "\n"
    return make_download(text, "application/yaml", f"{pack}-collection.yaml")


@require_POST
@limit_rate("collection", max_count=60)
def import_collection(request: HttpRequest, pack: str) -> HttpResponse:
    """Import a collection. Cards that the file does not name keep their counts."""
    text = read_field_or_file(request, "text", "file")
    counts, new_ids = read_collection(text, get_library().get_pack(pack).id)
    update_collection(get_or_create_owner(request), pack, lambda _owned: counts)
    query = urlencode({"have": 1, "renamed": list(new_ids)}, doseq=True)
    return redirect(f"{reverse('collection', args=[pack])}?{query}")
