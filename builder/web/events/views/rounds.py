"""The pages of rounds: pairings, results and standings, for the organiser and for players."""

from collections.abc import Mapping
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.events.forms import (
    NEW_FORM,
    FieldError,
    SentForm,
    check_confirmed,
    refuse_form,
    refuse_unknown_verb,
)
from builder.web.events.lists import clean_name, load_event, load_own_event
from builder.web.events.models import Event, Match
from builder.web.events.recheck import load_player_messages
from builder.web.events.rounds import (
    count_rounds,
    entrants_of,
    find_own_match,
    list_newcomers,
    matches_of,
    rank_entrants,
    remove_round,
    report_result,
    start_round,
    store_results,
)
from builder.web.events.views.players import MAX_PLAYER_LENGTH
from builder.web.templating import render_page

MAX_POINTS, MAX_POINTS_DIGITS = 100, 3
MAX_NEW_NAMES = 100


@require_http_methods(["GET", "POST"])
def show_rounds(request: HttpRequest, event: UUID) -> HttpResponse:
    """Show rounds and standings to the organiser. `pair` makes a round, `points` sets points."""
    row = load_own_event(get_owner(request), event)
    if request.method != "POST":
        return _render_rounds(request, row)
    verb = request.POST.get("do", "")
    try:
        if verb == "points":
            _set_points(row, request.POST)
            return redirect("event-rounds", event=row.pk)
        if verb != "pair":
            raise refuse_unknown_verb(verb)
        playing = set(request.POST.getlist("plays"))
        new_names = _read_names(request.POST.get("names", ""))
        expected = request.POST.get("number", "")
        number = start_round(row, playing, new_names, expected)
    except UsageError as error:
        return _render_rounds(request, row, refuse_form(request.POST, error))
    return redirect("event-round", event=row.pk, number=number)


def _read_names(text: str) -> list[str]:
    """Return the names of new players, one a line. Raise FieldError for too many of them."""
    lines = (clean_name(line, MAX_PLAYER_LENGTH) for line in text.splitlines())
    names = [name for name in lines if name]
    if len(names) > MAX_NEW_NAMES:
        message = _("{count} names are too many", count=len(names))
        hint = _("Enter at most {count} names for each round.", count=MAX_NEW_NAMES)
        raise FieldError("names", message, hint)
    return names


def _set_points(event: Event, form: Mapping[str, str]) -> None:
    """Set the points for outcomes, and whether players report. Raise FieldError for others."""
    event.win_points = _read_points(form, "win")
    event.draw_points = _read_points(form, "draw")
    event.loss_points = _read_points(form, "loss")
    if event.draw_points > event.win_points:
        hint = _("Give at most the {count} points of a win.", count=event.win_points)
        message = _("a draw gives more points than a win")
        raise FieldError("draw", message, hint)
    if event.loss_points > event.draw_points:
        hint = _("Give at most the {count} points of a draw.", count=event.draw_points)
        message = _("a loss gives more points than a draw")
        raise FieldError("loss", message, hint)
    event.takes_reports = "reports" in form
    fields = ["win_points", "draw_points", "loss_points", "takes_reports"]
    event.save(update_fields=fields)


def _read_points(form: Mapping[str, str], name: str) -> int:
    text = form.get(name, "").strip()
    digits = text.lstrip("0") or text[-1:]
    if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_POINTS_DIGITS:
        points = int(digits)
        if points <= MAX_POINTS:
            return points
    hint = _("Enter a whole number from 0 to {count}.", count=MAX_POINTS)
    message = _("{value} is not allowed here", value=text[:40] or "–")
    raise FieldError(name, message, hint)


def _render_rounds(
    request: HttpRequest, event: Event, sent: SentForm = NEW_FORM
) -> HttpResponse:
    # A refused form may have changed the row, which was not saved.
    event.refresh_from_db()
    rows = rank_entrants(event)
    last = count_rounds(event)
    newcomers = list_newcomers(event)
    playing = {str(row.entrant.pk) for row in rows if row.entrant.is_active}
    playing |= {str(event_list.pk) for event_list in newcomers}
    if sent.is_form("pair"):
        playing = set(request.POST.getlist("plays"))
    counts: dict[int, list[int]] = {number: [0, 0, 0] for number in range(1, last + 1)}
    for match in matches_of(event):
        counts[match.round_number][0] += 1
        counts[match.round_number][2] += match.is_disputed
        counts[match.round_number][1] += match.outcome != ""
    response = render_page(
        request,
        "events/rounds",
        sent=sent,
        event=event,
        rows=rows,
        newcomers=newcomers,
        playing=playing,
        counts=counts,
        last=last,
    )
    response.status_code = sent.status
    return response


@require_http_methods(["GET", "POST"])
def show_round(request: HttpRequest, event: UUID, number: int) -> HttpResponse:
    """Show a round with a form for its results. `delete` removes the last round."""
    row = load_own_event(get_owner(request), event)
    matches = _load_round(row, number)
    sent = NEW_FORM
    if request.method == "POST":
        try:
            return _change_round(row, number, request.POST)
        except UsageError as error:
            sent = refuse_form(request.POST, error)
    response = render_page(
        request,
        "events/round",
        sent=sent,
        event=row,
        number=number,
        matches=matches,
        last=count_rounds(row),
    )
    response.status_code = sent.status
    return response


def _change_round(event: Event, number: int, form: Mapping[str, str]) -> HttpResponse:
    """Store the results of a round, or delete it, and lead to the next page."""
    verb = form.get("do", "")
    if verb == "delete":
        check_confirmed(form)
        remove_round(event, number)
        return redirect("event-rounds", event=event.pk)
    if verb != "save":
        raise refuse_unknown_verb(verb)
    store_results(event, number, form)
    return redirect("event-round", event=event.pk, number=number)


def _load_round(event: Event, number: int) -> list[Match]:
    """Return the matches of a round. Raise Http404 if there is no such round."""
    matches = list(matches_of(event).filter(round_number=number))
    if not matches:
        raise Http404
    return matches


@require_http_methods(["GET", "POST"])
@limit_rate("report", max_count=60)
def show_pairings(request: HttpRequest, code: UUID, number: int) -> HttpResponse:
    """Show a round to players. A player reports the result of the own match."""
    event = load_event(code)
    matches = _load_round(event, number)
    owner = get_owner(request)
    sent = NEW_FORM
    if request.method == "POST":
        try:
            report_result(event, owner, number, request.POST.get("report", ""))
            return redirect("pairings", code=code, number=number)
        except UsageError as error:
            sent = refuse_form(request.POST, error)
    response = render_page(
        request,
        "events/pairings",
        sent=sent,
        event=event,
        number=number,
        matches=matches,
        own_match=find_own_match(event, owner, number),
        messages=load_player_messages(event, owner),
        last=count_rounds(event),
    )
    response["X-Robots-Tag"] = "noindex"
    response.status_code = sent.status
    return response


@require_GET
def show_standings(request: HttpRequest, code: UUID) -> HttpResponse:
    """Show the standings to players."""
    event = load_event(code)
    last = count_rounds(event)
    if not last:
        raise Http404
    owner = get_owner(request)
    own_entrant = entrants_of(event).filter(owner=owner or None).first()
    open_matches = matches_of(event).filter(outcome="")
    response = render_page(
        request,
        "events/standings",
        event=event,
        rows=rank_entrants(event),
        own_entrant=own_entrant,
        messages=load_player_messages(event, owner),
        last=last,
        open_count=open_matches.count(),
    )
    response["X-Robots-Tag"] = "noindex"
    return response
