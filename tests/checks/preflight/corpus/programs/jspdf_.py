"""jsPDF: inks without boxes.

All the viewer's fonts are named in every file and hardly one is used.
"""

from __future__ import annotations

from functools import partial

from tests.checks.preflight.corpus.programs import node
from tests.checks.preflight.corpus.programs.painter import Specials

PROGRAM, PRESET, BASE = "jsPDF", "cmyk", ("no-trim-box",)
DRAWS = (
    "too-much-ink enough-ink sound small-type thin-line coarse-image text-cut text-safe descender "
    "no-descender "
    "alpha ends-at-cut rich-text coloured-black outlined outlined-well light-in-inks odd "
)
write = partial(node.write, "jspdf")
SPECIALS: Specials = {
    "viewers-font": (("font-not-embedded",), node.special("jspdf", "viewers-font")),
    "link": (("annotation",), node.special("jspdf", "link")),
    "printing-script": (("document-script",), node.special("jspdf", "auto-print")),
}
