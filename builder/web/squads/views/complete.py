"""Completes a squad: the solver searches for squads that spend the most, and proves it."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.solver.completion_model import SquadRequest
from builder.usecases.roster.complete_roster import Completion, complete_roster
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import count_request
from builder.web.cards.library import get_library
from builder.web.cards.search import OWNED, PAINTED
from builder.web.collection.counts import load_owned_cards
from builder.web.squads.squad_view import SquadView
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.edit import make_stale_error
from builder.web.squads.views.rules import MAX_SEARCHES_PER_HOUR
from builder.web.squads.views.squad import load_own_squad, render_squad, require_small

MAX_SOLUTIONS = 3


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A request to complete a squad: cards to add, cards to avoid, and a seed."""

    want: tuple[str, ...]
    avoid: tuple[str, ...]
    exact: bool
    seed: int
    ownership: str

    @classmethod
    def from_request(cls, request: HttpRequest) -> "CompletionRequest":
        """Parse the request from a form or the query of an address."""
        form = request.POST or request.GET
        seed = form.get("seed", "0")
        return cls(
            want=tuple(filter(None, form.getlist("want"))),
            avoid=tuple(filter(None, form.getlist("avoid"))),
            exact=form.get("exact") == "1",
            seed=int(seed) if seed.isdecimal() and len(seed) < 6 else 0,
            ownership=form.get("own", "")
            if form.get("own") in (OWNED, PAINTED)
            else "",
        )

    def solve(self, view: SquadView, owner: str) -> Completion:
        """Find complete squads. Equal requests give equal squads."""
        wish = SquadRequest(
            self.want, frozenset(self.avoid), None, self.exact, MAX_SOLUTIONS, self.seed
        )
        owned = None
        if self.ownership:
            owned = load_owned_cards(owner, view.pack, self.ownership == PAINTED)
        return complete_roster(view.result, wish, owned)


@require_http_methods(["GET", "POST"])
def complete_squad(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show legal squads that contain this one.

    A form replaces the squad by the one with the number `take`.
    """
    view = load_own_squad(request, key)
    completion_request = CompletionRequest.from_request(request)
    completion = None
    if request.GET.get("ask") == "1" or request.method == "POST":
        require_small(view)
        count_request(request, "complete", MAX_SEARCHES_PER_HOUR)
        completion = completion_request.solve(view, get_owner(request))
    if request.method == "POST" and completion is not None:
        number = request.POST.get("take", "")
        edition = request.POST.get("edition", "")
        is_known = number.isdecimal() and int(number) < len(completion.squads)
        if not is_known or edition != str(view.row.edition):
            raise make_stale_error()
        roster = completion.squads[int(number)].roster
        SquadStorage(get_library(), get_owner(request)).create(
            str(key), roster, like=str(key)
        )
        return redirect("squad", key=key)
    side = view.side
    cards = [
        (view.names.name_card(card.id), card.id)
        for card in view.squad_cards
        if card.faction in (None, side or card.faction)
    ]
    return render_squad(
        request,
        view,
        "complete",
        wanted=completion_request,
        made=completion,
        cards=sorted(cards),
        owned=view.owned,
    )
