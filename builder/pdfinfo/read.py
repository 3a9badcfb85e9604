"""Opens a PDF and tells what is in it. The only door to this package."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pikepdf
from pikepdf.models import PdfMetadata

from builder.errors import InputUnreadable, SquadpressError
from builder.files import require_ordinary_file, suggest_file
from builder.findings import Box
from builder.limits import begin_file, enter_page
from builder.messages import describe_os_error, gettext as _
from builder.model.pdf import OutputIntent, Page, Pdf, meet
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Stream
from builder.pdfinfo.geometry import transformed
from builder.pdfinfo.interpret import ContentReader, group, packed
from builder.pdfinfo.state import Memory, PageContents, State, numbers, remember
from builder.units import from_points

A4 = (0.0, 0.0, 595.276, 841.89)
BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
TURNS = {0: (1, 0, 0, 1), 90: (0, -1, 1, 0), 180: (-1, 0, 0, -1), 270: (0, 1, -1, 0)}

PORTION = 32
"""Pages whose facts are given at once: those of a card's face take up some 0.5 MB."""


def read(path: Path) -> Pdf:
    """All facts of one PDF. Raises InputUnreadable as `portions` does."""
    parts = list(portions(path))
    return replace(parts[-1], pages=tuple(page for part in parts for page in part.pages))


def portions(path: Path) -> Iterator[Pdf]:
    """The facts of one PDF with some of its pages at a time; one portion where it has none. The last tells how often
    the file had to be mended.

    Raises InputUnreadable for a missing, damaged or password-protected file.
    """
    try:
        begin_file()
        with pikepdf.open(require_ordinary_file(path)) as pdf:
            yield from _portions(pdf)
    except IsADirectoryError:
        raise InputUnreadable(
            _("{file} is a folder, not a PDF", file=path), _("Name the file.")
        ) from None
    except pikepdf.PasswordError:
        message = _("{file}: the PDF asks for a password", file=path)
        raise InputUnreadable(message, _("Save it without one and try again.")) from None
    except (OSError, pikepdf.PdfError) as error:
        message = _(
            "{file}: cannot be read as a PDF: {reason}", file=path, reason=describe_os_error(error)
        )
        hint = (
            suggest_file(Path(path))
            if isinstance(error, FileNotFoundError)
            else _("Check that it is a whole PDF.")
        )
        raise InputUnreadable(message, hint) from None
    except (SquadpressError, MemoryError):
        raise
    except Exception as error:  # whatever a library meets in a file that is damaged or made up
        message = _(
            "{file}: damaged: an object is not what it should be ({reason})",
            file=path,
            reason=error,
        )
        raise InputUnreadable(message, _("Save it anew from the program it came from.")) from None


def _portions(pdf: pikepdf.Pdf) -> Iterator[Pdf]:
    whole, memory, coming = _whole(pdf), Memory(), enumerate(pdf.pages, start=1)
    while True:
        pages = tuple(_known(page, number, memory) for number, page in islice(coming, PORTION))
        enter_page(0)
        if pages or not whole.pages:
            whole = replace(whole, pages=pages, mended=whole.mended + len(pdf.get_warnings()))
            yield whole
        if len(pages) < PORTION:
            return


def _whole(pdf: pikepdf.Pdf) -> Pdf:
    """What a file says of itself, without its pages."""
    root, info = pdf.Root, pdf.trailer.get("/Info", Dictionary())
    names = root.get("/Names", Dictionary())
    meta = pdf.open_metadata()
    attached = len(_leaves(names.get("/EmbeddedFiles", Dictionary())))
    return Pdf(
        version=pdf.pdf_version,
        standard=_standard(meta, info),
        encrypted=pdf.is_encrypted,
        ids=tuple(bytes(item).hex() for item in pdf.trailer.get("/ID", [])),
        title=str(info.get("/Title", "")) or str(meta.get("dc:title") or ""),
        trapped=str(info.get("/Trapped", meta.get("pdf:Trapped", ""))).lstrip("/"),
        intents=tuple(_intent(item) for item in root.get("/OutputIntents", [])),
        layers="/OCProperties" in root,
        javascript="/JavaScript" in names or scripted(root),
        pages=(),
        dated=("/CreationDate" in info and "/ModDate" in info)
        or ("xmp:CreateDate" in meta and "xmp:ModifyDate" in meta),
        packed=pdf.trailer.get("/Type") == Name.XRef,
        attached=attached or len(root.get("/AF", [])),
    )


def _leaves(tree: Object, depth: int = 0) -> list[Object]:
    own = list(tree.get("/Names", []))[::2]
    return own + [
        one for kid in tree.get("/Kids", []) if depth < 8 for one in _leaves(kid, depth + 1)
    ]


