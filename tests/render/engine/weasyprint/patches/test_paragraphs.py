"""Paragraphs of made-up text are laid out by the shorter ways as by the engine's own, box by box."""

from __future__ import annotations

from itertools import starmap

import pytest
from hypothesis import given, strategies as st

from tests.render.engine.weasyprint.patches.patched import fast

pytestmark = pytest.mark.slow

SHEET = """
@page { size: 90mm 200mm; margin: 3mm } body { font: 9pt/1.2 Roboto } p { margin: 0 0 1mm }
.bold { font-weight: 700; white-space: nowrap } .caps { letter-spacing: 0.04em; font-size: 0.9em }
.box { border: 1px solid; padding: 0 1mm; margin: 0 0.5mm } .clone { box-decoration-break: clone }
.sup { vertical-align: super; font-size: 70% } .middle { vertical-align: middle } .top { vertical-align: top }
.line { text-decoration: underline } .moved { position: relative; top: 1px } .other { font-family: Manrope }
.inline { display: inline-block; width: 5mm } .away { position: absolute } .aside { float: left; width: 9mm }
.rtl { direction: rtl } .block { display: block } .dots::after { content: leader('.') }
.spread { text-align: justify } .center { text-align: center } .right { text-align: right }
.first { text-indent: 5mm } .hyphens { hyphens: auto } .any { overflow-wrap: anywhere }
.red::first-line { color: red }
"""
INSIDE = ("bold", "caps", "box", "box clone", "sup", "middle", "top", "line", "moved", "other", "bold box", "", "")
ODD = ("inline", "away", "aside", "rtl", "block")
WHOLE = ("", "", "center", "right", "first", "spread", "hyphens", "any", "rtl", "red", "dots", "bold")
WORDS = [
    "и",
    "из-за",
    "модель,",
    "Тень",
    "враг.",
    "(1)",
    "«Ага!»",
    "6″",
    "[2]",
    "10–11",
    "+1",
    "—",
    "по-прежнему",
    "50%",
]
WORDS += [
    "труднопроходимый",
    "если/или",
    "d6",
    "Move",
    "To",
    "office",
    "конец!",
    "1\u00a0ОД",
    "в",
    "на",
    "перемещается",
]

TEXTS = st.builds(
    "{}{}{}".format,
    st.sampled_from(("", "", " ")),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    st.sampled_from(("", " ", "\n", "<br>", "&shy;")),
)
CLASSES = st.sampled_from(INSIDE * 3 + ODD)
PIECES = st.recursive(
    TEXTS,
    lambda inner: st.tuples(CLASSES, st.lists(inner, min_size=1, max_size=3).map("".join)).map(
        lambda pair: f'<span class="{pair[0]}">{pair[1]}</span>'
    ),
    max_leaves=8,
)
PARAGRAPHS = st.tuples(
    st.sampled_from(WHOLE), st.integers(5, 80), st.lists(PIECES, min_size=1, max_size=5).map("".join)
)


@pytest.fixture(scope="module")
def shared(fonts):
    """A style sheet and the fonts of the press."""
    import weasyprint

    return weasyprint.CSS(string=SHEET, font_config=fonts), fonts


PLACE = [f"{what}_{axis}" for what in ("margin", "padding") for axis in ("left", "right", "top", "bottom")]
PLACE += ["position_x", "position_y", "width", "height", "baseline", "text", "justification_spacing", "resume_at"]
PLACE += ["border_left_width", "border_right_width"]


def said(box) -> list[object]:
    """All that a box and those inside it say about themselves."""
    own = vars(getattr(box, "_box", box))
    line = dict(vars(own["pango_layout"])) if "pango_layout" in own else {}
    for name in ("layout", "ruler", "shape"):
        line.pop(name, None)
    sides = sorted(own["remove_decoration_sides"])
    return [type(box).__name__, [own.get(name) for name in PLACE], sides, line, *map(said, box.children)]


def laid(shared, body: str, *, short: bool) -> list[object]:
    import weasyprint

    sheet, fonts = shared
    with fast(short):
        document = weasyprint.HTML(string=f"<html lang=ru><body>{body}").render(font_config=fonts, stylesheets=[sheet])
    return [said(page._page_box) for page in document.pages]


@given(st.lists(PARAGRAPHS, min_size=1, max_size=3))
def test_paragraphs_come_out_alike(shared, paragraphs):
    body = "".join(starmap('<p class="{}" style="width:{}mm">{}</p>'.format, paragraphs))
    assert laid(shared, body, short=True) == laid(shared, body, short=False)
