"""LibreOffice Draw: light, a page without boxes, fonts as subsets."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.checks.preflight.corpus.programs.painter import PT, Painter, Specials
from tests.checks.preflight.corpus.programs.svg import run
from tests.checks.preflight.corpus.scenes import SCENES

PROGRAM, PRESET, BASE = "LibreOffice", "rgb", ("no-trim-box", "?transparency-group")
DRAWS = (
    "sound small-type thin-line text-cut text-safe descender "
    "no-descender alpha ends-at-cut "
    "odd panel-ends"
)
SPACES = 'office:version="1.2" ' + " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{rest}:1.0"'
    for name, rest in (
        ("office", "office"),
        ("draw", "drawing"),
        ("text", "text"),
        ("style", "style"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    )
)
ASCENT = 0.927
PADDING = 2.5, 1.25
"""Mm that a frame keeps around its text, whatever its style says."""
PAGE = '<style:style style:name="dp1" style:family="drawing-page"/>'
MIME = "application/vnd.oasis.opendocument.graphics"
ENTRY = '<m:file-entry m:full-path="{}" m:media-type="{}"/>'
MANIFEST = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" m:version="1.2">'
MANIFEST += (
    ENTRY.format("/", MIME)
    + ENTRY.format("content.xml", "text/xml")
    + ENTRY.format("styles.xml", "text/xml")
)
MANIFEST += "</m:manifest>"


class Draw(Painter):
    """Says a page as shapes of OpenDocument."""

    space = "rgb"

    def __init__(self, high: float, styles: list[str]) -> None:
        self.high, self.styles, self.shapes, self.share = high, styles, list[str](), 1.0

    def _style(self, graphic: str, letters: str = "") -> str:
        name = f"s{len(self.styles)}"
        auto_size = 'draw:auto-grow-width="true" draw:auto-grow-height="true"'
        inner = f"<style:graphic-properties {auto_size} {graphic}/><style:text-properties {letters}/>"
        self.styles.append(
            f'<style:style style:name="{name}" style:family="graphic">{inner}</style:style>'
        )
        return name

    def hue(self, name: Any) -> str:
        return "#{:02x}{:02x}{:02x}".format(
            *(round(value * 255) for value in self.numbers(name))
        )

    def rect(self, name: Any, x: float, y: float, wide: float, high: float) -> None:
        fill = (
            f'draw:stroke="none" '
            f'draw:fill="solid" '
            f'draw:fill-color="{self.hue(name)}" '
            f'draw:opacity="{self.share:.0%}"'
        )
        place = (
            f'svg:x="{x}mm" svg:y="{self.high - y - high}mm" svg:width="{wide}mm" '
            f'svg:height="{high}mm"'
        )
        self.shapes.append(
            f'<draw:rect draw:style-name="{self._style(fill)}" {place}/>'
        )

    def line(
        self, name: Any, width: float, x: float, y: float, to_x: float, to_y: float
    ) -> None:
        stroke = f'draw:stroke="solid" svg:stroke-width="{width}mm" svg:stroke-color="{self.hue(name)}"'
        ends = f'svg:x1="{x}mm" svg:y1="{self.high - y}mm" svg:x2="{to_x}mm" svg:y2="{self.high - to_y}mm"'
        self.shapes.append(
            f'<draw:line draw:style-name="{self._style(stroke)}" {ends}/>'
        )

    def text(self, name: Any, size: float, x: float, y: float, words: str) -> None:
        letters = f'fo:font-family="Roboto" fo:font-size="{size}pt" fo:color="{self.hue(name)}"'
        style = self._style('draw:stroke="none" draw:fill="none"', letters)
        top = self.high - y - ASCENT * size / PT - PADDING[1]
        self.styles.append(
            f'<style:style style:name="{style}t" style:family="text"><style:text-properties {letters}/></style:style>'
        )
        place = f'svg:x="{x - PADDING[0]}mm" svg:y="{top}mm" svg:width="60mm" svg:height="5mm"'
        marked_text = f'<text:p><text:span text:style-name="{style}t">{escape(words)}</text:span></text:p>'
        frame = f'<draw:frame draw:style-name="{style}" {place}><draw:text-box>{marked_text}</draw:text-box></draw:frame>'
        self.shapes.append(frame)

    def alpha(self, share: float, ops: list[Any]) -> None:
        self.share = share
        self.draw(ops)
        self.share = 1.0


def write(path: Path, scene: Mapping[str, Any], options: str = "") -> None:
    """One file."""
    styles, pages = list[str](), list[str]()
    wide, high = scene["pages"][0]["size"]
    for page in scene["pages"]:
        painter = Draw(page["size"][1], styles)
        painter.draw(page["ops"])
        pages.append(
            f'<draw:page draw:master-page-name="Default">{"".join(painter.shapes)}</draw:page>'
        )
    size = f'fo:page-width="{wide}mm" fo:page-height="{high}mm" fo:margin="0mm" style:print-orientation="portrait"'
    layout = f'<style:page-layout style:name="PM0"><style:page-layout-properties {size}/></style:page-layout>'
    masters = '<style:master-page style:name="Default" style:page-layout-name="PM0" draw:style-name="dp1"/>'
    parts = {
        "mimetype": MIME,
        "META-INF/manifest.xml": MANIFEST,
        "styles.xml": f"<office:document-styles {SPACES}><office:styles/><office:automatic-styles>{layout}{PAGE}"
        f"</office:automatic-styles><office:master-styles>{masters}</office:master-styles></office:document-styles>",
        "content.xml": f"<office:document-content {SPACES}><office:automatic-styles>{''.join(styles)}"
        f"</office:automatic-styles><office:body><office:drawing>{''.join(pages)}</office:drawing></office:body>"
        "</office:document-content>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    command = (
        "soffice",
        "--headless",
        "--convert-to",
        f"pdf:draw_pdf_Export{options}",
        "--outdir",
        "{}",
        "{}/out.odg",
    )
    run(path, {"out.odg": packed.getvalue()}, *command)


LOCK = ':{"RestrictPermissions":{"type":"boolean","value":"true"},"PermissionPassword":{"type":"string","value":"owner"}}'
SPECIALS: Specials = {
    "locked": (("encrypted",), lambda path: write(path, SCENES["sound"], LOCK)),
    "archive": (
        (),
        lambda path: write(
            path, SCENES["sound"], ':{"SelectPdfVersion":{"type":"long","value":"1"}}'
        ),
    ),
}
