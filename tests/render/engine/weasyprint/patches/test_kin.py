"""What rules look at besides names, and that elements that look alike are styled as the engine would."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint.fastpath import fast
from builder.render.engine.weasyprint.patches.kin import FAR, NEAR, Kin, both, kin
from builder.render.engine.weasyprint.patches.nodes import forget
from builder.render.engine.weasyprint.slim import html_class


def looks(near="", far=""):
    return Kin(frozenset(near.split()), frozenset(far.split()))


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        (".a.b > p #c i::before { margin: calc(1mm + 2mm) }", looks()),
        ("@media print { .a, .b{top:0} } @page { size: 9mm }", looks()),
        ("/* p + p {} */ .x { margin: 0 }", looks()),
        (".a > P+.b.c::after, p { margin: 0 }", looks(".b .c")),
        ("P:first-child { margin: 0 }", looks("p")),
        ("p ~ .a, .b:last-child, li:nth-child(2n + 1) i { margin: 0 }", looks("", ".a .b li")),
        ("a + b + .c { margin: 0 }", looks("", "b .c")),
        ("a:first-child + b { margin: 0 }", looks("", "a b")),
    ],
)
def test_what_a_sheet_looks_at(sheet, found):
    assert kin(sheet) == found


@pytest.mark.parametrize(
    "sheet",
    [
        "a[href] { top: 0 }",
        ":first-child { top: 0 }",
        "p + * { top: 0 }",
        "p:empty { top: 0 }",
        "p:not(.a + .b) { top: 0 }",
        "div:has(p) { top: 0 }",
        "li:nth-child(2 of .a) { top: 0 }",
        "@import 'other.css';",
        "@layer a { p { top: 0 } }",
        ".a { color: red; & + .b { top: 0 } }",
        "p::before { content: '}' } p + p { top: 0 }",
        "p:lang(en) { top: 0 }",
    ],
)
def test_a_sheet_that_looks_at_more_is_not_told(sheet):
    assert kin(sheet) is None


def test_sheets_together_look_at_what_each_looks_at():
    assert both([looks("p"), looks(".a", "p"), looks()]) == looks("p .a", "p")
    assert both([looks("p"), None]) is None


def test_an_element_is_asked_by_all_its_names():
    asked = looks("p .a", ".b")
    names = [("p", None), ("{svg}P", ""), ("div", "x a"), ("p", "a b"), ("div", "p")]
    assert [asked.beside(tag, classes) for tag, classes in names] == [NEAR, NEAR, NEAR, FAR, 0]


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
def test_elements_that_look_alike_are_styled_as_the_engine_would():
    """Each document alone and again, and all of them after each other."""
    import weasyprint

    sheet = weasyprint.CSS(string=SHEET)

    def styled(body, *, short):
        sheet.kin = kin(SHEET)
        with fast(short):
            document = html_class()(string=f"<html lang=en><body>{body}").render(stylesheets=[sheet])
        boxes = document.pages[0]._page_box.descendants()
        return [
            (str(box), box.style["color"], box.style["font_weight"], box.position_x, box.position_y) for box in boxes
        ]

    wanted = {body: styled(body, short=False) for body in BODIES}
    for order in (BODIES, BODIES[::-1]):
        forget()
        for body in (*order, *order, "".join(order)):
            assert styled(body, short=True) == wanted.setdefault(body, styled(body, short=False))
