"""Write the decks of an order: compose faces, fit them to the shop's page, package them."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from builder.errors import UsageError
from builder.files import hash_file
from builder.findings import Finding, Location
from builder.geometry.imposition import Pair
from builder.geometry.shop import ShopFile, ShopFilePage, ShopPage, arrange_files
from builder.messages import gettext as _, ngettext
from builder.model.card import Card
from builder.model.pack import Size
from builder.model.profile import Profile
from builder.model.shop import FacePlace, OrderCard, OrderFile, Preset
from builder.packs.project import Project
from builder.packs.releases.package import Package
from builder.pdfinfo.read import read_pdf
from builder.render.html.view import localize_card
from builder.render.jobs import FaceJob, Plate, SideName
from builder.render.keys import digest
from builder.render.prepress import prepress_codes
from builder.render.prepress.finisher import (
    Finisher,
    ShopImages,
    ShopJob,
    is_plate,
    write_plate,
)
from builder.render.sheets.sheets import Stack
from builder.usecases.build.records import check_with_cache
from builder.usecases.build.typeset import (
    RenderedCards,
    compose_face_pages,
    get_card_pair,
)
from builder.usecases.preflight.brief_findings import shorten_findings
from builder.usecases.preflight.checked_files import (
    check_art,
    check_file,
    check_image,
    read_image_face,
)

BLEED_PROFILE = Profile(
    id="faces",
    name={"en": "Faces"},
    layout="pages",
    bleed=100,
    marks=None,
    check_line=0,
    label=False,
    duplex="none",
)
"""One face per page with all its bleed: the source of a shop's pages."""


@dataclass(frozen=True, slots=True)
class OrderedCard:
    """One card of a deck, its two faces, and the number of copies."""

    card: Card
    pair: Pair[Stack]
    copies: int

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The layer stacks of the front and, if the card has one, of the back."""
        if self.pair.back is None:
            return (self.pair.front,)
        return self.pair.front, self.pair.back


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one or two files, or of one folder of images.

    `part` is 0 for a single part; `name` is the name of a product's deck.
    """

    lang: str
    size: str
    part: int
    cards: tuple[OrderedCard, ...]
    cuts: dict[Stack, ShopPage]
    name: str = ""

    @property
    def suffix(self) -> str:
        """The part of a file's name that distinguishes decks of one size."""
        suffix = f"-{self.name}" if self.name else ""
        if self.part:
            suffix += f"-part{self.part}"
        return suffix


CardPlaces: TypeAlias = dict[tuple[int, str], list[FacePlace]]
"""The positions of each card's faces, by the card's index in its deck and the side."""


