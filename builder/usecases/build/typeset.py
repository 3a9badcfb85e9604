"""From the wanted cards to set faces, and from these to finished files: what every way to publish begins with."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

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
from builder.render.html.view import localised
from builder.render.jobs import FaceJob, Variant
from builder.render.prepress import prepress_codes as press
from builder.render.renderer import Renderer, RenderResult
from builder.render.sheets.marks import TextStamp
from builder.render.sheets.sheets import Composer, Group, Leaf, Stack
from builder.report.fit import BlockFit, FitReport, TypeSizes
from builder.roster.chosen import original, with_choice_keywords
from builder.usecases.build.build_options import BuiltFile, Selection, WorkerPool, places
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.product import find_product, list_product_cards
from builder.usecases.build.records import write_output
from builder.usecases.build.select import load_squad_cards, repeat_cards, select_cards
from builder.usecases.pack_states import check_languages, load_as_of

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
"""One face a page, cut to its trim."""
STAND_IN = "file:base/blocks/stand-in.svg"
"""What a face draws on that has no picture yet."""


def pair_sides(stacks: Mapping[str, Stack]) -> Pair[Stack]:
    """The printed faces of a card, by side; a single one is its front."""
    return Pair(
        stacks.get("front") or stacks["back"], stacks.get("back") if "front" in stacks else None
    )


def get_card_pair(
    renderer: Renderer, card: Card, lang: str, variant: Variant, keys: Mapping[FaceJob, str]
) -> Pair[Stack]:
    """The addresses of a card's printed faces."""
    sides = renderer.pack.manifest.kinds[card.kind].faces
    return pair_sides(
        {
            side: tuple(keys[job] for job in list_layers(renderer, card, side, lang, variant))
            for side in sides
        }
    )


def group_pairs(pack: Pack, pairs: Iterable[tuple[Card, Pair[Stack]]]) -> tuple[Group, ...]:
    """Cards of one size together, sheets for the table apart, in order of first appearance."""
    found: dict[tuple[Size, bool], list[Pair[Stack]]] = {}
    for card, pair in pairs:
        kind = pack.manifest.kinds[card.kind]
        found.setdefault((kind.size, kind.table), []).append(pair)
    return tuple(Group(size, tuple(alike), table) for (size, table), alike in found.items())


def group_cards(
    renderer: Renderer,
    cards: Iterable[Card],
    lang: str,
    variant: Variant,
    keys: Mapping[FaceJob, str],
) -> tuple[Group, ...]:
    """Set cards, grouped the same way."""
    return group_pairs(
        renderer.pack,
        ((card, get_card_pair(renderer, card, lang, variant, keys)) for card in cards),
    )


@contextmanager
def compose_face_pages(
    renderer: Renderer, profile: Profile, faces: Iterable[tuple[Stack, Size]], title: str,
    notices: Mapping[Stack, str] = {},
) -> Iterator[Path]:  # fmt: skip
    """A PDF with one of these faces on each page, in their order: a file that is gone when the block ends."""
    groups = [Group(size, (Pair(stack),)) for stack, size in faces]
    places = (renderer.cache, renderer.places.cache, renderer.fonts)
    composer = Composer(*places, profile, title, notices=notices)
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
    leaves: Iterable[Leaf] = (),
) -> bytes:
    """A PDF of whole pages that are set, `leaves` after those with the keys."""
    out = BytesIO()
    Composer(renderer.cache, renderer.places.cache, renderer.fonts, profile, title).compose(
        out, (), keys, leaves
    )
    return out.getvalue()


def write_file(
    renderer: Renderer, project: Project, profile: Profile, groups: Sequence[Group], extra: Sequence[str],
    path: Path, lang: str, notices: Mapping[tuple[str, ...], str] = {}, *, today: bool = True,
) -> BuiltFile:  # fmt: skip
    """Compose and write one file, unless the very same one is there already.

    `extra` are whole pages after the cards, `notices` short texts at the foot of faces; what shows a release is not of
    `today`. Raises UsageError where a card is larger than the paper, OutputNotWritten.
    """
    title = f"{renderer.words(lang).pack_name} ({lang})"
    stamp = TextStamp(kept=project.cache)
    label = title if stamp.can_draw(title) else f"{renderer.pack.id} ({lang})"
    composer = Composer(
        renderer.cache, project.cache_dir, renderer.fonts, profile, title, label, notices
    )

    page_counts = []

    def write(out: IO[bytes]) -> str:
        document = composer.compose(out, groups, extra)
        page_counts.append(document.pages)
        return document.sha

    owner = (renderer.pack.id, lang) if today else ()
    changed = write_output(project, path, owner, write)
    cards = sum(len(group.pairs) for group in groups)
    return BuiltFile(path, page_counts[0], cards, changed)


