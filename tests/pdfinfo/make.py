"""Small PDFs written by hand, so that what a reader must find is known exactly."""

from __future__ import annotations

from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name


def page(
    path: Path, content: str, resources: Dictionary | None = None, **keys: object
) -> Path:
    """One page of 200 x 100 pt with this content; `keys` are put into the page."""
    pdf = pikepdf.new()
    made = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 200, 100]),
        Resources=resources or Dictionary(),
        Contents=pdf.make_stream(content.encode("latin-1")),
    )
    for key, value in keys.items():
        made[f"/{key}"] = value
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(made)))
    pdf.save(path)
    return path


def helvetica() -> Dictionary:
    """A font of the viewer's own, its letters 500 wide."""
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type1,
        BaseFont=Name.Helvetica,
        FirstChar=32,
        Widths=Array([500] * 95),
        FontDescriptor=Dictionary(Type=Name.FontDescriptor, Ascent=800, Descent=-200),
    )
