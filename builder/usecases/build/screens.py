"""Cards for screens: one picture a face, sheets for a simulated table, an overview, a gallery page."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from math import prod

from markupsafe import Markup

from builder.findings import Finding, has_errors
from builder.model.base import look_up
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.package import Package, open_package
from builder.render.html.markup import render_markup
from builder.render.html.pages import page
from builder.render.html.view import TemplateWords, localize_card, pick_text
from builder.render.jobs import Variant
from builder.render.prepress.raster import encode_picture, make_overview_sheet, open_document
from builder.render.sheets.sheets import Stack
from builder.usecases.appearance import check_appearance_files
from builder.usecases.build.build_options import (
    BuildResult,
    BuiltFile,
    Selection,
    WorkerPool,
    places,
)
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.gauges import GaugePicture, render_gauge_pictures
from builder.usecases.build.pictures import Pictures, Screen, ShownFaces
from builder.usecases.build.product import apply_product, find_product, select_gauges
from builder.usecases.build.tabletop import write_card_game, write_table_game
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    get_card_pair,
    render_cards,
    select_languages,
)
from builder.usecases.pack_states import load_as_of

WIDE, MOST = 2400, 16_000_000
"""Pixels across an overview, and of all faces on one picture of it: they are all in memory."""
OVERVIEW_DPI = 90


def build_screens(
    project: Project, pack_id: str, select: Selection, screen: Screen, workers: WorkerPool
) -> BuildResult:
    """Write the pictures of each language into a folder of their own. With an error nothing is written."""
    loaded = load_as_of(PackFiles(project), pack_id, select.as_of)
    looks = check_appearance_files(project, pack_id)
    if loaded.pack is None or has_errors((*loaded.findings, *looks)):
        return BuildResult(findings=(*loaded.findings, *looks))
    loaded, choice = with_chosen_engine(places(project, pack_id), loaded)
    loaded, select = apply_product(project, loaded, select)
    made = render_cards(project, loaded, select, workers)
    findings: tuple[Finding, ...] = made.rendered.findings
    if has_errors(findings):
        return BuildResult(
            findings=findings,
            rendered_count=made.rendered.rendered_count,
            cached_count=made.rendered.cached_count,
        )
    built, found = [], list(findings)
    product = find_product(loaded, select.product) if select.product is not None else None
    for lang in select_languages(made.renderer.pack, select.langs):
        cards = list_shown_cards(made, lang, select.variant)
        sizes = {
            stack: card.size
            for card in cards
            for stack in (card.front, card.back)
            if stack is not None
        }
        order = {stack: (page, size) for page, (stack, size) in enumerate(sizes.items())}
        name = "-".join(filter(None, (pack_id, select.product, lang, screen.form)))
        folder = (screen.output or project.output_dir(pack_id)) / name
        with (
            compose_face_pages(made.renderer, TRIM, sizes.items(), "faces") as path,
            open_document(path) as document,
            open_package(folder) as box,
        ):
            pictures = Pictures(
                document, order, screen.dpi, lang, made.renderer.get_words(lang).pack_name, folder
            )
            if product is not None:
                source = made.renderer.pack.manifest.languages.source
                pictures.decks = {
                    key: pick_text(deck.name, lang, source) or key
                    for key, deck in product.decks.items()
                }
            pictures.pieces = partial(_pieces, project, loaded, lang, select, screen.dpi)
            count = _WRITERS[screen.form](box, pictures, cards, screen)
            box.write_sums()
            found += pictures.findings
        built.append(BuiltFile(folder, count, len(cards), box.changed))
    return BuildResult(
        tuple(built),
        tuple(found),
        made.rendered.rendered_count,
        made.rendered.cached_count,
        engine_choice=choice,
    )


def _pieces(
    project: Project, loaded: LoadedPack, lang: str, select: Selection, dpi: int
) -> Iterable[GaugePicture]:
    """The gauges that come with a whole set, or with a product."""
    if select.only or select.roster is not None:
        return ()
    return render_gauge_pictures(project, loaded, lang, dpi, select_gauges(loaded, select))


def list_shown_cards(made: RenderedCards, lang: str, variant: Variant) -> tuple[ShownFaces, ...]:
    """The cards of a language with the addresses of their faces, but for those of which a face could not be set."""
    pack, words, found = made.renderer.pack, made.renderer.get_words(lang), []
    source = pack.manifest.languages.source
    currency = pick_text(pack.manifest.roster.currency, lang, source)
    for card, deck in zip(made.cards(lang), made.decks.get(lang) or repeat(""), strict=False):
        try:
            pair = get_card_pair(made.renderer, card, lang, variant, made.rendered.keys)
        except KeyError:
            continue
        kind, name = pack.manifest.kinds[card.kind], localize_card(pack, card, lang)[0]
        faction = words.faction(card.faction)
        told = (
            pick_text(kind.name, lang, source),
            str(faction["name"]) if faction is not None else "",
            (
                *((f"{card.cost:g} {currency}".strip(),) if card.cost is not None else ()),
                *map(words.keyword, card.keywords),
            ),
        )
        faces = (kind.size, pair.front, pair.back)
        found.append(
            ShownFaces(card, name, *told, *faces, deck, join_card_texts(pack, card, words))
        )
    return tuple(found)


def join_card_texts(pack: Pack, card: Card, words: TemplateWords) -> str:
    """All that a card says besides its name, without markup, a line a text."""
    data, rich_texts = localize_card(pack, card, words.lang)[1], pack.rich.get(card.id, ())
    told = []
    for path in pack.texts.get(card.id, ()):
        value = look_up(data, path.split("."))
        if isinstance(value, str) and path != "name":
            told.append(
                Markup(str(render_markup(value, words)).replace("</p>", "</p> ")).striptags()
                if path in rich_texts
                else value
            )
    return "\n".join(told)


def _names(cards: Sequence[ShownFaces]) -> dict[Stack, str]:
    names: dict[Stack, str] = {}
    for card in cards:
        names.setdefault(card.front, f"{card.card.kind}-{card.card.id}-front")
        if card.back is not None:
            names.setdefault(card.back, f"{card.card.kind}-{card.card.id}-back")
    return names


def _write_singles(
    box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen
) -> int:
    form = "webp" if screen.form in ("webp", "gallery") else "png"
    names = _names(cards)
    for stack, name in names.items():
        box.write(f"{name}.{form}", encode_picture(pictures.of(stack), form, screen.dpi))
    return len(names)


def _write_gallery(
    box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen
) -> int:
    count = _write_singles(box, pictures, cards, screen)
    hung = {card.front: card for card in cards}.values()
    told = {"title": pictures.title, "files": _names(cards), "pixels": pictures.pixels}
    box.write("index.html", page("gallery.html", pictures.lang, cards=hung, **told).encode())
    return count


def _write_overview(
    box: Package, pictures: Pictures, cards: Sequence[ShownFaces], screen: Screen
) -> int:
    """All faces in one scale, fronts beside their backs; on one picture, or where they are many on several."""
    parts: list[list[Stack]] = []
    small, taken = replace(pictures, dpi=min(screen.dpi, OVERVIEW_DPI)), 0
    for stack, (_page, size) in pictures.order.items():
        taken += prod(small.pixels(size))
        if not parts or taken > MOST:
            parts.append([])
            taken = prod(small.pixels(size))
        parts[-1].append(stack)
    for number, part in enumerate(parts, 1):
        name = f"overview-{number}.png" if number > 1 else "overview.png"
        box.write(
            name,
            encode_picture(
                make_overview_sheet(map(small.of, part), WIDE, small.dpi), "png", small.dpi
            ),
        )
    return len(parts)


_WRITERS = {
    "png": _write_singles,
    "webp": _write_singles,
    "gallery": _write_gallery,
    "overview": _write_overview,
    "tabletop": write_table_game,
    "cgs": write_card_game,
}
