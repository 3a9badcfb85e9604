"""Forms that are drawn many times are read once: what they hold is moved to each further place.

Frames of cards, common backs and strips mirrored into the bleed are the same form again and again; following their
operators each time would take most of the time a file takes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from builder.findings import Box
from builder.model.pdf import Image, Item, Look, Shape, Text, meet, visible
from builder.pdfinfo.matrix import Matrix
from builder.pdfinfo.state import Found, State

NOISE = 1e-7
"""What rounding may make of a matrix."""

_SKIPPED = {"ctm", "clip", "pattern_fill", "pattern_stroke", "font"}
_INHERITED = tuple(item.name for item in fields(State) if item.name not in _SKIPPED)


@dataclass
class Drawn:
    """What one form holds where it was first drawn, clipped by nothing but its own box. `state` is what it met."""

    state: State
    found: Found
    _placed: dict[tuple[Matrix, Box | None, bool], tuple[Item, ...]] = field(default_factory=dict)

    def placed(self, move: Matrix, clip: Box | None, *, again: bool) -> tuple[Item, ...]:
        """The items elsewhere; `again`: only what can be seen, as the others were told on the same page before."""
        key = (move, clip, again)
        if key not in self._placed:
            items = (_moved(item, move, clip) for item in self.found.items)
            self._placed[key] = tuple(item for item in items if not again or _seen(item))
        return self._placed[key]

    def move(self, ctm: Matrix) -> Matrix | None:
        """From the first place to this one; None where boxes would not stay exact."""
        found = self.state.ctm.inverse
        if found is None:
            return None
        move = Matrix(*(round(part, 9) for part in found.then(ctm)))
        even = abs(abs(move.a) - abs(move.d)) < NOISE and abs(move.a) > NOISE
        return move if even and abs(move.b) < NOISE and abs(move.c) < NOISE else None


def key_of(form: Any, state: State, tags: tuple[str, ...], depth: int) -> tuple[Any, ...] | None:
    """What a form's content depends on besides its place; None for one that leans on what is around it."""
    if not form.is_indirect or "/Resources" not in form or len(form.get("/BBox", [])) != 4:
        return None
    if state.pattern_fill is not None or state.pattern_stroke is not None:
        return None
    return (form.objgen, tags, depth, id(state.font), *(getattr(state, name) for name in _INHERITED))


def _moved(item: Item, move: Matrix, clip: Box | None) -> Item:
    """An item elsewhere, within a further clip."""
    own = item.look.clip
    within = meet(clip, None if own is None else _box(own, move))
    look: Look = item.look if within == own else replace(item.look, clip=within)
    if move == Matrix():
        return item if look is item.look else replace(item, look=look)
    box, scale = _box(item.box, move), move.scale
    if isinstance(item, Shape):
        points = tuple(move.apply(*point) for point in item.points)
        thin = None if item.thin is None else item.thin * scale
        return replace(item, box=box, points=points, width=item.width * scale, look=look, thin=thin)
    if isinstance(item, Text):
        letters = None if item.letters is None else _box(item.letters, move)
        turned = move.turned(item.angle)
        return replace(item, box=box, size=item.size * scale, angle=turned, look=look, letters=letters)
    if isinstance(item, Image):
        return replace(item, box=box, dpi=(item.dpi[0] / scale, item.dpi[1] / scale), look=look)
    return replace(item, box=box, look=look)


def _box(box: Box, move: Matrix) -> Box:
    return box if move == Matrix() else move.box(box.x, box.y, box.width, box.height)


def _seen(item: Item) -> bool:
    box = visible(item)
    return box.width > 0 and box.height > 0
