"""Where WeasyPrint itself moves text out of its box, the finding says so and what helps."""

from __future__ import annotations

import pytest

from builder.findings import Finding
from tests.render.engines.small import set_small

BOX = "line-height:1.2;height:4mm;font-size:7.3pt"
NESTED_ROW = (
    f'<div class="box" '
    f'style="width:50mm;display:flex;align-items:center;{BOX}"><div '
    f'class="child" '
    f'style="flex:1">'
    '<div style="display:flex;align-items:center"><div '
    'style="flex:1;letter-spacing:.1mm"><p>Bewegung</p></div>'
    '<div style="flex:1;padding:0 .5mm">Infantry (Command)</div></div></div></div>'
)
ROW_WITH_GAP = (
    f'<div class="box" style="position:absolute;top:5mm;left:2mm;display:flex;gap:1mm;{BOX}">'
    '<div class="child" '
    'style="flex:none">Reach: '
    '3"</div><div '
    'class="child">two words '
    "here</div></div>"
)
TOO_LONG = (
    f'<div class="box" style="position:absolute;top:5mm;left:2mm;width:20mm;display:flex;gap:1mm;{BOX}">'
    '<div style="flex:none">Reach: 3"</div><div style="flex:1">two words here</div></div>'
)


def overflow_of(body: str, css: str = "") -> list[Finding]:
    """Return the overflow findings of a body."""
    findings = set_small("weasyprint", body, css=css)[0].facts.findings
    return [finding for finding in findings if finding.code == "render/overflow"]


@pytest.mark.parametrize(
    ("body", "fault", "remedy"),
    [
        (
            NESTED_ROW,
            "WeasyPrint makes the child of a flex box 3.1 mm taller than its lines",
            "min-height: 0",
        ),
        (
            ROW_WITH_GAP,
            "WeasyPrint ignores the gap when it computes the width of a flex box, so its text breaks",
            "margins instead of `gap`",
        ),
    ],
)
def test_a_fault_of_the_engine_is_named(body: str, fault: str, remedy: str) -> None:
    (finding,) = overflow_of(body)
    assert finding.message.endswith(f"; {fault}")
    assert remedy in finding.hint


@pytest.mark.parametrize(
    ("body", "css"),
    [
        (NESTED_ROW, ".child{min-height:0}"),
        (ROW_WITH_GAP, ".box{gap:0!important}.child+.child{margin-left:1mm}"),
    ],
)
def test_the_remedy_helps(body: str, css: str) -> None:
    assert overflow_of(body, css) == []


def test_text_that_is_too_long_is_no_fault_of_the_engine() -> None:
    (finding,) = overflow_of(TOO_LONG)
    assert finding.message.endswith("too many")
    assert "WeasyPrint" not in finding.message


@pytest.mark.parametrize("body", [NESTED_ROW, ROW_WITH_GAP])
def test_plutoprint_places_the_same_text_right(body: str) -> None:
    pytest.importorskip("plutoprint")
    assert set_small("plutoprint", body)[0].facts.findings == ()
