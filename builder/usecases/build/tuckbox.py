"""Write tuck boxes for decks: a PDF with art and dieline on layers, and the dieline as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import InputUnreadable, UsageError
from builder.files import reject_truncated_pictures, write_if_changed
from builder.findings import Box
from builder.messages import describe_os_error, gettext as _
from builder.model.gauge import GaugeStyle
from builder.model.languages import get_text_direction
from builder.model.loaded import LoadedPack
from builder.model.product import BoxArt, ProductDeck, TuckBox
from builder.model.profile import Paper
from builder.packs.project import Project
from builder.render.files import find_inside
from builder.render.filling import list_card_jobs
from builder.render.html.view import pick_text
from builder.render.prepress.raster import open_document, render_page
from builder.units import to_pixels, to_points
from builder.usecases.build.build_options import BuildOptions, BuiltFile
from builder.usecases.build.product import find_product
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    get_card_pair,
)

if TYPE_CHECKING:
    from pikepdf import Dictionary, Pdf
    from PIL.Image import Image as Picture

    from builder.geometry.tuckbox import Blank

DPI = 300
PAPER_EDGE_MM = 8.0
"""The edge of the paper that printers cannot print."""
NOTCH_MARGIN_MM = 2.0
PAPER_SIZES_MM = ((210.0, 297.0), (297.0, 210.0), (297.0, 420.0), (420.0, 297.0))


def write_boxes(
    project: Project,
    loaded: LoadedPack,
    rendered_cards: RenderedCards,
    options: BuildOptions,
    folder: Path,
) -> list[BuiltFile]:
    """Write a box for each deck of the product that declares one, in each language.

    Raises UsageError for a language from right to left, OutputNotWritten.
    """
    select, pack = options.select, rendered_cards.renderer.pack
    assert select.product is not None
    product = find_product(loaded, select.product)
    maker = BoxMaker(project, rendered_cards)
    built_files = []
    for lang in rendered_cards.orders:
        if get_text_direction(lang) == "rtl" and any(
            deck.box for deck in product.decks.values()
        ):
            # Boxes are lettered character by character, from left to right.
            form = _("tuck boxes cannot be printed in {lang}, a right-to-left language")
            hint = _("Build the product in another language of the pack.")
            raise UsageError(_(form, lang=lang), hint)
        stem = select.make_stem(pack.id, lang)
        product_name = pick_text(product.name, lang, pack.manifest.languages.source)
        for name, deck in product.decks.items():
            # A deck that `--only` leaves empty has no size.
            if deck.box is None or name not in rendered_cards.decks[lang]:
                continue
            for extension, data in maker.make_files(
                name, deck, lang, product_name
            ).items():
                path = folder / f"{stem}-box-{name}.{extension}"
                is_changed = write_if_changed(path, data)
                built_files.append(BuiltFile(path, 1, 1, is_changed, "boxes"))
    return built_files


@dataclass(frozen=True, slots=True)
class BoxMaker:
    """Calculates the sizes of boxes from the decks of rendered cards, and draws the boxes."""

    project: Project
    rendered_cards: RenderedCards

    def make_files(
        self, deck_id: str, deck: ProductDeck, lang: str, product_name: str
    ) -> dict[str, bytes]:
        """Return the PDF and the SVG of a deck's box, by file extension."""
        from builder.geometry.gauges.context import Context
        from builder.geometry.gauges.sheet import Sheet
        from builder.geometry.tuckbox import (
            BACK_WALL,
            FRONT_WALL,
            BoxTitles,
            draw_background,
            draw_dieline,
            draw_titles,
            write_dieline_svg,
        )
        from builder.render.sheets.gauges.shapes import Typefaces
        from builder.render.sheets.gauges.write import write_gauge_sheets

        box = deck.box
        assert box is not None
        blank = self._make_blank(deck_id, box, lang)
        source = self.rendered_cards.renderer.pack.manifest.languages.source
        typefaces = Typefaces()
        context = Context(lang, source, GaugeStyle(), typefaces, max(blank.size))
        art_by_wall = {FRONT_WALL: box.front, BACK_WALL: box.back}
        walls_without_art = tuple(
            wall for wall, art in art_by_wall.items() if art is None
        )
        title = pick_text(deck.name, lang, source) or deck_id
        titles = draw_titles(
            blank, BoxTitles(title, product_name, box.ink), context, walls_without_art
        )
        layers = (draw_background(blank, box), titles, draw_dieline(blank))
        width, height = blank.size
        paper = Paper(width=width, height=height)
        sheets = [Sheet(layer, ()) for layer in layers]
        data = write_gauge_sheets(
            sheets, paper, typefaces, {}, f"{product_name}: {title}"
        )
        backgrounds = {FRONT_WALL: box.colour, BACK_WALL: ""}
        pictures: dict[int, Picture] = {}
        for wall, art in art_by_wall.items():
            if art is not None:
                area = blank.get_wall_area(wall)
                pictures[wall] = self._draw_wall(art, area, lang, backgrounds[wall])
        return {
            "pdf": join_layers(data, blank, pictures),
            "svg": write_dieline_svg(blank).encode(),
        }

    def _make_blank(self, deck_id: str, box: TuckBox, lang: str) -> Blank:
        """Return the unfolded box in the size of the deck."""
        from builder.geometry.tuckbox import make_blank

        kinds = self.rendered_cards.renderer.pack.manifest.kinds
        cards = self.rendered_cards.list_cards(lang)
        sizes = []
        for card, deck in zip(cards, self.rendered_cards.decks[lang], strict=True):
            if deck == deck_id:
                sizes.append(kinds[card.kind].size)
        width = max(size.width for size in sizes)
        height = max(size.height for size in sizes)
        return make_blank(len(sizes), width, height, box)

    def _draw_wall(self, art: BoxArt, wall: Box, lang: str, background: str) -> Picture:
        """Return the artwork of a panel: a picture of the pack or a card's front, cropped.

        With a `background`, a whole card is placed below the thumb notch, which would cut its name.
        """
        from PIL import Image, ImageOps

        from builder.geometry.tuckbox import NOTCH_RADIUS_MM

        pixels = to_pixels(wall.width, DPI), to_pixels(wall.height, DPI)
        if art.card is None:
            return self._open_art(art.art or "", pixels)
        face = self._draw_front(art.card, pixels, lang)
        if not background:
            return ImageOps.fit(face, pixels)
        width, height = pixels
        free_height = height - to_pixels(NOTCH_RADIUS_MM + NOTCH_MARGIN_MM, DPI)
        max_height = free_height - to_pixels(NOTCH_MARGIN_MM, DPI)
        card = ImageOps.contain(face, (width, max_height))
        sheet = Image.new("RGB", pixels, background)
        x = (width - card.width) // 2
        sheet.paste(card, (x, height - free_height))
        return sheet

    def _open_art(self, file: str, pixels: tuple[int, int]) -> Picture:
        """Return a picture of the pack, cut to a size.

        Raises InputUnreadable if it is missing or broken.
        """
        from PIL import Image, ImageOps

        pack_id = self.rendered_cards.renderer.pack.id
        cards_folder = self.project.get_cards_dir(pack_id)
        templates_folder = self.project.get_templates_dir(pack_id)
        path = find_inside(cards_folder / "art", file) or find_inside(
            templates_folder / "art", file
        )
        if path is None:
            message = _("the picture {file} does not exist in art/", file=file)
            raise InputUnreadable(
                message, _("Add the file, or correct its name in products.yaml.")
            )
        try:
            with reject_truncated_pictures(), Image.open(path) as image:
                return ImageOps.fit(image.convert("RGB"), pixels)
        # Not a fault of the picture.
        except MemoryError:
            raise
        except Exception as error:  # the library raises anything for a broken picture
            form = _("{file}: cannot be read as an image: {reason}")
            message = _(form, file=path, reason=describe_os_error(error))
            raise InputUnreadable(
                message, _("Save it again as PNG or JPEG.")
            ) from error

    def _draw_front(self, card_id: str, pixels: tuple[int, int], lang: str) -> Picture:
        """Return a card's front, large enough to cover a size in pixels."""
        renderer = self.rendered_cards.renderer
        card = renderer.pack.cards[card_id]
        keys = renderer.render(list_card_jobs(renderer, card, lang, "full")).keys
        size = renderer.pack.manifest.kinds[card.kind].size
        scale = max(pixels[0] / size.width, pixels[1] / size.height)
        face_pixels = (round(size.width * scale), round(size.height * scale))
        stack = get_card_pair(renderer, card, lang, "full", keys).front
        with (
            compose_face_pages(renderer, TRIM, [(stack, size)], "box") as path,
            open_document(path) as document,
        ):
            face: Picture = render_page(document, 0, face_pixels)
        return face