@dataclass(frozen=True, slots=True)
class RenderedCards:
    """The ids of the wanted cards, by language in printing order, and what came of setting their faces.

    `notices` are short texts that are printed at the foot of faces; `decks` the deck of each card of a product.
    """

    renderer: Renderer
    orders: Mapping[str, Sequence[str]]
    rendered: RenderResult
    notices: Mapping[Stack, str] = field(default_factory=dict)
    decks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """True if some card could not be set, or must not be printed."""
        return has_errors(self.rendered.findings)

    def stand_ins(self) -> Iterator[Finding]:
        """Cards on which a stand-in is drawn for a picture."""
        faces = self.rendered.faces.items()
        found = {job.card: None for job, facts in faces if job.card and STAND_IN in facts.deps}
        form = _("{name}: a stand-in is printed for its picture")
        return (press.STAND_IN.finding(_(form, name=card)) for card in found)

    def cards(self, *langs: str) -> Iterator[Card]:
        """The cards of these languages, each looked up when it is asked for: nobody holds them all."""
        return (self.renderer.pack.cards[card] for lang in langs for card in self.orders[lang])


def render_cards(
    project: Project,
    loaded: LoadedPack,
    select: Selection,
    workers: WorkerPool,
    *,
    unset: bool = False,
) -> RenderedCards:
    """Choose the cards (or those of a squad) and set all their faces, unless they are to stay `unset`. The pack must
    have been loaded.
    """
    spots = places(project, loaded.whole.id)
    if select.engine is None:
        loaded = with_chosen_engine(spots, loaded)[0]
    pack = with_choice_keywords(loaded.whole)
    langs = select_languages(pack, select.langs)
    orders: Mapping[str, Sequence[str]]
    decks: Mapping[str, Sequence[str]] = {}
    if select.roster is not None:
        pack, squad = load_squad_cards(project, pack, select.roster)
        squad = squad if select.copies is None else repeat_cards(squad, dict(select.copies))
        orders = dict.fromkeys(langs, squad)
    elif select.product is not None:
        listed = {
            lang: list_product_cards(pack, find_product(loaded, select.product), select.only, lang)
            for lang in langs
        }
        orders = {lang: tuple(card for _deck, card in cards) for lang, cards in listed.items()}
        decks = {lang: tuple(deck for deck, _card in cards) for lang, cards in listed.items()}
    else:
        orders = {lang: select_cards(pack, select.only, lang) for lang in langs}

    def file_of(card: str, lang: str) -> str | None:
        source = lang == pack.manifest.languages.source
        texts = (
            loaded.documents.get(original(card))
            if source
            else loaded.translations.get((lang, original(card)))
        )
        return None if texts is None else texts.file

    renderer = Renderer(
        pack, spots, file_of, select.engine or "", workers=workers.count, shared=workers.shared
    )
    asked = ((pack.cards[card], lang) for lang in langs for card in orders[lang])
    wanted = (
        job for card, lang in asked for job in list_card_jobs(renderer, card, lang, select.variant)
    )
    rendered = renderer.render(() if unset else wanted, workers.progress)
    return RenderedCards(renderer, orders, rendered, decks=decks)


def select_languages(pack: Pack, asked: Sequence[str]) -> tuple[str, ...]:
    """The asked languages; all where none or `all` is asked. UsageError for one the pack does not have."""
    known = pack.manifest.languages.all
    if "all" in asked:
        return known
    check_languages(pack.id, known, asked)
    return tuple(dict.fromkeys(asked)) or known


def report_fit(
    project: Project, pack_id: str, select: Selection, workers: WorkerPool
) -> tuple[FitReport, tuple[Finding, ...]]:
    """How all blocks of the wanted cards came out, and what setting them found.

    Faces that could not be set have no blocks to report; their findings say why.
    """
    loaded = load_as_of(PackFiles(project), pack_id, select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return FitReport(pack_id, ()), loaded.findings
    made = render_cards(project, loaded, select, workers)
    pack, blocks = made.renderer.pack, []
    for job, facts in made.rendered.faces.items():
        fit = pack.manifest.kinds[job.kind].fit
        name = localised(pack, pack.cards[job.card], job.lang)[0] if job.card else ""
        place = (job.card or "common", name, job.kind, job.side, job.lang)
        for block in facts.blocks:
            if block.name in fit:
                sizes = tuple(fit[block.name].sizes)
                blocks.append(
                    BlockFit(
                        *place,
                        block.name,
                        block.size,
                        sizes,
                        round(block.fill, 3),
                        fit[block.name].heading,
                    )
                )
    report = FitReport(pack_id, tuple(blocks))
    many = (_many_sizes(voice) for voice in report.voices if not voice.is_uniform)
    return report, (*made.rendered.findings, *many)


def _many_sizes(voice: TypeSizes) -> Finding:
    """The finding of a kind whose texts are set in too many sizes."""
    listed = ", ".join(f"{size:g}" for size in voice.sizes)
    form = _(
        "kind {kind}: running text of {listed} pt, the largest {spread:.2f} times the smallest"
    )
    return render_codes.SIZES.finding(_(form, kind=voice.kind, listed=listed, spread=voice.spread))
