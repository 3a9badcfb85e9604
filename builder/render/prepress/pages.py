"""Place faces on a shop's pages."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from builder.findings import Box
from builder.geometry.shop import ShopPage
from builder.pdf import Array, Dictionary, Name, Object, Page, Pdf
from builder.render.cache import ResultCache
from builder.render.prepress.drawings import make_page_form
from builder.render.prepress.transparency import Splitter
from builder.render.sheets.pdfwriter import format_number
from builder.units import from_points, to_points

MAX_FACES_IN_MEMORY = 500
OVERLAP_MM = 0.2
"""How far inside its edge a face is mirrored: at the very edge shapes end within a pixel."""


def lay_out_pages(
    pdf: Pdf, shop_pages: Sequence[ShopPage], cache: ResultCache | None = None
) -> None:
    """Convert each page, which is a face with bleed, to a page as the shop requires it."""
    splitter = Splitter(pdf, cache)
    for page, shop_page in zip(pdf.pages, shop_pages, strict=True):
        matrix = _make_matrix(shop_page, [float(edge) for edge in page.mediabox])
        face = make_page_form(pdf, page)
        objects = Dictionary(Face=face)
        content = b"q %s cm /Face Do Q\n" % matrix
        if max(shop_page.reach) > 0:
            objects["/Edge"] = splitter.split(face, "art")
            content += _mirror_edges(shop_page, matrix)
        page.obj["/Resources"] = Dictionary(XObject=objects)
        page.obj["/Contents"] = pdf.make_stream(content)
        _set_boxes(page.obj, shop_page)


def _make_matrix(shop_page: ShopPage, media_box: Sequence[float]) -> bytes:
    """Return the matrix that moves and turns a face to its position on the shop's page."""
    x_min, y_min, x_max, y_max = media_box
    width = x_max - x_min
    height = y_max - y_min
    # Boxes of a shop's page are those of the turned face.
    if shop_page.rotate:
        width, height = height, width
    assert abs(from_points(width) - shop_page.face.width) < 0.1
    assert abs(from_points(height) - shop_page.face.height) < 0.1
    x = to_points(shop_page.face.x)
    y = _find_bottom(shop_page, shop_page.face)
    if shop_page.rotate == 90:
        turn = b"0 -1 1 0"
        x = x - y_min
        y = y + x_max
    elif shop_page.rotate == -90:
        turn = b"0 1 -1 0"
        x = x + y_max
        y = y - x_min
    else:
        turn = b"1 0 0 1"
        x = x - x_min
        y = y - y_min
    return b"%s %s %s" % (turn, format_number(x), format_number(y))


def _mirror_edges(shop_page: ShopPage, matrix: bytes) -> bytes:
    """Return PDF operators that fill missing bleed with the mirrored edges of a face."""
    reach_x, reach_y = shop_page.reach
    columns = (-1, 0, 1) if reach_x else (0,)
    rows = (-1, 0, 1) if reach_y else (0,)
    content = b""
    for column in columns:
        for row in rows:
            # In the middle is the face itself.
            if column or row:
                content += _mirror_strip(shop_page, column, row, matrix)
    return content


def _mirror_strip(shop_page: ShopPage, column: int, row: int, matrix: bytes) -> bytes:
    """Return PDF operators for one of the 8 strips around a face. `row` 1 is the upper edge."""
    face = shop_page.face
    reach_x, reach_y = shop_page.reach
    x_min = to_points(face.x)
    y_min = _find_bottom(shop_page, face)
    scale_x, shift_x, x, width = _mirror_axis(
        column, x_min, to_points(face.width), reach_x
    )
    scale_y, shift_y, y, height = _mirror_axis(
        row, y_min, to_points(face.height), reach_y
    )
    clip = b" ".join(map(format_number, (x, y, width, height)))
    mirror = b" ".join(map(format_number, (scale_x, 0, 0, scale_y, shift_x, shift_y)))
    return b"q %s re W n %s cm %s cm /Edge Do Q\n" % (clip, mirror, matrix)


def _mirror_axis(
    side: int, start: float, length: float, reach_mm: float
) -> tuple[float, float, float, float]:
    """Return scale and offset of the page along one axis, and start and length of the strip."""
    overlap = to_points(OVERLAP_MM)
    reach = to_points(reach_mm)
    if side < 0:
        return -1, 2 * (start + overlap), start - reach, reach + overlap
    if side > 0:
        end = start + length - overlap
        return -1, 2 * end, end, reach + overlap
    return 1, 0, start, length


