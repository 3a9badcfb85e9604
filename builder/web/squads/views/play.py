"""The play page: it stores events of the game, also offline, and can be saved as a file."""

import json
from base64 import b64encode
from functools import partial
from pathlib import Path
from uuid import UUID

from django.contrib.staticfiles import finders
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.views.decorators.http import require_GET, require_POST
from markupsafe import Markup

from builder.web.cards.faces import FacePicture, get_picture_file
from builder.web.cards.views import export_colours
from builder.web.squads.models import SavedSquad, SquadGame
from builder.web.squads.play_page import (
    PlayPage,
    make_squad_page,
    make_state_error,
    read_game_state,
)
from builder.web.squads.squad_view import SquadView
from builder.web.squads.views.share import get_file_name
from builder.web.squads.views.squad import load_own_squad
from builder.web.templating import format_json, render_page


@require_GET
def show_play(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the play page."""
    view = load_own_squad(request, key)
    return render_play(request, make_squad_page(view), view=view)


@require_GET
def export_play(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the play page as one file with its styles, script and pictures."""
    view = load_own_squad(request, key)
    response = render_play(request, make_squad_page(view), view=view, is_file=True)
    response["Content-Disposition"] = (
        f'attachment; filename="{get_file_name(view)}.html"'
    )
    return response


def render_play(
    request: HttpRequest,
    page: PlayPage,
    *,
    view: SquadView | None = None,
    is_file: bool = False,
) -> HttpResponse:
    """Render the play page of a squad, or of an imported list if `view` is None."""
    game = (
        SquadGame.objects.filter(squad=view.row).first() if view is not None else None
    )
    state = (
        {"edition": game.edition, "state": game.state}
        if game
        else {"edition": 0, "state": None}
    )
    return render_page(
        request,
        "squads/play",
        play=page,
        saved=is_file,
        held=format_json(state),
        odds=format_json(page.odds),
        inline=load_asset,
        colours=Markup(export_colours(request).content.decode()) if is_file else "",
        inlined=partial(_inline_picture, page.faces_folder),
    )


def load_asset(name: str) -> Markup:
    """Return the text of a style sheet or script."""
    path = finders.find(name)
    assert isinstance(path, str)
    return Markup(Path(path).read_text(encoding="utf-8"))


def _inline_picture(folder: Path | None, face: FacePicture, width: int) -> str:
    """Return a picture as a data URL. Empty if the file is missing."""
    try:
        data = get_picture_file(face.address, width, folder).read_bytes()
    except OSError:
        return ""
    return "data:image/webp;base64," + b64encode(data).decode()


@require_POST
def save_game(request: HttpRequest, key: UUID) -> JsonResponse:
    """Store the state of the game and return it.

    Without a state, return the one that another device stored.
    """
    row = load_own_squad(request, key).row
    try:
        state = json.loads(request.body)["state"]
    # The body of a form was read already, when its fields were checked.
    except (ValueError, KeyError, TypeError, RecursionError, RawPostDataException):
        raise make_state_error() from None
    with transaction.atomic():
        SavedSquad.objects.select_for_update().get(id=row.id)
        game = SquadGame.objects.filter(squad=row).first() or SquadGame(
            squad=row, state=None
        )
        if state is not None:
            game.state = read_game_state(state)
            game.edition += 1
            game.save()
    return JsonResponse({"edition": game.edition, "state": game.state})
