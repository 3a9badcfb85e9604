"""A squad, and beside it the catalogue."""

from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.verdict import simplify_roster
from builder.web.accounts.owner import MIN_TIME_BETWEEN_VISITS, get_owner
from builder.web.cards.library import get_library
from builder.web.cards.search import PAINTED, CardFilter
from builder.web.squads.catalogue import make_catalogue
from builder.web.squads.claims import find_squad_claims
from builder.web.squads.models import SavedSquad
from builder.web.squads.newer import find_new_release
from builder.web.squads.offline_game import export_squad, get_game_address
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.storage import SquadStorage
from builder.web.templating import PageQuery, format_json, render_page


def load_own_squad(request: HttpRequest, key: UUID) -> SquadView:
    """Return a squad that this browser may change. Raise InputUnreadable for other squads."""
    owner = get_owner(request)
    row = SquadStorage(get_library(), owner).load_row(str(key))
    return make_squad_view(record_visit(row), reader=owner)


def record_visit(row: SavedSquad) -> SavedSquad:
    """Record that a squad was opened. Return it as it was, even if its game has moved on."""
    if row.opened < timezone.now() - MIN_TIME_BETWEEN_VISITS:
        SavedSquad.objects.filter(id=row.id).update(opened=timezone.now(), leaves=None)
    return SquadStorage(get_library(), row.owner).pin_to_known_release(row)


@require_GET
def show_squad(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the squad and the catalogue.

    A narrow screen shows one of them: the cards with `view=cards`.
    """
    view = load_own_squad(request, key)
    card_filter = CardFilter.from_query(request.GET, view.side)
    view = limit_to_owned(view, card_filter.ownership)
    return render_squad(
        request,
        view,
        "cards",
        chosen=card_filter,
        found=make_catalogue(view, card_filter, list_displayed_ids(request)),
        query=PageQuery(request.GET),
        owned=view.owned,
    )


def require_own(view: SquadView) -> None:
    """Raise UsageError if the reader does not own the squad, because its notes are private."""
    if not view.is_own:
        message = _("only the owner of a squad can read and change its notes")
        raise UsageError(message, _("Ask the owner."))


def remove_notes(roster: Roster) -> Roster:
    """Return a squad without the player's notes."""
    return Roster.model_validate(simplify_roster(roster))


def require_small(view: SquadView) -> None:
    """Raise UsageError if a squad is too large for a search of completions or repairs."""
    if view.size_message:
        raise UsageError(view.size_message, _("Remove models from the squad first."))


def limit_to_owned(view: SquadView, limit: str) -> SquadView:
    """Limit the offered cards to those that the reader owns or has painted."""
    if view.owned is None or not limit:
        return view
    owned = replace(view.owned, painted=limit == PAINTED)
    available = tuple(owned.count_copies(view.pack).items())
    return replace(view, available=available, only_painted=owned.painted)


def list_displayed_ids(request: HttpRequest) -> frozenset[str]:
    """Return the ids of the cards that the page showed when its form was sent."""
    return frozenset(request.POST.get("tiles", "").split())


def render_squad(
    request: HttpRequest, view: SquadView, panel: str, **values: object
) -> HttpResponse:
    """Render the squad page with a panel beside the squad."""
    shows_squad = panel == "cards" and request.GET.get("view") != "cards"
    claims = find_squad_claims(
        view.owned, view.reader, view.row, view.pack, view.copies
    )
    roster, stored_squad = view.result.roster, None
    if roster is not None:
        stored_squad = export_squad(view.row, roster, view.is_own)
    return render_page(
        request,
        f"squads/{panel}",
        panel=panel,
        narrow="squad" if shows_squad else "panel",
        view=view,
        names=view.names,
        key=view.row.id,
        here=request.get_full_path(),
        newer=find_new_release(view),
        claims=claims,
        offline_game=get_game_address(view.pack.id),
        roster=format_json(stored_squad),
        **values,
    )