def join_layers(data: bytes, blank: Blank, pictures: dict[int, Picture]) -> bytes:
    """Join the pages of a PDF (background, titles, dieline) to one page with layers.

    Pictures are placed on their walls below the titles.
    """
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    pdf = pikepdf.open(BytesIO(data))
    images, placements = _embed_pictures(pdf, blank, pictures)
    # A layer is an optional content group (OCG), which viewers can hide.
    art_layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Art"))
    dieline_layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Dieline"))
    layers = [art_layer, dieline_layer]
    background, titles, dieline = [page.Contents.read_bytes() for page in pdf.pages]
    # BDC begins the content of a layer, EMC ends it.
    art_content = [b"/OC /L0 BDC", background, placements, titles]
    dieline_content = [b"EMC /OC /L1 BDC", dieline, b"EMC"]
    page = pdf.pages[0]
    page.Contents = pdf.make_stream(b"\n".join(art_content + dieline_content))
    page.Resources.XObject = images
    page.Resources.Properties = Dictionary(L0=art_layer, L1=dieline_layer)
    width, height = blank.size
    paper_width, paper_height = _choose_paper(width, height)
    min_x = to_points(paper_width - width) / 2
    min_y = to_points(paper_height - height) / 2
    max_x = to_points(paper_width) - min_x
    max_y = to_points(paper_height) - min_y
    page.MediaBox = Array([-min_x, -min_y, max_x, max_y])
    page.TrimBox = Array([0, 0, to_points(width), to_points(height)])
    del pdf.pages[1:]
    order = Dictionary(Order=Array(layers), ON=Array(layers))
    pdf.Root.OCProperties = Dictionary(OCGs=Array(layers), D=order)
    out = BytesIO()
    pdf.save(out, deterministic_id=True, compress_streams=True, min_version="1.7")
    return out.getvalue()


