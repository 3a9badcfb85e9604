"""Actions on several squads of this browser: tags, the archive, export, print and deletion."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.owned_data import write_archive
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.models import PrintJob, SavedSquad, SquadGuest, squads_of
from builder.web.squads.ownership import export_squads
from builder.web.squads.print_queue import PrintContent, PrintRequest, queue_job
from builder.web.squads.storage import require_roster
from builder.web.squads.tags import add_tag, read_tag, remove_tag
from builder.web.squads.views.prints import refuse_many_jobs
from builder.web.squads.views.squad import remove_notes
from builder.web.templating import get_page_language, make_download

MAX_SELECTED_SQUADS = 100


@require_POST
@limit_rate("selected", max_count=300)
def change_selected(request: HttpRequest) -> HttpResponse:
    """Run the action of a button on all selected squads."""
    owner = get_owner(request)
    squads = squads_of(owner).filter(id__in=_read_ids(request.POST.getlist("squad")))
    action = ACTIONS.get(request.POST.get("do", ""))
    if action is None or not squads:
        raise UsageError(_("no squad is selected"), _("Select at least one squad."))
    return action(request, owner, squads) or redirect("home")


def _read_ids(texts: Sequence[str]) -> list[UUID]:
    try:
        return [UUID(text) for text in texts[:MAX_SELECTED_SQUADS]]
    except ValueError:
        return []


Squads = QuerySet[SavedSquad]


def tag_squads(request: HttpRequest, owner: str, squads: Squads) -> None:
    """Add a tag to selected squads."""
    tag = read_tag(request.POST.get("tag", ""))
    for squad in squads.filter(owner=owner):
        add_tag(squad, tag)


def untag_squads(request: HttpRequest, owner: str, squads: Squads) -> None:
    """Remove a tag from selected squads."""
    tag = read_tag(request.POST.get("tag", ""))
    for squad in squads.filter(owner=owner):
        remove_tag(squad, tag)


def archive_squads(_request: HttpRequest, owner: str, squads: Squads) -> None:
    """Move the owner's squads to the archive."""
    SavedSquad.objects.filter(id__in=squads.values("id"), owner=owner).update(
        archived=True
    )


def restore_squads(_request: HttpRequest, owner: str, squads: Squads) -> None:
    """Move the owner's squads out of the archive."""
    SavedSquad.objects.filter(id__in=squads.values("id"), owner=owner).update(
        archived=False
    )


def delete_squads(request: HttpRequest, owner: str, squads: Squads) -> None:
    """Delete selected squads. Squads of other owners are only removed from this list."""
    if request.POST.get("sure") == "1":
        # The ids are read first: without its guest row a squad of others is not selected any more.
        keys = list(squads.values_list("id", flat=True))
        SavedSquad.objects.filter(id__in=keys, owner=owner).delete()
        SquadGuest.objects.filter(link__squad_id__in=keys, owner=owner).delete()


def export_selected(_request: HttpRequest, owner: str, squads: Squads) -> HttpResponse:
    """Return the owner's squads as an archive that can be imported."""
    data = write_archive(export_squads(squads.filter(owner=owner)))
    return make_download(data, "application/zip", "squads.zip")


def print_cards(request: HttpRequest, owner: str, squads: Squads) -> HttpResponse:
    """Print the cards of all squads into one file."""
    return _print_squads(owner, squads, "squads")


def print_sheets(request: HttpRequest, owner: str, squads: Squads) -> HttpResponse:
    """Print the sheets of all squads into one file."""
    return _print_squads(owner, squads, "lists")


def _print_squads(owner: str, squads: Squads, what: PrintContent) -> HttpResponse:
    refuse_many_jobs(owner)
    library = get_library()
    items = []
    for squad in squads:
        text = squad.text
        if squad.owner != owner:
            roster = require_roster(library.parse_squad(text, "").roster)
            text = library.format_squad(remove_notes(roster))
        pack = library.get_pack(squad.pack, squad.release or None)
        lang = choose_card_language(pack, get_page_language())
        request = PrintRequest(pack.id, lang, squad.release, what)
        items.append((squad.name, text, asdict(request)))
    job = PrintJob(text=json.dumps(items))
    # Each squad has its own request; that of the job names the first one's game.
    queue_job(owner, job, PrintRequest(**items[0][2]))
    return redirect("print", job=job.pk)


Action = Callable[[HttpRequest, str, Squads], HttpResponse | None]
ACTIONS: Mapping[str, Action] = {
    "tag": tag_squads,
    "untag": untag_squads,
    "archive": archive_squads,
    "restore": restore_squads,
    "export": export_selected,
    "print-cards": print_cards,
    "print-sheets": print_sheets,
    "delete": delete_squads,
}
"""The actions of buttons."""
