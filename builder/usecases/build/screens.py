"""Cards for screens: one picture a face, sheets for a simulated table, an overview, a gallery page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from builder.findings import Finding, has_errors
from builder.model.card import Card
from builder.model.pack import Size
from builder.model.profile import Profile
from builder.render.html.view import localised, pick
from builder.render.jobs import Variant
from builder.render.sheets.sheets import Stack
from builder.report.exports import TableDeck, saved_object
from builder.report.pages import GalleryCard, gallery_html
from builder.store.package import Package, package
from builder.store.project import Project
from builder.units import to_pixels
from builder.usecases.build.options import BuildResult, Built, Selection, WorkerPool
from builder.usecases.build.product import with_product
from builder.usecases.build.typeset import SetCards, card_pair, face_pages, languages, set_cards
from builder.usecases.files import PackFiles
from builder.usecases.looks import judge_files
from builder.usecases.storage import load_as_of

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

Form = Literal["png", "webp", "tabletop", "overview", "gallery"]

TRIM = Profile(id="trim", name={"en": "Trim"}, layout="pages", marks=None, check_line=0, label=False, duplex="none")
COLUMNS, ROWS = 10, 7
SEEN_AT_ONCE = 200
"""Faces on one picture of an overview: its pixels are all in memory."""
WIDEST = 4096
"""The largest picture a simulated table takes, in pixels."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What is wanted: the form, pixels per inch, where a simulated table will find its sheets (else the disk), and the
    folder for the results (else that of the pack)."""

    form: Form
    dpi: int = 150
    url: str | None = None
    output: Path | None = None


@dataclass(frozen=True, slots=True)
class ShownFaces:
    """One card with its faces; `back` None where it has none. Its kind and faction as they are called, and `facts`."""

    card: Card
    name: str
    kind: str
    faction: str
    facts: tuple[str, ...]
    size: Size
    front: Stack
    back: Stack | None


@dataclass
class Pictures:
    """The faces of one language as pictures, drawn when asked for; `title` is the pack's name in it."""

    document: object
    order: dict[Stack, tuple[int, Size]]
    dpi: int
    lang: str
    title: str

    def pixels(self, size: Size) -> tuple[int, int]:
        """How large a face of this size is."""
        return to_pixels(size.width, self.dpi), to_pixels(size.height, self.dpi)

    def of(self, stack: Stack) -> Picture:
        """A face cut to its trim."""
        from builder.render.prepress.raster import picture

        index, size = self.order[stack]
        face: Picture = picture(self.document, index, self.pixels(size))
        return face


def build_screens(
    project: Project, pack_id: str, select: Selection, screen: Screen, workers: WorkerPool
) -> BuildResult:
    """Write the pictures of each language into a folder of their own. With an error nothing is written."""
    from builder.render.prepress.raster import opened

    loaded = load_as_of(PackFiles(project), pack_id, select.as_of)
    looks = judge_files(project, pack_id)
    if loaded.pack is None or has_errors((*loaded.findings, *looks)):
        return BuildResult(findings=(*loaded.findings, *looks))
    loaded, select = with_product(project, loaded, select)
    made = set_cards(project, loaded, select, workers)
    findings: tuple[Finding, ...] = made.rendered.findings
    if has_errors(findings):
        return BuildResult(findings=findings, fresh=made.rendered.fresh, known=made.rendered.known)
    built = []
    for lang in languages(made.renderer.pack, select.langs):
        cards = shown_cards(made, lang, select.variant)
        sizes = {stack: card.size for card in cards for stack in (card.front, card.back) if stack is not None}
        order = {stack: (page, size) for page, (stack, size) in enumerate(sizes.items())}
        name = "-".join(filter(None, (pack_id, select.product, lang, screen.form)))
        folder = (screen.output or project.output_dir(pack_id)) / name
        with (
            face_pages(made.renderer, TRIM, sizes.items(), "faces") as path,
            opened(path) as document,
            package(folder) as box,
        ):
            pictures = Pictures(document, order, screen.dpi, lang, made.renderer.words(lang).pack_name)
            count = _WRITERS[screen.form](box, pictures, cards, screen, folder)
            box.write_sums()
        built.append(Built(folder, count, len(cards), box.changed))
    return BuildResult(tuple(built), findings, made.rendered.fresh, made.rendered.known)


