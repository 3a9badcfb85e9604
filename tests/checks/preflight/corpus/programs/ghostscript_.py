"""Ghostscript: PostScript distilled, with what its pdfmarks and its own PDF/X mode can say."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.checks.preflight.corpus.programs.painter import (
    PT,
    Painter,
    Specials,
    font,
    gradient,
    profile,
)
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET = "Ghostscript", "cmyk"
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line thin-scaled broad-scaled coarse-image "
    "low-resolution "
    "fine-image text-cut text-safe descender no-descender accents no-accents ends-at-cut "
    "light-in-inks rich-text "
    "coloured-black outlined white-overprint white-text-overprint white-knockout black-overprint registration "
    "spot process-ink turned-text marks "
)


class Postscript(Painter):
    """Says a page in PostScript, in mm."""

    space = "cmyk"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.separation = ""

    def say(self, *words: object) -> None:
        self.lines.append(
            " ".join(
                f"{word:g}" if isinstance(word, float) else str(word) for word in words
            )
        )

    def paint(self, name: Any) -> None:
        if self.separation:
            self.say(self.separation)
            return
        numbers = self.numbers(name)
        self.say(*numbers, "setcmykcolor" if len(numbers) == 4 else "setrgbcolor")

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        self.paint(name)
        self.say(x, y, wide, high, "rectfill")

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        self.paint(name)
        self.say(width, "setlinewidth", x, y, "moveto", to_x, to_y, "lineto stroke")

    def text(
        self,
        name: Any,
        size: float,
        x: float,
        y: float,
        words: str,
        mode: str = "fill",
        width: float = 1,
    ) -> None:
        self.paint(name)
        escaped_text = words.replace("\u00c5", "\\305").replace("\u00c9", "\\311")
        self.say("/R", size / PT, "selectfont", x, y, "moveto", width, "setlinewidth")
        self.say(
            f"({escaped_text})", "show" if mode == "fill" else "false charpath stroke"
        )

    def image(
        self, x: float, y: float, wide: float, high: float, across: int, down: int
    ) -> None:
        data = gradient(across, down, "CMYK").tobytes().hex()
        self.say(
            "gsave", x, y, "translate", wide, high, "scale /DeviceCMYK setcolorspace"
        )
        self.say(
            "<< /ImageType 1 /Width",
            across,
            "/Height",
            down,
            "/BitsPerComponent 8 /Decode [0 1 0 1 0 1 0 1]",
        )
        self.say(
            "/ImageMatrix [",
            across,
            0,
            0,
            -down,
            0,
            down,
            "] /DataSource currentfile /ASCIIHexDecode filter >>",
        )
        self.say(
            "image\n"
            + "\n".join(data[at : at + 200] for at in range(0, len(data), 200))
            + ">\ngrestore"
        )

    def _group(self, before: str, ops: list[Any]) -> None:
        self.say("gsave", before)
        self.draw(ops)
        self.say("grestore")

    def scaled(self, across: float, up: float, ops: list[Any]) -> None:
        self._group(f"{across} {up} scale", ops)

    def turned(self, angle: float, x: float, y: float, ops: list[Any]) -> None:
        self._group(f"{x} {y} translate {angle} rotate", ops)

    def over(self, ops: list[Any]) -> None:
        self._group("true setoverprint << /OPM 1 >> setdistillerparams", ops)

    def ink(self, name: str, tint: float, ops: list[Any]) -> None:
        like = {"All": "dup dup dup", "Black": "0 exch 0 exch 0 exch"}.get(
            name, "dup .1 mul exch dup .3 mul exch .8 mul 0"
        )
        self.separation = f"[/Separation /{name} /DeviceCMYK {{{like}}}] setcolorspace {tint} setcolor"
        self.draw(ops)
        self.separation = ""


ENCODED = "/Roboto-Regular findfont dup length dict begin {def} forall /Encoding ISOLatin1Encoding def currentdict "
ENCODED += "end /R exch definefont pop"


def write(
    path: Path,
    scene: Mapping[str, Any],
    before: str = "",
    on: str = "",
    options: tuple[str, ...] = (),
) -> None:
    """One file; `before` is PostScript ahead of the pages, `on` what the front has besides."""
    postscript = Postscript()
    postscript.say(before)
    for number, page in enumerate(scene["pages"]):
        wide, high = page["size"]
        boxes = [
            " ".join(f"{side * PT:.4f}" for side in page[key])
            for key in ("trim", "bleed")
        ]
        postscript.say(
            f"<< /PageSize [{wide * PT:.4f} {high * PT:.4f}] >> setpagedevice", ENCODED
        )
        postscript.say(
            f"[ {{ThisPage}} << /TrimBox [{boxes[0]}] /BleedBox [{boxes[1]}] >> /PUT pdfmark"
        )
        postscript.say(PT, PT, "scale")
        postscript.draw(page["ops"])
        postscript.say(on if number == 0 else "", "showpage")
    with TemporaryDirectory() as folder:
        source = Path(folder) / "page.ps"
        source.write_text("%!PS\n" + "\n".join(postscript.lines), "latin-1")
        (Path(folder) / "Fontmap").write_text(f"/Roboto-Regular ({font()}) ;\n")
        command = [
            "gs",
            "-q",
            "-dBATCH",
            "-dNOPAUSE",
            "-dNOSAFER",
            "-sDEVICE=pdfwrite",
            "-dAutoRotatePages=/None",
        ]
        command += [
            "-dPDFSETTINGS=/prepress",
            "-dColorConversionStrategy=/LeaveColorUnchanged",
            f"-I{folder}",
        ]
        command += [
            "-dAutoFilterColorImages=false",
            "-dColorImageFilter=/FlateEncode",
            "-dEncodeColorImages=true",
        ]
        subprocess.run(
            [*command, *options, f"-sOutputFile={path}", str(source)], check=True
        )


SCRIPT = "[ /_objdef {js} /type /dict /OBJ pdfmark [ {js} << /S /JavaScript /JS (app.beep\\(\\)) >> /PUT pdfmark "
TITLED = "[ /Title (Lantern) /Trapped /False /DOCINFO pdfmark "
NOTE = "[ /Rect [15 20 25 30] /Contents (mind) /Subtype /Text /ANN pdfmark"
TRANSFER = "{ 0.8 mul } settransfer"
FILE = "[ /_objdef {f} /type /stream /OBJ pdfmark [ {f} (prices) /PUT pdfmark "
FILE += "[ {f} << /Type /EmbeddedFile >> /PUT pdfmark "
FILE += "[ /Name (prices.txt) /FS << /Type /Filespec /F (prices.txt) /EF << /F {f} >> >> /EMBED pdfmark "
FADE = "<< /ShadingType 2 /ColorSpace /Device{} /Coords [15 0 50 0] /Function << /FunctionType 2 /Domain [0 1] "
FADE += "/C0 [{}] /C1 [{}] /N 1 >> >> shfill"
TILES = "<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 4 4] /XStep 4 /YStep 4 /PaintProc "
TILES += "{ pop 1 0 0 setrgbcolor 0 0 2 2 rectfill } >> matrix makepattern setpattern 15 20 20 20 rectfill"
SOUND = SCENES["sound"]


def standard(
    path: Path, on: str = "", info: str = TITLED, options: tuple[str, ...] = ()
) -> None:
    """By this program's own PDF/X-3 mode."""
    icc = profile()
    intent = (
        "[ /_objdef {icc} /type /stream /OBJ pdfmark [ {icc} << /N 4 >> /PUT pdfmark "
        f"[ {{icc}} ({icc}) (r) file /PUT pdfmark [ /_objdef {{oi}} /type /dict /OBJ pdfmark "
        "[ {oi} << /Type /OutputIntent /S /GTS_PDFX /OutputCondition (Coated) /Info (FOGRA39) "
        "/OutputConditionIdentifier (FOGRA39) /DestOutputProfile {icc} >> /PUT pdfmark "
        "[ {Catalog} << /OutputIntents [ {oi} ] >> /PUT pdfmark "
    )
    extra = (
        "-dPDFX",
        "-sColorConversionStrategy=CMYK",
        "-sProcessColorModel=DeviceCMYK",
        *options,
    )
    write(path, SOUND, info + intent, on, extra)


