"""One model of a squad: its attachments, choices, links, copies, name and position."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.model.rules import Source
from builder.roster.resolve import list_allowed_values
from builder.web.squads.catalogue import Tile, make_tile
from builder.web.squads.models import SavedSquad, squads_of
from builder.web.squads.squad_view import EntryRow, SquadView
from builder.web.squads.views.squad import (
    list_displayed_ids,
    load_own_squad,
    render_squad,
)

MAX_TARGET_SQUADS = 100


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A choice of a model on its page: the value, and the possible values with names."""

    name: str
    title: str
    value: str
    values: tuple[tuple[str, str], ...]
    free: bool


@dataclass(frozen=True, slots=True)
class LinkField:
    """A link of a model on its page: the target line (-1 for none), and possible targets."""

    name: str
    title: str
    target: int
    lines: tuple[tuple[int, str], ...]


@require_GET
def show_model(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Show a model."""
    view = load_own_squad(request, key)
    if not 1 <= number <= len(view.entries):
        raise Http404
    entry = view.entries[number - 1]
    return render_squad(
        request,
        view,
        "model",
        line=entry,
        choices=_list_choices(view, number - 1),
        ties=_list_links(view, number - 1),
        fitting=_list_attachments(view, entry, list_displayed_ids(request)),
        targets=_list_target_squads(view),
    )


def _list_target_squads(view: SquadView) -> QuerySet[SavedSquad]:
    """Return the squads to which the model can be copied."""
    squads = squads_of(view.reader).filter(pack=view.row.pack, archived=False)
    return squads.exclude(id=view.row.id).order_by("name")[:MAX_TARGET_SQUADS]


def _list_choices(view: SquadView, line: int) -> list[ChoiceField]:
    """Return the choice fields of the model."""
    checker, squad = view.result.checker, view.result.squad
    if checker is None or squad is None:
        return []
    model = next((model for model in squad.entries if model.line == line), None)
    if model is None:
        return []
    domains, fields = checker.evaluator.domains, []
    for name, choice in view.pack.manifest.roster.choices.items():
        if not domains.is_made_by(name, model.card) and name not in model.choices:
            continue
        keys: Iterable[str] = list_allowed_values(choice, view.pack)
        if choice.field is not None:
            keys = domains.list_items(name, model.card)
        values = tuple(
            (value, view.names.name_value(f"choice.{name}", value)) for value in keys
        )
        if values or choice.free:
            title = view.names.name_field(f"choice.{name}")
            value = model.choices.get(name, "")
            fields.append(ChoiceField(name, title, value, values, choice.free))
    return fields


def _list_links(view: SquadView, line: int) -> list[LinkField]:
    """Return the link fields of the model."""
    squad = view.result.squad
    if squad is None:
        return []
    lines = [
        (entry.number - 1, f"{entry.number}. {entry.name}")
        for entry in view.entries
        if entry.number - 1 != line
    ]
    fields = []
    for name in view.pack.manifest.roster.links:
        target = squad.links.get((line, name))
        target_line = target.line if target else -1
        fields.append(
            LinkField(name, view.names.name_link(name), target_line, tuple(lines))
        )
    return fields


def _list_attachments(
    view: SquadView, entry: EntryRow, displayed_ids: Collection[str]
) -> list[Tile]:
    """Return tiles of the cards that can be attached to the model."""
    tiles = []
    for offer in view.offers.values():
        lines = [
            option.line
            for option in offer.fitting
            if option.source is Source.ATTACHMENTS
        ]
        fits = entry.number - 1 in lines
        if fits or offer.id in displayed_ids:
            tile = make_tile(view, view.pack.cards[offer.id])
            button = f"give {entry.number} {entry.entry.card} {offer.id}"
            tiles.append(replace(tile, copies=0, ways=(("", button),) if fits else ()))
    return sorted(
        tiles, key=lambda tile: (tile.card.kind, tile.card.cost or 0, tile.name)
    )
