from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from builder.errors import InputUnreadable
from builder.findings import Box
from builder.model.pdf import Paint, Pdf, PdfText, Shape, find_visible_box, list_paints
from builder.pdfinfo.read import read_pdf
from builder.units import from_points
from tests.pdfinfo.make import helvetica, page

PT = from_points(1)


def close(box: Box, x: float, y: float, width: float, height: float) -> bool:
    """Equal to a micrometre; the expected box is given in points from the top left."""
    found = (box.x, box.y, box.width, box.height)
    return found == pytest.approx((x * PT, y * PT, width * PT, height * PT), abs=1e-3)


def one(pdf: Pdf) -> Shape:
    (shape,) = pdf.pages[0].shapes
    return shape


def test_a_rectangle_is_measured_from_the_top_left(tmp_path: Path) -> None:
    shape = one(read_pdf(page(tmp_path / "a.pdf", "1 0 0 rg 10 20 30 40 re f")))
    assert close(shape.box, 10, 40, 30, 40)
    assert shape.fill == Paint("DeviceRGB", (1, 0, 0))
    assert shape.stroke is None


def test_a_curve_is_measured_by_where_it_turns_not_by_its_handles(
    tmp_path: Path,
) -> None:
    shape = one(read_pdf(page(tmp_path / "a.pdf", "0 0 m 0 40 40 40 40 0 c S")))
    assert close(shape.box, 0, 70, 40, 30)


def test_transforms_nest_and_scale_the_stroke(tmp_path: Path) -> None:
    shape = one(
        read_pdf(
            page(
                tmp_path / "a.pdf",
                "q 2 0 0 2 10 10 cm q 1 0 0 1 5 5 cm 3 w 0 0 10 10 re S Q Q",
            )
        )
    )
    assert close(shape.box, 20, 60, 20, 20)
    assert shape.width == pytest.approx(6 * PT)


@pytest.mark.parametrize(
    ("turn", "box"),
    [(0, (0, 90, 20, 10)), (90, (0, 0, 10, 20)), (180, (180, 0, 20, 10))],
)
def test_a_turned_page_is_measured_as_it_is_seen(
    tmp_path: Path, turn: int, box: tuple[float, ...]
) -> None:
    pdf = read_pdf(page(tmp_path / "a.pdf", "0 0 20 10 re f", Rotate=turn))
    assert close(one(pdf).box, *box)
    assert close(pdf.pages[0].media, 0, 0, *((100, 200) if turn == 90 else (200, 100)))


def test_boxes_fall_back_as_the_standard_says(tmp_path: Path) -> None:
    made = read_pdf(
        page(
            tmp_path / "a.pdf",
            "",
            CropBox=Array([10, 10, 190, 90]),
            TrimBox=Array([20, 20, 180, 80]),
        )
    )
    found = made.pages[0]
    assert close(found.trim, 20, 20, 160, 60)
    assert close(found.bleed, 10, 10, 180, 80)
    assert found.declared_boxes == {"MediaBox", "CropBox", "TrimBox"}


def test_text_has_its_effective_size_and_width(tmp_path: Path) -> None:
    resources = Dictionary(Font=Dictionary(F1=helvetica()))
    content = "BT /F1 10 Tf 2 0 0 2 20 30 Tm 1 Tc (abc) Tj ET"
    (text,) = read_pdf(page(tmp_path / "a.pdf", content, resources)).pages[0].texts
    assert text.text == "abc"
    assert text.size == pytest.approx(20)
    assert close(text.box, 20, 54, 36, 20)
    assert (text.font, text.visible) == ("Helvetica", True)


def test_invisible_text_is_reported_separately(tmp_path: Path) -> None:
    resources = Dictionary(Font=Dictionary(F1=helvetica()))
    (text,) = (
        read_pdf(page(tmp_path / "a.pdf", "BT 3 Tr /F1 10 Tf (abc) Tj ET", resources))
        .pages[0]
        .texts
    )
    assert not text.visible


def test_a_font_that_is_not_embedded_is_said_so(tmp_path: Path) -> None:
    resources = Dictionary(Font=Dictionary(F1=helvetica()))
    (font,) = read_pdf(
        page(tmp_path / "a.pdf", "BT /F1 9 Tf (a) Tj ET", resources)
    ).fonts
    assert (font.name, font.embedded, font.subset) == ("Helvetica", False, False)


