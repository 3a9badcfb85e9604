"""Render cards and compose their faces into files: the first steps of every build."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TypeAlias

from builder.files import open_atomic
from builder.findings import Finding, has_errors
from builder.geometry.imposition import Pair
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack, Size
from builder.model.profile import Paper, Profile
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render import render_codes
from builder.render.filling import list_card_jobs, list_layers
from builder.render.html.view import localize_card
from builder.render.jobs import FaceJob, Variant
from builder.render.prepress import prepress_codes as press
from builder.render.renderer import Renderer, RenderResult, merge_drafts
from builder.render.sheets.marks import TextStamp
from builder.render.sheets.sheets import Composer, FreePage, Group, Stack
from builder.report.fit import BlockFit, FitReport, TypeSizes
from builder.roster.choice_keywords import add_choice_keywords, get_original_id
from builder.usecases.build.build_options import (
    BuildResult,
    BuiltFile,
    Selection,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.product import find_product, list_product_cards
from builder.usecases.build.records import write_output
from builder.usecases.build.select import load_squad_cards, repeat_cards, select_cards
from builder.usecases.pack_states import check_languages, load_pack_as_of

A4 = Paper(width=210, height=297)
TRIM = Profile(
    id="trim",
    name={"en": "Trim"},
    layout="pages",
    marks=None,
    check_line=0,
    label=False,
    duplex="none",
)
"""One face per page, cut to its trim."""
STAND_IN = "file:base/blocks/stand-in.svg"
"""The dependency of a face that draws a placeholder for a missing picture."""


CardPair: TypeAlias = tuple[Card, Pair[Stack]]
"""A card with its printed faces."""


def make_pair(stacks: Mapping[str, Stack]) -> Pair[Stack]:
    """Return the printed faces of a card. A single face is its front."""
    if "front" in stacks:
        return Pair(stacks["front"], stacks.get("back"))
    return Pair(stacks["back"], None)


def get_card_pair(
    renderer: Renderer,
    card: Card,
    lang: str,
    variant: Variant,
    keys: Mapping[FaceJob, str],
) -> Pair[Stack]:
    """Return the cache keys of a card's printed faces."""
    stacks: dict[str, Stack] = {}
    for side in renderer.pack.manifest.kinds[card.kind].list_faces(card):
        layers = list_layers(renderer, card, side, lang, variant)
        stacks[side] = tuple(keys[job] for job in layers)
    return make_pair(stacks)


def group_pairs(pack: Pack, pairs: Iterable[CardPair]) -> tuple[Group, ...]:
    """Group cards by size, in the order of their first cards. Sheets for the table are separate."""
    pairs_by_size: dict[tuple[Size, bool], list[Pair[Stack]]] = {}
    for card, pair in pairs:
        kind = pack.manifest.kinds[card.kind]
        pairs_by_size.setdefault((kind.size, kind.table), []).append(pair)
    groups: list[Group] = []
    for (size, is_table), pairs_of_size in pairs_by_size.items():
        groups.append(Group(size, tuple(pairs_of_size), is_table))
    return tuple(groups)


def group_cards(
    renderer: Renderer,
    cards: Iterable[Card],
    lang: str,
    variant: Variant,
    keys: Mapping[FaceJob, str],
) -> tuple[Group, ...]:
    """Group rendered cards by size."""
    pairs = (
        (card, get_card_pair(renderer, card, lang, variant, keys)) for card in cards
    )
    return group_pairs(renderer.pack, pairs)


@contextmanager
def compose_face_pages(
    renderer: Renderer,
    profile: Profile,
    faces: Iterable[tuple[Stack, Size]],
    title: str,
    notices: Mapping[Stack, str] = {},
) -> Iterator[Path]:
    """Compose a temporary PDF with one face on each page. It is deleted when the block ends."""
    # A group for each face keeps their order, whatever their sizes.
    groups = [Group(size, (Pair(stack),)) for stack, size in faces]
    composer = _make_composer(renderer, profile, title, notices=notices)
    with TemporaryDirectory(prefix="squadpress-") as folder:
        path = Path(folder) / "faces.pdf"
        with open_atomic(path) as out:
            composer.compose(out, groups)
        yield path


def compose_pages(
    renderer: Renderer,
    profile: Profile,
    title: str,
    keys: Sequence[str],
    leaves: Iterable[FreePage] = (),
) -> bytes:
    """Return a PDF of whole rendered pages, followed by the pages in `leaves`."""
    out = BytesIO()
    _make_composer(renderer, profile, title, title).compose(out, (), keys, leaves)
    return out.getvalue()


def compose_sheets(
    renderer: Renderer, profile: Profile, groups: Sequence[Group]
) -> bytes:
    """Return a PDF of sheets that is not kept."""
    out = BytesIO()
    _make_composer(renderer, profile, renderer.pack.id).compose(out, groups)
    return out.getvalue()


