"""Events as their organiser sees them: made, filled by players, locked, revealed, printed, taken along as a table."""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from builder.errata.release import describe_state, find_release_in_force
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.usecases.roster.share import draw_qr_path
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import get_faces, pick_sample_faces
from builder.web.cards.history import find_played_release
from builder.web.cards.library import (
    choose_card_language,
    get_library,
    get_names,
    list_play_formats,
)
from builder.web.events.lists import (
    MOST_EVENTS,
    closed,
    judgement,
    legible,
    lists_of,
    mark,
    moment,
    one_line,
    own_event,
    pack_of,
    rules_told,
    shown,
    table,
    written,
    zones,
)
from builder.web.events.models import Event, EventList
from builder.web.squads.models import PrintJob
from builder.web.squads.print_queue import PrintRequest, queue_job
from builder.web.squads.views.games import parse_param
from builder.web.squads.views.prints import refuse_many_jobs
from builder.web.templating import get_page_language, make_file_name, render_page, translate_text

LONGEST_NAME, LONGEST_NOTES = 120, 5_000
HOUR = timedelta(hours=1)


@require_GET
def events(request: HttpRequest) -> HttpResponse:
    """The events of this browser: those that it organises, those that it handed a list in for, and the games."""
    owner, lang = get_owner(request), get_page_language()
    games = [
        (pack, get_names(pack, lang), pick_sample_faces(pack, get_faces(pack, lang)))
        for pack in get_library().list_games()
    ]
    titles = {pack.id: names.of(pack.manifest.name, pack.id) for pack, names, _faces in games}
    own = Event.objects.filter(owner=owner) if owner else Event.objects.none()
    lists = (
        EventList.objects.select_related("event").filter(owner=owner)
        if owner
        else EventList.objects.none()
    )
    return render_page(request, "events/all", games=games, titles=titles, lists=lists, closed=closed,
                events=[(event, lists_of(event).count()) for event in own])  # fmt: skip


@require_http_methods(["GET", "POST"])
@limit_rate("event", max_count=30)
def new(request: HttpRequest, pack: str) -> HttpResponse:
    """A form for an event, and the event that it makes."""
    found = get_library().get_pack(pack)
    names = get_names(found, get_page_language())
    if request.method != "POST":
        last = Event.objects.filter(owner=get_owner(request)).order_by("-created").first()
        sides = found.vocabulary.factions.keys()
        params = [
            (name, names.param(name), param, None if sides & set(param.choices) else param.default)
            for name, param in found.manifest.roster.params.items()
        ]  # which side one plays is each player's own
        return render_page(request, "events/new", pack=found, names=names, params=params,
                    releases=_release_choices(pack), as_is=not find_played_release(pack), zones=zones(),
                    zone=last.zone if last else "",
                    formats=list_play_formats(found))  # fmt: skip
    owner = get_or_create_owner(request)
    if Event.objects.filter(owner=owner).count() >= MOST_EVENTS:
        raise UsageError(
            _("you have reached the maximum number of events"), _("Delete a past event.")
        )
    event = Event(
        owner=owner,
        pack=pack,
        release=_release(pack, request.POST),
        params=_params(found, request.POST),
    )
    _state(event, request.POST)
    if event.deadline <= timezone.now():
        raise UsageError(_("the deadline is in the past"), _("Choose a later deadline."))
    _play(event, get_library().get_pack(pack, event.release), request.POST)
    event.save(force_insert=True)
    return redirect("event", event=event.pk)


def _releases(pack: str) -> list[str]:
    """The releases of a game that were not withdrawn, the last one first."""
    kept = (
        release
        for release in get_library().packs.releases(pack).all()
        if release.withdrawal is None
    )
    found = sorted(kept, key=lambda release: release.number, reverse=True)
    return [release.version for release in found]


