"""Every example of docs/gauges.md is built as an author would, and measured in the PDF."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from builder.geometry.gauges.art import CUT_TAG
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Languages, Manifest, Pack
from builder.model.pdf import Pdf, PdfText, Shape
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.units import from_inches
from builder.usecases.build.gauges import render_gauges

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```yaml gauges\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples() -> Document:
    text = (ROOT / "docs" / "gauges.md").read_text(encoding="utf-8")
    groups = [
        {
            "id": f"g{number}",
            "title": {"en": f"Group {number}"},
            "gauges": YAML(typ="safe").load(block),
        }
        for number, block in enumerate(BLOCK.findall(text))
    ]
    return Document("gauges.yaml", {"groups": groups})


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Pdf:
    manifest = Manifest(
        id="p",
        name={"ru": "П"},
        languages=Languages(source="ru", translations=("en",)),
        kinds={},
    )
    made = render_gauges(
        Project(ROOT),
        LoadedPack(Pack(manifest), sources={"gauges.yaml": examples()}),
        "ru",
        "a4",
    )
    assert made.findings == ()
    path = tmp_path_factory.mktemp("docs") / "gauges.pdf"
    path.write_bytes(made.data)
    return read_pdf(path)


def cuts(pdf: Pdf, gauge: str) -> list[tuple[float, float]]:
    """Return the cut lines of a gauge, shorter side first."""
    shapes = (
        shape
        for page in pdf.pages
        for shape in page.shapes
        if f"Gauge:{gauge}" in shape.look.tags
    )
    boxes = [shape.box for shape in shapes if CUT_TAG in shape.look.tags]
    return [(min(box.width, box.height), max(box.width, box.height)) for box in boxes]


SIZES = {
    "twelve-inches": [(34, from_inches(6)), (34, from_inches(6))],
    "flame-reach": [(22, from_inches(8))],
    "multiples": [(48, from_inches(6))],
    "heights": [(28, 3 * 35 + 4)],
    "one": [(22, from_inches(1))],
    "two": [(22, from_inches(2))],
    "three": [(22, from_inches(3))],
    "six": [(22, from_inches(6))],
    "one-cut": [(from_inches(1) * 3**0.5 / 2, from_inches(1))],
    "three-cut": [(from_inches(3), from_inches(3))],
    "doorway": [(22, from_inches(2))] * 2,
    "small-blast": [(from_inches(2), from_inches(2))],
    "medium-blast": [(from_inches(3), from_inches(3))],
    "large-blast": [(from_inches(5), from_inches(5))],
    "around-marker": [(25, 25), (25 + from_inches(4),) * 2],
    "spear": [(12, from_inches(2))],
    "flame": [(55, from_inches(8))],
    "firing-arc": [(60, 60)],
    "attacker": [(40 * 3**0.5 / 2, 40)],
    "squares": [(106, 160)],
}


@pytest.mark.parametrize("gauge", SIZES)
def test_an_example_has_its_size_on_paper(pdf: Pdf, gauge: str) -> None:
    found = cuts(pdf, gauge)
    assert len(found) == len(SIZES[gauge])
    for measured, wanted in zip(found, SIZES[gauge], strict=True):
        assert measured == pytest.approx(wanted, abs=0.1)


def test_a_sleeve_is_wide_enough_for_its_strip(pdf: Pdf) -> None:
    (strip, window, sleeve) = cuts(pdf, "weather")
    assert strip == pytest.approx((16 + 5, 3 * 22 + 20), abs=0.1)
    assert window == pytest.approx((16, 22), abs=0.1)
    assert sleeve[1] > 2 * strip[0]


def test_the_backs_of_hidden_markers_give_nothing_away(pdf: Pdf) -> None:
    """Three for each model; backs equal but for the model's symbol, at equal positions."""
    backs = [
        page
        for page in pdf.pages
        if any(isinstance(i, PdfText) and i.text == "?" for i in page.items)
    ]
    items = [
        item
        for page in backs
        for item in page.items
        if "Gauge:hidden" in item.look.tags
    ]
    words = [item.text for item in items if isinstance(item, PdfText)]
    assert words.count("?") == 12
    assert [words.count(sign) for sign in "ABCD"] == [3, 3, 3, 3]
    shapes = [item for item in items if isinstance(item, Shape)]
    assert (
        len(
            {
                (s.fill, s.stroke, round(s.width, 3), round(s.box.width, 3))
                for s in shapes
            }
        )
        == 2
    )
    marks = [(round(i.size, 2), i.fill) for i in items if isinstance(i, PdfText)]
    assert len(set(marks)) == 2


def test_diagonals_cost_one_and_a_half(pdf: Pdf) -> None:
    items = [
        item
        for page in pdf.pages
        for item in page.items
        if "Gauge:squares" in item.look.tags
    ]
    words = [item.text for item in items if isinstance(item, PdfText)]
    assert words.count("1½") == 1
    assert words.count("3") == 3
    assert "9" in words
