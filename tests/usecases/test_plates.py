"""Plates for foil and white ink.

They lie exactly on the order's pages, in black or the shop's spot colour.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.model.pdf import Page, PdfText, Shape, list_paints
from builder.packs.profiles import load_preset
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult
from builder.usecases.preflight.order_folder import check_folder
from tests.usecases.toy import build_options, toy_project

FOIL = (
    ".title { visibility: visible } .edge { visibility: visible; "
    "background-color: #000 !important }"
)


def order(folder: Path, css: str, preset: str = "offset") -> BuildResult:
    project = Project(folder if (folder / "cards").is_dir() else toy_project(folder))
    (folder / "templates" / "lanterns" / "foil.css").write_text(css, "utf-8")
    options = build_options(
        workers=0, langs=("en",), profile=f"shop:{preset}", only=("id=reed-mother",)
    )
    return build_pack(project, "lanterns", options)


def edge(page: Page) -> Shape:
    """Return the bar at the top of a face."""
    return max(
        (item for item in page.items if isinstance(item, Shape)),
        key=lambda item: item.extent.width,
    )


@pytest.mark.slow
def test_a_plate_lies_on_its_face(tmp_path: Path) -> None:
    result = order(tmp_path, FOIL)
    folder = result.files[0].path
    (plate,) = folder.glob("*-foil.pdf")
    face, foil = (
        read_pdf(plate.with_name(plate.name.replace("-foil", ""))).pages[0],
        read_pdf(plate).pages[0],
    )
    for box in ("media", "trim", "bleed"):
        assert getattr(foil, box) == getattr(face, box)
    face_box, plate_box = edge(face).extent, edge(foil).extent
    assert (
        plate_box.x,
        plate_box.y,
        plate_box.width,
        plate_box.height,
    ) == pytest.approx(
        (face_box.x, face_box.y, face_box.width, face_box.height), abs=0.01
    )
    title = min(
        (item for item in face.items if isinstance(item, PdfText)),
        key=lambda text: text.box.x + text.box.y,
    )
    letters = [
        item.extent
        for item in foil.items
        if isinstance(item, Shape) and item is not edge(foil)
    ]
    assert min(box.x for box in letters) == pytest.approx(title.box.x, abs=0.4)
    assert all(box.y + box.height < face.trim.y + 20 for box in letters)
    assert {paint.values for item in foil.items for paint in list_paints(item)} == {
        (0, 0, 0, 1)
    }
    assert "press/plate" in {finding.code for finding in result.findings}
    checked_files, _findings = check_folder(
        folder, load_preset(Project(tmp_path), "offset")
    )
    assert [checked_file.name for checked_file in checked_files] == [
        plate.name.replace("-foil", "")
    ]


@pytest.mark.slow
def test_a_shop_may_name_the_spot_colour(tmp_path: Path) -> None:
    preset_file = toy_project(tmp_path) / "templates" / "presets" / "foiler.yaml"
    preset_file.parent.mkdir()
    preset_file.write_text(
        (
            "id: foiler\nname: {en: Foiler}\nbleed: 3\ncolour: {space: "
            "rgb}\nplates: {foil: Hot Gold}\n"
        ),
        "utf-8",
    )
    folder = order(tmp_path, FOIL, "foiler").files[0].path
    (plate,) = folder.glob("*-foil.pdf")
    inks = {
        (paint.space, paint.name)
        for item in read_pdf(plate).pages[0].items
        for paint in list_paints(item)
    }
    assert inks == {("Separation", "Hot Gold")}


@pytest.mark.slow
def test_a_plate_of_another_colour_is_refused(tmp_path: Path) -> None:
    result = order(
        tmp_path, ".edge { visibility: visible; background-color: #a01010 !important }"
    )
    assert "press/plate-colour" in {finding.code for finding in result.findings}
    assert result.files == ()
