"""Plates for foil and white ink: the pages of an order's file in black alone, or in the spot colour a shop names."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from builder.geometry.shop import ShopPage
from builder.model.pdf import Item, PdfText, Shape, paints
from builder.pdf import Array, Dictionary, Name, Pdf
from builder.render.prepress.drawings import content, drawings, store
from builder.render.prepress.finisher import Finisher

_BLACK = re.compile(rb"(?<![\d.])0(?:\.0)? 0(?:\.0)? 0(?:\.0)? 1(?:\.0)? ([kK])\b")


def write_plate(
    finisher: Finisher, source: Path, cuts: Sequence[ShopPage], order: Sequence[int | None], path: Path, spot: str
) -> None:
    """Write a plate from a file of its faces, as the finisher writes the file it belongs to; type becomes outlines."""
    preset = finisher.preset
    colour = preset.colour.model_copy(update={"space": "cmyk", "rich_black": None})
    taken = preset.model_copy(update={"colour": colour, "outlined_text": True})
    letters = source.with_name("letters.pdf")
    replace(finisher, preset=taken, findings=[], flat={}).finish(source, cuts, order, path.stem, path, letters)
    if spot:
        _paint(path, spot)


def _paint(path: Path, spot: str) -> None:
    """Name black as another ink, drawn on screens as black."""
    with Pdf.open(path, allow_overwriting_input=True) as pdf:
        shown = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 0, 0, 1], N=1)
        ink = pdf.make_indirect(Array([Name.Separation, Name(f"/{spot}"), Name.DeviceCMYK, shown]))
        for item, resources in drawings([page.obj for page in pdf.pages]):
            found = _BLACK.sub(lambda one: b"/Plate cs 1 scn" if one[1] == b"k" else b"/Plate CS 1 SCN", content(item))
            store(item, found, pdf)
            if resources is not None:
                resources["/ColorSpace"] = Dictionary(Plate=ink)
        pdf.save(path, deterministic_id=True)


def is_plate(item: Item) -> bool:
    """True for type and shapes in black ink alone, or in a spot colour."""
    inks = [paint.values for paint in paints(item) if paint.space != "Separation"]
    return isinstance(item, Shape | PdfText) and all(values == (0, 0, 0, 1) for values in inks)
