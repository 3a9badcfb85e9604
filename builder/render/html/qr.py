"""QR codes as drawings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from builder.errors import ToolMissing, UsageError
from builder.messages import gettext as _

if TYPE_CHECKING:
    import segno

MAX_CHARACTERS = 2900
"""Characters that the largest code holds."""


def make_qr_code(text: str, level: str = "l") -> segno.QRCode:
    """Return the QR code of a text. `level` is its error correction: l, m, q or h.

    Raise ToolMissing without the library, UsageError for a text that is too long, and
    ValueError for another level.
    """
    try:
        import segno
    except ImportError as error:
        hint = _("Install squadpress with its extra `share`: squadpress[share].")
        raise ToolMissing(
            _("QR codes need the package segno, which is not installed"), hint
        ) from error
    if len(text) > MAX_CHARACTERS:
        message = _(
            "the text is too long for a QR code ({many} characters)", many=len(text)
        )
        raise UsageError(message, _("Share it as text."))
    return segno.make(text, error=level, micro=False)


def draw_code(text: str, level: str = "l") -> tuple[int, str]:
    """Return the size of a QR code in modules, and an SVG path of its dark modules."""
    rows = [bytes(row) for row in make_qr_code(text, level).matrix]
    path = ""
    for y, row in enumerate(rows):
        for run in re.finditer(rb"\x01+", row):
            width = run.end() - run.start()
            path += f"M{run.start()} {y}h{width}v1h{-width}z"
    return len(rows), path