def _release_choices(pack: str) -> list[tuple[str, str, bool]]:
    """The releases that a form offers: version, state today in words, True for the one in force."""
    releases, today = get_library().packs.releases(pack).all(), localdate()
    state_by_version = {
        one.version: translate_text(describe_state(one, releases, today)) for one in releases
    }
    current = find_release_in_force(releases, today)
    in_force_version = current.version if current is not None else ""
    return [
        (version, state_by_version[version], version == in_force_version)
        for version in _releases(pack)
    ]


def _release(pack: str, form: Mapping[str, str]) -> str:
    """The release that a form chooses. UsageError for one that is not there."""
    wanted, known = form.get("release", ""), _releases(pack)
    if wanted in known or (not wanted and not find_played_release(pack)):
        return wanted
    raise UsageError(_("this release does not exist"), _("Choose one from the list."))


def _params(pack: Pack, form: Mapping[str, str]) -> dict[str, int | str]:
    """The parameters that a form fixes."""
    stated = {
        name: parse_param(form.get(f"param-{name}", ""), param)
        for name, param in pack.manifest.roster.params.items()
    }
    return {name: value for name, value in stated.items() if value is not None}


def _state(event: Event, form: Mapping[str, str]) -> None:
    """Put into an event what a form says of name, times and secrecy. UsageError for what cannot be."""
    event.name = one_line(form.get("name", ""), LONGEST_NAME)
    if not event.name:
        raise UsageError(_("the event has no name"), _("Enter a name."))
    event.notes = form.get("notes", "")[:LONGEST_NOTES].strip()
    event.zone = form["zone"] if form.get("zone") in zones() else "UTC"
    event.deadline = moment(form.get("deadline", ""), event.zone)
    event.sealed = form.get("sealed") == "1"
    reveals = form.get("reveals", "").strip()
    event.reveals = moment(reveals, event.zone) if reveals else None
    if event.reveals is not None and event.reveals < event.deadline:
        raise UsageError(
            _("lists would be revealed before the deadline"), _("Choose a time after the deadline.")
        )
    _in_time(event)


def _play(event: Event, pack: Pack, form: Mapping[str, str]) -> None:
    """Put into an event what a form says of the play format and the day of play, else that of the deadline. UsageError
    for what cannot be."""
    event.played = form.get("format", "")
    if not event.played:
        return
    if event.played not in pack.formats:
        raise UsageError(
            _("this release does not have this play format"),
            _("Choose another play format, or a newer release."),
        )
    stated = form.get("day", "").strip()
    event.day = moment(f"{stated} 00:00", event.zone).date() if stated else _last_day(event)
    _in_time(event)


def _last_day(event: Event) -> date:
    """The day on which the last list is taken, where the event is."""
    return event.deadline.astimezone(ZoneInfo(event.zone)).date()


def _in_time(event: Event) -> None:
    """UsageError for a day of play on which lists are still to come."""
    if event.day is not None and event.day < _last_day(event):
        raise UsageError(
            _("the date of play is before the deadline"), _("Choose a later deadline.")
        )


@require_http_methods(["GET", "POST"])
def event(request: HttpRequest, event: UUID) -> HttpResponse:
    """All lists with their verdicts, and what can be done; a form does it."""
    if request.method == "POST":
        return _done(request, event)
    found = own_event(get_owner(request), event)
    pack, lang = pack_of(found), get_page_language()
    lists = lists_of(found)
    rows = [
        (one, judgement(one), mark(one, legible(found)), rules_told(pack, judgement(one).broken))
        for one in lists
    ]
    address = request.build_absolute_uri(reverse("hand-in", args=[found.code]))
    jobs = PrintJob.objects.filter(event=found, owner=found.owner)[:5]
    return render_page(
        request, "events/event", event=found, pack=pack, names=get_names(pack, lang), rows=rows, address=address,
        code=draw_qr_path(address), closed=closed(found), shown=shown(found), legible=legible(found), zones=zones(),
        jobs=jobs, deadline=written(found.deadline, found.zone), reveals=written(found.reveals, found.zone),
        legal=sum(one.legal for _list, one, *_more in rows), over=found.deadline <= timezone.now(), waits=_waits(found),
    )  # fmt: skip


