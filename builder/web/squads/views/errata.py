"""After errata: what a new release changes for a squad, before and after; it moves with one tap, or stays."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.errata.notes import Note
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.owner import get_owner
from builder.web.cards.faces import FacePicture, get_faces
from builder.web.cards.history import compare_releases
from builder.web.cards.library import get_library
from builder.web.squads.models import SavedSquad
from builder.web.squads.newer import Newer, newer
from builder.web.squads.squad_view import SquadSight
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import own_squad, squad_page


@dataclass(frozen=True, slots=True)
class ChangedCard:
    """A card of the squad that the release changes: what it says of it, its faces before and after."""

    note: Note
    before: tuple[FacePicture, ...]
    after: tuple[FacePicture, ...]


@require_http_methods(["GET", "POST"])
def errata(request: HttpRequest, key: UUID) -> HttpResponse:
    """What the last release changes for this squad; `move` brings it there, `stay` keeps it where it is."""
    sight = own_squad(request, key)
    found = newer(sight)
    if request.method == "POST":
        if found is None or request.POST.get("version") != found.version:
            raise UsageError(
                _("the squad has changed since this page was loaded"), _("Open it again.")
            )
        if request.POST.get("do") == "move":
            SquadStorage(get_library(), get_owner(request)).move(str(key), found.version)
        else:
            SavedSquad.objects.filter(id=key).update(stays=found.version)
        return redirect("squad", key=key)
    lost: tuple[tuple[str, tuple[str, ...]], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    if found is not None and found.impact.migrated is not None:
        both = compare_releases(sight.pack.id, sight.row.release, found.version, sight.lang)
        gone = {item.old: item.heirs for item in found.impact.migrated.lost}
        lost = tuple(
            (both.name_card(old), tuple(map(both.name_card, heirs))) for old, heirs in gone.items()
        )
        pairs = dict.fromkeys((item.old, item.new) for item in found.impact.migrated.moved)
        moved = tuple((both.name_card(old), both.name_card(new)) for old, new in pairs)
    cards = _cards(sight, found) if found is not None else []
    return squad_page(request, sight, "errata", found=found, lost=lost, moved=moved, cards=cards)


def _cards(sight: SquadSight, found: Newer) -> list[ChangedCard]:
    """The changed cards with their pictures; a picture where only one of the two has changed is told by the other."""
    after = get_faces(
        get_library().get_pack(sight.pack.id, found.version), sight.lang, found.version
    )
    return [
        ChangedCard(note, sight.faces.get(note.old_card or note.card, ()), after.get(note.card, ()))
        for note in found.changes
    ]
