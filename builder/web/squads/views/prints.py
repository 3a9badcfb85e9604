"""Printing: what is wanted of a squad, how far a job is, and its finished file."""

from collections import Counter
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import InputUnreadable, SquadpressError, UsageError
from builder.messages import from_json, gettext as _
from builder.roster.chosen import original
from builder.usecases.build.select import list_squad_cards
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.models import PrintJob, SavedSquad
from builder.web.squads.print_queue import KEPT, PrintWish, file_of, place, queue, wake
from builder.web.squads.squad_view import SquadSight
from builder.web.squads.views.squad import own_squad, squad_page, without_notes
from builder.web.templating import make_file_name, render_page, translate_text

MOST_WAITING = 5
"""Unfinished jobs of one owner."""
MOST_COPIES = 20


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card of the squad that can be printed, in so many copies as the squad fields."""

    card: str
    name: str
    copies: int
    face: FacePicture | None


@require_http_methods(["GET", "POST"])
@limit_rate("print", max_count=30)
def prints(request: HttpRequest, key: UUID) -> HttpResponse:
    """What can be printed of a squad; a form that was sent is printed."""
    sight = own_squad(request, key)
    rows = card_rows(sight)
    if request.method == "POST":
        wish = wished(sight, rows, request.POST)
        owner = get_owner(request)
        may_queue(owner)
        roster = sight.judged.roster
        text = (
            sight.row.text
            if sight.is_own or roster is None
            else get_library().format_squad(without_notes(roster))
        )
        job = PrintJob(squad=sight.row, text=text)
        queue(owner, job, wish)
        return redirect("print", job=job.pk)
    made = PrintJob.objects.filter(squad=sight.row, owner=get_owner(request))[:10]
    return squad_page(
        request,
        sight,
        "print",
        rows=rows,
        jobs=list(made),
        langs=languages(sight),
        gauges=_gauges(sight),
    )


def may_queue(owner: str) -> None:
    """UsageError where somebody has enough unfinished jobs."""
    unfinished = PrintJob.objects.filter(owner=owner, state__in=(PrintJob.QUEUED, PrintJob.RUNNING))
    if unfinished.count() >= MOST_WAITING:
        raise UsageError(
            _("you have reached the maximum number of waiting prints"),
            _("Wait until one of them is finished."),
        )


def languages(sight: SquadSight) -> list[tuple[str, bool]]:
    """The languages that the game's cards have; True for that of whoever asks."""
    own = choose_card_language(sight.pack, sight.lang)
    return [(lang, lang == own) for lang in sight.pack.manifest.languages.all]


def _gauges(sight: SquadSight) -> bool:
    return (
        not sight.row.release
        and (get_library().project.cards_dir(sight.pack.id) / "gauges.yaml").is_file()
    )


def card_rows(sight: SquadSight) -> list[CardRow]:
    """The cards of the squad; none for one that cannot be printed as it is."""
    roster = sight.judged.roster
    try:
        cards = (
            list_squad_cards(sight.pack, roster, sight.row.name)[1] if roster is not None else ()
        )
    except SquadpressError:
        return []
    return [
        CardRow(card, sight.names.card(original(card)), copies, sight.front(original(card)))
        for card, copies in Counter(cards).items()
    ]


def wished(sight: SquadSight, rows: list[CardRow], form: QueryDict) -> PrintWish:
    """What a form asks for. UsageError where that is nothing."""
    what = form.get("what", "cards")
    lang = form.get("lang", "")
    copies = {row.card: _copies(form.get(f"copies-{row.card}", ""), row.copies) for row in rows}
    if what not in ("cards", "sheet", "gauges") or (what == "gauges" and not _gauges(sight)):
        raise Http404
    if what != "gauges" and not rows:
        raise UsageError(_("there is nothing to print"), _("Add cards to the squad."))
    if what == "cards" and not any(copies.values()):
        raise UsageError(
            _("no card is selected for printing"), _("Set the copies of at least one card.")
        )
    return PrintWish(
        pack=sight.pack.id,
        lang=lang
        if lang in sight.pack.manifest.languages.all
        else choose_card_language(sight.pack, sight.lang),
        release=sight.row.release,
        what=what,  # type: ignore[arg-type]
        paper="letter" if form.get("paper") == "letter" else "a4",
        ink="ink" in form,
        fold="fold" in form,
        sheet="sheet" in form,
        copies=copies if what == "cards" else None,
    )


def _copies(text: str, fielded: int) -> int:
    return (
        min(int(text), MOST_COPIES)
        if text.isascii() and text.isdecimal() and len(text) < 4
        else fielded
    )


def own_job(request: HttpRequest, job: UUID) -> PrintJob:
    """A job of this browser's. InputUnreadable for any other."""
    found = (
        PrintJob.objects.select_related("squad", "event")
        .filter(pk=job, owner=get_owner(request))
        .first()
    )
    if found is None:
        raise InputUnreadable(
            _("this is not one of your prints"), _("Finished prints are kept for one day.")
        )
    return found


@require_GET
def job(request: HttpRequest, job: UUID) -> HttpResponse:
    """How far a job is."""
    found = own_job(request, job)
    waits = found.state in (PrintJob.QUEUED, PrintJob.RUNNING)
    if waits:
        wake()
    values = {
        "job": found, "waits": waits, "before": place(found) if found.state == PrintJob.QUEUED else 0,
        "until": found.made + KEPT, "size": _size(found),
    }  # fmt: skip
    if found.squad is None:
        told = [translate_text(from_json(one)) for one in found.told]
        return render_page(
            request, "events/job", event=found.event, told=told, here=request.path, **values
        )
    sight = own_squad(request, found.squad.pk)
    told = [sight.names.say(from_json(one)) for one in found.told]
    return squad_page(request, sight, "job", told=told, **values)


def _size(job: PrintJob) -> int:
    """Kilobytes of the file; 0 where there is none."""
    path = file_of(job)
    return (
        max(1, path.stat().st_size // 1000) if job.state == PrintJob.DONE and path.is_file() else 0
    )


@require_GET
def printed(request: HttpRequest, job: UUID) -> HttpResponseBase:
    """The finished file."""
    found = own_job(request, job)
    if not _size(found):
        raise Http404
    if found.event is not None:
        title = str(found.event)
    else:
        squad = cast("SavedSquad", found.squad)
        title = own_squad(request, squad.pk).row.name
    name = f"{make_file_name(title) or found.wish['pack']}-{found.wish['what']}.pdf"
    return FileResponse(file_of(found).open("rb"), content_type="application/pdf", filename=name)
