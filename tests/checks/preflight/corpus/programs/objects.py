"""MuPDF's mutool: files object by object, sound PDF/X-1a and PDF/X-4, and defects."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.checks.preflight.corpus.programs.painter import PT, font, profile

Plan = dict[str, Any]
WIDTHS = [484] * 224
GROUND = "0.1 0.2 0.3 0.05 k 0 0 69 94 re f"
TITLE = "0 0 0 1 k BT /F1 3 Tf 12 60 Td (Lantern) Tj ET"
XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Lantern</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>2026-01-01T00:00:00Z</xmp:CreateDate><xmp:ModifyDate>2026-01-01T00:00:00Z</xmp:ModifyDate>
<xmp:MetadataDate>2026-01-01T00:00:00Z</xmp:MetadataDate><xmpMM:DocumentID>uuid:1</xmpMM:DocumentID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><xmpMM:VersionID>1</xmpMM:VersionID>
<pdf:Trapped>False</pdf:Trapped></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def box(x_min: float, bottom: float, x_max: float, top: float) -> list[float]:
    """Mm as points."""
    return [round(side * PT, 4) for side in (x_min, bottom, x_max, top)]


def sheet() -> Plan:
    """One sound page."""
    return {
        "media": box(0, 0, 69, 94),
        "resources": {"Font": {"F1": "@font"}},
        "content": f"q {PT:.6f} 0 0 {PT:.6f} 0 0 cm {GROUND} {TITLE}\n",
        "keys": {"TrimBox": box(3, 3, 66, 91), "BleedBox": box(0, 0, 69, 94)},
    }


def sound(standard: str) -> Plan:
    """Return a sound file of a standard."""
    descriptor = {
        "Type": "/FontDescriptor",
        "FontName": "/Roboto",
        "Flags": 32,
        "FontBBox": [0, -300, 1000, 1000],
    }
    descriptor |= {
        "ItalicAngle": 0,
        "Ascent": 927,
        "Descent": -244,
        "CapHeight": 711,
        "StemV": 80,
        "FontFile2": "@program",
    }
    ttf = {
        "Type": "/Font",
        "Subtype": "/TrueType",
        "BaseFont": "/Roboto",
        "Encoding": "/WinAnsiEncoding",
    }
    intent = {
        "Type": "/OutputIntent",
        "S": "/GTS_PDFX",
        "OutputConditionIdentifier": "FOGRA39",
        "Info": "FOGRA39",
    }
    plan: Plan = {
        "objects": {
            "font": ttf
            | {
                "FirstChar": 32,
                "LastChar": 255,
                "Widths": WIDTHS,
                "FontDescriptor": "@descriptor",
            },
            "descriptor": descriptor,
            "program": {
                "file": str(font()),
                "keys": {"Length1": font().stat().st_size},
            },
            "icc": {"file": str(profile()), "keys": {"N": 4}},
            "xmp": {"stream": XMP, "keys": {"Type": "/Metadata", "Subtype": "/XML"}},
        },
        "pages": [sheet(), sheet()],
        "root": {
            "OutputIntents": [
                intent
                | {"DestOutputProfile": "@icc", "RegistryName": "http://www.color.org"}
            ]
        },
        "info": {
            "Title": "Lantern",
            "CreationDate": "D:20260101000000Z",
            "ModDate": "D:20260101000000Z",
            "Trapped": "/False",
        },
        "id": "0123456789abcdef",
        "version": "1.6" if standard == "x4" else "1.4",
    }
    if standard == "x4":
        plan["root"]["Metadata"] = "@xmp"
    elif standard == "x1a":
        plan["info"]["GTS_PDFXVersion"] = "PDF/X-1a:2003"
    elif standard == "x3":
        plan["info"]["GTS_PDFXVersion"] = "PDF/X-3:2003"
    else:
        plan["root"] = {}
    return plan


def write(
    path: Path,
    standard: str,
    *changes: Callable[[Plan], object],
    options: str = "compress",
) -> None:
    """One file with changes to what is sound."""
    plan = sound(standard)
    for change in changes:
        change(plan)
    for page in plan["pages"]:
        page["content"] += " Q"
    with TemporaryDirectory() as folder:
        plan_file = Path(folder) / "plan.json"
        plan_file.write_text(json.dumps(plan))
        script = Path(__file__).with_name("mutool.js")
        subprocess.run(
            ["mutool", "run", str(script), str(plan_file), str(path), options],
            check=True,
        )
    data = path.read_bytes()
    path.write_bytes(b"%PDF-" + plan["version"].encode() + data[8:])


def put(where: str, value: Any) -> Callable[[Plan], None]:
    """Sets what a path such as `pages.0.keys.CropBox` names."""

    def change(plan: Plan) -> None:
        *steps, last = where.split(".")
        node: Any = plan
        for step in steps:
            node = (
                node[int(step)] if isinstance(node, list) else node.setdefault(step, {})
            )
        if value is None:
            node.pop(last, None)
        else:
            node[int(last) if isinstance(node, list) else last] = copy.deepcopy(value)

    return change


def drawn(content: str, **resources: Any) -> Callable[[Plan], None]:
    """Something on the front, in mm, with its resources by kind."""

    def change(plan: Plan) -> None:
        front = plan["pages"][0]
        front["content"] += content + "\n"
        for kind, entries in resources.items():
            front["resources"].setdefault(kind, {}).update(entries)

    return change


def both(keys: Mapping[str, Any]) -> Callable[[Plan], None]:
    """Entries of both pages; None removes one."""

    def change(plan: Plan) -> None:
        for page in plan["pages"]:
            page["keys"] = {
                key: value
                for key, value in (page["keys"] | dict(keys)).items()
                if value is not None
            }

    return change


def form(content: str, **keys: Any) -> Plan:
    """Return a form XObject, in mm."""
    form_keys = {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": [0, 0, 69, 94],
        "Resources": {"Font": {"F1": "@font"}},
    }
    return {"stream": content, "keys": form_keys | keys}


def image(space: Any, data: str, side: int = 2, **keys: Any) -> Plan:
    """Return a small picture."""
    image_keys = {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": side,
        "Height": side,
        "BitsPerComponent": 8,
    }
    return {
        "stream": data,
        "keys": image_keys | ({"ColorSpace": space} if space else {}) | keys,
    }


def case(
    standard: str, *changes: Callable[[Plan], object], options: str = "compress"
) -> Callable[[Path], object]:
    """Return what writes a file."""
    return lambda path: write(path, standard, *changes, options=options)
