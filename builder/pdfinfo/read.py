"""Read a PDF as typed facts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pikepdf
from pikepdf.models import PdfMetadata

from builder.errors import InputUnreadable, SquadpressError
from builder.files import require_ordinary_file, suggest_file
from builder.findings import Box
from builder.limits import begin_file, enter_page
from builder.messages import describe_os_error, gettext as _
from builder.model.pdf import Font, OutputIntent, Page, Pdf, intersect_boxes
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Stream
from builder.pdfinfo.geometry import transform_sides
from builder.pdfinfo.interpret import ContentReader, has_filter, read_group
from builder.pdfinfo.state import Memory, PageContents, State, keep_numbers, remember
from builder.units import from_points

A4_POINTS = (0.0, 0.0, 595.276, 841.89)
PAGE_BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
MATRICES_BY_ROTATION = {
    0: (1, 0, 0, 1),
    90: (0, -1, 1, 0),
    180: (-1, 0, 0, -1),
    270: (0, 1, -1, 0),
}
PAGES_PER_PORTION = 32
"""The facts of a card's face take up some 0.5 MB."""
MAX_CACHED_PAGES = 16
# A damaged or malicious file may have trees and chains of actions without an end.
MAX_TREE_DEPTH = 8
MAX_CHAINED_ACTIONS = 16


def read_pdf(path: Path) -> Pdf:
    """Read all facts of a PDF. Raise InputUnreadable if it cannot be read."""
    portions = list(read_in_portions(path))
    pages: list[Page] = []
    for portion in portions:
        pages += portion.pages
    # The last portion states how often the file had to be repaired.
    return replace(portions[-1], pages=tuple(pages))


def read_in_portions(path: Path) -> Iterator[Pdf]:
    """Yield the facts of a PDF with some of its pages at a time, at least once.

    Raises InputUnreadable for a missing, damaged or password-protected file.
    """
    try:
        begin_file()
        with pikepdf.open(require_ordinary_file(path)) as pdf:
            yield from _read_portions(pdf)
    except IsADirectoryError:
        message = _("{file} is a folder, not a PDF", file=path)
        raise InputUnreadable(message, _("Give the file.")) from None
    except pikepdf.PasswordError:
        message = _("{file}: the PDF needs a password", file=path)
        raise InputUnreadable(
            message, _("Save it without a password and try again.")
        ) from None
    except (OSError, pikepdf.PdfError) as error:
        form = _("{file}: cannot be read as a PDF: {reason}")
        message = _(form, file=path, reason=describe_os_error(error))
        is_missing = isinstance(error, FileNotFoundError)
        hint = (
            suggest_file(Path(path))
            if is_missing
            else _("Check that it is a complete PDF.")
        )
        raise InputUnreadable(message, hint) from None
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:  # the library raises anything for a damaged file
        form = _("{file}: damaged: an object has the wrong type ({reason})")
        message = _(form, file=path, reason=error)
        hint = _("Save it again in the program that created it.")
        raise InputUnreadable(message, hint) from None


def _read_portions(pdf: pikepdf.Pdf) -> Iterator[Pdf]:
    document = _read_document(pdf)
    memory = Memory()
    page_count = len(pdf.pages)
    # A file without pages has one portion too.
    for start in range(0, max(page_count, 1), PAGES_PER_PORTION):
        numbered_pages = enumerate(
            pdf.pages[start : start + PAGES_PER_PORTION], start + 1
        )
        pages = tuple(
            _read_page_once(page, number, memory) for number, page in numbered_pages
        )
        enter_page(0)
        # Reading the warnings clears them, so they are summed up.
        guessed_count = document.guessed_count + len(pdf.get_warnings())
        document = replace(document, pages=pages, guessed_count=guessed_count)
        yield document


def _read_document(pdf: pikepdf.Pdf) -> Pdf:
    """Read the facts of a PDF except its pages."""
    root = pdf.Root
    info = pdf.trailer.get("/Info", Dictionary())
    names = root.get("/Names", Dictionary())
    metadata = pdf.open_metadata()
    files = _list_tree_names(names.get("/EmbeddedFiles", Dictionary()))
    is_dated = "/CreationDate" in info and "/ModDate" in info
    return Pdf(
        version=pdf.pdf_version,
        standard=_find_standard(metadata, info),
        encrypted=pdf.is_encrypted,
        ids=tuple(bytes(item).hex() for item in pdf.trailer.get("/ID", [])),
        title=str(info.get("/Title", "")) or str(metadata.get("dc:title") or ""),
        trapped=str(info.get("/Trapped", metadata.get("pdf:Trapped", ""))).lstrip("/"),
        intents=tuple(_read_intent(item) for item in root.get("/OutputIntents", [])),
        layers="/OCProperties" in root,
        javascript="/JavaScript" in names or has_script(root),
        pages=(),
        dated=is_dated
        or ("xmp:CreateDate" in metadata and "xmp:ModifyDate" in metadata),
        packed=pdf.trailer.get("/Type") == Name.XRef,
        attached=len(files) or len(root.get("/AF", [])),
    )


def _list_tree_names(tree: Object, depth: int = 0) -> list[Object]:
    """Return all names in a name tree of a PDF."""
    # Names and values are by turns.
    names = list(tree.get("/Names", []))[::2]
    if depth < MAX_TREE_DEPTH:
        for branch in tree.get("/Kids", []):
            names += _list_tree_names(branch, depth + 1)
    return names


