"""The view of a watched pack: pictures of its cards and its findings, as a page and as a line."""

from dataclasses import dataclass

from builder.findings import Finding
from builder.messages import gettext as _, translate
from builder.render.html.pages import page
from builder.report.findings import format_location, format_summary

MAX_SHOWN_FINDINGS = 40
"""Findings on the page. The terminal lists all of them."""


@dataclass(frozen=True, slots=True)
class FacePicture:
    """One face: `front` or `back`, the digest of its picture, and the size in pixels."""

    side: str
    digest: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class WatchedCard:
    """A card on the page. `stale` is true if its pictures are older than the last save."""

    card: str
    lang: str
    name: str
    pictures: tuple[FacePicture, ...] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class WatchView:
    """The content of the page.

    `number` grows with every change, `milliseconds` is the time from a save to its picture. `failure`
    says why nothing could be rendered.
    """

    number: int = 0
    cards: tuple[WatchedCard, ...] = ()
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    milliseconds: int = 0


def format_page(title: str, view: WatchView, lang: str) -> str:
    """Return the whole page in a language. Its script replaces the view when it changes."""
    return page("watch.html", lang, title=title, **_make_template_values(view, lang))


def format_fragment(view: WatchView, lang: str) -> str:
    """Return the part of the page that changes, without line breaks."""
    html = page("watch_view.html", lang, **_make_template_values(view, lang))
    return " ".join(html.splitlines())


def _make_template_values(view: WatchView, lang: str) -> dict[str, object]:
    findings = []
    for finding in view.findings[:MAX_SHOWN_FINDINGS]:
        location = format_location(finding.location, lang)
        findings.append((location, finding.translate(lang)))
    return {
        "view": view,
        "findings": findings,
        "summary": format_summary(view.findings, lang),
        "hidden_count": len(view.findings) - MAX_SHOWN_FINDINGS,
    }


def format_status_line(view: WatchView, lang: str) -> str:
    """Return one line for the terminal."""
    if view.failure:
        return f"{translate(_('error'), lang)}: {translate(view.failure, lang)}"
    names = []
    for card in view.cards:
        stale_mark = f" {translate(_('previous picture'), lang)}" if card.stale else ""
        names.append(f"{card.card} ({card.lang}){stale_mark}")
    listed_names = ", ".join(names) or translate(_("no card"), lang)
    duration = translate(_("{many} ms", many=view.milliseconds), lang)
    return f"{listed_names}: {duration}, {format_summary(view.findings, lang)}"
