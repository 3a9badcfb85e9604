"""The shorter ways must end where the engine's own end."""

from __future__ import annotations

from collections import deque
from io import BytesIO
from types import SimpleNamespace

import pytest

from builder.render.engine.weasyprint.fastpath import _Patterns, fast

pytestmark = pytest.mark.slow

DRAWING = (
    '<svg viewBox="0 0 100 100" width="50mm" height="50mm">'
    '<path d="{d}" fill="red"/><g transform="translate(3 4) scale(2)"><path d="{d}"/></g></svg>'
)
PATHS = [
    "M1 2L3 4h5v6H7V8z",
    "m1,2 3-4c1 2 3 4 5 6a5 4 10 0 1 9 9Z",
    "M1e1 2L3 4Q5 6 7 8T9 9S1 2 3 4",
    "M10% 2em L3mm 4Z",
]


def drawn(paths: list[str], *, short: bool) -> bytes:
    import weasyprint

    body = "".join(f"<p>{DRAWING.format(d=d)}</p>" for d in paths)
    out = BytesIO()
    with fast(short):
        weasyprint.HTML(string=body).write_pdf(out, uncompressed_pdf=True)
    return out.getvalue()


@pytest.mark.parametrize("path", PATHS)
def test_a_path_drawn_again_is_drawn_alike(path):
    """Twice in a drawing, and in another document after it."""
    wanted = drawn([path], short=False)
    assert drawn([path], short=True) == wanted
    assert drawn([path], short=True) == wanted


def test_a_path_with_units_is_read_each_time():
    """What it draws depends on the drawing around it."""
    from weasyprint import svg

    with fast(True):
        draw = svg.TAGS["path"]
        drawings = []
        for wide in (10, 20):
            stream = SimpleNamespace(stream=[])
            stream.move_to = stream.line_to = lambda x, y, to=stream.stream: to.append((x, y))
            surface = SimpleNamespace(
                stream=stream, point=lambda x, y, _size, wide=wide: (wide if x == "10%" else 0, 0)
            )
            draw(surface, SimpleNamespace(get=lambda *_: "M10% 2L3 4", vertices=deque()), 16)
            drawings.append(stream.stream)
    assert drawings[0] != drawings[1]


def test_the_reader_finds_the_same_ends():
    patterns = _Patterns()
    assert patterns[("&", "<"), False].match("a b<c").group() == "a b"
    assert patterns[frozenset(" \n"), True].match(" \n x").group() == " \n "
    assert patterns["]", False].match("a]").group() == "a"
    assert patterns["]", False] is patterns["]", False]
