"""Decks with more faces than fit into memory come out as if all were there at once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name

from builder.findings import Finding
from builder.geometry.shop import ShopPage
from builder.model.shop import Colour, Preset
from builder.pdfinfo.read import read_pdf
from builder.render.cache import ResultCache
from builder.render.prepress import finisher as module
from builder.render.prepress.finisher import Finisher, ShopImages, ShopJob
from builder.render.prepress.pages import lay_out_pages, split_order
from tests.render.prepress.test_finisher import (
    FAINT,
    SOLID,
    X1A,
    X4,
    cut,
    faces,
    preset,
)

RGB = Colour(space="rgb")
CONTENTS = (
    SOLID,
    FAINT,
    SOLID + b" 0 1 0 rg 50 50 20 20 re f",
    FAINT + b" 0 g 5 5 9 9 re f",
    b"0 1 1 rg 0 0 70 70 re f",
)
ORDER = (0, 3, 0, None, 1, 3, 2, 3, 4, 3, 4, None)
"""Pages that come again at once, a back that all share, empty ones."""


def finished(
    tmp_path: Path, shop: Preset, order: tuple[int | None, ...] = ORDER
) -> tuple[Path, list[Finding]]:
    tmp_path.mkdir(exist_ok=True)
    finisher, path = Finisher(shop, None, "2026-03-01"), tmp_path / "deck.pdf"
    cuts = [cut(shop)] * len(CONTENTS)
    finisher.finish(
        ShopJob(
            faces(tmp_path, *CONTENTS),
            cuts,
            order,
            "A (deck 1 0 R)",
            path,
            tmp_path / "lettered.pdf",
        )
    )
    return path, finisher.findings


def looks(path: Path) -> list[bytes]:
    return [
        page.render(scale=1).to_numpy().tobytes()
        for page in pypdfium2.PdfDocument(path)
    ]


@pytest.mark.parametrize(
    ("order", "parts"),
    [
        ((0, 1, 2, 3), [[0, 1], [2, 3]]),
        ((0, 0, 0, 1, 0, 1), [[0, 0, 0, 1, 0, 1]]),
        ((0, 1, None, 2, None), [[0, 1, None], [2, None]]),
        ((None, 0, 9, 1, 9), [[None, 0, 9], [1, 9]]),
        ((None, None), [[None, None]]),
    ],
)
def test_an_order_is_cut_where_there_would_be_too_many_faces(
    order: tuple, parts: list
) -> None:
    assert split_order(order, 2) == parts


@pytest.mark.parametrize("colour", [X1A, X4, RGB], ids=["x-1a", "x-4", "rgb"])
def test_a_deck_in_portions_is_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colour: Colour
) -> None:
    whole, told = finished(tmp_path / "whole", preset(colour))
    monkeypatch.setattr(module, "MAX_FACES_IN_MEMORY", 2)
    path, found = finished(tmp_path / "parts", preset(colour))
    one, other = read_pdf(whole), read_pdf(path)
    assert looks(path) == looks(whole)
    assert [(page.media, page.bleed, page.trim) for page in other.pages] == [
        (page.media, page.bleed, page.trim) for page in one.pages
    ]
    assert (other.version, other.standard, other.trapped) == (
        one.version,
        one.standard,
        one.trapped,
    )
    assert found == told, "what was flattened is told once, of the deck as a whole"
    with pikepdf.open(whole) as before, pikepdf.open(path) as after:
        assert dict(after.docinfo.items()) == dict(before.docinfo.items())
        assert ("/Metadata" in after.Root) == (colour.space == "cmyk")
        if colour.space == "cmyk":
            assert b"DeviceRGB" not in path.read_bytes()
            assert after.Root.Metadata.read_bytes() == before.Root.Metadata.read_bytes()
            (intent,) = after.Root.OutputIntents
            kept = before.Root.OutputIntents[0].DestOutputProfile
            assert intent.DestOutputProfile.read_bytes() == kept.read_bytes()
        assert path.read_bytes().count(b"/S /GTS_PDFX") == (colour.space == "cmyk")


def test_no_more_faces_than_a_portion_are_open_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay, open_at_once, objects = lay_out_pages, [], []

    def counted(pdf: pikepdf.Pdf, cuts: list[ShopPage], memo: ResultCache) -> None:
        open_at_once.append(len(pdf.pages))
        objects.append(len(pdf.objects))
        lay(pdf, cuts, memo)

    monkeypatch.setattr(module, "MAX_FACES_IN_MEMORY", 2)
    monkeypatch.setattr(module, "lay_out_pages", counted)
    finished(tmp_path, preset(X1A), (0, 1, 2, 3, 4))
    assert open_at_once == [2, 2, 1]
    assert objects[0] == objects[1], (
        "saving a file reads all its objects: there are none of other faces"
    )
    assert objects[2] < objects[0] < 2 * objects[2]


def test_what_portions_share_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FACES_IN_MEMORY", 1)
    source = faces(tmp_path, *[b"/Frame Do"] * 4)
    with pikepdf.open(source, allow_overwriting_input=True) as pdf:
        frame = pdf.make_stream(SOLID)
        frame["/Type"], frame["/Subtype"], frame["/BBox"] = (
            Name.XObject,
            Name.Form,
            Array([0, 0, 200, 300]),
        )
        for number, page in enumerate(pdf.pages):
            page.Resources["/XObject"] = Dictionary(Frame=frame)
            page.Contents = pdf.make_stream(b"/Frame Do %d 0 9 9 re f" % number)
        pdf.save(source)
    finisher, path = Finisher(preset(X4), None, "2026-03-01"), tmp_path / "deck.pdf"
    finisher.finish(
        ShopJob(
            source,
            [cut(preset(X4))] * 4,
            (0, 1, 2, 3),
            "A deck",
            path,
            tmp_path / "lettered.pdf",
        )
    )
    with pikepdf.open(path) as pdf:
        frames = {
            page.Resources.XObject.Face.Resources.XObject.Frame.objgen
            for page in pdf.pages
        }
        assert (len(pdf.pages), len(frames)) == (4, 1)
        assert len({page.obj.objgen for page in pdf.pages}) == 4


def test_images_of_a_deck_in_portions_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = preset(RGB).model_copy(update={"output": "png", "dpi": 72})
    source, cuts = faces(tmp_path, *CONTENTS), [cut(shop)] * len(CONTENTS)

    def drawn() -> list[bytes]:
        with ShopImages(source, cuts, shop, ResultCache()) as images:
            return [
                images.make_image(index, str(index)) for index in range(len(CONTENTS))
            ]

    whole = drawn()
    monkeypatch.setattr(module, "MAX_FACES_IN_MEMORY", 2)
    assert drawn() == whole


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_a_file_of_portions_is_without_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FACES_IN_MEMORY", 2)
    path, _ = finished(tmp_path, preset(X1A))
    run = subprocess.run(
        ["qpdf", "--check", path], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
