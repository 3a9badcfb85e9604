"""Imports squads: pasted or from a file, in any form in which they are shared."""

from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from builder.errors import PackUnreadable, SquadpressError, UsageError
from builder.messages import gettext as _
from builder.usecases.imports.foreign_lists import FOREIGN_EXTENSIONS
from builder.usecases.roster.reading import ParsedSquad, read_squad
from builder.web.accounts.owner import (
    cancel_new_owner,
    get_or_create_owner,
    get_owner,
)
from builder.web.accounts.rate_limits import (
    count_action,
    count_new_squad,
    count_request,
    get_network_key,
    limit_rate,
)
from builder.web.cards.library import get_library
from builder.web.squads.archive import MAX_ARCHIVE_BYTES, import_archive, is_archive
from builder.web.squads.imported_lists import is_foreign_list
from builder.web.squads.models import SavedSquad, squads_of
from builder.web.squads.sizes import refuse_too_large
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.storage import MAX_SQUADS, SquadStorage, parse_new_key
from builder.web.squads.views.lists import add_archived_list, import_list
from builder.web.templating import render_page, translate_text
from builder.web.uploads import find_linked_page, read_field_or_file

MAX_ARCHIVES_PER_HOUR = 10
"""Archives that one owner may import within an hour. Each may hold many squads."""
MAX_ARCHIVE_SQUADS_PER_HOUR = 2 * MAX_SQUADS
"""Squads that all owners behind one network address may import from archives within an hour."""


@require_http_methods(["GET", "POST"])
@limit_rate("import", max_count=60)
def import_squad(request: HttpRequest) -> HttpResponse:
    """Show the import form.

    A squad that was understood completely is stored at once, others are shown first.
    """
    if request.method != "POST":
        return _render_form(request)
    foreign_file = _read_foreign_file(request)
    if foreign_file is not None:
        return import_list(request, *foreign_file)
    archive = _read_archive(request)
    if archive is not None:
        return _import_archive(request, archive)
    library = get_library()
    text = ""
    try:
        text = read_field_or_file(request, "text", "file")
        if is_foreign_list(text.encode()):
            return import_list(
                request, text.encode(), translate_text(_("Imported list"))
            )
        linked_page = find_linked_page(request, text)
        if linked_page and "key" in request.POST:
            # A browser that sends it later follows no redirect: the squad would be lost.
            message = _("the text is a link to a shared squad")
            raise UsageError(message, _("Open the link, and copy the squad there."))
        if linked_page:
            return redirect(linked_page)
        parsed_squad = read_squad(
            library.packs, text, library.list_games(), library.get_checker
        )
        library.get_pack(parsed_squad.roster.pack, parsed_squad.roster.version)
        refuse_too_large(parsed_squad.roster)
    except SquadpressError as error:
        return _render_form(request, _replace_error(request, error), text=text)
    if (parsed_squad.unread or parsed_squad.remarks) and "keep" not in request.POST:
        return _render_form(
            request, text=text, read=parsed_squad, view=_make_unsaved_view(parsed_squad)
        )
    key = parse_new_key(request.POST)
    # A browser that got no answer sends the import again, which it took without a network.
    if squads_of(get_owner(request)).filter(id=key).exists():
        return redirect("squad", key=key)
    count_new_squad(request)
    owner = get_or_create_owner(request)
    SquadStorage(library, owner).create(str(key), parsed_squad.roster)
    return redirect("squad", key=key)


def _replace_error(request: HttpRequest, error: SquadpressError) -> SquadpressError:
    """Return an error for the page with which the form was sent.

    What is said about squads would not help there. Return other errors as they are.
    """
    if request.POST.get("kind") != "list" or isinstance(error, PackUnreadable):
        return error
    hint = _(
        "A BattleScribe file (.ros, .rosz), or a JSON file or link of New Recruit or ListForge. "
        "You get cards to cut out, and a game view. Only this browser sees the list."
    )
    return UsageError(_("this is not a list of another program"), hint)


def _read_foreign_file(request: HttpRequest) -> tuple[bytes, str] | None:
    """Return the content and name of an uploaded foreign list. None without one."""
    upload = request.FILES.get("file")
    if upload is None or not upload.size:
        return None
    data = upload.read()
    name = upload.name or ""
    upload.seek(0)
    # A worker says what is wrong with a damaged file.
    is_foreign = name.lower().endswith(FOREIGN_EXTENSIONS) or is_foreign_list(data)
    return (data, name) if is_foreign else None


def _read_archive(request: HttpRequest) -> bytes | None:
    """Return the bytes of an uploaded archive. None without one."""
    upload = request.FILES.get("file")
    if upload is None or not upload.size:
        return None
    first_bytes = upload.read(4)
    upload.seek(0)
    if not is_archive(first_bytes):
        return None
    if upload.size > MAX_ARCHIVE_BYTES:
        message = _("the file is larger than {most} kB", most=MAX_ARCHIVE_BYTES // 1000)
        raise UsageError(message, _("Import the squads one at a time."))
    return upload.read()


def _import_archive(request: HttpRequest, data: bytes) -> HttpResponse:
    """Import an archive, and show what was added."""
    count_request(request, "archive", MAX_ARCHIVES_PER_HOUR)
    network = get_network_key(request)
    count_squad = partial(
        count_action, network, "archive squad", MAX_ARCHIVE_SQUADS_PER_HOUR
    )
    try:
        owner = get_or_create_owner(request)
        add_list = partial(add_archived_list, request, owner)
        report = import_archive(owner, data, count_squad, add_list)
    except UsageError as error:
        return _render_form(request, error)
    if not report.squads and not report.collections and not report.lists:
        cancel_new_owner(request)
    response = _render_form(request, report=report)
    if report.language:
        name, age = settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_AGE
        response.set_cookie(
            name, report.language, age, secure=request.is_secure(), samesite="Lax"
        )
    return response


def _render_form(
    request: HttpRequest, error: SquadpressError | None = None, **values: object
) -> HttpResponse:
    fields = {
        "text": "",
        "wrong": "",
        "remedy": "",
        "read": None,
        "view": None,
        "report": None,
    }
    if error is not None:
        fields["wrong"] = translate_text(error.message)
        fields["remedy"] = translate_text(error.remedy)
    response = render_page(request, "squads/import", **fields | values)
    if error is not None:
        # That a game gives no verdict is the server's fault. Other errors are the form's.
        response.status_code = 503 if isinstance(error, PackUnreadable) else 400
    return response


def _make_unsaved_view(parsed_squad: ParsedSquad) -> SquadView:
    """Return the view of a squad that is not stored yet."""
    roster = parsed_squad.roster
    row = SavedSquad(
        owner="", pack=roster.pack, release=roster.version or "", name=roster.name[:200]
    )
    row.text = get_library().format_squad(roster)
    return make_squad_view(row)