def scripted(holder: Object) -> bool:
    """True if opening, closing or using a document, page or annotation runs a script."""
    for action in (
        holder.get("/OpenAction"),
        holder.get("/A"),
        *dict(holder.get("/AA", Dictionary())).values(),
    ):
        step = action
        for _unused in range(16):
            if isinstance(step, Dictionary) and step.get("/S") == Name.JavaScript:
                return True
            step = step.get("/Next") if isinstance(step, Dictionary) else None
    return False


def _known(page: pikepdf.Page, number: int, memory: Memory) -> Page:
    """A page; one that says the same by the same objects as another, as copies of a card do, is not read again."""
    enter_page(number)
    key = page.obj.unparse()
    found = memory.pages.get(key)
    if found is None:
        found = _page(page, number, memory)
        remember(memory.pages, key, found, 16)
    return replace(found, number=number)


def _standard(meta: PdfMetadata, info: Object) -> str:
    claim = str(info.get("/GTS_PDFXConformance", info.get("/GTS_PDFXVersion", "")))
    if claim:
        return claim
    claim = str(meta.get("pdfxid:GTS_PDFXVersion", ""))
    part = str(meta.get("pdfaid:part", ""))
    return claim or (
        f"PDF/A-{part}{str(meta.get('pdfaid:conformance', '')).lower()}" if part else ""
    )


def _intent(value: Object) -> OutputIntent:
    profile = value.get("/DestOutputProfile")
    return OutputIntent(
        str(value.get("/S", "/"))[1:],
        str(value.get("/OutputConditionIdentifier", "")),
        str(value.get("/Info", "")),
        int(profile.get("/N", 0)) if profile is not None else 0,
        "/RegistryName" in value,
    )


def _page(page: pikepdf.Page, number: int, memory: Memory) -> Page:
    obj = page.obj
    unit = from_points(float(obj.get("/UserUnit", 1)))
    rotate = int(obj.get("/Rotate") or 0) % 360
    raw = {key: sides for key in BOXES if len(sides := numbers(obj.get(key, []))) == 4}
    media = raw.get("/MediaBox", A4)
    view = _view(media, rotate, unit)
    crop = raw.get("/CropBox", media)
    bleed, trim, art = (_box(raw.get(key, crop), view) for key in BOXES[2:])
    found = PageContents(memory=memory, area=_box(media, view))
    ContentReader(found, obj.get("/Resources", Dictionary()), State(view)).read(obj)
    notes = [one for one in obj.get("/Annots", Array([])) if isinstance(one, Dictionary)]
    if any(map(scripted, (obj, *notes))):
        found.features.add("script")
    contents = obj.get("/Contents")
    streams = list(contents) if isinstance(contents, Array) else [contents]
    if any(isinstance(one, Stream) and packed(one, Name.LZWDecode) for one in streams):
        found.features.add("lzw")
    return Page(
        number,
        _box(media, view),
        _box(crop, view),
        bleed,
        trim,
        art,
        stated=frozenset(key[1:] for key in raw),
        rotate=rotate,
        group=group(obj["/Group"]) if "/Group" in obj else None,
        items=(items := tuple(found.items)),
        fonts=tuple(sorted(found.shown, key=lambda font: font.name)),
        invisible_fonts=tuple(sorted(found.invisible - found.shown, key=lambda font: font.name)),
        groups=tuple(found.groups),
        annotations=len(obj.get("/Annots", [])),
        damaged=found.damaged,
        drawn=hash(items),
        origin=(min(media[0], media[2]) * unit, min(media[1], media[3]) * unit),
        features=frozenset(found.features),
        notes=sum(_in_bleed(one, view, bleed) for one in notes),
    )


def _in_bleed(note: Object, view: Matrix, bleed: Box) -> bool:
    """True for an annotation that is not the printer's and touches what is printed."""
    sides = numbers(note.get("/Rect", Array([])))
    if len(sides) != 4 or note.get("/Subtype") in (Name.TrapNet, Name.PrinterMark, Name.Popup):
        return False
    shared = meet(_box(sides, view), bleed)
    return shared is not None and shared.width > 0 and shared.height > 0


def _view(media: tuple[float, ...], rotate: int, unit: float) -> Matrix:
    """Default user space to mm from the top left corner of the page as seen."""
    rotation = Matrix(*TURNS.get(rotate, TURNS[0]), 0, 0)
    seen = _box(media, rotation)
    return rotation @ Matrix(unit, 0, 0, -unit, -seen.x * unit, (seen.y + seen.height) * unit)


def _box(raw: tuple[float, ...], view: Matrix) -> Box:
    return transformed(view, raw[0], raw[1], raw[2] - raw[0], raw[3] - raw[1])
