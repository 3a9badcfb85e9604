"""A shop's PDF from a PDF of faces: pages in the shop's order, each on the shop's page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from builder.findings import Finding
from builder.layout.shop import Cut
from builder.model.preset import Preset
from builder.render.prepress import codes
from builder.render.prepress.reach import lay_pages


def laid(source: bytes, cuts: Sequence[Cut]) -> bytes:
    """The faces on the shop's pages, colours as they were."""
    import pikepdf

    with pikepdf.open(BytesIO(source)) as pdf:
        lay_pages(pdf, cuts)
        out = BytesIO()
        pdf.save(out, deterministic_id=True)
        return out.getvalue()


@dataclass
class Finisher:
    """Makes a shop's PDF files. `colour` says in words what was done; `findings` what must be known."""

    preset: Preset
    icc: Path | None
    day: str
    title: str
    colour: str = "RGB as set"
    findings: list[Finding] = field(default_factory=list)

    def finish(self, source: bytes, cuts: Sequence[Cut], order: Sequence[int | None]) -> bytes:
        """The file with its pages in this order; a page may come several times, None is an empty one."""
        import pikepdf

        with pikepdf.open(BytesIO(source)) as pdf:
            lay_pages(pdf, cuts)
            arrange(pdf, order)
            out = BytesIO()
            pdf.save(out, deterministic_id=True)
        if self.preset.outlined_text and not self.findings:
            self.findings.append(codes.OUTLINES.finding(f"{self.preset.id} wants text as outlines; it is in fonts"))
        return out.getvalue()


def arrange(pdf: Any, order: Sequence[int | None]) -> None:
    """The pages in another order, each as often as it is named; None is an empty page like the one before."""
    import pikepdf

    pages = list(pdf.pages)
    del pdf.pages[:]
    like = pages[next((index for index in order if index is not None), 0)]
    for index in order:
        if index is not None:
            like = pages[index]
            pdf.pages.append(like)
            continue
        boxes = {key: like.obj[key] for key in ("/MediaBox", "/BleedBox", "/TrimBox")}
        empty = pikepdf.Dictionary(Type=pikepdf.Name.Page, Resources=pikepdf.Dictionary())
        for key, box in boxes.items():
            empty[key] = box
        empty["/Contents"] = pdf.make_stream(b"")
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(empty)))
