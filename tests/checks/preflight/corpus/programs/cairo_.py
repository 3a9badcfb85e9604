"""cairo: light alone, no boxes but the page; its fonts are subsets of several makes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cairocffi as cairo

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    encoded,
    gradient,
    under,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "cairo", "rgb", ("no-trim-box",)
DRAWS = (
    "sound small-type thin-line thin-bar thin-scaled broad-scaled coarse-image "
    "low-resolution "
    "text-cut text-safe "
    "descender no-descender accents no-accents descender-cut ends-at-cut panel-ends outlined "
    "outlined-well alpha "
    "alpha-allowed odd turned-text "
)


class Cairo(Painter):
    space = "rgb"

    def __init__(self, context: Any, height: float) -> None:
        self.context = context
        context.scale(PT, -PT)
        context.translate(0, -height)
        context.select_font_face("Roboto")

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        self.context.set_source_rgb(*self.numbers(name))
        self.context.rectangle(x, y, wide, high)
        self.context.fill()

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        self.context.set_source_rgb(*self.numbers(name))
        self.context.set_line_width(width)
        self.context.move_to(x, y)
        self.context.line_to(to_x, to_y)
        self.context.stroke()

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
        self.context.set_source_rgb(*self.numbers(name))
        self.context.set_font_matrix(cairo.Matrix(size / PT, 0, 0, -size / PT))
        self.context.move_to(x, y)
        if mode == "fill":
            self.context.show_text(words)
        else:
            self.context.text_path(words)
            self.context.set_line_width(width)
            self.context.stroke()

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        import io

        surface = cairo.ImageSurface.create_from_png(
            io.BytesIO(encoded(gradient(across, down), "PNG"))
        )
        self.context.save()
        self.context.translate(x, y + high)
        self.context.scale(wide / across, -high / down)
        self.context.set_source_surface(surface)
        self.context.paint()
        self.context.restore()

    def scaled(self, across: float, up: float, ops: list[Any]) -> None:
        self.context.save()
        self.context.scale(across, up)
        self.draw(ops)
        self.context.restore()

    def turned(self, angle: float, x: float, y: float, ops: list[Any]) -> None:
        self.context.save()
        self.context.translate(x, y)
        self.context.rotate(angle * 3.14159265 / 180)
        self.draw(ops)
        self.context.restore()

    def alpha(self, share: float, ops: list[Any]) -> None:
        self.context.push_group()
        self.draw(ops)
        self.context.pop_group_to_source()
        self.context.paint_with_alpha(share)


def write(path: Path, scene: Mapping[str, Any]) -> None:
    """One file."""
    first = scene["pages"][0]
    surface = cairo.PDFSurface(str(path), *(side * PT for side in first["size"]))
    for page in scene["pages"]:
        surface.set_size(*(side * PT for side in page["size"]))
        context = cairo.Context(surface)
        Cairo(context, page["size"][1]).draw(page["ops"])
        surface.show_page()
    surface.finish()


def _gradient(painter: Cairo) -> None:
    fade = cairo.LinearGradient(15, 0, 50, 0)
    fade.add_color_stop_rgb(0, 1, 0, 0)
    fade.add_color_stop_rgb(1, 0, 0, 1)
    painter.context.set_source(fade)
    painter.context.rectangle(15, 20, 35, 10)
    painter.context.fill()


def _clipped(painter: Cairo) -> None:
    painter.context.rectangle(15, 20, 35, 10)
    painter.context.clip()
    painter.rect("accent", 3, 3, 63, 60)
    painter.line("black", 0.01, 3, 50, 60, 50)


def _dashes(painter: Cairo) -> None:
    painter.context.set_dash([1, 1])
    painter.line("black", 0.2, 15, 30, 50, 30)


def _multiply(painter: Cairo) -> None:
    painter.context.set_operator(cairo.OPERATOR_MULTIPLY)
    painter.rect("accent", 15, 20, 20, 10)


SOUND = SCENES["sound"]
SPECIALS: Specials = {
    "gradient": ((), lambda path: write(path, under(SOUND, _gradient))),
    "clipped-away": ((), lambda path: write(path, under(SOUND, _clipped))),
    "dashes": ((), lambda path: write(path, under(SOUND, _dashes))),
    "multiply": (
        ("rgb-opaque:", "transparency"),
        lambda path: write(path, under(SOUND, _multiply)),
    ),
}
