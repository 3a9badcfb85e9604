"""Inkscape: one page of light, opacity as groups, no boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.checks.preflight.corpus.programs.painter import Specials
from tests.checks.preflight.corpus.programs.svg import drawing, run
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "Inkscape", "rgb", ("no-trim-box", "odd-pages")
DRAWS = (
    "sound small-type thin-line thin-scaled broad-scaled coarse-image "
    "low-resolution text-cut "
    "text-safe descender "
    "no-descender accents alpha alpha-allowed ends-at-cut outlined outlined-well turned-text "
)


def write(path: Path, scene: Mapping[str, Any], *options: str) -> None:
    """One file with the front alone."""
    command = (
        "inkscape",
        "{}/in.svg",
        "--export-type=pdf",
        "--export-filename={}/out.pdf",
        *options,
    )
    run(path, {"in.svg": drawing(scene["pages"][0])}, *command)


def _with(code: str) -> dict[str, Any]:
    front = SCENES["sound"]["pages"][0]
    return {"pages": [{**front, "ops": [*front["ops"], ["raw", code]]}]}


FADE = (
    '<defs><linearGradient id="a"><stop '
    'offset="0" '
    'stop-color="red"/><stop '
    'offset="1" '
    'stop-color="blue"/>'
)
FADE += '</linearGradient></defs><rect x="15" y="50" width="20" height="10" fill="url(#a)"/>'
SOFT = '<defs><filter id="b"><feGaussianBlur stdDeviation="1"/></filter></defs>'
SOFT += '<rect x="15" y="50" width="20" height="10" filter="url(#b)"/>'
SPECIALS: Specials = {
    "gradient": ((), lambda path: write(path, _with(FADE))),
    "outlines": (
        (),
        lambda path: write(path, SCENES["sound"], "--export-text-to-path"),
    ),
    "blur-at-screen-resolution": (
        ("coarse-image", "?transparency"),
        lambda path: write(path, _with(SOFT), "--export-dpi=72"),
    ),
}
