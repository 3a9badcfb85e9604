"""Tuck boxes for a product's decks: a PDF with art and dieline on layers of their own, and the dieline as SVG."""

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
from builder.usecases.build.typeset import TRIM, RenderedCards, compose_face_pages, get_card_pair

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from builder.geometry.tuckbox import Blank

DPI, EDGE, MARGIN = 300, 8.0, 2.0
PAPERS = ((210.0, 297.0), (297.0, 210.0), (297.0, 420.0), (420.0, 297.0))


def write_boxes(
    project: Project, loaded: LoadedPack, made: RenderedCards, options: BuildOptions, folder: Path
) -> list[BuiltFile]:
    """A box for each deck of the product that has one, in each language. Raises OutputNotWritten."""
    select = options.select
    assert select.product is not None
    maker = BoxMaker(project, made)
    built = []
    for lang in made.orders:
        if get_text_direction(lang) == "rtl" and any(
            deck.box for deck in find_product(loaded, select.product).decks.values()
        ):
            # Boxes are lettered letter by letter, from left to right.
            message = _(
                "tuck boxes cannot be printed in {lang}, a right-to-left language",
                lang=lang,
            )
            raise UsageError(message, _("Build the product in another language of the pack."))
        stem = select.stem(made.renderer.pack.id, lang)
        product = find_product(loaded, select.product)
        sold = pick_text(product.name, lang, made.renderer.pack.manifest.languages.source)
        for name, deck in product.decks.items():
            if deck.box is not None and name in made.decks[lang]:
                for ending, data in maker.files(name, deck, deck.box, lang, sold).items():
                    path = folder / f"{stem}-box-{name}.{ending}"
                    built.append(BuiltFile(path, 1, 1, write_if_changed(path, data), "boxes"))
    return built