SPECIALS: Specials = {
    "note": (("annotation",), lambda path: write(path, SOUND, on=NOTE)),
    "script": (
        ("document-script",),
        lambda path: write(
            path, SOUND, SCRIPT + "[ {Catalog} << /OpenAction {js} >> /PUT pdfmark"
        ),
    ),
    "attachment": (("attached-file",), lambda path: write(path, SOUND, FILE)),
    "helvetica-left-out": (
        ("font-not-embedded",),
        lambda path: write(
            path,
            SOUND,
            on="/Helvetica 4 selectfont 15 45 moveto (viewer) show",
            options=("-dEmbedAllFonts=false", "-dPDFSETTINGS=/default"),
        ),
    ),
    "helvetica-in": (
        (),
        lambda path: write(
            path, SOUND, on="/Helvetica 4 selectfont 15 45 moveto (viewer) show"
        ),
    ),
    "small-in-type1": (
        ("small-type",),
        lambda path: write(
            path,
            SOUND,
            on="0 0 0 1 setcmykcolor /Times-Roman 1.5 selectfont 15 45 moveto (small) show",
        ),
    ),
    "descender-in-type1": (
        ("text-outside-safe",),
        lambda path: write(
            path,
            SOUND,
            on="0 0 0 1 setcmykcolor /Times-Roman 8 selectfont 15 6.5 moveto (gypgy) show",
        ),
    ),
    "no-descender-in-type1": (
        (),
        lambda path: write(
            path,
            SOUND,
            on="0 0 0 1 setcmykcolor /Times-Roman 8 selectfont 15 6.2 moveto (AMEN) show",
        ),
    ),
    "shading": (
        (),
        lambda path: write(
            path,
            SOUND,
            on=FADE.format("CMYK", "0 0 0 0", ".5 .2 0 0"),
        ),
    ),
    "shading-of-light": (
        ("rgb",),
        lambda path: write(
            path,
            SOUND,
            on="15 20 20 20 rectclip " + FADE.format("RGB", "1 0 0", "0 0 1"),
        ),
    ),
    "pattern-of-light": (
        ("rgb",),
        lambda path: write(
            path,
            SOUND,
            on=TILES,
        ),
    ),
    "transfer": (
        ("?standard",),
        lambda path: write(
            path,
            SOUND,
            on=f"{TRANSFER} 0 .5 0 0 setcmykcolor 15 45 10 5 rectfill",
            options=("-dTransferFunctionInfo=/Preserve", "-dCompatibilityLevel=1.4"),
        ),
    ),
    "old": ((), lambda path: write(path, SOUND, options=("-dCompatibilityLevel=1.3",))),
    "newest": (
        ("version",),
        lambda path: write(path, SOUND, options=("-dCompatibilityLevel=2.0",)),
    ),
    "own-standard": (("cmyk:",), lambda path: standard(path)),
    "own-standard-light": (
        ("cmyk:",),
        lambda path: standard(path, "1 0 0 setrgbcolor 15 45 10 5 rectfill"),
    ),
    "own-standard-for-x4": (("x4:", "standard"), lambda path: standard(path)),
    "own-standard-for-x1a": (("x1a:", "standard"), lambda path: standard(path)),
}
