"""Render with PlutoPrint. This runs in a worker."""

import gc
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.pdf import Pdf
from builder.render import render_codes
from builder.render.engines import RenderedDocument, RenderedFace
from builder.render.engines.complaints import (
    MAX_QUOTED_LETTERS,
    Complaint,
    quote_engine,
    report_missing_glyphs,
)
from builder.render.engines.fit import (
    GC_THRESHOLD,
    RESET,
    Layout,
    compose_document,
    render_batch,
)
from builder.render.engines.plutoprint import unsupported
from builder.render.engines.plutoprint.drawn import OriginalFonts, extract_records
from builder.render.engines.plutoprint.fetcher import (
    FetchReport,
    PackResources,
    collect_complaints,
    make_fetcher,
)
from builder.render.engines.plutoprint.glyphs import UnknownFont
from builder.render.engines.plutoprint.marked import (
    GENERATED_TEXT_RULES,
    Element,
    format_mark,
    generates_text,
    mark_face,
    mark_style_sheets,
)
from builder.render.engines.plutoprint.measure import MARGIN, measure_drawing
from builder.render.engines.sheets import find_style_problems, list_families
from builder.render.files import BASE_URL
from builder.render.fonts import fold_family_name
from builder.render.html.icons import FAMILY
from builder.render.jobs import PAGE_HEIGHT_IN_FACES, Batch, FaceHtml, Places, Style
from builder.render.sheets.record import Record, compress
from builder.units import to_points

MAX_CACHED_STYLES = 100
"""Prepared style sheets that a process keeps."""

EXTRA_HEIGHT_MM = 1_000
"""Height added to the page of a marked copy: an outline without room would begin another page."""

TRUE_SIZE = "@page{-pluto-page-scale:1}"
"""Without this rule the engine shrinks a page that something sticks out of."""

_MARKUP = re.compile(r"<[^>]*>")
_STEP = re.compile(r" step-\d+(?=[\"'])")
_NUMBERED_STEP = re.compile(r" step-(\d+)#")
"""The placeholder of a block's step in a marked copy."""


@contextmanager
def _open_scratch_file() -> Iterator[Path]:
    """Provide the path of an empty temporary file, which is in memory on Linux.

    Deleting it from a disk takes longer than drawing.
    """
    if sys.platform == "linux":
        number = os.memfd_create("squadpress")
        try:
            yield Path(f"/proc/self/fd/{number}")
        finally:
            os.close(number)
    else:
        with TemporaryDirectory(prefix="squadpress-") as folder:
            yield Path(folder, "faces.pdf")


@contextmanager
def _open_canvas(size: float) -> Iterator[tuple[Any, BytesIO]]:
    """Provide a canvas to draw on, and the stream that contains its PDF afterwards."""
    from plutoprint import PageSize, PDFCanvas

    pdf = BytesIO()
    # The canvas draws to a file: it would call a Python stream for each number.
    with _open_scratch_file() as file:
        canvas = PDFCanvas(str(file), PageSize(size, size))
        yield canvas, pdf
        canvas.finish()
        pdf.write(file.read_bytes())


@dataclass(slots=True)
class _PreparedSheets:
    """The style sheets of a kind for faces and for their measuring copies, and their findings."""

    face_css: str
    copy_css: str
    findings: tuple[Finding, ...]


class _Copy(NamedTuple):
    """The measuring copy of a face: its elements have colors by which a drawing identifies them."""

    html: str
    elements: Sequence[Element]
    complaints: tuple[Complaint, ...]


