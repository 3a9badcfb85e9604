"""A text as a QR code. Needs the extra `share`."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from builder.errors import ToolMissing, UsageError
from builder.messages import gettext as _

if TYPE_CHECKING:
    import segno

MOST = 2900
"""Characters that the largest code holds."""


def _code(text: str) -> segno.QRCode:
    try:
        import segno
    except ImportError as error:
        raise ToolMissing(
            _("QR codes need segno"), _("Install squadpress with its extra `share`: squadpress[share].")
        ) from error
    if len(text) > MOST:
        message = _("the squad is too large for a QR code ({many} characters)", many=len(text))
        raise UsageError(message, _("Share the token as text."))
    return segno.make(text, error="l", micro=False)


def qr_svg(text: str) -> bytes:
    """The code as an SVG picture with a quiet zone."""
    out = io.BytesIO()
    _code(text).save(out, kind="svg", border=4, scale=1, xmldecl=False, svgns=True, nl=True)
    return out.getvalue()


def qr_path(text: str) -> tuple[int, str] | None:
    """The code's modules a side and an SVG path of its dark ones; None where it cannot be made."""
    try:
        rows = [bytes(row) for row in _code(text).matrix]
    except (ToolMissing, UsageError):
        return None
    runs = (
        f"M{run.start()} {y}h{run.end() - run.start()}v1h{run.start() - run.end()}z"
        for y, row in enumerate(rows)
        for run in re.finditer(rb"\x01+", row)
    )
    return len(rows), "".join(runs)


def qr_text(text: str) -> str:
    """The code for a terminal."""
    out = io.StringIO()
    _code(text).terminal(out=out, compact=True)
    return out.getvalue()
