"""Small PDFs for print: a sound one, and ways to spoil it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pikepdf
from pikepdf import Array, Dictionary, Name

PT = 72 / 25.4
Resources: TypeAlias = Callable[[pikepdf.Pdf], Dictionary]

GROUND = "0.1 0.2 0.3 0.1 k 0 0 69 94 re f"
"""A background that fills the page of `Sheet`, in mm from the bottom left."""

TEXT = "0 0 0 1 k BT /F1 3 Tf 20 40 Td (Lantern) Tj ET"


@dataclass(frozen=True)
class Sheet:
    """One page, drawn in mm: 63 x 88 with 3 mm of bleed unless said otherwise."""

    content: str = f"{GROUND} {TEXT}"
    media: Sequence[float] = (0, 0, 69, 94)
    trim: Sequence[float] | None = (3, 3, 66, 91)
    bleed: Sequence[float] | None = (0, 0, 69, 94)
    resources: Resources | None = None
    keys: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class File:
    """A whole PDF; `spoil` has the last word."""

    sheets: Sequence[Sheet] = (Sheet(), Sheet())
    version: str = "1.6"
    standard: str = "PDF/X-4"
    intent: str | None = "FOGRA39"
    inks: int = 4
    trapped: str = "False"
    spoil: Callable[[pikepdf.Pdf], None] | None = None


def write(path: Path, file: File) -> Path:
    """Write a file."""
    pdf = pikepdf.new()
    for sheet in file.sheets:
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(_page(pdf, sheet))))
    if file.intent is not None:
        profile = pdf.make_stream(b"no profile", N=file.inks)
        intent = Dictionary(
            Type=Name.OutputIntent,
            S=Name.GTS_PDFX,
            OutputConditionIdentifier=file.intent,
            DestOutputProfile=profile,
        )
        pdf.Root.OutputIntents = Array([intent])
    for key, value in (
        ("Title", "Lantern"),
        ("CreationDate", "D:20260101"),
        ("ModDate", "D:20260101"),
    ):
        pdf.docinfo[f"/{key}"] = value
    if file.standard:
        pdf.docinfo["/GTS_PDFXVersion"] = file.standard
    if file.trapped:
        pdf.docinfo["/Trapped"] = Name(f"/{file.trapped}")
    if file.spoil:
        file.spoil(pdf)
    pdf.save(path, force_version=file.version, deterministic_id=True)
    return path


def _page(pdf: pikepdf.Pdf, sheet: Sheet) -> Dictionary:
    content = f"q {PT:.6f} 0 0 {PT:.6f} 0 0 cm {sheet.content} Q"
    resources = sheet.resources(pdf) if sheet.resources else Dictionary()
    if "/Font" not in resources:
        resources["/Font"] = Dictionary(F1=embedded(pdf))
    page_dictionary = Dictionary(
        Type=Name.Page,
        MediaBox=_mm(sheet.media),
        Resources=resources,
        Contents=pdf.make_stream(content.encode("latin-1")),
    )
    for key, box in (("/TrimBox", sheet.trim), ("/BleedBox", sheet.bleed)):
        if box is not None:
            page_dictionary[key] = _mm(box)
    for key, value in sheet.keys.items():
        page_dictionary[f"/{key}"] = value
    return page_dictionary


def _mm(box: Sequence[float]) -> Array:
    return Array([round(side * PT, 4) for side in box])


@cache
def _letters() -> bytes:
    from importlib.resources import files

    return files("font_roboto").joinpath("files/Roboto-Regular.ttf").read_bytes()


def embedded(pdf: pikepdf.Pdf) -> Dictionary:
    """A font inside the file, its letters half as wide as high."""
    font = plain_font()
    font.FontDescriptor.FontFile2 = pdf.make_stream(_letters())
    return font


def plain_font() -> Dictionary:
    """A font that the file only names."""
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/Roboto"),
        Flags=32,
        FontBBox=Array([0, -200, 1000, 800]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
    )
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.TrueType,
        BaseFont=Name("/Roboto"),
        Encoding=Name.WinAnsiEncoding,
        FirstChar=32,
        LastChar=126,
        Widths=Array([500] * 95),
        FontDescriptor=descriptor,
    )


def picture(pixels: int, space: str = "DeviceCMYK", *, soft: bool = False) -> Resources:
    """Resources with a square picture `Im`, drawn in plain tone."""

    def made(pdf: pikepdf.Pdf) -> Dictionary:
        components = {"DeviceCMYK": 4, "DeviceRGB": 3, "DeviceGray": 1}[space]
        image = pdf.make_stream(
            bytes([90]) * (pixels * pixels * components),
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=pixels,
            Height=pixels,
            ColorSpace=Name(f"/{space}"),
            BitsPerComponent=8,
        )
        if soft:
            image.SMask = pdf.make_stream(
                bytes([128]) * (pixels * pixels),
                Type=Name.XObject,
                Subtype=Name.Image,
                Width=pixels,
                Height=pixels,
                ColorSpace=Name.DeviceGray,
                BitsPerComponent=8,
            )
        return Dictionary(XObject=Dictionary(Im=image))

    return made


def state(**values: object) -> Resources:
    """Resources with a graphics state `G`."""
    return lambda _: Dictionary(ExtGState=Dictionary(G=Dictionary(**values)))
