"""Convert pictures, gradients, graphics states and groups for a printing standard."""

import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TypeAlias, cast

import pikepdf

from builder.messages import gettext as _
from builder.pdf import Array, Name, Object, Pdf, PdfError, Stream, list_entries
from builder.render.prepress.ink import MAX_GREY_DIFFERENCE, Ink
from builder.render.prepress.paint import find_family
from builder.render.prepress.transparency import has_transparency

GRADIENT_SAMPLES = 64
Function: TypeAlias = Callable[[float], list[float]]


def convert_picture(image: Object, ink: Ink) -> str:
    """Convert the colors of a picture to inks. Return a message if parts cannot be converted."""
    if image.get("/ImageMask") or find_family(image.get("/ColorSpace")) in (
        "cmyk",
        "grey",
    ):
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
    inks = ink.convert_picture(picture)
    is_jpeg = str(image.get("/Filter", "")) == "/DCTDecode"
    # These describe the old data: its compression, its range and a transparent colour.
    for key in ("/DecodeParms", "/Decode", "/Mask"):
        if key in image:
            del image[key]
    image["/ColorSpace"] = Name.DeviceCMYK
    image["/BitsPerComponent"] = 8
    if is_jpeg:
        out = BytesIO()
        inks.save(out, "JPEG", quality=95, subsampling=0)
        image.write(out.getvalue(), filter=Name.DCTDecode)
        # Pillow writes inverted values into JPEG, as most programs do.
        image["/Decode"] = Array([1, 0] * 4)
    else:
        image.write(zlib.compress(inks.tobytes(), 9), filter=Name.FlateDecode)
    return ""


def convert_shading(shading: Object, ink: Ink, pdf: Pdf) -> str:
    """Convert the colors of a gradient to inks. Return a message if parts cannot be converted."""
    family = find_family(shading.get("/ColorSpace"))
    if family in ("cmyk", "grey"):
        return ""
    kind = int(shading.get("/ShadingType", 0))
    # Type 2 runs along a line, type 3 between two circles.
    if kind not in (2, 3) or family != "rgb":
        return _("a gradient of type {kind}", kind=kind)
    start, end = (float(edge) for edge in shading.get("/Domain", [0, 1]))
    step = (end - start) / (GRADIENT_SAMPLES - 1)
    try:
        find_colour = _read_function(shading["/Function"])
        colours = [
            find_colour(start + step * index) for index in range(GRADIENT_SAMPLES)
        ]
    except (NotImplementedError, ValueError) as error:
        return f"a gradient ({error})"
    samples = pdf.make_stream(_convert_samples(colours, ink))
    samples["/FunctionType"] = 0
    samples["/BitsPerSample"] = 8
    samples["/Domain"] = Array([start, end])
    samples["/Range"] = Array([0, 1] * 4)
    samples["/Size"] = Array([GRADIENT_SAMPLES])
    shading["/Function"] = samples
    shading["/ColorSpace"] = Name.DeviceCMYK
    if "/Background" in shading:
        del shading["/Background"]
    return ""


def _convert_samples(colours: Sequence[Sequence[float]], ink: Ink) -> bytes:
    """Return the colors of a gradient as inks. A grey gradient uses black ink only."""
    is_grey = all(max(colour) - min(colour) < MAX_GREY_DIFFERENCE for colour in colours)
    convert = ink.convert if is_grey else ink.convert_exactly
    data = bytearray()
    for red, green, blue in colours:
        data += bytes(round(255 * part) for part in convert((red, green, blue)))
    return bytes(data)


def _read_function(function: Object) -> Function:
    """Read a PDF function with one input, as a Python function."""
    if isinstance(function, Array):
        return _join_functions([_read_function(part) for part in list(function)])
    kind = int(function["/FunctionType"])
    if kind == 2:
        return _make_exponential(function)
    if kind == 3:
        return _make_stitched(function)
    raise NotImplementedError(f"function of type {kind}")


def _join_functions(parts: Sequence[Function]) -> Function:
    def evaluate(x: float) -> list[float]:
        values: list[float] = []
        for part in parts:
            values += part(x)
        return values

    return evaluate


def _make_exponential(function: Object) -> Function:
    first = [float(part) for part in function.get("/C0", [0])]
    last = [float(part) for part in function.get("/C1", [1])]
    exponent = float(function["/N"])

    def evaluate(x: float) -> list[float]:
        # Beyond its domain a function has the values of its ends.
        share = max(0.0, min(1.0, x)) ** exponent
        return [
            low + (high - low) * share for low, high in zip(first, last, strict=True)
        ]

    return evaluate


def _make_stitched(function: Object) -> Function:
    parts = [_read_function(part) for part in list(function["/Functions"])]
    start, end = (float(edge) for edge in function["/Domain"])
    bounds = [float(edge) for edge in function["/Bounds"]]
    edges = [start, *bounds, end]
    encodings = [float(part) for part in function["/Encode"]]

    def evaluate(x: float) -> list[float]:
        # Each bound that is passed leads to the next part.
        index = sum(x >= bound for bound in bounds)
        low = edges[index]
        high = edges[index + 1]
        share = (x - low) / (high - low) if high > low else 0.0
        first = encodings[2 * index]
        last = encodings[2 * index + 1]
        return parts[index](first + share * (last - first))

    return evaluate


def list_shadings(resources: Object | None) -> list[Object]:
    """Return the gradients in a resource dictionary, including those inside patterns."""
    shadings = [shading for _name, shading in list_entries(resources, "/Shading")]
    for _name, pattern in list_entries(resources, "/Pattern"):
        if int(pattern.get("/PatternType", 0)) == 2:
            shadings.append(pattern.Shading)
    return shadings


def remove_opaque_states(resources: Object | None) -> None:
    """Remove graphics states that say everything is opaque, because some standards forbid them."""
    for _name, state in list_entries(resources, "/ExtGState"):
        if not has_transparency(state):
            for key in ("/ca", "/CA", "/SMask", "/BM", "/AIS"):
                if key in state:
                    del state[key]


def convert_group(item: Object, *, allowed: bool) -> None:
    """Make a transparency group blend in inks. Remove it if the standard forbids groups."""
    if "/Group" in item:
        if allowed:
            item["/Group"]["/CS"] = Name.DeviceCMYK
        else:
            del item["/Group"]