def _embed_pictures(
    pdf: Pdf, blank: Blank, pictures: dict[int, Picture]
) -> tuple[Dictionary, bytes]:
    """Add pictures to a PDF. Return its images, and the drawing commands that place them."""
    from pikepdf import Dictionary, Name

    images = Dictionary()
    commands = []
    for wall, picture in pictures.items():
        image = pdf.make_stream(picture.tobytes())
        image["/Type"] = Name.XObject
        image["/Subtype"] = Name.Image
        image["/Width"] = picture.width
        image["/Height"] = picture.height
        image["/ColorSpace"] = Name.DeviceRGB
        image["/BitsPerComponent"] = 8
        images[f"/P{wall}"] = image
        area = blank.get_wall_area(wall)
        width, height = to_points(area.width), to_points(area.height)
        # PDF measures from the bottom, the blank from the top.
        x = to_points(area.x)
        y = to_points(blank.size[1] - area.y - area.height)
        # `cm` scales the unit square of an image and moves it, `Do` paints it.
        matrix = f"{width:.4f} 0 0 {height:.4f} {x:.4f} {y:.4f}"
        commands.append(f"q {matrix} cm /P{wall} Do Q")
    return images, "\n".join(commands).encode()


def _choose_paper(width: float, height: float) -> tuple[float, float]:
    """Return the smallest paper for an unfolded box in mm.

    If none is large enough, fit the paper to it.
    """
    min_width = width + 2 * PAPER_EDGE_MM
    min_height = height + 2 * PAPER_EDGE_MM
    for paper_width, paper_height in PAPER_SIZES_MM:
        if paper_width >= min_width and paper_height >= min_height:
            return paper_width, paper_height
    return min_width, min_height
