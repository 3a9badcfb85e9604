"""One model of a squad: what it carries and may carry, what is chosen for it, its ties, copies, name and place."""

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.model.rules import Source
from builder.rules.choices import Option
from builder.usecases.roster.choices import Offer
from builder.web.catalogue import Tile
from builder.web.pages.squad import own_squad, squad_page
from builder.web.sight import SquadSight


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
        fitting=_fitting(sight, number - 1),
    )  # fmt: skip


def _choices(sight: SquadSight, line: int) -> list[Chosen]:
    """The choices that this model may make."""
    judge, squad = sight.judged.judge, sight.judged.squad
    pick = next((pick for pick in squad.entries if pick.line == line), None) if squad else None
    if judge is None or squad is None or pick is None:
        return []
    domains, stated = judge.evaluator.domains, sight.judged.roster.entries[line].choices  # type: ignore[union-attr]
    found = []
    for name, choice in sight.pack.manifest.roster.choices.items():
        values = tuple(value for group in domains.classes(name, squad, pick.card) for value in group)
        if values or name in stated:
            told = tuple((value, sight.names.value(f"choice.{name}", value)) for value in values)
            title = sight.names.field(f"choice.{name}")
            found.append(Chosen(name, title, stated.get(name, ""), told, choice.free))
    return found


def _ties(sight: SquadSight, line: int) -> list[Tied]:
    """The ties that a model may have to another."""
    squad = sight.judged.squad
    if squad is None:
        return []
    others = tuple((row.number - 1, f"{row.number}. {row.name}") for row in sight.lines if row.number - 1 != line)
    found = []
    for name in sight.pack.manifest.roster.links:
        target = squad.ties.get((line, name))
        found.append(Tied(name, sight.names.link(name), target.line if target else -1, others))
    return found


def _fitting(sight: SquadSight, line: int) -> list[tuple[Offer, Option, Tile]]:
    """What the model may be given now."""
    found = []
    for offer in sight.offers.values():
        for option in offer.fitting:
            if option.source is Source.ATTACHMENTS and option.line == line:
                side, face = option.card.faction or "", sight.front(option.card.id)
                found.append((offer, option, Tile(option.card, offer.name, side, face, offer, 0)))
    return found
