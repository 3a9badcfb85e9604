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


def complaints(path: Path) -> Iterator[str]:
    """Yield what the programs that are on this machine say against a file."""
    for name, command in JUDGES.items():
        if shutil.which(name):
            done = subprocess.run(
                [*command, str(path)], capture_output=True, text=True, errors="replace", check=False
            )
            said = (done.stderr if name != "gs" else done.stdout + done.stderr).strip()
            if done.returncode or any(word in said.casefold() for word in COMPLAINTS):
                yield f"{name} ({done.returncode}): {said[:200]}"


def breaches(path: Path) -> Iterator[str]:
    """Yield what PDF/X-1a or PDF/X-4, whichever a file claims, does not allow."""
    with pikepdf.open(path) as pdf:
        four = "X-4" in str(pdf.open_metadata().get("pdfxid:GTS_PDFXVersion", ""))
        yield from _document(pdf, four=four)
        for page in pdf.pages:
            yield from _page(page.obj)
        for one in pdf.objects:
            for found in _inner(one, 0):
                yield from _dictionary(found, four=four)


def _document(pdf: pikepdf.Pdf, *, four: bool) -> Iterator[str]:
    info, root = pdf.trailer.get("/Info", Dictionary()), pdf.Root
    wanted = ("/Title", "/CreationDate", "/ModDate", *(() if four else ("/GTS_PDFXVersion",)))
    yield from (f"Info lacks {key}" for key in wanted if key not in info)
    intents = [one for one in root.get("/OutputIntents", []) if one.get("/S") == Name.GTS_PDFX]
    profile = "/DestOutputProfile" if four else "/RegistryName"
    areas = root.get("/ViewerPreferences", Dictionary())
    found = {
        "Trapped": str(info.get("/Trapped")) not in ("/True", "/False"),
        "ID": len(pdf.trailer.get("/ID", [])) != 2,
        "Encrypt": pdf.is_encrypted,
        f"PDF {pdf.pdf_version}": pdf.pdf_version > ("1.6" if four else "1.4"),
        "XRef stream": not four and pdf.trailer.get("/Type") == Name.XRef,
        "OCProperties": not four and "/OCProperties" in root,
        "OutputIntents": len(intents) != 1
        or any("/OutputConditionIdentifier" not in one for one in intents),
        "DestOutputProfile": any(
            "/DestOutputProfile" not in one and profile not in one for one in intents
        ),
        "ViewerPreferences": any(
            areas.get(key, Name.MediaBox) not in (Name.MediaBox, Name.BleedBox) for key in AREAS
        ),
    }
    yield from (name for name, broken in found.items() if broken)


def _page(page: pikepdf.Object) -> Iterator[str]:
    if ("/TrimBox" in page) == ("/ArtBox" in page):
        yield "TrimBox and ArtBox"
    inner = page.get("/TrimBox", page.get("/ArtBox", page.MediaBox))
    boxes = [
        [float(side) for side in box]
        for box in (inner, page.get("/BleedBox", page.MediaBox), page.MediaBox)
    ]
    for (left, bottom, right, top), (x0, y0, x1, y1) in pairwise(boxes):
        if left < x0 - 0.01 or bottom < y0 - 0.01 or right > x1 + 0.01 or top > y1 + 0.01:
            yield "boxes not nested"
    if any(str(note.get("/Subtype")) not in PRINTS for note in page.get("/Annots", [])):
        yield "Annots"


def _inner(one: object, depth: int) -> Iterator[pikepdf.Object]:
    """Yield an object and those written into it."""
    if isinstance(one, Dictionary | Stream):
        yield one
    if isinstance(one, Dictionary | Stream | Array) and depth < 20:
        for value in one if isinstance(one, Array) else [one[key] for key in one.keys()]:  # noqa: SIM118
            # What is written elsewhere is looked at there.
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from _inner(value, depth + 1)
    if (
        isinstance(one, Array)
        and len(one)
        and one[0] in (Name.ICCBased, Name.CalRGB, Name.CalGray, Name.Lab)
    ):
        yield Dictionary(Family=one[0])


def _dictionary(one: pikepdf.Object, *, four: bool) -> Iterator[str]:
    filters = one.get("/Filter", [])
    filters = list(filters) if isinstance(filters, Array) else [filters]
    font = one.get("/Type") == Name.FontDescriptor
    state = one.get("/Type") == Name.ExtGState
    never = {
        "transfer functions": "/TR" in one
        or "/HTP" in one
        or one.get("/TR2", Name.Default) != Name.Default,
        "OPI": "/OPI" in one or "/Ref" in one,
        "PostScript": Name.PS in (one.get("/Subtype"), one.get("/Subtype2")),
        "JavaScript": one.get("/S") == Name.JavaScript,
        "Alternates": any(
            bool(other.get("/DefaultForPrinting", False)) for other in one.get("/Alternates", [])
        ),
        "LZW": Name.LZWDecode in filters,
        "FontFile": font and not {"/FontFile", "/FontFile2", "/FontFile3"} & set(one.keys()),
    }
    flat = {
        "JPEG 2000": Name.JPXDecode in filters,
        "transparency": one.get("/SMask", NONE) != NONE or one.get("/S") == Name.Transparency,
        "opacity": state and any(float(one.get(key, 1)) != 1 for key in ("/ca", "/CA")),
        "blend mode": one.get("/BM", Name.Normal) not in (Name.Normal, Name.Compatible),
        "colour space": Name.DeviceRGB in (one.get("/ColorSpace"), one.get("/CS"))
        or "/Family" in one,
    }
    yield from (name for name, broken in {**never, **({} if four else flat)}.items() if broken)
