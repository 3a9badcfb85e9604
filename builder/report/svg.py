"""Bits of SVG that plots are made of. Lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

INK = "#111111"
WIDTH_OF_LETTER = 0.56
"""How wide a letter is on average, in sizes of the type."""


def rectangle(x: float, y: float, width: float, height: float, ink: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{x:g}" y="{y:.2f}" width="{width:.2f}" height="{height:g}" fill="{ink}"/>'


def text(x: float, y: float, told: str, anchor: str = "middle", size: float = 2.6, ink: str = INK) -> str:
    """A short text on its base line."""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.3g}" font-family="Roboto, sans-serif"'
        f' text-anchor="{anchor}" fill="{ink}">{escape(told)}</text>'
    )


def fitting(told: str, width: float, size: float) -> float:
    """The type size at which a text fits into a width, at most `size`."""
    return min(size, width / (WIDTH_OF_LETTER * max(1, len(told))))


def svg(width: float, height: float, body: Sequence[str], space: str = "") -> str:
    """A picture of that size."""
    xmlns = f' xmlns="{space}"' if space else ""
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    return f"<svg{xmlns} {size}>{''.join(body)}</svg>"


def placed(picture: str, x: float, y: float) -> str:
    """A picture inside another, its size in the other's units."""
    return picture.replace("<svg ", f'<svg x="{x:.2f}" y="{y:.2f}" ', 1).replace('mm"', '"')
