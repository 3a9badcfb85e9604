"""Colours in inks: what a drawing says before and after."""

from __future__ import annotations

from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from builder.errors import InputUnreadable
from builder.model.shop import Colour
from builder.pdf import read_instructions
from builder.render.prepress.ink import MAX_PROFILE_BYTES, Ink, find_profile
from builder.render.prepress.objects import convert_picture, convert_shading
from builder.render.prepress.paint import Painter

SHOP = Colour(
    space="cmyk",
    standard="pdf/x-1a",
    ink_limit=240,
    rich_black=(60, 40, 40, 100),
    transparency=False,
)
INK = Ink(SHOP, find_profile(SHOP))
PARTS = st.floats(0, 1)


def painted(
    content: bytes, resources: pikepdf.Dictionary | None = None
) -> tuple[list[str], set[str]]:
    """The colour operators of a page's content after conversion, and what was refused."""
    pdf = pikepdf.new()
    painter = Painter(INK, resources or pikepdf.Dictionary(), is_page=True)
    found = painter.rewrite(read_instructions(pdf.make_stream(content)))
    shown = [
        " ".join([*map(str, operands), name])
        for operands, name in found
        if name.lower() in ("k", "rg", "g", "cs")
    ]
    return shown[2:], painter.refused


def test_black_type_is_black_ink_alone() -> None:
    assert painted(b"0 0 0 rg BT ET") == (["0 0 0 1 k"], set())
    assert painted(b"0 g 0 G") == (["0 0 0 1 k", "0 0 0 1 K"], set())


def test_grey_is_black_ink_alone_and_white_is_none() -> None:
    assert painted(b"0.5 0.5 0.5 rg 1 1 1 RG")[0] == ["0 0 0 0.5 k", "0 0 0 0 K"]


def test_a_large_black_area_is_rich_and_what_follows_is_not() -> None:
    assert painted(b"0 0 0 rg 0 0 100 100 re f 0 0 5 5 re f")[0] == [
        "0 0 0 1 k",
        "0.6 0.4 0.4 1 k",
        "0 0 0 1 k",
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"0 0 0 rg 0 0 5 5 re f",
        b"0 0 0 rg 0 0 200 200 re 1 199 m 199 199 l 199 1 l 1 1 l h f",
        b"0 0 0 rg 0 0 100 100 re W n",
        b"0 0 0 rg 0.01 0 0 0.01 0 0 cm 0 0 100 100 re f",
        b"0 0 0 rg 0 0 0.5 2000 re f 1 1 1 rg 0 0 100 100 re f",
    ],
    ids=["small", "a frame", "a clip", "made small", "a line"],
)
def test_what_is_no_large_black_area_is_not_rich(content: bytes) -> None:
    assert not [line for line in painted(content)[0] if line.startswith("0.6")]


def test_a_colour_set_before_saving_counts_after_restoring() -> None:
    assert painted(b"0 0 0 rg q 1 0 0 rg Q 0 0 100 100 re f")[0][-2:] == [
        "0.6 0.4 0.4 1 k",
        "0 0 0 1 k",
    ]


def test_colours_of_chosen_spaces_become_inks_too() -> None:
    lines, refused = painted(b"/DeviceRGB cs 1 0 0 sc /DeviceRGB CS 0 0 0 SCN")
    assert not refused
    assert all(line.endswith((" k", " K")) for line in lines)


def test_letters_that_are_nearly_black_are_black_ink_alone_and_drawings_are_not() -> (
    None
):
    before, inside, after = painted(b"0.09 0.07 0.06 rg BT ET 0 0 5 5 re f")[0]
    assert before == after
    assert len([part for part in before.split()[:3] if part != "0"]) == 3
    assert inside.startswith("0 0 0 0.9")
    chosen_inside = painted(b"BT 0.09 0.07 0.06 rg ET 0 0 5 5 re f")[0]
    assert chosen_inside == [inside, before]


def test_letters_of_a_colour_keep_it() -> None:
    assert len(painted(b"0.2 0.4 0.9 rg BT ET")[0]) == 1


def test_what_cannot_be_converted_is_said() -> None:
    lab = pikepdf.Dictionary(
        ColorSpace=pikepdf.Dictionary(
            L=pikepdf.Array([pikepdf.Name.Lab, pikepdf.Dictionary()])
        )
    )
    assert painted(b"/L cs 50 0 0 sc", lab)[1]


@given(PARTS, PARTS, PARTS)
def test_no_colour_takes_more_ink_than_the_shop_allows(
    red: float, green: float, blue: float
) -> None:
    inks = INK.convert((red, green, blue))
    assert sum(inks) <= 2.4 + 1e-9
    assert all(0 <= part <= 1 for part in inks)


