"""Texts that come again are neither broken nor drawn by the text library again."""

from __future__ import annotations

import pytest

from builder.render.engine.weasyprint.drawn import paint
from builder.render.engine.weasyprint.patches import clear
from tests.render.engine.weasyprint.patches.patched import fast

pytestmark = pytest.mark.slow

SHEET = "body { font: 9pt Roboto } p { width: 40mm } b { color: red } i { letter-spacing: 1px }"
BODY = "<p>LABEL <b>3″</b> and <i>words</i></p><p style='width: 50mm'>LABEL <b>3″</b> and <i>words</i></p>"


@pytest.fixture
def asked(monkeypatch):
    """How often the text library is asked for a line."""
    from weasyprint.text.line_break import Layout

    calls: list[str] = []
    original = Layout.get_first_line

    def get_first_line(layout):
        calls.append(layout.text)
        return original(layout)

    monkeypatch.setattr(Layout, "get_first_line", get_first_line)
    return calls


def test_they_are_asked_for_once(asked):
    """In another paragraph, of another width, in another document."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    sheets = [weasyprint.CSS(string=SHEET, font_config=fonts)]
    html = f"<body>{BODY}"
    clear()
    with fast(True):
        paint(weasyprint.HTML(string=html, base_url="file:///").render(stylesheets=sheets, font_config=fonts))
        once = len(asked)
        asked.clear()
        paint(weasyprint.HTML(string=html, base_url="file:///").render(stylesheets=sheets, font_config=fonts))
    assert once > 0
    assert len(asked) <= 4  # a document's first text in each of its fonts