@dataclass
class DeckWriter:
    """Writes decks into a package and lists their files and cards.

    `texts_folder` holds files before their text became outlines: only there can text be
    checked. `art_findings` are about pictures that became part of a larger one.
    `plate_findings` are about plates. `flattened` counts the faces with transparent drawings by
    kind and side, and separately those whose text was flattened, too.
    """

    project: Project
    rendered_cards: RenderedCards
    preset: Preset
    package: Package
    finisher: Finisher
    texts_folder: Path
    plates: Mapping[Plate, RenderedCards]
    files: list[OrderFile] = field(default_factory=list)
    cards: list[OrderCard] = field(default_factory=list)
    art_findings: list[Finding] = field(default_factory=list)
    plate_findings: list[Finding] = field(default_factory=list)
    flattened: Counter[tuple[str, SideName, bool]] = field(default_factory=Counter)

    def write_deck(self, deck: Deck) -> None:
        """Write all files of one deck."""
        renderer = self.rendered_cards.renderer
        sizes: dict[Stack, Size] = {}
        for card in deck.cards:
            size = renderer.pack.manifest.kinds[card.card.kind].size
            sizes |= dict.fromkeys(card.stacks, size)
        stacks = list(sizes)
        title = self._make_title(deck)
        notices = self.rendered_cards.notices
        with compose_face_pages(
            renderer, BLEED_PROFILE, sizes.items(), title, notices
        ) as source:
            is_pdf = self.preset.output == "pdf"
            write_files = self._write_documents if is_pdf else self._write_images
            first_places = write_files(deck, stacks, source)
            flat_pages = self._count_flattened(deck, stacks, source)
            if not is_pdf or flat_pages:
                # A picture of a face may have taken the place of the pictures on it.
                places = [first_places[stack] for stack in stacks]
                self.art_findings += find_art_faults(
                    self.project, self.preset, deck, source, stacks, places
                )

    def _count_flattened(
        self, deck: Deck, stacks: Sequence[Stack], source: Path
    ) -> int:
        """Count the faces that had transparent drawings."""
        pages, pages_over_type = self.finisher.flattened_faces.get(source, ((), ()))
        sides: dict[Stack | None, tuple[str, SideName]] = {}
        for card in deck.cards:
            sides[card.pair.back] = (card.card.kind, "back")
            sides[card.pair.front] = (card.card.kind, "front")
        for page in pages:
            kind, side = sides[stacks[page]]
            self.flattened[kind, side, page in pages_over_type] += 1
        return len(pages)

    def list_findings(self) -> Iterator[Finding]:
        """Yield the findings about plates, and about faces with transparent drawings."""
        yield from self.plate_findings
        renderer = self.rendered_cards.renderer
        for (kind, side, is_over_type), count in self.flattened.items():
            code = prepress_codes.COVERED if is_over_type else prepress_codes.FLATTENED
            reason = ngettext(
                "{count} page had transparent drawings",
                "{count} pages had transparent drawings",
                count,
            )
            if is_over_type:
                reason = ngettext(
                    "{count} page had drawings over its text",
                    "{count} pages had drawings over their text",
                    count,
                )
            job = FaceJob(kind, side, renderer.pack.manifest.languages.source)
            path = renderer.templates.find(renderer.name_template(job))
            file = renderer.places.format_path(path) if path else None
            message = _("{name}: {reason}", name=f"{kind}/{side}", reason=reason)
            yield code.finding(message, Location(file=file))

    def _make_title(self, deck: Deck) -> str:
        """Return the title that programs show for a file of this deck."""
        return f"{self.rendered_cards.renderer.get_words(deck.lang).pack_name} ({deck.lang})"

    def _write_documents(
        self, deck: Deck, stacks: Sequence[Stack], source: Path
    ) -> dict[Stack, FacePlace]:
        """Write the deck as PDF files in the shop's order. Return the first place of each face."""
        owners = self._list_owners(deck)
        pages_by_stack = {stack: page for page, stack in enumerate(stacks)}
        cuts = [deck.cuts[stack] for stack in stacks]
        places: CardPlaces = {}
        first_places: dict[Stack, FacePlace] = {}
        pairs = [deck.cards[index].pair for index in owners]
        for file in arrange_files(pairs, self.preset.order):
            name = self._name_document(deck, file.suffix)
            # Pages without a face are blank backs.
            faces = [page.item for page in file.pages]
            order = [None if face is None else pages_by_stack[face] for face in faces]
            title = self._make_title(deck)
            with self.package.open_file(name) as path:
                text_path = self.texts_folder / name
                self.finisher.finish(
                    ShopJob(source, cuts, order, title, path, text_path)
                )
            digest = self.package.hashes[name]
            self.files.append(
                _make_order_file(name, deck, cuts[0], len(file.pages), digest)
            )
            for plate, rendered_cards in self.plates.items():
                plate_name = f"{name.removesuffix('.pdf')}-{plate}.pdf"
                self._write_plate(
                    deck, stacks, order, plate_name, plate, rendered_cards
                )
            for page, face, place in _list_face_places(file, name):
                first_places.setdefault(face, place)
                for index in _find_owners(page, file, owners):
                    places.setdefault((index, page.side), []).append(place)
        self._list_cards(deck, places)
        return first_places

    def _list_owners(self, deck: Deck) -> list[int]:
        """Return the card's index for each printed pair, once per copy if the shop needs it."""
        owners: list[int] = []
        for index, card in enumerate(deck.cards):
            # Other shops take each card once, with its number of copies.
            pair_count = card.copies if self.preset.copies == "repeated" else 1
            owners += [index] * pair_count
        return owners

    def _name_document(self, deck: Deck, suffix: str) -> str:
        """Return the name of a PDF file. Raises UsageError if another file has it."""
        values = {
            "pack": self.rendered_cards.renderer.pack.id,
            "lang": deck.lang,
            "size": deck.size,
            "part": deck.suffix,
            "side": suffix,
        }
        name = self.preset.file_name.format(**values) + ".pdf"
        if name in self.package.hashes:
            message = _("two files of the order have the name {name}", name=name)
            hint = _("Use lang, size, part and side in the preset's `file_name`.")
            raise UsageError(message, hint)
        return name

    def _write_plate(
        self,
        deck: Deck,
        stacks: Sequence[Stack],
        order: Sequence[int | None],
        name: str,
        plate: Plate,
        rendered_cards: RenderedCards,
    ) -> None:
        """Write a file of the same pages that shows where foil or white ink goes."""
        renderer, keys = rendered_cards.renderer, rendered_cards.rendered.keys
        plate_faces: dict[Stack | None, tuple[Stack, Size]] = {}
        for card in deck.cards:
            size = renderer.pack.manifest.kinds[card.card.kind].size
            pair = get_card_pair(renderer, card.card, deck.lang, plate, keys)
            plate_faces[card.pair.back] = (pair.back or (), size)
            plate_faces[card.pair.front] = (pair.front, size)
        # The pages must have the order of the printed file, or the foil lies on other cards.
        faces = [plate_faces[stack] for stack in stacks]
        cuts = [deck.cuts[stack] for stack in stacks]
        ink = self.preset.plates.get(plate, "")
        title = self._make_title(deck)
        with (
            compose_face_pages(renderer, BLEED_PROFILE, faces, title) as source,
            self.package.open_file(name) as path,
        ):
            text_path = source.with_name("letters.pdf")
            job = ShopJob(source, cuts, order, path.stem, path, text_path)
            write_plate(self.finisher, job, ink)
            bad_page = _find_coloured_page(path)
        if bad_page:
            message = _("the page has a picture, or a colour other than black")
            place = Location(file=name, page=bad_page)
            self.plate_findings.append(
                prepress_codes.PLATE_COLOUR.finding(message, place)
            )
        forms = {
            "foil": _("black areas in {file} become foil"),
            "white": _("black areas in {file} become white ink"),
        }
        self.plate_findings.append(
            prepress_codes.PLATE.finding(_(forms[plate], file=name))
        )

    def _write_images(
        self, deck: Deck, stacks: Sequence[Stack], source: Path
    ) -> dict[Stack, FacePlace]:
        """Write one image per face, fronts and backs in separate folders.

        Return where each face is.
        """
        names = self._name_images(deck)
        face_places: dict[Stack, FacePlace] = {}
        cuts = [deck.cuts[stack] for stack in stacks]
        with ShopImages(source, cuts, self.preset, self.finisher.cache) as images:
            for index, stack in enumerate(stacks):
                name, cut = names[stack], deck.cuts[stack]
                # A notice is printed on the face, but is not part of its address.
                key = digest(*stack, self.rendered_cards.notices.get(stack, ""))
                sha = self.package.write_file(name, images.make_image(index, key))
                self.files.append(_make_order_file(name, deck, cut, 1, sha, cut.pixels))
                face_places[stack] = FacePlace(name)
        places: CardPlaces = {}
        for index, card in enumerate(deck.cards):
            places[index, "front"] = [face_places[card.pair.front]]
            if card.pair.back is not None:
                places[index, "back"] = [face_places[card.pair.back]]
        self._list_cards(deck, places)
        return face_places

    def _name_images(self, deck: Deck) -> Mapping[Stack, str]:
        """Return a file name for each face, with the card's number, and the copies if several."""
        folder = f"{deck.lang}-{deck.size}{deck.suffix}"
        extension = "jpg" if self.preset.output == "jpeg" else self.preset.output
        names: dict[Stack, str] = {}
        for number, card in enumerate(deck.cards, 1):
            name = f"{number:03d}-{card.card.id}"
            if card.copies > 1:
                name += f"-x{card.copies}"
            # Equal faces are one image, named for the first card.
            names.setdefault(card.pair.front, f"{folder}/fronts/{name}.{extension}")
            if card.pair.back is not None:
                if self._has_common_back(card):
                    name = f"common-{card.card.kind}"
                names.setdefault(card.pair.back, f"{folder}/backs/{name}.{extension}")
        return names

    def _has_common_back(self, card: OrderedCard) -> bool:
        kind = self.rendered_cards.renderer.pack.manifest.kinds[card.card.kind]
        return card.pair.back is not None and kind.back == "common"

    def _list_cards(self, deck: Deck, places: CardPlaces) -> None:
        """Add the cards of a deck to the list of the order."""
        pack = self.rendered_cards.renderer.pack
        for index, ordered in enumerate(deck.cards):
            self.cards.append(
                OrderCard(
                    ordered.card.id,
                    ordered.card.kind,
                    localize_card(pack, ordered.card, deck.lang)[0],
                    deck.lang,
                    deck.size,
                    ordered.copies,
                    tuple(places.get((index, "front"), ())),
                    tuple(places.get((index, "back"), ())),
                    self._has_common_back(ordered),
                    deck.name,
                )
            )


