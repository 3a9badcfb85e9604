"""Checks one image: format, colors, exact pixels, and art that reaches the edge."""

from collections.abc import Iterator

from builder.checks.images.face import ImageFace, describe_pixels
from builder.checks.preflight.contents import FORMAT
from builder.findings import Finding, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define
from builder.model.shop import format_size_name
from builder.model.words import get_term

MODE = define(
    "preflight/image-colours",
    _("An image has a colour format that the shop does not accept"),
    _(
        "CMYK images get wrong colours or are refused. Some shops also refuse 16 bits per "
        "channel and palettes."
    ),
    _("Save it as RGB with 8 bits per channel."),
)
CLEAR = define(
    "preflight/image-transparent",
    _("Part of an image is transparent"),
    _(
        "The shop's software decides what is printed there: white, black or nothing. "
        "Transparent corners have no bleed."
    ),
    _("Extend the art to all edges and save the image without transparency."),
)
PROFILE = define(
    "preflight/image-profile",
    _("An image has a colour profile other than sRGB"),
    _("Shops treat the colours as sRGB, so they become paler or stronger."),
    _("Convert it to sRGB."),
    Severity.WARNING,
)
PIXELS = define(
    "preflight/image-pixels",
    _("An image does not have the shop's size in pixels"),
    _(
        "The shop refuses the image or scales it. Then text becomes blurred and the cut moves."
    ),
    _(
        "Export the image in exactly this size, including bleed. Do not scale a finished image."
    ),
)
ENTRY = define(
    "preflight/image-resolution-entry",
    _("The resolution stored in an image differs from the shop's resolution"),
    _("Programs that use this resolution print the card larger or smaller."),
    _("Store the shop's resolution in the file. The pixels do not change."),
    Severity.WARNING,
)
ENDS = define(
    "preflight/image-ends-at-cut",
    _("The artwork of an image ends at the cut"),
    _(
        "The bleed is empty. If the cut is slightly off, a strip of another colour shows next to "
        "the artwork."
    ),
    _("Extend the art to the edge of the image instead of adding a border."),
    Severity.WARNING,
)

COMMON_FORMATS = ("PNG", "JPEG")
"""Formats that every shop's page reads."""
PLAIN_MODES = {"RGB", "RGBA", "L", "LA"}
"""Colours with 8 bits that every program reads alike."""
DPI_TOLERANCE = 0.02
"""Share by which a resolution may differ: formats round it to whole pixels a metre."""
CUT_TOLERANCE_MM = 0.35
"""Mm within which art that ends beside the cut ends at it."""
EVEN_BORDER_TOLERANCE_MM = 0.2
"""Mm within which borders on all sides are of one width."""
MAX_PATTERN_SHARE = 0.25
"""The maximum share of an edge that the tips of a pattern fill. Art fills more."""


def check(face: ImageFace) -> Iterator[Finding]:
    """Check the colors, size and resolution of an image, and that its art fills the bleed."""
    yield from _check_colors(face)
    yield from _check_pixels(face)
    yield from _check_resolution(face)
    yield from _check_edges(face)


def _check_colors(face: ImageFace) -> Iterator[Finding]:
    raster = face.raster
    expected_format = face.preset.output.upper()
    if raster.form != expected_format:
        # shops convert one common format into another
        are_common = {raster.form, expected_format} <= set(COMMON_FORMATS)
        severity = Severity.WARNING if are_common else Severity.ERROR
        message = _(
            "{form}; the shop requires {wanted}",
            form=raster.form,
            wanted=expected_format,
        )
        yield FORMAT.finding(message, face.locate(), severity=severity)
    if raster.mode not in PLAIN_MODES:
        severity = (
            Severity.ERROR if raster.mode in ("CMYK", "YCCK") else Severity.WARNING
        )
        mode = raster.mode
        # Pillow's modes I, I;16 and F have more than 8 bits
        if mode[0] in "IF":
            mode = _("16 or more bits per channel")
        elif mode in ("P", "PA"):
            mode = _("a palette")
        message = _("the colour mode is {mode}", mode=mode)
        yield MODE.finding(message, face.locate(), severity=severity)
    if raster.clear is not None:
        yield CLEAR.finding(
            _("the image is transparent here"), face.locate(raster.clear)
        )
    elif raster.alpha:
        message = _("it has an alpha channel, although it is fully opaque")
        yield CLEAR.finding(message, face.locate(), severity=Severity.WARNING)
    if raster.profile and "srgb" not in raster.profile.lower():
        yield PROFILE.finding(
            _("colour profile {profile}", profile=raster.profile), face.locate()
        )


