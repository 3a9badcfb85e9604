"""The form of an image and its colours: what the shop's page can take, nothing transparent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.checks.images.face import ImageFace
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.codes import define

WANTS_PDF = define(
    "preflight/wants-pdf",
    _("The shop takes PDF, not images"),
    _("Its page has no place to upload an image of a face."),
    _("Build the order with `--profile shop:...`, which writes the PDF files."),
)
FORM = define(
    "preflight/image-format",
    _("An image is of another format than the shop asks for"),
    _("Its page may refuse the file; JPEG also blurs small type."),
    _("Save it in the shop's format."),
    Severity.WARNING,
)
MODE = define(
    "preflight/image-colours",
    _("An image holds its colours in a way the shop does not take"),
    _("CMYK images come out in wrong colours or are refused; 16 bits a colour and palettes are refused by some."),
    _("Save it as RGB with 8 bits a colour."),
)
CLEAR = define(
    "preflight/image-transparent",
    _("Part of an image is transparent"),
    _("What shows there is up to the shop's program: white, black, or nothing. Transparent corners have no bleed."),
    _("Let the art reach all edges and save the image without transparency."),
)
PROFILE = define(
    "preflight/image-profile",
    _("An image has a colour profile other than sRGB"),
    _("Pages of shops take the numbers for sRGB: colours come out paler or stronger than they are."),
    _("Convert it to sRGB."),
    Severity.WARNING,
)
COMMON = ("PNG", "JPEG")
"""Formats that every shop's page reads."""

PLAIN = {"RGB", "RGBA", "L", "LA"}
"""Colours with 8 bits that every program reads alike."""


def check(face: ImageFace) -> Iterator[Finding]:
    """The colours of one image."""
    raster, wanted = face.raster, face.preset.output.upper()
    if wanted == "PDF":
        yield WANTS_PDF.finding(_("{shop} takes PDF files", shop=face.preset.id), face.place())
    elif raster.form != wanted:
        severity = Severity.WARNING if raster.form in COMMON else Severity.ERROR
        message = _("{form}; the shop asks for {wanted}", form=raster.form, wanted=wanted)
        yield replace(FORM.finding(message, face.place()), severity=severity)
    if raster.mode not in PLAIN:
        severity = Severity.ERROR if raster.mode in ("CMYK", "YCCK") else Severity.WARNING
        yield replace(MODE.finding(_("colours are {mode}", mode=_said(raster.mode)), face.place()), severity=severity)
    if raster.clear is not None:
        yield CLEAR.finding(_("not opaque here"), face.place(raster.clear))
    elif raster.alpha:
        whole = CLEAR.finding(_("an alpha channel, though all of it is opaque"), face.place())
        yield replace(whole, severity=Severity.WARNING)
    if raster.profile and "srgb" not in raster.profile.lower():
        yield PROFILE.finding(_("colour profile {profile}", profile=raster.profile), face.place())


def _said(mode: str) -> str:
    """A mode in words."""
    if mode in ("P", "PA"):
        return _("a palette")
    return _("16 or more bits deep") if mode[0] in "IF" else mode