def _find_bottom(shop_page: ShopPage, box: Box) -> float:
    """Return the distance in points from the bottom of the page to the bottom of a box."""
    return to_points(shop_page.height - box.y - box.height)


def _set_boxes(page: Object, shop_page: ShopPage) -> None:
    """Set MediaBox and BleedBox to the page, and TrimBox to the card."""
    width = to_points(shop_page.width)
    height = to_points(shop_page.height)
    trim = shop_page.trim
    x_min = to_points(trim.x)
    y_min = _find_bottom(shop_page, trim)
    x_max = x_min + to_points(trim.width)
    y_max = y_min + to_points(trim.height)
    # These describe the face as it was: its drawing is a form now.
    for key in ("/CropBox", "/ArtBox", "/Group"):
        if key in page:
            del page[key]
    page_box = (0, 0, width, height)
    trim_box = (x_min, y_min, x_max, y_max)
    page["/MediaBox"] = Array([round(edge, 4) for edge in page_box])
    page["/BleedBox"] = page["/MediaBox"]
    page["/TrimBox"] = Array([round(edge, 4) for edge in trim_box])


@contextmanager
def open_faces(source: Path, faces: Sequence[int]) -> Iterator[Pdf]:
    """Open a PDF file that contains only these faces of the source.

    Nothing else of the source is read. The opened file is a new one: to be saved, a file is read as
    a whole.
    """
    with (
        Pdf.open(source, inherit_page_attributes=False) as source_pdf,
        Pdf.new() as pdf,
    ):
        # Only the listed pages remain in the tree, before the library reads any of them.
        tree = source_pdf.Root.Pages
        tree["/Kids"] = Array([tree.Kids[face] for face in faces])
        tree["/Count"] = len(faces)
        pdf.pages.extend(source_pdf.pages)
        pdf.trailer["/Info"] = pdf.copy_foreign(source_pdf.trailer["/Info"])
        yield pdf


def split_order(order: Sequence[int | None], max_faces: int) -> list[list[int | None]]:
    """Split a list of page indices into parts with at most `max_faces` different faces.

    Empty pages stay with the page before them.
    """
    portions: list[list[int | None]] = [[]]
    faces: set[int] = set()
    for face in order:
        if face is not None:
            if face not in faces and len(faces) == max_faces:
                portions.append([])
                faces.clear()
            faces.add(face)
        portions[-1].append(face)
    return portions


def write_shop_pages(
    source: Path,
    shop_pages: Sequence[ShopPage],
    cache: ResultCache | None = None,
    start: int = 0,
) -> Path:
    """Write a PDF with faces on the shop's pages. Return its path. Its colors are not converted.

    It has MAX_FACES_IN_MEMORY faces from index `start` on. It is in the folder of `source`.
    """
    path = source.with_name("laid.pdf")
    faces = range(start, min(start + MAX_FACES_IN_MEMORY, len(shop_pages)))
    with open_faces(source, faces) as pdf:
        lay_out_pages(pdf, [shop_pages[face] for face in faces], cache)
        pdf.save(path, deterministic_id=True)
    return path


def reorder_pages(pdf: Pdf, order: Sequence[int | None]) -> None:
    """Put the pages of a PDF into another order. None in the order adds an empty page."""
    pages = list(pdf.pages)
    del pdf.pages[:]
    # An empty page has the size of the page before it, a first one that of the first page.
    first = next((index for index in order if index is not None), 0)
    model_page = pages[first]
    for index in order:
        if index is None:
            pdf.pages.append(_make_empty_page(pdf, model_page))
        else:
            model_page = pages[index]
            pdf.pages.append(model_page)


def _make_empty_page(pdf: Pdf, model_page: Page) -> Page:
    empty = Dictionary(Type=Name.Page, Resources=Dictionary())
    for key in ("/MediaBox", "/BleedBox", "/TrimBox"):
        empty[key] = model_page.obj[key]
    # An empty stream is written as empty compressed data: some readers stop there.
    empty["/Contents"] = pdf.make_stream(b"\n")
    return Page(pdf.make_indirect(empty))
