"""rsvg-convert: drawings as pages of light."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.checks.preflight.corpus.programs.painter import Specials
from tests.checks.preflight.corpus.programs.svg import drawing, run

PROGRAM, PRESET, BASE = "rsvg-convert", "rgb", ("no-trim-box",)
DRAWS = (
    "sound small-type thin-line coarse-image text-cut descender "
    "no-descender alpha ends-at-cut odd outlined"
)
SPECIALS: Specials = {}


def write(path: Path, scene: Mapping[str, Any]) -> None:
    """One file."""
    sources = {
        f"{number}.svg": drawing(page) for number, page in enumerate(scene["pages"])
    }
    run(
        path,
        sources,
        "rsvg-convert",
        "-f",
        "pdf",
        "-o",
        "{}/out.pdf",
        *(f"{{}}/{name}" for name in sources),
    )
