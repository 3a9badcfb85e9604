"""Diagrams keep the distances that the game demands of them (`distances` in rules.yaml)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot
from typing import TypeAlias

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json, lookup
from builder.model.card import Card
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.rules import Distance, Ref, Where
from builder.rules.query import COMPARE, parts

Field: TypeAlias = Callable[[str], object]
"""The value of a field by its dotted path; None where it is absent."""


def passes(where: Where, field: Field) -> bool:
    """True if the condition holds. A comparison with another card never does: there is none here."""
    for path, test in where.fields.items():
        for name, wanted in parts(test):
            if isinstance(wanted, Ref) or not COMPARE[name](field(path), wanted):
                return False
    return (
        all(passes(inner, field) for inner in where.all)
        and (not where.any or any(passes(inner, field) for inner in where.any))
        and not any(passes(inner, field) for inner in where.none)
    )


DISTANCE = define(
    "cards/distance",
    _("A point of the diagram lies too near or too far"),
    _("The diagram is drawn to scale from these numbers; the game demands the distance."),
    _("Move the point, or correct the demand in rules.yaml."),
)
POINTS = define(
    "cards/points",
    _("A diagram with too many or too few points"),
    _("The game demands a certain number; one left out is not seen by measuring the others."),
    _("Add or remove points, or correct their roles."),
)

SLACK = 0.001
"""Inches by which a distance may miss its bound: what adding decimal fractions loses."""

Point: TypeAlias = tuple[str, float, float, Mapping[str, Json]]
"""Id, x and y in inches from the table's centre, and all fields."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every demand on every card it is about."""
    assert loaded.pack is not None
    demands = loaded.pack.rules.distances
    for card_id, card in loaded.pack.cards.items() if demands else ():
        for demand in demands:
            if passes(demand.cards, card.field):
                yield from _judge(demand, card, loaded.documents[card_id])


def _judge(demand: Distance, card: Card, document: Document) -> Iterator[Finding]:
    points = _points(card.field(demand.points))
    measured = [point for point in points if passes(demand.select, _fields(point))]
    path = tuple(demand.points.split("."))
    if demand.number is not None and len(measured) != demand.number:
        message = _(
            "{many} points where {demand} demands {number} ({source})",
            many=len(measured),
            demand=demand.id,
            number=demand.number,
            source=demand.source,
        )
        yield POINTS.finding(message, document.locate(path, key=True))
    for point in measured:
        found = _measure(demand, point, points)
        if found is not None and not _within(demand, found[1]):
            message = _(
                "{point} is {far:.4g} from {other}, but must be {wanted} ({source})",
                point=point[0],
                far=found[1],
                other=found[0],
                wanted=_bounds(demand),
                source=demand.source,
            )
            yield DISTANCE.finding(message, document.locate((*path, point[0])))


def _measure(demand: Distance, point: Point, points: list[Point]) -> tuple[str, float] | None:
    """What the point is measured to, and how far that is; None where there is nothing to measure to."""
    if demand.to == "centre":
        return _("the centre"), hypot(point[1], point[2])
    if demand.to == "centre-line":
        return _("the centre line"), abs(point[2])
    others = [other for other in points if other[0] != point[0]]
    if isinstance(demand.to, Where):
        others = [other for other in others if passes(demand.to, _fields(other))]
    if not others:
        return None
    near = min(others, key=lambda other: _apart(point, other))
    return near[0], _apart(point, near)


def _apart(one: Point, other: Point) -> float:
    return hypot(one[1] - other[1], one[2] - other[2])


def _within(demand: Distance, distance: float) -> bool:
    low = demand.min is None or distance >= demand.min - SLACK
    return low and (demand.max is None or distance <= demand.max + SLACK)


def _bounds(demand: Distance) -> str:
    if demand.min is not None and demand.max is not None:
        if demand.min == demand.max:
            return f"{demand.min:g}"
        return _("{least:g} to {most:g}", least=demand.min, most=demand.max)
    if demand.min is not None:
        return _("at least {bound}", bound=f"{demand.min:g}")
    return _("at most {bound}", bound=f"{demand.max or 0:g}")


def _points(value: Json) -> list[Point]:
    """The points of a card's map; whatever has no coordinates is none."""
    found: list[Point] = []
    for name, fields in value.items() if isinstance(value, dict) else ():
        x, y = (fields.get("x"), fields.get("y")) if isinstance(fields, dict) else (None, None)
        if isinstance(fields, dict) and isinstance(x, int | float) and isinstance(y, int | float):
            found.append((name, float(x), float(y), fields))
    return found


def _fields(point: Point) -> Callable[[str], object]:
    return lambda path: point[0] if path == "id" else lookup(point[3], path.split("."))
