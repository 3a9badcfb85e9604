"""All costs of a game, as a list to print."""

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET

from builder.web.cards.history import choose_new_squad_version
from builder.web.cards.library import get_library, get_names
from builder.web.cards.search import sort_squad_cards
from builder.web.templating import get_page_language, render_page


@require_GET
def show_costs(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the costs of all cards, by kind and side, as a new squad would have them today."""
    library = get_library()
    pack_id = library.get_pack(pack).id
    version = choose_new_squad_version(pack_id, localdate())
    game = library.get_pack(pack_id, version)
    names = get_names(game, get_page_language())
    groups = []
    # The cards come by kind and side, so that each group is one run of them.
    cards_in_order = sort_squad_cards(game)
    for (kind, side), cards in groupby(
        cards_in_order, lambda card: (card.kind, card.faction)
    ):
        title = names.name_kind(kind)
        if side:
            title = f"{title} · {names.name_value('faction', side)}"
        rows = [
            (names.name_card(card.id), card.cost)
            for card in cards
            if card.cost is not None
        ]
        if rows:
            groups.append((title, rows))
    return render_page(
        request, "squads/costs", pack=game, names=names, groups=groups, version=version
    )
