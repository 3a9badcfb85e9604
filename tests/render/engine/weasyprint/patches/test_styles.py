"""Elements are styled as the engine would, whatever was set before."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint.patches import clear
from tests.render.engine.weasyprint.patches.patched import fast

SHEET = """
@page { size: 80mm 60mm; margin: 4mm }
p { margin: 1mm } p + p { margin-top: 3mm } .head:first-child { color: red } .row > i:nth-child(2) { color: blue }
.row ~ .row b { color: green } .last:last-child { padding: 1mm } .x .y { font-weight: bold } .x > .y { color: gray }
.a .c { color: red } #one .c { color: lime } svg path { color: red }
"""
BODIES = [
    "<p>one</p><p>two</p><div><p>in</p></div><p>after</p>",
    "<div class=head>first</div><div class=head>second</div><div><div class=head>first</div></div>",
    "<div class=row><i>1</i><i>2</i><b>3</b></div><div class=row><i>1</i><i>2</i><b>3</b></div>",
    "<div class=row><i>1</i><b>3</b></div><p class=last>no</p><p class=last>yes</p>",
    "<div class=x><p class=y>child</p><div><p class=y>below</p></div></div><p class=y>out</p>",
    "<div class=a><i class=c>red</i></div><div class=b><i class=c>black</i></div><div id=one><i class=c>lime</i></div>",
    '<p style="color:red">red</p><p style="color:blue">blue</p><p><svg viewBox="0 0 9 9"><path d="M0 0H9"/></svg></p>',
]


@pytest.mark.slow
def test_elements_are_styled_as_the_engine_would():
    """Each document alone and again, and all of them after each other."""
    import weasyprint

    sheet = weasyprint.CSS(string=SHEET)

    def styled(body, *, short):
        with fast(short):
            document = weasyprint.HTML(string=f"<html lang=en><body>{body}").render(stylesheets=[sheet])
        boxes = document.pages[0]._page_box.descendants()
        return [
            (str(box), box.style["color"], box.style["font_weight"], box.position_x, box.position_y) for box in boxes
        ]

    wanted = {body: styled(body, short=False) for body in BODIES}
    for order in (BODIES, BODIES[::-1]):
        clear()
        for body in (*order, *order, "".join(order)):
            assert styled(body, short=True) == wanted.setdefault(body, styled(body, short=False))
