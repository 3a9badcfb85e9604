"""What a new release changes for a squad. The squad moves to it, or stays with its own."""

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
from builder.web.squads.newer import NewRelease, find_new_release
from builder.web.squads.squad_view import SquadView
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.squad import load_own_squad, render_squad


@dataclass(frozen=True, slots=True)
class ChangedCard:
    """A card of the squad that a release changes: its note and its faces before and after."""

    note: Note
    before: tuple[FacePicture, ...]
    after: tuple[FacePicture, ...]


@require_http_methods(["GET", "POST"])
def show_new_release(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the changes that the latest release makes to this squad.

    `move` moves it there, `stay` declines the release.
    """
    view = load_own_squad(request, key)
    release = find_new_release(view)
    if request.method == "POST":
        if release is None or request.POST.get("version") != release.version:
            message = _("the squad has changed since this page was loaded")
            raise UsageError(message, _("Open it again."))
        if request.POST.get("do") == "move":
            SquadStorage(get_library(), get_owner(request)).move(
                str(key), release.version
            )
        else:
            SavedSquad.objects.filter(id=key).update(stays=release.version)
        return redirect("squad", key=key)
    lost: list[tuple[str, tuple[str, ...]]] = []
    moved_ids: dict[tuple[str, str], None] = {}
    if release is not None and release.impact.migrated is not None:
        names = compare_releases(
            view.pack.id, view.row.release, release.version, view.lang
        )
        lost = [
            (names.name_card(item.old), tuple(map(names.name_card, item.heirs)))
            for item in release.impact.migrated.lost
        ]
        for change in release.impact.migrated.moved_ids:
            moved_ids[names.name_card(change.old), names.name_card(change.new)] = None
    return render_squad(
        request,
        view,
        "errata",
        found=release,
        lost=list(dict.fromkeys(lost)),
        moved=list(moved_ids),
        cards=_list_changed_cards(view, release) if release is not None else [],
    )


def _list_changed_cards(view: SquadView, release: NewRelease) -> list[ChangedCard]:
    """Return the changed cards with their pictures."""
    new_pack = get_library().get_pack(view.pack.id, release.version)
    new_faces = get_faces(new_pack, view.lang, release.version)
    cards = []
    for note in release.changes:
        old_faces = view.faces.get(note.old_card or note.card, ())
        cards.append(ChangedCard(note, old_faces, new_faces.get(note.card, ())))
    return cards
