"""The pages of an organiser: events are made, closed, revealed, printed and exported."""

import json
from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_http_methods

from builder.errata.release import Release, describe_state, find_release_in_force
from builder.errors import SquadpressError, UsageError
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.packs.privacy import refuse_imported
from builder.usecases.roster.share import draw_qr_path
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import sample_games
from builder.web.cards.history import find_played_release
from builder.web.cards.library import (
    choose_card_language,
    get_library,
    get_names,
    list_play_formats,
)
from builder.web.events.forms import (
    NEW_FORM,
    FieldError,
    SentForm,
    blame_field,
    check_confirmed,
    read_lines,
    refuse_form,
    refuse_unknown_verb,
)
from builder.web.events.lists import (
    MAX_EVENTS,
    clean_name,
    format_digest,
    format_field,
    get_event_pack,
    get_verdict,
    list_rule_titles,
    list_zones,
    lists_of,
    load_own_event,
    make_table,
    parse_moment,
    remove_list,
)
from builder.web.events.models import Event, EventList, Receipt
from builder.web.events.receipts import find_receipt, format_receipt_number
from builder.web.events.views.confirm import ask_to_confirm, is_confirmed
from builder.web.squads.models import PrintJob
from builder.web.squads.print_queue import PrintRequest, queue_job
from builder.web.squads.views.games import parse_param
from builder.web.squads.views.prints import refuse_many_jobs
from builder.web.templating import (
    get_page_language,
    make_download,
    make_file_name,
    render_page,
    translate_text,
)

MAX_NAME_LENGTH, MAX_NOTES_LENGTH = 120, 5_000
MAX_JOBS_SHOWN = 5


@require_GET
def show_events(request: HttpRequest) -> HttpResponse:
    """Show the events that this browser organises or handed a list in for, and the games."""
    owner = get_owner(request) or None
    games = sample_games()
    titles = {
        pack.id: names.choose_name(pack.manifest.name, pack.id)
        for pack, names, _faces in games
    }
    events = Event.objects.filter(owner=owner)
    return render_page(
        request,
        "events/all",
        games=games,
        titles=titles,
        lists=EventList.objects.select_related("event").filter(owner=owner),
        events=[(event, lists_of(event).count()) for event in events],
    )


