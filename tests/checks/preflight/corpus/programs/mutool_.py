"""The files that mutool writes.

Claims of a standard kept and broken, inks on one another, colour where few look.
"""

from __future__ import annotations

from typing import Any

from tests.checks.preflight.corpus.programs.objects import (
    XMP,
    both,
    case,
    drawn,
    form,
    image,
    put,
)
from tests.checks.preflight.corpus.programs.painter import Specials

PROGRAM, PRESET, DRAWS = "mutool", "x4", ""
AREA = "15 20 20 20 re f"
PLACED = "q 20 0 0 20 15 20 cm /X Do Q"
SCRIPT = {"S": "/JavaScript", "JS": "app.beep()"}
ICC4 = ["/ICCBased", "@icc"]
TINT = {
    "FunctionType": 2,
    "Domain": [0, 1],
    "N": 1,
    "C0": [0, 0, 0, 0],
    "C1": [1, 1, 1, 1],
}
LIGHT = {"FunctionType": 2, "Domain": [0, 1], "N": 1, "C0": [1, 1, 1], "C1": [1, 0, 0]}
ALL = ["/Separation", "/All", "/DeviceCMYK", TINT]
HALF = {"FunctionType": 2, "Domain": [0, 1], "N": 1, "C0": [0], "C1": [0.5]}
GLYPH = {"stream": "1000 0 d0 1 0 0 rg 100 0 600 600 re f", "keys": {}}
SHAPE = {"stream": "1000 0 0 -300 700 700 d1 100 -300 600 1000 re f", "keys": {}}
TYPE3: dict[str, Any] = {
    "Type": "/Font",
    "Subtype": "/Type3",
    "FontBBox": [0, -300, 1000, 1000],
    "FontMatrix": [0.001, 0, 0, 0.001, 0, 0],
    "CharProcs": {"a": "@glyph"},
    "Encoding": {"Type": "/Encoding", "Differences": [97, "/a"]},
    "FirstChar": 97,
    "LastChar": 97,
    "Widths": [1000],
    "Resources": {},
}
ODD = "/CIDInit /ProcSet findresource begin 1 begincodespacerange <00> <ff> endcodespacerange\n"
ODD += "2 beginbfchar <4c> <004> <61> <0> endbfchar endcmap"
OPI = {
    "1.3": {
        "Type": "/OPI",
        "Version": 1.3,
        "F": "(big.tif)",
        "Size": [9, 9],
        "CropRect": [0, 0, 9, 9],
        "Position": [0, 0, 0, 9, 9, 9, 9, 0],
    }
}


def over(mode: int = 1) -> dict[str, Any]:
    """Overprint."""
    return {"G": {"Type": "/ExtGState", "OP": True, "op": True, "OPM": mode}}


def state(**values: Any) -> dict[str, Any]:
    """Return a graphics state."""
    return {"G": {"Type": "/ExtGState", **values}}


