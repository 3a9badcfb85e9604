"""The page that shows a judgement: every finding is on it, and nothing in a file's texts becomes markup."""

from __future__ import annotations

from builder.findings import Box, Finding, Location
from builder.report.preflight import Drawn, preflight_html

CARD = Box(0, 0, 69, 94)


def finding(message: str, page: int | None = None, box: Box | None = None) -> Finding:
    return Finding("preflight/rgb", message, "Mend it.", location=Location(file="a.pdf", page=page, box=box))


def test_findings_of_a_page_stand_beside_it_and_the_others_before() -> None:
    pages = (Drawn(2, b"picture", CARD, Box(3, 3, 63, 88), None),)
    text = preflight_html("a.pdf", "Shop", [finding("whole"), finding("far", 7), finding("here", 2, CARD)], pages, 1)
    before, beside = text.split("<h2>Page 2</h2>")
    assert "whole" in before
    assert "page 7: far" in before
    assert "here" in beside
    assert "1 more pages" in beside


def test_texts_of_the_file_stay_texts() -> None:
    text = preflight_html("<a>.pdf", "Shop & Co", [finding("'<script>' is small", 1)], ())
    assert "<script>" not in text
    assert "&lt;a&gt;.pdf" in text
    assert "Shop &amp; Co" in text


def test_numbers_stay_on_the_page_when_the_place_does_not() -> None:
    pages = (Drawn(1, b"", CARD, CARD, None),)
    text = preflight_html("a.pdf", "Shop", [finding("off", 1, Box(-20, 200, 5, 5))], pages)
    assert '<text x="0.90" y="93.00"' in text
