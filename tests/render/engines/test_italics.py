"""A text that should be italic, of a family without one, is told: it would be set upright."""

from __future__ import annotations

import pytest

from builder.findings import Severity
from tests.render.engines.small import set_small


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_what_is_set_upright_though_it_should_be_italic_is_reported(
    engine: str,
) -> None:
    css = ".plain{font-family:Manrope}.icon{font-family:icons,Roboto;font-style:italic}"
    faces = set_small(
        engine,
        "<p class='plain'>a word <em>that stands out</em></p>",
        (
            "<p>a word <em>that stands "
            "out</em> <span "
            "class='icon'>x</span></p><p "
            "class='plain'>none</p>"
        ),
        "<p class='plain' style='font: oblique 8pt None, Manrope'>all of it</p>",
        css=css,
    )
    told = [[(one.code, one.severity) for one in face.facts.findings] for face in faces]
    assert told == [
        [("render/italic", Severity.WARNING)],
        [],
        [("render/italic", Severity.WARNING)],
    ]
    assert "that stands out" in str(faces[0].facts.findings[0].message)
    assert all(face.record is not None for face in faces)