def _check_pixels(face: ImageFace) -> Iterator[Finding]:
    pixels, sizes = face.raster.pixels, face.sizes
    if not sizes or pixels in sizes.values():
        return
    form = _("{pixels}; the shop requires {wanted}")
    turned_pixels = pixels[::-1]
    if turned_pixels in sizes.values():
        message = _(
            form, pixels=describe_pixels(pixels), wanted=describe_pixels(turned_pixels)
        )
        hint = _(
            "The shop requires portrait images. Rotate the front 90° clockwise and the "
            "back 90° counterclockwise."
        )
        yield PIXELS.finding(message, face.locate(), hint)
        return
    sizes_in_words = []
    for name, size in sizes.items():
        size_name = format_size_name(name)
        sizes_in_words.append(
            _("{pixels} ({size})", pixels=describe_pixels(size), size=size_name)
        )
    required_sizes = join_messages(sizes_in_words, _("{first} or {rest}"))
    message = _(form, pixels=describe_pixels(pixels), wanted=required_sizes)
    # without pixels in the preset, the shop scales an image of another size
    is_exact = face.listed is not None or any(
        size.pixels for size in face.preset.sizes.values()
    )
    severity = Severity.WARNING
    if is_exact or not face.preset.other_sizes:
        severity = Severity.ERROR
    yield PIXELS.finding(message, face.locate(), severity=severity)


def _check_resolution(face: ImageFace) -> Iterator[Finding]:
    written_dpi, expected_dpi = face.raster.dpi, face.preset.dpi
    if written_dpi is None:
        form = _("no resolution is stored in it; the shop requires {wanted} dpi")
        message = _(form, wanted=expected_dpi)
        yield ENTRY.finding(message, face.locate(), severity=Severity.NOTE)
    elif any(
        abs(dpi - expected_dpi) > expected_dpi * DPI_TOLERANCE for dpi in written_dpi
    ):
        dpi_in_words = " × ".join(f"{dpi:.0f}" for dpi in dict.fromkeys(written_dpi))
        form = _("the stored resolution is {said} dpi; the shop requires {wanted} dpi")
        message = _(form, said=dpi_in_words, wanted=expected_dpi)
        yield ENTRY.finding(message, face.locate())


def _check_edges(face: ImageFace) -> Iterator[Finding]:
    """Report a border of one color that ends at the cut, so that the bleed is empty."""
    drawn_area, trim, page = face.raster.drawn_area, face.trim, face.shows
    if drawn_area is None:
        return
    wide, high = face.raster.pixels
    across, down = page.width / wide, page.height / high
    ends = {
        "left": (drawn_area[0] * across, trim.x),
        "top": (drawn_area[1] * down, trim.y),
        "right": ((wide - drawn_area[2]) * across, page.width - trim.x - trim.width),
        "bottom": ((high - drawn_area[3]) * down, page.height - trim.y - trim.height),
    }
    borders = [border for border, _bleed in ends.values()]
    # An even border all around was added by a program, so it is reported however narrow it is.
    is_framed = max(borders) - min(borders) < EVEN_BORDER_TOLERANCE_MM
    short_sides = []
    for (side, (border, bleed)), filled in zip(
        ends.items(), face.raster.filled, strict=True
    ):
        ends_in_bleed = CUT_TOLERANCE_MM < border < bleed + CUT_TOLERANCE_MM
        # a narrower border on one side alone may be part of the art
        is_border = is_framed or border > bleed - CUT_TOLERANCE_MM
        if filled > MAX_PATTERN_SHARE and ends_in_bleed and is_border:
            short_sides.append(
                _("{side} {far:.2f} mm", side=get_term(side), far=border)
            )
    if short_sides:
        form = _(
            "a border of one colour ends at the art: {where}; the bleed is {bleed:.3g} mm"
        )
        message = _(form, where=join_messages(short_sides), bleed=min(trim.x, trim.y))
        yield ENDS.finding(message, face.locate(drawn_area))
