"""Second judges of finished files.

Other programs that read every object, and PDF/X by another way of looking.

The program under test follows what pages draw. This judge never does: it walks all objects of a
file, used or not, and holds their keys against ISO 15930-1, -4 (PDF/X-1a) and -7 (PDF/X-4).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

JUDGES = {
    "qpdf": ("qpdf", "--check"),
    "gs": (
        "gs",
        "-q",
        "-dBATCH",
        "-dNOPAUSE",
        "-dPDFSTOPONERROR",
        "-dPDFSTOPONWARNING",
        "-sDEVICE=nullpage",
    ),
    "mutool": ("mutool", "info"),
    "pdfinfo": ("pdfinfo", "-box"),
}
"""Programs that end with another code than 0, or complain, about a file that they find damaged."""
COMPLAINTS = ("error", "warning", "damaged")
AREAS = ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip")
NONE = Name("/None")
PRINTS = {"/TrapNet", "/PrinterMark"}


def list_complaints(path: Path) -> Iterator[str]:
    """Yield what the programs that are on this machine say against a file."""
    for name, command in JUDGES.items():
        if shutil.which(name):
            process = subprocess.run(
                [*command, str(path)],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
            output = (
                process.stderr if name != "gs" else process.stdout + process.stderr
            ).strip()
            if process.returncode or any(
                word in output.casefold() for word in COMPLAINTS
            ):
                yield f"{name} ({process.returncode}): {output[:200]}"


def find_breaches(path: Path) -> Iterator[str]:
    """Yield what PDF/X-1a or PDF/X-4, whichever a file claims, does not allow."""
    with pikepdf.open(path) as pdf:
        four = "X-4" in str(pdf.open_metadata().get("pdfxid:GTS_PDFXVersion", ""))
        yield from _document(pdf, four=four)
        for page in pdf.pages:
            yield from _page(page.obj)
        for pdf_object in pdf.objects:
            for inner_object in _inner(pdf_object, 0):
                yield from _dictionary(inner_object, four=four)


def _document(pdf: pikepdf.Pdf, *, four: bool) -> Iterator[str]:
    info, root = pdf.trailer.get("/Info", Dictionary()), pdf.Root
    required_keys = (
        "/Title",
        "/CreationDate",
        "/ModDate",
        *(() if four else ("/GTS_PDFXVersion",)),
    )
    yield from (f"Info lacks {key}" for key in required_keys if key not in info)
    intents = [
        intent
        for intent in root.get("/OutputIntents", [])
        if intent.get("/S") == Name.GTS_PDFX
    ]
    profile = "/DestOutputProfile" if four else "/RegistryName"
    areas = root.get("/ViewerPreferences", Dictionary())
    breaches_by_name = {
        "Trapped": str(info.get("/Trapped")) not in ("/True", "/False"),
        "ID": len(pdf.trailer.get("/ID", [])) != 2,
        "Encrypt": pdf.is_encrypted,
        f"PDF {pdf.pdf_version}": pdf.pdf_version > ("1.6" if four else "1.4"),
        "XRef stream": not four and pdf.trailer.get("/Type") == Name.XRef,
        "OCProperties": not four and "/OCProperties" in root,
        "OutputIntents": len(intents) != 1
        or any("/OutputConditionIdentifier" not in intent for intent in intents),
        "DestOutputProfile": any(
            "/DestOutputProfile" not in intent and profile not in intent
            for intent in intents
        ),
        "ViewerPreferences": any(
            areas.get(key, Name.MediaBox) not in (Name.MediaBox, Name.BleedBox)
            for key in AREAS
        ),
    }
    yield from (name for name, broken in breaches_by_name.items() if broken)


def _page(page: pikepdf.Object) -> Iterator[str]:
    if ("/TrimBox" in page) == ("/ArtBox" in page):
        yield "TrimBox and ArtBox"
    inner = page.get("/TrimBox", page.get("/ArtBox", page.MediaBox))
    boxes = [
        [float(side) for side in box]
        for box in (inner, page.get("/BleedBox", page.MediaBox), page.MediaBox)
    ]
    for (x_min, bottom, x_max, top), (x0, y0, x1, y1) in pairwise(boxes):
        if (
            x_min < x0 - 0.01
            or bottom < y0 - 0.01
            or x_max > x1 + 0.01
            or top > y1 + 0.01
        ):
            yield "boxes not nested"
    if any(str(note.get("/Subtype")) not in PRINTS for note in page.get("/Annots", [])):
        yield "Annots"


def _inner(pdf_value: object, depth: int) -> Iterator[pikepdf.Object]:
    """Yield an object and those written into it."""
    if isinstance(pdf_value, Dictionary | Stream):
        yield pdf_value
    if isinstance(pdf_value, Dictionary | Stream | Array) and depth < 20:
        is_list = isinstance(pdf_value, Array)
        inner_values = (
            pdf_value if is_list else [value for _key, value in pdf_value.items()]
        )
        for value in inner_values:
            # What is written elsewhere is looked at there.
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from _inner(value, depth + 1)
    if (
        isinstance(pdf_value, Array)
        and len(pdf_value)
        and pdf_value[0] in (Name.ICCBased, Name.CalRGB, Name.CalGray, Name.Lab)
    ):
        yield Dictionary(Family=pdf_value[0])


def _dictionary(dictionary: pikepdf.Object, *, four: bool) -> Iterator[str]:
    filters = dictionary.get("/Filter", [])
    filters = list(filters) if isinstance(filters, Array) else [filters]
    font = dictionary.get("/Type") == Name.FontDescriptor
    state = dictionary.get("/Type") == Name.ExtGState
    never = {
        "transfer functions": "/TR" in dictionary
        or "/HTP" in dictionary
        or dictionary.get("/TR2", Name.Default) != Name.Default,
        "OPI": "/OPI" in dictionary or "/Ref" in dictionary,
        "PostScript": Name.PS
        in (dictionary.get("/Subtype"), dictionary.get("/Subtype2")),
        "JavaScript": dictionary.get("/S") == Name.JavaScript,
        "Alternates": any(
            bool(alternate.get("/DefaultForPrinting", False))
            for alternate in dictionary.get("/Alternates", [])
        ),
        "LZW": Name.LZWDecode in filters,
        "FontFile": font
        and not {"/FontFile", "/FontFile2", "/FontFile3"} & set(dictionary.keys()),
    }
    flat = {
        "JPEG 2000": Name.JPXDecode in filters,
        "transparency": dictionary.get("/SMask", NONE) != NONE
        or dictionary.get("/S") == Name.Transparency,
        "opacity": state
        and any(float(dictionary.get(key, 1)) != 1 for key in ("/ca", "/CA")),
        "blend mode": dictionary.get("/BM", Name.Normal)
        not in (Name.Normal, Name.Compatible),
        "colour space": Name.DeviceRGB
        in (dictionary.get("/ColorSpace"), dictionary.get("/CS"))
        or "/Family" in dictionary,
    }
    yield from (
        name for name, broken in {**never, **({} if four else flat)}.items() if broken
    )