def _list_face_places(
    file: ShopFile[Stack], name: str
) -> Iterator[tuple[ShopFilePage[Stack], Stack, FacePlace]]:
    """Yield each page that has a face, with the face and its place in the file of this name."""
    for number, page in enumerate(file.pages, 1):
        if page.item is not None:
            yield page, page.item, FacePlace(name, number)


def _find_owners(
    page: ShopFilePage[Stack], file: ShopFile[Stack], owners: Sequence[int]
) -> list[int]:
    """Return the cards whose face is on a page. A common back belongs to all cards of its file."""
    pages = file.pages if page.pair is None else (page,)
    return list(
        dict.fromkeys(owners[page.pair] for page in pages if page.pair is not None)
    )


def _find_coloured_page(path: Path) -> int:
    """Return the first page of a plate with anything but black drawings, or 0."""
    for page in read_pdf(path).pages:
        if not all(map(is_plate, page.items)):
            return page.number
    return 0


def _make_order_file(
    name: str,
    deck: Deck,
    cut: ShopPage,
    pages: int,
    sha: str,
    pixels: tuple[int, int] | None = None,
) -> OrderFile:
    page = (round(cut.width, 3), round(cut.height, 3))
    trim = (cut.trim.width, cut.trim.height)
    return OrderFile(name, deck.size, pages, page, trim, sha, pixels)


