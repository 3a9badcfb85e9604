"""The patches of speed for tests of single documents: all but the style sheet, which means other things by elements."""

from __future__ import annotations

from contextlib import AbstractContextManager

from builder.render.engine.weasyprint.patches import SPEED, install
from builder.render.engine.weasyprint.patches.replacing import in_place


def fast(wanted: bool) -> AbstractContextManager[None]:
    """Have them in place meanwhile, if wanted; those for the result stand below either way, as in a build."""
    install()
    return in_place(tuple(patch for patch in SPEED if patch.name != "sheet") if wanted else ())