BROKEN_1A: Specials = {
    "x1a": (("x1a:",), case("x1a")),
    "x1a-trapped-unknown": (
        ("x1a:", "standard-trapped"),
        case("x1a", put("info.Trapped", "/Unknown")),
    ),
    "x1a-no-title": (("x1a:", "standard-title"), case("x1a", put("info.Title", None))),
    "x1a-no-date": (("x1a:", "standard-date"), case("x1a", put("info.ModDate", None))),
    "x1a-no-id": (("x1a:", "standard-id"), case("x1a", put("id", None))),
    "x1a-icc": (
        ("x1a:", "standard-icc"),
        case("x1a", drawn(f"/C cs 0.2 0.4 0 0 sc {AREA}", ColorSpace={"C": ICC4})),
    ),
    "x1a-icc-image": (
        ("x1a:", "standard-icc"),
        case(
            "x1a",
            drawn(PLACED, XObject={"X": "@pic"}),
            put("objects.pic", image(ICC4, "\x20" * 16)),
        ),
    ),
    "x1a-calgray": (
        ("x1a:", "standard-icc"),
        case(
            "x1a",
            drawn(
                f"/C cs 0.4 sc {AREA}",
                ColorSpace={"C": ["/CalGray", {"WhitePoint": [0.95, 1, 1.09]}]},
            ),
        ),
    ),
    "x1a-lab": (
        ("x1a:", "rgb", "standard-light", "standard-icc"),
        case(
            "x1a",
            drawn(
                f"/C cs 50 20 20 sc {AREA}",
                ColorSpace={"C": ["/Lab", {"WhitePoint": [0.95, 1, 1.09]}]},
            ),
        ),
    ),
    "x1a-rgb": (
        ("x1a:", "rgb", "standard-light"),
        case("x1a", drawn(f"1 0 0 rg {AREA}")),
    ),
    "x1a-spot-of-light": (
        ("x1a:", "spot-colour", "rgb", "standard-light"),
        case(
            "x1a",
            drawn(
                f"/C cs 1 sc {AREA}",
                ColorSpace={"C": ["/Separation", "/Gold", "/DeviceRGB", LIGHT]},
            ),
        ),
    ),
    "x1a-script": (
        ("x1a:", "document-script", "standard-script"),
        case("x1a", put("root.Names", {"JavaScript": {"Names": ["a", SCRIPT]}})),
    ),
    "x1a-opening-script": (
        ("x1a:", "document-script", "standard-script"),
        case("x1a", put("root.OpenAction", SCRIPT)),
    ),
    "x1a-transfer": (
        ("x1a:", "standard-transfer"),
        case("x1a", drawn(f"/G gs {AREA}", ExtGState=state(TR=HALF))),
    ),
    "x1a-transfer-two": (
        ("x1a:", "standard-transfer"),
        case("x1a", drawn(f"/G gs {AREA}", ExtGState=state(TR2=HALF))),
    ),
    "x1a-transfer-default": (
        ("x1a:",),
        case("x1a", drawn(f"/G gs {AREA}", ExtGState=state(TR2="/Default"))),
    ),
    "x1a-halftone-phase": (
        ("x1a:", "standard-transfer"),
        case("x1a", drawn(f"/G gs {AREA}", ExtGState=state(HTP=[0, 0]))),
    ),
    "x1a-opi": (
        ("x1a:", "standard-opi"),
        case(
            "x1a",
            drawn(PLACED, XObject={"X": "@pic"}),
            put("objects.pic", image("/DeviceCMYK", "\x20" * 16, OPI=OPI)),
        ),
    ),
    "x1a-opi-form": (
        ("x1a:", "standard-opi"),
        case(
            "x1a",
            drawn("/X Do", XObject={"X": "@one"}),
            put("objects.one", form(f"0.5 g {AREA}", OPI=OPI)),
        ),
    ),
    "x1a-both-boxes": (
        ("x1a:", "standard-boxes"),
        case("x1a", both({"ArtBox": [10, 10, 180, 250]})),
    ),
    "x1a-art-box": (
        ("x1a:",),
        case(
            "x1a",
            both({"ArtBox": [8.5039, 8.5039, 187.0866, 257.9528], "TrimBox": None}),
        ),
    ),
    "x1a-no-boxes": (
        ("x1a:", "no-trim-box", "standard-boxes"),
        case("x1a", both({"TrimBox": None})),
    ),
    "x1a-postscript": (
        ("x1a:", "standard-postscript"),
        case(
            "x1a",
            drawn("/X Do", XObject={"X": "@ps"}),
            put(
                "objects.ps",
                {"stream": "showpage", "keys": {"Type": "/XObject", "Subtype": "/PS"}},
            ),
        ),
    ),
    "x1a-postscript-form": (
        ("x1a:", "standard-postscript"),
        case(
            "x1a",
            drawn("/X Do", XObject={"X": "@one"}),
            put("objects.one", form("0.5 g", Subtype2="/PS", PS="@ps")),
            put("objects.ps", {"stream": "showpage", "keys": {}}),
        ),
    ),
    "x1a-transparent": (
        ("x1a:", "transparency", "standard-transparency"),
        case("x1a", drawn(f"/G gs 0.5 g {AREA}", ExtGState=state(ca=0.5))),
    ),
    "x1a-opaque-states": (
        ("x1a:",),
        case(
            "x1a",
            drawn(
                f"/G gs 0.5 g {AREA}",
                ExtGState=state(ca=1, CA=1, BM="/Normal", SMask="/None"),
            ),
        ),
    ),
    "x1a-group": (
        ("x1a:", "transparency-group", "standard-group"),
        case("x1a", both({"Group": {"S": "/Transparency", "CS": "/DeviceCMYK"}})),
    ),
    "x1a-annotation": (
        ("x1a:", "annotation", "standard-annotation"),
        case(
            "x1a",
            put(
                "pages.0.keys.Annots",
                [
                    {
                        "Type": "/Annot",
                        "Subtype": "/Text",
                        "Rect": [50, 50, 70, 70],
                        "Contents": "mind",
                    }
                ],
            ),
        ),
    ),
    "x1a-layers": (
        ("x1a:", "layers", "standard-layers"),
        case(
            "x1a",
            put("root.OCProperties", {"OCGs": ["@layer"], "D": {"Order": ["@layer"]}}),
            put("objects.layer", {"Type": "/OCG", "Name": "proof"}),
        ),
    ),
    "x1a-no-profile": (
        ("x1a:", "standard-profile"),
        case(
            "x1a",
            put("root.OutputIntents.0.DestOutputProfile", None),
            put("root.OutputIntents.0.RegistryName", None),
        ),
    ),
    "x1a-registered": (
        ("x1a:",),
        case("x1a", put("root.OutputIntents.0.DestOutputProfile", None)),
    ),
    "x3": (("x3:",), case("x3")),
    "x3-icc": (
        ("x3:",),
        case("x3", drawn(f"/C cs 0.2 0.4 0 0 sc {AREA}", ColorSpace={"C": ICC4})),
    ),
    "x3-transparent": (
        ("x3:", "standard-transparency"),
        case("x3", drawn(f"/G gs 0.5 g {AREA}", ExtGState=state(ca=0.5))),
    ),
    "x3-light": (
        ("x3:", "rgb", "standard-light"),
        case("x3", drawn(f"1 0 0 rg {AREA}")),
    ),
    "x3-calibrated-light": (
        ("x3:", "rgb"),
        case(
            "x3",
            drawn(
                f"/C cs 1 0 0 sc {AREA}",
                ColorSpace={"C": ["/CalRGB", {"WhitePoint": [0.95, 1, 1.09]}]},
            ),
        ),
    ),
    "x1a-two-intents": (
        ("x1a:", "standard-intents"),
        case(
            "x1a",
            lambda plan: plan["root"]["OutputIntents"].append(
                plan["root"]["OutputIntents"][0]
            ),
        ),
    ),
    "x1a-reference": (
        ("x1a:", "standard-opi"),
        case(
            "x1a",
            drawn("/X Do", XObject={"X": "@one"}),
            put(
                "objects.one",
                form(f"0.5 g {AREA}", Ref={"F": "(other.pdf)", "Page": 0}),
            ),
        ),
    ),
    "x1a-lzw": (
        ("x1a:", "standard-lzw"),
        case(
            "x1a",
            drawn(PLACED, XObject={"X": "@pic"}),
            put(
                "objects.pic",
                {
                    **image(
                        "/DeviceGray",
                        "800B6050220C0C8501>",
                        Filter=["/ASCIIHexDecode", "/LZWDecode"],
                    ),
                    "raw": True,
                },
            ),
        ),
    ),
    "x1a-alternates": (
        ("x1a:", "standard-alternates"),
        case(
            "x1a",
            drawn(PLACED, XObject={"X": "@pic"}),
            put(
                "objects.pic",
                image(
                    "/DeviceGray",
                    "\x20" * 4,
                    Alternates=[{"Image": "@other", "DefaultForPrinting": True}],
                ),
            ),
            put("objects.other", image("/DeviceGray", "\x50" * 4)),
        ),
    ),
    "x1a-font": (
        ("x1a:", "font-not-embedded", "standard-font"),
        case(
            "x1a",
            drawn(
                "BT /H 3 Tf 15 40 Td (viewer) Tj ET",
                Font={
                    "H": {
                        "Type": "/Font",
                        "Subtype": "/Type1",
                        "BaseFont": "/Helvetica",
                    }
                },
            ),
        ),
    ),
    "x1a-font-unused": (
        ("x1a:",),
        case(
            "x1a",
            drawn(
                "BT /H 3 Tf ET",
                Font={
                    "H": {
                        "Type": "/Font",
                        "Subtype": "/Type1",
                        "BaseFont": "/Helvetica",
                    }
                },
            ),
        ),
    ),
    "x1a-newer": (("x1a:", "version"), case("x1a", put("version", "1.6"))),
}

