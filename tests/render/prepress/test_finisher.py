"""Whole files for shops, from hand-made pages.

Transparency, boxes, claims, and other programs' opinion of them.
"""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops

from builder.geometry.shop import ShopPage, find_shop_page
from builder.model.pack import Size
from builder.model.shop import Colour, Preset
from builder.pdfinfo.read import read_pdf
from builder.render.cache import ResultCache
from builder.render.prepress.finisher import Finisher, ShopJob
from builder.render.prepress.ink import Ink, find_profile
from builder.render.prepress.pages import write_shop_pages
from builder.render.prepress.transparency import (
    flatten,
    is_transparent,
    remove_invisible_paint,
)
from builder.units import to_points

SIZE = Size(width=63, height=88)
X1A = Colour(
    space="cmyk",
    standard="pdf/x-1a",
    ink_limit=240,
    rich_black=(60, 40, 40, 100),
    transparency=False,
)
X4 = Colour(space="cmyk", standard="pdf/x-4", ink_limit=300)
SOLID = b"0.2 0.4 0.8 rg 0 0 200 300 re f 1 0 0 RG 10 10 m 100 100 l S"
FAINT = SOLID + b" q /faint gs 1 1 0 rg 0 0 90 300 re f Q"


def preset(colour: Colour, bleed: float = 3.0) -> Preset:
    return Preset(id="shop", name={}, bleed=bleed, colour=colour)


def cut(shop: Preset) -> ShopPage:
    found = find_shop_page(SIZE, shop)
    assert isinstance(found, ShopPage)
    return found


def faces(folder: Path, *contents: bytes, size: tuple[float, float] = (69, 94)) -> Path:
    """Faces with 3 mm of bleed, drawn by these operators."""
    pdf = pikepdf.new()
    box = Array([0, 0, *(round(to_points(side), 4) for side in size)])
    for content in contents:
        states = Dictionary(
            ExtGState=Dictionary(faint=Dictionary(ca=0.5), plain=Dictionary(ca=1, CA=1))
        )
        page = Dictionary(
            Type=Name.Page,
            MediaBox=box,
            Resources=states,
            Contents=pdf.make_stream(content),
        )
        page["/Group"] = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    pdf.docinfo["/Title"] = "Faces"
    path = folder / "faces.pdf"
    pdf.save(path)
    return path


def finished(
    tmp_path: Path, shop: Preset, *contents: bytes, order: tuple[int | None, ...] = (0,)
) -> Path:
    finisher = Finisher(shop, None, "2026-03-01")
    path, cuts = tmp_path / "deck.pdf", [cut(shop)] * len(contents)
    finisher.finish(
        ShopJob(
            faces(tmp_path, *contents),
            cuts,
            order,
            "A deck",
            path,
            tmp_path / "lettered.pdf",
        )
    )
    return path


def test_an_x1a_file_says_so_and_holds_nothing_but_inks(tmp_path: Path) -> None:
    path = finished(tmp_path, preset(X1A), SOLID + b" /plain gs")
    facts = read_pdf(path)
    assert (facts.standard, facts.version, facts.trapped) == (
        "PDF/X-1a:2003",
        "1.4",
        "False",
    )
    assert facts.intents[0].components == 4
    page = facts.pages[0]
    assert page.group is None
    assert {shape.fill.family for shape in page.shapes if shape.fill} <= {"CMYK"}
    assert {shape.stroke.family for shape in page.shapes if shape.stroke} <= {"CMYK"}
    assert b"DeviceRGB" not in path.read_bytes()


def test_an_x4_file_keeps_transparency_and_blends_in_inks(tmp_path: Path) -> None:
    path = finished(tmp_path, preset(X4), FAINT)
    facts = read_pdf(path)
    assert (facts.standard, facts.version) == ("PDF/X-4", "1.6")
    assert any(item.look.transparent for item in facts.pages[0].items)
    assert b"DeviceRGB" not in path.read_bytes()