def test_the_resolution_of_a_picture_is_that_on_paper(tmp_path: Path) -> None:
    pdf = pikepdf.new()
    image = pdf.make_stream(bytes(30 * 10))
    image["/Type"], image["/Subtype"] = Name.XObject, Name.Image
    (
        image["/Width"],
        image["/Height"],
        image["/BitsPerComponent"],
        image["/ColorSpace"],
    ) = (
        10,
        10,
        8,
        Name.DeviceRGB,
    )
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 200, 100]),
        Resources=Dictionary(XObject=Dictionary(Im=image)),
        Contents=pdf.make_stream(b"q 72 0 0 36 10 10 cm /Im Do Q"),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(tmp_path / "a.pdf")
    (found,) = read_pdf(tmp_path / "a.pdf").pages[0].images
    assert found.dpi == pytest.approx((10, 20))
    assert (found.pixels, found.paint.family) == ((10, 10), "RGB")
    assert close(found.box, 10, 54, 72, 36)


def test_a_form_is_read_through_its_matrix_clip_and_group(tmp_path: Path) -> None:
    pdf = pikepdf.new()
    form = pdf.make_stream(b"/Tag <</Id (x)>> BDC 0.2 0.1 0 0.6 k 0 0 50 50 re f EMC")
    form["/Type"], form["/Subtype"] = Name.XObject, Name.Form
    form["/BBox"], form["/Matrix"] = Array([0, 0, 20, 20]), Array([1, 0, 0, 1, 30, 40])
    form["/Group"] = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 200, 100]),
        Resources=Dictionary(
            XObject=Dictionary(Fm=form), ExtGState=Dictionary(G=Dictionary(ca=0.5))
        ),
        Contents=pdf.make_stream(b"/G gs /Fm Do"),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(tmp_path / "a.pdf")
    found = read_pdf(tmp_path / "a.pdf")
    shape = one(found)
    assert close(shape.box, 30, 10, 50, 50)
    assert close(find_visible_box(shape), 30, 40, 20, 20)
    assert (shape.look.alpha, shape.look.transparent, shape.look.form) == (0.5, True, 1)
    assert shape.look.tags == ("Tag:x",)
    assert list_paints(shape)[0].ink == pytest.approx(90)
    assert found.pages[0].groups[0].space == "DeviceRGB"
    assert [item for item in found.pages[0].items if "Tag:x" in item.look.tags] == [
        shape
    ]


@pytest.mark.parametrize(("turned", "top"), [(1, 50), (-1, 30)])
def test_the_cell_of_a_tiling_is_read_where_the_filled_area_begins(
    tmp_path: Path, turned: int, top: int
) -> None:
    pdf = pikepdf.new()
    cell = pdf.make_stream(b"0.5 w 1 0 0 RG 0 1 m 4 1 l S")
    cell["/PatternType"], cell["/PaintType"], cell["/TilingType"] = 1, 1, 1
    cell["/BBox"], cell["/XStep"], cell["/YStep"] = Array([0, 0, 4, 2]), 4, 2
    cell["/Matrix"], cell["/Resources"] = (
        Array([10, 0, 0, 10 * turned, 0, 0]),
        Dictionary(),
    )
    contents = (
        "q 5 0 0 5 0 0 cm /Pattern cs /P scn 16 8 16 8 re f Q 0 0 0 1 k 0 0 5 5 re f"
    )
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 200, 100]),
        Resources=Dictionary(Pattern=Dictionary(P=cell)),
        Contents=pdf.make_stream(contents.encode()),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(tmp_path / "a.pdf")
    found = read_pdf(tmp_path / "a.pdf").pages[0]
    area, line, after = found.shapes
    assert area.fill is not None
    assert area.fill.space == "Pattern"
    assert line.stroke == Paint("DeviceRGB", (1, 0, 0))
    assert close(line.box, 80, top, 40, 0)
    assert line.width == pytest.approx(5 * PT)
    assert after.fill == Paint("DeviceCMYK", (0, 0, 0, 1))


def test_spot_colours_and_profiles_name_what_they_rest_on(tmp_path: Path) -> None:
    pdf = pikepdf.new()
    profile = pdf.make_stream(b"")
    profile["/N"] = 4
    spot = Array(
        [
            Name.Separation,
            Name("/Gold"),
            Name.DeviceCMYK,
            Dictionary(FunctionType=2, N=1, Domain=[0, 1]),
        ]
    )
    spaces = Dictionary(S=spot, I=Array([Name.ICCBased, profile]))
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 200, 100]),
        Resources=Dictionary(ColorSpace=spaces),
        Contents=pdf.make_stream(
            b"/S cs 0.5 scn 0 0 5 5 re f /I cs 0 0 0 1 scn 0 0 5 5 re f"
        ),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(tmp_path / "a.pdf")
    gold, black = [shape.fill for shape in read_pdf(tmp_path / "a.pdf").pages[0].shapes]
    assert gold == Paint("Separation", (0.5,), "DeviceCMYK", "Gold")
    assert black == Paint("ICCBased", (0, 0, 0, 1), "DeviceCMYK", calibrated=True)


