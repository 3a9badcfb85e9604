"""Decks of an order and their files: composed from set faces, brought to the shop's page, written into the package."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from builder.errors import UsageError
from builder.files import hash_file
from builder.findings import Finding, Location
from builder.geometry.imposition import Pair
from builder.geometry.shop import ShopPage, arrange_files
from builder.messages import gettext as _, ngettext
from builder.model.card import Card
from builder.model.pack import Size
from builder.model.profile import Profile
from builder.model.shop import FacePlace, OrderCard, OrderFile, Preset
from builder.packs.project import Project
from builder.packs.releases.package import Package
from builder.pdfinfo.read import read_pdf
from builder.render.html.view import localised
from builder.render.jobs import FaceJob, Plate, SideName
from builder.render.keys import digest
from builder.render.prepress import prepress_codes
from builder.render.prepress.finisher import Finisher, Images, is_plate, write_plate
from builder.render.sheets.sheets import Stack
from builder.usecases.build.records import cached_findings
from builder.usecases.build.typeset import RenderedCards, compose_face_pages, get_card_pair
from builder.usecases.preflight import (
    check_art,
    check_file,
    check_image,
    read_image_face,
    shorten_findings,
)

FACES = Profile(
    id="faces",
    name={"en": "Faces"},
    layout="pages",
    bleed=100,
    marks=None,
    check_line=0,
    label=False,
    duplex="none",
)
"""One face a page with all the bleed it has: what a shop's pages are made from."""


@dataclass(frozen=True, slots=True)
class OrderedCard:
    """One card of a deck, its two faces, and how many copies of it."""

    card: Card
    pair: Pair[Stack]
    copies: int


@dataclass(frozen=True, slots=True)
class Deck:
    """What becomes one file (or two), or one folder of images. `part` is 0 where there is only one; `name` is that of a
    product's deck."""

    lang: str
    size: str
    part: int
    cards: tuple[OrderedCard, ...]
    cuts: dict[Stack, ShopPage]
    name: str = ""

    @property
    def ending(self) -> str:
        """What tells its files from those of other decks of the size."""
        return f"{f'-{self.name}' if self.name else ''}{f'-part{self.part}' if self.part else ''}"


