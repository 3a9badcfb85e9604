"""Web pages: the cards of a watched pack, a gallery of cards, the releases of a pack. Pure; every text is escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from builder.errata.release import Release
from builder.findings import Finding
from builder.messages import Message, gettext as _, translate
from builder.model.words import term
from builder.report.findings import place, summary


def document(title: str, lang: str, head: str, body: str) -> str:
    """A whole page; `head` (styles, scripts) and `body` are markup, the title is text."""
    always = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!DOCTYPE html>\n<html lang="{escape(lang)}"><head>{always}{head}</head><body>{body}</body></html>\n'


MOST = 40
"""So many findings are listed in the page; the terminal has them all."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One face: `front` or `back`, the digest it is fetched by, its size in pixels."""

    side: str
    digest: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A card in sight. `stale`: the last save could not be set, the pictures are those of an earlier one."""

    card: str
    lang: str
    name: str
    pictures: tuple[Picture, ...] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """All there is to see. `number` grows with every change; `took` is ms from a save noticed to its picture.

    `trouble` says why nothing could be set at all.
    """

    number: int = 0
    cards: tuple[Seen, ...] = ()
    findings: tuple[Finding, ...] = ()
    trouble: str = ""
    took: int = 0


STYLE = """body{font:16px/1.4 sans-serif;margin:1.5rem;background:#eee;color:#111}h1{font-size:1.1rem}
section{display:flex;flex-wrap:wrap;gap:1rem}h2{font-size:1rem;margin:1rem 0 .4rem}img{border-radius:.7rem;height:auto;
max-width:100%;box-shadow:0 1px 6px #0005}.stale img{opacity:.45}li{margin:.3rem 0}li small{display:block;opacity:.75}
.error{color:#a40000}.warning{color:#7a5600}#state{font-size:.85rem;opacity:.75}
@media(prefers-color-scheme:dark){body{background:#222;color:#eee}.error{color:#ff9c93}.warning{color:#f3cf7a}}"""

SCRIPT = """const seen = document.getElementById("sight"), state = document.getElementById("state");
const source = new EventSource("events");
source.onmessage = event => { seen.innerHTML = event.data; state.textContent = state.dataset.here; };
source.onerror = () => { state.textContent = state.dataset.gone; };
"""

HERE, GONE = _("watching"), _("squadpress watch does not answer; the page is as it was last")
"""What the page says of the program."""


def watch_page(title: str, sight: Sight, lang: str) -> str:
    """The whole page in a language, with what is in sight now; its script puts later sights into place."""
    links = '<link rel="stylesheet" href="style.css"><script src="script.js" defer></script>'
    here, gone = (escape(translate(text, lang)) for text in (HERE, GONE))
    state = f'<p id="state" role="status" data-here="{here}" data-gone="{gone}">{here}</p>'
    body = f'<h1>{escape(title)}</h1>{state}<main id="sight">{fragment(sight, lang)}</main>'
    return document(title, lang, links, body)


def fragment(sight: Sight, lang: str) -> str:
    """The part of the page that changes, without a line break."""
    trouble = f'<p class="error">{escape(translate(sight.trouble, lang))}</p>' if sight.trouble else ""
    cards = "".join(_card(seen, lang) for seen in sight.cards)
    cards = cards or f"<p>{translate(_('No card to show yet: save one.'), lang)}</p>"
    text = f"{trouble}{cards}{_findings(sight.findings, lang)}"
    return " ".join(text.splitlines())


def status_line(sight: Sight, lang: str) -> str:
    """One line for the terminal."""
    if sight.trouble:
        return f"{translate(_('error'), lang)}: {translate(sight.trouble, lang)}"
    stale = f" {translate(_('as it was before'), lang)}"
    names = ", ".join(f"{seen.card} ({seen.lang}){stale if seen.stale else ''}" for seen in sight.cards)
    took = translate(_("{many} ms", many=sight.took), lang)
    return f"{names or translate(_('no card'), lang)}: {took}, {summary(sight.findings, lang)}"


def _card(seen: Seen, lang: str) -> str:
    note = f" · {translate(_('as it was before: the last save could not be set'), lang)}" if seen.stale else ""
    pictures = "".join(
        f'<img src="picture/{escape(one.digest)}.png" width="{one.width}" height="{one.height}" '
        f'alt="{escape(f"{seen.name}, {translate(term(one.side), lang)}")}">'
        for one in seen.pictures
    )
    name = f'<span lang="{escape(seen.lang)}">{escape(seen.name)}</span>'
    heading = f"<h2>{name} <small>{escape(seen.card)} · {escape(seen.lang)}{note}</small></h2>"
    return f'<article class="{"stale" if seen.stale else "whole"}">{heading}<section>{pictures}</section></article>'


def _findings(findings: Sequence[Finding], lang: str) -> str:
    if not findings:
        return ""
    rows = []
    for one in (finding.translated(lang) for finding in findings[:MOST]):
        hint = f"<small>{escape(one.hint)}</small>" if one.hint else ""
        text = escape(f"{place(one.location, lang)}{one.message}")
        rows.append(f'<li class="{one.severity.value}"><b>{escape(one.code)}</b> {text}{hint}</li>')
    rest = len(findings) - MOST
    if rest > 0:
        rows.append(f"<li>{translate(_('and {many} more in the terminal', many=rest), lang)}</li>")
    return f"<h2>{escape(summary(findings, lang))}</h2><ul>{''.join(rows)}</ul>"


_GALLERY = """body{font:16px/1.4 system-ui,sans-serif;margin:1.5rem;background:#eee;color:#111}
h1{font-size:1.3rem;margin:0}header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5rem 1rem;
align-items:center;padding:.7rem 0;background:#eee}
form{display:flex;flex-wrap:wrap;gap:.5rem}input,select{font:inherit;padding:.25rem .5rem;max-width:100%}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem}
figure{margin:0;background:#fff;padding:.7rem;border-radius:.5rem;display:flex;flex-direction:column}
figure[hidden]{display:none}
figure div{display:flex;gap:.5rem;align-items:flex-start;justify-content:center;flex:1}
figure img{min-width:0;flex:0 1 auto;width:auto;max-width:100%;max-height:24rem;height:auto;
object-fit:contain;border-radius:.5rem}
figure img:first-child:not(:only-child),img+img{max-width:calc(50% - .25rem)}figcaption{padding-top:.5rem}
small{display:block;opacity:.75}
@media(prefers-color-scheme:dark){body,header{background:#222;color:#eee}figure{background:#333}}
@media print{form{display:none}header{position:static}figure{break-inside:avoid}}"""

_FILTER = """const form = document.forms[0], count = form.querySelector("output");
const cards = [...document.querySelectorAll("figure")];
const passes = (card, name) => !form[name] || !form[name].value || card.dataset[name] === form[name].value;
const sift = () => {
  const word = form.word.value.trim().toLowerCase();
  for (const card of cards)
    card.hidden = !(card.textContent.toLowerCase().includes(word)
      && passes(card, "kind") && passes(card, "faction"));
  count.textContent = `${cards.filter(card => !card.hidden).length} / ${cards.length}`;
};
form.hidden = false; form.onsubmit = () => false; form.oninput = sift; sift();"""


@dataclass(frozen=True, slots=True)
class GalleryCard:
    """A card in a gallery: its name, the files of its front and of its back where it has one, their size in pixels;
    what its kind and its faction are called, and other facts worth reading."""

    name: str
    front: str
    back: str | None
    pixels: tuple[int, int]
    kind: str = ""
    faction: str = ""
    facts: tuple[str, ...] = ()


def gallery_html(title: str, lang: str, cards: Sequence[GalleryCard]) -> str:
    """A page with every card, its pictures and its facts, as broad as the window, and a form that picks some of them.

    Its only script is its own and needs nothing from elsewhere; without scripts there is no form.
    """
    words = (translate(_("front"), lang), translate(_("back"), lang))
    figures = []
    for card in cards:
        size = f'width="{card.pixels[0]}" height="{card.pixels[1]}"'
        pictures = "".join(
            f'<img loading="lazy" src="{escape(file)}" {size} alt="{escape(f"{card.name}, {side}")}">'
            for file, side in zip((card.front, card.back), words, strict=True)
            if file
        )
        facts = " · ".join(escape(fact) for fact in (card.kind, card.faction, *card.facts) if fact)
        caption = f"<figcaption><b>{escape(card.name)}</b><small>{facts}</small></figcaption>"
        data = f'data-kind="{escape(card.kind)}" data-faction="{escape(card.faction)}"'
        figures.append(f"<figure {data}><div>{pictures}</div>{caption}</figure>")
    search = translate(_("Search"), lang)
    form = (
        f'<form hidden><input type="search" name="word" placeholder="{escape(search)}" aria-label="{escape(search)}">'
        f"{_choice('kind', translate(_('All kinds'), lang), [card.kind for card in cards])}"
        f"{_choice('faction', translate(_('All factions'), lang), [card.faction for card in cards])}"
        "<output></output></form>"
    )
    head = f"<header><h1>{escape(title)}</h1>{form}</header><main>"
    body = "\n".join((head, *figures, f"</main><script>{_FILTER}</script>"))
    return document(title, lang, f"<style>{_GALLERY}</style>", body)


def _choice(name: str, every: str, values: Sequence[str]) -> str:
    """A list to pick from; nothing where there is nothing to tell apart."""
    known = [value for value in dict.fromkeys(values) if value]
    if len(known) < 2:
        return ""
    options = "".join(f"<option>{escape(value)}</option>" for value in known)
    first = f'<option value="">{escape(every)}</option>'
    return f'<select name="{name}" aria-label="{escape(every)}">{first}{options}</select>'


_RELEASES = """body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#111}
h1{margin-bottom:0}section{border-top:1px solid #999;margin-top:1.5rem}
table{border-collapse:collapse;width:100%}td{padding:.2rem .8rem .2rem 0;vertical-align:top}
td.size{text-align:right;white-space:nowrap}code{font-size:.8em;color:#555;word-break:break-all}"""


@dataclass(frozen=True, slots=True)
class Download:
    """One served file."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PageRelease:
    """One release as the page shows it, its downloads in order; `withdrawn` says that it was, if it was."""

    version: str
    released: str
    effective: str
    summary: str
    downloads: Sequence[Download]
    withdrawn: str = ""


def release_page(name: str, releases: Sequence[PageRelease], lang: str = "en") -> str:
    """The whole page, newest release first."""
    title = translate(_("{name}: releases", name=name), lang)
    about = _(
        "Releases of the cards and rules. Machines begin at {index}; {sums} proves every file.",
        index=Message("<a href='v1/index.json'>v1/index.json</a>"),
        sums=Message("<a href='SHA256SUMS'>SHA256SUMS</a>"),
    )
    parts = [f"<h1>{escape(name)}</h1>", f"<p>{translate(about, lang)}</p>"]
    for release in releases:
        dates = _(
            "Published {released}, in force from {effective}.", released=release.released, effective=release.effective
        )
        told = (release.withdrawn, dates, release.summary)
        words = " ".join(escape(translate(text, lang)) for text in told if text)
        version = escape(release.version)
        parts.append(f"<section id='{version}'><h2>{version}</h2><p>{words}</p><table>")
        parts += [_row(download) for download in release.downloads]
        parts.append("</table></section>")
    return document(title, lang, f"<style>{_RELEASES}</style>", "\n".join(parts))


def badges(name: str, releases: Sequence[Release], current: Release) -> dict[str, tuple[dict[str, object], str]]:
    """Whether each release is up to date, for whoever shows it in a page of theirs: as shields' endpoint has it, and as
    a picture. The addresses stay, what they say changes with the newest release.
    """
    made = {}
    for one in releases:
        fresh = one.version == current.version
        told, colour = (one.version, "#2a7d4f") if fresh else (f"{one.version} \u2192 {current.version}", "#b4560b")
        left, right = (round(12 + 6.6 * len(text)) for text in (name, told))
        parts = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img">'
            f"<title>{escape(f'{name}: {told}')}</title>"
            f'<rect width="{left + right}" height="20" rx="3" fill="#444"/>'
            f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z" fill="{colour}"/>'
            '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
            f'<text x="{left / 2}" y="14" textLength="{left - 12}">{escape(name)}</text>'
            f'<text x="{left + right / 2}" y="14" textLength="{right - 12}">{escape(told)}</text></g></svg>\n'
        )
        made[one.version] = {"schemaVersion": 1, "label": name, "message": told, "color": colour}, "".join(parts)
    return made


def _row(download: Download) -> str:
    name, size = download.path.rpartition("/")[2], download.size
    told = f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB"
    link = f"<a href='{escape(download.path)}'>{escape(name)}</a><br><code>{download.sha256}</code>"
    return f"<tr><td>{link}</td><td class='size'>{told}</td></tr>"
