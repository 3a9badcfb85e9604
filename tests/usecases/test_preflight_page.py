"""The page that shows a judgement.

Every finding is on it, and nothing in a file's texts becomes markup.
"""

from __future__ import annotations

from pathlib import Path

from builder.findings import Box, Finding, Location
from builder.usecases.preflight.checked_files import CheckedFile, PageView
from builder.usecases.preflight.html_report import (
    DrawnPage,
    PreflightReport,
    format_preflight_report,
)

CARD = Box(0, 0, 69, 94)


def finding(
    message: str, page: int | None = None, box: Box | None = None, file: str = "a.pdf"
) -> Finding:
    return Finding(
        "preflight/rgb",
        message,
        "Mend it.",
        location=Location(file=file, page=page, box=box),
    )


def make_drawn_page(number: int, file: str = "a.pdf") -> DrawnPage:
    return PageView(file, number, CARD, CARD, None), b"picture"


def test_findings_of_a_page_stand_beside_it_and_the_others_before() -> None:
    findings = [finding("whole"), finding("far", 7), finding("here", 2, CARD)]
    report = PreflightReport(
        "a.pdf", "Shop", findings, (make_drawn_page(2),), hidden_page_count=1
    )
    before, page_part = format_preflight_report(report, "en").split("<h2>Page 2</h2>")
    assert "whole" in before
    assert "page 7: far" in before
    assert "here" in page_part
    assert "not shown: 1." in page_part


def test_texts_of_the_file_stay_texts() -> None:
    findings = [finding("'<script>' is small", 1)]
    text = format_preflight_report(
        PreflightReport("<a>.pdf", "Shop & Co", findings, ()), "en"
    )
    assert "<script>" not in text
    assert "&lt;a&gt;.pdf" in text
    assert "Shop &amp; Co" in text


def test_numbers_stay_on_the_page_when_the_place_does_not() -> None:
    findings = [finding("off", 1, Box(-20, 200, 5, 5))]
    text = format_preflight_report(
        PreflightReport("a.pdf", "Shop", findings, (make_drawn_page(1),)), "en"
    )
    assert '<text x="0.90" y="93.00"' in text


def test_of_several_files_each_finding_says_whose_it_is() -> None:
    view = PageView("a.pdf", 1, CARD, CARD, None)
    files = (
        CheckedFile(Path("a.pdf"), "a.pdf", (), (view,) * 4),
        CheckedFile(Path("b.png"), "b<.png", (), (view,), (825, 1125)),
    )
    findings = [
        finding("first", 2),
        finding("second", None, CARD, "b<.png"),
        finding("lost", None, None, "c.png"),
    ]
    pages = (make_drawn_page(2), make_drawn_page(0, "b<.png"))
    text = format_preflight_report(
        PreflightReport("order", "Shop", findings, pages, files=files), "en"
    )
    before, first, second = text.split("<h2>")[1], *text.split("<h2>")[2:]
    assert "c.png: lost" in before
    assert first.startswith("a.pdf, page 2</h2>")
    assert "first" in first
    assert second.startswith("b&lt;.png</h2>")
    assert "second" in second
    assert "<td>825 × 1125 px</td><td>1 error</td>" in text
    assert '<img alt="b&lt;.png"' in text
