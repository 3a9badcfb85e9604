"""Private names of the engine that are replaced: two patches for the result, the others for speed only.

Those of speed are in place only while something is set, and only with a version that they were tried with; a test
compares what comes out with and without them. `python -m tests.bench patches` measures what each of them gains.
"""

from functools import cache

from builder.render.engine.weasyprint.patches import (
    boxes,
    drawings,
    fonts,
    lengths,
    lines,
    reading,
    shapes,
    sheet,
    styles,
    texts,
    widths,
)
from builder.render.engine.weasyprint.patches.replacing import Patch, put

CORRECT = (Patch("widths", widths.replacements), Patch("lines", lines.replacements))

SPEED = (
    Patch("styles", styles.replacements, 0.26, styles.clear),
    Patch("texts", texts.replacements, 0.12, texts.clear),
    Patch("shapes", shapes.replacements, 0.04, shapes.clear),
    Patch("drawings", drawings.replacements, 0.04, drawings.clear),
    Patch("boxes", boxes.replacements, 0.03),
    Patch("sheet", sheet.replacements, 0.08),
    Patch("fonts", fonts.replacements, 0.11),
    Patch("reading", reading.replacements, 0.06),
    Patch("lengths", lengths.replacements, 0.04),
)


@cache
def install() -> tuple[str, ...]:
    """Replace for good what is for the result; the patches that this version of the engine has no place for."""
    lacking = []
    for patch in CORRECT:
        try:
            put(patch)
        except (ImportError, AttributeError):
            lacking.append(patch.name)
    return tuple(lacking)


def clear() -> None:
    """Forget all that is remembered of faces set so far."""
    for patch in SPEED:
        patch.clear()
