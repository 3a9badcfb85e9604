"""Render with WeasyPrint. This runs in a worker."""

import gc
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.languages import (
    DIRECTION,
    describe_unsupported_direction,
    get_text_direction,
)
from builder.render import render_codes
from builder.render.engines import RenderedDocument, RenderedFace
from builder.render.engines.complaints import Complaint
from builder.render.engines.fit import (
    GC_THRESHOLD,
    RESET,
    Layout,
    compose_document,
    render_batch,
)
from builder.render.engines.sheets import find_style_problems
from builder.render.engines.support import (
    find_lost_in_html,
    find_lost_in_style_sheet,
    load_support,
)
from builder.render.engines.weasyprint.columns import find_lost_columns
from builder.render.engines.weasyprint.families import (
    find_missing_italics,
    list_engine_fonts,
)
from builder.render.engines.weasyprint.fetcher import collect_complaints, make_fetcher
from builder.render.engines.weasyprint.measure import measure_page
from builder.render.engines.weasyprint.patches import apply_corrections
from builder.render.files import BASE_URL
from builder.render.fonts import hash_font
from builder.render.jobs import Batch, FaceHtml, Places, Style
from builder.render.sheets.extract import extract_file
from builder.render.sheets.record import FontUse, Record
from builder.units import to_points

MAX_CACHED_STYLES = 100
"""Styles that a process keeps: a pack has a few dozen, and `watch` makes new ones with every edit
of a style sheet.
"""

SPACING_RESET = """
:where(blockquote,dd,dir,dl,fieldset,menu,pre,td,th){margin:0;padding:0}
:where(table){border-spacing:0}
:where(table,thead,tbody,tfoot,tr,td,th){border-color:currentcolor}
:where(sub,sup){line-height:inherit}
:where(h1,h2,h3,h4,h5,h6){hyphens:inherit}
:where(code,kbd,pre,samp,tt){font-family:inherit}
:where(address,dfn){font-style:inherit}
:where(a){color:inherit;text-decoration:none}
:where(abbr){text-decoration:none}
"""
"""Sent after RESET: of the engine's own sheet only this much takes room on a card, or looks odd in
print.

Each selector counts for nothing, so that even `*` in a pack's sheet wins.
"""


