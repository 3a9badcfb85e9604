"""Scribus: inks, boxes, PDF/X of its own; driven by its scripter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.checks.preflight.corpus.programs.painter import Specials
from tests.checks.preflight.corpus.programs.svg import run
from tests.checks.preflight.corpus.scenes import SCENES, colour

PROGRAM, PRESET = "Scribus", "cmyk"
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line text-cut text-safe descender no-descender "
    "accents ends-at-cut panel-ends rich-text coloured-black alpha odd no-bleed "
)
SCRIPT = Path(__file__).with_name("scribus_script.txt")


def write(
    path: Path, scene: Mapping[str, Any], version: int = 14, **options: Any
) -> None:
    """One file; `version` is the scripter's number of a version or standard."""
    plain_pages = [
        {**page, "ops": [_plain(op) for op in page["ops"]]} for page in scene["pages"]
    ]
    plan = json.dumps({"pages": plain_pages, "version": version, "options": options})
    sources = {"plan.json": plan, "make.py": SCRIPT.read_text("utf-8")}
    run(
        path,
        sources,
        "xvfb-run",
        "-a",
        "scribus",
        "-g",
        "-ns",
        "-py",
        "{}/make.py",
        "{}",
    )


def _plain(op: list[Any]) -> list[Any]:
    """Colours as numbers."""
    if op[0] == "alpha":
        return [op[0], op[1], [_plain(inner_op) for inner_op in op[2]]]
    return [op[0], colour(op[1], "cmyk"), *op[2:]]


SPECIALS: Specials = {
    "old": ((), lambda path: write(path, SCENES["sound"], 13)),
    "outlines": ((), lambda path: write(path, SCENES["sound"], outlines=True)),
    "locked": (("encrypted",), lambda path: write(path, SCENES["sound"], locked=True)),
}