def has_script(holder: Object) -> bool:
    """Return True if a document, page or annotation runs a script when it is opened or used."""
    triggers = dict(holder.get("/AA", Dictionary())).values()
    # An action may continue with a next one.
    for action in (holder.get("/OpenAction"), holder.get("/A"), *triggers):
        for _step in range(MAX_CHAINED_ACTIONS):
            if not isinstance(action, Dictionary):
                break
            if action.get("/S") == Name.JavaScript:
                return True
            action = action.get("/Next")
    return False


def _read_page_once(page: pikepdf.Page, number: int, memory: Memory) -> Page:
    """Read a page, or return the facts of an equal page that was read before.

    Copies of a card are equal pages.
    """
    enter_page(number)
    key = page.obj.unparse()
    cached_page = memory.pages.get(key)
    if cached_page is None:
        cached_page = _read_page(page, number, memory)
        remember(memory.pages, key, cached_page, MAX_CACHED_PAGES)
    return replace(cached_page, number=number)


def _find_standard(metadata: PdfMetadata, info: Object) -> str:
    claim = str(info.get("/GTS_PDFXConformance", info.get("/GTS_PDFXVersion", "")))
    claim = claim or str(metadata.get("pdfxid:GTS_PDFXVersion", ""))
    part = str(metadata.get("pdfaid:part", ""))
    if claim or not part:
        return claim
    conformance = str(metadata.get("pdfaid:conformance", ""))
    return f"PDF/A-{part}{conformance.lower()}"


def _read_intent(intent: Object) -> OutputIntent:
    profile = intent.get("/DestOutputProfile", Dictionary())
    return OutputIntent(
        str(intent.get("/S", "/"))[1:],
        str(intent.get("/OutputConditionIdentifier", "")),
        str(intent.get("/Info", "")),
        int(profile.get("/N", 0)),
        "/RegistryName" in intent,
    )


def _read_page(page: pikepdf.Page, number: int, memory: Memory) -> Page:
    dictionary = page.obj
    # The unit of a page in points. Only pages above 5 metres need another than 1.
    unit = from_points(float(dictionary.get("/UserUnit", 1)))
    # The rotation may be negative.
    rotation = int(dictionary.get("/Rotate") or 0) % 360
    stated_boxes: dict[str, tuple[float, ...]] = {}
    for key in PAGE_BOXES:
        sides = keep_numbers(dictionary.get(key, []))
        if len(sides) == 4:
            stated_boxes[key] = sides
    media = stated_boxes.get("/MediaBox", A4_POINTS)
    crop = stated_boxes.get("/CropBox", media)
    view = _make_view(media, rotation, unit)
    media_box = transform_sides(view, media)
    bleed, trim, art = [
        transform_sides(view, stated_boxes.get(key, crop)) for key in PAGE_BOXES[2:]
    ]
    contents = PageContents(memory=memory, area=media_box)
    resources = dictionary.get("/Resources", Dictionary())
    ContentReader(contents, resources, State(view)).read_stream(dictionary)
    annotations = dictionary.get("/Annots", Array([]))
    notes = [note for note in annotations if isinstance(note, Dictionary)]
    if any(has_script(holder) for holder in (dictionary, *notes)):
        contents.features.add("script")
    if _has_lzw_stream(dictionary.get("/Contents")):
        contents.features.add("lzw")
    items = tuple(contents.items)
    invisible_fonts = contents.invisible_fonts - contents.visible_fonts
    return Page(
        number,
        media_box,
        transform_sides(view, crop),
        bleed,
        trim,
        art,
        declared_boxes=frozenset(key[1:] for key in stated_boxes),
        rotate=rotation,
        group=read_group(dictionary["/Group"]) if "/Group" in dictionary else None,
        items=items,
        fonts=_sort_fonts(contents.visible_fonts),
        invisible_fonts=_sort_fonts(invisible_fonts),
        groups=tuple(contents.groups),
        annotations=len(annotations),
        damaged=contents.damaged,
        drawing_hash=hash(items),
        origin=(min(media[0], media[2]) * unit, min(media[1], media[3]) * unit),
        features=frozenset(contents.features),
        notes=sum(_is_in_bleed(note, view, bleed) for note in notes),
    )


def _sort_fonts(fonts: set[Font]) -> tuple[Font, ...]:
    return tuple(sorted(fonts, key=lambda font: font.name))


def _has_lzw_stream(contents: Object | None) -> bool:
    streams = list(contents) if isinstance(contents, Array) else [contents]
    return any(
        isinstance(item, Stream) and has_filter(item, Name.LZWDecode)
        for item in streams
    )


def _is_in_bleed(note: Object, view: Matrix, bleed: Box) -> bool:
    """Return True for an annotation in the printed area, except those for printers."""
    sides = keep_numbers(note.get("/Rect", Array([])))
    if len(sides) != 4 or note.get("/Subtype") in (
        Name.TrapNet,
        Name.PrinterMark,
        Name.Popup,
    ):
        return False
    overlap = intersect_boxes(transform_sides(view, sides), bleed)
    return overlap is not None and overlap.width > 0 and overlap.height > 0


def _make_view(media: tuple[float, ...], rotation: int, unit: float) -> Matrix:
    """Return the matrix from the page's units to mm from its top left corner, as it is viewed."""
    matrix = MATRICES_BY_ROTATION.get(rotation, MATRICES_BY_ROTATION[0])
    rotation_matrix = Matrix(*matrix, 0, 0)
    page = transform_sides(rotation_matrix, media)
    # The y axis of a PDF points upwards, that of `Box` downwards.
    flip = Matrix(unit, 0, 0, -unit, -page.x * unit, page.bottom * unit)
    return rotation_matrix @ flip