BROKEN_4: Specials = {
    "x4": ((), case("x4")),
    "x4-no-profile": (
        ("standard-profile",),
        case("x4", put("root.OutputIntents.0.DestOutputProfile", None)),
    ),
    "x4-no-intent": (
        ("no-output-intent", "standard-intent"),
        case("x4", put("root.OutputIntents", None)),
    ),
    "x4-no-title": (
        ("standard-title",),
        case(
            "x4",
            put("objects.xmp.stream", XMP.replace("Lantern", "")),
            put("info.Title", None),
        ),
    ),
    "x4-script": (
        ("document-script", "standard-script"),
        case("x4", put("root.OpenAction", SCRIPT)),
    ),
    "x4-light": (("rgb", "standard-light"), case("x4", drawn(f"1 0 0 rg {AREA}"))),
    "x4-transfer": (
        ("standard-transfer",),
        case("x4", drawn(f"/G gs {AREA}", ExtGState=state(TR=HALF))),
    ),
    "x4-both-boxes": (
        ("standard-boxes",),
        case("x4", both({"ArtBox": [10, 10, 180, 250]})),
    ),
    "x4-layers": (
        ("layers",),
        case(
            "x4",
            put(
                "root.OCProperties",
                {"OCGs": ["@layer"], "D": {"Name": "all", "Order": ["@layer"]}},
            ),
            put("objects.layer", {"Type": "/OCG", "Name": "proof"}),
        ),
    ),
    "x4-icc": (
        (),
        case("x4", drawn(f"/C cs 0.2 0.4 0 0 sc {AREA}", ColorSpace={"C": ICC4})),
    ),
    "x4-transparent": (
        (),
        case("x4", drawn(f"/G gs 0.5 g {AREA}", ExtGState=state(ca=0.5))),
    ),
    "x4-opi": (
        ("standard-opi",),
        case(
            "x4",
            drawn(PLACED, XObject={"X": "@pic"}),
            put("objects.pic", image("/DeviceCMYK", "\x20" * 16, OPI=OPI)),
        ),
    ),
    "x4-other-press": (
        ("swop:", "wrong-output-intent"),
        case("x4"),
    ),
    "x4-light-intent": (
        ("wrong-output-intent",),
        case("x4", put("objects.icc.keys.N", 3)),
    ),
}

