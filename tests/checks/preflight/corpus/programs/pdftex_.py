"""pdfTeX: Type1 fonts of its own, everything else as PDF operators of the author."""

from __future__ import annotations

from pathlib import Path

from tests.checks.preflight.corpus.programs.painter import PT, Specials
from tests.checks.preflight.corpus.programs.svg import run

PROGRAM, PRESET, DRAWS = "pdfTeX", "cmyk", ""
write = None
BOXES = "/TrimBox [{0} {0} {1} {2}] /BleedBox [0 0 {3} {4}]".format(
    *(round(side * PT, 3) for side in (3, 66, 91, 69, 94))
)
PAGE = r"""\pdfliteral page{q 2.834646 0 0 2.834646 0 0 cm 0.1 0.2 0.3 0.05 k 0 0 69 94 re f %s Q}%s
\vbox to 94truemm{\vss}\eject"""
HEAD = r"""\pdfoutput=1 \pdfinfoomitdate=1 \pdftrailerid{} \nopagenumbers \hoffset=-1truein \voffset=-1truein
\pdfpagewidth=69truemm \pdfpageheight=94truemm \hsize=69truemm \vsize=94truemm \maxdepth=0pt
\topskip=0pt \parindent=0pt \offinterlineskip \parskip=0pt
\font\x=cmr10 \font\small=cmr5 \font\large=cmr10 scaled 2000 \font\sloping=cmti10 \font\signs=cmsy10 %s
\def\at#1#2#3{\vbox to 0pt{\hbox to 0pt{\hskip#1truemm\vbox to 0pt{\vskip#2truemm\hbox{#3}\vss}\hss}\vss}}
\pdfpageattr{%s}"""


def pages(literal: str = "", text: str = "", head: str = "", boxes: str = BOXES) -> str:
    """Return a front with something on it, and a back."""
    ink = r"\pdfliteral{0 0 0 1 k 0 0 0 1 K}"
    front = PAGE % (literal, rf"\at{{12}}{{30}}{{{ink}\x Lantern}}{text}")
    return "\n".join((HEAD % (head, boxes), front, PAGE % ("", ""), r"\bye"))


def case(
    literal: str = "", text: str = "", head: str = "", boxes: str = BOXES
) -> object:
    """Return what writes a file."""

    def made(path: Path) -> None:
        command = (
            "pdflatex",
            "-fmt=pdftex",
            "-progname=pdftex",
            "-interaction=batchmode",
            "-output-directory={}",
        )
        run(
            path, {"out.tex": pages(literal, text, head, boxes)}, *command, "{}/out.tex"
        )

    return made


INK = r"\pdfliteral{0 0 0 1 k}"
SPECIALS: Specials = {
    "sound": ((), case()),
    "small": (
        ("small-type",),
        case(text=rf"\at{{12}}{{40}}{{{INK}\small hardly to be read}}"),
    ),
    "descender": (
        ("text-outside-safe",),
        case(text=rf"\at{{12}}{{84.2}}{{{INK}\large gypgy}}"),
    ),
    "no-descender": ((), case(text=rf"\at{{12}}{{82.6}}{{{INK}\large aceno}}")),
    "over-the-cut": (
        ("text-cut", "?text-outside-safe"),
        case(text=rf"\at{{50}}{{40}}{{{INK}\large far too long}}"),
    ),
    "light": (("rgb",), case("1 0 0 rg 15 20 20 10 re f")),
    "light-text": (
        ("rgb",),
        case(text=r"\at{12}{40}{\pdfliteral{0 0 0 rg}\x black of light}"),
    ),
    "rich-text": (
        ("text-in-many-inks",),
        case(text=r"\at{12}{40}{\pdfliteral{0.6 0.5 0.5 0.9 k}\x four inks}"),
    ),
    "coloured-black": (
        ("text-in-many-inks",),
        case(text=r"\at{12}{40}{\pdfliteral{0.9 0.9 0.9 0 k}\x three inks}"),
    ),
    "thin": (("thin-line",), case("0 0 0 1 K 0.05 w 15 40 m 50 40 l S")),
    "thin-scaled": (
        ("thin-line",),
        case("q 1 0 0 0.05 0 0 cm 0 0 0 1 K 1 w 15 800 m 50 800 l S Q"),
    ),
    "hairline-rule": (
        ("thin-line",),
        case(text=rf"\at{{12}}{{40}}{{{INK}\vrule width 40truemm height 0.1pt}}"),
    ),
    "outlined-thinly": (
        ("thin-line",),
        case(text=r"\at{12}{50}{\pdfliteral{0 0 0 1 K 1 Tr 0.1 w}\large Outline}"),
    ),
    "no-boxes": (("no-trim-box",), case(boxes="")),
    "crop-in-trim": (("box-outside",), case(boxes=BOXES + " /CropBox [40 40 150 200]")),
    "signs": (
        (),
        case(
            text=rf"\at{{12}}{{40}}{{{INK}\signs \char3 \char5}}\at{{12}}{{50}}{{\sloping aslant}}"
        ),
    ),
    "missing-form": (("damaged",), case("/Gone Do")),
    "script": (
        ("document-script",),
        case(
            head=r"\pdfcatalog{} openaction user{<< /S /JavaScript /JS (app.beep) >>}"
        ),
    ),
    "opens-at-a-page": ((), case(head=r"\pdfcatalog{} openaction goto page 1 {/Fit}")),
}
