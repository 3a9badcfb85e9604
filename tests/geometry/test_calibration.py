"""The calibration sheet: what is read through the paper lies on white paper."""

from __future__ import annotations

import pytest

from builder.geometry.calibration import (
    RULER_REACH_MM,
    CalibrationSide,
    draw_back,
    draw_front,
    find_measured_points,
)
from builder.geometry.gauges.sheet import PAPERS


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("draw", [draw_front, draw_back])
def test_nothing_is_printed_below_the_crosses_and_rulers(
    paper: str, draw: object
) -> None:
    sheet = PAPERS[paper]
    side = draw(sheet, "en")  # type: ignore[operator]
    assert isinstance(side, CalibrationSide)
    assert side.panels
    for x, y in find_measured_points(sheet):
        for panel in side.panels:
            # 20 mm are the arms of a cross, and more than a ruler with its numbers.
            is_beside = panel.x > x + 20 or panel.x + panel.width < x - 20
            is_above_or_below = panel.y > y + 20 or panel.y + panel.height < y - 20
            assert is_beside or is_above_or_below, panel
    assert RULER_REACH_MM < 20


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_panels_lie_on_the_paper(paper: str) -> None:
    sheet = PAPERS[paper]
    for side in (draw_front(sheet, "en"), draw_back(sheet, "de")):
        for panel in side.panels:
            assert panel.x >= 10
            assert panel.y >= 10
            assert panel.x + panel.width <= sheet.width - 10
            assert panel.y + panel.height <= sheet.height - 10
