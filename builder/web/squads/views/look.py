"""A card beside the squad that it may join: its faces at full size, and its text."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.web.cards.cardtext import make_card_text
from builder.web.cards.library import choose_card_language
from builder.web.squads.catalogue import make_tile
from builder.web.squads.views.squad import limit_to_owned, load_own_squad, render_squad


@require_GET
def show_squad_card(request: HttpRequest, key: UUID, card: str) -> HttpResponse:
    """Show a card."""
    view = limit_to_owned(load_own_squad(request, key), request.GET.get("own", ""))
    shown_card = view.pack.cards.get(card)
    if shown_card is None:
        raise Http404
    return render_squad(
        request,
        view,
        "look",
        card=shown_card,
        text=make_card_text(
            view.pack, shown_card, choose_card_language(view.pack, view.lang)
        ),
        faces=view.faces.get(card, ()),
        tile=make_tile(view, shown_card),
    )
