"""Scenes as SVG, for programs that turn drawings into pages; light alone."""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    encoded,
    gradient,
)


class Svg(Painter):
    """Says a page in SVG, in mm; `y` grows upwards, as scenes have it."""

    space = "rgb"

    def __init__(self, height: float) -> None:
        self.height, self.parts = height, list[str]()

    def hue(self, name: Any) -> str:
        return "rgb({},{},{})".format(
            *(round(value * 255) for value in self.numbers(name))
        )

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        top = self.height - y - high
        self.parts.append(
            f'<rect x="{x}" y="{top}" width="{wide}" height="{high}" fill="{self.hue(name)}"/>'
        )

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        ends = f'x1="{x}" y1="{self.height - y}" x2="{to_x}" y2="{self.height - to_y}"'
        self.parts.append(
            f'<line {ends} stroke="{self.hue(name)}" stroke-width="{width}"/>'
        )

    def text(
        self,
        name: Any,
        size: float,
        x: float,
        y: float,
        words: str,
        mode: str = "fill",
        width: float = 1,
    ) -> None:
        hue = self.hue(name)
        paint = (
            f'fill="{hue}"'
            if mode == "fill"
            else f'fill="none" stroke="{hue}" stroke-width="{width}"'
        )
        place = f'x="{x}" y="{self.height - y}" font-family="Roboto" font-size="{size / PT:.4f}"'
        self.parts.append(f"<text {place} {paint}>{escape(words)}</text>")

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        data = base64.b64encode(encoded(gradient(across, down), "PNG")).decode()
        place = (
            f'x="{x}" y="{self.height - y - high}" '
            f'width="{wide}" '
            f'height="{high}" '
            f'preserveAspectRatio="none"'
        )
        self.parts.append(f'<image {place} xlink:href="data:image/png;base64,{data}"/>')

    def _group(self, keys: str, ops: Sequence[Any]) -> None:
        self.parts.append(f"<g {keys}>")
        self.draw(ops)
        self.parts.append("</g>")

    def scaled(self, across: float, up: float, ops: Sequence[Any]) -> None:
        # Scaled from the foot of the page.
        self._group(
            f'transform="translate(0,{self.height * (1 - up)}) scale({across},{up})"',
            ops,
        )

    def turned(self, angle: float, x: float, y: float, ops: Sequence[Any]) -> None:
        place = f"translate({x},{self.height - y}) rotate({-angle}) translate(0,{-self.height})"
        self._group(f'transform="{place}"', ops)

    def alpha(self, share: float, ops: Sequence[Any]) -> None:
        self._group(f'opacity="{share}"', ops)

    def raw(self, code: str) -> None:
        self.parts.append(code)


def drawing(page: Mapping[str, Any], *, units: str = "mm") -> str:
    """One page as a drawing."""
    wide, high = page["size"]
    painter = Svg(high)
    painter.draw(page["ops"])
    spaces = (
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    )
    size = f'width="{wide}{units}" height="{high}{units}" viewBox="0 0 {wide} {high}"'
    return f"<svg {spaces} {size}>{''.join(painter.parts)}</svg>"


def run(path: Path, sources: Mapping[str, str | bytes], *command: str) -> None:
    """Run a program on sources in a folder of its own, `{}` in the command.

    What it calls out.pdf is the file.
    """
    with TemporaryDirectory() as folder:
        for name, data in sources.items():
            (Path(folder) / name).write_bytes(
                data.encode() if isinstance(data, str) else data
            )
        words = [word.replace("{}", folder) for word in command]
        subprocess.run(
            words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        shutil.copyfile(Path(folder) / "out.pdf", path)
