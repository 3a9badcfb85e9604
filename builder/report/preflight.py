"""The judgement of finished files as a page to look at: each page drawn, its places marked and numbered. Pure."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from builder.findings import Box, Finding, Location
from builder.messages import gettext as _, ngettext, translate
from builder.report.findings import summary
from builder.report.pages import document

_STYLE = """body{font:15px/1.45 sans-serif;margin:1.5rem auto;max-width:70rem;padding:0 1rem;background:#f4f4f2;
color:#161616}
section{display:flex;flex-wrap:wrap;gap:1.2rem;background:#fff;padding:1rem;margin:1rem 0;border-radius:.4rem}
h2{flex-basis:100%;margin:0;font-size:1.05rem}
figure{margin:0;position:relative;flex:0 0 auto;width:24rem;max-width:100%}
figure img,figure svg{display:block;width:100%}figure svg{position:absolute;inset:0;height:100%}
ol,ul{flex:1 1 22rem;margin:0;padding-left:1.8rem}li{margin-bottom:.6rem}code{font-size:.9em}
table{border-collapse:collapse;margin:.6rem 0}th,td{text-align:left;padding:.15rem 1.2rem .15rem 0}
.error b{color:#b00020}.warning b{color:#8a5a00}.note b{color:#245c9e}small{color:#555;display:block}
@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#eee}section{background:#2a2a2a}small{color:#bbb}
.error b{color:#ff7b8a}.warning b{color:#f0b452}.note b{color:#8dbcf0}}"""

_INK = {
    "error": 'fill="#e00028" fill-opacity=".12" stroke="#e00028" stroke-width=".35"',
    "warning": 'fill="#d98200" fill-opacity=".12" stroke="#d98200" stroke-width=".35"',
    "note": 'fill="none" stroke="#2f7bd0" stroke-width=".35"',
    "trim": 'fill="none" stroke="#00a0a0" stroke-width=".2"',
    "safe": 'fill="none" stroke="#00a0a0" stroke-width=".2" stroke-dasharray="1.2 .8"',
    "number": 'font-size="3" font-weight="bold" font-family="sans-serif" fill="#fff"',
}
"""How marks are drawn; as attributes, so that programs without style sheets for drawings show them too."""


FEW = 12
"""Files whose list is open from the start."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a file, or an image (number 0): what there is to be seen of it, the cut and the safe zone, in mm."""

    file: str
    number: int
    shows: Box
    trim: Box
    safe: Box | None


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as a picture: JPEG bytes."""

    view: PageView
    picture: bytes


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that was judged: its pages, or the pixels of an image."""

    name: str
    pages: int
    pixels: tuple[int, int] | None


def preflight_html(
    title: str, shop: str, findings: Sequence[Finding], pages: Sequence[DrawnPage], more: int = 0,
    files: Sequence[Listed] = (), *, lang: str,
) -> str:  # fmt: skip
    """The whole report in a language; `more` pages with findings were left undrawn. Several files are listed first."""
    drawn = {(page.view.file, page.view.number) for page in pages}
    loose = [finding for finding in findings if _where(finding) not in drawn]
    several = len(files) > 1
    parts = [f"<h1>{escape(title)}</h1><p>{escape(shop)}: {summary(findings, lang)}</p>"]
    if several:
        parts.append(_table(files, findings, lang))
    if loose:
        items = "".join(_item(finding, lang, finding.location.file if several else None) for finding in loose)
        heading = _("What belongs to no page shown here") if several else _("The file")
        parts.append(f"<section><h2>{translate(heading, lang)}</h2><ul>{items}</ul></section>")
    for page in pages:
        here = [one for one in findings if _where(one) == (page.view.file, page.view.number)]
        parts.append(_page(page, here, lang, several=several))
    if more:
        parts.append(f"<p>{translate(_('Pages with findings that are not drawn here: {many}.', many=more), lang)}</p>")
    body = "\n".join(parts)
    return document(title, lang, f"<style>{_STYLE}</style>", f"<main>\n{body}\n</main>")


def _where(finding: Finding) -> tuple[str | None, int]:
    return finding.location.file, finding.location.page or 0


def _table(files: Sequence[Listed], findings: Sequence[Finding], lang: str) -> str:
    """All files with what they hold and how they did."""
    found: dict[str | None, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.location.file, []).append(finding)
    rows = []
    for file in files:
        shape = ngettext("{count} page", "{count} pages", file.pages)
        if file.pixels:
            shape = _("{wide} × {high} px", wide=file.pixels[0], high=file.pixels[1])
        cells = (escape(file.name), translate(shape, lang), summary(found.get(file.name, []), lang))
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    head = "".join(f"<th>{translate(word, lang)}</th>" for word in (_("File"), _("Size"), _("Found")))
    head = f"<thead><tr>{head}</tr></thead>"
    count = f"<summary>{translate(ngettext('{count} file', '{count} files', len(files)), lang)}</summary>"
    shown = " open" if len(files) <= FEW else ""
    return f"<details{shown}>{count}<table>{head}<tbody>{''.join(rows)}</tbody></table></details>"


def _item(finding: Finding, lang: str, file: str | None = None) -> str:
    shown, number = finding.translated(lang), finding.location.page
    where = f"{escape(file)}: " if file else ""
    where += f"{translate(_('page {page}', page=number), lang)}: " if number else ""
    words = f"<b>{translate(shown.severity.word, lang)}</b> {where}{escape(shown.message)}"
    more = f"<code>{escape(shown.code)}</code><small>{escape(shown.hint)}</small>"
    return f'<li class="{shown.severity.value}">{words} {more}</li>'


def _page(page: DrawnPage, findings: Sequence[Finding], lang: str, *, several: bool) -> str:
    """One page: its picture with the cut, the safe zone and the places, and beside it the findings by number."""
    view, shows = page.view, page.view.shows
    marks = [_rect(view.trim, "trim")]
    if view.safe:
        marks.append(_rect(view.safe, "safe"))
    for number, finding in enumerate(findings, start=1):
        box = finding.location.box
        if box:
            marks.append(_rect(box, finding.severity.value))
            x = min(max(box.x, shows.x + 0.5), shows.x + shows.width - 4)
            y = min(max(box.y, shows.y + 3), shows.y + shows.height - 1)
            marks.append(_label(x, y, str(number), finding.severity.value))
    source = f"data:image/jpeg;base64,{b64encode(page.picture).decode('ascii')}"
    seen = f"{shows.x:.3f} {shows.y:.3f} {shows.width:.3f} {shows.height:.3f}"
    name = translate(_("page {page}", page=view.number) if view.number else _("image"), lang)
    alt = f"{escape(view.file)}, {name}" if several and view.number else escape(view.file) if several else name
    picture = f'<img alt="{alt}" src="{source}"><svg viewBox="{seen}" aria-hidden="true">{"".join(marks)}</svg>'
    items = "".join(_item(replace(one, location=Location()), lang) for one in findings)
    heading = alt[0].upper() + alt[1:] if not several else alt
    return f"<section><h2>{heading}</h2><figure>{picture}</figure><ol>{items}</ol></section>"


def _label(x: float, y: float, number: str, kind: str) -> str:
    """A finding's number on a plate that can be read on any art."""
    colour = _INK[kind].split('stroke="')[1][:7]
    plate = f'<rect x="{x:.2f}" y="{y - 2.7:.2f}" width="{len(number) * 1.8 + 0.8:.2f}" height="3.2" fill="{colour}"/>'
    return f'{plate}<text x="{x + 0.4:.2f}" y="{y:.2f}" {_INK["number"]}>{number}</text>'


def _rect(box: Box, kind: str) -> str:
    """A marked place; a line gets enough breadth to be seen."""
    width, height = max(box.width, 0.3), max(box.height, 0.3)
    return f'<rect {_INK[kind]} x="{box.x:.3f}" y="{box.y:.3f}" width="{width:.3f}" height="{height:.3f}"/>'