@pytest.mark.parametrize(
    "content",
    ["Q Q 1 0 cm re f BT (x) Tj", "/No Do /No gs /No sh", "EMC EMC /A cs 1 scn"],
)
def test_odd_content_is_passed_over(tmp_path: Path, content: str) -> None:
    assert not [
        item
        for item in read_pdf(page(tmp_path / "a.pdf", content)).pages[0].items
        if not isinstance(item, PdfText)
    ]


@pytest.mark.parametrize("data", [b"", b"not a pdf", b"%PDF-1.7\ntruncated"])
def test_what_is_no_pdf_is_refused_with_a_remedy(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(data)
    with pytest.raises(InputUnreadable) as caught:
        read_pdf(tmp_path / "a.pdf")
    assert caught.value.remedy


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable):
        read_pdf(tmp_path / "none.pdf")


def test_a_damaged_operator_is_counted_and_hides_no_other(tmp_path: Path) -> None:
    resources = Dictionary(
        ExtGState=Dictionary(G=Dictionary(ca=Name.Wrong)), Font=Dictionary(F1=Array([]))
    )
    (found,) = read_pdf(
        page(tmp_path / "a.pdf", "/G gs /F1 9 Tf 0 0 20 10 re f", resources)
    ).pages
    assert found.damaged == 1
    assert len(list(found.shapes)) == 1


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable):
        read_pdf(tmp_path)


SCRAPS = [
    b"/Name",
    b"1",
    b"-3.5",
    b"[1 2]",
    b"<</A 1>>",
    b"(x)",
    b"null",
    b"true",
    b"99999999999",
    b"",
]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_read_or_refused_but_never_breaks_the_reader(
    tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    resources = Dictionary(
        Font=Dictionary(F1=helvetica()),
        ExtGState=Dictionary(G=Dictionary(ca=0.5, BM=Name.Multiply)),
    )
    path = page(
        tmp_path / "a.pdf",
        "q /G gs 1 0 0 1 5 5 cm 0 0 9 9 re f BT /F1 9 Tf (abc) Tj ET Q",
        resources,
    )
    with pikepdf.open(path) as pdf:
        pdf.save(
            tmp_path / "b.pdf",
            qdf=True,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
        )
    parts = re.split(rb"(\s+)", (tmp_path / "b.pdf").read_bytes())
    for _ in range(6):
        parts[dice.randrange(len(parts))] = dice.choice(SCRAPS)
    path.write_bytes(b"".join(parts))
    with suppress(InputUnreadable):
        read_pdf(path)


def test_copies_of_a_page_are_numbered_apart(tmp_path: Path) -> None:
    with pikepdf.open(page(tmp_path / "a.pdf", "0 0 20 10 re f")) as pdf:
        pdf.pages.append(pdf.pages[0])
        pdf.save(tmp_path / "b.pdf")
    first, second = read_pdf(tmp_path / "b.pdf").pages
    assert (first.number, second.number) == (1, 2)
    assert first.items == second.items != ()


def test_a_picture_with_a_soft_mask_needs_transparency(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        mask = pdf.make_stream(
            b"\x80", Subtype=Name.Image, Width=1, Height=1, ColorSpace=Name.DeviceGray
        )
        keys = {
            "Subtype": Name.Image,
            "Width": 1,
            "Height": 1,
            "ColorSpace": Name.DeviceGray,
            "BitsPerComponent": 8,
        }
        hard = pdf.make_stream(b"\x80", **keys, Mask=Array([0, 0]))
        soft = pdf.make_stream(b"\x80", **keys, SMask=mask)
        pdf.add_blank_page(page_size=(200, 100))
        pdf.pages[0].Resources = Dictionary(XObject=Dictionary(A=hard, B=soft))
        pdf.pages[0].Contents = pdf.make_stream(b"/A Do /B Do")
        pdf.save(tmp_path / "a.pdf")
    one, other = read_pdf(tmp_path / "a.pdf").pages[0].images
    assert one.look.transparent is False
    assert other.look.transparent is True