def _waits(event: Event) -> bool:
    """True while sealed lists wait for a moment that was told to the players."""
    return event.sealed and event.reveals is not None and not shown(event)


def _done(request: HttpRequest, key: UUID) -> HttpResponse:
    """`lock`, `open`, `reveal`, `remove LIST`, `save`, `delete`."""
    verb, _blank, name = request.POST.get("do", "").partition(" ")
    with transaction.atomic():
        found = own_event(get_owner(request), key, lock=True)
        if verb == "delete" and request.POST.get("sure") == "1":
            found.delete()
            return redirect("events")
        if verb == "lock":
            found.locked = found.locked or timezone.now()
        elif verb == "open":
            _not_shown(found)
            found.locked = None
        elif verb == "reveal":
            _reveal(found)
        elif verb == "save":
            _changed(found, request.POST)
        elif verb == "remove":
            EventList.objects.filter(event=found, pk__in=[name] if _uuid(name) else []).delete()
        found.save()
    return redirect("event", event=key)


def _uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def _not_shown(event: Event) -> None:
    if shown(event):
        raise UsageError(
            _("the lists are already revealed"),
            _("Lists that everyone has seen cannot be handed in again."),
        )


def _reveal(event: Event) -> None:
    """Reveal all lists. UsageError while players may hand in, or before the moment that they were told."""
    if not closed(event):
        raise UsageError(_("the event is still open"), _("Close it first."))
    if _waits(event):
        raise UsageError(
            _("the lists are sealed until the time announced to the players"),
            _("Wait until that time."),
        )
    event.revealed = event.revealed or timezone.now()


def _changed(event: Event, form: Mapping[str, str]) -> None:
    """Change name, notes and times; what players were promised when they handed in is kept."""
    before = Event(
        deadline=event.deadline, sealed=event.sealed, reveals=event.reveals, revealed=event.revealed
    )
    _state(event, form)
    if shown(before):
        event.deadline, event.sealed, event.reveals = before.deadline, before.sealed, before.reveals
    elif lists_of(event).exists() and before.sealed:
        sooner = before.reveals and event.reveals and event.reveals < before.reveals
        if not event.sealed or sooner or (before.reveals and not event.reveals):
            reason = _("lists were handed in with a later reveal time")
            raise UsageError(reason, _("Reveal them at the announced time or later."))


@require_GET
def csv(request: HttpRequest, event: UUID) -> HttpResponse:
    """All lists as a table for a spreadsheet."""
    found = own_event(get_owner(request), event)
    response = HttpResponse(table(found), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="{make_file_name(found.name) or found.pack}.csv"'
    )
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@limit_rate("print", max_count=30)
def sheets(request: HttpRequest, event: UUID) -> HttpResponse:
    """Print the sheets of all lists, each with its player's name."""
    found = own_event(get_owner(request), event)
    if not legible(found):
        raise UsageError(
            _("the lists are sealed"), _("You can print them after they are revealed.")
        )
    refuse_many_jobs(found.owner)
    lists = []
    for one in lists_of(found):
        roster = get_library().parse_squad(one.text, one.player).roster
        if roster is not None:
            name = " – ".join(filter(None, (one.player, roster.name)))
            lists.append(
                (
                    one.player,
                    get_library().format_squad(
                        roster.model_copy(update={"name": name, "names": {}})
                    ),
                )
            )
    if not lists:
        raise UsageError(_("there is nothing to print"), _("Wait until a list has been handed in."))
    pack = get_library().get_pack(found.pack, found.release)
    wish = PrintRequest(
        found.pack, choose_card_language(pack, get_page_language()), found.release, "lists",
        paper="letter" if request.POST.get("paper") == "letter" else "a4",
    )  # fmt: skip
    job = PrintJob(event=found, text=json.dumps(lists))
    queue_job(found.owner, job, wish)
    return redirect("print", job=job.pk)
