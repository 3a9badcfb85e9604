"""The name, parameters and notes of a squad. It is copied and deleted here."""

from datetime import timedelta
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import count_new_squad
from builder.web.cards.library import get_library, list_play_formats
from builder.web.squads.models import SavedSquad, SquadGuest
from builder.web.squads.squad_view import SquadView
from builder.web.squads.storage import MAX_NOTE_CHARACTERS, SquadStorage
from builder.web.squads.tags import add_tag, list_tags, read_tag, remove_tag
from builder.web.squads.views.squad import (
    load_own_squad,
    remove_notes,
    render_squad,
    require_own,
)
from builder.web.squads.waiting_changes import (
    VERBS_OF_WHOLE_SQUADS,
    is_changed_elsewhere,
    load_base,
    make_conflict_error,
    refuse_newer_notes,
)
from builder.web.templating import translate_text


@require_GET
def show_about(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the page with the squad's notes, tags and settings."""
    view = load_own_squad(request, key)
    squad, roster = view.result.squad, view.result.roster
    values = squad.params if squad else {}
    params = []
    for name, param in view.pack.manifest.roster.params.items():
        value = values.get(name, param.default)
        params.append((name, view.names.name_param(name), param, value))
    play_format = (roster.play_format if roster else None) or ""
    formats = list_play_formats(view.pack)
    return render_squad(
        request,
        view,
        "about",
        params=params,
        formats=formats,
        own=play_format,
        tags=list_tags(view.reader),
    )


@require_POST
def change_about(request: HttpRequest, key: UUID) -> HttpResponse:
    """Save notes or the play format, copy the squad, or delete it."""
    view = load_own_squad(request, key)
    verb = request.POST.get("do", "")
    owner = get_owner(request)
    base = load_base(request.POST)
    changes_all = verb in VERBS_OF_WHOLE_SQUADS
    if changes_all and base is not None and is_changed_elsewhere(view.row, base):
        raise make_conflict_error(_("the squad"))
    if verb == "notes":
        require_own(view)
        notes = _read_notes(request.POST.get("notes", ""))
        if base is not None:
            refuse_newer_notes(view.row, base, notes)
        SavedSquad.objects.filter(id=key).update(notes=notes)
    elif verb == "tag":
        require_own(view)
        add_tag(view.row, read_tag(request.POST.get("tag", "")))
    elif verb.startswith("untag "):
        require_own(view)
        remove_tag(view.row, verb.removeprefix("untag "))
    elif verb in ("archive", "restore"):
        SavedSquad.objects.filter(id=key, owner=owner).update(
            archived=verb == "archive"
        )
    elif verb == "format":
        _set_play_format(view, owner, request.POST.get("format", ""))
    elif verb == "copy" and view.result.roster is not None:
        count_new_squad(request)
        return redirect("squad", key=_copy_squad(view, owner))
    elif verb == "delete" and request.POST.get("sure") == "1":
        SavedSquad.objects.filter(id=key, owner=owner).delete()
        # A squad of somebody else stays: this browser only loses its access.
        SquadGuest.objects.filter(link__squad_id=key, owner=owner).delete()
        return redirect("home")
    return redirect("about", key=key)


def _read_notes(text: str) -> str:
    """Return notes with the line breaks that browsers count. Raise UsageError if too long."""
    notes = text.replace("\r\n", "\n")
    if len(notes) > MAX_NOTE_CHARACTERS:
        message = _("the notes have {count} characters", count=len(notes))
        hint = _("Shorten them to {count} characters.", count=MAX_NOTE_CHARACTERS)
        raise UsageError(message, hint)
    return notes


def _set_play_format(view: SquadView, owner: str, play_format: str) -> None:
    if play_format in ("", *view.pack.formats):
        title = dict(list_play_formats(view.pack)).get(play_format, "–")
        description = _("{name}: {value}", name=_("Play format"), value=title)
        storage = SquadStorage(get_library(), owner)
        storage.set_play_format(str(view.row.id), play_format, description)


def _copy_squad(view: SquadView, owner: str) -> UUID:
    roster = view.result.roster
    key = uuid4()
    assert roster is not None
    if not view.is_own:
        roster = remove_notes(roster)
    name = translate_text(_("{name} (copy)", name=view.row.name))
    copy = roster.model_copy(update={"name": name, "expect": None})
    SquadStorage(get_library(), owner).create(str(key), copy)
    # Just older than its source, it is the next one in lists whose newest squad comes first.
    changed = view.row.changed - timedelta(microseconds=1)
    rows = SavedSquad.objects.filter(id=key)
    rows.update(changed=changed, place=view.row.place)
    if view.is_own:
        rows.update(tags=view.row.tags, bench=view.row.bench)
    return key
