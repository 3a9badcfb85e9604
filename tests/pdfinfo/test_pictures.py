"""Images are read for what they are, and what is none is refused in words."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageCms, ImageDraw, ImageFile

from builder.errors import InputUnreadable
from builder.pdfinfo.pictures import make_thumbnail, read_raster


def saved(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def test_size_resolution_and_profile_are_read(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    path = saved(
        tmp_path / "a.png",
        Image.new("RGB", (30, 40), "red"),
        dpi=(300, 300),
        icc_profile=profile,
    )
    found = read_raster(path)
    assert (found.form, found.pixels, found.mode, found.alpha) == (
        "PNG",
        (30, 40),
        "RGB",
        False,
    )
    assert found.dpi == pytest.approx((300, 300), abs=0.1)
    assert "srgb" in found.profile.lower()
    assert found.drawn_area is None
    bare = read_raster(saved(tmp_path / "b.jpg", Image.new("CMYK", (30, 40))))
    assert (bare.form, bare.mode, bare.dpi, bare.profile) == ("JPEG", "CMYK", None, "")
    assert read_raster(
        saved(tmp_path / "c.png", Image.new("RGB", (9, 9)), icc_profile=b"no profile")
    ).profile


def test_what_is_not_opaque_and_what_is_drawn_has_a_place(tmp_path: Path) -> None:
    image = Image.new("RGBA", (40, 60), (255, 255, 255, 255))
    ImageDraw.Draw(image).rectangle((5, 6, 29, 39), fill=(0, 0, 90, 255))
    opaque = read_raster(saved(tmp_path / "a.png", image))
    assert (opaque.alpha, opaque.clear, opaque.drawn_area) == (
        True,
        None,
        (5, 6, 30, 40),
    )
    image.paste((0, 0, 0, 254), (10, 20, 14, 26))
    assert read_raster(saved(tmp_path / "b.png", image)).clear == (10, 20, 14, 26)
    indexed = Image.new("P", (10, 10))
    indexed.putpalette([0, 0, 0, 255, 0, 0])
    indexed.paste(1, (2, 3, 4, 5))
    found = read_raster(saved(tmp_path / "c.png", indexed, transparency=1))
    assert (found.mode, found.clear) == ("P", (2, 3, 4, 5))


def test_what_compression_leaves_of_one_colour_is_not_drawn(tmp_path: Path) -> None:
    image = Image.new("RGB", (200, 200), (250, 250, 246))
    ImageDraw.Draw(image).rectangle((64, 64, 127, 127), fill=(10, 10, 60))
    found = read_raster(saved(tmp_path / "a.jpg", image, quality=90)).drawn_area
    assert found is not None
    assert found == pytest.approx((64, 64, 128, 128), abs=8)


def test_equal_pixels_have_one_digest_however_they_are_kept(tmp_path: Path) -> None:
    image = Image.effect_mandelbrot((60, 40), (-2, -1, 1, 1), 20).convert("RGB")
    files = [saved(tmp_path / f"a.{form}", image) for form in ("png", "bmp", "tiff")]
    assert len({read_raster(path).shade for path in files}) == 1
    image.putpixel((5, 5), (1, 2, 3))
    assert (
        read_raster(saved(tmp_path / "b.png", image)).shade
        != read_raster(files[0]).shade
    )


def test_what_is_no_image_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    (tmp_path / "text.png").write_text("no image", "utf-8")
    whole = saved(tmp_path / "whole.png", Image.effect_noise((80, 80), 50))
    (tmp_path / "short.png").write_bytes(whole.read_bytes()[:1500])
    for name in ("text.png", "short.png", "missing.png", "."):
        with pytest.raises(InputUnreadable) as caught:
            read_raster(tmp_path / name)
        assert caught.value.remedy


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "CMYK", "L", "P", "LA", "I;16", "1"])
def test_every_sort_of_image_can_be_shown(tmp_path: Path, mode: str) -> None:
    path = saved(tmp_path / "a.tiff", Image.new(mode, (400, 200)))
    with Image.open(BytesIO(make_thumbnail(path, 100))) as small:
        assert (small.format, small.size, small.mode) == ("JPEG", (100, 50), "RGB")


def test_tips_at_an_edge_fill_little_of_it_and_a_side_fills_it_all(
    tmp_path: Path,
) -> None:
    image = Image.new("RGB", (120, 120), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 30, 99, 99), fill="navy")
    for x in range(30, 90, 20):
        draw.polygon([(x - 5, 30), (x + 5, 30), (x, 10)], fill="navy")
    found = read_raster(saved(tmp_path / "a.png", image))
    assert found.drawn_area == (20, 10, 100, 100)
    left, top, right, foot = found.filled
    assert (left, right, foot) == (70 / 90, 70 / 90, 1)
    assert 0 < top < 0.1
