"""A card to be read: its faces at full size, and what they say as text."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.web.cards.cardtext import make_card_text
from builder.web.cards.library import choose_card_language
from builder.web.squads.catalogue import tile
from builder.web.squads.views.squad import from_shelf, own_squad, squad_page


@require_GET
def look(request: HttpRequest, key: UUID, card: str) -> HttpResponse:
    """A card beside the squad that it may join."""
    sight = from_shelf(own_squad(request, key), request.GET.get("own", ""))
    found = sight.pack.cards.get(card)
    if found is None:
        raise Http404
    text = make_card_text(sight.pack, found, choose_card_language(sight.pack, sight.lang))
    return squad_page(
        request,
        sight,
        "look",
        card=found,
        text=text,
        faces=sight.faces.get(card, ()),
        tile=tile(sight, found),
    )
