"""Write an order for a print shop: its files, a manifest that lists them, and an order sheet."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from builder.cache import installed
from builder.checks.preflight.standard import UNMEASURED
from builder.errors import ToolMissing, UsageError
from builder.files import hash_file
from builder.findings import Box, Finding, Location, Severity, has_errors, sort_findings
from builder.geometry.imposition import Pair
from builder.geometry.shop import (
    SIZE_TOLERANCE_MM,
    RefusedSize,
    ShopPage,
    find_shop_page,
)
from builder.messages import Message, gettext as _, join_messages, translate
from builder.model.codes import Code
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Kind, Size
from builder.model.profile import Profile
from builder.model.shop import (
    OrderCard,
    Preset,
    ShopOrder,
    ShopSize,
    format_size,
    format_size_name,
)
from builder.packs.privacy import is_imported
from builder.packs.profiles import load_preset
from builder.packs.project import Project
from builder.packs.releases.package import MANIFEST, Package, open_package
from builder.render.cache import ResultCache
from builder.render.flow import render_flow
from builder.render.html.view import pick_text
from builder.render.jobs import PLATES, Plate
from builder.render.keys import hash_program
from builder.render.prepress import prepress_codes
from builder.render.prepress.finisher import Finisher
from builder.render.prepress.ink import GENERAL_REQUEST, find_profile
from builder.render.sheets.sheets import Stack
from builder.report.exports import (
    format_autofill_xml,
    format_order_csv,
    format_order_json,
)
from builder.usecases.build.build_options import (
    SHOP,
    BuildOptions,
    BuildResult,
    BuiltFile,
    HomeOptions,
)
from builder.usecases.build.printable import render_printable
from builder.usecases.build.product import find_product
from builder.usecases.build.records import record_owner
from builder.usecases.build.shopfiles import (
    Deck,
    DeckWriter,
    OrderedCard,
    check_order_image,
    check_order_pdf,
    remove_reported,
)
from builder.usecases.build.typeset import (
    A4,
    CardPair,
    RenderedCards,
    compose_pages,
    get_card_pair,
    render_cards,
    select_languages,
)
from builder.usecases.preflight.brief_findings import merge_findings

SHEET = Profile(
    id="order",
    name={"en": "Order"},
    layout="pages",
    marks=None,
    check_line=0,
    label=False,
    duplex="none",
)


def build_order(
    project: Project, loaded: LoadedPack, options: BuildOptions
) -> BuildResult:
    """Write the package of one pack (or squad) for the shop that `options.publish.profile` names.

    If there are errors, nothing is written and an earlier package stays.
    """
    preset = load_preset(project, options.publish.profile.removeprefix(SHOP))
    _refuse_options(loaded, options)
    if not options.publish.own_use:
        _require_own_use(project, loaded.whole.id)
    press_findings = _check_press(preset, options.publish.icc)
    if has_errors(press_findings):
        return BuildResult(findings=press_findings)
    rendered_cards = render_printable(project, loaded, options)
    result = rendered_cards.make_result()
    plates = _render_plates(project, loaded, preset, options)
    findings = [*press_findings, *result.findings, *rendered_cards.find_stand_ins()]
    for plate_cards in plates.values():
        plate_findings = plate_cards.rendered.findings
        findings += [
            finding for finding in plate_findings if finding.severity is Severity.ERROR
        ]
    order = OrderMaker(
        project,
        rendered_cards,
        preset,
        options,
        loaded.sources["pack.yaml"].file,
        findings,
        plates,
        loaded.sources.get("products.yaml"),
    )
    if options.select.product is not None:
        order.product_names = find_product(loaded, options.select.product).name
    decks = order.make_decks() if not has_errors(order.findings) else ()
    sorted_findings = sort_findings(order.findings)
    if has_errors(sorted_findings):
        return replace(result, findings=sorted_findings)
    if not decks:
        form = _(
            "nothing to order from {shop}: all selected cards are sheets for the table"
        )
        raise UsageError(_(form, shop=preset.id), _("Print at home."))
    target = _choose_target(project, loaded.whole.id, options, preset)
    files, sorted_findings = order.write_package(decks, sorted_findings, target)
    if files:
        project.cache.evict()
        # An order of a release has no owner, so that a removed language does not delete it.
        owner = () if options.select.as_of else (loaded.whole.id, *options.select.langs)
        record_owner(project, target, owner)
    return replace(result, files=files, findings=sorted_findings)


def _refuse_options(loaded: LoadedPack, options: BuildOptions) -> None:
    """Raise UsageError for options that do not fit an order."""
    if options.publish.gauges == "only":
        message = _("a card shop does not print gauges")
        raise UsageError(message, _("Print them with --profile home-a4."))
    if options.publish.home != HomeOptions():
        message = _("sheets, marks and printers are options for home printing")
        raise UsageError(message, _("Remove those options."))
    engine = loaded.whole.manifest.engine
    if options.select.engine not in (None, engine):
        message = _(
            "the pack uses {engine}; an order must look like its proofs", engine=engine
        )
        hint = _("Omit --engine, or change `engine` in pack.yaml and check new proofs.")
        raise UsageError(message, hint)


def _require_own_use(project: Project, pack_id: str) -> None:
    """Raise UsageError for a private pack: its owner must first confirm the own use."""
    if is_imported(project, pack_id):
        form = _(
            "{pack} is imported: its texts and names belong to the publisher of the game"
        )
        hint = _(
            "Order cards only for yourself, and only if the law and the print shop allow it. Then "
            "add --own-use."
        )
        raise UsageError(_(form, pack=pack_id), hint)


def _choose_target(
    project: Project, pack_id: str, options: BuildOptions, preset: Preset
) -> Path:
    """Return the path of the package: a folder, or a ZIP file."""
    stem = options.select.make_stem(pack_id, *options.select.langs, preset.id)
    extension = ".zip" if options.publish.zipped else ""
    return (
        options.publish.output or project.get_output_dir(pack_id)
    ) / f"{stem}{extension}"


def _check_press(preset: Preset, icc: Path | None) -> tuple[Finding, ...]:
    """Check the colour profile, and that ink can be measured, before anything is rendered.

    Raise ToolMissing without Ghostscript for a shop that limits ink.
    """
    colour = preset.colour
    if (
        preset.output == "pdf"
        and colour.ink_limit is not None
        and shutil.which("gs") is None
    ):
        message = _(
            "{shop} limits total ink to {limit:g} %, but "
            "Ghostscript, which measures ink, is not installed"
        )
        hint = _(
            "Install Ghostscript (the program gs), or choose a shop without an ink limit."
        )
        raise ToolMissing(_(message, shop=preset.id, limit=colour.ink_limit), hint)
    if colour.space != "cmyk":
        return ()
    profile = find_profile(colour, icc)
    if profile.is_requested:
        return ()
    condition = colour.condition or _("the shop's printing condition")
    severity = Severity.ERROR
    form = _(
        "the profile of {condition} is not installed; the order would be converted with the "
        "profile {used}"
    )
    # Who asks for a general profile accepts that the colours differ.
    if icc == GENERAL_REQUEST:
        severity = Severity.NOTE
        form = _(
            "the order is converted with the requested profile {used}, but the shop prints "
            "with {condition}"
        )
    message = _(form, condition=condition, used=profile.description)
    return (prepress_codes.PROFILE.finding(message, severity=severity),)


def _render_plates(
    project: Project, loaded: LoadedPack, preset: Preset, options: BuildOptions
) -> dict[Plate, RenderedCards]:
    """Render the same cards as plates, one for each plate with a style sheet in the pack."""
    plates: dict[Plate, RenderedCards] = {}
    if preset.output != "pdf":
        return plates
    folder = project.get_templates_dir(loaded.whole.id)
    for plate in PLATES:
        if (folder / f"{plate}.css").is_file():
            select = replace(options.select, variant=plate)
            plates[plate] = render_cards(project, loaded, select, options.workers)
    return plates


DeckPart: TypeAlias = tuple[int, tuple[OrderedCard, ...]]
"""The number of a part of a deck, 0 for a single part, and its cards."""


class _OrderRefused(Exception):
    """Raised to discard a package whose files have errors."""


@dataclass
class OrderMaker:
    """Sorts rendered cards into decks, checks their sizes, and writes the package.

    `place` is the location of the manifest in findings. `product_names` are the names of the
    ordered product.
    """

    project: Project
    rendered_cards: RenderedCards
    preset: Preset
    options: BuildOptions
    place: str
    findings: list[Finding]
    plates: Mapping[Plate, RenderedCards]
    products: Document | None = None
    product_names: Mapping[str, str] = field(default_factory=dict)

    def make_decks(self) -> tuple[Deck, ...]:
        """Return all decks in the order of their cards.

        If the findings have an error, do not print them.
        """
        rendered_cards = self.rendered_cards
        keys = rendered_cards.rendered.keys
        variant = self.options.select.variant
        pairs_by_deck: dict[tuple[str, str, str], list[CardPair]] = {}
        pages_by_stack: dict[Stack, ShopPage] = {}
        pages_by_kind = self._find_pages()
        for lang in rendered_cards.orders:
            # Without a product, `decks` has no end.
            decks = rendered_cards.decks.get(lang) or repeat("")
            for card, deck in zip(rendered_cards.list_cards(lang), decks, strict=False):
                page = pages_by_kind.get(card.kind)
                if page is None:
                    continue
                pair = get_card_pair(rendered_cards.renderer, card, lang, variant, keys)
                pages_by_stack[pair.front] = page
                if pair.back is not None:
                    pages_by_stack.setdefault(pair.back, page.back_page)
                pairs_by_deck.setdefault((lang, page.name, deck), []).append(
                    (card, pair)
                )
        all_decks = []
        for (lang, size, deck), pairs in pairs_by_deck.items():
            for part, cards in self._split_deck(pairs, deck):
                all_decks.append(Deck(lang, size, part, cards, pages_by_stack, deck))
        return tuple(all_decks)

    def _find_pages(self) -> dict[str, ShopPage]:
        """Return the shop's page for each kind that is printed. Add findings about sizes."""
        pack = self.rendered_cards.renderer.pack
        pages: dict[str, ShopPage] = {}
        kinds_by_remark: dict[tuple[Code, Message], list[str]] = {}
        cards = self.rendered_cards.list_cards(*self.rendered_cards.orders)
        for name in dict.fromkeys(card.kind for card in cards):
            kind = pack.manifest.kinds[name]
            page = find_shop_page(kind.size, self.preset)
            if kind.table:
                remark = (
                    prepress_codes.TABLE,
                    _("sheets for the table are left out of the order"),
                )
                kinds_by_remark.setdefault(remark, []).append(name)
            elif isinstance(page, ShopPage):
                pages[name] = page
                for remark in _find_remarks(kind, page):
                    kinds_by_remark.setdefault(remark, []).append(name)
            else:
                place = Location(file=self.place, path=f"kinds.{name}.size")
                self.findings.append(self._refuse_size(name, kind, page, place))
        # Kinds of one size have the same remark, which is reported once.
        for (code, reason), names in kinds_by_remark.items():
            hint: Message | str = ""
            if code is prepress_codes.TABLE:
                only = f"kind={','.join(names)}"
                command = f"squadpress build {pack.id} --only {only} --profile home-a4"
                hint = _("Print them at home: {command}.", command=command)
            message = _("{name}: {reason}", name=", ".join(names), reason=reason)
            place = Location(file=self.place, path="kinds")
            self.findings.append(code.finding(message, place, hint))
        return pages

    def _refuse_size(
        self, name: str, kind: Kind, refusal: RefusedSize, place: Location
    ) -> Finding:
        values: dict[str, object] = {"kind": name, "shop": self.preset.id}
        if refusal.why == "bleed":
            form = _("{kind}: faces bleed {bleed:g} mm; {shop} needs {needed:.2f} mm")
            message = _(
                form, bleed=kind.size.bleed, needed=refusal.needed_bleed, **values
            )
            return prepress_codes.BLEED.finding(message, place)
        sizes = join_messages(
            _("{name} {size}", name=key, size=_format_size(size))
            for key, size in self.preset.sizes.items()
        )
        form = _("{kind}: {shop} does not print {size}; it prints {sizes}")
        message = _(form, size=_format_size(kind.size), sizes=sizes, **values)
        return prepress_codes.SIZE.finding(message, place)

    def _split_deck(self, pairs: Sequence[CardPair], deck: str) -> list[DeckPart]:
        """Split the cards into parts that the shop accepts, and count the copies of equal cards."""
        max_cards = self.preset.most_cards or len(pairs)
        if deck and len(pairs) > max_cards and self.products is not None:
            form = _(
                "the deck {deck} has {many} cards, but {shop} prints at most {most} per order"
            )
            shop = self.preset.id
            message = _(form, deck=deck, many=len(pairs), shop=shop, most=max_cards)
            path = ("products", self.options.select.product or "", "decks", deck)
            self.findings.append(
                prepress_codes.PARTS.finding(message, self.products.locate(path))
            )
        parts: list[DeckPart] = []
        chunks = [
            pairs[start : start + max_cards]
            for start in range(0, len(pairs), max_cards)
        ]
        for number, chunk in enumerate(chunks, 1):
            cards: dict[tuple[str, Pair[Stack]], OrderedCard] = {}
            for card, pair in chunk:
                earlier = cards.get((card.id, pair))
                copies = earlier.copies + 1 if earlier else 1
                cards[card.id, pair] = OrderedCard(card, pair, copies)
            # A single part has no number in its name.
            part = number if len(chunks) > 1 else 0
            parts.append((part, tuple(cards.values())))
        return parts

    def write_package(
        self, decks: Sequence[Deck], findings: tuple[Finding, ...], target: Path
    ) -> tuple[tuple[BuiltFile, ...], tuple[Finding, ...]]:
        """Write the package unless its files have errors. Return it with all findings."""
        finisher = Finisher(
            self.preset, self.options.publish.icc, _find_newest_day(decks)
        )
        finisher.cache = ResultCache(self.project.cache, hash_program().encode())
        try:
            with (
                TemporaryDirectory(prefix="squadpress-") as folder,
                open_package(target) as box,
            ):
                writer = DeckWriter(
                    self.project,
                    self.rendered_cards,
                    self.preset,
                    box,
                    finisher,
                    Path(folder),
                    self.plates,
                )
                for deck in decks:
                    writer.write_deck(deck)
                file_findings = self._check_files(box, writer)
                findings = sort_findings(
                    (
                        *findings,
                        *finisher.findings,
                        *file_findings,
                        *writer.list_findings(),
                    )
                )
                if has_errors(findings):
                    # An exception makes `open_package` discard the package.
                    raise _OrderRefused
                order = self._describe_order(writer, findings, finisher.colour)
                self._write_lists(box, order, decks[0].lang)
        except _OrderRefused:
            return (), findings
        pages, cards = order.totals["pages"], order.totals["cards"]
        return (BuiltFile(target, pages, cards, box.changed),), findings

    def _write_lists(self, box: Package, order: ShopOrder, lang: str) -> None:
        """Add the order sheet, the manifest, and the lists of cards and of files."""
        box.write_file("order.pdf", self._compose_order_sheet(order, lang))
        box.write_file(MANIFEST, format_order_json(order).encode())
        box.write_file("cards.csv", format_order_csv(order).encode())
        if self.preset.autofill is not None:
            # The images of each deck are in a folder of their own.
            cards_by_folder: dict[str, list[OrderCard]] = {}
            for card in order.cards:
                folder = card.fronts[0].file.partition("/")[0]
                cards_by_folder.setdefault(folder, []).append(card)
            for folder, cards in cards_by_folder.items():
                text = format_autofill_xml(cards, self.preset.autofill)
                box.write_file(f"{folder}.xml", text.encode())
        # Last, because it has the digests of all files.
        box.write_sums()

    def _check_files(self, box: Package, writer: DeckWriter) -> tuple[Finding, ...]:
        """Check the files. Warnings of one type in a PDF are one finding."""
        project, preset = self.project, self.preset
        findings: list[Finding] = []
        for file in writer.files:
            if file.name.endswith(".pdf"):
                path, sha = box.folder / file.name, box.hashes[file.name]
                findings += check_order_pdf(project, path, sha, preset)
        # The shop may refuse an order whose ink was not measured, or it may smear.
        for index, finding in enumerate(findings):
            if finding.code == UNMEASURED.code:
                findings[index] = replace(finding, severity=Severity.ERROR)
        for file in writer.files:
            if file.pixels is not None:
                findings += check_order_image(
                    project, box.folder / file.name, file, preset
                )
        # These copies still have the text that became outlines in the order.
        preset_with_text = preset.model_copy(update={"outlined_text": False})
        for path in sorted(writer.texts_folder.iterdir()):
            text_findings = check_order_pdf(
                project, path, hash_file(path), preset_with_text
            )
            findings = merge_findings(findings, text_findings)
        art_findings = writer.art_findings
        return tuple(
            dict.fromkeys((*art_findings, *remove_reported(findings, art_findings)))
        )

    def _describe_order(
        self, writer: DeckWriter, findings: Sequence[Finding], colour: str
    ) -> ShopOrder:
        renderer = self.rendered_cards.renderer
        select = self.options.select
        preset = self.preset
        lang = select_languages(renderer.pack, select.langs)[0]
        source = renderer.pack.manifest.languages.source
        remarks: dict[str, None] = {}
        for note in preset.notes:
            remarks[pick_text(note, lang, source)] = None
        for finding in findings:
            if finding.severity is not Severity.ERROR:
                remarks[finding.message] = None
        state = _("the current cards")
        if select.as_of:
            state = _("release {version}", version=select.as_of)
        title = renderer.get_words(lang).pack_name
        if self.product_names:
            title = f"{pick_text(self.product_names, lang, source)} ({title})"
        return ShopOrder(
            preset.id,
            pick_text(preset.name, lang, source),
            renderer.pack.id,
            title,
            state,
            colour,
            tuple(writer.cards),
            tuple(writer.files),
            tuple(remarks),
            select.as_of or "",
            f"{renderer.engine} {installed(renderer.engine)}",
        )

    def _compose_order_sheet(self, order: ShopOrder, lang: str) -> bytes:
        """Return the PDF with the order's contents, to be sent along."""
        renderer = self.rendered_cards.renderer
        values = asdict(order)
        values["colour"] = translate(order.colour, lang)
        values["remarks"] = [translate(remark, lang) for remark in order.remarks]
        values["totals"] = order.totals
        for item in (*values["cards"], *values["files"]):
            item["size"] = format_size_name(item["size"])
        for file in values["files"]:
            for key in ("trim", "page"):
                file[key] = translate(format_size(file[key]), lang)
        flow = render_flow(renderer, "order", A4, lang, {"order": values})
        if has_errors(flow.findings):
            problem = flow.findings[0]
            message = _(
                "the order sheet cannot be rendered: {reason}", reason=problem.message
            )
            raise UsageError(message, problem.hint)
        return compose_pages(renderer, SHEET, f"{order.title}: {order.shop}", flow.keys)


