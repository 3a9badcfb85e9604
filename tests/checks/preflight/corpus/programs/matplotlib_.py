"""matplotlib: letters as Type3 drawings or TrueType, light alone, no boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.textpath import TextPath

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    font,
    gradient,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "matplotlib", "rgb", ("no-trim-box",)
DRAWS = (
    "sound small-type thin-line coarse-image text-cut text-safe descender no-descender accents "
    "alpha ends-at-cut "
    "odd descender-cut turned-text "
)


class Plot(Painter):
    space = "rgb"

    def __init__(self, figure: Figure, size: list[float]) -> None:
        self.figure, (self.wide, self.high), self.share = figure, size, None
        self.scale = (
            mpl.transforms.Affine2D().scale(1 / self.wide, 1 / self.high)
            + figure.transFigure
        )

    def _add(self, artist: Any) -> None:
        artist.set_transform(self.scale)
        self.figure.add_artist(artist)

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        self._add(
            Rectangle(
                (x, y),
                wide,
                high,
                facecolor=self.numbers(name),
                edgecolor="none",
                alpha=self.share,
            )
        )

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        keys = {
            "color": self.numbers(name),
            "linewidth": width * PT,
            "solid_capstyle": "butt",
        }
        self._add(Line2D((x, to_x), (y, to_y), **keys))

    def text(
        self, name: Any, size: float, x: float, y: float, words: str, turn: float = 0
    ) -> None:
        keys = {
            "color": self.numbers(name),
            "fontproperties": FontProperties(fname=str(font())),
            "fontsize": size,
        }
        place = {
            "va": "baseline",
            "ha": "left",
            "rotation": turn,
            "rotation_mode": "anchor",
        }
        self.figure.text(x / self.wide, y / self.high, words, **keys, **place)

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        axes = self.figure.add_axes(
            (x / self.wide, y / self.high, wide / self.wide, high / self.high)
        )
        axes.axis("off")
        axes.imshow(gradient(across, down), aspect="auto", interpolation="none")

    def turned(self, angle: float, x: float, y: float, ops: list[Any]) -> None:
        for _, name, size, _, _, words in ops:
            self.text(name, size, x, y, words, angle)

    def alpha(self, share: float, ops: list[Any]) -> None:
        self.share = share
        self.draw(ops)
        self.share = None


def write(path: Path, scene: Mapping[str, Any], kind: int = 3) -> None:
    """One file; `kind` is that of its fonts."""
    with (
        mpl.rc_context({"pdf.fonttype": kind}),
        PdfPages(path, metadata={"CreationDate": None}) as pdf,
    ):
        for page in scene["pages"]:
            figure = Figure(figsize=tuple(side / 25.4 for side in page["size"]))
            figure.patch.set_alpha(0)
            Plot(figure, page["size"]).draw(page["ops"])
            pdf.savefig(figure)


def _outlined(path: Path) -> None:
    """Letters as shapes."""

    def drawn(painter: Plot) -> None:
        outline = TextPath(
            (15, 40), "outlines", size=6, prop=FontProperties(fname=str(font()))
        )
        painter._add(PathPatch(outline, facecolor=(0, 0, 0), edgecolor="none"))

    from tests.checks.preflight.corpus.programs.painter import under

    write(path, under(SCENES["sound"], drawn))


SPECIALS: Specials = {
    "truetype": ((), lambda path: write(path, SCENES["sound"], 42)),
    "truetype-descender": (
        ("text-outside-safe",),
        lambda path: write(path, SCENES["descender"], 42),
    ),
    "truetype-small": (
        ("small-type",),
        lambda path: write(path, SCENES["small-type"], 42),
    ),
    "outlines": ((), _outlined),
}