@dataclass(slots=True)
class WeasyPrint:
    """The WeasyPrint engine of this process. All batches share its fonts and style sheets.

    Fontconfig must be configured before.
    """

    places: Places
    _fonts: Any = None
    _fetcher: Any = None
    _styles: dict[str, tuple[list[Any], tuple[Finding, ...]]] = field(
        default_factory=dict
    )
    _sheets: dict[str, tuple[Any, Sequence[Complaint]]] = field(default_factory=dict)
    _font_files: dict[str, str] = field(default_factory=dict)
    _lacking: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The check of pictures reports what Pillow warns of, each at its picture.
        warnings.filterwarnings("ignore", module="PIL")
        self._lacking = apply_corrections()
        gc.set_threshold(GC_THRESHOLD, 20, 50)
        self._fonts = list_engine_fonts()
        self._fetcher = make_fetcher(
            self.places.templates, self.places.base, self.places.data
        )

    def find_style_problems(self, style: Style) -> tuple[Finding, ...]:
        """Return the errors and warnings about the style sheets of a kind."""
        return self._prepare_style(style)[1]

    def _prepare_style(self, style: Style) -> tuple[list[Any], tuple[Finding, ...]]:
        """Return the parsed style sheets of a kind, and what is wrong with them."""
        if style.key not in self._styles:
            if len(self._styles) >= MAX_CACHED_STYLES:
                self._styles.clear()
                self._sheets.clear()
            self._styles[style.key] = self._parse_style(style)
        return self._styles[style.key]

    def _parse_style(self, style: Style) -> tuple[list[Any], tuple[Finding, ...]]:
        sheets: list[Any] = []
        findings: list[Finding] = []
        for name, text in (("reset", RESET + SPACING_RESET), *style.sheets):
            families = self._fonts.families
            sheet, complaints = self._parse_sheet(text)
            sheets.append(sheet)
            findings += find_style_problems(name, text, complaints, families)
            # What the engine itself complains of is not reported twice.
            reported_at = {complaint.at for complaint in complaints}
            lost = find_lost_in_style_sheet(text, load_support("weasyprint"))
            dropped = (
                complaint for complaint in lost if complaint.at not in reported_at
            )
            findings += find_style_problems(
                name, text, dropped, families, is_engine_only=True
            )
        if get_text_direction(style.lang) == "rtl":
            findings.append(
                DIRECTION.finding(describe_unsupported_direction(style.lang))
            )
        if self._lacking:
            from weasyprint import __version__

            what = _(
                "WeasyPrint {found} cannot be corrected: lines may break at other places",
                found=__version__,
            )
            findings.append(render_codes.UNCORRECTED.finding(what))
        return sheets, tuple(findings)

    def _parse_sheet(self, text: str) -> tuple[Any, Sequence[Complaint]]:
        """Parse a style sheet. Return it with the engine's warnings.

        Sheets that use no other file are cached: after an edit only the edited sheet is parsed
        again.
        """
        from weasyprint import CSS

        if text in self._sheets:
            return self._sheets[text]
        with collect_complaints() as complaints:
            sheet = CSS(
                string=text,
                base_url=BASE_URL,
                url_fetcher=self._fetcher,
                font_config=self._fonts,
            )
        if not re.search(r"@(?:import|font-face)", text, re.IGNORECASE):
            self._sheets[text] = sheet, complaints
        return sheet, complaints

    def render_batch(self, batch: Batch) -> list[RenderedFace]:
        """Render all faces of a batch."""
        return render_batch(self, batch)

    def render_document(self, style: Style, page: FaceHtml) -> RenderedDocument:
        """Render a document on as many pages as it needs."""
        boxes, complaints = self._lay_out_pages(style, page.html)
        records, draw_complaints = self.draw_pages(style, boxes)
        findings = [*self.find_style_problems(style)]
        findings += [
            complaint.finding(Location(file=page.file), page.label)
            for complaint in (*complaints, *draw_complaints)
        ]
        return RenderedDocument(tuple(records), tuple(dict.fromkeys(findings)))

    def lay_out_faces(
        self, style: Style, faces: Sequence[str]
    ) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out all faces in one document, and return the sizes of their contents."""
        boxes, complaints = self._lay_out_pages(style, "\n".join(faces))
        return [Layout(box, measure_page(box)) for box in boxes], complaints

    def _lay_out_pages(
        self, style: Style, body: str
    ) -> tuple[tuple[Any, ...], Sequence[Complaint]]:
        """Lay out a document. Return its pages and the engine's warnings."""
        from weasyprint import HTML

        sheets = self._prepare_style(style)[0]
        text = compose_document(style, body)
        with collect_complaints() as complaints:
            html = HTML(string=text, base_url=BASE_URL, url_fetcher=self._fetcher)
            document = html.render(font_config=self._fonts, stylesheets=sheets)
        boxes = tuple(page._page_box for page in document.pages)
        support = load_support("weasyprint")
        # As keys of a dictionary, so that each is reported once.
        lost = dict.fromkeys(find_lost_in_html(body, support))
        lost |= dict.fromkeys(find_lost_columns(boxes, support))
        return boxes, [*complaints, *lost]

    def draw_pages(
        self, style: Style, pages: Sequence[Any]
    ) -> tuple[list[Record], Sequence[Complaint]]:
        """Draw pages that are laid out. Return their drawings and the engine's warnings."""
        from weasyprint.document import Document, DocumentMetadata, Page

        if not pages:
            return [], ()
        height = to_points(style.boxes.bleed.height)
        with collect_complaints() as complaints:
            boxes = [Page(page) for page in pages]
            document = Document(
                boxes, DocumentMetadata(), self._fetcher, self._fonts, {}, None
            )
            file = document.write_pdf()
        complaints += dict.fromkeys(find_missing_italics(pages, self._fonts))
        return extract_file(file, height, self._list_font_uses(document)), complaints

    def _list_font_uses(self, document: Any) -> dict[str, FontUse]:
        """Return the fonts of a document by their names in its drawings."""
        from weasyprint.text.fonts import get_hb_object_data

        uses: dict[str, FontUse] = {}
        for font in document.fonts.values():
            if font.hash not in self._font_files:
                self._font_files[font.hash] = hash_font(
                    get_hb_object_data(font.hb_face)
                )
            widths = dict(font.widths)
            letters = dict(font.to_unicode)
            # The engine may list one font several times.
            if font.hash in uses:
                widths = {**uses[font.hash].widths, **widths}
                letters = {**uses[font.hash].letters, **letters}
            family = font.name.decode().lstrip("/").partition("+")[2]
            file = self._font_files[font.hash]
            metrics = (font.ascent, font.descent, font.flags)
            uses[font.hash] = FontUse(file, widths, letters, family, *metrics)
        return uses
