"""Two squads side by side."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.web.cards.library import get_library
from builder.web.cards.search import sort_squad_cards
from builder.web.squads.models import squads_of
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import load_own_squad, render_squad


@dataclass(frozen=True, slots=True)
class ComparedCard:
    """A card with its number of copies in two squads."""

    name: str
    own_copies: int
    other_copies: int


@require_GET
def show_comparison(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the cards of a squad beside those of another squad of the same game."""
    view = load_own_squad(request, key)
    squads = squads_of(view.reader).filter(pack=view.row.pack).exclude(id=key)
    other_view = None
    other_id = request.GET.get("with", "")
    if other_id:
        row = SquadStorage(get_library(), view.reader).load_row(other_id)
        other_view = make_squad_view(row, reader=view.reader)
    return render_squad(
        request,
        view,
        "compare",
        squads=squads.order_by("name"),
        other_view=other_view,
        cards=_compare_cards(view, other_view) if other_view else [],
    )


def _compare_cards(view: SquadView, other_view: SquadView) -> list[ComparedCard]:
    """Return the cards of both squads: those with different numbers of copies first."""
    ids = [card.id for card in sort_squad_cards(view.pack)]
    # Cards of another release may be missing in the first squad's game.
    ids += sorted({*view.copies, *other_view.copies}.difference(ids))
    cards = []
    for card_id in ids:
        own_copies = view.copies[card_id]
        other_copies = other_view.copies[card_id]
        if own_copies or other_copies:
            name = view.names.name_card(card_id)
            cards.append(ComparedCard(name, own_copies, other_copies))
    return sorted(cards, key=lambda card: card.own_copies == card.other_copies)
