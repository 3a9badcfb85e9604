"""A form that is drawn again is told as if it had been read again."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from builder.model.pdf import Item, PdfText, Shape, find_visible_box
from builder.pdfinfo.read import read_pdf
from tests.pdfinfo.make import helvetica, page

DRAWING = b"1 w 10 10 m 60 10 l S 5 5 20 40 re f BT /F1 10 Tf 12 60 Td (Lamp) Tj ET"
PLACES = [
    "1 0 0 1 0 0",
    "1 0 0 1 40 5",
    "-1 0 0 1 180 0",
    "2 0 0 2 20 0",
    "0 1 -1 0 150 0",
    "1 0 0.2 1 0 0",
]
CLIPS = ["", "0 0 100 100 re W n", "30 20 25 30 re W n"]


def drawn(path: Path, uses: list[str], *, alike: bool) -> tuple[Item, ...]:
    """Return the items of a page that draws one form at these places.

    Unlike forms say the same, each by its own object.
    """
    with pikepdf.open(
        page(
            path,
            " ".join(f"q {use} /X{number} Do Q" for number, use in enumerate(uses)),
        )
    ) as pdf:
        made = Dictionary()
        for number, _ in enumerate(uses):
            if number and alike:
                made[f"/X{number}"] = made["/X0"]
                continue
            form = pdf.make_stream(
                DRAWING,
                Type=Name.XObject,
                Subtype=Name.Form,
                BBox=Array([0, 0, 90, 80]),
            )
            form["/Resources"] = Dictionary(Font=Dictionary(F1=helvetica()))
            made[f"/X{number}"] = form
        pdf.pages[0].obj["/Resources"] = Dictionary(XObject=made)
        pdf.save(path.with_suffix(".made.pdf"))
    return read_pdf(path.with_suffix(".made.pdf")).pages[0].items


def facts(item: Item) -> list[object]:
    """Return all that must be equal, rounded."""
    box, clip = item.box, item.look.clip
    numbers = [box.x, box.y, box.width, box.height]
    numbers += [clip.x, clip.y, clip.width, clip.height] if clip else []
    if isinstance(item, Shape):
        numbers += [item.width, *(part for point in item.points for part in point)]
    if isinstance(item, PdfText):
        numbers += [item.size, abs(item.angle)]
    return [type(item), *(round(number, 6) + 0.0 for number in numbers)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("clip", CLIPS)
def test_it_is_reported_as_if_read_again(tmp_path: Path, place: str, clip: str) -> None:
    uses = [f"{PLACES[0]} cm", f"{clip} {place} cm"]
    again = drawn(tmp_path / "a.pdf", uses, alike=True)
    fresh = drawn(tmp_path / "b.pdf", uses, alike=False)
    seen = [
        item
        for item in fresh[3:]
        if find_visible_box(item).width > 0 and find_visible_box(item).height > 0
    ]
    assert [facts(item) for item in again[:3]] == [facts(item) for item in fresh[:3]]
    assert [facts(item) for item in again[3:]] == [facts(item) for item in seen]


def test_what_is_hidden_is_reported_once(tmp_path: Path) -> None:
    hidden = "0 0 1 1 re W n 1 0 0 1 50 0 cm"
    assert len(drawn(tmp_path / "a.pdf", [hidden], alike=True)) == 3
    assert len(drawn(tmp_path / "b.pdf", [hidden, hidden], alike=True)) == 3


def test_another_colour_around_it_is_seen(tmp_path: Path) -> None:
    items = drawn(tmp_path / "a.pdf", ["1 0 0 rg", "0 1 0 rg"], alike=True)
    fills = [
        item.fill.values for item in items if isinstance(item, Shape) and item.fill
    ]
    assert fills == [(1, 0, 0), (0, 1, 0)]
