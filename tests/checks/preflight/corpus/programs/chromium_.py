"""Chromium printing web pages: light, a group of its own, small pictures in the page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.checks.preflight.corpus.programs.painter import Specials
from tests.checks.preflight.corpus.programs.svg import drawing, run
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "Chromium", "rgb", ("no-trim-box",)
DRAWS = (
    "sound small-type thin-line thin-scaled coarse-image text-cut text-safe descender no-descender "
    "accents alpha "
    "alpha-allowed ends-at-cut odd outlined turned-text "
)
STYLE = (
    "@page { size: 69mm 94mm; margin: 0 } body { margin: 0 } div { width: 69mm; height: "
    "93.9mm; overflow: hidden; "
)
STYLE += "break-after: page; position: relative } div:last-child { break-after: auto } svg { display: block }"


def write(path: Path, scene: Mapping[str, Any], on: str = "") -> None:
    """One file; `on` is HTML on the front."""
    parts = [
        f"<div>{drawing(page)}{on if number == 0 else ''}</div>"
        for number, page in enumerate(scene["pages"])
    ]
    html = f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>{''.join(parts)}"
    command = (
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
    )
    run(
        path,
        {"in.html": html},
        *command,
        "--print-to-pdf={}/out.pdf",
        "file://{}/in.html",
    )


PLACE = "position: absolute; left: 15mm; top: 50mm; width: 20mm; height: 10mm"
SPECIALS: Specials = {
    "link": (
        ("annotation",),
        lambda path: write(
            path,
            SCENES["sound"],
            f'<a href="https://example.org" style="{PLACE}">x</a>',
        ),
    ),
    "gradient": (
        (),
        lambda path: write(
            path,
            SCENES["sound"],
            f'<p style="{PLACE}; background: linear-gradient(red, blue)">',
        ),
    ),
    "multiply": (
        ("rgb-opaque:", "transparency"),
        lambda path: write(
            path,
            SCENES["sound"],
            f'<p style="{PLACE}; background: red; mix-blend-mode: multiply">',
        ),
    ),
}
