"""The pages of an event's link.

What is played, a form to hand a list in, and, once revealed, the lists of all.
"""

from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import InputUnreadable, PackUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.reading import read_squad
from builder.usecases.roster.share import draw_qr_path
from builder.usecases.roster.verdict import hash_pack_data
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.library import get_library, get_names
from builder.web.events.forms import (
    NEW_FORM,
    FieldError,
    SentForm,
    blame_field,
    refuse_form,
    refuse_unknown_verb,
)
from builder.web.events.lists import (
    DIGEST_LENGTH,
    clean_name,
    format_digest,
    get_verdict,
    hand_in,
    lists_of,
    load_event,
    make_unsaved_squad,
    withdraw_list,
)
from builder.web.events.models import Event, EventList, Receipt
from builder.web.events.receipts import format_receipt_number, load_receipt
from builder.web.events.recheck import load_player_messages
from builder.web.events.rounds import count_rounds, find_own_match
from builder.web.squads.links import find_link
from builder.web.squads.models import squads_of
from builder.web.squads.squad_view import make_squad_view
from builder.web.squads.storage import SquadStorage, require_roster
from builder.web.squads.views.share import copy_shared_squad
from builder.web.templating import (
    get_page_language,
    make_download,
    make_file_name,
    render_page,
)
from builder.web.uploads import find_linked_page, read_field_or_file

MAX_PLAYER_LENGTH = 80


@require_http_methods(["GET", "POST"])
@limit_rate("hand-in", max_count=60)
def show_event_to_players(request: HttpRequest, code: UUID) -> HttpResponse:
    """Show the event to players. `hand-in` stores a list, `withdraw` removes it."""
    event = load_event(code)
    if request.method != "POST":
        return _render_event(request, event)
    try:
        return _change_list(request, event)
    except PackUnreadable:
        raise
    except (UsageError, InputUnreadable) as error:
        return _render_event(request, event, refuse_form(request.POST, error))


def _render_event(
    request: HttpRequest, event: Event, sent: SentForm = NEW_FORM
) -> HttpResponse:
    """Show an event to a player, with the form that was sent."""
    owner = get_owner(request)
    pack = get_library().get_pack(event.pack, event.release)
    lists = lists_of(event)
    own_list = lists.filter(owner=owner or None).first()
    own_values: dict[str, object] = {"view": None, "verdict": None, "mark": ""}
    if own_list is not None:
        own_values = {
            "view": make_squad_view(make_unsaved_squad(own_list), event.day),
            "verdict": get_verdict(own_list),
            "mark": format_digest(own_list, event.is_readable, DIGEST_LENGTH),
        }
    receipts = Receipt.objects.filter(event=event, owner=owner or None)
    rows = []
    if event.is_revealed:
        rows = [(event_list, get_verdict(event_list)) for event_list in lists]
    last = count_rounds(event)
    response = render_page(
        request,
        "events/hand-in",
        messages=load_player_messages(event, owner),
        last=last,
        own_match=find_own_match(event, owner, last),
        sent=sent,
        receipts=list(receipts),
        format_receipt_number=format_receipt_number,
        event=event,
        pack=pack,
        names=get_names(pack, get_page_language()),
        own=own_list,
        closed=event.is_closed,
        shown=event.is_revealed,
        many=lists.count(),
        squads=list(squads_of(owner).filter(pack=event.pack)),
        rows=rows,
        **own_values,
    )
    response["X-Robots-Tag"] = "noindex"
    response.status_code = sent.status
    return response


