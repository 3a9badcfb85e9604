"""Setting with PlutoPrint. Runs in a worker."""

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
from builder.render.engines.complaints import SHOWN, Complaint, quote_engine, report_missing_glyphs
from builder.render.engines.fit import GC_THRESHOLD, RESET, Layout, compose_document, render_batch
from builder.render.engines.plutoprint import unsupported
from builder.render.engines.plutoprint.drawn import Originals, extract
from builder.render.engines.plutoprint.fetcher import Fetched, fetcher, listen
from builder.render.engines.plutoprint.glyphs import Unknown
from builder.render.engines.plutoprint.marked import (
    MADE,
    Element,
    makes_letters,
    mark_of,
    marked,
    marked_sheet,
)
from builder.render.engines.plutoprint.measure import MARGIN, measure
from builder.render.engines.sheets import families, style_findings
from builder.render.files import BASE_URL, FileLocator
from builder.render.fonts import fold_family_name
from builder.render.html.icons import FAMILY
from builder.render.jobs import TALL, Batch, FaceHtml, Places, Style
from builder.render.sheets.record import Record, compress
from builder.units import to_points

STYLES = 100
"""Styles that a process keeps."""

OUTLINES = 1_000
"""Mm that the page of a marked copy is taller: an outline that it had no room for began another."""

TRUE_SIZE = "@page{-pluto-page-scale:1}"
"""The engine would shrink a page that something sticks out of."""

_MARKUP = re.compile(r"<[^>]*>")
_STEP, _NUMBERED = re.compile(r" step-\d+(?=[\"'])"), re.compile(r" step-(\d+)#")
"""A block's step, and what is in its place in a copy."""


@contextmanager
def _file() -> Iterator[Path]:
    """A file to draw to, in memory where the system has such: disks take longer to forget one than it takes to draw."""
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
def _canvas(size: float) -> Iterator[tuple[Any, BytesIO]]:
    """A canvas, and what will hold the drawn file: a stream of Python's would be called for each number."""
    from plutoprint import PageSize, PDFCanvas

    drawn = BytesIO()
    with _file() as file:
        canvas = PDFCanvas(str(file), PageSize(size, size))
        yield canvas, drawn
        canvas.finish()
        drawn.write(file.read_bytes())


@dataclass(slots=True)
class _Sheets:
    """The style sheets of a kind as the engine is given them: for faces, for their marked copies; what is wrong."""

    own: str
    marked: str
    findings: tuple[Finding, ...]


class _Copy(NamedTuple):
    """A face's marked copy, without the steps of its blocks; its elements; what of the face is left out."""

    html: str
    elements: Sequence[Element]
    complaints: tuple[Complaint, ...]


