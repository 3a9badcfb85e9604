"""Documents of every sort come out alike by the shorter ways and by the engine's own, the first time and after."""

from __future__ import annotations

from io import BytesIO

import pytest

from builder.render.engine.weasyprint.patches import clear, shapes
from builder.render.engine.weasyprint.patches.fonts import _no_program
from tests.render.engine.weasyprint.patches.patched import fast

pytestmark = pytest.mark.slow

SHEET = """
@page { size: 80mm 60mm; margin: 4mm; @bottom-center { content: counter(page) } }
@page wide { size: 120mm 50mm }
body { font: 10pt Roboto; overflow: hidden; counter-reset: part; --own: 3mm }
.wide { page: wide }
h2 { counter-increment: part; bookmark-level: 1 } h2::before { content: counter(part) ". "; color: red }
.clip, .clip > p { overflow: inherit; height: 8mm }
.half { width: 50vw; height: 10vh; background: linear-gradient(red, blue 30%) }
.em { font-size: 1.5em; padding: 0.5em; border: 0.1em solid; border-radius: 20% 1em }
.own { margin-left: var(--own); padding: 1% 2mm 3% 4mm; text-indent: calc(1em + 2mm) }
.line { text-decoration: underline; letter-spacing: 1px } .line b { text-decoration: line-through }
.float { float: right; width: 30%; min-width: 5mm; border: thin dotted }
.abs { position: absolute; top: 10%; right: 2mm }
.big::first-letter { font-size: 3em; float: left } .big::first-line { color: green; text-transform: uppercase }
.rtl { direction: rtl; margin-inline-start: 5mm } .just { text-align: justify; hyphens: auto }
.flex { display: flex; gap: 2% } .flex > * { flex: 1 } .grid { display: grid; grid-template-columns: 1fr 2fr }
.note { float: footnote } .columns { columns: 2; column-rule: 1px solid }
.turn { transform: rotate(9deg) scale(0.5) }
table { border-collapse: collapse; padding: 5mm } td { border: 1px solid; padding: 1mm; margin: 3mm }
.apart td + td { color: blue }
li:nth-child(2) { color: red; list-style: square } .sup sup { font-size: 70%; vertical-align: 30% }
a { content: target-counter(attr(href), page) }
.dots { width: 20mm; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.lines { width: 30mm; max-lines: 2; block-ellipsis: auto }
.over { text-transform: uppercase; counter-increment: part } .lined { white-space: pre-line; hyphens: none }
.shadow { box-shadow: 1px 1px 0 red; outline: 1px solid; opacity: 0.5 }
"""

DOCUMENTS = {
    "plain": "<h2>One</h2><p>Some <b>words</b> and <i lang=de>andere Worte</i>.</p><h2>Two</h2><p>A <b>word</b>.</p>",
    "inherited": "<div class=clip>First<p>second</p></div><div class=em>Bigger <span class=em>and bigger</span></div>",
    "viewport": "<div class=half>half</div><p class=own>indented</p>",
    "named page": "<p class=wide>wide</p><div class=half>half</div>",
    "inline style": '<p style="color:red;margin:1mm 2%">red</p><p style="color:blue" id=a>blue</p><p id=b>plain</p>',
    "table": "<table class=apart><tr><td>a<td>b<tr><td>c<td>d</table><table style='border-collapse:separate'><td>e",
    "lists": "<ul><li>one<li>two<li>three</ul><ol start=4><li>four<li value=9>nine</ol>",
    "floats": "<div class=float>aside</div><p class=just>" + "Long words run around whatever floats beside them. " * 4,
    "positioned": "<div class=abs>over</div><p class='em line'>under <b>both</b></p><p class=turn>turned</p>",
    "first": "<p class=big>Every beginning is hard, and every first line is short enough to be seen.</p>",
    "right to left": "<p class=rtl>אבג <b>דה</b> abc</p><p>abc <span class=rtl>דה</span></p>",
    "flex and grid": "<div class=flex><p>a</p><p class=own>b</p></div><div class=grid><p>c</p><p class=em>d</p></div>",
    "notes": "<p>Text<span class=note>Below</span> goes on.</p>" * 2,
    "columns": "<div class=columns>" + "<p class=sup>Short<sup>2</sup> lines in two columns.</p>" * 5,
    "shadow": "<div class=shadow><p>see<p>through</div><p class=shadow>again</p>",
    "links": "<p id=a>one</p><p><a href='#b'>see</a></p><p style='break-before:page' id=b>two</p>",
    "pages": "<p>Line</p>" * 20,
    "cut": "<p class=dots>A line that is longer than its box</p><p class=dots>short</p><p class=lines>" + "word " * 40,
    "titled": "<title>A title</title><meta name=author content=somebody><style>p { color: red }</style><p>red</p>",
    "untitled": "<title></title><svg><title>drawn</title><style>p { color: red }</style></svg><p id=a>red</p>",
    "drawings": "<p>a <svg viewBox='0 0 9 9'><g class=over><path d='M0 0H9' id=a /></g> <text>b</text></svg> c</p>" * 2,
    "spaces": "<p class=over> one  two\n\tthree <b> four </b> <i> </i> five<br>six </p> <p class=lined> a \n b  c </p>",
    "letters": "<p>two&nbsp;words ofﬁce office ﬁ fi <b>\u0378</b> \u0379 \u0378</p>" * 2,
}


@pytest.fixture(autouse=True)
def _programs(monkeypatch):
    """Fonts' own programs are left out either way: the one difference that is wanted."""
    from weasyprint.pdf.fonts import Font

    monkeypatch.setattr(Font, "clean", _no_program)


@pytest.fixture(scope="module")
def shared():
    """Style sheets and fonts as the engine shares them over documents."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    return weasyprint.CSS(string=SHEET, font_config=fonts), fonts


def drawn(shared, body: str, *, short: bool) -> bytes:
    import weasyprint

    sheet, fonts = shared
    out = BytesIO()
    with fast(short):
        html = weasyprint.HTML(string=f"<html lang=en><body>{body}", base_url="file:///pack/")
        html.render(stylesheets=[sheet], font_config=fonts).write_pdf(out, uncompressed_pdf=True)
    return out.getvalue()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_comes_out_alike(shared, name):
    """Alone, again, and after all others."""
    wanted = drawn(shared, DOCUMENTS[name], short=False)
    clear()
    assert drawn(shared, DOCUMENTS[name], short=True) == wanted
    assert drawn(shared, DOCUMENTS[name], short=True) == wanted
    for other in DOCUMENTS.values():
        drawn(shared, other, short=True)
    assert drawn(shared, DOCUMENTS[name], short=True) == wanted


def test_only_so_many_shapes_are_held(shared, monkeypatch):
    monkeypatch.setattr(shapes, "SHAPES", 3)
    assert drawn(shared, DOCUMENTS["cut"], short=True) == drawn(shared, DOCUMENTS["cut"], short=False)
    assert len(shapes._HELD) <= 3


SIZES = """
@page { size: 80mm 60mm } @page wide { size: 120mm 50mm }
.wide { page: wide } .half { width: 50vw; font: 10pt Roboto; background: red }
"""


def test_a_share_of_the_page_is_a_share_of_this_document_s_page(shared):
    """The same element under the same rules is as wide as its own document's first page says."""
    import weasyprint

    sheets = weasyprint.CSS(string=SIZES, font_config=shared[1]), shared[1]
    narrow, wide = "<div class=half><p>half</p></div>", "<div class=half><p class=wide>half</p></div>"
    for body in (narrow, wide, narrow):
        assert drawn(sheets, body, short=True) == drawn(sheets, body, short=False)
