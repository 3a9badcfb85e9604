"""What somebody owns of each game: counted card by card, as a file, and which squads want the same of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.roster import Owned
from builder.packs.yaml.editing import format_scalar
from builder.rules.names import Names
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import FacePicture, get_faces, pick_sample_faces
from builder.web.cards.history import find_successor
from builder.web.cards.library import choose_card_language, get_library, get_names
from builder.web.cards.search import CardFilter, load_card_words
from builder.web.collection.counts import collection_of, count, own, read_collection
from builder.web.collection.models import SavedCollection
from builder.web.templating import PageQuery, get_page_language, render_page
from builder.web.uploads import read_field_or_file

AT_ONCE = 40
"""Cards of a page."""
MAX_RENAMED_SHOWN = 50
"""Renamed cards that are reported after the import of a collection."""
STEPS: Mapping[str, tuple[int, int]] = {
    "more": (1, 0),
    "less": (-1, 0),
    "paint": (0, 1),
    "strip": (0, -1),
}
"""What a button counts up or down: copies, painted ones."""


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """A card with the copies that are owned and painted."""

    card: Card
    name: str
    face: FacePicture | None
    count: int
    painted: int


@require_GET
def collections(request: HttpRequest) -> HttpResponse:
    """All games, with what is owned of each."""
    lang, owner = get_page_language(), get_owner(request)
    kept = {row.pack for row in SavedCollection.objects.filter(owner=owner)} if owner else set()
    rows = []
    for pack in get_library().list_games():
        owned = collection_of(owner, pack.id).owned.values() if pack.id in kept else ()
        many = sum(item.count for item in owned), sum(item.painted for item in owned)
        rows.append(
            (pack, get_names(pack, lang), pick_sample_faces(pack, get_faces(pack, lang)), *many)
        )
    return render_page(request, "collection/all", rows=rows)


@require_http_methods(["GET", "POST"])
def collection(request: HttpRequest, pack: str) -> HttpResponse:
    """The cards of a game with how many are owned; `more CARD`, `less CARD`, `paint CARD` and `strip CARD` count."""
    found = get_library().get_pack(pack)
    if request.method == "POST":
        return _counted(request, found)
    names, owner = get_names(found, get_page_language()), get_owner(request)
    chosen, only = CardFilter.from_query(request.GET, ""), request.GET.get("have") == "1"
    owned = collection_of(owner, pack).owned
    cards = [card for card in _sorted(found) if chosen.accepts(card) and _says(found, chosen, card)]
    cards = [card for card in cards if not only or (card.id in owned and owned[card.id].count)]
    pages = max(1, -(-len(cards) // AT_ONCE))
    number = min(chosen.page, pages)
    faces, none = get_faces(found, get_page_language()), Owned(count=0)
    rows = [
        OwnedRow(card, names.card(card.id), next(iter(faces.get(card.id, ())), None),
                 owned.get(card.id, none).count, owned.get(card.id, none).painted)
        for card in cards[(number - 1) * AT_ONCE : number * AT_ONCE]
    ]  # fmt: skip
    return render_page(
        request, "collection/game", pack=found, names=names, rows=rows, chosen=chosen, only=only,
        number=number, pages=pages, total=sum(item.count for item in owned.values()),
        painted=sum(item.painted for item in owned.values()),
        here=request.get_full_path(), query=PageQuery(request.GET), renamed=_renamed_cards(request, found, names),
    )  # fmt: skip


def _renamed_cards(request: HttpRequest, pack: Pack, names: Names) -> list[tuple[str, str]]:
    """Old ids in the collection that was just imported, each with the name of the card that it is now."""
    asked_ids = (
        card
        for card in request.GET.getlist("renamed")[:MAX_RENAMED_SHOWN]
        if card not in pack.cards
    )
    heirs = ((card, find_successor(pack.id, card)) for card in asked_ids)
    return [(card, names.card(heir)) for card, heir in heirs if heir is not None]


def _counted(request: HttpRequest, pack: Pack) -> HttpResponse:
    """One more or less of a card, and the page again."""
    verb, _blank, card = request.POST.get("do", "").partition(" ")
    if verb not in STEPS or card not in pack.cards:
        raise Http404
    owner = get_or_create_owner(request)
    count(owner, pack.id, card, *STEPS[verb])
    here, wanted = reverse("collection", args=[pack.id]), request.POST.get("next", "")
    address = wanted if wanted.partition("?")[0] == here else here
    return redirect(address if request.headers.get("HX-Request") else f"{address}#card-{card}")


def _sorted(pack: Pack) -> list[Card]:
    """The cards that squads are made of, as the game lists its kinds and sides."""
    kinds, sides = list(pack.manifest.kinds), [*pack.vocabulary.factions]
    places = {side: number for number, side in enumerate(sides)}
    known = (card for card in pack.cards.values() if pack.role(card) is not Role.NONE)
    return sorted(known, key=lambda card: (kinds.index(card.kind), places.get(card.faction or "", len(sides)),
                                           card.cost or 0, card.name))  # fmt: skip


def _says(pack: Pack, chosen: CardFilter, card: Card) -> bool:
    wanted = chosen.words.casefold().split()
    words = (
        load_card_words(pack.id, "", choose_card_language(pack, get_page_language()))
        if wanted
        else {}
    )
    return all(word in words[card.id] for word in wanted)


@require_GET
def saved(request: HttpRequest, pack: str) -> HttpResponse:
    """The collection as a file, which the command line reads too."""
    lines = [f"pack: {format_scalar(get_library().get_pack(pack).id)}", "owned:"]
    for card, item in collection_of(get_owner(request), pack).owned.items():
        stated = (
            f"{{count: {item.count}, painted: {item.painted}}}" if item.painted else str(item.count)
        )
        lines += [f"  {format_scalar(card)}: {stated}"] if item.count else []
    if len(lines) == 2:
        lines[1] = "owned: {}"
    response = HttpResponse("\n".join(lines).encode() + b"\n", content_type="application/yaml")
    response["Content-Disposition"] = f'attachment; filename="{pack}-collection.yaml"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@limit_rate("collection", max_count=60)
def taken_in(request: HttpRequest, pack: str) -> HttpResponse:
    """Take a collection's file in: cards that it does not name stay as they were."""
    stated, new_ids = read_collection(
        read_field_or_file(request, "text", "file"), get_library().get_pack(pack).id
    )
    owner = get_or_create_owner(request)
    own(owner, pack, lambda _owned: stated)
    answer = redirect("collection", pack=pack)
    answer["Location"] += "?" + urlencode({"have": 1, "renamed": list(new_ids)}, doseq=True)
    return answer
