"""Lists of other programs: their cards as pictures, the PDF, and the play page."""

from collections.abc import Callable, Collection
from dataclasses import asdict
from functools import wraps
from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from builder.errors import InputUnreadable, UsageError
from builder.imported.cardmaker import CardScope
from builder.interchange.reading import is_foreign_roster
from builder.messages import from_json, gettext as _, to_json
from builder.usecases.imports.pack_files import FORMATS
from builder.usecases.imports.themes import list_themes
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import count_request, limit_rate
from builder.web.cards.faces import QUALITY_BY_WIDTH_PIXELS, get_picture_file
from builder.web.cards.views import FACE_ADDRESS
from builder.web.squads.imported_lists import (
    MAX_LIST_BYTES,
    MAX_LISTS,
    ListOptions,
    delete_list,
    find_owned_lists,
    get_faces_folder,
    get_list_file,
    has_list,
    load_options,
    remove_expired_lists,
    store_list,
)
from builder.web.squads.imported_play import make_list_page
from builder.web.squads.list_facts import ListFacts, load_facts
from builder.web.squads.models import ImportedFile, PrintJob
from builder.web.squads.print_queue import (
    PrintRequest,
    count_jobs_before,
    queue_job,
    start_worker,
)
from builder.web.squads.views.play import render_play
from builder.web.squads.views.prints import UNFINISHED_STATES, refuse_many_jobs
from builder.web.templating import make_file_name, render_page, translate_text

MAX_LISTS_PER_HOUR = 20
PAPERS = ("a4", "letter")
TEXT_SIZES_PT = (7.5, 9.0, 10.5)
View = Callable[..., HttpResponseBase]


def keep_private(view: View) -> View:
    """Decorate a view so that its answers are not cached and not indexed by search engines."""

    @wraps(view)
    def call_private_view(
        request: HttpRequest, *args: object, **options: object
    ) -> HttpResponseBase:
        response = view(request, *args, **options)
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return call_private_view


def import_list(request: HttpRequest, data: bytes, name: str) -> HttpResponse:
    """Store a list, queue the rendering of its cards, and redirect to its page."""
    remove_expired_lists()
    _refuse_large_file(data)
    owner = get_or_create_owner(request)
    _refuse_many_lists(owner)
    refuse_many_jobs(owner)
    count_request(request, "imported list", MAX_LISTS_PER_HOUR)
    row = store_list(owner, data, name)
    _queue_rendering(row)
    return redirect("list", imported=row.pk)


def add_archived_list(request: HttpRequest, owner: str, name: str, data: bytes) -> bool:
    """Store a list from an archive. Return False if the owner already has it.

    Raise UsageError for a file that is no list, or above the limits.
    """
    _refuse_large_file(data)
    if not is_foreign_roster(data):
        raise UsageError(_("this is not a list of another program"), "")
    if has_list(owner, data):
        return False
    _refuse_many_lists(owner)
    count_request(request, "imported list", MAX_LISTS_PER_HOUR)
    store_list(owner, data, name)
    return True