def _find_newest_day(decks: Iterable[Deck]) -> str:
    """Return the day on which the newest of the cards was released: the date of the files."""
    # The date of today would make the files of every build differ.
    days = []
    for deck in decks:
        days += [card.card.released.isoformat() for card in deck.cards]
    return max(days, default="2000-01-01")


def _find_remarks(kind: Kind, page: ShopPage) -> Iterator[tuple[Code, Message]]:
    """Yield the notes for the author about the shop's page for a kind."""
    size = _format_size(kind.size)
    if page.rotate:
        form = _(
            "{size} is turned to portrait, the front clockwise, the back counterclockwise"
        )
        yield prepress_codes.TURNED_PAGES, _(form, size=size)
    if any(page.differs):
        form = _("{size} is printed as {name}, {made}, with the card in the centre")
        message = _(form, size=size, name=page.name, made=_format_size(page.trim))
        yield prepress_codes.DIFFERS, message
    if max(page.reach) > SIZE_TOLERANCE_MM:
        form = _(
            "the page is {far:.2f} mm larger than the face's bleed; its edge is mirrored"
        )
        yield prepress_codes.MIRRORED, _(form, far=max(page.reach))


def _format_size(size: ShopSize | Size | Box) -> Message:
    return _("{width:g} × {height:g} mm", width=size.width, height=size.height)
