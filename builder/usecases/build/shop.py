"""An order for a print shop: every file it takes, a manifest that counts them, and a order sheet."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby, repeat
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.checks.preflight.standard import UNMEASURED
from builder.errors import ToolMissing, UsageError
from builder.files import hash_file
from builder.findings import Box, Finding, Location, Severity, has_errors, sort_findings
from builder.geometry.imposition import Pair
from builder.geometry.shop import SIZE_TOLERANCE_MM, RefusedSize, ShopPage, find_shop_page
from builder.messages import Message, gettext as _, join_messages, translate
from builder.model.card import Card
from builder.model.codes import Code
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Kind, Size
from builder.model.profile import Profile
from builder.model.shop import Preset, ShopOrder, ShopSize, across, shown_size
from builder.packs.profiles import load_preset
from builder.packs.project import Project
from builder.packs.releases.package import MANIFEST, Package, open_package
from builder.render.cache import ResultCache
from builder.render.flow import render_flow
from builder.render.html.view import pick
from builder.render.jobs import PLATES, Plate
from builder.render.keys import program_hash
from builder.render.prepress import prepress_codes
from builder.render.prepress.finisher import Finisher
from builder.render.prepress.ink import GENERAL_REQUEST, find_profile
from builder.render.sheets.sheets import Stack
from builder.report.exports import autofill_xml, order_csv, order_json
from builder.usecases.build.build_options import SHOP, BuildOptions, BuildResult, BuiltFile, Home
from builder.usecases.build.printable import render_printable
from builder.usecases.build.product import find_product
from builder.usecases.build.records import note_owner
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
    RenderedCards,
    compose_pages,
    get_card_pair,
    languages,
    render_cards,
)
from builder.usecases.preflight import merge_findings

SHEET = Profile(
    id="order",
    name={"en": "Order"},
    layout="pages",
    marks=None,
    check_line=0,
    label=False,
    duplex="none",
)


def build_order(project: Project, loaded: LoadedPack, options: BuildOptions) -> BuildResult:
    """The whole package of one pack (or squad) for the shop that `options.publish.profile` names.

    With an error among the findings nothing is written and an earlier package stays as it is.
    """
    preset = load_preset(project, options.publish.profile.removeprefix(SHOP))
    if options.publish.gauges == "only":
        raise UsageError(
            _("gauges are not ordered from a shop of cards"),
            _("Print them with --profile home-a4."),
        )
    if options.publish.home != Home():
        raise UsageError(
            _("sheets, marks and printers are matters of home printing"),
            _("Leave those options out."),
        )
    pack_id, engine = loaded.whole.id, loaded.whole.manifest.engine
    if options.select.engine not in (None, engine):
        message = _("the pack is set by {engine}: an order looks as its proofs did", engine=engine)
        raise UsageError(
            message,
            _("Leave --engine out, or change `engine` in pack.yaml and look at new proofs."),
        )
    early_findings = _check_press(preset, options.publish.icc)
    if has_errors(early_findings):
        return BuildResult((), early_findings, 0, 0)
    made = render_printable(project, loaded, options)
    counts = (made.rendered.rendered_count, made.rendered.cached_count)
    place, products = loaded.sources["pack.yaml"].file, loaded.sources.get("products.yaml")
    plates = _plates(project, loaded, preset, options)
    sold = (
        find_product(loaded, options.select.product).name
        if options.select.product is not None
        else {}
    )
    told = (*early_findings, *made.rendered.findings, *made.stand_ins())
    wrong = (
        one
        for plate in plates.values()
        for one in plate.rendered.findings
        if one.severity is Severity.ERROR
    )
    order = OrderMaker(
        project, made, preset, options, place, [*told, *wrong], plates, products, sold
    )
    decks = order.decks() if not has_errors(order.findings) else ()
    findings = sort_findings(order.findings)
    if has_errors(findings):
        return BuildResult((), findings, *counts)
    if not decks:
        form = _("nothing to order from {shop}: all that was chosen are sheets for the table")
        raise UsageError(_(form, shop=preset.id), _("Print at home."))
    stem = options.select.stem(pack_id, *options.select.langs, preset.id)
    ending = ".zip" if options.publish.zipped else ""
    target = (options.publish.output or project.output_dir(pack_id)) / f"{stem}{ending}"
    built, found = order.write(decks, findings, target)
    if built:
        project.cache.evict()
        owner = () if options.select.as_of else (pack_id, *options.select.langs)
        note_owner(project, target, owner)
    return BuildResult(built, found, *counts)


def _check_press(preset: Preset, icc: Path | None) -> tuple[Finding, ...]:
    """Check what the shop's files need before anything is rendered: the means to measure ink, and a colour profile.

    Raise ToolMissing without Ghostscript for a shop that limits ink.
    """
    colour = preset.colour
    if preset.output == "pdf" and colour.ink_limit is not None and shutil.which("gs") is None:
        message = _(
            "{shop} limits total ink to {limit:g} %, but Ghostscript, which measures ink, is not installed"
        )
        hint = _("Install Ghostscript (the program gs), or choose a shop without an ink limit.")
        raise ToolMissing(_(message, shop=preset.id, limit=colour.ink_limit), hint)
    if colour.space != "cmyk":
        return ()
    profile = find_profile(colour, icc)
    if profile.asked:
        return ()
    condition = colour.condition or _("the shop's printing condition")
    form = _(
        "the profile of {condition} is not installed; the order would be converted with the profile {used}"
    )
    if icc == GENERAL_REQUEST:
        form = _(
            "the order is converted with the profile {used} as requested; the shop prints {condition}"
        )
    message = _(form, condition=condition, used=profile.description)
    severity = Severity.NOTE if icc == GENERAL_REQUEST else Severity.ERROR
    return (prepress_codes.PROFILE.finding(message, severity=severity),)


def _plates(
    project: Project, loaded: LoadedPack, preset: Preset, options: BuildOptions
) -> dict[Plate, RenderedCards]:
    """The same cards set as plates, for each that the pack has a style sheet for."""
    folder, select = project.templates_dir(loaded.whole.id), options.select
    wanted = [
        plate for plate in PLATES if preset.output == "pdf" and (folder / f"{plate}.css").is_file()
    ]
    return {
        plate: render_cards(project, loaded, replace(select, variant=plate), options.workers)
        for plate in wanted
    }


class _Failed(Exception):
    """The files came out wrong: the package is given up."""


@dataclass
class OrderMaker:
    """Sorts set cards into decks, collects what must be said about their sizes, and writes the package."""

    project: Project
    made: RenderedCards
    preset: Preset
    options: BuildOptions
    place: str
    findings: list[Finding]
    plates: Mapping[Plate, RenderedCards]
    products: Document | None = None
    sold: Mapping[str, str] = field(default_factory=dict)
    """The product's names."""

    def decks(self) -> tuple[Deck, ...]:
        """All decks, in the order the cards come. With an error among the findings they are not to be printed."""
        units: dict[tuple[str, str, str], list[tuple[Card, Pair[Stack]]]] = {}
        cuts: dict[Stack, ShopPage] = {}
        judged = self._judged()
        for lang in self.made.orders:
            for card, deck in zip(
                self.made.cards(lang), self.made.decks.get(lang) or repeat(""), strict=False
            ):
                if (cut := judged.get(card.kind)) is not None:
                    variant = self.options.select.variant
                    pair = get_card_pair(
                        self.made.renderer, card, lang, variant, self.made.rendered.keys
                    )
                    cuts[pair.front] = cut
                    if pair.back is not None:
                        cuts.setdefault(pair.back, cut.back)
                    units.setdefault((lang, cut.name, deck), []).append((card, pair))
        return tuple(
            Deck(lang, size, part, cards, cuts, deck)
            for (lang, size, deck), all_units in units.items()
            for part, cards in self._parts(all_units, deck)
        )

    def _judged(self) -> dict[str, ShopPage]:
        """The cut of each kind that is printed; what is wrong or noteworthy goes to the findings."""
        pack, found = self.made.renderer.pack, dict[str, ShopPage]()
        alike: dict[tuple[Code, Message], list[str]] = {}
        for name in dict.fromkeys(card.kind for card in self.made.cards(*self.made.orders)):
            kind = pack.manifest.kinds[name]
            cut = find_shop_page(kind.size, self.preset)
            if kind.table:
                alike.setdefault(
                    (prepress_codes.TABLE, _("sheets for the table are left out")), []
                ).append(name)
            elif isinstance(cut, ShopPage):
                found[name] = cut
                for remark in _remarks(kind, cut):
                    alike.setdefault(remark, []).append(name)
            else:
                place = Location(file=self.place, path=f"kinds.{name}.size")
                self.findings.append(self._refusal(name, kind, cut, place))
        for (code, what), names in alike.items():
            command = f"squadpress build {pack.id} --only kind={','.join(names)} --profile home-a4"
            hint = (
                _("Print them at home: {command}.", command=command)
                if code is prepress_codes.TABLE
                else ""
            )
            message = _("{name}: {reason}", name=", ".join(names), reason=what)
            self.findings.append(
                code.finding(message, Location(file=self.place, path="kinds"), hint)
            )
        return found

    def _refusal(self, name: str, kind: Kind, why: RefusedSize, place: Location) -> Finding:
        named: dict[str, object] = {"kind": name, "shop": self.preset.id}
        if why.why == "bleed":
            form = _("{kind}: faces bleed {bleed:g} mm; {shop} needs {needed:.2f} mm")
            message = _(form, bleed=kind.size.bleed, needed=why.needed_bleed, **named)
            return prepress_codes.BLEED.finding(message, place)
        sizes = join_messages(
            _("{name} {size}", name=key, size=_size(made))
            for key, made in self.preset.sizes.items()
        )
        form = _("{kind}: {shop} makes no cards of {size}; it makes {sizes}")
        return prepress_codes.SIZE.finding(
            _(form, size=_size(kind.size), sizes=sizes, **named), place
        )

    def _parts(
        self, units: Sequence[tuple[Card, Pair[Stack]]], deck: str
    ) -> list[tuple[int, tuple[OrderedCard, ...]]]:
        """The units in parts of at most what one order takes, copies counted, the same cards together."""
        most = self.preset.most_cards or len(units)
        if deck and len(units) > most and self.products is not None:
            form = _("the deck {deck} holds {many} cards, but {shop} makes at most {most} an order")
            message = _(form, deck=deck, many=len(units), shop=self.preset.id, most=most)
            place = self.products.locate(
                ("products", self.options.select.product or "", "decks", deck)
            )
            self.findings.append(prepress_codes.PARTS.finding(message, place))
        chunks = [units[start : start + most] for start in range(0, len(units), most)]
        parts = []
        for number, chunk in enumerate(chunks, 1):
            copies: dict[tuple[str, Pair[Stack]], OrderedCard] = {}
            for card, pair in chunk:
                before = copies.get((card.id, pair))
                copies[card.id, pair] = OrderedCard(
                    card, pair, 1 + (before.copies if before else 0)
                )
            parts.append((number if len(chunks) > 1 else 0, tuple(copies.values())))
        return parts

    def write(
        self, decks: Sequence[Deck], findings: tuple[Finding, ...], target: Path
    ) -> tuple[tuple[BuiltFile, ...], tuple[Finding, ...]]:
        """Write the package, unless what is in it turns out wrong."""
        # The files bear the day when the newest of their cards was released.
        day = max(
            (card.card.released.isoformat() for deck in decks for card in deck.cards),
            default="2000-01-01",
        )
        finisher = Finisher(self.preset, self.options.publish.icc, day)
        finisher.memo = ResultCache(self.project.cache, program_hash().encode())
        try:
            with (
                TemporaryDirectory(prefix="squadpress-") as texts_folder,
                open_package(target) as box,
            ):
                writer = DeckWriter(
                    self.project,
                    self.made,
                    self.preset,
                    box,
                    finisher,
                    Path(texts_folder),
                    self.plates,
                )
                for deck in decks:
                    writer.write(deck)
                findings = sort_findings(
                    (
                        *findings,
                        *finisher.findings,
                        *self._preflight(box, writer),
                        *writer.findings(),
                    )
                )
                if has_errors(findings):
                    raise _Failed
                order = self._order(writer, findings, finisher.colour)
                box.write("order.pdf", self._sheet(order, decks[0].lang))
                box.write(MANIFEST, order_json(order).encode())
                box.write("cards.csv", order_csv(order).encode())
                if self.preset.autofill is not None:
                    groups = groupby(
                        order.cards, key=lambda card: card.fronts[0].file.partition("/")[0]
                    )
                    for folder, cards in groups:
                        box.write(
                            f"{folder}.xml",
                            autofill_xml(list(cards), self.preset.autofill).encode(),
                        )
                box.write_sums()
        except _Failed:
            return (), findings
        return (
            BuiltFile(target, order.totals["pages"], order.totals["cards"], box.changed),
        ), findings

    def _preflight(self, box: Package, writer: DeckWriter) -> tuple[Finding, ...]:
        """What preflight says of the files, warnings of one sort in a PDF folded together."""
        project, preset = self.project, self.preset
        names = [file.name for file in writer.files if file.name.endswith(".pdf")]
        found = [
            one
            for name in names
            for one in check_order_pdf(project, box.folder / name, box.hashes[name], preset)
        ]
        # An order whose ink was not measured may be refused by the shop, or smear.
        found = [
            replace(one, severity=Severity.ERROR) if one.code == UNMEASURED.code else one
            for one in found
        ]
        images = [file for file in writer.files if file.pixels is not None]
        found += [
            one
            for file in images
            for one in check_order_image(project, box.folder / file.name, file, preset)
        ]
        with_text = preset.model_copy(update={"outlined_text": False})
        for path in sorted(writer.texts_folder.iterdir()):
            found = merge_findings(
                found, check_order_pdf(project, path, hash_file(path), with_text)
            )
        return tuple(
            dict.fromkeys((*writer.art_findings, *remove_reported(found, writer.art_findings)))
        )

    def _order(self, writer: DeckWriter, findings: Sequence[Finding], colour: str) -> ShopOrder:
        renderer, select, preset = self.made.renderer, self.options.select, self.preset
        lang, source = (
            languages(renderer.pack, select.langs)[0],
            renderer.pack.manifest.languages.source,
        )
        remarks = [pick(note, lang, source) for note in preset.notes]
        remarks += [
            finding.message for finding in findings if finding.severity is not Severity.ERROR
        ]
        state = (
            _("release {version}", version=select.as_of)
            if select.as_of
            else _("the cards as they are")
        )
        shop, title = pick(preset.name, lang, source), renderer.words(lang).pack_name
        title = f"{pick(self.sold, lang, source)} ({title})" if self.sold else title
        about = (
            tuple(writer.cards),
            tuple(writer.files),
            tuple(dict.fromkeys(remarks)),
            select.as_of or "",
        )
        return ShopOrder(preset.id, shop, renderer.pack.id, title, state, colour, *about)

    def _sheet(self, order: ShopOrder, lang: str) -> bytes:
        """The order sheet of the order: what is in it, to send along."""
        renderer = self.made.renderer
        remarks = [translate(remark, lang) for remark in order.remarks]
        whole = asdict(order) | {
            "colour": translate(order.colour, lang),
            "remarks": remarks,
            "totals": order.totals,
        }
        for item in (*whole["cards"], *whole["files"]):
            item["size"] = shown_size(item["size"])
        for file in whole["files"]:
            file |= {key: translate(across(file[key]), lang) for key in ("trim", "page")}
        flow = render_flow(renderer, "order", A4, lang, {"order": whole})
        if has_errors(flow.findings):
            problem = flow.findings[0]
            raise UsageError(
                _("the order sheet cannot be set: {reason}", reason=problem.message), problem.hint
            )
        return compose_pages(renderer, SHEET, f"{order.title}: {order.shop}", flow.keys)


def _remarks(kind: Kind, cut: ShopPage) -> Iterator[tuple[Code, Message]]:
    """What the author should know of a cut."""
    size = _size(kind.size)
    if cut.rotate:
        yield (
            prepress_codes.TURNED,
            _("{size} is turned upright, front clockwise, back the other way", size=size),
        )
    if any(cut.differs):
        form = _("{size} is made as {name}, {made}, the card in the middle")
        yield prepress_codes.DIFFERS, _(form, size=size, name=cut.name, made=_size(cut.trim))
    if max(cut.reach) > SIZE_TOLERANCE_MM:
        form = _("the page reaches {far:.2f} mm past the face's bleed, its edge is mirrored there")
        yield prepress_codes.MIRRORED, _(form, far=max(cut.reach))


def _size(size: ShopSize | Size | Box) -> Message:
    return _("{width:g} × {height:g} mm", width=size.width, height=size.height)
