"""Drawing operators around sheets: backs moved to where a printer will put them right, outlines of cards."""

from __future__ import annotations

import math
from collections.abc import Iterable

from builder.findings import Box
from builder.model.profile import Paper, Profile
from builder.render.sheets.pdfwriter import pt
from builder.units import to_points

CURVE = 0.5523
"""How far the handles of a quarter circle reach, as a part of its radius."""

HALO = 0.15
"""Mm of white on each side of a mark that lies on a card."""


def moved(profile: Profile, paper: Paper) -> bytes:
    """The matrix that turns a back about the sheet's middle and moves it; nothing where neither is asked."""
    across, down = profile.back_shift
    if not moves(profile):
        return b""
    angle = -math.radians(profile.back_turn)
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = to_points(paper.width / 2), to_points(paper.height / 2)
    e = x - cos * x + sin * y + to_points(across)
    f = y - sin * x - cos * y - to_points(down)
    return b"%.6f %.6f %.6f %.6f %.4f %.4f cm\n" % (cos, sin, -sin, cos, e, f)


def upright(profile: Profile, paper: Paper) -> tuple[bytes, Paper]:
    """A lying sheet as the paper passes through the printer, where backs are moved: a matrix, and the upright paper.

    Drivers rotate lying pages one way or the other; only on upright paper is right and down what was measured. Both
    sides are turned alike, so each back stays behind its front.
    """
    if not moves(profile) or paper.width <= paper.height:
        return b"", paper
    return b"0 1 -1 0 %s 0 cm\n" % pt(paper.height), Paper(width=paper.height, height=paper.width)


def moves(profile: Profile) -> bool:
    """True if backs are to be moved at all."""
    return any(profile.back_shift) or bool(profile.back_turn)


def outlines(boxes: Iterable[Box], corner: float, paper: Paper, weight: float) -> bytes:
    """Strokes of cards' outlines with rounded corners, black with a white edge: they are seen on any art."""
    drawn = b"".join(_outline(box, corner, paper) for box in boxes)
    return b"q 1 G %s w\n%s0 G %s w\n%sQ\n" % (pt(weight + 2 * HALO), drawn, pt(weight), drawn)


def _outline(box: Box, corner: float, paper: Paper) -> bytes:
    """One rounded rectangle."""
    radius = min(corner, box.width / 2, box.height / 2)
    left, right = box.x, box.x + box.width
    top, foot = paper.height - box.y, paper.height - box.y - box.height
    arm = radius * (1 - CURVE)

    def line(*values: float) -> bytes:
        return b" ".join(pt(value) for value in values)

    parts = (
        (line(left + radius, foot), b" m "),
        (line(right - radius, foot), b" l\n"),
        (line(right - arm, foot, right, foot + arm, right, foot + radius), b" c "),
        (line(right, top - radius), b" l\n"),
        (line(right, top - arm, right - arm, top, right - radius, top), b" c "),
        (line(left + radius, top), b" l\n"),
        (line(left + arm, top, left, top - arm, left, top - radius), b" c "),
        (line(left, foot + radius), b" l\n"),
        (line(left, foot + arm, left + arm, foot, left + radius, foot), b" c s\n"),
    )
    return b"".join(values + name for values, name in parts)