def _refuse_large_file(data: bytes) -> None:
    if len(data) > MAX_LIST_BYTES:
        message = _("the file is larger than {most} kB", most=MAX_LIST_BYTES // 1000)
        raise UsageError(message, _("Split the list."))


def _refuse_many_lists(owner: str) -> None:
    if find_owned_lists(owner).count() >= MAX_LISTS:
        message = _("you have reached the maximum number of imported lists")
        raise UsageError(message, _("Delete a list that you no longer need."))


def _queue_rendering(row: ImportedFile) -> None:
    queue_job(
        row.owner,
        PrintJob(imported=row, text=""),
        PrintRequest("", "", what="imported"),
    )


def load_own_list(request: HttpRequest, imported: UUID) -> ImportedFile:
    """Return a list of this browser's owner. Raise InputUnreadable for other lists."""
    row = find_owned_lists(get_owner(request)).filter(pk=imported).first()
    if row is None:
        hint = _(
            "It may have been imported in another browser, or deleted after one day."
        )
        raise InputUnreadable(_("this is not one of your imported lists"), hint)
    return row


def _load_rendered_list(
    request: HttpRequest, key: UUID
) -> tuple[ImportedFile, ListFacts]:
    row = load_own_list(request, key)
    facts = _find_facts(row)
    if facts is None:
        raise Http404
    return row, facts


def _find_facts(row: ImportedFile) -> ListFacts | None:
    """Return the stored facts of a list. None if it must be rendered first."""
    return load_facts(row) if get_list_file(row.id).is_file() else None


@require_http_methods(["GET", "POST"])
@limit_rate("list", max_count=60)
@keep_private
def show_list(request: HttpRequest, imported: UUID) -> HttpResponse:
    """Show the cards of a list, or the progress of their rendering. A form changes the list."""
    row = load_own_list(request, imported)
    if request.method == "POST":
        return _change_list(request, row)
    job = PrintJob.objects.filter(imported=row).first()
    facts = _find_facts(row)
    is_finished = job is None or job.state == PrintJob.DONE
    if facts is None and is_finished:
        _render_again(row)
        return redirect("list", imported=imported)
    waits = job is not None and job.state in UNFINISHED_STATES
    if waits:
        start_worker()
    messages = []
    if job is not None and job.state == PrintJob.FAILED:
        messages = [translate_text(from_json(text)) for text in job.told]
    return render_page(
        request,
        "squads/list",
        row=row,
        facts=facts if not waits else None,
        options=load_options(row),
        papers=PAPERS,
        sizes=tuple(FORMATS),
        text_sizes=TEXT_SIZES_PT,
        themes=list_themes(),
        job=job,
        waits=waits,
        # After the progress, the page is replaced without a load: the focus moves to its heading.
        is_update="HX-Request" in request.headers,
        before=count_jobs_before(job) if job is not None and waits else 0,
        messages=messages,
    )


def _render_again(row: ImportedFile) -> None:
    """Queue a list again whose files were lost, for example by restoring a backup.

    If they are missing after that too, its jobs fail. Else each visit would render it again.
    """
    finished_jobs = PrintJob.objects.filter(imported=row, state=PrintJob.DONE)
    if finished_jobs.count() > 1:
        messages = [to_json(_("something went wrong on the server"))]
        finished_jobs.update(state=PrintJob.FAILED, told=messages)
        return
    refuse_many_jobs(row.owner)
    _queue_rendering(row)


def _change_list(request: HttpRequest, row: ImportedFile) -> HttpResponse:
    """Run the action of a form on a list: `keep`, `delete` or `render`."""
    action = request.POST.get("do", "")
    if action == "delete":
        delete_list(row)
        return redirect("home")
    if action == "keep":
        ImportedFile.objects.filter(pk=row.pk).update(expires=None)
    elif action == "render" and not _is_rendering(row):
        options = _read_options(request.POST)
        refuse_many_jobs(row.owner)
        ImportedFile.objects.filter(pk=row.pk).update(options=asdict(options))
        PrintJob.objects.filter(imported=row).delete()
        _queue_rendering(row)
    return redirect("list", imported=row.pk)


def _is_rendering(row: ImportedFile) -> bool:
    return PrintJob.objects.filter(imported=row, state__in=UNFINISHED_STATES).exists()


def _read_options(form: QueryDict) -> ListOptions:
    """Parse the print options of a form. Unknown values become defaults."""
    default = ListOptions()
    sizes = {str(size): size for size in TEXT_SIZES_PT}
    return ListOptions(
        paper=_read_choice(form, "paper", PAPERS) or default.paper,
        size=_read_choice(form, "size", FORMATS),
        text_size=sizes.get(form.get("text_size", ""), default.text_size),
        scope=CardScope(_read_choice(form, "scope", list(CardScope)) or default.scope),
        theme=_read_choice(form, "theme", list_themes()),
        ink="ink" in form,
    )


def _read_choice(form: QueryDict, name: str, choices: Collection[str]) -> str:
    value = form.get(name, "")
    return value if value in choices else ""


@require_GET
@keep_private
def export_list(request: HttpRequest, imported: UUID) -> HttpResponseBase:
    """Return the PDF of a list."""
    row, _facts = _load_rendered_list(request, imported)
    name = f"{make_file_name(row.name) or 'list'}-cards.pdf"
    file = get_list_file(row.id).open("rb")
    return FileResponse(file, content_type="application/pdf", filename=name)


@require_GET
@keep_private
def export_list_face(
    request: HttpRequest, imported: UUID, address: str, width: int
) -> HttpResponseBase:
    """Return a picture of a list's card."""
    row, _facts = _load_rendered_list(request, imported)
    if not FACE_ADDRESS.fullmatch(address) or width not in QUALITY_BY_WIDTH_PIXELS:
        raise Http404
    try:
        file = get_picture_file(address, width, get_faces_folder(row.id)).open("rb")
    except OSError:
        raise Http404 from None
    return FileResponse(file, content_type="image/webp")


@require_GET
@keep_private
def show_list_play(request: HttpRequest, imported: UUID) -> HttpResponse:
    """Show the play page of a list."""
    return render_play(request, make_list_page(*_load_rendered_list(request, imported)))


@require_GET
@keep_private
def export_list_play(request: HttpRequest, imported: UUID) -> HttpResponse:
    """Return the play page of a list as one file."""
    row, facts = _load_rendered_list(request, imported)
    response = render_play(request, make_list_page(row, facts), is_file=True)
    name = make_file_name(row.name) or "list"
    response["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return response
