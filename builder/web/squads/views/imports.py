"""Squads taken in: pasted or as a file, in any form in which they are handed on; what was not understood is named."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.errors import PackUnreadable, SquadpressError, UsageError
from builder.messages import gettext as _
from builder.usecases.roster.reading import Read, read_squad
from builder.web.accounts.owner import cancel_new_owner, get_or_create_owner
from builder.web.accounts.rate_limits import (
    count_action,
    count_new_squad,
    count_request,
    get_network_key,
    limit_rate,
)
from builder.web.cards.library import Library, get_library
from builder.web.squads.archive import MAX_ARCHIVE_BYTES, import_archive, is_archive
from builder.web.squads.models import SavedSquad
from builder.web.squads.sizes import refuse_too_large
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.storage import MAX_SQUADS, SquadStorage
from builder.web.templating import render_page, translate_text
from builder.web.uploads import find_linked_page, read_field_or_file

MAX_ARCHIVES_PER_HOUR = 10
"""Archives that one browser may import within an hour: each may hold many squads."""
MAX_ARCHIVE_SQUADS_PER_HOUR = 2 * MAX_SQUADS
"""Squads that are added from archives within an hour, by all browsers behind one network address together."""


@require_http_methods(["GET", "POST"])
@limit_rate("import", max_count=60)
def take_in(request: HttpRequest) -> HttpResponse:
    """A form, and what was read by it: taken in at once where all was understood, else shown first."""
    if request.method != "POST":
        return _form(request)
    games, text = get_library(), ""
    if (archive := archive_in(request)) is not None:
        return _take_archive(request, archive)
    try:
        text = read_field_or_file(request, "text", "file")
        if page_of_link := find_linked_page(request, text):
            return redirect(page_of_link)
        read = read_squad(games.packs, text, games.list_games(), games.get_judge)
        games.get_pack(read.roster.pack, read.roster.version)
        refuse_too_large(read.roster)
    except SquadpressError as error:
        # A game that gives no verdict is the server's fault, and its status says so. Any other is that of the form.
        status = 503 if isinstance(error, PackUnreadable) else 400
        return _form(
            request,
            text=text,
            wrong=translate_text(error.message),
            remedy=translate_text(error.remedy),
            status=status,
        )
    if (read.unread or read.remarks) and "keep" not in request.POST:
        return _form(request, text=text, read=read, sight=_seen(games, read))
    count_new_squad(request)
    key, owner = uuid4(), get_or_create_owner(request)
    SquadStorage(games, owner).create(str(key), read.roster)
    return redirect("squad", key=key)


def archive_in(request: HttpRequest) -> bytes | None:
    """The bytes of an archive that was sent as a file; None where none was."""
    upload = request.FILES.get("file")
    if upload is None or not upload.size:
        return None
    begins = upload.read(4)
    upload.seek(0)
    if not is_archive(begins):
        return None
    if upload.size > MAX_ARCHIVE_BYTES:
        reason = _("the file is larger than {most} kB", most=MAX_ARCHIVE_BYTES // 1000)
        raise UsageError(reason, _("Import the squads one at a time."))
    return upload.read()


def _take_archive(request: HttpRequest, data: bytes) -> HttpResponse:
    """Import an archive and show what was added."""
    count_request(request, "archive", max_count=MAX_ARCHIVES_PER_HOUR)
    count_squad = partial(
        count_action,
        get_network_key(request),
        "archive squad",
        MAX_ARCHIVE_SQUADS_PER_HOUR,
        timedelta(hours=1),
    )
    owner = get_or_create_owner(request)
    try:
        report = import_archive(owner, data, count_squad)
    except UsageError as error:
        return _form(
            request,
            wrong=translate_text(error.message),
            remedy=translate_text(error.remedy),
            status=400,
        )
    if not report.squads and not report.collections:
        cancel_new_owner(request)
    return _form(request, report=report)


def _form(request: HttpRequest, status: int = 200, **values: object) -> HttpResponse:
    """The page with its form."""
    given_values = {
        "text": "",
        "wrong": "",
        "remedy": "",
        "read": None,
        "sight": None,
        "report": None,
        **values,
    }
    response = render_page(request, "squads/import", **given_values)
    response.status_code = status
    return response


def _seen(games: Library, read: Read) -> SquadSight:
    """A squad that is not kept yet, to be looked at."""
    row = SavedSquad(
        owner="",
        pack=read.roster.pack,
        release=read.roster.version or "",
        name=read.roster.name[:200],
    )
    row.text = games.format_squad(read.roster)
    return sight_of(row)
