"""Gauge -> pieces, by type. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from builder.geometry.gauges.art import Piece
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.discs import disc
from builder.geometry.gauges.grids import grid
from builder.geometry.gauges.heights import height
from builder.geometry.gauges.rulers import reach, ruler
from builder.geometry.gauges.templates import template
from builder.geometry.gauges.tokens import token
from builder.geometry.gauges.tracks import panel, slider
from builder.model.gauge import AnyGauge

DRAW: dict[str, Callable[[Any, Context], tuple[Piece, ...]]] = {
    "ruler": ruler,
    "height-ruler": height,
    "disc": disc,
    "template": template,
    "token": token,
    "panel": panel,
    "slider": slider,
    "reach": reach,
    "grid-ruler": grid,
}
"""Type of a gauge -> what draws it; every type of the model is here."""


def draw(gauge: AnyGauge, context: Context) -> tuple[Piece, ...]:
    """All pieces of a gauge, as often as it is wanted."""
    return DRAW[gauge.type](gauge, context) * gauge.count