@dataclass(frozen=True, slots=True)
class BoxMaker:
    """Sizes boxes by the decks of rendered cards, and draws them."""

    project: Project
    made: RenderedCards

    def files(
        self, name: str, deck: ProductDeck, box: TuckBox, lang: str, sold: str
    ) -> dict[str, bytes]:
        """The PDF and the SVG of one box of the product that is `sold`, by their endings."""
        from builder.geometry.gauges.context import Context
        from builder.geometry.gauges.sheet import Sheet
        from builder.geometry.tuckbox import (
            BACK,
            FRONT,
            BoxTitles,
            draw_background,
            draw_dieline,
            draw_titles,
            make_blank,
            write_dieline_svg,
        )
        from builder.render.sheets.gauges.shapes import Typefaces
        from builder.render.sheets.gauges.write import write_gauge_sheets

        pack = self.made.renderer.pack
        held = [
            card
            for card, of in zip(self.made.cards(lang), self.made.decks[lang], strict=True)
            if of == name
        ]
        sizes = [pack.manifest.kinds[card.kind].size for card in held]
        shape = make_blank(
            len(held), max(size.width for size in sizes), max(size.height for size in sizes), box
        )
        source, typefaces = pack.manifest.languages.source, Typefaces()
        context = Context(lang, source, GaugeStyle(), typefaces, max(shape.size))
        arts = {FRONT: box.front, BACK: box.back}
        bare = tuple(wall for wall, art in arts.items() if art is None)
        title = pick_text(deck.name, lang, source) or name
        words = draw_titles(shape, BoxTitles(title, sold, box.ink), context, bare)
        sheets = [
            Sheet(draw_background(shape, box), ()),
            Sheet(words, ()),
            Sheet(draw_dieline(shape), ()),
        ]
        wide, high = shape.size
        data = write_gauge_sheets(
            sheets, Paper(width=wide, height=high), typefaces, {}, f"{sold}: {title}"
        )
        grounds = {FRONT: box.colour, BACK: ""}
        shown = ((wall, art) for wall, art in arts.items() if art is not None)
        pictures = {
            wall: self.picture(art, shape.find_wall(wall), lang, grounds[wall])
            for wall, art in shown
        }
        return {"pdf": join_layers(data, shape, pictures), "svg": write_dieline_svg(shape).encode()}

    def picture(self, art: BoxArt, wall: Box, lang: str, ground: str) -> Picture:
        """What covers a wall: a picture of the pack, or the front of a card, cut to the wall's proportions. With a
        `ground` a card stands whole below the thumb notch, which would take its name.
        """
        from PIL import Image, ImageOps

        from builder.geometry.tuckbox import NOTCH_RADIUS_MM

        pixels = to_pixels(wall.width, DPI), to_pixels(wall.height, DPI)
        pack = self.made.renderer.pack
        if art.card is None:
            roots = (self.project.cards_dir(pack.id), self.project.templates_dir(pack.id))
            files = (find_inside(root / "art", art.art or "") for root in roots)
            path = next(filter(None, files), None)
            if path is None:
                message = _("the picture {file} does not exist in art/", file=art.art)
                raise InputUnreadable(
                    message, _("Add the file, or correct its name in products.yaml.")
                )
            try:
                with reject_truncated_pictures(), Image.open(path) as image:
                    return ImageOps.fit(image.convert("RGB"), pixels)
            except MemoryError:
                raise
            except Exception as error:  # whatever the library meets in a picture that is not whole
                message = _(
                    "{file}: cannot be read as an image: {reason}",
                    file=path,
                    reason=describe_os_error(error),
                )
                raise InputUnreadable(message, _("Save it again as PNG or JPEG.")) from error
        card, renderer = pack.cards[art.card], self.made.renderer
        keys = renderer.render(list_card_jobs(renderer, card, lang, "full")).keys
        size = pack.manifest.kinds[card.kind].size
        scale = max(pixels[0] / size.width, pixels[1] / size.height)
        stack = get_card_pair(renderer, card, lang, "full", keys).front
        with (
            compose_face_pages(renderer, TRIM, [(stack, size)], "box") as pages,
            open_document(pages) as document,
        ):
            face: Picture = render_page(
                document, 0, (round(size.width * scale), round(size.height * scale))
            )
        if not ground:
            return ImageOps.fit(face, pixels)
        below = pixels[1] - to_pixels(NOTCH_RADIUS_MM + MARGIN, DPI)
        whole = ImageOps.contain(face, (pixels[0], below - to_pixels(MARGIN, DPI)))
        sheet = Image.new("RGB", pixels, ground)
        sheet.paste(whole, ((pixels[0] - whole.width) // 2, pixels[1] - below))
        return sheet


def join_layers(data: bytes, shape: Blank, pictures: dict[int, Picture]) -> bytes:
    """The pages of a PDF (ground, words, dieline) as layers of one, pictures on their walls below the words."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    pdf = pikepdf.open(BytesIO(data))
    wide, high = shape.size
    drawn, images = [], Dictionary()
    for wall, image in pictures.items():
        box, packed = shape.find_wall(wall), pdf.make_stream(image.tobytes())
        about = {
            "/Type": Name.XObject,
            "/Subtype": Name.Image,
            "/Width": image.width,
            "/Height": image.height,
        }
        for key, value in (about | {"/ColorSpace": Name.DeviceRGB, "/BitsPerComponent": 8}).items():
            packed[key] = value
        images[f"/P{wall}"] = packed
        place = (
            to_points(box.width),
            to_points(box.height),
            to_points(box.x),
            to_points(high - box.y - box.height),
        )
        drawn.append("q {:.4f} 0 0 {:.4f} {:.4f} {:.4f} cm /P{} Do Q".format(*place, wall))
    layers = [
        pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name)) for name in ("Art", "Dieline")
    ]
    streams = [page.Contents.read_bytes() for page in pdf.pages]
    parts = [
        b"/OC /L0 BDC",
        streams[0],
        "\n".join(drawn).encode(),
        streams[1],
        b"EMC /OC /L1 BDC",
        streams[2],
        b"EMC",
    ]
    page = pdf.pages[0]
    page.Contents = pdf.make_stream(b"\n".join(parts))
    page.Resources.XObject = images
    page.Resources.Properties = Dictionary(L0=layers[0], L1=layers[1])
    fitting = [size for size in PAPERS if size[0] >= wide + 2 * EDGE and size[1] >= high + 2 * EDGE]
    paper = fitting[0] if fitting else (wide + 2 * EDGE, high + 2 * EDGE)
    left, low = (
        to_points(outer - inner) / 2 for outer, inner in zip(paper, (wide, high), strict=True)
    )
    page.MediaBox = Array([-left, -low, to_points(paper[0]) - left, to_points(paper[1]) - low])
    page.TrimBox = Array([0, 0, to_points(wide), to_points(high)])
    del pdf.pages[1:]
    pdf.Root.OCProperties = Dictionary(
        OCGs=Array(layers), D=Dictionary(Order=Array(layers), ON=Array(layers))
    )
    out = BytesIO()
    pdf.save(out, deterministic_id=True, compress_streams=True, min_version="1.7")
    return out.getvalue()