@dataclass
class Filer:
    """Writes decks into a package and keeps count of what stands where.

    `lettered` is a folder for files whose text became outlines, as they were before: only there can text be judged.
    `art` is what is wrong with pictures that became part of a larger one, `told` what must be known of plates,
    `flat` how many faces of a kind and side held transparent drawings, those that had such over their type apart.
    """

    project: Project
    made: RenderedCards
    preset: Preset
    package: Package
    finisher: Finisher
    lettered: Path
    plates: Mapping[Plate, RenderedCards]
    files: list[OrderFile] = field(default_factory=list)
    cards: list[OrderCard] = field(default_factory=list)
    art: list[Finding] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)
    flat: Counter[tuple[str, SideName, bool]] = field(default_factory=Counter)

    def write(self, deck: Deck) -> None:
        """All files of one deck."""
        kinds = self.made.renderer.pack.manifest.kinds
        faces = (
            (card, stack) for card in deck.cards for stack in (card.pair.front, card.pair.back)
        )
        sizes = {stack: kinds[card.card.kind].size for card, stack in faces if stack is not None}
        stacks = list(sizes)
        title, notices = self._title(deck), self.made.notices
        with compose_face_pages(self.made.renderer, FACES, sizes.items(), title, notices) as source:
            fill = self._documents if self.preset.output == "pdf" else self._images
            spots = fill(deck, stacks, source)
            pages, over = self.finisher.flat.get(source, ((), ()))
            whose: dict[Stack | None, tuple[str, SideName]] = {}
            for card in deck.cards:
                whose |= {
                    card.pair.back: (card.card.kind, "back"),
                    card.pair.front: (card.card.kind, "front"),
                }
            self.flat.update((*whose[stacks[page]], page in over) for page in pages)
            if self.preset.output != "pdf" or pages:
                # A picture of a face may stand instead of the pictures on it.
                places = [spots[stack] for stack in stacks]
                self.art += judge_art(self.project, self.preset, deck, source, stacks, places)

    def findings(self) -> Iterator[Finding]:
        """What must be known of plates, and of faces that hold what lets others shine through."""
        yield from self.told
        renderer = self.made.renderer
        for (kind, side, over), many in self.flat.items():
            code = prepress_codes.COVERED if over else prepress_codes.FLATTENED
            what = ngettext(
                "{count} page held transparent drawings",
                "{count} pages held transparent drawings",
                many,
            )
            if over:
                what = ngettext(
                    "{count} page had drawings over its type",
                    "{count} pages had drawings over their type",
                    many,
                )
            job = FaceJob(kind, side, renderer.pack.manifest.languages.source)
            path = renderer.templates.find(renderer.template(job))
            place = Location(file=renderer.places.shown(path) if path else None)
            yield code.finding(_("{name}: {reason}", name=f"{kind}/{side}", reason=what), place)

    def _title(self, deck: Deck) -> str:
        """What a file of this deck is called by the programs that open it."""
        return f"{self.made.renderer.words(deck.lang).pack_name} ({deck.lang})"

    def _documents(
        self, deck: Deck, stacks: Sequence[Stack], source: Path
    ) -> dict[Stack, FacePlace]:
        """The deck as PDF files in the shop's order; the first place of each face."""
        repeated = self.preset.copies == "repeated"
        owner = [
            number
            for number, card in enumerate(deck.cards)
            for _ in range(card.copies if repeated else 1)
        ]
        places: dict[tuple[int, str], list[FacePlace]] = {}
        spots: dict[Stack, FacePlace] = {}
        pages = {stack: page for page, stack in enumerate(stacks)}
        values = {
            "pack": self.made.renderer.pack.id,
            "lang": deck.lang,
            "size": deck.size,
            "part": deck.ending,
        }
        for run in arrange_files([deck.cards[number].pair for number in owner], self.preset.order):
            name = self.preset.file_name.format(**values, side=run.suffix) + ".pdf"
            cuts = [deck.cuts[stack] for stack in stacks]
            order = [None if leaf.item is None else pages[leaf.item] for leaf in run.pages]
            if name in self.package.hashes:
                message = _("two files of the order would be called {name}", name=name)
                raise UsageError(
                    message, _("Let the preset's `file_name` hold lang, size, part and side.")
                )
            with self.package.place(name) as path:
                self.finisher.finish(
                    source, cuts, order, self._title(deck), path, self.lettered / name
                )
            self.files.append(_file(name, deck, cuts[0], len(run.pages), self.package.hashes[name]))
            for plate, made in self.plates.items():
                self._plate(deck, stacks, order, f"{name[:-4]}-{plate}.pdf", plate, made)
            for page, leaf in enumerate(run.pages, 1):
                if leaf.item is not None:
                    spots.setdefault(leaf.item, FacePlace(name, page))
                    # A back that cards share belongs to all of the file.
                    among = run.pages if leaf.pair is None else (leaf,)
                    for number in dict.fromkeys(
                        owner[one.pair] for one in among if one.pair is not None
                    ):
                        places.setdefault((number, leaf.side), []).append(FacePlace(name, page))
        self._count(deck, places)
        return spots

    def _plate(
        self,
        deck: Deck,
        stacks: Sequence[Stack],
        order: Sequence[int | None],
        name: str,
        plate: Plate,
        made: RenderedCards,
    ) -> None:
        """A file of the same pages that shows where foil or white ink goes."""
        kinds = made.renderer.pack.manifest.kinds
        of: dict[Stack | None, tuple[Stack, Size]] = {}
        for card in deck.cards:
            size = kinds[card.card.kind].size
            pair = get_card_pair(made.renderer, card.card, deck.lang, plate, made.rendered.keys)
            of |= {card.pair.back: (pair.back or (), size), card.pair.front: (pair.front, size)}
        faces = [of[stack] for stack in stacks]
        cuts = [deck.cuts[stack] for stack in stacks]
        with (
            compose_face_pages(made.renderer, FACES, faces, self._title(deck)) as source,
            self.package.place(name) as path,
        ):
            write_plate(self.finisher, source, cuts, order, path, self.preset.plates.get(plate, ""))
            wrong = next(
                (
                    page.number
                    for page in read_pdf(path).pages
                    if not all(map(is_plate, page.items))
                ),
                0,
            )
        if wrong:
            message = _("the page holds a picture, or another colour than black")
            self.told.append(
                prepress_codes.PLATE_COLOUR.finding(message, Location(file=name, page=wrong))
            )
        forms = {
            "foil": _("{file} shows in black where foil goes"),
            "white": _("{file} shows in black where white goes"),
        }
        self.told.append(prepress_codes.PLATE.finding(_(forms[plate], file=name)))

    def _images(self, deck: Deck, stacks: Sequence[Stack], source: Path) -> dict[Stack, FacePlace]:
        """The deck as one image per different face, fronts and backs in folders of their own; where each is."""
        names = self._image_names(deck)
        spots: dict[Stack, FacePlace] = {}
        with Images(
            source, [deck.cuts[stack] for stack in stacks], self.preset, self.finisher.memo
        ) as images:
            for index, stack in enumerate(stacks):
                cut = deck.cuts[stack]
                sha = self.package.write(
                    names[stack],
                    images.image(index, digest(*stack, self.made.notices.get(stack, ""))),
                )
                self.files.append(_file(names[stack], deck, cut, 1, sha, cut.pixels))
                spots[stack] = FacePlace(names[stack])
        sides = {(number, "front"): card.pair.front for number, card in enumerate(deck.cards)}
        sides |= {
            (number, "back"): card.pair.back
            for number, card in enumerate(deck.cards)
            if card.pair.back
        }
        self._count(deck, {place: [spots[stack]] for place, stack in sides.items()})
        return spots

    def _image_names(self, deck: Deck) -> Mapping[Stack, str]:
        """A name per face: numbered as the cards come, the number of copies at its end where there are several."""
        folder = f"{deck.lang}-{deck.size}{deck.ending}"
        ending = "jpg" if self.preset.output == "jpeg" else self.preset.output
        names: dict[Stack, str] = {}
        for number, card in enumerate(deck.cards, 1):
            copies = f"-x{card.copies}" if card.copies > 1 else ""
            names.setdefault(
                card.pair.front, f"{folder}/fronts/{number:03d}-{card.card.id}{copies}.{ending}"
            )
            if card.pair.back is not None:
                own = (
                    f"{number:03d}-{card.card.id}{copies}"
                    if not self._common(card)
                    else f"common-{card.card.kind}"
                )
                names.setdefault(card.pair.back, f"{folder}/backs/{own}.{ending}")
        return names

    def _common(self, card: OrderedCard) -> bool:
        back = self.made.renderer.pack.manifest.kinds[card.card.kind].back
        return card.pair.back is not None and back == "common"

    def _count(self, deck: Deck, places: Mapping[tuple[int, str], Sequence[FacePlace]]) -> None:
        for number, card in enumerate(deck.cards):
            name = localised(self.made.renderer.pack, card.card, deck.lang)[0]
            front, back = (tuple(places.get((number, side), ())) for side in ("front", "back"))
            what = (card.card.id, card.card.kind, name, deck.lang, deck.size, card.copies)
            self.cards.append(OrderCard(*what, front, back, self._common(card), deck.name))


