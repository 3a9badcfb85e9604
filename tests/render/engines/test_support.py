"""What an engine drops is known by measuring it.

The stored outcomes are what the installed version does, and a pack that uses what is dropped gets a
finding, with both engines.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from builder.cache import installed
from builder.findings import Finding, Severity
from builder.render.engines.complaints import find_nearest_property
from builder.render.engines.support import ENGINES_FOLDER
from tests.checks.projects import ROOT
from tests.render.engines.small import set_small

ENGINES = ("weasyprint", "plutoprint")
MASK = (
    '<svg xmlns="http://www.w3.org/2000/svg" '
    'viewBox="0 0 900 '
    '600"><defs><mask '
    'id="m"><rect '
    'width="900" height="600" '
    'fill="#000"/><circle cx="450" '
    'cy="300" '
    'r="200" '
    'fill="#fff"/></mask><radialGradient '
    'id="r"><stop offset="0" '
    'stop-color="#fff"/><stop offset="1" stop-color="#fa0" stop-opacity="0"/></radialGradient></defs><rect width="900" '
    'height="600" fill="#246"/><g mask="url(#m)"><rect x="150" y="100" width="600" height="400" fill="#f0f"/></g>'
    '<circle cx="150" cy="450" r="130" fill="url(#r)"/></svg>'
)
"""A masked group, and a gradient that fades."""
WORDS = "word " * 22
SIX_BOXES = "".join(
    f'<div class="c" style="top:{40 + 5 * number}mm">text {number}</div>'
    for number in range(6)
)


def stored(engine: str) -> dict[str, dict[str, str]]:
    """Return the stored outcomes of the installed version."""
    measured = json.loads(
        (ENGINES_FOLDER / engine / "support.json").read_text(encoding="utf-8")
    )
    return measured[installed(engine)]["cases"]  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_stored_is_what_the_engine_does(engine: str) -> None:
    pytest.importorskip(engine)
    # In a process of its own: an engine reads once in a process which fonts there are.
    command = [sys.executable, "-m", "tools.engine_support", "--check", engine]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr


def findings_of(engine: str, body: str, css: str = "") -> list[Finding]:
    """Return what is found of a body."""
    return [*set_small(engine, body, css=css)[0].facts.findings]


def test_a_mask_of_a_group_and_a_fading_gradient_are_named() -> None:
    findings = findings_of("weasyprint", f'<div style="margin:5mm">{MASK}</div>')
    assert {finding.code for finding in findings} == {"render/undrawn"}
    assert {finding.severity for finding in findings} == {Severity.ERROR}
    texts = " ".join(finding.message for finding in findings)
    assert "mask of <g>" in texts
    assert "stop-opacity of <stop>" in texts


def test_the_other_engine_draws_them() -> None:
    pytest.importorskip("plutoprint")
    assert findings_of("plutoprint", f'<div style="margin:5mm">{MASK}</div>') == []


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_drawn_by_an_engine_gives_no_finding(engine: str) -> None:
    drawing = MASK.replace(' mask="url(#m)"', ' opacity=".5"').replace(
        ' stop-opacity="0"', ""
    )
    assert findings_of(engine, f'<div style="margin:5mm">{drawing}</div>') == []


@pytest.mark.parametrize(
    "layout",
    ["position:absolute;left:5mm;top:5mm", "float:left", "display:inline-block"],
)
def test_columns_of_a_box_out_of_flow_are_reported(layout: str) -> None:
    (finding,) = findings_of(
        "weasyprint",
        f"<div class='a'>{WORDS}</div>",
        f".a{{{layout};margin:5mm;width:40mm;columns:2}}",
    )
    assert (finding.code, finding.severity) == ("render/dropped-css", Severity.ERROR)
    assert "`columns` of 'a'" in finding.message


def test_columns_of_a_block_inside_it_are_drawn() -> None:
    css = ".a{position:absolute;left:5mm;top:5mm;width:40mm}.b{columns:2}"
    assert (
        findings_of(
            "weasyprint", f"<div class='a'><div class='b'>{WORDS}</div></div>", css
        )
        == []
    )


@pytest.mark.parametrize("layout", ["position:absolute;top:5mm;left:5mm", "margin:5mm"])
def test_columns_are_measured_by_plutoprint_as_they_are_drawn(layout: str) -> None:
    pytest.importorskip("plutoprint")
    css = f".a{{{layout};width:50mm;height:20mm;columns:2}}.c{{position:absolute;left:5mm;width:30mm;height:4.5mm}}"
    assert (
        findings_of("plutoprint", f"<div class='a'>{WORDS}</div>{SIX_BOXES}", css) == []
    )


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("-webkit-text-stroke:1px red", 1),
        ("-webkit-box-shadow:1mm 1mm red", 1),
        ("-webkit-hyphens:auto;hyphens:auto", 0),
        ("-webkit-print-color-adjust:exact", 0),
        ("background-clip:padding-box", 0),
        ("color:red", 0),
    ],
)
@pytest.mark.parametrize("is_inline", [False, True])
def test_a_vendors_spelling_is_reported(
    css: str, expected: int, is_inline: bool
) -> None:
    body = f"<p style='margin:5mm;{css}'>a</p>" if is_inline else "<p class='a'>a</p>"
    findings = findings_of(
        "weasyprint", body, f".a{{margin:5mm;{'' if is_inline else css}}}"
    )
    assert [finding.code for finding in findings] == ["render/dropped-css"] * expected


def test_a_spelling_is_suggested_only_where_a_misspelling_is_likely() -> None:
    known = ("color", "margin", "text-shadow", "max-width", "columns")
    assert find_nearest_property("colr", known) == "color"
    assert find_nearest_property("margni", known) == "margin"
    assert find_nearest_property("foo", known) is None
    assert find_nearest_property("column-wide", known) is None
    (finding,) = findings_of(
        "weasyprint", "<p class='a'>a</p>", ".a{margin:5mm;mask:none}"
    )
    assert "Did you mean" not in finding.hint


@pytest.mark.parametrize("engine", ENGINES)
def test_hyphens_are_measured_with_words_that_can_be_broken(engine: str) -> None:
    assert "auto" in stored(engine)["css hyphens"]
    assert stored(engine)["css hyphens"]["auto"] != "no effect"
