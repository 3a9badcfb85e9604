"""Faces on a shop's pages: the face in its place, its outermost strip mirrored where the page reaches further; some of
the faces of a file, and their pages in another order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from builder.findings import Box
from builder.geometry.shop import ShopPage
from builder.pdf import Array, Dictionary, Name, Object, Page, Pdf
from builder.render.cache import ResultCache
from builder.render.prepress.drawings import page_form
from builder.render.prepress.transparency import Splitter
from builder.render.sheets.pdfwriter import number
from builder.units import from_points, to_points

PORTION = 500
"""How many faces are in memory at a time."""
LAP = 0.2
"""Mm inside the edge where a face is mirrored: the strip covers its very edge, where shapes end half-way in a pixel."""


def lay_pages(pdf: Pdf, cuts: Sequence[ShopPage], memo: ResultCache | None = None) -> None:
    """Make each page (a face with its bleed, nothing else) the page of its cut, with all boxes."""
    splitter = Splitter(pdf, memo)
    for page, cut in zip(pdf.pages, cuts, strict=True):
        place = _place(cut, [float(edge) for edge in page.mediabox])
        face = page_form(pdf, page)
        objects = Dictionary(Face=face)
        out = b"q %s cm /Face Do Q\n" % place
        if max(cut.reach) > 0:
            objects["/Edge"] = splitter.form(face, "art")
            out += mirrored(cut, place)
        page.obj["/Resources"] = Dictionary(XObject=objects)
        page.obj["/Contents"] = pdf.make_stream(out)
        _boxes(page.obj, cut)


def _place(cut: ShopPage, box: Sequence[float]) -> bytes:
    """The matrix that brings a face with this box to its place on the page, turned as the cut says."""
    left, bottom, right, top = box
    wide, high = (right - left, top - bottom) if not cut.rotate else (top - bottom, right - left)
    assert abs(from_points(wide) - cut.face.width) < 0.1
    assert abs(from_points(high) - cut.face.height) < 0.1
    x, y = to_points(cut.face.x), _bottom(cut, cut.face)
    ways: dict[int, tuple[bytes, float, float]] = {
        0: (b"1 0 0 1", x - left, y - bottom),
        90: (b"0 -1 1 0", x - bottom, y + right),
        -90: (b"0 1 -1 0", x + top, y - left),
    }
    matrix, across, up = ways[cut.rotate]
    return b"%s %s %s" % (matrix, number(across), number(up))


def mirrored(cut: ShopPage, place: bytes) -> bytes:
    """Operators that draw the face's edges mirrored into the strip the face does not reach; `place` is its matrix."""
    out = b""
    for across in (-1, 0, 1):
        for down in (-1, 0, 1):
            if (
                (across, down) != (0, 0)
                and (cut.reach[0] or not across)
                and (cut.reach[1] or not down)
            ):
                out += _strip(cut, across, down, place)
    return out


def _strip(cut: ShopPage, across: int, up: int, place: bytes) -> bytes:
    """One of the eight strips around the face; `up` 1 is the upper edge."""
    face = (
        to_points(cut.face.x),
        _bottom(cut, cut.face),
        to_points(cut.face.width),
        to_points(cut.face.height),
    )
    a, e, x, width = _mirror(across, face[0], face[2], to_points(cut.reach[0]))
    d, f, y, height = _mirror(up, face[1], face[3], to_points(cut.reach[1]))
    clip = b" ".join(number(value) for value in (x, y, width, height))
    matrix = b"%s 0 0 %s %s %s" % (number(a), number(d), number(e), number(f))
    return b"q %s re W n %s cm %s cm /Edge Do Q\n" % (clip, matrix, place)


def _mirror(
    side: int, start: float, length: float, reach: float
) -> tuple[float, float, float, float]:
    """Along one axis: scale and shift of the page, start and length of the strip, which begins on the face."""
    lap = to_points(LAP)
    if side < 0:
        return -1, 2 * (start + lap), start - reach, reach + lap
    if side > 0:
        return -1, 2 * (start + length - lap), start + length - lap, reach + lap
    return 1, 0, start, length


def _bottom(cut: ShopPage, box: Box) -> float:
    """A box's lower edge in points from the page's foot."""
    return to_points(cut.height - box.y - box.height)


def _boxes(page: Object, cut: ShopPage) -> None:
    """MediaBox and BleedBox are the page, TrimBox the card."""
    whole = [0, 0, round(to_points(cut.width), 4), round(to_points(cut.height), 4)]
    left, bottom = to_points(cut.trim.x), _bottom(cut, cut.trim)
    trim = [left, bottom, left + to_points(cut.trim.width), bottom + to_points(cut.trim.height)]
    for key in ("/CropBox", "/ArtBox", "/Group"):
        if key in page:
            del page[key]
    page["/MediaBox"] = Array(whole)
    page["/BleedBox"] = Array(whole)
    page["/TrimBox"] = Array([round(edge, 4) for edge in trim])


@contextmanager
def some_faces(source: Path, faces: Sequence[int]) -> Iterator[Pdf]:
    """A file of these faces alone; the page tree of the source has no branches.

    Of the source nothing else is read. What is yielded is another file: to be saved, a file is read as a whole.
    """
    with Pdf.open(source, inherit_page_attributes=False) as whole, Pdf.new() as pdf:
        tree = whole.Root.Pages
        tree["/Kids"], tree["/Count"] = Array([tree.Kids[face] for face in faces]), len(faces)
        pdf.pages.extend(whole.pages)
        pdf.trailer["/Info"] = pdf.copy_foreign(whole.trailer["/Info"])
        yield pdf


def portions(order: Sequence[int | None], most: int) -> list[list[int | None]]:
    """An order of pages cut into parts that name so many faces at most; empty pages stay with the one before."""
    found: list[list[int | None]] = [[]]
    faces: set[int] = set()
    for face in order:
        if face is not None and face not in faces and len(faces) == most:
            found.append([])
            faces.clear()
        found[-1].append(face)
        faces |= set() if face is None else {face}
    return found


def laid(
    source: Path, cuts: Sequence[ShopPage], memo: ResultCache | None = None, start: int = 0
) -> Path:
    """A file beside this one with a portion of the faces on the shop's pages, colours as they were."""
    path, faces = source.with_name("laid.pdf"), range(start, min(start + PORTION, len(cuts)))
    with some_faces(source, faces) as pdf:
        lay_pages(pdf, [cuts[face] for face in faces], memo)
        pdf.save(path, deterministic_id=True)
    return path


def arrange(pdf: Pdf, order: Sequence[int | None]) -> None:
    """The pages in another order, each as often as it is named; None is an empty page like the one before."""
    pages = list(pdf.pages)
    del pdf.pages[:]
    like = pages[next((index for index in order if index is not None), 0)]
    for index in order:
        if index is not None:
            like = pages[index]
            pdf.pages.append(like)
            continue
        empty = Dictionary(Type=Name.Page, Resources=Dictionary())
        for key in ("/MediaBox", "/BleedBox", "/TrimBox"):
            empty[key] = like.obj[key]
        # A stream of no bytes is written as compressed data that is none: some readers stop there.
        empty["/Contents"] = pdf.make_stream(b"\n")
        pdf.pages.append(Page(pdf.make_indirect(empty)))