def shown_cards(made: SetCards, lang: str, variant: Variant) -> tuple[ShownFaces, ...]:
    """The cards of a language with the addresses of their faces."""
    pack, words, found = made.renderer.pack, made.renderer.words(lang), []
    source = pack.manifest.languages.source
    currency = pick(pack.manifest.roster.currency, lang, source)
    for card in made.cards(lang):
        pair = card_pair(made.renderer, card, lang, variant, made.rendered.keys)
        kind, name = pack.manifest.kinds[card.kind], localised(pack, card, lang)[0]
        faction = words.faction(card.faction)
        told = (
            pick(kind.name, lang, source),
            str(faction["name"]) if faction is not None else "",
            (
                *((f"{card.cost:g} {currency}".strip(),) if card.cost is not None else ()),
                *map(words.keyword, card.keywords),
            ),
        )
        found.append(ShownFaces(card, name, *told, kind.size, pair.front, pair.back))
    return tuple(found)


def _names(cards: Sequence[ShownFaces]) -> dict[Stack, str]:
    names: dict[Stack, str] = {}
    for card in cards:
        names.setdefault(card.front, f"{card.card.kind}-{card.card.id}-front")
        if card.back is not None:
            names.setdefault(card.back, f"{card.card.kind}-{card.card.id}-back")
    return names


def _singles(box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen, folder: Path) -> int:
    from builder.render.prepress.raster import encoded

    form = "webp" if screen.form in ("webp", "gallery") else "png"
    names = _names(cards)
    for stack, name in names.items():
        box.write(f"{name}.{form}", encoded(pictures.of(stack), form, screen.dpi))
    return len(names)


def _gallery(box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen, folder: Path) -> int:
    """The pictures and a page that shows them."""
    count = _singles(box, pictures, cards, screen, folder)
    names = _names(cards)
    hung = []
    for card in {card.front: card for card in cards}.values():
        back = f"{names[card.back]}.webp" if card.back else None
        told = (card.kind, card.faction, card.facts)
        hung.append(GalleryCard(card.name, f"{names[card.front]}.webp", back, pictures.pixels(card.size), *told))
    box.write("index.html", gallery_html(pictures.title, pictures.lang, hung).encode())
    return count


def _overview(box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen, folder: Path) -> int:
    """All faces small, fronts beside their backs; on one picture, or where they are many on several."""
    from builder.render.prepress.raster import encoded, overview_sheet

    unique = list(pictures.order)
    starts = range(0, len(unique), SEEN_AT_ONCE)
    for number, start in enumerate(starts, 1):
        faces = map(pictures.of, unique[start : start + SEEN_AT_ONCE])
        name = f"overview-{number}.png" if number > 1 else "overview.png"
        box.write(name, encoded(overview_sheet(faces, columns=COLUMNS, width=220), "png", screen.dpi))
    return len(starts)


def _tabletop(box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen, folder: Path) -> int:
    """Deck sheets of ten columns, one deck a size, and the object that a simulated table loads."""
    from builder.render.prepress.raster import encoded, grid_sheet

    decks: list[TableDeck] = []
    chunks: list[list[ShownFaces]] = []
    for size in dict.fromkeys(card.size for card in cards):
        alike = [card for card in cards if card.size == size]
        # The last place of a sheet is the hidden card's: 69 cards a deck.
        chunks += [alike[start : start + COLUMNS * ROWS - 1] for start in range(0, len(alike), COLUMNS * ROWS - 1)]
    where = screen.url.rstrip("/") if screen.url else folder.resolve().as_uri()
    for number, chunk in enumerate(chunks, 1):
        wide = min(WIDEST // COLUMNS, to_pixels(chunk[0].size.width, screen.dpi))
        high = round(wide * chunk[0].size.height / chunk[0].size.width)
        rows = max(2, -(-(len(chunk) + 1) // COLUMNS))
        sides = {"front": [card.front for card in chunk], "back": [card.back or card.front for card in chunk]}
        for side, stacks in sides.items():
            sheet = grid_sheet(map(pictures.of, stacks), (wide, high), (COLUMNS, rows))
            box.write(f"deck-{number}-{side}.png", encoded(sheet, "png", screen.dpi))
        front, back = (f"{where}/deck-{number}-{side}.png" for side in sides)
        decks.append(TableDeck(front, back, rows, tuple((card.name, card.card.id) for card in chunk)))
    box.write("saved-object.json", saved_object(folder.name, decks, COLUMNS).encode())
    return 2 * len(decks)


_WRITERS = {"png": _singles, "webp": _singles, "gallery": _gallery, "overview": _overview, "tabletop": _tabletop}