def test_transparency_is_drawn_where_it_is_forbidden_and_looks_the_same(
    tmp_path: Path,
) -> None:
    shop = preset(X1A)
    path = finished(tmp_path, shop, FAINT)
    page = read_pdf(path).pages[0]
    assert not any(item.look.transparent for item in page.items)
    assert len(list(page.images)) == 1
    with pikepdf.open(path) as pdf:
        image = next(iter(pdf.pages[0].Resources.XObject.values()))
        assert image.ColorSpace == Name.DeviceCMYK
    before = (
        pypdfium2.PdfDocument(write_shop_pages(faces(tmp_path, FAINT), [cut(shop)]))[0]
        .render(scale=1)
        .to_pil()
        .convert("RGB")
    )
    after = pypdfium2.PdfDocument(path)[0].render(scale=1).to_pil().convert("RGB")
    for spot in ((20, 100), (150, 100)):
        assert before.getpixel(spot) == pytest.approx(after.getpixel(spot), abs=45)


@pytest.mark.parametrize(
    ("content", "seen", "paints"),
    [
        (b"q /clear gs 9 9 50 50 re f Q 0 0 9 9 re f", False, [b"n", b"f"]),
        (b"/clear gs 9 9 50 50 re B /plain gs 0 0 9 9 re f", False, [b"S", b"f"]),
        (b"/clear gs 9 9 50 50 re f /faint gs 0 0 9 9 re f", True, [b"n", b"f"]),
        (b"/clear gs 9 9 50 50 re f BT (a) Tj ET", True, [b"f"]),
    ],
    ids=[
        "a clear area",
        "a clear area with its line",
        "a veil besides",
        "clear letters",
    ],
)
def test_what_is_painted_clear_is_left_out_and_flattens_nothing(
    tmp_path: Path, content: bytes, seen: bool, paints: list[bytes]
) -> None:
    with pikepdf.open(faces(tmp_path, content)) as pdf:
        page = pdf.pages[0]
        page.Resources.ExtGState["/clear"] = Dictionary(ca=0)
        remove_invisible_paint(pdf, ResultCache())
        assert [
            word
            for word in page.Contents.read_bytes().split()
            if word in (b"n", b"f", b"S", b"B")
        ] == paints
        assert is_transparent(page) == seen


WORD = "BT /F1 40 Tf 20 60 Td (HHH) Tj ET"
VEIL = "q /faint gs 1 0 0 rg 0 0 300 300 re f Q"


@pytest.mark.parametrize(
    ("content", "covered"),
    [
        (f"{VEIL} {WORD}", 0),
        (f"{WORD} {VEIL}", 1),
        (f"{WORD} 1 1 1 rg 0 0 300 120 re f {VEIL} 0 g", 1),
    ],
    ids=["type above", "a veil over type", "type hidden"],
)
def test_type_that_something_is_drawn_over_becomes_part_of_the_picture(
    tmp_path: Path, content: str, covered: int
) -> None:
    with pikepdf.open(faces(tmp_path, content.encode())) as pdf:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        pdf.pages[0].Resources["/Font"] = Dictionary(F1=pdf.make_indirect(font))
        before = look(pdf)
        assert flatten(pdf, Ink(X1A, find_profile(X1A))) == ([0], [0] * covered)
        after = look(pdf)
        assert ("/Type" in pdf.pages[0].Resources.XObject) == (not covered)
    assert (
        ImageChops.difference(before, after).reduce(4).convert("L").getextrema()[1] < 60
    )


def test_type_within_a_veiled_form_shines_through_and_becomes_part_of_the_picture(
    tmp_path: Path,
) -> None:
    """As exporters write the opacity of a block.

    A graphics state, then a form with the block's type in it.
    """
    content = f"1 0 0 rg 0 0 200 300 re f q /faint gs /Block Do Q {WORD}".encode()
    with pikepdf.open(faces(tmp_path, content)) as pdf:
        fonts = Dictionary(
            F1=pdf.make_indirect(
                Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
            )
        )
        block = pdf.make_stream(f"0 g 1 0 0 1 0 90 cm {WORD}".encode())
        block["/Type"], block["/Subtype"], block["/BBox"] = (
            Name.XObject,
            Name.Form,
            Array([0, 0, 200, 300]),
        )
        block["/Resources"], block["/Group"] = (
            Dictionary(Font=fonts),
            Dictionary(S=Name.Transparency, I=True),
        )
        page = pdf.pages[0]
        page.Resources["/Font"], page.Resources["/XObject"] = (
            fonts,
            Dictionary(Block=block),
        )
        before = look(pdf)
        assert flatten(pdf, Ink(X1A, find_profile(X1A))) == ([0], [])
        after = look(pdf)
        letters = page.Resources.XObject["/Type"]
        assert letters.read_bytes().count(b"Tj") == 1, "opaque type stays type"
        assert b"Do" not in letters.read_bytes()
    assert (
        ImageChops.difference(before, after).reduce(4).convert("L").getextrema()[1] < 60
    )


