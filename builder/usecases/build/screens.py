"""Write pictures for screens: one per face, sheets for simulators, an overview, a gallery."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import repeat
from math import prod
from pathlib import Path

from markupsafe import Markup

from builder.findings import Finding, has_errors
from builder.geometry.imposition import Pair
from builder.model.base import look_up
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack, Size
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import refuse_imported
from builder.packs.project import Project
from builder.packs.releases.package import Package, open_package
from builder.render.html.markup import render_markup
from builder.render.html.pages import page
from builder.render.html.view import TemplateWords, localize_card, pick_text
from builder.render.jobs import Variant
from builder.render.prepress.raster import (
    encode_picture,
    make_overview_sheet,
    open_document,
)
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import Stack
from builder.units import pick_unit_form
from builder.usecases.appearance import check_appearance_files
from builder.usecases.build.build_options import (
    BuildResult,
    BuiltFile,
    Selection,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.gauges import GaugePicture, render_gauge_pictures
from builder.usecases.build.pictures import CardFaces, PictureOptions, Pictures
from builder.usecases.build.product import apply_product, find_product, select_gauges
from builder.usecases.build.records import add_draft_mark, record_owner, remove_draft
from builder.usecases.build.tabletop import write_card_game, write_table_game
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    get_card_pair,
    render_cards,
    select_languages,
)
from builder.usecases.pack_states import load_pack_as_of

OVERVIEW_WIDTH_PIXELS = 2400
MAX_OVERVIEW_PIXELS = 16_000_000
"""Pixels of all faces on one overview: they are in memory together."""
OVERVIEW_DPI = 90


def build_screens(
    project: Project,
    pack_id: str,
    select: Selection,
    screen: PictureOptions,
    workers: WorkerPool,
) -> BuildResult:
    """Write the pictures of each language into its own folder. If cards do not fit, write a draft.

    Raise UsageError if pictures of a private pack would be visible to others.
    """
    # A gallery, and sheets with an address, are made for other people.
    if screen.form == "gallery" or screen.url is not None:
        refuse_imported(project, pack_id)
    loaded = load_pack_as_of(PackFiles(project), pack_id, select.as_of)
    file_findings = check_appearance_files(project, pack_id)
    if loaded.pack is None or has_errors((*loaded.findings, *file_findings)):
        return BuildResult(findings=(*loaded.findings, *file_findings))
    loaded, choice = with_chosen_engine(get_render_folders(project, pack_id), loaded)
    loaded, select = apply_product(project, loaded, select)
    rendered_cards = render_cards(
        project, loaded, select, workers, drafts=not screen.strict
    )
    result = rendered_cards.make_result()
    if rendered_cards.rendered.drafts:
        rendered_cards = rendered_cards.make_draft(select.variant)
    if has_errors(result.findings) and not rendered_cards.is_draft:
        return result
    files: list[BuiltFile] = []
    removed: list[Path] = []
    findings = [*result.findings]
    for lang in select_languages(loaded.whole, select.langs):
        file, lang_findings = _write_folder(
            project, loaded, rendered_cards, lang, select, screen
        )
        files.append(file)
        findings += lang_findings
        if file.draft:
            # A later build without errors removes the draft.
            record_owner(project, file.path, (pack_id, lang))
        else:
            removed += remove_draft(project, file.path)
    return replace(
        result,
        files=tuple(files),
        findings=tuple(findings),
        removed=tuple(removed),
        engine_choice=choice,
    )


def _write_folder(
    project: Project,
    loaded: LoadedPack,
    rendered_cards: RenderedCards,
    lang: str,
    select: Selection,
    screen: PictureOptions,
) -> tuple[BuiltFile, list[Finding]]:
    """Write the pictures of one language. Return the folder, and findings about the pictures."""
    renderer = rendered_cards.renderer
    cards = list_card_faces(rendered_cards, lang, select.variant)
    sizes = _list_sizes(cards)
    order: dict[Stack, tuple[int, Size]] = {}
    for page_index, (stack, size) in enumerate(sizes.items()):
        order[stack] = (page_index, size)
    name_parts = (loaded.whole.id, select.product, lang, screen.form)
    name = "-".join(part for part in name_parts if part)
    folder = (screen.output or project.get_output_dir(loaded.whole.id)) / name
    if rendered_cards.is_draft:
        folder = add_draft_mark(folder)
    with (
        compose_face_pages(renderer, TRIM, sizes.items(), "faces") as path,
        open_document(path) as document,
        open_package(folder) as box,
    ):
        title = renderer.get_words(lang).pack_name
        pictures = Pictures(document, order, screen.dpi, lang, title, folder)
        pictures.decks = _name_decks(loaded, select, lang)
        pictures.pieces = partial(
            _render_pieces, project, loaded, lang, select, screen.dpi
        )
        count = _WRITERS[screen.form](box, pictures, cards, screen)
        box.write_sums()
    is_draft = rendered_cards.is_draft
    file = BuiltFile(folder, count, len(cards), box.changed, draft=is_draft)
    return file, pictures.findings


def _list_sizes(cards: Sequence[CardFaces]) -> dict[Stack, Size]:
    """Return the size of each different face, in the order of the cards."""
    sizes: dict[Stack, Size] = {}
    for card in cards:
        sizes[card.front] = card.size
        if card.back is not None:
            sizes[card.back] = card.size
    return sizes


def _name_decks(loaded: LoadedPack, select: Selection, lang: str) -> dict[str, str]:
    """Return the names of the product's decks by their ids. Without a product, there are none."""
    if select.product is None:
        return {}
    source = loaded.whole.manifest.languages.source
    decks = find_product(loaded, select.product).decks
    return {
        key: pick_text(deck.name, lang, source) or key for key, deck in decks.items()
    }


