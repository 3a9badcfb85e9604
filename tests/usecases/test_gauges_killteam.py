"""Kill Team's combat gauges, measured in the finished file: a sign is as long as it says."""

from __future__ import annotations

import pytest

from builder.model.pdf import Pdf
from builder.packs.loading import load_pack
from builder.pdfinfo.read import read_pdf
from builder.units import from_inches
from builder.usecases.build.gauges import render_gauges
from tests.usecases.test_gauges import EXACT, PROJECT, cuts, sides

INCHES = {"triangle": 1, "circle": 2, "square": 3, "pentagon": 6}


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Pdf:
    rendered_gauges = render_gauges(PROJECT, load_pack(PROJECT, "killteam"), "ru", "a4")
    assert rendered_gauges.findings == ()
    path = tmp_path_factory.mktemp("gauges") / "g.pdf"
    path.write_bytes(rendered_gauges.data)
    return read_pdf(path)


@pytest.mark.parametrize("sign", INCHES)
def test_a_stick_is_as_long_as_its_sign(pdf: Pdf, sign: str) -> None:
    boxes = cuts(pdf, f"gauge-{sign}")
    assert len(boxes) == 2
    for box in boxes:
        assert max(sides(box)) == pytest.approx(from_inches(INCHES[sign]), abs=EXACT)


@pytest.mark.parametrize("sign", ["circle", "square"])
def test_a_cut_out_sign_is_as_wide_as_it_says(pdf: Pdf, sign: str) -> None:
    assert [sides(box) for box in cuts(pdf, f"shape-{sign}")] == [
        pytest.approx((from_inches(INCHES[sign]),) * 2, abs=EXACT)
    ]


def test_the_ruler_is_six_inches(pdf: Pdf) -> None:
    assert [max(sides(box)) for box in cuts(pdf, "multiples")] == [
        pytest.approx(from_inches(6), abs=EXACT)
    ]


def test_orders_are_printed_on_both_sides(pdf: Pdf) -> None:
    texts = [" ".join(text.text for text in page.texts) for page in pdf.pages]
    assert any("готов" in text and "активирован" not in text for text in texts)
    assert any("активирован" in text for text in texts)
