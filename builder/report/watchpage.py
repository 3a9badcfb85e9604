"""What a watched pack's page shows: the cards in sight, their pictures, what was found. Pure; every text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from builder.findings import Finding
from builder.messages import gettext as _
from builder.messages import translate
from builder.model.terms import term
from builder.report.findings import place, summary

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


def page(title: str, sight: Sight, lang: str) -> str:
    """The whole page in a language, with what is in sight now; its script puts later sights into place."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    links = '<link rel="stylesheet" href="style.css"><script src="script.js" defer></script>'
    here, gone = (escape(translate(text, lang)) for text in (HERE, GONE))
    state = f'<p id="state" role="status" data-here="{here}" data-gone="{gone}">{here}</p>'
    body = f'<h1>{escape(title)}</h1>{state}<main id="sight">{fragment(sight, lang)}</main>'
    return f'<!DOCTYPE html>\n<html lang="{escape(lang)}"><head>{head}{links}</head><body>{body}</body></html>\n'


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
    rows = "".join(_finding(one.translated(lang), lang) for one in findings[:MOST])
    rest = len(findings) - MOST
    more = f"<li>{translate(_('and {many} more in the terminal', many=rest), lang)}</li>" if rest > 0 else ""
    return f"<h2>{escape(summary(findings, lang))}</h2><ul>{rows}{more}</ul>"


def _finding(one: Finding, lang: str) -> str:
    hint = f"<small>{escape(one.hint)}</small>" if one.hint else ""
    text = escape(f"{place(one.location, lang)}{one.message}")
    return f'<li class="{one.severity.value}"><b>{escape(one.code)}</b> {text}{hint}</li>'
