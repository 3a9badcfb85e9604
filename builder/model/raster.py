"""What an image file says, as frozen values. Places in it are pixels from its top left corner.

Checks over these values are pure functions; nothing here knows of files or of Pillow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Edges: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are the first that lie outside."""


@dataclass(frozen=True, slots=True)
class Raster:
    """One image.

    `form` is the file's format and `mode` its colours by their usual names (`PNG`, `JPEG`; `RGB`, `RGBA`, `CMYK`, `L`,
    `P`, `I;16`); `alpha` tells whether it can be transparent, `clear` where it is not opaque; `drawn` is what differs
    from the colour of its corner (None: one colour throughout); `dpi` the resolution written into it, across and down;
    `profile` the name of its colour profile, empty for none; `shade` a digest of its pixels; `filled` how much
    (0 to 1) of each edge of `drawn`, a pixel inside of it, differs from the corner too.
    """

    form: str
    pixels: tuple[int, int]
    mode: str
    alpha: bool = False
    clear: Edges | None = None
    drawn: Edges | None = None
    dpi: tuple[float, float] | None = None
    profile: str = ""
    shade: str = ""
    filled: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
