"""Ink as Ghostscript draws it; where it is not installed, the result says so."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pytest

from builder.findings import Box
from builder.model.pdf import InkLimitViolations
from builder.pdfinfo import ink
from builder.pdfinfo.ink import draw_inks, measure_ink
from builder.units import from_points
from tests.pdfinfo.make import page

HEAVY = "0.2 0.1 0 0 k 0 0 200 100 re f 0.9 0.8 0.7 1 k 20 30 60 40 re f"
"""30 % over the page, 340 % on a panel."""


@pytest.mark.slow
def measure(
    path: Path, limit: float, areas: Mapping[int, Box] | None = None
) -> InkLimitViolations:
    with TemporaryDirectory() as folder:
        return measure_ink(draw_inks(path, Path(folder)), limit, areas or {})


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript draws the inks")
def test_ink_outside_an_area_does_not_count(tmp_path: Path) -> None:
    path = page(tmp_path / "a.pdf", HEAVY)
    panel = Box(from_points(20), from_points(30), from_points(60), from_points(40))
    left_half = Box(0, 0, from_points(50), from_points(100))
    (spot,) = measure(path, 300, {1: left_half}).spots
    assert (spot.box.x, spot.box.right) == pytest.approx(
        (from_points(20), from_points(50)), abs=0.6
    )
    assert spot.percent == pytest.approx(340, abs=3)
    beside = Box(panel.right, 0, from_points(100), from_points(100))
    assert measure(path, 300, {1: beside}).spots == ()
    assert measure(path, 300, {1: Box(from_points(150), 0, 0, 0)}).spots == ()


def test_inks_are_added_up_where_they_lie(tmp_path: Path) -> None:
    inks = measure(page(tmp_path / "a.pdf", HEAVY), 300)
    if shutil.which("gs") is None:
        assert "Ghostscript" in inks.missing
        return
    (spot,) = inks.spots
    assert (spot.page, spot.percent) == (1, pytest.approx(340, abs=3))
    box = tuple(
        side / from_points(1)
        for side in (spot.box.x, spot.box.y, spot.box.width, spot.box.height)
    )
    assert box == pytest.approx((20, 30, 60, 40), abs=2)
    assert measure(page(tmp_path / "b.pdf", HEAVY), 345).spots == ()


@pytest.mark.slow
def test_a_page_that_comes_again_is_measured_as_the_first_was(tmp_path: Path) -> None:
    with pikepdf.open(page(tmp_path / "a.pdf", HEAVY)) as pdf:
        light = pikepdf.Dictionary(pdf.pages[0].obj)
        light["/Contents"] = pdf.make_stream(b"0.1 0 0 0 k 0 0 200 100 re f")
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(light)))
        pdf.pages.append(pdf.pages[0])
        pdf.save(tmp_path / "b.pdf")
    inks = measure(tmp_path / "b.pdf", 300)
    if shutil.which("gs") is None:
        assert inks.missing
        return
    assert [(spot.page, spot.percent) for spot in inks.spots] == [
        (page, pytest.approx(340, abs=3)) for page in (1, 3)
    ]


@pytest.mark.slow
def test_pages_are_measured_alike_whatever_is_drawn_at_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pikepdf.open(page(tmp_path / "a.pdf", HEAVY)) as pdf:
        for shade in (4, 1, 9, 2):
            other = pikepdf.Dictionary(pdf.pages[0].obj)
            other["/Contents"] = pdf.make_stream(
                b"0.%d 0 0 0 k 0 0 200 100 re f" % shade
            )
            pdf.pages.append(pikepdf.Page(pdf.make_indirect(other)))
            pdf.pages.append(pdf.pages[0])
        pdf.save(tmp_path / "b.pdf")
    whole = measure(tmp_path / "b.pdf", 30)
    monkeypatch.setattr("builder.pdfinfo.ink.PAGES_PER_RUN", 2)
    assert measure(tmp_path / "b.pdf", 30) == whole
    assert [spot.page for spot in whole.spots] == (
        [1, 2, 3, 5, 6, 7, 9] if shutil.which("gs") else []
    )


@pytest.mark.slow
def test_a_file_that_cannot_be_drawn_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "a.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    assert "Ghostscript" in measure(broken, 300).missing


def test_without_the_program_the_result_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert (
        "Ghostscript is not installed"
        in measure(page(tmp_path / "a.pdf", HEAVY), 300).missing
    )


def fake_ghostscript(
    folder: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put a program of this name in front of all others."""
    program = folder / "bin" / "gs"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the clock counts")
def test_ghostscript_is_limited_in_processor_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ink, "MAX_SECONDS", 1)
    fake_ghostscript(tmp_path, "while :; do :; done", monkeypatch)
    missing = str(measure(page(tmp_path / "a.pdf", HEAVY), 300).missing)
    assert missing == "Ghostscript needs more than 1 seconds of processor time"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the clock counts")
def test_ghostscript_may_wait_for_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ink, "MAX_SECONDS", 1)
    fake_ghostscript(tmp_path, "sleep 2; echo waited; exit 1", monkeypatch)
    missing = str(measure(page(tmp_path / "a.pdf", HEAVY), 300).missing)
    assert missing == "Ghostscript could not draw the file: waited"