@dataclass(slots=True)
class PlutoPrint:
    """The PlutoPrint engine of this process. Fontconfig must be configured before."""

    places: Places
    originals: OriginalFonts
    _resources: PackResources = field(init=False)
    _styles: dict[str, _PreparedSheets] = field(default_factory=dict)
    _copies: dict[str, _Copy] = field(default_factory=dict)
    """The copies of this batch by the face's HTML without steps."""

    def __post_init__(self) -> None:
        self._resources = PackResources(self.places)
        gc.set_threshold(GC_THRESHOLD, 20, 50)
        # Drawings stay uncompressed, because they are read at once.
        os.environ["CAIRO_DEBUG_PDF"] = "1"

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        """Render all faces of a batch."""
        self._copies.clear()
        self._resources.forget()
        return render_batch(self, batch)

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        """Render a document on as many pages as it needs."""
        self._resources.forget()
        records, complaints = self.draw_pages(style, [page.html])
        findings = [*self.find_style_problems(style)]
        location = Location(file=page.file)
        findings += [
            complaint.finding(location, page.label) for complaint in complaints
        ]
        return RenderedDocument(tuple(records), tuple(dict.fromkeys(findings)))

    def find_style_problems(self, style: Style) -> tuple[Finding, ...]:
        """Return the errors and warnings about the style sheets of a kind."""
        return self._prepare_sheets(style).findings

    def _prepare_sheets(self, style: Style) -> _PreparedSheets:
        """Return the prepared style sheets of a style, which are cached."""
        if style.key not in self._styles:
            if len(self._styles) >= MAX_CACHED_STYLES:
                self._styles.clear()
            sheets = [text for _name, text in style.sheets]
            pack_css = "\n".join(sheets)
            texts = [RESET, self.originals.write_font_faces(pack_css), *sheets]
            face_css = "\n".join((*texts, TRUE_SIZE))
            copy_css = mark_style_sheets(
                (*texts, _size_copy(style)), self._lacks_italic
            )
            if generates_text(pack_css):
                copy_css += GENERATED_TEXT_RULES
            findings = tuple(self._check_sheets(style))
            self._styles[style.key] = _PreparedSheets(face_css, copy_css, findings)
        return self._styles[style.key]

    def _check_sheets(self, style: Style) -> Iterator[Finding]:
        for name, text in style.sheets:
            complaints = unsupported.find_in_style_sheet(text)
            yield from find_style_problems(
                name, text, complaints, self.originals.families
            )

    def _make_book(
        self, style: Style, css: str, body: str, fetch_report: FetchReport
    ) -> Any:
        """Return a document of the engine, laid out with these style sheets."""
        from plutoprint import PAGE_MARGINS_NONE, Book, PageSize

        box = style.boxes.bleed
        book = Book(
            PageSize(to_points(box.width), to_points(box.height)), PAGE_MARGINS_NONE
        )
        book.custom_resource_fetcher = make_fetcher(
            self._resources, self.originals.files, fetch_report
        )
        book.load_html(
            compose_document(style, body, f"<style>{css}</style>"), base_url=BASE_URL
        )
        return book

    def lay_out_faces(
        self, style: Style, faces: Sequence[str]
    ) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out copies of the faces on higher pages, and return the sizes of their contents.

        A higher page also holds the text that overflows the face. The page of a layout is the HTML
        of its face.
        """
        css = self._prepare_sheets(style).copy_css
        pages = []
        # There are less than 4 pixels in a mm.
        size = 2.0 * MARGIN + max(style.boxes.bleed.width, style.boxes.bleed.height) * 4
        with (
            collect_complaints(only_sizes=True) as fetch_report,
            _open_canvas(size) as (canvas, file),
        ):
            canvas.translate(MARGIN, MARGIN)
            for face in faces:
                copy, elements, complaints = self._make_copy(face)
                fetch_report.add_complaints(*complaints)
                extra_css = GENERATED_TEXT_RULES if generates_text(copy) else ""
                book = self._make_book(style, css + extra_css, copy, fetch_report)
                pages.append((face, copy, elements, book.get_page_count()))
                book.render_document(canvas, (-MARGIN, -MARGIN, size, size))
                canvas.show_page()
        layouts = []
        with Pdf.open(file) as pdf:
            for (face, copy, elements, count), page in zip(
                pages, pdf.pages, strict=True
            ):
                drawing = page.Contents.read_bytes()
                measured, upright = measure_drawing(
                    drawing, elements, self.originals.metrics
                )
                layouts += [Layout(face, measured)] * count
                for number in upright:
                    fetch_report.add_complaints(_report_missing_italic(copy, number))
        return layouts, tuple(fetch_report.complaints)

    def draw_pages(
        self, style: Style, pages: Sequence[Any]
    ) -> tuple[list[Record], Sequence[Complaint]]:
        """Draw faces. Return their drawings and the engine's warnings."""
        from plutoprint import UNITS_PX

        if not pages:
            return [], ()
        css = self._prepare_sheets(style).face_css
        with collect_complaints() as fetch_report, _open_canvas(1) as (canvas, file):
            canvas.scale(UNITS_PX, UNITS_PX)
            for body in pages:
                book = self._make_book(style, css, body, fetch_report)
                for number in range(book.get_page_count()):
                    canvas.set_size(book.get_page_size_at(number))
                    book.render_page(canvas, number)
                    canvas.show_page()
        complaints = list(fetch_report.complaints)
        with Pdf.open(file) as pdf:
            try:
                records = extract_records(
                    pdf, self.originals, to_points(style.boxes.bleed.height)
                )
            except UnknownFont as unknown:
                blank = Record((0.0, 0.0, 1.0, 1.0), compress(b""), b"<<>>")
                complaints.append(
                    quote_engine(render_codes.ENGINE, f"Unknown font {unknown}")
                )
                return [blank] * len(pdf.pages), complaints
        for body, record in zip(pages, records, strict=False):
            # Glyph 0 is drawn for a character that no font has.
            if any(0 in use.widths for use in record.fonts.values()):
                complaints.append(
                    report_missing_glyphs(self._find_missing_characters(body))
                )
        return records, complaints

    def _make_copy(self, face: str) -> _Copy:
        """Return the copy of a face whose contents are measured."""
        steps = _STEP.findall(face)
        numbers = count()
        html = _STEP.sub(lambda _match: f" step-{next(numbers)}#", face)
        # At other steps of its blocks a face has the same copy but for these steps: it is made
        # once.
        if html not in self._copies:
            complaints = tuple(unsupported.find_in_html(html))
            self._copies[html] = _Copy(*mark_face(html, self._lacks_italic), complaints)
        copy = self._copies[html]
        html = _NUMBERED_STEP.sub(lambda match: steps[int(match[1])], copy.html)
        return copy._replace(html=html)

    def _lacks_italic(self, declaration: str) -> bool:
        """Return True if the font that a `font-family` declaration selects has no italic."""
        for name in map(fold_family_name, list_families(declaration)):
            if name in self.originals.families:
                return name != FAMILY and name not in self.originals.slanted
        return False

    def _find_missing_characters(self, body: str) -> str:
        """Return the characters of a face that no font has.

        Invisible ones are returned only if there are no others.
        """
        text = unescape(_MARKUP.sub("", body))
        # Line breaks and the like are never drawn.
        characters = [
            character
            for character in dict.fromkeys(text)
            if character not in "\t\n\f\r"
        ]
        covered = self.originals.characters
        missing = [
            character for character in characters if ord(character) not in covered
        ]
        visible = [character for character in missing if character.isprintable()]
        return "".join(visible or missing)


def _size_copy(style: Style) -> str:
    """Return CSS that makes the page of a measuring copy tall enough for overflowing text."""
    box = style.boxes.bleed
    height = box.height * PAGE_HEIGHT_IN_FACES + EXTRA_HEIGHT_MM
    return f"@page{{size:{box.width:g}mm {height:g}mm}}"


def _report_missing_italic(copy: str, number: int) -> Complaint:
    """Return the warning that an element is drawn upright because its font has no italic."""
    # What follows the element's tag: its first text may be in an element inside it.
    rest_of_tag = copy.partition(format_mark(number))[2]
    contents = rest_of_tag.partition(">")[2]
    first_text = next(filter(str.strip, _MARKUP.split(contents)), "")
    text = " ".join(unescape(first_text).split())
    what = _("its family has no italic for {text!r}", text=text[:MAX_QUOTED_LETTERS])
    return Complaint(render_codes.ITALIC, what)
