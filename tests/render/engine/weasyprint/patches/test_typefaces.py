"""A font known from another document is in each document as if it were met there for the first time."""

from __future__ import annotations

from typing import Any

import pytest

from builder.render.engine.weasyprint import drawn
from builder.render.engine.weasyprint.engine import WeasyPrint
from builder.render.engine.weasyprint.exact import install
from builder.render.engine.weasyprint.fastpath import _no_program, fast
from builder.render.engine.weasyprint.patches import typefaces
from builder.render.jobs import Places

pytestmark = pytest.mark.slow

ONE = "<p style='font:12px Roboto'>AVAST <b>bold</b> <i>To</i> fi</p>"
OTHER = "<p style='font:italic 30px Roboto'>To be <b style='font-family:Manrope'>bold</b></p><p>\U0001f9ff</p>"


@pytest.fixture(autouse=True)
def _none_known(monkeypatch):
    from weasyprint.pdf.fonts import Font

    monkeypatch.setattr(Font, "clean", _no_program)
    typefaces._KNOWN.clear()


def painted(body: str, fonts: Any, *, short: bool) -> list[bytes]:
    """All that a document holds."""
    import weasyprint

    install()
    with fast(short):
        pdf = drawn.paint(weasyprint.HTML(string=body).render(font_config=fonts))
    return [each.data for each in pdf.objects[1:]]


def test_documents_are_the_same_in_any_order():
    from weasyprint.text.fonts import FontConfiguration

    bodies = ONE, OTHER, ONE + OTHER, OTHER + ONE
    wanted = {body: painted(body, FontConfiguration(), short=False) for body in bodies}
    fonts = FontConfiguration()
    for body in (*bodies, *reversed(bodies)):
        assert painted(body, fonts, short=True) == wanted[body]
        assert painted(body, FontConfiguration(), short=True) == wanted[body]


def test_a_font_s_file_is_read_once(monkeypatch):
    from weasyprint.pdf import fonts as engine
    from weasyprint.text.fonts import FontConfiguration

    read, original = [], engine.get_hb_object_data
    monkeypatch.setattr(engine, "get_hb_object_data", lambda *of: (read.append(of), original(*of))[1])
    fonts = FontConfiguration()
    painted(ONE, fonts, short=True)
    assert len(read) == 3
    painted(ONE, fonts, short=True)
    assert len(read) == 3


def test_no_more_are_kept_than_wanted(monkeypatch):
    from weasyprint.text.fonts import FontConfiguration

    monkeypatch.setattr(typefaces, "FONTS", 1)
    wanted = painted(ONE, FontConfiguration(), short=False)
    assert painted(ONE, FontConfiguration(), short=True) == wanted
    assert len(typefaces._KNOWN) == 1


def test_with_other_fonts_all_is_found_out_anew(tmp_path):
    """The text library may put another face where one was that is gone."""
    from weasyprint.text.fonts import FontConfiguration

    painted(ONE, FontConfiguration(), short=True)
    assert typefaces._KNOWN
    WeasyPrint(Places(tmp_path, tmp_path, tmp_path, tmp_path, tmp_path))
    assert not typefaces._KNOWN
