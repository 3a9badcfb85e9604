"""PDFKit: inks, gradients, spot inks, boxes by hand."""

from __future__ import annotations

from functools import partial

from tests.checks.preflight.corpus.programs import node
from tests.checks.preflight.corpus.programs.painter import Specials

PROGRAM, PRESET = "PDFKit", "cmyk"
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line thin-scaled broad-scaled coarse-image "
    "text-cut text-safe "
    "descender no-descender accents alpha ends-at-cut rich-text "
    "coloured-black outlined "
    "outlined-well "
    "outlined-rich spot light-in-inks odd no-bleed "
)
write = partial(node.write, "pdfkit")
SPECIALS: Specials = {
    "viewers-font": (("font-not-embedded",), node.special("pdfkit", "viewers-font")),
    "note": (("annotation",), node.special("pdfkit", "note")),
    "attachment": (("attached-file",), node.special("pdfkit", "attachment")),
    "gradient": ((), node.special("pdfkit", "gradient")),
    "gradient-of-light": (("rgb",), node.special("pdfkit", "gradient-of-light")),
    "script": (("document-script",), node.special("pdfkit", "script")),
    "locked": (("encrypted",), node.special("pdfkit", "locked")),
}
