"""Check that diagrams keep the distances that the game requires (`distances` in rules.yaml)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist
from typing import TypeAlias

from builder.dice.attack_stats import select_attack
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.rules import Distance, Where
from builder.roster.resolve import SelectedCard, make_test_selection
from builder.rules.query import compile_condition

DISTANCE = define(
    "cards/distance",
    _("A diagram does not match the required distances"),
    _(
        "The diagram is drawn to scale from these numbers. rules.yaml requires certain "
        "distances and a number of points."
    ),
    _("Move, add or remove points of the diagram, or correct the rule in rules.yaml."),
)

TOLERANCE_INCHES = 0.001
"""Inches by which a distance may miss its bound: what adding decimal fractions loses."""
Place: TypeAlias = tuple[float, float]
"""X and y in inches from the table's centre."""


@dataclass(frozen=True, slots=True)
class DiagramPoint:
    """A point of a diagram: its name, its position in inches, and its fields."""

    name: str
    at: Place
    fields: SelectedCard


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the diagrams of all cards against the distances in rules.yaml."""
    tests = [
        (demand, compile_condition(demand.cards))
        for demand in loaded.whole.rules.distances
    ]
    if not tests:
        return
    for card_id, card in loaded.whole.cards.items():
        for demand, is_about in tests:
            if is_about(make_test_selection(card), None):
                yield from _check_demand(demand, card, loaded.documents[card_id])


def _check_demand(
    demand: Distance, card: Card, document: Document
) -> Iterator[Finding]:
    points = list(_read_points(card, demand.points))
    measured = _select_points(points, demand.select)
    path = tuple(demand.points.split("."))
    if demand.number is not None and len(measured) != demand.number:
        form = _(
            "the diagram has {many} points, but {demand} requires {number} ({source})"
        )
        message = _(
            form,
            many=len(measured),
            demand=demand.id,
            number=demand.number,
            source=demand.source,
        )
        yield DISTANCE.finding(message, document.locate(path, key=True))
    for point in measured:
        targets = _list_targets(demand, point, points)
        if not targets:
            continue
        # rules require a distance to the nearest of the targets
        target_name, target_place = min(
            targets, key=lambda target: dist(point.at, target[1])
        )
        distance = dist(point.at, target_place)
        if not _is_within_bounds(demand, distance):
            form = _(
                "{point} is {far:.4g} from {other}, but must be {wanted} ({source})"
            )
            message = _(
                form,
                point=point.name,
                far=distance,
                other=target_name,
                wanted=_format_bounds(demand),
                source=demand.source,
            )
            yield DISTANCE.finding(message, document.locate((*path, point.name)))


def _select_points(points: list[DiagramPoint], where: Where) -> list[DiagramPoint]:
    matches = compile_condition(where)
    return [point for point in points if matches(point.fields, None)]


def _list_targets(
    demand: Distance, point: DiagramPoint, points: list[DiagramPoint]
) -> list[tuple[str, Place]]:
    """Return the names and positions to which the distance of a point is measured."""
    if demand.to == "centre":
        return [(_("the centre"), (0.0, 0.0))]
    if demand.to == "centre-line":
        return [(_("the centre line"), (point.at[0], 0.0))]
    others = (
        _select_points(points, demand.to) if isinstance(demand.to, Where) else points
    )
    return [(target.name, target.at) for target in others if target.name != point.name]


def _is_within_bounds(demand: Distance, distance: float) -> bool:
    if demand.min is not None and distance < demand.min - TOLERANCE_INCHES:
        return False
    return demand.max is None or distance <= demand.max + TOLERANCE_INCHES


def _format_bounds(demand: Distance) -> str:
    if demand.min is None:
        return _("at most {bound}", bound=f"{demand.max or 0:g}")
    if demand.max is None:
        return _("at least {bound}", bound=f"{demand.min:g}")
    if demand.min == demand.max:
        return f"{demand.min:g}"
    return _("{least:g} to {most:g}", least=demand.min, most=demand.max)


def _read_points(card: Card, path: str) -> Iterator[DiagramPoint]:
    """Yield the points of a card's diagram. Entries without coordinates are left out."""
    fields_by_name = card.get_field(path)
    if not isinstance(fields_by_name, dict):
        return
    for name, fields in fields_by_name.items():
        if not isinstance(fields, dict):
            continue
        x, y = fields.get("x"), fields.get("y")
        if isinstance(x, int | float) and isinstance(y, int | float):
            point_fields = select_attack(card, {**fields, "id": name})
            yield DiagramPoint(name, (float(x), float(y)), point_fields)
