"""Where an event's link leads: what is played, a form that hands a list in, and, once revealed, the lists of all."""

from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.reading import read_squad
from builder.usecases.roster.verdict import hash_pack_data
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.library import get_library, get_names
from builder.web.events.lists import (
    ALL_DIGITS,
    closed,
    event_of,
    hand_in,
    judgement,
    legible,
    mark,
    one_line,
    shown,
    shown_row,
)
from builder.web.events.models import Event, EventList
from builder.web.squads.links import find_link
from builder.web.squads.models import squads_of
from builder.web.squads.squad_view import make_squad_view
from builder.web.squads.storage import SquadStorage
from builder.web.squads.views.share import copy_shared_squad
from builder.web.templating import get_page_language, make_file_name, render_page
from builder.web.uploads import find_linked_page, read_field_or_file

LONGEST = 80
"""Letters of a player's name."""


@require_http_methods(["GET", "POST"])
@limit_rate("hand-in", max_count=60)
def event(request: HttpRequest, code: UUID) -> HttpResponse:
    """The event as players see it; `hand-in` takes a list, `withdraw` takes it back."""
    found = event_of(code)
    if request.method == "POST":
        return _posted(request, found)
    owner, pack = get_owner(request), get_library().get_pack(found.pack, found.release)
    own = EventList.objects.filter(event=found, owner=owner).first() if owner else None
    lists = EventList.objects.filter(event=found)
    response = render_page(
        request, "events/hand-in", event=found, pack=pack, names=get_names(pack, get_page_language()), own=own,
        view=make_squad_view(shown_row(found, own), found.day) if own else None, told=judgement(own) if own else None,
        mark=mark(own, legible(found), ALL_DIGITS) if own else "",
        closed=closed(found), shown=shown(found), many=lists.count(),
        squads=list(squads_of(owner).filter(pack=found.pack)),
        rows=[(one, judgement(one)) for one in lists] if shown(found) else [],
    )  # fmt: skip
    response["X-Robots-Tag"] = "noindex"
    return response


def _posted(request: HttpRequest, event: Event) -> HttpResponse:
    """Hand in what the form says, or take back what was handed in."""
    if request.POST.get("do") == "withdraw":
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=event.pk)
            if closed(event):
                raise UsageError(
                    _("the event is closed"), _("Ask the organiser to remove your list.")
                )
            EventList.objects.filter(event=event, owner=get_owner(request) or "-").delete()
        return redirect("hand-in", code=event.code)
    player = one_line(request.POST.get("player", ""), LONGEST)
    if not player:
        raise UsageError(
            _("the list has no player's name"), _("Enter your name. The organiser sees it.")
        )
    squad = _squad(request, event)
    owner = get_or_create_owner(request)
    hand_in(event, owner, player, squad)
    return redirect("hand-in", code=event.code)


def _squad(request: HttpRequest, event: Event) -> Roster:
    """The squad that a form names or holds, or holds the link of. UsageError where there is none."""
    key = request.POST.get("squad", "")
    if key:
        row = SquadStorage(get_library(), get_owner(request)).load_row(key)
        squad = get_library().parse_squad(row.text, key).roster
        if squad is None:
            raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
        return squad
    text = read_field_or_file(request, "text", "file")
    if not text.strip():
        raise UsageError(_("no squad is selected"), _("Select one of your squads, or paste one."))
    if shared := find_linked_page(request, text, {"shared"}):
        return copy_shared_squad(find_link(resolve(shared).kwargs["code"]), get_owner(request))
    read = read_squad(
        get_library().packs, text, get_library().list_games(), get_library().get_judge
    )
    if read.unread:
        raise UsageError(
            _("parts of this list were not understood"),
            _("Import it as a squad first and check it."),
        )
    return read.roster


@require_GET
def handed(request: HttpRequest, code: UUID, one: UUID) -> HttpResponse:
    """One list, as a page."""
    found = readable_list(request, code, one)
    event = found.event
    view, told = make_squad_view(shown_row(event, found), event.day), judgement(found)
    changed = not event.release and hash_pack_data(view.pack) != told.data
    response = render_page(request, "events/list", event=event, one=found, told=told, view=view, changed=changed,
                    mark=mark(found, legible(event), ALL_DIGITS),
                    organises=get_owner(request) == event.owner)  # fmt: skip
    response["X-Robots-Tag"] = "noindex"
    return response


@require_GET
def handed_file(request: HttpRequest, code: UUID, one: UUID) -> HttpResponse:
    """One list as the file that its digest was made of, so that anybody can make the digest again.

    404 for a list from before 0.2.0: it has no salt, and its digest is no commitment.
    """
    found = readable_list(request, code, one)
    if not judgement(found).salt:
        raise Http404
    response = HttpResponse(found.text.encode(), content_type="application/yaml")
    response["Content-Disposition"] = (
        f'attachment; filename="{make_file_name(found.player) or found.event.pack}.yaml"'
    )
    response["X-Robots-Tag"] = "noindex"
    return response


def readable_list(request: HttpRequest, code: UUID, one: UUID) -> EventList:
    """Return a list: for everybody once it is revealed, before that for its player, and for the organiser where lists
    are not sealed. 404 for anybody else."""
    event, owner = event_of(code), get_owner(request)
    found = EventList.objects.select_related("event").filter(event=event, pk=one).first()
    mine = found is not None and owner == found.owner
    if found is None or not (shown(event) or mine or (owner == event.owner and legible(event))):
        raise Http404
    return found
