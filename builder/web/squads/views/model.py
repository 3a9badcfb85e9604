"""One model of a squad: what it carries and may carry, what is chosen for it, its ties, copies, name and place."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.model.rules import Source
from builder.roster.resolve import allowed_values
from builder.web.squads.catalogue import Tile, tile
from builder.web.squads.squad_view import SquadSight
from builder.web.squads.views.squad import kept, own_squad, squad_page


@dataclass(frozen=True, slots=True)
class Chosen:
    """Something that is chosen for a model: the value it has, and those it may have with what they are called."""

    name: str
    title: str
    value: str
    values: tuple[tuple[str, str], ...]
    free: bool


@dataclass(frozen=True, slots=True)
class Tied:
    """A tie of a model: the line it names (-1 for none), and the lines it may name."""

    name: str
    title: str
    target: int
    lines: tuple[tuple[int, str], ...]


@require_GET
def model(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """A model's sheet."""
    sight = own_squad(request, key)
    if not 1 <= number <= len(sight.lines):
        raise Http404
    line = sight.lines[number - 1]
    return squad_page(
        request, sight, "model", line=line, choices=_choices(sight, number - 1), ties=_ties(sight, number - 1),
        fitting=_fitting(sight, number - 1, kept(request)),
    )  # fmt: skip


def _choices(sight: SquadSight, line: int) -> list[Chosen]:
    """The choices that this model may make."""
    judge, squad = sight.judged.judge, sight.judged.squad
    pick = next((pick for pick in squad.entries if pick.line == line), None) if squad else None
    if judge is None or squad is None or pick is None:
        return []
    domains, stated = judge.evaluator.domains, pick.choices
    found = []
    for name, choice in sight.pack.manifest.roster.choices.items():
        if not domains.made_by(name, pick.card) and name not in stated:
            continue
        keys = (
            domains.items(name, pick.card)
            if choice.field is not None
            else allowed_values(choice, sight.pack)
        )
        told = tuple((value, sight.names.value(f"choice.{name}", value)) for value in keys)
        if told or choice.free:
            title = sight.names.field(f"choice.{name}")
            found.append(Chosen(name, title, stated.get(name, ""), told, choice.free))
    return found


def _ties(sight: SquadSight, line: int) -> list[Tied]:
    """The ties that a model may have to another."""
    squad = sight.judged.squad
    if squad is None:
        return []
    others = tuple(
        (row.number - 1, f"{row.number}. {row.name}")
        for row in sight.lines
        if row.number - 1 != line
    )
    found = []
    for name in sight.pack.manifest.roster.links:
        target = squad.ties.get((line, name))
        found.append(Tied(name, sight.names.link(name), target.line if target else -1, others))
    return found


def _fitting(sight: SquadSight, line: int, kept: Collection[str]) -> list[Tile]:
    """What the model may be given now, each with the one button that gives it to this model; the `kept` stay."""
    found = []
    for offer in sight.offers.values():
        fits = any(
            option.source is Source.ATTACHMENTS and option.line == line for option in offer.fitting
        )
        if fits or offer.id in kept:
            told = f"give {line + 1} {sight.lines[line].entry.card} {offer.id}"
            made = tile(sight, sight.pack.cards[offer.id])
            found.append(replace(made, copies=0, ways=(("", told),) if fits else ()))
    return sorted(found, key=lambda one: (one.card.kind, one.card.cost or 0, one.name))