LOOKED_AT: Specials = {
    "type3-light": (
        ("cmyk:", "rgb"),
        case(
            "none",
            drawn("BT /T 5 Tf 15 40 Td (aa) Tj ET", Font={"T": "@t3"}),
            put("objects.t3", TYPE3),
            put("objects.glyph", GLYPH),
        ),
    ),
    "type3-shape": (
        ("cmyk:",),
        case(
            "none",
            drawn("0 0 0 1 k BT /T 5 Tf 15 40 Td (aa) Tj ET", Font={"T": "@t3"}),
            put("objects.t3", TYPE3),
            put("objects.glyph", SHAPE),
        ),
    ),
    "type3-descender": (
        ("cmyk:", "text-outside-safe"),
        case(
            "none",
            drawn("0 0 0 1 k BT /T 5 Tf 15 6.5 Td (aa) Tj ET", Font={"T": "@t3"}),
            put("objects.t3", TYPE3),
            put("objects.glyph", SHAPE),
        ),
    ),
    "type3-shape-in-light": (
        ("cmyk:", "rgb"),
        case(
            "none",
            drawn("1 0 0 rg BT /T 5 Tf 15 40 Td (aa) Tj ET", Font={"T": "@t3"}),
            put("objects.t3", TYPE3),
            put("objects.glyph", SHAPE),
        ),
    ),
    "odd-unicode-map": (
        ("cmyk:",),
        case(
            "none",
            put("objects.font.ToUnicode", "@map"),
            put("objects.map", {"stream": ODD, "keys": {}}),
        ),
    ),
    "inline-light": (
        ("cmyk:", "rgb"),
        case(
            "none",
            drawn(
                "q 20 0 0 20 15 20 cm BI /W 2 /H 2 /BPC 8 /CS /RGB /F /AHx ID "
                "ff0000ff0000ff0000ff0000> EI Q"
            ),
        ),
    ),
    "inline-mask": (
        ("cmyk:",),
        case(
            "none",
            drawn(
                "q 0 0 0 1 k 20 0 0 20 15 20 cm BI /W 2 /H 2 /IM true /F /AHx ID 8040> EI Q"
            ),
        ),
    ),
    "inline-mask-light": (
        ("cmyk:", "rgb"),
        case(
            "none",
            drawn(
                "q 1 0 0 rg 20 0 0 20 15 20 cm BI /W 2 /H 2 /IM true /F /AHx ID 8040> EI Q"
            ),
        ),
    ),
    "inline-coarse": (
        ("cmyk:", "coarse-image"),
        case(
            "none",
            drawn(
                "q 20 0 0 20 15 20 cm BI /W 8 /H 8 /BPC 1 /CS /G /F /AHx ID aa55aa55aa55aa55> EI Q"
            ),
        ),
    ),
    "missing-xobject": (("cmyk:", "damaged"), case("none", drawn("/Gone Do"))),
    "missing-shading": (("cmyk:", "damaged"), case("none", drawn("/Gone sh"))),
    "missing-font": (
        ("cmyk:", "damaged"),
        case("none", drawn("BT /Gone 3 Tf 15 40 Td (lost) Tj ET")),
    ),
    "missing-colour-space": (
        ("cmyk:", "damaged"),
        case("none", drawn(f"/Gone cs 1 sc {AREA}")),
    ),
    "missing-font-unused": (("cmyk:",), case("none", drawn("BT /Gone 3 Tf ET"))),
    "knockout": (
        ("opaque:", "transparency-group"),
        case(
            "none",
            drawn("/X Do", XObject={"X": "@one"}),
            put(
                "objects.one",
                form(
                    f"0.5 g {AREA}",
                    Group={"S": "/Transparency", "CS": "/DeviceCMYK", "K": True},
                ),
            ),
        ),
    ),
    "group-of-light": (
        ("cmyk:", "rgb-group"),
        case("none", both({"Group": {"S": "/Transparency", "CS": "/DeviceRGB"}})),
    ),
    "form-of-light": (
        ("cmyk:", "rgb"),
        case(
            "none",
            drawn("/X Do", XObject={"X": "@one"}),
            put("objects.one", form(f"1 0 0 rg {AREA}")),
        ),
    ),
    "indexed-light": (
        ("cmyk:", "rgb", "coarse-image"),
        case(
            "none",
            drawn(PLACED, XObject={"X": "@pic"}),
            put(
                "objects.pic",
                image(["/Indexed", "/DeviceRGB", 1, "abcdef"], "\x00\x01\x01\x00"),
            ),
        ),
    ),
    "white-overprint": (
        ("cmyk:", "white-overprint"),
        case("none", drawn(f"/G gs 0 0 0 0 k {AREA}", ExtGState=over())),
    ),
    "white-overprint-mode-0": (
        ("cmyk:",),
        case("none", drawn(f"/G gs 0 0 0 0 k {AREA}", ExtGState=over(0))),
    ),
    "white-overprint-on-paper": (
        ("cmyk:",),
        case(
            "none",
            put(
                "pages.0.content",
                "q 2.834646 0 0 2.834646 0 0 cm 0 0 0 1 k 30 60 5 5 re f ",
            ),
            drawn(f"/G gs 0 0 0 0 k {AREA}", ExtGState=over()),
        ),
    ),
    "no-tint-overprint": (
        ("cmyk:", "white-overprint"),
        case(
            "none",
            drawn(
                f"/G gs /C cs 0 sc {AREA}",
                ExtGState=over(),
                ColorSpace={"C": ["/Separation", "/Black", "/DeviceCMYK", TINT]},
            ),
        ),
    ),
    "white-stroke-overprint": (
        ("cmyk:", "white-overprint"),
        case("none", drawn("/G gs 0 0 0 0 K 1 w 15 30 m 50 30 l S", ExtGState=over())),
    ),
    "registration-shape": (
        ("cmyk:", "registration-colour"),
        case("none", drawn(f"/C cs 1 sc {AREA}", ColorSpace={"C": ALL})),
    ),
    "registration-light": (
        ("cmyk:",),
        case("none", drawn(f"/C cs 0 sc {AREA}", ColorSpace={"C": ALL})),
    ),
    "registration-mark": (
        ("cmyk:", "marks"),
        case(
            "none", drawn("/C CS 1 SC 0.2 w 1 40 m 2.5 40 l S", ColorSpace={"C": ALL})
        ),
    ),
    "faux-bold": (
        ("cmyk:",),
        case(
            "none",
            drawn(
                "0 0 0 1 k 0 0 0 1 K 0.05 w BT 2 Tr /F1 5 Tf 15 40 Td (Lantern) Tj ET"
            ),
        ),
    ),
    "thin-edge": (
        ("cmyk:", "thin-line"),
        case(
            "none",
            drawn(
                "0.2 0.1 0 0 k 0 0 0 1 K 0.05 w BT 2 Tr /F1 8 Tf 15 40 Td (Lantern) Tj ET"
            ),
        ),
    ),
    "clipping-text": (
        ("cmyk:",),
        case(
            "none",
            drawn("q BT 7 Tr /F1 20 Tf 12 30 Td (Lantern) Tj ET 0 0 69 94 re f Q"),
        ),
    ),
    "crop-in-trim": (
        ("cmyk:", "box-outside"),
        case("none", both({"CropBox": [20, 20, 170, 240]})),
    ),
    "crop-at-bleed": (
        ("cmyk:",),
        case("none", both({"CropBox": [0, 0, 195.6, 266.46]})),
    ),
}
SPECIALS: Specials = {**BROKEN_1A, **BROKEN_4, **LOOKED_AT}
