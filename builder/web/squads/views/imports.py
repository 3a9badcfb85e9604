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
from builder.web.accounts.owner import enter, remember
from builder.web.accounts.rate_limits import address_of, count, count_for, count_new_squad, limited
from builder.web.cards.library import Library, library
from builder.web.squads.archive import MAX_ARCHIVE_BYTES, import_archive, is_archive
from builder.web.squads.models import SavedSquad
from builder.web.squads.sizes import refuse_too_large
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.storage import MAX_SQUADS, SquadStorage
from builder.web.templating import page, say
from builder.web.uploads import given, leads_to

MAX_ARCHIVES_PER_HOUR = 10
"""Archives that one browser may import within an hour: each may hold many squads."""
MAX_ARCHIVE_SQUADS_PER_HOUR = 2 * MAX_SQUADS
"""Squads that are added from archives within an hour, by all browsers behind one network address together."""


@require_http_methods(["GET", "POST"])
@limited("import", most=60, within=timedelta(hours=1))
def take_in(request: HttpRequest) -> HttpResponse:
    """A form, and what was read by it: taken in at once where all was understood, else shown first."""
    if request.method != "POST":
        return _form(request)
    games, text = library(), ""
    if (archive := archive_in(request)) is not None:
        return _take_archive(request, archive)
    try:
        text = given(request, "text", "file")
        if page_of_link := leads_to(request, text):
            return redirect(page_of_link)
        read = read_squad(games.packs, text, games.games(), games.judge)
        games.pack(read.roster.pack, read.roster.version)
        refuse_too_large(read.roster)
    except SquadpressError as error:
        # A game that gives no verdict is the server's fault, and its status says so. Any other is that of the form.
        status = 503 if isinstance(error, PackUnreadable) else 400
        return _form(
            request, text=text, wrong=say(error.message), remedy=say(error.remedy), status=status
        )
    if (read.unread or read.remarks) and "keep" not in request.POST:
        return _form(request, text=text, read=read, sight=_seen(games, read))
    count_new_squad(request)
    key, (owner, secret) = uuid4(), enter(request)
    SquadStorage(games, owner).create(str(key), read.roster)
    answer = redirect("squad", key=key)
    if secret:
        remember(request, answer, secret)
    return answer


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
        raise UsageError(reason, _("Import the squads one by one."))
    return upload.read()


def _take_archive(request: HttpRequest, data: bytes) -> HttpResponse:
    """Import an archive and show what was added."""
    count(request, "archive", most=MAX_ARCHIVES_PER_HOUR, within=timedelta(hours=1))
    count_squad = partial(
        count_for,
        address_of(request),
        "archive squad",
        MAX_ARCHIVE_SQUADS_PER_HOUR,
        timedelta(hours=1),
    )
    owner, secret = enter(request)
    try:
        report = import_archive(owner, data, count_squad)
    except UsageError as error:
        return _form(request, wrong=say(error.message), remedy=say(error.remedy), status=400)
    answer = _form(request, report=report)
    if secret and (report.squads or report.collections):
        remember(request, answer, secret)
    return answer


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
    response = page(request, "squads/import", **given_values)
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
    row.text = games.text(read.roster)
    return sight_of(row)
