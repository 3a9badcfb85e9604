"""Web pages: the cards of a watched pack, a gallery, the releases of a pack, the judgement of finished files."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.errata.release import Release
from builder.findings import Box, Finding
from builder.messages import gettext as _, translate
from builder.render.html.pages import page
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


def watch_page(title: str, sight: Sight, lang: str) -> str:
    """The whole page in a language, with what is in sight now; its script puts later sights into place."""
    return page("watch.html", lang, title=title, **_in_sight(sight, lang))


def fragment(sight: Sight, lang: str) -> str:
    """The part of the page that changes, without a line break."""
    return " ".join(page("sight.html", lang, **_in_sight(sight, lang)).splitlines())


def _in_sight(sight: Sight, lang: str) -> dict[str, object]:
    findings = [(place(one.location, lang), one.translated(lang)) for one in sight.findings[:MOST]]
    told = {"summary": summary(sight.findings, lang), "rest": len(sight.findings) - MOST}
    return {"sight": sight, "findings": findings, **told}


def status_line(sight: Sight, lang: str) -> str:
    """One line for the terminal."""
    if sight.trouble:
        return f"{translate(_('error'), lang)}: {translate(sight.trouble, lang)}"
    stale = f" {translate(_('as it was before'), lang)}"
    names = ", ".join(f"{seen.card} ({seen.lang}){stale if seen.stale else ''}" for seen in sight.cards)
    took = translate(_("{many} ms", many=sight.took), lang)
    return f"{names or translate(_('no card'), lang)}: {took}, {summary(sight.findings, lang)}"


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
    """A page with every card, its pictures and its facts, and a form that picks some of them."""
    return page("gallery.html", lang, title=title, cards=cards)


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
    return page("releases.html", lang, title=title, name=name, releases=releases)


def badges(name: str, releases: Sequence[Release], current: Release) -> dict[str, tuple[dict[str, object], str]]:
    """Whether each release is up to date, for whoever shows it in a page of theirs: as shields' endpoint has it, and as
    a picture. The addresses stay, what they say changes with the newest release.
    """
    made = {}
    for one in releases:
        fresh = one.version == current.version
        told, colour = (one.version, "#2a7d4f") if fresh else (f"{one.version} \u2192 {current.version}", "#b4560b")
        picture = page("badge.svg", "en", name=name, told=told, colour=colour)
        made[one.version] = {"schemaVersion": 1, "label": name, "message": told, "color": colour}, picture
    return made


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


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A finding's box on a page, and where its number stands, in mm."""

    number: int
    kind: str
    box: Box
    x: float
    y: float


def preflight_html(
    title: str, shop: str, findings: Sequence[Finding], pages: Sequence[DrawnPage], more: int = 0,
    files: Sequence[Listed] = (), *, lang: str,
) -> str:  # fmt: skip
    """The whole report in a language; `more` pages with findings were left undrawn. Several files are listed first."""
    places: dict[tuple[str | None, int], list[Finding]] = {(page.view.file, page.view.number): [] for page in pages}
    loose: list[Finding] = []
    for one in (finding.translated(lang) for finding in findings):
        places.get((one.location.file, one.location.page or 0), loose).append(one)
    shown = [
        {
            "drawn": drawn,
            "picture": b64encode(drawn.picture).decode(),
            "findings": (found := places[drawn.view.file, drawn.view.number]),
            "marks": list(_marks(drawn.view.shows, found)),
        }
        for drawn in pages
    ]
    listed = [(file, summary([one for one in findings if one.location.file == file.name], lang)) for file in files]
    told = {"title": title, "shop": shop, "summary": summary(findings, lang), "more": more}
    return page("preflight.html", lang, pages=shown, files=listed, loose=loose, **told)


def _marks(shows: Box, findings: Sequence[Finding]) -> Iterator[PlaceMark]:
    """The boxes of findings by number; the number stays on the page where the place does not."""
    for number, finding in enumerate(findings, start=1):
        if (box := finding.location.box) is not None:
            x, y = min(max(box.x, shows.x + 0.5), shows.right - 4), min(max(box.y, shows.y + 3), shows.bottom - 1)
            yield PlaceMark(number, finding.severity.value, box, x, y)
