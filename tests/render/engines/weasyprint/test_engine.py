"""The engine of a process that is asked for ever new styles, as `watch` is."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.geometry.boxes import make_face_boxes
from builder.model.pack import Size
from builder.render.engines.weasyprint import engine as module
from builder.render.engines.weasyprint.engine import WeasyPrint
from builder.render.jobs import Places, Style
from tests.render.engines.small import set_small


def style(number: int) -> Style:
    return Style(
        str(number),
        (("card.css", f"p {{ top: {number}mm }}"),),
        make_face_boxes(Size(width=63, height=88)),
        {},
        "en",
    )


@pytest.mark.slow
def test_styles_of_earlier_edits_are_not_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_STYLES", 3)
    engine = WeasyPrint(Places(*[tmp_path] * 5))
    for number in range(8):
        sheets = engine._prepare_style(style(number))[0]
        assert engine._prepare_style(style(number))[0] is sheets
        assert len(engine._styles) <= 3
        assert len(engine._sheets) <= 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bare", "stated"),
    [
        (
            "<table><tr><td>a<td>b</table>",
            "<table style='border-spacing:0'><tr><td style='padding:0'>a<td style='padding:0'>b",
        ),
        ("a<sup>2</sup>", "a<sup style='line-height:inherit'>2</sup>"),
        ("<dl><dt>a<dd>b</dl>", "<div>a</div><div>b</div>"),
        ("<blockquote>a</blockquote>", "<div>a</div>"),
        (
            "<a href='https://example.org'>a</a> <code>b</code>",
            "<span>a</span> <span>b</span>",
        ),
    ],
)
def test_elements_take_no_room_of_their_own(bare: str, stated: str) -> None:
    faces = set_small(
        "weasyprint", bare, f"<div>{stated}</div>", css="sup{font-size:smaller}"
    )
    contents = [face.record.content for face in faces if face.record is not None]
    assert contents[0] == contents[1]


@pytest.mark.slow
def test_a_rule_for_all_elements_beats_the_reset() -> None:
    body = "<table><tr><td>a<td>b</table>"
    spaced, packed = (
        set_small("weasyprint", body, css=css)[0].record
        for css in ("*{padding:1mm}", "")
    )
    assert spaced is not None
    assert packed is not None
    assert spaced.content != packed.content
