"""Small cases set by any engine, in this process."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import pytest

from builder.geometry.boxes import make_face_boxes
from builder.model.pack import Size
from builder.render.engines import Engine, RenderedFace, find_adapter
from builder.render.html.templates import compose_page_css
from builder.render.jobs import Batch, FaceHtml, Places, Style

SIZE = Size(width=60, height=80, bleed=0, safe=0)
FIT = {"text": (10.0, 8.0, 6.0)}


@cache
def engine_of(name: str) -> Engine:
    """An engine with the program's fonts alone, where it runs on this system."""
    if name == "plutoprint":
        pytest.importorskip("plutoprint")
    folder = Path(mkdtemp(prefix="squadpress-test-"))
    return find_adapter(name).open(Places(*[folder] * 5), ())


def set_small(engine: str, *bodies: str, css: str = "") -> list[RenderedFace]:
    """Faces with these bodies."""
    own = ".face{font-family:Roboto;font-size:8pt;line-height:1.2}" + css
    sheets = (("page", compose_page_css(SIZE, FIT)), ("card.css", own))
    style = Style(
        sha256(repr(sheets).encode()).hexdigest(),
        sheets,
        make_face_boxes(SIZE),
        FIT,
        "en",
    )
    faces = [
        FaceHtml(
            str(number),
            f'<section class="face front">{body}</section>',
            f"face {number}",
            None,
            "card.yaml",
        )
        for number, body in enumerate(bodies)
    ]
    return engine_of(engine).render_batch(Batch(style, tuple(faces)))
