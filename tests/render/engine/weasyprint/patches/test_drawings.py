"""Drawings that are replayed are drawn as they were drawn first, and only those that can be."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.engine.weasyprint.patches import drawings
from builder.render.engine.weasyprint.patches.fonts import _no_program
from tests.render.engine.weasyprint.patches.patched import fast

pytestmark = pytest.mark.slow

DRAWING = '<svg viewBox="0 0 100 50" width="{}mm" {}>{}</svg>'
SHAPES = {
    "path": '<path d="M1 2L3 4h5v6H7V8z" fill="#a50" stroke="currentColor" stroke-width="2" stroke-dasharray="3 1"/>',
    "shapes": '<g transform="rotate(9) scale(2)"><rect width="9" height="4" rx="1"/><circle cx="50%" r="2"/></g>'
    '<polygon points="1,2 3,4 5,0"/><polyline points="1 2 3 4"/><line x2="9"/><ellipse cx="9" rx="2" ry="3"/>',
    "opacity": '<path d="M1 2L3 4h5Z" fill-opacity=".3" stroke-opacity=".4" stroke="red"/><path d="M1 2h9v9z"/>',
    "faint": '<path d="M1 2h5Z" fill="red" fill-opacity=".5"/><path d="M1 2h5Z" fill="red"/><path d="M1" fill="?"/>',
    "turned": '<rect width="9" height="1mm" transform="rotate(9) scale(2)"/><circle r="5%" transform="rotate(9)"/>'
    '<g transform="rotate(9) scale(2)"><line x2="1em" stroke="red" transform-origin="1 1" transform="rotate(9)"/></g>',
    "nothing": "<g/>",
    "odd": '<path d="M1"/><rect width="-2"/><rect width="1em" height="10%" style="fill:red" display="none"/>',
}
WHOLE = {
    "group": '<g opacity=".5"><path d="M1 2L3 4h5Z"/></g>',
    "gradient": '<linearGradient id="g"><stop stop-color="red"/></linearGradient><rect width="9" height="9"'
    ' fill="url(#g)"/>',
    "pattern": '<pattern id="p" width="2" height="2"><circle r="1"/></pattern><rect width="9" height="9"'
    ' fill="url(#p)"/>',
    "mask": '<mask id="m"><rect width="5" height="9"/></mask><rect width="9" height="9" mask="url(#m)"/>',
    "clip": '<clipPath id="c"><rect width="5" height="9"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>',
    "marker": '<marker id="k"><circle r="1"/></marker><path d="M1 2L3 4h5Z" marker="url(#k)"/>',
    "text": '<text y="9" font-size="6">Words</text>',
    "use": '<g id="u"><path d="M1 2h3v4Z"/></g><use href="#u" x="9"/>',
    "style": "<style>path { fill: red }</style><path d='M1 2L3 4h5Z'/>",
    "color space": '<path d="M1 2L3 4h5Z" fill="lab(50% 40 30)"/>',
}


@pytest.fixture(autouse=True)
def _none_known(monkeypatch):
    """Nor are there fonts' own programs, which the shorter ways leave out."""
    from weasyprint.pdf.fonts import Font

    monkeypatch.setattr(Font, "clean", _no_program)
    drawings.clear()


def painted(inside: str, *, short: bool) -> list[bytes]:
    """All that a document holds: one drawing after and amid others, and in several sizes."""
    import weasyprint

    one, wide = DRAWING.format(30, "", inside), DRAWING.format(50, 'fill="red" color="blue"', inside)
    body = f"<p style='color:red'>red</p>{one}{one}{wide}{one}<p style='opacity:.5'>{one}</p>{wide}"
    with fast(short):
        pdf = drawn.paint(weasyprint.HTML(string=f"{body}<p style='break-before:page'>{body}").render())
    return [each.data for each in pdf.objects[1:]]


@pytest.mark.parametrize("name", SHAPES | WHOLE)
def test_it_looks_the_same(name):
    inside = (SHAPES | WHOLE)[name]
    wanted = painted(inside, short=False)
    assert painted(inside, short=True) == wanted
    assert painted(inside, short=True) == wanted


@pytest.mark.parametrize("name", SHAPES)
def test_plain_shapes_are_kept(name):
    painted(SHAPES[name], short=True)
    assert drawings._KEPT


@pytest.mark.parametrize("name", WHOLE)
def test_what_draws_on_more_is_not_kept(name):
    painted(WHOLE[name], short=True)
    assert not drawings._KEPT


def test_no_more_are_kept_than_wanted(monkeypatch):
    monkeypatch.setattr(drawings, "FIGURES", 2)
    for number in range(5):
        painted(f'<path d="M1 {number}h3v4Z"/>', short=True)
    assert 0 < len(drawings._KEPT) <= 2
