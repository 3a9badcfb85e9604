"""The pages from which an organiser writes to players: messages, and a check after errata."""

from collections.abc import Sequence
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import count_request, limit_rate
from builder.web.cards.library import get_names
from builder.web.events.forms import (
    NEW_FORM,
    FieldError,
    SentForm,
    read_lines,
    refuse_form,
    refuse_unknown_verb,
)
from builder.web.events.lists import get_event_pack, load_own_event
from builder.web.events.messages import messages_of, send_message
from builder.web.events.models import Event
from builder.web.events.recheck import RecheckedList, recheck_lists
from builder.web.events.views.confirm import ask_to_confirm, is_confirmed
from builder.web.events.views.organisers import describe_releases
from builder.web.templating import get_page_language, render_page

MAX_RECHECKS_PER_HOUR = 60


@require_http_methods(["GET", "POST"])
@limit_rate("message", max_count=60)
def show_messages(request: HttpRequest, event: UUID) -> HttpResponse:
    """Show the messages of an event. `send` sends one to all players, `delete ID` deletes one."""
    row = load_own_event(get_owner(request), event)
    sent = NEW_FORM
    if request.method == "POST":
        try:
            return _change_messages(request, row)
        except UsageError as error:
            sent = refuse_form(request.POST, error)
    response = render_page(
        request, "events/messages", sent=sent, event=row, messages=messages_of(row)
    )
    response.status_code = sent.status
    return response


def _change_messages(request: HttpRequest, event: Event) -> HttpResponse:
    """Send the message of a form, or delete one after a question."""
    verb, _blank, key = request.POST.get("do", "").partition(" ")
    if verb == "delete":
        for message in messages_of(event):
            if str(message.pk) != key:
                continue
            if not is_confirmed(request):
                question = _("Delete this message?")
                text, button = message.text, _("Delete")
                return ask_to_confirm(request, event, question, text, button)
            message.delete()
    elif verb == "send":
        send_message(event, read_lines(request.POST, "text"))
    else:
        raise refuse_unknown_verb(verb)
    return redirect("event-messages", event=event.pk)


@require_http_methods(["GET", "POST"])
@limit_rate("recheck", max_count=MAX_RECHECKS_PER_HOUR)
def show_recheck(request: HttpRequest, event: UUID) -> HttpResponse:
    """Check all lists under another release. `send` writes to the players affected."""
    row = load_own_event(get_owner(request), event)
    values = request.POST if request.method == "POST" else request.GET
    releases = [
        (version, state)
        for version, state, _is_in_force in describe_releases(row.pack)
        if row.release and version != row.release
    ]
    release = values.get("release", "")
    if release and request.method != "POST":
        # This form is sent by GET too, and checks up to all lists of an event.
        count_request(request, "recheck", MAX_RECHECKS_PER_HOUR)
    sent, rechecked = NEW_FORM, list[RecheckedList]()
    try:
        if release and release not in [version for version, _state in releases]:
            message = _("this release does not exist")
            raise FieldError("release", message, _("Choose one from the list."))
        rechecked = recheck_lists(row, release) if release else []
        if request.method == "POST":
            _inform_players(row, release, rechecked, read_lines(request.POST, "text"))
            return redirect("event-messages", event=row.pk)
    except UsageError as error:
        sent = refuse_form(values, error)
    return _render_recheck(request, row, releases, rechecked, sent)


def _inform_players(
    event: Event, release: str, rechecked: Sequence[RecheckedList], text: str
) -> None:
    """Send a message to the players whose lists change. Raise FieldError if there are none."""
    lists = [row.event_list.pk for row in rechecked if row.is_affected]
    if not lists:
        message = _("no list is affected")
        hint = _("Send a message to all players instead.")
        raise FieldError("release", message, hint)
    send_message(event, text, release, lists)


def _render_recheck(
    request: HttpRequest,
    event: Event,
    releases: Sequence[tuple[str, str]],
    rechecked: Sequence[RecheckedList],
    sent: SentForm,
) -> HttpResponse:
    pack = get_event_pack(event)
    values = request.POST if request.method == "POST" else request.GET
    response = render_page(
        request,
        "events/recheck",
        sent=sent,
        event=event,
        pack=pack,
        names=get_names(pack, get_page_language()),
        releases=releases,
        release=values.get("release", ""),
        rows=rechecked,
        affected=[row for row in rechecked if row.is_affected],
        worse=[row for row in rechecked if row.impact.worse],
        legible=event.is_readable,
    )
    response.status_code = sent.status
    return response
