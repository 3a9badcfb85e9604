"""Pictures and gradients in inks, and graphics states and groups as a standard allows them."""

import zlib
from collections.abc import Callable
from io import BytesIO
from typing import cast

import pikepdf

from builder.messages import gettext as _
from builder.pdf import Array, Name, Object, Pdf, PdfError, Stream, list_entries
from builder.render.prepress.ink import Cmyk, Ink
from builder.render.prepress.paint import family
from builder.render.prepress.transparency import transparent

STEPS = 64
"""Samples of a gradient."""


def convert_picture(image: Object, ink: Ink) -> str:
    """Put a picture into inks where it is not; what cannot be done as words, else nothing."""
    if image.get("/ImageMask") or family(image.get("/ColorSpace")) in ("cmyk", "grey"):
        return ""
    try:
        picture = pikepdf.PdfImage(cast("Stream", image)).as_pil_image().convert("RGB")
    except (
        ValueError,
        OSError,
        NotImplementedError,
        PdfError,
        pikepdf.UnsupportedImageTypeError,
    ) as error:
        return f"a picture ({error})"
    inks = ink.picture(picture)
    lossy = str(image.get("/Filter", "")) == "/DCTDecode"
    for key in ("/DecodeParms", "/Decode", "/Mask"):
        if key in image:
            del image[key]
    image["/ColorSpace"], image["/BitsPerComponent"] = Name.DeviceCMYK, 8
    if lossy:
        out = BytesIO()
        inks.save(out, "JPEG", quality=95, subsampling=0)
        image.write(out.getvalue(), filter=Name.DCTDecode)
        image["/Decode"] = Array([1, 0] * 4)  # turned round, as the numbers of most programs are
    else:
        image.write(zlib.compress(inks.tobytes(), 9), filter=Name.FlateDecode)
    return ""


def convert_shading(shading: Object, ink: Ink, pdf: Pdf) -> str:
    """Put a gradient into inks where it is not; what cannot be done as words, else nothing."""
    if family(shading.get("/ColorSpace")) in ("cmyk", "grey"):
        return ""
    kind = int(shading.get("/ShadingType", 0))
    if kind not in (2, 3) or family(shading.get("/ColorSpace")) != "rgb":
        return _("a gradient of type {kind}", kind=kind)
    start, end = (float(edge) for edge in shading.get("/Domain", [0, 1]))
    try:
        rgb = _function(shading["/Function"])
        colours = [rgb(start + (end - start) * step / (STEPS - 1)) for step in range(STEPS)]
    except (NotImplementedError, ValueError) as error:
        return f"a gradient ({error})"
    grey = all(max(colour) - min(colour) < 0.012 for colour in colours)
    mix: Callable[..., Cmyk] = ink.flat if grey else ink.exact
    data = bytes(
        round(255 * part) for colour in colours for part in mix((colour[0], colour[1], colour[2]))
    )
    samples = pdf.make_stream(data)
    samples["/FunctionType"], samples["/BitsPerSample"] = 0, 8
    samples["/Domain"], samples["/Range"] = Array([start, end]), Array([0, 1] * 4)
    samples["/Size"] = Array([STEPS])
    shading["/Function"], shading["/ColorSpace"] = samples, Name.DeviceCMYK
    if "/Background" in shading:
        del shading["/Background"]
    return ""


def _function(function: Object) -> Callable[[float], list[float]]:
    """A PDF function of one number, exponential or stitched, or several side by side."""
    if isinstance(function, Array):
        parts = [_function(part) for part in list(function)]
        return lambda x: [value for part in parts for value in part(x)]
    kind = int(function["/FunctionType"])
    if kind == 2:
        first = [float(part) for part in function.get("/C0", [0])]
        last = [float(part) for part in function.get("/C1", [1])]
        exponent = float(function["/N"])
        return lambda x: [
            a + (b - a) * max(0.0, min(1.0, x)) ** exponent
            for a, b in zip(first, last, strict=True)
        ]
    if kind == 3:
        return _stitched(function)
    raise NotImplementedError(f"function of type {kind}")


def _stitched(function: Object) -> Callable[[float], list[float]]:
    parts = [_function(part) for part in list(function["/Functions"])]
    start, end = (float(edge) for edge in function["/Domain"])
    edges = [start, *(float(edge) for edge in function["/Bounds"]), end]
    codes = [float(part) for part in function["/Encode"]]

    def value(x: float) -> list[float]:
        index = sum(x >= edge for edge in edges[1:-1])
        low, high = edges[index], edges[index + 1]
        place = (x - low) / (high - low) if high > low else 0.0
        return parts[index](codes[2 * index] + place * (codes[2 * index + 1] - codes[2 * index]))

    return value


def shadings_of(resources: Object | None) -> list[Object]:
    """The gradients of a resource dictionary, those inside patterns too."""
    found = [item for _, item in list_entries(resources, "/Shading")]
    patterns = [item for _, item in list_entries(resources, "/Pattern")]
    return found + [item.Shading for item in patterns if int(item.get("/PatternType", 0)) == 2]


def opaque(resources: Object | None) -> None:
    """Take from graphics states what says that everything is opaque: some standards forbid even that."""
    for _unused, state in list_entries(resources, "/ExtGState"):
        if not transparent(state):
            for key in ("/ca", "/CA", "/SMask", "/BM", "/AIS"):
                if key in state:
                    del state[key]


def regroup(item: Object, *, allowed: bool) -> None:
    """A group blends in inks, or is none where the standard knows none."""
    if "/Group" in item:
        if allowed:
            item["/Group"]["/CS"] = Name.DeviceCMYK
        else:
            del item["/Group"]