def look(pdf: pikepdf.Pdf) -> Image.Image:
    out = BytesIO()
    pdf.save(out)
    return (
        pypdfium2.PdfDocument(out.getvalue())[0].render(scale=2).to_pil().convert("RGB")
    )


def test_all_boxes_are_right_for_a_bleed_larger_than_the_faces(tmp_path: Path) -> None:
    shop = preset(X1A, bleed=3.175)
    page = read_pdf(finished(tmp_path, shop, SOLID)).pages[0]
    assert (page.media.width, page.media.height) == pytest.approx(
        (69.35, 94.35), abs=0.01
    )
    assert page.bleed == page.media
    assert (
        page.trim.x,
        page.trim.y,
        page.trim.width,
        page.trim.height,
    ) == pytest.approx((3.175, 3.175, 63, 88), abs=0.01)


def test_the_page_is_painted_to_its_very_edge(tmp_path: Path) -> None:
    shop = preset(X1A, bleed=4)
    face = b"0.2 0.4 0.8 rg 0 0 %f %f re f" % (to_points(69), to_points(94))
    picture = (
        pypdfium2.PdfDocument(finished(tmp_path, shop, face))[0]
        .render(scale=4)
        .to_pil()
        .convert("RGB")
    )
    width, height = picture.size
    middle = picture.getpixel((width // 2, height // 2))
    edges = [
        (1, 1),
        (width - 3, 1),
        (1, height - 3),
        (width - 3, height - 3),
        (width // 2, 2),
        (2, height // 2),
    ]
    assert {picture.getpixel(edge) for edge in edges} == {middle}


CORNERS = b"1 0 0 rg 0 0 30 30 re f 0 0 1 rg %f %f 30 30 re f" % (
    to_points(94) - 30,
    to_points(69) - 30,
)
"""A lying face: its lower left corner red, its upper right one blue."""


@pytest.mark.parametrize(("back", "red"), [(False, "top left"), (True, "bottom right")])
def test_a_lying_face_is_turned_clockwise_and_a_back_the_other_way(
    tmp_path: Path, back: bool, red: str
) -> None:
    shop = preset(X1A, bleed=4)
    found = find_shop_page(Size(width=88, height=63), shop)
    assert isinstance(found, ShopPage)
    data = write_shop_pages(
        faces(tmp_path, CORNERS, size=(94, 69)), [found.back_page if back else found]
    )
    picture = pypdfium2.PdfDocument(data)[0].render(scale=1).to_pil().convert("RGB")
    width, height = picture.size
    assert width < height
    spots = {"top left": (2, 2), "bottom right": (width - 3, height - 3)}
    seen = {name: picture.getpixel(spot) for name, spot in spots.items()}
    assert seen.pop(red) == (255, 0, 0)
    assert set(seen.values()) == {(0, 0, 255)}


def test_an_empty_back_has_the_boxes_of_the_others(tmp_path: Path) -> None:
    path = finished(tmp_path, preset(X1A), SOLID, order=(0, None, 0))
    pages = read_pdf(path).pages
    assert len(pages) == 3
    assert pages[1].trim == pages[0].trim
    assert not pages[1].items
    with pikepdf.open(path) as pdf:
        assert all(len(page.Contents.read_raw_bytes()) for page in pdf.pages), (
            "compressed data of no length is damaged"
        )


def test_the_same_faces_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = (
        finished(tmp_path / name, preset(X1A), FAINT, SOLID, order=(1, 0))
        for name in "ab"
    )
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("colour", [X1A, X4], ids=["x-1a", "x-4"])
def test_other_programs_open_the_file_without_a_complaint(
    tmp_path: Path, colour: Colour
) -> None:
    path = finished(tmp_path, preset(colour), FAINT, SOLID, order=(0, 1, None))
    commands = (
        ["qpdf", "--check", path],
        ["gs", "-q", "-o", "-", "-sDEVICE=inkcov", path],
        ["mutool", "info", path],
    )
    for command in commands:
        if shutil.which(command[0]):
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            assert run.returncode == 0, run.stderr
            assert "RGB" not in run.stdout
            assert "rror" not in run.stderr