def _render_pieces(
    project: Project, loaded: LoadedPack, lang: str, select: Selection, dpi: int
) -> Iterable[GaugePicture]:
    """Return pictures of the gauges that belong to all cards or to the selected product."""
    if select.only or select.roster is not None:
        return ()
    return render_gauge_pictures(
        project, loaded, lang, dpi, select_gauges(loaded, select)
    )


def list_card_faces(
    rendered_cards: RenderedCards, lang: str, variant: Variant
) -> tuple[CardFaces, ...]:
    """Return the cards of a language with their faces. Leave out cards with a broken face."""
    renderer = rendered_cards.renderer
    keys = rendered_cards.rendered.keys
    card_faces: list[CardFaces] = []
    # Without a product, `decks` has no end.
    decks = rendered_cards.decks.get(lang) or repeat("")
    for card, deck in zip(rendered_cards.list_cards(lang), decks, strict=False):
        with suppress(KeyError):  # a face that could not be rendered has no key
            pair = get_card_pair(renderer, card, lang, variant, keys)
            card_faces.append(_describe_card(renderer, card, lang, pair, deck))
    return tuple(card_faces)


def _describe_card(
    renderer: Renderer, card: Card, lang: str, pair: Pair[Stack], deck: str
) -> CardFaces:
    """Return a card's faces with its texts in one language."""
    pack = renderer.pack
    words = renderer.get_words(lang)
    kind = pack.manifest.kinds[card.kind]
    source = pack.manifest.languages.source
    faction = words.faction(card.faction)
    facts = [words.keyword(keyword) for keyword in card.keywords]
    if card.cost is not None:
        currency = pick_text(pack.manifest.roster.currency, lang, source)
        facts.insert(
            0, f"{card.cost:.12g} {pick_unit_form(currency, card.cost)}".strip()
        )
    return CardFaces(
        card,
        name=localize_card(pack, card, lang)[0],
        kind=pick_text(kind.name, lang, source),
        faction="" if faction is None else str(faction["name"]),
        facts=tuple(facts),
        size=kind.size,
        front=pair.front,
        back=pair.back,
        deck=deck,
        text=join_card_texts(pack, card, words),
    )


def join_card_texts(pack: Pack, card: Card, words: TemplateWords) -> str:
    """Return all texts of a card except its name, without markup, one on each line."""
    data = localize_card(pack, card, words.lang)[1]
    rich_paths = pack.rich.get(card.id, ())
    texts: list[str] = []
    for path in pack.texts.get(card.id, ()):
        text = look_up(data, path.split("."))
        if not isinstance(text, str) or path == "name":
            continue
        if path in rich_paths:
            # A space keeps the words of two paragraphs apart when the tags are removed.
            html = str(render_markup(text, words)).replace("</p>", "</p> ")
            text = Markup(html).striptags()
        texts.append(text)
    return "\n".join(texts)


def _name_faces(cards: Sequence[CardFaces]) -> dict[Stack, str]:
    """Return the file name of each different face, without extension."""
    names: dict[Stack, str] = {}
    for card in cards:
        stem = f"{card.card.kind}-{card.card.id}"
        names.setdefault(card.front, f"{stem}-front")
        if card.back is not None:
            names.setdefault(card.back, f"{stem}-back")
    return names


def _write_singles(
    box: Package, pictures: Pictures, cards: Sequence[CardFaces], screen: PictureOptions
) -> int:
    extension = "webp" if screen.form in ("webp", "gallery") else "png"
    names = _name_faces(cards)
    for stack, name in names.items():
        face = pictures.draw_face(stack)
        box.write_file(
            f"{name}.{extension}", encode_picture(face, extension, screen.dpi)
        )
    return len(names)


def _write_gallery(
    box: Package, pictures: Pictures, cards: Sequence[CardFaces], screen: PictureOptions
) -> int:
    count = _write_singles(box, pictures, cards, screen)
    values = {
        "title": pictures.title,
        "files": _name_faces(cards),
        "pixels": pictures.measure_face,
        # Copies of a card have the same front and are shown once.
        "cards": {card.front: card for card in cards}.values(),
    }
    box.write_file("index.html", page("gallery.html", pictures.lang, **values).encode())
    return count


def _write_overview(
    box: Package, pictures: Pictures, cards: Sequence[CardFaces], screen: PictureOptions
) -> int:
    """Write all faces at one scale.

    Use as many pictures as the memory requires. Return their number.
    """
    small_pictures = replace(pictures, dpi=min(screen.dpi, OVERVIEW_DPI))
    dpi = small_pictures.dpi
    batches = _split_overview(small_pictures)
    for number, batch in enumerate(batches, 1):
        name = f"overview-{number}.png" if number > 1 else "overview.png"
        faces = map(small_pictures.draw_face, batch)
        sheet = make_overview_sheet(faces, OVERVIEW_WIDTH_PIXELS, dpi)
        box.write_file(name, encode_picture(sheet, "png", dpi))
    return len(batches)


def _split_overview(pictures: Pictures) -> list[list[Stack]]:
    """Return the faces in batches that fit in memory."""
    batches: list[list[Stack]] = []
    pixels_of_batch = 0
    for stack, (_page, size) in pictures.order.items():
        pixels_of_face = prod(pictures.measure_face(size))
        pixels_of_batch += pixels_of_face
        if not batches or pixels_of_batch > MAX_OVERVIEW_PIXELS:
            batches.append([])
            pixels_of_batch = pixels_of_face
        batches[-1].append(stack)
    return batches


_WRITERS = {
    "png": _write_singles,
    "webp": _write_singles,
    "gallery": _write_gallery,
    "overview": _write_overview,
    "tabletop": write_table_game,
    "cgs": write_card_game,
}
