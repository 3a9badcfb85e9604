"""A squad: what is in it, and beside it the catalogue."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.verdict import simplify_roster
from builder.web.accounts.owner import get_owner
from builder.web.cards.library import get_library
from builder.web.cards.search import PAINTED, CardFilter
from builder.web.squads.catalogue import catalogue
from builder.web.squads.claims import find_squad_claims
from builder.web.squads.models import SavedSquad
from builder.web.squads.newer import newer
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.storage import SquadStorage
from builder.web.templating import PageQuery, render_page

SEEN = timedelta(hours=12)
"""A squad that was opened since then need not be marked as opened again."""


def own_squad(request: HttpRequest, key: UUID) -> SquadSight:
    """A squad of this browser's. InputUnreadable for any other."""
    owner = get_owner(request)
    return sight_of(seen(SquadStorage(get_library(), owner).saved(str(key))), reader=owner)


def seen(row: SavedSquad) -> SavedSquad:
    """Remember that somebody opened a squad, which is as it was though its game has moved on."""
    if row.opened < timezone.now() - SEEN:
        SavedSquad.objects.filter(id=row.id).update(opened=timezone.now(), leaves=None)
    return SquadStorage(get_library(), row.owner).stay(row)


@require_GET
def squad(request: HttpRequest, key: UUID) -> HttpResponse:
    """The squad and the catalogue; a narrow screen shows the one or, with `view=cards`, the other."""
    sight = own_squad(request, key)
    chosen = CardFilter.from_query(request.GET, sight.side)
    sight = from_shelf(sight, chosen.own)
    found = catalogue(sight, chosen, kept(request))
    return squad_page(
        request,
        sight,
        "cards",
        chosen=chosen,
        found=found,
        query=PageQuery(request.GET),
        owned=sight.owned,
    )


def refuse_guest(sight: SquadSight) -> None:
    """Raise UsageError for whoever edits a squad by a link: its notes are the owner's."""
    if not sight.is_own:
        raise UsageError(
            _("only the owner of a squad can read and change its notes"), _("Ask the owner.")
        )


def without_notes(roster: Roster) -> Roster:
    """Return a squad without the remarks of its player."""
    return Roster.model_validate(simplify_roster(roster))


def refuse_search(sight: SquadSight) -> None:
    """Raise UsageError for a squad so large that a search for completions or repairs would not end."""
    if sight.size_message:
        raise UsageError(sight.size_message, _("Remove models from the squad first."))


def from_shelf(sight: SquadSight, own: str) -> SquadSight:
    """The same where only what its reader owns is to choose from, or has painted; all for no such wish."""
    if sight.owned is None or not own:
        return sight
    owned = replace(sight.owned, painted=own == PAINTED)
    return replace(sight, shelf=tuple(owned.copies(sight.pack).items()), painted=owned.painted)


def kept(request: HttpRequest) -> frozenset[str]:
    """The cards that a page showed as tiles when its form was sent."""
    return frozenset(request.POST.get("tiles", "").split())


def squad_page(
    request: HttpRequest, sight: SquadSight, panel: str, **values: object
) -> HttpResponse:
    """The squad with a panel beside it, which a narrow screen shows alone."""
    narrow = "panel" if panel != "cards" or request.GET.get("view") == "cards" else "squad"
    common = {
        "sight": sight,
        "names": sight.names,
        "key": sight.row.id,
        "here": request.get_full_path(),
    }
    common["newer"] = newer(sight)
    common["claims"] = find_squad_claims(
        sight.owned, sight.reader, sight.row, sight.pack, sight.copies
    )
    return render_page(request, f"squads/{panel}", panel=panel, narrow=narrow, **common, **values)
