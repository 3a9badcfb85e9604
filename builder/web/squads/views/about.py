"""What a squad is called, its parameters and notes; a copy of it, its end."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from builder.messages import gettext as _
from builder.web.accounts.owner import get_owner
from builder.web.accounts.rate_limits import count_new_squad
from builder.web.cards.library import get_library, list_play_formats
from builder.web.squads.models import SavedSquad, SquadGuest
from builder.web.squads.storage import MAX_NOTE_CHARACTERS, SquadStorage
from builder.web.squads.views.squad import own_squad, refuse_guest, squad_page, without_notes
from builder.web.templating import translate_text


@require_GET
def about(request: HttpRequest, key: UUID) -> HttpResponse:
    """The squad's own page."""
    sight = own_squad(request, key)
    stated = sight.judged.squad.params if sight.judged.squad else {}
    params = [(name, sight.names.param(name), param, stated.get(name, param.default))
              for name, param in sight.pack.manifest.roster.params.items()]  # fmt: skip
    own = (sight.judged.roster.play_format if sight.judged.roster else None) or ""
    return squad_page(
        request, sight, "about", params=params, formats=list_play_formats(sight.pack), own=own
    )


@require_POST
def keep(request: HttpRequest, key: UUID) -> HttpResponse:
    """Keep notes or the play format, make a copy, or delete the squad for good."""
    sight = own_squad(request, key)
    verb, owner = request.POST.get("do", ""), get_owner(request)
    if verb == "notes":
        refuse_guest(sight)
        SavedSquad.objects.filter(id=key).update(
            notes=request.POST.get("notes", "")[:MAX_NOTE_CHARACTERS]
        )
    elif verb == "format" and (wanted := request.POST.get("format", "")) in (
        "",
        *sight.pack.formats,
    ):
        title = _(
            "{name}: {value}",
            name=_("Play format"),
            value=dict(list_play_formats(sight.pack)).get(wanted, "–"),
        )
        SquadStorage(get_library(), owner).play(str(key), wanted, title)
    elif verb == "copy" and sight.judged.roster is not None:
        count_new_squad(request)
        twin = uuid4()
        name = translate_text(_("{name} (copy)", name=sight.row.name))
        own = sight.judged.roster if sight.is_own else without_notes(sight.judged.roster)
        roster = own.model_copy(update={"name": name, "expect": None})
        SquadStorage(get_library(), owner).create(str(twin), roster)
        return redirect("squad", key=twin)
    elif verb == "delete" and request.POST.get("sure") == "1":
        SavedSquad.objects.filter(id=key, owner=owner).delete()
        SquadGuest.objects.filter(
            link__squad_id=key, owner=owner
        ).delete()  # another's squad is only left
        return redirect("home")
    return redirect("about", key=key)