def _make_composer(
    renderer: Renderer,
    profile: Profile,
    title: str,
    label: str = "",
    notices: Mapping[Stack, str] = {},
) -> Composer:
    folder = renderer.places.cache
    return Composer(
        renderer.cache, folder, renderer.fonts, profile, title, label, notices
    )


@dataclass(frozen=True, slots=True)
class SheetFile:
    """The content of a file of sheets in one language.

    `extra_pages` are cache keys of whole pages after the cards, `notices` short texts at the foot
    of faces. `is_current` is False for the cards of a release.
    """

    path: Path
    lang: str
    groups: Sequence[Group]
    extra_pages: Sequence[str] = ()
    notices: Mapping[Stack, str] = field(default_factory=dict)
    is_current: bool = True


def write_file(
    renderer: Renderer, project: Project, profile: Profile, file: SheetFile
) -> BuiltFile:
    """Compose and write one file. A file with the same bytes is left untouched.

    Raise OutputNotWritten, and UsageError if a card is larger than the paper.
    """
    title = f"{renderer.get_words(file.lang).pack_name} ({file.lang})"
    label = title
    # Sheets are labelled in one typeface, which lacks some scripts.
    if not TextStamp(cache=project.cache).can_draw(title):
        label = f"{renderer.pack.id} ({file.lang})"
    composer = _make_composer(renderer, profile, title, label, file.notices)
    page_counts = []

    def write_pages(out: IO[bytes]) -> str:
        document = composer.compose(out, file.groups, file.extra_pages)
        page_counts.append(document.pages)
        return document.sha

    # A file of a release has no owner, so a removed language does not delete it.
    owner = (renderer.pack.id, file.lang) if file.is_current else ()
    is_changed = write_output(project, file.path, owner, write_pages)
    card_count = sum(len(group.pairs) for group in file.groups)
    return BuiltFile(file.path, page_counts[0], card_count, is_changed)


@dataclass(frozen=True, slots=True)
class RenderedCards:
    """Cards with their rendered faces.

    `orders` has the ids of the cards by language in printing order, `decks` the deck of each card
    of a product, `notices` short texts at the foot of faces.
    """

    renderer: Renderer
    orders: Mapping[str, Sequence[str]]
    rendered: RenderResult
    notices: Mapping[Stack, str] = field(default_factory=dict)
    decks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    is_draft: bool = False

    @property
    def has_errors(self) -> bool:
        """True if a card has an error and must not be printed."""
        return has_errors(self.rendered.findings)

    def make_draft(self, variant: Variant) -> "RenderedCards":
        """Return the cards with drafts of faces that do not fit.

        Leave out cards that cannot be drawn.

        If no card can be drawn, the result is not marked as a draft.
        """
        rendered = merge_drafts(self.renderer, self.rendered)
        orders: dict[str, list[str]] = {}
        decks: dict[str, list[str]] = {}
        for lang, cards in self.orders.items():
            orders[lang], decks[lang] = [], []
            deck_names = self.decks.get(lang) or [""] * len(cards)
            for card_id, deck in zip(cards, deck_names, strict=True):
                card = self.renderer.pack.cards[card_id]
                jobs = list_card_jobs(self.renderer, card, lang, variant)
                if all(job in rendered.keys for job in jobs):
                    orders[lang].append(card_id)
                    decks[lang].append(deck)
        has_cards = any(orders.values())
        draft = replace(self, orders=orders, rendered=rendered, is_draft=has_cards)
        return replace(draft, decks=decks) if self.decks else draft

    def make_result(self) -> BuildResult:
        """Return a result without files: the findings, and the numbers of faces."""
        rendered = self.rendered
        counts = (rendered.rendered_count, rendered.cached_count)
        return BuildResult((), rendered.findings, *counts)

    def find_stand_ins(self) -> Iterator[Finding]:
        """Yield a finding for each card with a placeholder for a missing picture."""
        form = _("{name}: a placeholder is printed instead of its picture")
        reported_cards = set()
        for job, facts in self.rendered.faces.items():
            if job.card and STAND_IN in facts.deps and job.card not in reported_cards:
                reported_cards.add(job.card)
                yield press.STAND_IN.finding(_(form, name=job.card))

    def list_cards(self, *langs: str) -> Iterator[Card]:
        """Yield the cards of these languages.

        They are read one by one: not all of them fit in memory.
        """
        for lang in langs:
            for card in self.orders[lang]:
                yield self.renderer.pack.cards[card]