def _change_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Hand in the squad of a form, or withdraw the list that was handed in."""
    verb = request.POST.get("do", "hand-in")
    if verb == "withdraw":
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=event.pk)
            withdraw_list(event, get_owner(request))
        return redirect("hand-in", code=event.code)
    if verb != "hand-in":
        raise refuse_unknown_verb(verb)
    player = clean_name(request.POST.get("player", ""), MAX_PLAYER_LENGTH)
    if not player:
        hint = _("Enter your name. The organiser sees it.")
        raise FieldError("player", _("the list has no player's name"), hint)
    squad = _read_squad(request)
    receipt = hand_in(event, get_or_create_owner(request), player, squad)
    return redirect("receipt", code=event.code, receipt=receipt.pk)


def _read_squad(request: HttpRequest) -> Roster:
    """Return the squad that a form names, contains, or links to.

    Raise UsageError if there is none.
    """
    library = get_library()
    owner = get_owner(request)
    key = request.POST.get("squad", "")
    if key:
        with blame_field("squad"):
            row = SquadStorage(library, owner).load_row(key)
            return require_roster(library.parse_squad(row.text, key).roster)
    with blame_field("text"):
        return _read_pasted_squad(request)


def _read_pasted_squad(request: HttpRequest) -> Roster:
    library = get_library()
    text = read_field_or_file(request, "text", "file")
    if not text.strip():
        raise UsageError(
            _("no squad is selected"), _("Select one of your squads, or paste one.")
        )
    linked_page = find_linked_page(request, text, {"shared"})
    if linked_page:
        link = find_link(resolve(linked_page).kwargs["code"])
        return copy_shared_squad(link, get_owner(request))
    squad = read_squad(library.packs, text, library.list_games(), library.get_checker)
    if squad.unread:
        hint = _("Import it as a squad first and check it.")
        raise UsageError(_("parts of this list were not understood"), hint)
    return squad.roster


@require_GET
def show_list(request: HttpRequest, code: UUID, list_id: UUID) -> HttpResponse:
    """Show one list."""
    event_list = _load_readable_list(request, code, list_id)
    event = event_list.event
    verdict = get_verdict(event_list)
    view = make_squad_view(make_unsaved_squad(event_list), event.day)
    response = render_page(
        request,
        "events/list",
        event=event,
        one=event_list,
        verdict=verdict,
        view=view,
        changed=not event.release and hash_pack_data(view.pack) != verdict.data,
        mark=format_digest(event_list, event.is_readable, DIGEST_LENGTH),
        organises=get_owner(request) == event.owner,
    )
    response["X-Robots-Tag"] = "noindex"
    return response


@require_GET
def export_list(request: HttpRequest, code: UUID, list_id: UUID) -> HttpResponse:
    """Return the file of which a list's digest was made, so that anybody can check the digest.

    404 for a list from before 0.2.0: it has no salt, and its digest is no commitment.
    """
    event_list = _load_readable_list(request, code, list_id)
    if not get_verdict(event_list).salt:
        raise Http404
    name = make_file_name(event_list.player) or event_list.event.pack
    response = make_download(event_list.text, "application/yaml", f"{name}.yaml")
    response["X-Robots-Tag"] = "noindex"
    return response


def _load_readable_list(request: HttpRequest, code: UUID, list_id: UUID) -> EventList:
    """Return a list that this browser may read.

    404 for any other.

    Everybody may once it is revealed. Before, its player may, and the organiser if lists are not
    sealed.
    """
    event = load_event(code)
    owner = get_owner(request)
    event_list = lists_of(event).select_related("event").filter(pk=list_id).first()
    if event_list is None:
        raise Http404
    is_player = owner == event_list.owner
    is_organiser = owner == event.owner
    if not (event.is_revealed or is_player or (is_organiser and event.is_readable)):
        raise Http404
    return event_list


@require_GET
def show_receipt(request: HttpRequest, code: UUID, receipt: UUID) -> HttpResponse:
    """Show a receipt to whoever has its address. Only its player sees the list itself."""
    event = load_event(code)
    row = load_receipt(event, receipt)
    owner = get_owner(request)
    view = None
    if owner == row.owner:
        view = make_squad_view(make_unsaved_squad(row), event.day)
    pack = get_library().get_pack(event.pack, event.release)
    address = request.build_absolute_uri(request.path)
    response = render_page(
        request,
        "events/receipt",
        event=event,
        pack=pack,
        names=get_names(pack, get_page_language()),
        receipt=row,
        number=format_receipt_number(row.number),
        verdict=get_verdict(row),
        mark=format_digest(row, event.is_readable, DIGEST_LENGTH),
        view=view,
        organises=owner == event.owner,
        address=address,
        code=draw_qr_path(address),
    )
    response["X-Robots-Tag"] = "noindex"
    return response


@require_GET
def export_receipt(request: HttpRequest, code: UUID, receipt: UUID) -> HttpResponse:
    """Return the list of a receipt, of which its digest was made. 404 for all but its player."""
    row = load_receipt(load_event(code), receipt)
    if get_owner(request) != row.owner:
        raise Http404
    return make_download(row.text, "application/yaml", f"receipt-{row.number}.yaml")