def find_art_faults(
    project: Project,
    preset: Preset,
    deck: Deck,
    faces: Path,
    stacks: Sequence[Stack],
    places: Sequence[FacePlace],
) -> Iterator[Finding]:
    """Yield the faults of pictures on a deck's faces. Name the card unless several share the face.

    `faces` is a PDF with a page for each of `stacks`. `places` are the pages where they are
    printed. The PDF is checked before it is fitted to the shop's page, because mirrored edges
    would show one picture several times.
    """
    if preset.safe is not None:
        # The distance counts from the shop's cut, which may be outside the card's.
        margin = min(deck.cuts[stacks[0]].differs) / 2
        preset = preset.model_copy(update={"safe": max(0.0, preset.safe - margin)})
    for finding in check_order_pdf(project, faces, hash_file(faces), preset, art=True):
        page, message = finding.location.page, finding.message
        if not page:
            continue
        stack, place = stacks[page - 1], places[page - 1]
        owners = {card.card.id for card in deck.cards if stack in card.stacks}
        if len(owners) == 1:
            message = _("{name}: {reason}", name=owners.pop(), reason=message)
        location = replace(
            finding.location, file=place.file, page=place.page or None, box=None
        )
        yield replace(finding, message=message, location=location)


def remove_reported(
    findings: Sequence[Finding], reported: Sequence[Finding]
) -> list[Finding]:
    """Return the findings whose file and code are not reported yet."""
    seen = {(finding.location.file, finding.code) for finding in reported}
    return [
        finding
        for finding in findings
        if (finding.location.file, finding.code) not in seen
    ]


def check_order_pdf(
    project: Project, path: Path, sha: str, preset: Preset, *, art: bool = False
) -> tuple[Finding, ...]:
    """Check a PDF with this hash, or only its pictures (`art`). The findings are cached."""

    def run_check() -> tuple[Finding, ...]:
        findings = check_art(path, preset) if art else check_file(path, preset).findings
        return shorten_findings(findings, pages=not art)

    # Once Ghostscript is installed, the ink must be measured after all.
    means = f"{shutil.which('gs') is not None} {art}"
    return check_with_cache(
        project, run_check, sha, path.name, preset.model_dump_json(), means
    )


def check_order_image(
    project: Project, path: Path, file: OrderFile, preset: Preset
) -> tuple[Finding, ...]:
    """Check an image of an order. The findings are cached."""

    def run_check() -> tuple[Finding, ...]:
        return check_image(
            path, read_image_face(path, preset, file.name, file)
        ).findings

    return check_with_cache(
        project, run_check, file.sha256, repr(file), preset.model_dump_json()
    )
