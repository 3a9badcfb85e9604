"""A half-built squad completed: what is wished for, and the squads that spend the most, proved by the solver."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.solver.complete import Wish
from builder.usecases.roster.complete_roster import Completion, complete_roster
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import count_request
from builder.web.cards.library import get_library
from builder.web.cards.search import OWNED, PAINTED
from builder.web.collection.counts import load_owned_cards
from builder.web.squads.squad_view import SquadSight
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import own_squad, refuse_search, squad_page

SQUADS = 3
"""Squads that are offered at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wished for: cards by their ids, and whether all points are to be spent."""

    want: tuple[str, ...]
    avoid: tuple[str, ...]
    exact: bool
    seed: int
    own: str

    @classmethod
    def of(cls, request: HttpRequest) -> "Wanted":
        """What a form or an address says."""
        form = request.POST or request.GET
        seed = form.get("seed", "0")
        return cls(
            tuple(filter(None, form.getlist("want"))),
            tuple(filter(None, form.getlist("avoid"))),
            form.get("exact") == "1",
            int(seed) if seed.isdecimal() and len(seed) < 6 else 0,
            form.get("own", "") if form.get("own") in (OWNED, PAINTED) else "",
        )

    def made(self, sight: SquadSight, owner: str) -> Completion:
        """The squads found; the same wishes always give the same squads."""
        wish = Wish(self.want, frozenset(self.avoid), None, self.exact, SQUADS, self.seed)
        owned = load_owned_cards(owner, sight.pack, self.own == PAINTED) if self.own else None
        return complete_roster(sight.judged, wish, owned)


@require_http_methods(["GET", "POST"])
def complete(request: HttpRequest, key: UUID) -> HttpResponse:
    """Offer legal squads that hold this one; with `take` the squad becomes the one of that number."""
    sight, wanted = own_squad(request, key), Wanted.of(request)
    asked = request.GET.get("ask") == "1" or request.method == "POST"
    if asked:
        refuse_search(sight)
        count_request(request, "complete", max_count=300)
    made = wanted.made(sight, get_owner(request)) if asked else None
    if request.method == "POST" and made is not None:
        number, edition = request.POST.get("take", ""), request.POST.get("edition", "")
        if (
            not number.isdecimal()
            or int(number) >= len(made.squads)
            or edition != str(sight.row.edition)
        ):
            raise UsageError(
                _("the squad has changed since this page was loaded"),
                _("Reload the page and try again."),
            )
        storage = SquadStorage(get_library(), get_owner(request))
        storage.create(str(key), made.squads[int(number)].roster, like=str(key))
        return redirect("squad", key=key)
    found = (card for card in sight.pack.cards.values() if sight.pack.role(card) != "none")
    own = (card for card in found if card.faction in (None, sight.side or card.faction))
    cards = sorted((sight.names.card(card.id), card.id) for card in own)
    return squad_page(
        request, sight, "complete", wanted=wanted, made=made, cards=cards, owned=sight.owned
    )
