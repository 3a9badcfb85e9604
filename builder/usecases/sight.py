"""What is in sight of a watched pack: its cards' pictures and findings, as a page and as a line."""

from dataclasses import dataclass

from builder.findings import Finding
from builder.messages import gettext as _, translate
from builder.render.html.pages import page
from builder.report.findings import format_location, format_summary

MAX_SHOWN_FINDINGS = 40
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


def watch_page(title: str, sight: Sight, lang: str) -> str:
    """The whole page in a language, with what is in sight now; its script puts later sights into place."""
    return page("watch.html", lang, title=title, **_make_template_values(sight, lang))


def format_fragment(sight: Sight, lang: str) -> str:
    """The part of the page that changes, without a line break."""
    return " ".join(page("sight.html", lang, **_make_template_values(sight, lang)).splitlines())


def _make_template_values(sight: Sight, lang: str) -> dict[str, object]:
    findings = [
        (format_location(finding.location, lang), finding.translate(lang))
        for finding in sight.findings[:MAX_SHOWN_FINDINGS]
    ]
    values = {
        "summary": format_summary(sight.findings, lang),
        "rest": len(sight.findings) - MAX_SHOWN_FINDINGS,
    }
    return {"sight": sight, "findings": findings, **values}


def format_status_line(sight: Sight, lang: str) -> str:
    """One line for the terminal."""
    if sight.trouble:
        return f"{translate(_('error'), lang)}: {translate(sight.trouble, lang)}"
    stale = f" {translate(_('previous picture'), lang)}"
    names = ", ".join(
        f"{seen.card} ({seen.lang}){stale if seen.stale else ''}" for seen in sight.cards
    )
    took = translate(_("{many} ms", many=sight.took), lang)
    return (
        f"{names or translate(_('no card'), lang)}: {took}, {format_summary(sight.findings, lang)}"
    )
