"""The home page, and a game's page where a squad is begun."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
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
from builder.web.cards.faces import (
    count_missing_pictures,
    get_faces,
    pick_sample_faces,
    sample_games,
)
from builder.web.cards.history import choose_new_squad_version
from builder.web.cards.library import (
    get_library,
    get_names,
    has_roles,
    list_play_formats,
)
from builder.web.squads.imported_lists import find_owned_lists
from builder.web.squads.list_facts import load_facts
from builder.web.squads.models import SavedSquad, squads_of
from builder.web.squads.newer import NewRelease, find_new_release
from builder.web.squads.offline_game import get_game_address
from builder.web.squads.squad_view import SquadView, make_squad_view
from builder.web.squads.storage import SquadStorage, parse_new_key
from builder.web.squads.tags import MAX_TAG_CHARACTERS, list_tags
from builder.web.templating import get_page_language, render_page, translate_text

MAX_SQUADS_SHOWN = 100
"""Squads on the home page."""
MIN_SQUADS_TO_SEARCH = 5
"""With fewer squads the home page has no search."""
SORT_COLUMNS = {
    "": ("place", "-changed"),
    "changed": ("-changed",),
    "name": ("name",),
    "game": ("pack", "name"),
}
"""The orders of squads to choose from."""
MAX_NAME_LENGTH = 80


@require_GET
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the squads and imported lists of this browser, and the games."""
    games = sample_games()
    titles = {
        pack.id: names.choose_name(pack.manifest.name, pack.id)
        for pack, names, _faces in games
    }
    owner = get_owner(request)
    storage = SquadStorage(get_library(), owner)
    squads: list[tuple[SquadView, NewRelease | None]] = []
    unreadable = []
    search = SavedSquadFilter.from_query(request.GET)
    for row in search.find_squads(owner):
        try:
            view = make_squad_view(storage.pin_to_known_release(row), reader=owner)
            _result = view.result
        except (
            PackUnreadable
        ) as error:  # the squads of other games are shown all the same
            title = titles.get(row.pack, row.pack)
            unreadable.append((row, title, translate_text(error.message)))
        except UsageError:  # its game was removed from this server
            continue
        else:
            squads.append((view, find_new_release(view)))
    lists = [] if search.is_limited else find_owned_lists(owner)
    return render_page(
        request,
        "squads/home",
        squads=squads,
        has_many=squads_of(owner).count() >= MIN_SQUADS_TO_SEARCH,
        archived_count=squads_of(owner).filter(archived=True).count(),
        tags=list_tags(owner),
        search=search,
        unreadable=unreadable,
        games=games,
        missing_pictures=sum(
            count_missing_pictures(pack, get_page_language())
            for pack, _names, _faces in games
        ),
        without_roles=[
            (
                pack.id,
                get_names(pack, get_page_language()).choose_name(
                    pack.manifest.name, pack.id
                ),
            )
            for pack in get_library().list_packs_without_roles()
        ],
        lists=[(row, load_facts(row)) for row in lists],
    )


@dataclass(frozen=True, slots=True)
class SavedSquadFilter:
    """The filter of the home page's list of squads: name, tag, archive and order."""

    text: str
    tag: str
    archived: bool
    order: str

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "SavedSquadFilter":
        """Parse the filter from the query of an address."""
        return cls(
            query.get("q", "")[:MAX_NAME_LENGTH].strip(),
            query.get("tag", "")[:MAX_TAG_CHARACTERS],
            query.get("archived") == "1",
            query.get("sort", ""),
        )

    @property
    def is_limited(self) -> bool:
        """True if the filter hides some squads outside the archive."""
        return bool(self.text or self.tag or self.archived)

    def find_squads(self, owner: str) -> QuerySet[SavedSquad]:
        """Return the squads of an owner that pass the filter."""
        rows = squads_of(owner).filter(archived=self.archived)
        if self.text:
            rows = rows.filter(name__icontains=self.text)
        if self.tag:
            rows = rows.filter(tags__contains=f",{self.tag},")
        return rows.order_by(*SORT_COLUMNS.get(self.order, SORT_COLUMNS[""]))[
            :MAX_SQUADS_SHOWN
        ]


@require_GET
def show_game(request: HttpRequest, pack: str) -> HttpResponse:
    """Show the form that begins a squad of a game, or what to add to its pack.yaml first."""
    game = get_library().get_pack(pack)
    names = get_names(game, get_page_language())
    if not has_roles(game):
        return render_page(request, "squads/roles", pack=game, names=names)
    faces = get_faces(game, get_page_language())
    sides = []
    for key, faction in _list_sides(game):
        sample = pick_sample_faces(game, faces, key)
        sides.append(
            (
                key,
                names.choose_name(faction.name, key),
                names.choose_name(faction.help, ""),
                sample,
            )
        )
    side_keys = {side[0] for side in sides}
    params = []
    for name, param in game.manifest.roster.params.items():
        if side_keys.isdisjoint(param.choices):  # the side has a field of its own
            params.append((name, names.name_param(name), param))
    return render_page(
        request,
        "squads/game",
        pack=game,
        names=names,
        params=params,
        sides=sides,
        fan=pick_sample_faces(game, faces),
        formats=list_play_formats(game),
        offline_game=get_game_address(game.id),
    )


def _list_sides(pack: Pack) -> Iterator[tuple[str, Faction]]:
    """Yield the sides that have models."""
    sides = {card.faction for card in pack.list_cards_of_role(Role.ENTRY)}
    for key, faction in pack.vocabulary.factions.items():
        if key in sides:
            yield key, faction


@require_POST
def begin_squad(request: HttpRequest) -> HttpResponse:
    """Create a squad and show its cards."""
    library = get_library()
    pack = library.get_pack(request.POST.get("pack", ""))
    version = choose_new_squad_version(pack.id, localdate())
    pack = library.get_pack(pack.id, version)
    if not has_roles(pack):
        message = _("no squad of {pack} can be built yet", pack=pack.id)
        raise UsageError(
            message, _("Add roles to the kinds of its cards in pack.yaml.")
        )
    key = parse_new_key(request.POST)
    # A browser that got no answer sends a squad again, which it began without a network.
    if squads_of(get_owner(request)).filter(id=key).exists():
        return redirect("squad", key=key)
    count_new_squad(request)
    owner = get_or_create_owner(request)
    roster = make_roster(pack, request.POST).model_copy(update={"version": version})
    SquadStorage(library, owner).create(str(key), roster)
    response = redirect("squad", key=key)
    faction = request.POST.get("faction", "")
    if faction in pack.vocabulary.factions:
        response["Location"] += f"?faction={faction}&view=cards"
    return response


def make_roster(pack: Pack, form: Mapping[str, str]) -> Roster:
    """Return an empty squad with the parameters of a form. Invalid values become defaults."""
    params = {}
    faction = form.get("faction", "")
    for name, param in pack.manifest.roster.params.items():
        value = parse_param(form.get(f"param-{name}", ""), param)
        if value in (None, param.default) and faction in param.choices:
            value = faction  # a parameter that names the side has no field of its own
        if value is None:
            value = param.default
        if value is not None:
            params[name] = value
    play_format = form.get("format", "")
    return Roster(
        pack=pack.id,
        name=form.get("name", "").strip()[:MAX_NAME_LENGTH]
        or translate_text(_("New squad")),
        params=params,
        play_format=play_format if play_format in pack.formats else None,
    )


def parse_param(text: str, param: Param) -> int | str | None:
    """Parse the value of a parameter. None if it is invalid."""
    if not text or not param.accepts_value(text):
        return None
    return text if param.type == "choice" else int(text)
