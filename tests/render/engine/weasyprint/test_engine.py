"""The engine of a process that is asked for ever new styles, as `watch` is."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.geometry.boxes import face_boxes
from builder.model.pack import Size
from builder.render.engine.weasyprint import engine as module
from builder.render.engine.weasyprint.engine import WeasyPrint
from builder.render.jobs import Places, Style


def style(number: int) -> Style:
    return Style(
        str(number), (("card.css", f"p {{ top: {number}mm }}"),), face_boxes(Size(width=63, height=88)), {}, "en"
    )


@pytest.mark.slow
def test_styles_of_earlier_edits_are_not_kept_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STYLES", 3)
    engine = WeasyPrint(Places(*[tmp_path] * 5))
    for number in range(8):
        sheets = engine._style(style(number))[0]
        assert engine._style(style(number))[0] is sheets
        assert len(engine._styles) <= 3
        assert len(engine._sheets) <= 4


@pytest.mark.slow
def test_what_is_remembered_of_faces_is_let_go_at_once_after_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FACES", 20)
    cleared: list[int] = []
    engine = WeasyPrint(Places(*[tmp_path] * 5))
    for number, faces in enumerate((16, 16, 16, 16, 1)):
        monkeypatch.setattr(module, "clear", lambda number=number: cleared.append(number))
        engine.expect(faces)
    assert cleared == [2, 4]
