"""Setting one batch of faces with WeasyPrint. Runs in a worker; the only module that lays anything out."""

from __future__ import annotations

import gc
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.findings import Finding
from builder.render.engine.search import Experience
from builder.render.engine.weasyprint import exact, mended
from builder.render.engine.weasyprint.drawn import cut_pages, paint
from builder.render.engine.weasyprint.families import engine_fonts, style_findings
from builder.render.engine.weasyprint.fastpath import fast
from builder.render.engine.weasyprint.fetcher import BASE_URL, fetcher
from builder.render.engine.weasyprint.logs import Heard, listen
from builder.render.engine.weasyprint.parts import Store
from builder.render.engine.weasyprint.patches import figures, typefaces
from builder.render.engine.weasyprint.patches.kin import kin
from builder.render.engine.weasyprint.patches.nodes import forget
from builder.render.engine.weasyprint.roomy import roomy
from builder.render.engine.weasyprint.slim import RESET, available, html_class
from builder.render.fonts import font_hash
from builder.render.jobs import Places, Style
from builder.render.sheets.pdfcut import cut_file
from builder.render.sheets.record import FontUse, Record
from builder.units import to_points

GC_THRESHOLD = 50_000
"""Layout makes and drops many small objects; the collector's own pace costs a tenth of the time."""

STYLES = 100
"""Styles that a process keeps: a pack has a few dozen, and `watch` makes new ones with every edit of a style sheet."""

FACES = 1_600
"""Faces after which a process forgets all that it remembers of those it has set.

Each memory is bounded; but what is kept lies between what is not, wherever there was room. Let go of bit by bit it
leaves holes, and a process grows for as long as it sets.
"""

_CLASS = re.compile(r"""class=(["'])([^"']*\bfit-([a-z0-9-]+)\b[^"']*)\1""")

Steps = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Laid:
    """After layout: the engine's page boxes, and what the engine complained of."""

    pages: tuple[Any, ...]
    heard: Heard


@dataclass(slots=True)
class Engine:
    """One process's engine: fonts and style sheets read once and shared by every batch."""

    places: Places
    slim: bool = True
    experience: Experience = field(default_factory=Experience)
    store: Store = field(default_factory=Store)
    _fonts: Any = None
    _fetcher: Any = None
    _styles: dict[str, tuple[list[Any], tuple[Finding, ...]]] = field(default_factory=dict)
    _sheets: dict[str, tuple[Any, Sequence[str]]] = field(default_factory=dict)
    _font_files: dict[str, str] = field(default_factory=dict)
    _set: int = 0

    def start(self) -> None:
        """Load the engine. Fontconfig must be configured before."""
        exact.install()
        mended.install()
        gc.set_threshold(GC_THRESHOLD, 20, 50)
        typefaces.forget()
        self._fonts = engine_fonts()
        self._fetcher = fetcher(self.places.templates, self.places.base, self.places.data)

    def expect(self, faces: int) -> None:
        """Begin with so many more faces: anew where many have been set."""
        if self._set >= FACES:
            self._set = 0
            self.store.parts.clear()
            forget()
            figures.forget()
            gc.collect()
        self._set += faces

    @property
    def _fast(self) -> bool:
        """True if the engine's shorter ways may be taken: asked for, and in the version they were tried with."""
        return self.slim and available()

    def styles(self, style: Style) -> tuple[list[Any], tuple[Finding, ...]]:
        """The parsed style sheets of a kind and what is wrong with them."""
        if style.key not in self._styles:
            if len(self._styles) >= STYLES:
                self._styles.clear()
                self._sheets.clear()
            self._styles[style.key] = self._parse(style)
        return self._styles[style.key]

    def _parse(self, style: Style) -> tuple[list[Any], tuple[Finding, ...]]:
        sheets: list[Any] = []
        findings: list[Finding] = []
        for name, text in (("reset", RESET), *style.sheets):
            sheet, messages = self._sheet(text)
            sheets.append(sheet)
            findings += style_findings(name, text, messages, self._fonts.families)
        return sheets, tuple(findings)

    def _sheet(self, text: str) -> tuple[Any, Sequence[str]]:
        """A parsed style sheet and what is wrong with it. One that draws on no other file is parsed but once: after an
        edit only the edited one is parsed again.
        """
        from weasyprint import CSS

        if text in self._sheets:
            return self._sheets[text]
        with listen() as heard:
            sheet = CSS(string=text, base_url=BASE_URL, url_fetcher=self._fetcher, font_config=self._fonts)
        sheet.kin = kin(text)
        if not re.search(r"@(?:import|font-face)", text, re.IGNORECASE):
            self._sheets[text] = sheet, heard.messages
        return sheet, heard.messages

    def lay(self, style: Style, body: str) -> Laid:
        """Lay out the body of a document."""
        text = f'<!DOCTYPE html><html lang="{style.lang}"><head><title></title></head><body>{body}</body></html>'
        sheets = self.styles(style)[0]
        with listen() as heard, fast(self._fast):
            html = html_class(self.slim)(string=text, base_url=BASE_URL, url_fetcher=self._fetcher)
            document = roomy(html.render, font_config=self._fonts, stylesheets=sheets)
        if heard.messages:
            forget()
        return Laid(tuple(page._page_box for page in document.pages), heard)

    def draw(self, style: Style, pages: Sequence[Any]) -> tuple[list[Record], Heard]:
        """The records of some page boxes of this style, and what the engine complained of on the way."""
        from weasyprint.document import Document, DocumentMetadata, Page

        if not pages:
            return [], Heard()
        height = to_points(style.size.height + 2 * style.size.bleed)
        with listen() as heard, fast(self._fast):
            boxes = [Page(page) for page in pages]
            document = Document(boxes, DocumentMetadata(), self._fetcher, self._fonts, {}, None)
            drawn = roomy(paint, document) if self._fast else document.write_pdf()
        if heard.messages:
            forget()
            figures.forget()
        fonts = self._font_uses(document)
        return (cut_pages if self._fast else cut_file)(drawn, height, fonts), heard

    def _font_uses(self, document: Any) -> dict[str, FontUse]:
        """All fonts of a drawn document by the name the drawings use."""
        from weasyprint.text.fonts import get_hb_object_data

        uses: dict[str, FontUse] = {}
        for font in document.fonts.values():
            if font.hash not in self._font_files:
                self._font_files[font.hash] = font_hash(get_hb_object_data(font.hb_face))
            before = uses.get(font.hash)
            widths = {**(before.widths if before else {}), **font.widths}
            letters = {**(before.letters if before else {}), **font.to_unicode}
            family = font.name.decode().lstrip("/").partition("+")[2]
            file = self._font_files[font.hash]
            uses[font.hash] = FontUse(file, widths, letters, family, font.ascent, font.descent, font.flags)
        return uses


def stepped(html: str, steps: Steps) -> str:
    """The HTML with the chosen step as a class on each block that may shrink."""

    def add(match: re.Match[str]) -> str:
        quote, classes, name = match[1], match[2], match[3]
        return f"class={quote}{classes} step-{steps.get(name, 0)}{quote}"

    return _CLASS.sub(add, html)