def render_cards(
    project: Project,
    loaded: LoadedPack,
    select: Selection,
    workers: WorkerPool,
    *,
    is_skipped: bool = False,
    drafts: bool = False,
) -> RenderedCards:
    """Select cards and render all their faces.

    If `is_skipped`, render nothing. The pack must be readable.

    With `drafts`, faces that do not fit are drawn, too.
    """
    places = get_render_folders(project, loaded.whole.id)
    if select.engine is None:
        loaded = with_chosen_engine(places, loaded)[0]
    pack, orders, decks = _select_printed_cards(project, loaded, select)

    def find_text_file(card: str, lang: str) -> str | None:
        # A model with chosen keywords has a card of its own, without a file.
        card_id = get_original_id(card)
        if lang == pack.manifest.languages.source:
            document = loaded.documents.get(card_id)
        else:
            document = loaded.translations.get((lang, card_id))
        return None if document is None else document.file

    # An empty name stands for the engine of the pack.
    engine = select.engine or ""
    renderer = Renderer(
        pack,
        places,
        find_text_file,
        engine,
        workers=workers.count,
        shared=workers.shared,
        draws_drafts=drafts,
    )
    jobs = () if is_skipped else _list_jobs(renderer, orders, select.variant)
    rendered = renderer.render(jobs, workers.progress)
    return RenderedCards(renderer, orders, rendered, decks=decks)


CardsByLang: TypeAlias = Mapping[str, Sequence[str]]


def _select_printed_cards(
    project: Project, loaded: LoadedPack, select: Selection
) -> tuple[Pack, CardsByLang, CardsByLang]:
    """Return the pack, the cards in printing order, and the deck of each card of a product."""
    pack = add_choice_keywords(loaded.whole)
    langs = select_languages(pack, select.langs)
    if select.roster is not None:
        pack, cards = load_squad_cards(project, pack, select.roster)
        if select.copies is not None:
            cards = repeat_cards(cards, dict(select.copies))
        return pack, dict.fromkeys(langs, cards), {}
    if select.product is None:
        return pack, {lang: select_cards(pack, select.only, lang) for lang in langs}, {}
    product = find_product(loaded, select.product)
    orders: dict[str, list[str]] = {}
    decks: dict[str, list[str]] = {}
    for lang in langs:
        listed_cards = list_product_cards(pack, product, select.only, lang)
        orders[lang] = [card for _deck, card in listed_cards]
        decks[lang] = [deck for deck, _card in listed_cards]
    return pack, orders, decks


def _list_jobs(
    renderer: Renderer, orders: CardsByLang, variant: Variant
) -> Iterator[FaceJob]:
    """Yield the faces of all cards."""
    for lang, cards in orders.items():
        for card in cards:
            yield from list_card_jobs(
                renderer, renderer.pack.cards[card], lang, variant
            )


def select_languages(pack: Pack, requested_langs: Sequence[str]) -> tuple[str, ...]:
    """Return the requested languages, or all languages if none or `all` is requested.

    Raise UsageError for an unknown language.
    """
    all_langs = pack.manifest.languages.all
    if "all" in requested_langs:
        return all_langs
    check_languages(pack.id, all_langs, requested_langs)
    return tuple(dict.fromkeys(requested_langs)) or all_langs


def report_fit(
    project: Project, pack_id: str, select: Selection, workers: WorkerPool
) -> tuple[FitReport, tuple[Finding, ...]]:
    """Return the type sizes of all shrinking blocks of the selected cards, and the findings.

    Faces with errors have no blocks in the report.
    """
    loaded = load_pack_as_of(PackFiles(project), pack_id, select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return FitReport(pack_id, ()), loaded.findings
    rendered_cards = render_cards(project, loaded, select, workers)
    report = FitReport(pack_id, list_fit_blocks(rendered_cards))
    size_findings = [
        _report_sizes(text) for text in report.voices if not text.is_uniform
    ]
    return report, (*rendered_cards.rendered.findings, *size_findings)


def list_fit_blocks(rendered_cards: RenderedCards) -> tuple[BlockFit, ...]:
    """Return all blocks of rendered faces that may shrink."""
    pack = rendered_cards.renderer.pack
    blocks: list[BlockFit] = []
    for job, facts in rendered_cards.rendered.faces.items():
        name = ""
        if job.card:
            name = localize_card(pack, pack.cards[job.card], job.lang)[0]
        kind = pack.manifest.kinds[job.kind]
        sizes_by_block = kind.list_fit_sizes(job.lang)
        for block in facts.blocks:
            sizes = sizes_by_block.get(block.name)
            if sizes is None:
                continue
            fit = BlockFit(
                job.card or "common",
                name,
                job.kind,
                job.side,
                job.lang,
                block.name,
                block.size,
                sizes,
                round(block.fill, 3),
                kind.fit[block.name].heading,
                letters=block.letters,
            )
            blocks.append(fit)
    return tuple(blocks)


def _report_sizes(text: TypeSizes) -> Finding:
    """Return the finding of a kind whose texts have too many type sizes."""
    sizes = ", ".join(f"{size:g}" for size in text.sizes)
    form = _(
        "kind {kind}: body text of {listed} pt; the largest is {spread:.2f} times the smallest"
    )
    message = _(form, kind=text.kind, listed=sizes, spread=text.spread)
    return render_codes.SIZES.finding(message)
