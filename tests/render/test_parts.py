"""Which parts of a face may be laid out apart, and that it looks the same."""

from __future__ import annotations

import pytest

from builder.model.pack import Size
from builder.render.engine.weasyprint import parts as parts_module
from builder.render.engine.weasyprint.assembly import Assembly
from builder.render.engine.weasyprint.engine import Engine
from builder.render.engine.weasyprint.parts import ANY, neighbours, split
from builder.render.html.stylesheet import page_css
from builder.render.jobs import Style
from builder.render.workers import EngineSetup, open_engine
from builder.usecases.build.setting import places

SIZE = Size(width=63, height=88, bleed=3)
NAME, ART, RULES = (
    '<div class="at name">Fox</div>',
    '<div class="art"><svg viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg></div>',
    '<div class="rules"><p>One<br>line, <b>bold</b>.</p><p>Two.</p></div>',
)


@pytest.mark.parametrize(
    ("inside", "pieces"),
    [
        (f"{NAME}\n{ART}\n {RULES}", (NAME, ART, RULES)),
        ("", ()),
        ('<img src="a.png">\n<div>x</div>', ('<img src="a.png">', "<div>x</div>")),
        ('<div title="a > b">x</div>', ('<div title="a > b">x</div>',)),
    ],
)
def test_each_outermost_element_is_a_part(inside, pieces):
    parts = split(f'<section class="face">{inside}</section>', frozenset())
    assert (parts.opening, parts.pieces) == ('<section class="face">', pieces)


@pytest.mark.parametrize(
    ("inside", "beside"),
    [
        (f"text {NAME}", frozenset()),
        (f"{NAME} and {ART}", frozenset()),
        ("<div><p>never closed</div>", frozenset()),
        ("</div><div>x</div>", frozenset()),
        ("<div>open", frozenset()),
        (f"<style>.a {{ color: red }}</style>{NAME}", frozenset()),
        (f"<!-- note -->{NAME}", frozenset()),
        (f"{NAME}{ART}", frozenset({".name"})),
        (f"{NAME}{ART}", frozenset({"div"})),
        (f"{NAME}{ART}", frozenset({ANY})),
    ],
)
def test_a_face_that_cannot_be_told_apart_is_one_part(inside, beside):
    assert split(f"<section>{inside}</section>", beside).pieces == (inside,)


@pytest.mark.parametrize(
    ("sheet", "names"),
    [
        (".a { margin: 0 } .b .c > p { top: calc(1mm + 2mm) }", set()),
        ("p + p { margin: 0 }", {"p"}),
        ("h1 ~ .arm.red { margin: 0 }", {".arm", ".red"}),
        (".arm:last-child, th:nth-child(2n+1) { margin: 0 }", {".arm", "th", ANY}),
        ("a:hover:first-of-type { margin: 0 }", {"a"}),
        ("/* p + p {} */ .x { margin: 0 }", set()),
        (".x + * { margin: 0 }", {ANY}),
        (":first-child { margin: 0 }", {ANY}),
        (".x::before { content: counter(n) }", {ANY}),
        (".x:has(p) { margin: 0 }", {ANY}),
        ("@media print { .x { top: 0 } p + p { top: 0 } }", {"p"}),
    ],
)
def test_rules_that_look_at_neighbours_are_known(sheet, names):
    assert neighbours([sheet]) >= names
    assert bool(names) == bool(neighbours([sheet]))


def measure_style(css):
    return Style(css, (("page", page_css(SIZE, {})), ("card.css", css)), SIZE, {}, "en")


@pytest.fixture
def engine(lanterns):
    spot = places(lanterns, "lanterns")
    open_engine(EngineSetup(spot))
    engine = Engine(spot)
    engine.start()
    return engine


APART = ".at,.art,.rules{position:absolute}.name{left:9mm;top:9mm}.art{left:9mm;top:30mm;width:9mm;height:9mm}"
APART += ".rules{left:9mm;top:50mm;width:40mm;height:20mm}p{margin-bottom:1mm}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "css",
    [
        APART,
        APART + ".rules{position:static}",
        APART + ".name{z-index:1}",
        APART + ".face > .name:first-child{color:red}",
        APART + ".face::before{content:'x'}",
        APART + ".art{display:none}",
    ],
)
def test_a_face_in_parts_has_the_bytes_of_a_face_in_one(engine, css):
    html = f'<section class="face">{NAME}{ART}{RULES}</section>'
    style = measure_style(css)
    whole = engine.draw(style, engine.lay(style, html).pages)[0][0]
    for _ in range(2):
        laid = Assembly(engine, style).lay([(html, {}), (html.replace("Fox", "Hare"), {}), (html, {})])[0]
        drawn = engine.draw(style, [face.page for face in laid])[0]
        assert drawn[0].dump() == drawn[2].dump() == whole.dump() != drawn[1].dump()


@pytest.mark.slow
def test_only_unknown_parts_are_laid_out(engine, monkeypatch):
    laid, lay = [], Engine.lay
    monkeypatch.setattr(Engine, "lay", lambda *of: (laid.append(of[2]), lay(*of))[1])
    style = measure_style(APART)
    face = '<section class="face">{}</section>'
    Assembly(engine, style).lay([(face.format(NAME + ART), {}), (face.format(NAME + RULES), {})])
    Assembly(engine, style).lay([(face.format(RULES + NAME), {})])
    assert laid == ["\n".join([face.format(NAME + ART + RULES), face.format("")])]


@pytest.mark.slow
def test_what_the_engine_complains_of_is_complained_of_each_time(engine):
    style = measure_style(APART)
    html = f'<section class="face"><div class="at" style="colour:red">x</div>{NAME}</section>'
    for _ in range(2):
        assert Assembly(engine, style).lay([(html, {})])[1].messages


@pytest.mark.slow
def test_what_it_complains_of_while_drawing_is_complained_of_each_time(engine):
    style = measure_style(APART)
    drawing = '<svg viewBox="0 0 9 9"><path d="M0 0H9V9Z" fill="color(display-p3 1 0 0)"/></svg>'
    html = f'<section class="face"><div class="art">{drawing}</div></section>'
    for _ in range(2):
        assert engine.draw(style, engine.lay(style, html).pages)[1].messages


@pytest.mark.slow
def test_nothing_is_lost_when_the_store_starts_anew(engine, monkeypatch):
    style = measure_style(APART)
    face = '<section class="face">{}</section>'.format
    Assembly(engine, style).lay([(face(NAME + RULES), {})])
    monkeypatch.setattr(parts_module, "KEPT", 0)
    (both,) = Assembly(engine, style).lay([(face(NAME + ART), {})])[0]
    (whole,) = engine.lay(style, face(NAME + ART)).pages
    assert [each.dump() for each in engine.draw(style, [both.page])[0]] == [
        each.dump() for each in engine.draw(style, [whole])[0]
    ]