def _file(
    name: str,
    deck: Deck,
    cut: ShopPage,
    pages: int,
    sha: str,
    pixels: tuple[int, int] | None = None,
) -> OrderFile:
    page, trim = (round(cut.width, 3), round(cut.height, 3)), (cut.trim.width, cut.trim.height)
    return OrderFile(name, deck.size, pages, page, trim, sha, pixels)


def judge_art(
    project: Project,
    preset: Preset,
    deck: Deck,
    faces: Path,
    stacks: Sequence[Stack],
    spots: Sequence[FacePlace],
) -> Iterator[Finding]:
    """What is wrong with pictures on a deck's faces, named by card (unless cards share it) and by where it is printed.

    `faces` is a PDF with a page for each of `stacks`, each of which is printed at its spot. It is judged before it is
    brought to the shop's page: there mirrored edges would show one picture several times.
    """
    if (
        preset.safe is not None
    ):  # from the shop's cut, which may lie a little farther out than the card's
        outside = min(deck.cuts[stacks[0]].differs) / 2
        preset = preset.model_copy(update={"safe": max(0.0, preset.safe - outside)})
    for one in verdict(project, faces, hash_file(faces), preset, art=True):
        page, message = one.location.page, one.message
        if page:
            stack, spot = stacks[page - 1], spots[page - 1]
            owners = {
                card.card.id for card in deck.cards if stack in (card.pair.front, card.pair.back)
            }
            if len(owners) == 1:
                message = _("{name}: {reason}", name=owners.pop(), reason=message)
            place = replace(one.location, file=spot.file, page=spot.page or None, box=None)
            yield replace(one, message=message, location=place)


def without(findings: Sequence[Finding], art: Sequence[Finding]) -> list[Finding]:
    """Findings on finished files less those that the judgement of their art tells of already."""
    told = {(one.location.file, one.code) for one in art}
    return [one for one in findings if (one.location.file, one.code) not in told]


def verdict(
    project: Project, path: Path, sha: str, preset: Preset, *, art: bool = False
) -> tuple[Finding, ...]:
    """What preflight says of a PDF with this hash, in brief; judged anew only where it was not judged before.

    With `art` only its pictures are judged.
    """

    def judge() -> tuple[Finding, ...]:
        found = check_art(path, preset) if art else check_file(path, preset).findings
        return shorten_findings(found, pages=not art)

    how = f"{shutil.which('gs') is not None} {art}"
    return cached_findings(project, judge, sha, path.name, preset.model_dump_json(), how)


def image_verdict(
    project: Project, path: Path, file: OrderFile, preset: Preset
) -> tuple[Finding, ...]:
    """The same of an image of an order."""

    def judge() -> tuple[Finding, ...]:
        return check_image(path, read_image_face(path, preset, file.name, file)).findings

    return cached_findings(project, judge, file.sha256, repr(file), preset.model_dump_json())
