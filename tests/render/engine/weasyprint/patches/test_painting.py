"""Boxes painted the shorter way look as the engine paints them, in its order; all that is linked is found."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.engine.weasyprint.fastpath import _no_program, fast
from builder.render.engine.weasyprint.patches import painting

pytestmark = pytest.mark.slow

SHEET = """
.b { border: 1px solid red } .bl { border-left: 2px dotted blue } .o { outline: 2px dashed green }
.bg { background: #ccc } .in { display: inline-block; padding: 1mm } .abs { position: absolute; top: 2mm; left: 3mm }
.up { position: relative; z-index: 2 } .down { position: relative; z-index: -1 } .half { opacity: .5 }
.turn { transform: rotate(9deg) } .cut { overflow: hidden; height: 3mm } .float { float: right }
.rules { columns: 2; column-rule: 1px solid } .gone { visibility: hidden } .cut-off { clip: rect(0, 9px, 9px, 0) }
.image { border: 3px solid; border-image: linear-gradient(red, blue) 1 } .grid { display: grid } .flex { display: flex }
.masked { mask-border: linear-gradient(red, transparent) 10 } .radius { border-radius: 2mm; border: 1px solid }
.fl::first-letter { opacity: .5; position: relative; z-index: 1 }
table.c { border-collapse: collapse } td { border: 1px solid } .rel { position: relative; left: 1mm }
"""
BODIES = [
    "<p class=fl>First letter</p><p class=b><b class=fl>first</b> letter</p>",
    "<p>Plain <b>and</b> <i>in <u>lines</u></i></p>"
    "<p class=b>framed <b class=bl>within</b> and <i class=bg>on grey</i></p>",
    "<p class=o>outline <b class=o>in outline</b></p><div class=b><p>deep <span><b class=o>down</b></span></p></div>",
    "<p>a <b class=up>over</b> b <i class=down>under</i> c <b class='in bg'>block <i class=b>in</i></b> d</p>",
    "<p>a <b class=half>half</b> b <span class=rel>moved <b>more</b></span></p>"
    "<p class=turn>turned <b class=up>x</b></p>",
    "<p class=cut>cut <b class=in>off</b></p><p>text <b class=float>beside</b> text</p>"
    "<div class=abs>over <i>it</i></div>",
    "<div class=rules><p>One<p>Two<p>Three</div>"
    "<p class='gone b'>gone <b class='o' style='visibility:visible'>not</b></p>",
    "<p class=image>image</p><p class=masked>masked</p><p class=radius>round</p>"
    "<div class='abs cut-off bg'>clipped</div>",
    "<table class=c><tr><td>a<td class=b>b</table><table><tr><td>c<td class=bg>d</table><table class=c><td>e</table>",
    "<div class=grid><p class=up style='z-index:1'>a</p><p>b</p></div><div class=flex><p class=half>a</p>"
    "<p>b</p></div>",
    "<p id=a><a href='#a'>link</a> <a href='https://example.org'>out</a></p><h1>Mark</h1><p><input value=x> field</p>",
    "<p class=b style='width:2cm'>a frame <b class=b>broken over several lines</b></p><ul><li>one<li class=b>two</ul>",
    "<p style='letter-spacing:1px'>a<sub>b</sub><sup class=b>c</sup></p><p>a<br>b<br><b>c<br>d</b></p><hr>",
]


@pytest.fixture(autouse=True)
def _no_programs(monkeypatch):
    """Fonts' own programs are left out either way: the one difference that is wanted."""
    from weasyprint.pdf.fonts import Font

    monkeypatch.setattr(Font, "clean", _no_program)


def painted(body: str, *, short: bool) -> list[bytes]:
    """All that a document holds."""
    import weasyprint

    html = f"<style>{SHEET}</style>{body}"
    with fast(short):
        pdf = drawn.paint(weasyprint.HTML(string=html, base_url="file:///pack/").render())
    return [each.data for each in pdf.objects[1:]]


@pytest.mark.parametrize("body", [*BODIES, "".join(BODIES)])
def test_it_looks_the_same(body):
    assert painted(body, short=True) == painted(body, short=False)


@pytest.mark.parametrize(
    ("question", "body"), [("frameless", BODIES[1]), ("without_outline", BODIES[2]), ("of_no_note", BODIES[4])]
)
def test_a_wrong_answer_is_seen(question, body, monkeypatch):
    """Were each of the questions answered with yes, some page would look another way."""
    told, asked = painting.told, getattr(painting, question)
    wanted = painted(body, short=False)
    monkeypatch.setattr(painting, "told", lambda style, about: about is asked or told(style, about))
    assert painted(body, short=True) != wanted
