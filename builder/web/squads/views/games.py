"""The first page, a game's page where a squad is begun, and a game's colours."""

from collections.abc import Iterator, Mapping
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_POST

from builder.errors import PackUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.pack import Faction, Pack, Param, Role
from builder.model.roster import Roster
from builder.web.accounts.owner import get_or_create_owner, get_owner
from builder.web.accounts.rate_limits import count_new_squad
from builder.web.cards.faces import get_faces, pick_sample_faces
from builder.web.cards.history import choose_new_squad_version
from builder.web.cards.library import get_library, get_names, list_play_formats
from builder.web.squads.models import SavedSquad, squads_of
from builder.web.squads.newer import newer
from builder.web.squads.squad_view import SquadSight, sight_of
from builder.web.squads.storage import SquadStorage
from builder.web.templating import get_page_language, render_page, translate_text

SHOWN = 100
"""Squads of the first page."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The squads of this browser, and the games."""
    lang = get_page_language()
    games = [
        (pack, get_names(pack, lang), pick_sample_faces(pack, get_faces(pack, lang)))
        for pack in get_library().list_games()
    ]
    known = {pack.id: names.of(pack.manifest.name, pack.id) for pack, names, _fan in games}
    rows = squads_of(get_owner(request))[:SHOWN]
    storage = SquadStorage(get_library(), get_owner(request))
    shown, unreadable = [], []
    for row in rows:
        try:
            shown.append(load_sight(storage.stay(row)))
        except PackUnreadable as error:  # the squads of other games are shown all the same
            unreadable.append((row, known.get(row.pack, row.pack), translate_text(error.message)))
        except UsageError:  # its game is not here any more
            continue
    squads = [(sight, newer(sight)) for sight in shown]
    return render_page(request, "squads/home", squads=squads, unreadable=unreadable, games=games)


def load_sight(row: SavedSquad) -> SquadSight:
    """A squad for a list. PackUnreadable if its game gives no verdict, UsageError if the game is not here."""
    sight = sight_of(row)
    _verdict = sight.judged
    return sight


@require_GET
def game(request: HttpRequest, pack: str) -> HttpResponse:
    """Where a squad of this game is begun."""
    found = get_library().get_pack(pack)
    names, faces = get_names(found, get_page_language()), get_faces(found, get_page_language())
    sides = [
        (key, names.of(one.name, key), names.of(one.help, ""), pick_sample_faces(found, faces, key))
        for key, one in _sides(found)
    ]
    params = [
        (name, names.param(name), param)
        for name, param in found.manifest.roster.params.items()
        if not {key for key, *_told in sides} & set(param.choices)  # the side is chosen below
    ]
    shown = pick_sample_faces(found, faces)
    formats = list_play_formats(found)
    return render_page(
        request,
        "squads/game",
        pack=found,
        names=names,
        params=params,
        sides=sides,
        fan=shown,
        formats=formats,
    )


def _sides(pack: Pack) -> Iterator[tuple[str, Faction]]:
    """The factions that have models."""
    sides = {card.faction for card in pack.cards.values() if pack.role(card) is Role.ENTRY}
    return ((key, one) for key, one in pack.vocabulary.factions.items() if key in sides)


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """A new squad of this browser's."""
    games = get_library()
    pack = games.get_pack(request.POST.get("pack", ""))
    version = choose_new_squad_version(pack.id, localdate())
    pack = games.get_pack(pack.id, version)
    count_new_squad(request)
    owner = get_or_create_owner(request)
    key = uuid4()
    roster = begun(pack, request.POST).model_copy(update={"version": version})
    SquadStorage(games, owner).create(str(key), roster)
    response = redirect("squad", key=key)
    faction = request.POST.get("faction", "")
    if faction in pack.vocabulary.factions:
        response["Location"] += f"?faction={faction}&view=cards"
    return response


def begun(pack: Pack, form: Mapping[str, str]) -> Roster:
    """An empty squad with the parameters of a form; what does not pass has its default."""
    params = {
        name: param.default
        for name, param in pack.manifest.roster.params.items()
        if param.default is not None
    }
    for name, param in pack.manifest.roster.params.items():
        value = param_value(form.get(f"param-{name}", ""), param)
        if value in (None, param.default) and form.get("faction", "") in param.choices:
            value = form["faction"]  # a parameter that names the side need not be told twice
        if value is not None:
            params[name] = value
    name = form.get("name", "").strip()[:80]
    played = form.get("format", "")
    return Roster(pack=pack.id, name=name or translate_text(_("New squad")), params=params,
                  play_format=played if played in pack.formats else None)  # fmt: skip


def param_value(text: str, param: Param) -> int | str | None:
    """A parameter's value as a form has it; None for one that it cannot have."""
    if not text or not param.allows(text):
        return None
    return text if param.type == "choice" else int(text)
