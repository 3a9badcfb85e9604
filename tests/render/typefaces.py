"""Small fonts for tests: some letters of an installed one, under another name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont

from builder.render.fonts import list_font_files


def nothing(_font: Any) -> None:
    """Leave the font as it is."""


def typeface(
    family: str, of: str = "Roboto-Regular", edit: Callable[[Any], None] = nothing
) -> bytes:
    """A font file of a family, with the letters of an installed cut."""
    font = TTFont(BytesIO(_letters(of)), recalcTimestamp=False)
    font["name"].names = [
        record for record in font["name"].names if record.nameID in (1, 2)
    ]
    font["name"].setName(family, 1, 3, 1, 0x409)
    edit(font)
    out = BytesIO()
    font.save(out)
    return out.getvalue()


@cache
def _letters(of: str) -> bytes:
    font = TTFont(
        next(path for path in list_font_files() if path.stem == of),
        recalcTimestamp=False,
    )
    subsetter = subset.Subsetter(
        subset.Options(layout_features=["kern"], name_IDs=["*"])
    )
    subsetter.populate(unicodes=[*range(0x20, 0x180), *range(0x2010, 0x2060), 0x2212])
    subsetter.subset(font)
    out = BytesIO()
    font.save(out)
    return out.getvalue()