def test_no_spot_of_a_picture_takes_more_ink_than_the_shop_allows() -> None:
    picture = Image.new("RGB", (256, 64))
    picture.putdata([(x, y * 4, (x * y) % 256) for y in range(64) for x in range(256)])
    data = INK.convert_picture(picture).tobytes()
    assert max(sum(data[at : at + 4]) for at in range(0, len(data), 4)) <= 2.4 * 255 + 2


def stream(pdf: pikepdf.Pdf, picture: Image.Image) -> pikepdf.Stream:
    made = pdf.make_stream(picture.convert("RGB").tobytes())
    made["/Type"], made["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    made["/Width"], made["/Height"] = picture.size
    made["/ColorSpace"], made["/BitsPerComponent"] = pikepdf.Name.DeviceRGB, 8
    return made


def test_a_picture_is_turned_into_inks_and_looks_as_before() -> None:
    pdf = pikepdf.new()
    image = stream(pdf, Image.new("RGB", (3, 2), (200, 30, 40)))
    assert convert_picture(image, INK) == ""
    assert image.ColorSpace == pikepdf.Name.DeviceCMYK
    assert len(image.read_bytes()) == 3 * 2 * 4
    wanted = INK.convert_exactly((200 / 255, 30 / 255, 40 / 255))
    assert [part / 255 for part in image.read_bytes()[:4]] == pytest.approx(
        wanted, abs=0.03
    )


def test_a_photograph_stays_a_photograph() -> None:
    pdf = pikepdf.new()
    out = BytesIO()
    Image.new("RGB", (16, 16), (200, 30, 40)).save(out, "JPEG")
    image = stream(pdf, Image.new("RGB", (16, 16)))
    image.write(out.getvalue(), filter=pikepdf.Name.DCTDecode)
    assert convert_picture(image, INK) == ""
    assert (image.Filter, image.ColorSpace) == (
        pikepdf.Name.DCTDecode,
        pikepdf.Name.DeviceCMYK,
    )


def gradient(kind: int = 2) -> pikepdf.Dictionary:
    ends = pikepdf.Dictionary(
        FunctionType=2, Domain=[0, 1], C0=[1, 0, 0], C1=[0, 0, 1], N=1
    )
    joined = pikepdf.Dictionary(
        FunctionType=3, Domain=[0, 1], Functions=[ends, ends], Bounds=[Decimal("0.5")]
    )
    joined["/Encode"] = pikepdf.Array([0, 1, 0, 1])
    return pikepdf.Dictionary(
        ShadingType=kind,
        ColorSpace=pikepdf.Name.DeviceRGB,
        Coords=[0, 0, 1, 0],
        Function=joined,
    )


def test_a_gradient_is_turned_into_inks() -> None:
    pdf = pikepdf.new()
    shading = gradient()
    assert convert_shading(shading, INK, pdf) == ""
    assert shading.ColorSpace == pikepdf.Name.DeviceCMYK
    first = [part / 255 for part in shading.Function.read_bytes()[:4]]
    assert first == pytest.approx(INK.convert_exactly((1, 0, 0)), abs=0.01)


def test_a_mesh_is_refused() -> None:
    assert "type 6" in convert_shading(gradient(6), INK, pikepdf.new())


def test_a_profile_of_any_size_is_not_read(tmp_path) -> None:
    path = tmp_path / "endless.icc"
    with path.open("wb") as file:
        file.write(b"\0" * 16 + b"CMYK" + b"\0" * 16 + b"acsp" + b"\0" * 100)
        file.truncate(MAX_PROFILE_BYTES + 1)  # a sparse file
    with pytest.raises(InputUnreadable, match="larger than 20 MB"):
        find_profile(SHOP, path)
    with pytest.raises(InputUnreadable, match="not a regular file"):
        find_profile(SHOP, Path("/dev/zero"))


def test_a_profile_for_screens_is_refused(tmp_path) -> None:
    path = tmp_path / "screen.icc"
    path.write_bytes(b"\0" * 16 + b"RGB " + b"\0" * 16 + b"acsp" + b"\0" * 100)
    with pytest.raises(InputUnreadable):
        find_profile(SHOP, path)


def test_a_general_profile_in_place_of_the_asked_one_is_known() -> None:
    assert find_profile(SHOP).is_requested
    assert not find_profile(
        SHOP.model_copy(update={"profiles": ("nobody-has-this.icc",)})
    ).is_requested