@require_http_methods(["GET", "POST"])
@limit_rate("event", max_count=30)
def make_event(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the form for a new event, or make the event."""
    game = get_library().get_pack(pack)
    refuse_imported(get_library().project, pack)
    if request.method != "POST":
        return _render_new_event(request, game)
    try:
        event = _make_event(get_or_create_owner(request), game, request.POST)
    except UsageError as error:
        return _render_new_event(request, game, refuse_form(request.POST, error))
    return redirect("event", event=event.pk)


def _make_event(owner: str, game: Pack, form: Mapping[str, str]) -> Event:
    """Store the event of a form. Raise UsageError for invalid values."""
    if Event.objects.filter(owner=owner).count() >= MAX_EVENTS:
        message = _("you have reached the maximum number of events")
        raise UsageError(message, _("Delete a past event."))
    release = _read_release(game.id, form)
    params = _read_params(game, form)
    event = Event(owner=owner, pack=game.id, release=release, params=params)
    _fill_event(event, form)
    if event.deadline <= timezone.now():
        message = _("the deadline is in the past")
        raise FieldError("deadline", message, _("Choose a later deadline."))
    _set_play_format(event, get_library().get_pack(game.id, release), form)
    event.save(force_insert=True)
    return event


def _render_new_event(
    request: HttpRequest, game: Pack, sent: SentForm = NEW_FORM
) -> HttpResponse:
    owner = get_owner(request)
    names = get_names(game, get_page_language())
    last_event = Event.objects.filter(owner=owner).order_by("-created").first()
    sides = game.vocabulary.factions.keys()
    params = []
    for name, param in game.manifest.roster.params.items():
        # Each player chooses their own side.
        default = param.default if sides.isdisjoint(param.choices) else None
        params.append((name, names.name_param(name), param, default))
    response = render_page(
        request,
        "events/new",
        sent=sent,
        pack=game,
        names=names,
        params=params,
        releases=describe_releases(game.id),
        as_is=not find_played_release(game.id),
        zones=list_zones(),
        zone=last_event.zone if last_event else "",
        formats=list_play_formats(game),
    )
    response.status_code = sent.status
    return response


def _list_releases(pack: str) -> list[Release]:
    """Return the releases of a game that were not withdrawn, the last one first."""
    releases = get_library().packs.open_releases(pack).list_releases()
    offered = [release for release in releases if release.withdrawal is None]
    return sorted(offered, key=lambda release: release.number, reverse=True)


def describe_releases(pack: str) -> list[tuple[str, str, bool]]:
    """Return the form's releases with their state in words, and True for the one in force."""
    releases = get_library().packs.open_releases(pack).list_releases()
    today = localdate()
    current = find_release_in_force(releases, today)
    choices = []
    for release in _list_releases(pack):
        state = translate_text(describe_state(release, releases, today))
        choices.append((release.version, state, release == current))
    return choices


def _read_release(pack: str, form: Mapping[str, str]) -> str:
    """Return the release of a form. Raise UsageError for an unknown one."""
    version = form.get("release", "")
    is_known = version in [release.version for release in _list_releases(pack)]
    if is_known or (not version and not find_played_release(pack)):
        return version
    message = _("this release does not exist")
    raise FieldError("release", message, _("Choose one from the list."))


def _read_params(pack: Pack, form: Mapping[str, str]) -> dict[str, int | str]:
    """Return the parameters that a form fixes."""
    params = {}
    for name, param in pack.manifest.roster.params.items():
        text = form.get(f"param-{name}", "")
        value = parse_param(text, param)
        if value is not None:
            params[name] = value
        elif text:
            message = _("{value} is not allowed here", value=text[:40])
            hint = _("Choose another value, or leave it to each player.")
            raise FieldError(f"param-{name}", message, hint)
    return params


def _fill_event(event: Event, form: Mapping[str, str]) -> None:
    """Set name, notes, times and secrecy to the values of a form.

    Raise UsageError for invalid ones.
    """
    event.name = clean_name(form.get("name", ""), MAX_NAME_LENGTH)
    if not event.name:
        raise FieldError("name", _("the event has no name"), _("Enter a name."))
    event.notes = read_lines(form, "notes")
    if len(event.notes) > MAX_NOTES_LENGTH:
        message = _("the information has {count} characters", count=len(event.notes))
        hint = _("Shorten it to {count} characters.", count=MAX_NOTES_LENGTH)
        raise FieldError("notes", message, hint)
    event.zone = _read_zone(form)
    with blame_field("deadline"):
        event.deadline = parse_moment(form.get("deadline", ""), event.zone)
    event.sealed = form.get("sealed") == "1"
    reveals = form.get("reveals", "").strip()
    with blame_field("reveals"):
        event.reveals = parse_moment(reveals, event.zone) if reveals else None
    if event.reveals is not None and event.reveals < event.deadline:
        message = _("lists would be revealed before the deadline")
        raise FieldError("reveals", message, _("Choose a time after the deadline."))
    with blame_field("deadline"):
        _check_day(event)


def _read_zone(form: Mapping[str, str]) -> str:
    """Return the time zone of a form. Raise FieldError for an unknown one."""
    zone = form.get("zone", "UTC")
    if zone not in list_zones():
        message = _("{value} is no time zone", value=zone[:40] or "–")
        raise FieldError("zone", message, _("Choose one from the list."))
    return zone


def _set_play_format(event: Event, pack: Pack, form: Mapping[str, str]) -> None:
    """Set the play format and the day of play, by default that of the deadline.

    Raise UsageError for invalid ones.
    """
    event.played = form.get("format", "")
    if not event.played:
        return
    if event.played not in pack.formats:
        hint = _("Choose another play format, or a newer release.")
        message = _("this release does not have this play format")
        raise FieldError("format", message, hint)
    day = form.get("day", "").strip()
    with blame_field("day"):
        event.day = (
            parse_moment(f"{day} 00:00", event.zone).date() if day else event.last_day
        )
        _check_day(event)


def _check_day(event: Event) -> None:
    """Raise UsageError for a day of play before the deadline."""
    if event.day is not None and event.day < event.last_day:
        message = _("the date of play is before the deadline")
        raise UsageError(message, _("Choose a later deadline."))


@require_http_methods(["GET", "POST"])
def show_event(request: HttpRequest, event: UUID) -> HttpResponse:
    """Show all lists with their verdicts. A form changes the event."""
    if request.method == "POST":
        try:
            return _change_event(request, event)
        except UsageError as error:
            return _render_refused(request, event, error)
    return render_event(request, load_own_event(get_owner(request), event))


def _render_refused(
    request: HttpRequest, event: UUID, error: SquadpressError
) -> HttpResponse:
    """Show the event with a form that was refused."""
    row = load_own_event(get_owner(request), event)
    return render_event(request, row, refuse_form(request.POST, error))


def render_event(
    request: HttpRequest, row: Event, sent: SentForm = NEW_FORM
) -> HttpResponse:
    """Show an event to its organiser, with the form that was sent."""
    pack = get_event_pack(row)
    receipts = Receipt.objects.filter(event=row, ended=None)
    receipts_by_owner = {receipt.owner: receipt for receipt in receipts}
    is_readable = row.is_readable
    list_rows, legal_count = [], 0
    for event_list in lists_of(row):
        verdict = get_verdict(event_list)
        digest = format_digest(event_list, is_readable)
        rules = list_rule_titles(pack, verdict.broken)
        receipt = receipts_by_owner.get(event_list.owner)
        list_rows.append((event_list, verdict, digest, rules, receipt))
        legal_count += verdict.legal
    address = request.build_absolute_uri(reverse("hand-in", args=[row.code]))
    response = render_page(
        request,
        "events/event",
        sent=sent,
        format_receipt_number=format_receipt_number,
        event=row,
        pack=pack,
        names=get_names(pack, get_page_language()),
        rows=list_rows,
        address=address,
        code=draw_qr_path(address),
        closed=row.is_closed,
        shown=row.is_revealed,
        legible=is_readable,
        zones=list_zones(),
        jobs=PrintJob.objects.filter(event=row, owner=row.owner)[:MAX_JOBS_SHOWN],
        deadline=format_field(row.deadline, row.zone),
        reveals=format_field(row.reveals, row.zone),
        legal=legal_count,
        over=row.deadline <= timezone.now(),
        waits=row.is_sealed_until,
    )
    response.status_code = sent.status
    return response


@require_GET
def show_receipt_of_number(request: HttpRequest, event: UUID) -> HttpResponse:
    """Lead to the receipt with a number."""
    row = load_own_event(get_owner(request), event)
    try:
        receipt = find_receipt(row, request.GET.get("number", ""))
    except UsageError as error:
        return render_event(request, row, refuse_form(request.GET, error))
    return redirect("receipt", code=row.code, receipt=receipt.pk)


def _change_event(request: HttpRequest, key: UUID) -> HttpResponse:
    """Run the action of a button: `lock`, `open`, `reveal`, `remove LIST`, `save`, `delete`."""
    verb, _blank, list_id = request.POST.get("do", "").partition(" ")
    with transaction.atomic():
        event = load_own_event(get_owner(request), key, lock=True)
        if not is_confirmed(request):
            page = _ask_first(request, event, verb, list_id)
            if page is not None:
                return page
        if verb == "delete":
            check_confirmed(request.POST)
            event.delete()
            return redirect("events")
        if verb == "lock":
            event.locked = event.locked or timezone.now()
        elif verb == "open":
            _open_event(event)
        elif verb == "reveal":
            _check_reveal(event)
            event.revealed = event.revealed or timezone.now()
        elif verb == "save":
            _update_event(event, request.POST)
        elif verb == "remove":
            for event_list in _find_list(event, list_id):
                remove_list(event_list, Receipt.REMOVED)
        else:
            raise refuse_unknown_verb(verb)
        event.save()
    return redirect("event", event=key)


def _ask_first(
    request: HttpRequest, event: Event, verb: str, list_id: str
) -> HttpResponse | None:
    """Return the page that asks before lists are revealed or removed. None for other buttons."""
    if verb == "reveal":
        _check_reveal(event)
        text = _("Everyone with the players' link can then read them for good.")
        button = _("Reveal all lists")
        return ask_to_confirm(request, event, _("Reveal all lists?"), text, button)
    if verb == "remove":
        for event_list in _find_list(event, list_id):
            question = _("Remove the list of {player}?", player=event_list.player)
            text = _("The player drops out of the rounds. The receipt stays.")
            return ask_to_confirm(request, event, question, text, _("Remove this list"))
    return None


def _find_list(event: Event, list_id: str) -> list[EventList]:
    """Return the list with an id. Empty if it was removed meanwhile."""
    return [row for row in lists_of(event) if str(row.pk) == list_id]


def _open_event(event: Event) -> None:
    """Take lists again. Raise UsageError if they are revealed."""
    if event.is_revealed:
        hint = _("Lists that everyone has seen cannot be handed in again.")
        raise UsageError(_("the lists are already revealed"), hint)
    event.locked = None


def _check_reveal(event: Event) -> None:
    """Raise UsageError while the event is open, or before the announced time."""
    if not event.is_closed:
        raise UsageError(_("the event is still open"), _("Close it first."))
    if event.is_sealed_until:
        message = _("the lists are sealed until the time announced to the players")
        raise UsageError(message, _("Wait until that time."))


def _update_event(event: Event, form: Mapping[str, str]) -> None:
    """Update an event from its form. After the lists are revealed, the times stay the same.

    Raise UsageError if submitted lists would be revealed earlier than announced.
    """
    old = Event(
        deadline=event.deadline,
        sealed=event.sealed,
        reveals=event.reveals,
        revealed=event.revealed,
    )
    _fill_event(event, form)
    if old.is_revealed:
        event.deadline = old.deadline
        event.sealed = old.sealed
        event.reveals = old.reveals
    elif old.sealed and lists_of(event).exists():
        is_sooner = old.reveals and (not event.reveals or event.reveals < old.reveals)
        if not event.sealed or is_sooner:
            message = _("lists were handed in with a later reveal time")
            hint = _("Reveal them at the announced time or later.")
            raise FieldError("reveals", message, hint)


@require_GET
def export_table(request: HttpRequest, event: UUID) -> HttpResponse:
    """Return all lists as a table for a spreadsheet."""
    row = load_own_event(get_owner(request), event)
    name = make_file_name(row.name) or row.pack
    return make_download(make_table(row), "text/csv; charset=utf-8", f"{name}.csv")


@require_http_methods(["GET", "POST"])
@limit_rate("print", max_count=30)
def print_sheets(request: HttpRequest, event: UUID) -> HttpResponse:
    """Print the sheets of all lists, each with its player's name.

    Lead to the event if the page of a refused print is loaded again.
    """
    row = load_own_event(get_owner(request), event)
    if request.method != "POST":
        return redirect("event", event=event)
    try:
        with blame_field("paper"):
            job = _queue_sheets(row, request.POST.get("paper", ""))
    except FieldError as error:
        return _render_refused(request, event, error)
    return redirect("print", job=job.pk)


def _queue_sheets(row: Event, paper: str) -> PrintJob:
    library = get_library()
    if not row.is_readable:
        hint = _("You can print them after they are revealed.")
        raise UsageError(_("the lists are sealed"), hint)
    refuse_many_jobs(row.owner)
    lists = []
    for event_list in lists_of(row):
        text = event_list.text
        roster = library.parse_squad(text, event_list.player).roster
        if roster is not None:
            name = " – ".join(filter(None, (event_list.player, roster.name)))
            named_roster = roster.model_copy(update={"name": name, "names": {}})
            text = library.format_squad(named_roster)
        # The worker reports a list that it cannot print.
        lists.append((event_list.player, text))
    if not lists:
        raise UsageError(
            _("there is nothing to print"), _("Wait until a list has been handed in.")
        )
    print_request = PrintRequest(
        pack=row.pack,
        lang=choose_card_language(
            library.get_pack(row.pack, row.release), get_page_language()
        ),
        release=row.release,
        what="lists",
        paper="letter" if paper == "letter" else "a4",
    )
    job = PrintJob(event=row, text=json.dumps(lists))
    queue_job(row.owner, job, print_request)
    return job
