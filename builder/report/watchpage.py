"""What a watched pack's page shows: the cards in sight, their pictures, what was found. Pure; every text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from builder.findings import Finding
from builder.report.text import place, summary

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
source.onmessage = event => { seen.innerHTML = event.data; state.textContent = "watching"; };
source.onerror = () => { state.textContent = "squadpress watch does not answer; the page is as it was last"; };
"""


def page(title: str, sight: Sight) -> str:
    """The whole page with what is in sight now; its script puts later sights into place."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    links = '<link rel="stylesheet" href="style.css"><script src="script.js" defer></script>'
    body = f'<h1>{escape(title)}</h1><p id="state" role="status">watching</p><main id="sight">{fragment(sight)}</main>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}{links}</head><body>{body}</body></html>\n'


def fragment(sight: Sight) -> str:
    """The part of the page that changes, without a line break."""
    trouble = f'<p class="error">{escape(sight.trouble)}</p>' if sight.trouble else ""
    cards = "".join(_card(seen) for seen in sight.cards) or "<p>No card to show yet: save one.</p>"
    text = f"{trouble}{cards}{_findings(sight.findings)}"
    return " ".join(text.splitlines())


def told(sight: Sight) -> str:
    """One line for the terminal."""
    if sight.trouble:
        return f"error: {sight.trouble}"
    names = ", ".join(
        f"{seen.card} ({seen.lang})" + (" as it was before" if seen.stale else "") for seen in sight.cards
    )
    return f"{names or 'no card'}: {sight.took} ms, {summary(sight.findings)}"


def _card(seen: Seen) -> str:
    note = " · as it was before: the last save could not be set" if seen.stale else ""
    pictures = "".join(
        f'<img src="picture/{escape(one.digest)}.png" width="{one.width}" height="{one.height}" '
        f'alt="{escape(f"{seen.name}, {one.side}")}">'
        for one in seen.pictures
    )
    name = f'<span lang="{escape(seen.lang)}">{escape(seen.name)}</span>'
    heading = f"<h2>{name} <small>{escape(seen.card)} · {escape(seen.lang)}{note}</small></h2>"
    return f'<article class="{"stale" if seen.stale else "whole"}">{heading}<section>{pictures}</section></article>'


def _findings(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    rows = "".join(_finding(one) for one in findings[:MOST])
    rest = len(findings) - MOST
    more = f"<li>and {rest} more in the terminal</li>" if rest > 0 else ""
    return f"<h2>{escape(summary(findings))}</h2><ul>{rows}{more}</ul>"


def _finding(one: Finding) -> str:
    hint = f"<small>{escape(one.hint)}</small>" if one.hint else ""
    text = escape(f"{place(one.location)}{one.message}")
    return f'<li class="{one.severity.value}"><b>{escape(one.code)}</b> {text}{hint}</li>'
