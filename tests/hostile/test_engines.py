"""No engine opens what a stranger's template names elsewhere, or lets it block others."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from zlib import decompress

import pytest

from builder.geometry.boxes import make_face_boxes
from builder.render import workers
from builder.render.engines import RenderedFace, find_adapter
from builder.render.html.templates import compose_page_css
from builder.render.jobs import Batch, FaceHtml, Places, Style
from builder.render.workers import EngineSetup, Workers
from tests.render.engines.small import FIT, SIZE

pytestmark = pytest.mark.slow

RED = b"1 0 0 rg"
"""How either engine fills with the colour that the stranger's drawing has and nothing else."""
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" '
    'height="9"><rect '
    'width="9" '
    'height="9" '
    'fill="#f00"/></svg>'
)
LINKED = (
    '<svg xmlns="http://www.w3.org/2000/svg" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="9" height="9">{}</svg>'
)

BODIES = {
    "a picture": '<img src="{there}" alt="">',
    "a picture by its host": '<img src="//localhost{there}" alt="">',
    "a picture above": '<img src="../there.svg" alt="">',
    "an object": (
        '<object data="{there}"></object><embed src="{there}"><iframe src="{there}"></iframe>'
    ),
    "a ground": "<p style=\"height:9mm;background:url('{there}')\">a</p>",
    "a sign": "<ul style=\"list-style:url('{there}') inside\"><li style='display:list-item'>a</li></ul>",
    "content": "<style>p::before{{content:url('{there}')}}</style><p>a</p>",
    "a style sheet": '<link rel="stylesheet" href="{sheet}"><p>a</p>',
    "an import": "<style>@import '{sheet}';</style><p>a</p>",
    "a picture in a drawing": LINKED.format(
        '<image href="{there}" xlink:href="{there}" width="9" height="9"/>'
    ),
    "a part of another drawing": LINKED.format(
        '<use href="{there}#a" xlink:href="{there}#a"/>'
    ),
    "an entity": '<!DOCTYPE p [<!ENTITY e SYSTEM "{there}">]><p>&e;</p>',
}


def places(tmp_path: Path) -> Places:
    inside = tmp_path / "pack"
    inside.mkdir()
    return Places(*[inside] * 5)


def batch_of(*bodies: str) -> Batch:
    style = Style(
        "style",
        (("page", compose_page_css(SIZE, FIT)), ("card.css", "p{margin:9mm}")),
        make_face_boxes(SIZE),
        FIT,
        "en",
    )
    sections = [f'<section class="face front">{body}</section>' for body in bodies]
    return Batch(
        style,
        tuple(
            FaceHtml(str(at), html, f"face {at}", None, "x")
            for at, html in enumerate(sections)
        ),
    )


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_nothing_outside_the_pack_is_drawn(engine: str, tmp_path: Path) -> None:
    if engine == "plutoprint":
        pytest.importorskip("plutoprint")
    opened = find_adapter(engine).open(places(tmp_path), ())
    there, sheet = tmp_path / "there.svg", tmp_path / "there.css"
    there.write_text(DRAWING.replace("<rect", '<rect id="a"'))
    sheet.write_text("p{color:#f00}")
    shown = f"data:image/svg+xml;base64,{b64encode(DRAWING.encode()).decode()}"
    (known,) = opened.render_batch(batch_of(f'<img src="{shown}" alt="">'))
    assert drawn(known) > 0  # else nobody would know it again
    for name, body in BODIES.items():
        (done,) = opened.render_batch(
            batch_of(body.format(there=there.as_uri(), sheet=sheet.as_uri()))
        )
        assert drawn(done) == 0, name


def drawn(done: RenderedFace) -> int:
    """How often a face is filled with the stranger's colour."""
    if done.record is None:
        return 0
    packed = [
        (each.data, b"/FlateDecode" in each.head)
        for each in done.record.objects
        if each.data
    ]
    parts = [
        decompress(data) if flate else data
        for data, flate in [(done.record.content, True), *packed]
    ]
    return sum(part.count(RED) for part in parts)


BOMB = "".join(
    f'<g id="u{at}">'
    + f'<use href="#u{at + 1}" xlink:href="#u{at + 1}"/>' * 10
    + "</g>"
    for at in range(9)
)
GREEDY = {
    "references to references": LINKED.format(
        f'{BOMB}<g id="u9"><rect width="9" height="9"/></g>'
    ),
    "deep": "<div>" * 30_000 + "a" + "</div>" * 30_000,
    "wide": f"<table>{'<tr>' + '<td>a</td>' * 400 + '</tr>'}</table>" * 400,
}


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
@pytest.mark.parametrize("name", GREEDY)
def test_a_greedy_face_harms_no_other(
    engine: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "plutoprint":
        pytest.importorskip("plutoprint")
    monkeypatch.setattr(workers, "BATCH_SECONDS", 2)
    monkeypatch.setattr(workers, "FACE_SECONDS", 0)
    monkeypatch.setattr(workers, "MEMORY_BYTES", 600_000_000)
    with Workers(EngineSetup(places(tmp_path), engine=engine), 1) as crew:
        facts = {
            each.key: each
            for each in crew.render([batch_of("<p>a</p>", GREEDY[name])], 1)
        }
    assert facts["0"].findings == ()
    assert {each.code for each in facts["1"].findings} <= {
        "render/limits",
        "render/engine-failed",
    }
    assert facts["1"].findings
