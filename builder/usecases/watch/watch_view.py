"""The view of a watched pack: pictures of its cards and its findings, as a page and as a line."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from builder.findings import Finding
from builder.geometry.boxes import FaceBoxes
from builder.messages import gettext as _, translate
from builder.render.html.pages import page
from builder.report.findings import format_location, format_summary, rank_severity
from builder.usecases.watch.face_blocks import FaceBlock

STATE_NAMES = {
    "good": _("no errors"),
    "warning": _("warnings"),
    "draft": _("does not fit"),
    "error": _("error"),
    "unchecked": _("not checked yet"),
}
"""What each state of a card is called."""
MAX_SHOWN_FINDINGS = 40
"""Findings on the page. The terminal lists all of them."""


@dataclass(frozen=True, slots=True)
class WatchedFace:
    """The picture of one face of a watched card.

    `digest` names the picture, which includes the bleed. `width` and `height` are in pixels, and
    `boxes` are in mm.
    """

    side: str
    digest: str
    width: int
    height: int
    boxes: FaceBoxes
    blocks: tuple[FaceBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedCard:
    """A card on the watch page. `stale` is True if its pictures are older than the last save.

    `draft` is True if a text does not fit.
    """

    card: str
    lang: str
    name: str
    pictures: tuple[WatchedFace, ...] = ()
    stale: bool = False
    draft: bool = False


@dataclass(frozen=True, slots=True)
class WatchedSheets:
    """Pictures of printed sheets on the watch page: (digest, width, height in pixels).

    `hidden_count` counts pages that are not drawn.
    """

    pictures: tuple[tuple[str, int, int], ...] = ()
    hidden_count: int = 0


CardState: TypeAlias = Literal["good", "warning", "draft", "error", "unchecked"]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of the watch page's list of all cards."""

    card: str
    name: str
    state: CardState


@dataclass(frozen=True, slots=True)
class WatchView:
    """The content of the watch page.

    `number` grows with every change, `milliseconds` is the time from a save to its picture.
    `failure` says why nothing could be rendered. `sheets` are drawn on request.
    """

    number: int = 0
    rows: tuple[CardRow, ...] = ()
    cards: tuple[WatchedCard, ...] = ()
    findings: tuple[Finding, ...] = ()
    failure: str = ""
    milliseconds: int = 0
    sheets: WatchedSheets | None = None


def format_watch_page(title: str, view: WatchView, lang: str) -> str:
    """Format the whole watch page as HTML in a language."""
    return page("watch.html", lang, title=title, **_make_template_values(view, lang))


def format_page_fragment(view: WatchView, lang: str) -> str:
    """Format the part of the watch page that changes, as HTML on one line."""
    html = page("watch_view.html", lang, **_make_template_values(view, lang))
    # The page gets it as one `data:` line of an event stream.
    return " ".join(html.splitlines())


def _make_template_values(view: WatchView, lang: str) -> dict[str, object]:
    findings = []
    ordered = sorted(view.findings, key=rank_severity)
    cards = {row.card for row in view.rows}
    for finding in ordered[:MAX_SHOWN_FINDINGS]:
        location = format_location(finding.location, lang)
        stem = PurePosixPath(finding.location.file or "").stem
        card = stem if stem in cards else ""
        findings.append((location, finding.translate(lang), card, finding.location.box))
    return {
        "view": view,
        "selected": {card.card for card in view.cards},
        "state_names": STATE_NAMES,
        "findings": findings,
        "summary": format_summary(view.findings, lang),
        "hidden_count": len(view.findings) - MAX_SHOWN_FINDINGS,
    }


def format_status_line(view: WatchView, lang: str) -> str:
    """Format the cards, the time and the number of findings as one line for the terminal."""
    if view.failure:
        return f"{translate(_('error'), lang)}: {translate(view.failure, lang)}"
    names = []
    for card in view.cards:
        stale_mark = f" {translate(_('previous picture'), lang)}" if card.stale else ""
        names.append(f"{card.card} ({card.lang}){stale_mark}")
    listed_names = ", ".join(names) or translate(_("no card"), lang)
    duration = translate(_("{many} ms", many=view.milliseconds), lang)
    return f"{listed_names}: {duration}, {format_summary(view.findings, lang)}"
