"""Printing: the print dialogue of a squad, the progress of a job, and its finished file."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import InputUnreadable, SquadpressError, UsageError
from builder.messages import from_json, gettext as _
from builder.roster.choice_keywords import get_original_id
from builder.usecases.build.select import list_squad_cards
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import limit_rate
from builder.web.cards.faces import FacePicture
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.models import PrintJob
from builder.web.squads.print_queue import (
    FILE_LIFETIME,
    PrintContent,
    PrintRequest,
    count_jobs_before,
    get_job_file,
    queue_job,
    start_worker,
)
from builder.web.squads.squad_view import SquadView
from builder.web.squads.views.squad import load_own_squad, remove_notes, render_squad
from builder.web.templating import make_file_name, render_page, translate_text

MAX_UNFINISHED_JOBS = 5
"""Unfinished jobs of one owner."""
MAX_COPIES = 20
UNFINISHED_STATES = (PrintJob.QUEUED, PrintJob.RUNNING)
CONTENTS: dict[str, PrintContent] = {
    "cards": "cards",
    "sheet": "sheet",
    "gauges": "gauges",
}


@dataclass(frozen=True, slots=True)
class PrintRow:
    """A card in the print form, with its copies in the squad."""

    card: str
    name: str
    copies: int
    face: FacePicture | None


@require_http_methods(["GET", "POST"])
@limit_rate("print", max_count=30)
def show_prints(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the printable parts of a squad with a form that prints them."""
    view = load_own_squad(request, key)
    owner = get_owner(request)
    rows = list_print_rows(view)
    if request.method == "POST":
        print_request = read_print_request(view, rows, request.POST)
        refuse_many_jobs(owner)
        roster, text = view.result.roster, view.row.text
        if not view.is_own and roster is not None:
            text = get_library().format_squad(remove_notes(roster))
        job = PrintJob(squad=view.row, text=text)
        queue_job(owner, job, print_request)
        return redirect("print", job=job.pk)
    card_lang = choose_card_language(view.pack, view.lang)
    return render_squad(
        request,
        view,
        "print",
        rows=rows,
        jobs=list(PrintJob.objects.filter(squad=view.row, owner=owner)[:10]),
        langs=[(lang, lang == card_lang) for lang in view.pack.manifest.languages.all],
        gauges=_has_gauges(view),
    )


def refuse_many_jobs(owner: str) -> None:
    """Raise UsageError if an owner has too many unfinished print jobs."""
    jobs = PrintJob.objects.filter(owner=owner, state__in=UNFINISHED_STATES)
    if jobs.count() >= MAX_UNFINISHED_JOBS:
        raise UsageError(
            _("you have reached the maximum number of waiting prints"),
            _("Wait until one of them is finished."),
        )


def _has_gauges(view: SquadView) -> bool:
    folder = get_library().project.get_cards_dir(view.pack.id)
    return not view.row.release and (folder / "gauges.yaml").is_file()


def list_print_rows(view: SquadView) -> list[PrintRow]:
    """Return the printable cards of a squad. Empty if it cannot be printed."""
    roster = view.result.roster
    if roster is None:
        return []
    try:
        cards = list_squad_cards(view.pack, roster, view.row.name)[1]
    except SquadpressError:
        return []
    rows = []
    for card, copies in Counter(cards).items():
        card_id = get_original_id(card)
        rows.append(
            PrintRow(
                card, view.names.name_card(card_id), copies, view.get_front(card_id)
            )
        )
    return rows


def read_print_request(
    view: SquadView, rows: list[PrintRow], form: QueryDict
) -> PrintRequest:
    """Parse the print request of a form. Raise UsageError if nothing is selected."""
    what = CONTENTS.get(form.get("what", "cards"))
    lang = form.get("lang", "")
    copies = {}
    for row in rows:
        copies[row.card] = _read_copies(form.get(f"copies-{row.card}", ""), row.copies)
    if what is None or (what == "gauges" and not _has_gauges(view)):
        raise Http404
    if what != "gauges" and not rows:
        raise UsageError(_("there is nothing to print"), _("Add cards to the squad."))
    if what == "cards" and not any(copies.values()):
        raise UsageError(
            _("no card is selected for printing"),
            _("Set the copies of at least one card."),
        )
    is_known_lang = lang in view.pack.manifest.languages.all
    return PrintRequest(
        pack=view.pack.id,
        lang=lang if is_known_lang else choose_card_language(view.pack, view.lang),
        release=view.row.release,
        what=what,
        paper="letter" if form.get("paper") == "letter" else "a4",
        ink="ink" in form,
        fold="fold" in form,
        sheet="sheet" in form,
        copies=copies if what == "cards" else None,
    )


def _read_copies(text: str, default: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) < 4
    return min(int(text), MAX_COPIES) if is_number else default


def load_own_job(request: HttpRequest, job: UUID) -> PrintJob:
    """Return a print job of this browser's owner. Raise InputUnreadable for other jobs."""
    jobs = PrintJob.objects.select_related("squad", "event")
    row = jobs.filter(pk=job, owner=get_owner(request)).first()
    if row is None:
        hint = _("Finished prints are kept for one day.")
        raise InputUnreadable(_("this is not one of your prints"), hint)
    return row


@require_GET
def show_job(request: HttpRequest, job: UUID) -> HttpResponse:
    """Show the progress of a job."""
    row = load_own_job(request, job)
    if row.imported is not None:
        return redirect("list", imported=row.imported.pk)
    is_unfinished = row.state in UNFINISHED_STATES
    if is_unfinished:
        start_worker()
    messages = [from_json(message) for message in row.told]
    values = {
        "job": row,
        "waits": is_unfinished,
        "before": count_jobs_before(row) if row.state == PrintJob.QUEUED else 0,
        "until": row.made + FILE_LIFETIME,
        "size": _get_file_size_kb(row),
    }
    if row.squad is None:
        texts = [translate_text(message) for message in messages]
        values |= {"event": row.event, "messages": texts, "here": request.path}
        return render_page(request, "events/job", **values)
    view = load_own_squad(request, row.squad.pk)
    texts = [view.names.translate(message) for message in messages]
    return render_squad(request, view, "job", messages=texts, **values)


def _get_file_size_kb(job: PrintJob) -> int:
    """Return the size of a job's finished file in kB. 0 if there is none."""
    path = get_job_file(job)
    if job.state != PrintJob.DONE or not path.is_file():
        return 0
    return max(1, path.stat().st_size // 1000)


@require_GET
def export_print(request: HttpRequest, job: UUID) -> HttpResponseBase:
    """Return the finished PDF of a print job as a download."""
    row = load_own_job(request, job)
    if not _get_file_size_kb(row):
        raise Http404
    title = "" if row.event is None else str(row.event)
    if row.squad is not None:
        title = load_own_squad(request, row.squad.pk).row.name
    name = f"{make_file_name(title) or row.wish['pack']}-{row.wish['what']}.pdf"
    file = get_job_file(row).open("rb")
    return FileResponse(file, content_type="application/pdf", filename=name)
