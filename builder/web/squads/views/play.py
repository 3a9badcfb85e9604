"""A squad at the table: a page that keeps what happens, also without a network, and one file that holds all of it."""

import json
from base64 import b64encode
from pathlib import Path
from uuid import UUID

from django.contrib.staticfiles import finders
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST
from markupsafe import Markup

from builder.web.cards.faces import FacePicture, get_picture_file
from builder.web.cards.views import export_colours
from builder.web.squads.models import SavedSquad, SquadGame
from builder.web.squads.play_page import PlaySight, game_state, unreadable_state
from builder.web.squads.views.share import file_name
from builder.web.squads.views.squad import own_squad
from builder.web.templating import render_page


@require_GET
def play(request: HttpRequest, key: UUID) -> HttpResponse:
    """The page at the table."""
    return _page(request, key, saved=False)


@require_GET
def saved(request: HttpRequest, key: UUID) -> HttpResponse:
    """The same page as one file with its styles, script and pictures, for an address that browsers do not keep."""
    response = _page(request, key, saved=True)
    response["Content-Disposition"] = (
        f'attachment; filename="{file_name(own_squad(request, key))}.html"'
    )
    return response


def _page(request: HttpRequest, key: UUID, saved: bool) -> HttpResponse:
    sight = own_squad(request, key)
    game = SquadGame.objects.filter(squad=sight.row).first()
    held = {"edition": game.edition, "state": game.state} if game else {"edition": 0, "state": None}
    found = PlaySight(sight)
    return render_page(
        request, "squads/play", sight=sight, play=found, saved=saved, held=_json(held), odds=_json(found.odds),
        inline=_inline, colours=Markup(export_colours(request).content.decode()) if saved else "", inlined=_inlined,
    )  # fmt: skip


def _json(value: object) -> Markup:
    """JSON that may stand in a page."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def _inline(name: str) -> Markup:
    """A style or script of ours to stand in a page."""
    found = finders.find(name)
    assert isinstance(found, str)
    return Markup(Path(found).read_text(encoding="utf-8"))


def _inlined(face: FacePicture, width: int) -> str:
    """A picture as an address that holds it; nothing where it was taken away."""
    try:
        return (
            "data:image/webp;base64,"
            + b64encode(get_picture_file(face.address, width).read_bytes()).decode()
        )
    except OSError:
        return ""


@require_POST
def keep(request: HttpRequest, key: UUID) -> JsonResponse:
    """Keep how far the game is: what the page says last, or nothing new to be told what another device said."""
    row = own_squad(request, key).row
    try:
        stated = json.loads(request.body)["state"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise unreadable_state() from None
    with transaction.atomic():
        SavedSquad.objects.select_for_update().get(id=row.id)
        game = SquadGame.objects.filter(squad=row).first() or SquadGame(squad=row, state=None)
        if stated is not None:
            game.state = game_state(stated)
            game.edition += 1
            game.save()
    return JsonResponse({"edition": game.edition, "state": game.state})


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The script that answers for the pages at the table where there is no network."""
    response = HttpResponse(_inline("squadpress/worker.js"), content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response