@dataclass(slots=True)
class PlutoPrint:
    """One process's engine. Fontconfig must be configured before."""

    places: Places
    originals: Originals
    _locator: FileLocator = field(init=False)
    _styles: dict[str, _Sheets] = field(default_factory=dict)
    _copies: dict[str, _Copy] = field(default_factory=dict)
    """Of the faces of this batch, by their HTML without steps."""

    def __post_init__(self) -> None:
        self._locator = FileLocator(self.places)
        gc.set_threshold(GC_THRESHOLD, 20, 50)
        os.environ["CAIRO_DEBUG_PDF"] = "1"  # drawings are not compressed: they are read at once

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        """Set each face of a batch."""
        self._copies.clear()
        self._locator.forget()
        return render_batch(self, batch)

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        """Set a document on as many pages as it takes."""
        self._locator.forget()
        records, heard = self.draw(style, [page.html])
        found = [*self.style_findings(style)]
        found += [each.finding(Location(file=page.file), page.label) for each in heard]
        return RenderedDocument(tuple(records), tuple(dict.fromkeys(found)))

    def style_findings(self, style: Style) -> tuple[Finding, ...]:
        """What is wrong with the style sheets of a kind."""
        return self._sheets(style).findings

    def _sheets(self, style: Style) -> _Sheets:
        if style.key not in self._styles:
            if len(self._styles) >= STYLES:
                self._styles.clear()
            given = [text for _name, text in style.sheets]
            texts = [RESET, self.originals.faces("\n".join(given)), *given]
            own = "\n".join((*texts, TRUE_SIZE))
            box = style.boxes.bleed
            tall = f"@page{{size:{box.width:g}mm {box.height * TALL + OUTLINES:g}mm}}"
            copied = marked_sheet((*texts, tall), self._upright)
            copied += MADE if makes_letters("\n".join(given)) else ""
            self._styles[style.key] = _Sheets(own, copied, tuple(self._told(style)))
        return self._styles[style.key]

    def _told(self, style: Style) -> Iterator[Finding]:
        """What is wrong with the style sheets of a kind."""
        for name, text in style.sheets:
            complaints = unsupported.find_in_style_sheet(text)
            yield from style_findings(name, text, complaints, self.originals.families)

    def _book(self, style: Style, css: str, body: str, fetched: Fetched) -> Any:
        """A laid-out document."""
        from plutoprint import PAGE_MARGINS_NONE, Book, PageSize

        box = style.boxes.bleed
        book = Book(PageSize(to_points(box.width), to_points(box.height)), PAGE_MARGINS_NONE)
        book.custom_resource_fetcher = fetcher(self._locator, self.originals.files, fetched)
        book.load_html(compose_document(style, body, f"<style>{css}</style>"), base_url=BASE_URL)
        return book

    def lay(self, style: Style, faces: Sequence[str]) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out marked copies of faces and measure them. A layout's page is the face itself, to be drawn."""
        css, pages = self._sheets(style).marked, []
        size = 2.0 * MARGIN + max(style.boxes.bleed.width, style.boxes.bleed.height) * 4
        with listen(only_sizes=True) as fetched, _canvas(size) as (canvas, file):
            canvas.translate(MARGIN, MARGIN)
            for face in faces:
                copy, elements, complaints = self._marked(face)
                fetched.tell(*complaints)
                book = self._book(style, css + MADE * makes_letters(copy), copy, fetched)
                pages.append((face, copy, elements, book.get_page_count()))
                book.render_document(canvas, (-MARGIN, -MARGIN, size, size))
                canvas.show_page()
        layouts = []
        with Pdf.open(file) as pdf:
            for (face, copy, elements, count), page in zip(pages, pdf.pages, strict=True):
                measured, upright = measure(
                    page.Contents.read_bytes(), elements, self.originals.metrics
                )
                layouts += [Layout(face, measured)] * count
                fetched.tell(*(self._no_italic(copy, number) for number in upright))
        return layouts, tuple(fetched.complaints)

    def draw(self, style: Style, pages: Sequence[Any]) -> tuple[list[Record], Sequence[Complaint]]:
        """The records of some faces of this style, and what the engine complained of on the way."""
        from plutoprint import UNITS_PX

        if not pages:
            return [], ()
        css = self._sheets(style).own
        with listen() as fetched, _canvas(1) as (canvas, file):
            canvas.scale(UNITS_PX, UNITS_PX)
            for body in pages:
                book = self._book(style, css, body, fetched)
                for number in range(book.get_page_count()):
                    canvas.set_size(book.get_page_size_at(number))
                    book.render_page(canvas, number)
                    canvas.show_page()
        complaints = list(fetched.complaints)
        with Pdf.open(file) as pdf:
            try:
                records = extract(pdf, self.originals, to_points(style.boxes.bleed.height))
            except Unknown as unknown:
                blank = Record((0.0, 0.0, 1.0, 1.0), compress(b""), b"<<>>")
                return [blank] * len(pdf.pages), [
                    *complaints,
                    quote_engine(render_codes.ENGINE, f"Unknown font {unknown}"),
                ]
        for body, record in zip(pages, records, strict=False):
            if any(0 in use.widths for use in record.fonts.values()):
                complaints.append(report_missing_glyphs(self._missing(body)))
        return records, complaints

    def _marked(self, face: str) -> _Copy:
        """A face's marked copy: made once, for at other steps of its blocks it is the same but for these."""
        steps = _STEP.findall(face)
        numbers = count()
        html = _STEP.sub(lambda _found: f" step-{next(numbers)}#", face)
        if html not in self._copies:
            complaints = tuple(unsupported.find_in_html(html))
            self._copies[html] = _Copy(*marked(html, self._upright), complaints)
        copy = self._copies[html]
        return copy._replace(html=_NUMBERED.sub(lambda found: steps[int(found[1])], copy.html))

    def _upright(self, declaration: str) -> bool:
        """True for a declaration of families, the first that there is of which has no italic."""
        first = next(
            (
                name
                for name in map(fold_family_name, families(declaration))
                if name in self.originals.families
            ),
            FAMILY,
        )
        return first != FAMILY and first not in self.originals.slanted

    def _no_italic(self, copy: str, number: int) -> Complaint:
        """An element of a marked copy that is set upright though it should be italic."""
        texts = _MARKUP.split(copy.partition(mark_of(number))[2].partition(">")[2])
        text = " ".join(unescape(next(filter(str.strip, texts), "")).split())
        return Complaint(
            render_codes.ITALIC, _("its family has no italic for {text!r}", text=text[:SHOWN])
        )

    def _missing(self, body: str) -> str:
        """The characters of a face that no font has; those that are never seen are told where no other is."""
        text = dict.fromkeys(unescape(_MARKUP.sub("", body)))
        lacking = [
            char
            for char in text
            if char not in "\t\n\f\r" and ord(char) not in self.originals.characters
        ]
        return "".join([char for char in lacking if char.isprintable()] or lacking)
