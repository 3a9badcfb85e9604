"""pdf-lib: objects in streams, fonts with cubic outlines, forms and scripts."""

from __future__ import annotations

from functools import partial

from tests.checks.preflight.corpus.programs import node
from tests.checks.preflight.corpus.programs.painter import Specials

PROGRAM, PRESET = "pdf-lib", "cmyk"
DRAWS = (
    "sound small-type thin-line thin-scaled broad-scaled text-cut text-safe descender no-descender "
    "accents alpha "
    "alpha-allowed ends-at-cut panel-ends rich-text "
    "coloured-black turned-text "
    "light-in-inks mixed blank "
)
write = partial(node.write, "pdflib")
SPECIALS: Specials = {
    "viewers-font": (("font-not-embedded",), node.special("pdflib", "viewers-font")),
    "multiply": (("opaque:", "transparency"), node.special("pdflib", "multiply")),
    "path": ((), node.special("pdflib", "path")),
    "plain": ((), node.special("pdflib", "plain")),
    "form-field": (
        ("annotation", "?font-not-embedded"),
        node.special("pdflib", "form-field"),
    ),
    "crop-in-trim": (("box-outside",), node.special("pdflib", "crop-in-trim")),
    "script": (("document-script",), node.special("pdflib", "script")),
    "attachment": (("attached-file",), node.special("pdflib", "attachment")),
    "no-claim": (("x4:", "standard", "no-output-intent"), node.special("pdflib", "")),
}
