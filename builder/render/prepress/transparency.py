"""Remove transparency from pages."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from builder.pdf import (
    Dictionary,
    Instruction,
    Name,
    Object,
    ObjectId,
    Page,
    Pdf,
    list_entries,
    read_instructions,
    serialize_instructions,
)
from builder.render.cache import Result, ResultCache
from builder.render.prepress.drawings import (
    find_drawings,
    hash_resources,
    list_forms,
    list_images,
    make_page_form,
    read_content,
    replace_content,
)
from builder.render.prepress.ink import Ink
from builder.render.prepress.raster import Pixels, open_document, render_page
from builder.render.sheets.pdfwriter import format_number
from builder.units import POINTS_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

WITHOUT_FILL = {"f": "n", "F": "n", "f*": "n", "B": "S", "B*": "S", "b": "s", "b*": "s"}
WITHOUT_STROKE = {"S": "n", "s": "n", "B": "f", "B*": "f*", "b": "f", "b*": "f*"}
"""Painting operators and what replaces them if nothing of the fill, or of the stroke, is visible.
"""
PAINT_OPERATORS = frozenset({*WITHOUT_FILL, *WITHOUT_STROKE})
OTHER_PAINTERS = frozenset({"Tj", "TJ", "'", '"', "Do", "sh", "INLINE IMAGE"})
"""What cannot be left out alone: glyphs move what follows them, drawings have their own paints."""
STATE_OPERATORS = frozenset(
    {"rg", "RG", "g", "G", "k", "K", "cs", "CS", "sc", "scn", "gs"}
)
TRANSPARENCY_KEYS = frozenset({"/ca", "/CA", "/SMask", "/BM"})
PICTURE_DPI, COMPARISON_DPI = 600, 100
MAX_INVISIBLE_DIFFERENCE = 40
"""Pages whose brightness (of 255) differs by no more look equal."""
PageSize: TypeAlias = tuple[float, float]
"""The width and the height of a page in points."""
Half = Literal["art", "type"]


class Splitter:
    """Copies forms with only their art, or with only their text. Each copy is made once."""

    def __init__(self, pdf: Pdf, cache: ResultCache | None = None) -> None:
        self._pdf = pdf
        self._cache = cache or ResultCache()
        self._copies: dict[tuple[ObjectId, Half], Object] = {}

    def split(self, form: Object, half: Half) -> Object:
        """Return a copy of a form with one half: its art, or its text.

        Text that is transparent counts as art, also by its form.
        """
        key = (form.objgen, half)
        if key not in self._copies:
            copy = self._pdf.make_stream(b"")
            for name, value in form.items():
                if name not in ("/Length", "/Filter", "/DecodeParms"):
                    copy[name] = value
            # Before its resources: a form may use itself.
            self._copies[key] = copy
            copy["/Resources"] = self._split_resources(form, half)
            resources = form.get("/Resources")
            inputs = [read_content(form), hash_resources(resources, "/ExtGState")]
            inputs += [name.encode() for name, _image in list_images(resources)]

            def make_half() -> Result:
                return serialize_instructions(_keep_half(form, half)), ()

            copy.write(self._cache.get(half, inputs, make_half)[0])
        return self._copies[key]

    def _split_resources(self, form: Object, half: Half) -> Object:
        """Return resources in which all forms are split too."""
        resources = Dictionary(dict(form.get("/Resources", Dictionary()).items()))
        # A form that is drawn transparently keeps its text in the art, under another name.
        is_transparent_art = half == "art" and _has_transparent_state(resources)
        if "/XObject" in resources:
            objects = Dictionary(dict(resources["/XObject"].items()))
            for name, inner in list_forms(resources):
                objects[name] = self.split(inner, half)
                if is_transparent_art:
                    objects[_name_whole(name)] = inner
            resources["/XObject"] = objects
        if half == "art" and "/Font" in resources and not is_transparent_art:
            del resources["/Font"]
        return resources


def _keep_half(form: Object, half: Half) -> list[Instruction]:
    """Return the instructions of a form that belong to one half: its art or its text."""
    resources = form.get("/Resources")
    image_names = {name for name, _image in list_images(resources)}
    form_names = {name for name, _form in list_forms(resources)}
    states = dict(list_entries(resources, "/ExtGState"))
    instructions: list[Instruction] = []
    for run in _split_runs(read_instructions(form), states, form_names, half):
        is_type = run.is_text and run.is_opaque
        if is_type == (half == "type"):
            # Art keeps all other instructions, type all opaque text blocks.
            instructions += run.instructions
        else:
            instructions += run.keep_effects(image_names)
    # Removed pictures and gradients have an empty name.
    return [item for item in instructions if item[1]]


@dataclass(slots=True)
class _InstructionRun:
    """Consecutive PDF instructions that are one text block, or have no text."""

    is_text: bool
    is_opaque: bool = True
    instructions: list[Instruction] = field(default_factory=list)

    def keep_effects(self, image_names: set[str]) -> list[Instruction]:
        """Return the instructions that affect later ones, without those that paint."""
        if self.is_text:
            return [item for item in self.instructions if item[1] in STATE_OPERATORS]
        return [_remove_paint(item, image_names) for item in self.instructions]


def _split_runs(
    drawing: Iterable[Instruction],
    states: Mapping[str, Object],
    form_names: set[str],
    half: Half,
) -> list[_InstructionRun]:
    """Split a drawing into text blocks and the rest. A transparent form counts as art."""
    runs = [_InstructionRun(False)]
    is_transparent = False
    saved_states: list[bool] = []
    for operands, operator in drawing:
        if operator == "q":
            saved_states.append(is_transparent)
        elif operator == "Q" and saved_states:
            is_transparent = saved_states.pop()
        elif operator == "gs":
            state = states.get(str(operands[0]))
            is_transparent = has_transparency(state) or (
                is_transparent and not _resets(state)
            )
        elif operator == "BT":
            runs.append(_InstructionRun(True))
        run = runs[-1]
        run.is_opaque &= not is_transparent
        item: Instruction = (operands, operator)
        run.instructions += (
            _keep_form_whole(item, form_names, half) if is_transparent else [item]
        )
        if operator == "ET":
            runs.append(_InstructionRun(False))
    return runs


def _keep_form_whole(
    item: Instruction, form_names: set[str], half: Half
) -> list[Instruction]:
    """Return an instruction that draws a transparent form, which is part of the art only."""
    operands, operator = item
    if operator != "Do" or str(operands[0]) not in form_names:
        return [item]
    if half == "type":
        return []
    return [((Name(_name_whole(str(operands[0]))),), operator)]


def _resets(state: Object | None) -> bool:
    """Return True if a graphics state switches transparency off."""
    return state is not None and not TRANSPARENCY_KEYS.isdisjoint(state.keys())


def _name_whole(name: str) -> str:
    """Return the name of a form that is drawn with its text, as part of the art."""
    return f"{name}Whole"


def _remove_paint(item: Instruction, image_names: set[str]) -> Instruction:
    """Return an instruction that paints nothing. Pictures and gradients get an empty name."""
    operands, operator = item
    if operator in PAINT_OPERATORS:
        return ((), "n")
    is_picture = operator == "Do" and str(operands[0]) in image_names
    if is_picture or operator in ("sh", "BI", "INLINE IMAGE"):
        return ((), "")
    return item


def has_transparency(state: Object | None) -> bool:
    """Return True if a graphics state makes objects transparent."""
    if state is None:
        return False
    # Opacities of fills and of strokes, a soft mask, and a mode of blending.
    fill_alpha = float(state.get("/ca", 1))
    stroke_alpha = float(state.get("/CA", 1))
    mask = state.get("/SMask", "/None")
    blend_mode = str(state.get("/BM", "/Normal"))
    if min(fill_alpha, stroke_alpha) < 1 or str(mask) != "/None":
        return True
    return blend_mode not in ("/Normal", "/Compatible")


def _has_transparent_state(resources: Object | None) -> bool:
    return any(
        has_transparency(state)
        for _name, state in list_entries(resources, "/ExtGState")
    )


def is_transparent(page: Page) -> bool:
    """Return True if a page draws anything transparent."""
    for item, resources in find_drawings([page]):
        states = list_entries(resources, "/ExtGState")
        names = [name for name, state in states if has_transparency(state)]
        names += [name for name, image in list_images(resources) if "/SMask" in image]
        # A name that the content never uses draws nothing.
        content = read_content(item) if names else b""
        if any(name.encode() in content for name in names):
            return True
    return False


def remove_invisible_paint(pdf: Pdf, cache: ResultCache) -> None:
    """Remove objects that are fully transparent, such as a clear border.

    Otherwise the page would have to become a picture.
    """
    for item, resources in find_drawings(pdf.pages):
        states = dict(list_entries(resources, "/ExtGState"))
        if any(_is_invisible(state) for state in states.values()):
            inputs = [read_content(item), hash_resources(resources, "/ExtGState")]

            def rewrite(
                item: Object = item, states: Mapping[str, Object] = states
            ) -> Result:
                return serialize_instructions(_keep_visible(item, states)), ()

            replace_content(item, cache.get("seen", inputs, rewrite)[0], pdf)


def _is_invisible(state: Object) -> bool:
    """Return True if a graphics state only makes objects fully transparent."""
    keys = set(state.keys()) - {"/Type"}
    if not keys or not keys <= {"/ca", "/CA"}:
        return False
    return not any(float(state[key]) for key in keys)


def _keep_visible(item: Object, states: Mapping[str, Object]) -> list[Instruction]:
    """Return a drawing without fully transparent objects.

    Unchanged if glyphs or other drawings are invisible.
    """
    drawing = read_instructions(item)
    visible_instructions: list[Instruction] = []
    fill_alpha = 1.0
    stroke_alpha = 1.0
    saved_alphas: list[tuple[float, float]] = []
    for operands, operator in drawing:
        state = states.get(str(operands[0])) if operator == "gs" else None
        if operator == "q":
            saved_alphas.append((fill_alpha, stroke_alpha))
        elif operator == "Q" and saved_alphas:
            fill_alpha, stroke_alpha = saved_alphas.pop()
        elif state is not None:
            fill_alpha = float(state.get("/ca", fill_alpha))
            stroke_alpha = float(state.get("/CA", stroke_alpha))
        elif not (fill_alpha and stroke_alpha) and operator in OTHER_PAINTERS:
            return drawing
        if state is None or not _is_invisible(state):
            operator = _choose_visible(operator, fill_alpha, stroke_alpha)
            visible_instructions.append((operands, operator))
    return visible_instructions


def _choose_visible(operator: str, fill_alpha: float, stroke_alpha: float) -> str:
    """Return the PDF operator that paints only the visible part of a path."""
    if not fill_alpha:
        operator = WITHOUT_FILL.get(operator, operator)
    return operator if stroke_alpha else WITHOUT_STROKE.get(operator, operator)


def flatten(
    pdf: Pdf, ink: Ink, cache: ResultCache | None = None
) -> tuple[list[int], list[int]]:
    """Replace transparent art on each page by a picture. Cached pictures are not drawn again.

    Return the indices of these pages, and of those whose text became a part of the picture.
    """
    cache = cache or ResultCache()
    remove_invisible_paint(pdf, cache)
    indices = [index for index, page in enumerate(pdf.pages) if is_transparent(page)]
    flattener = _Flattener(pdf, ink, cache)
    return indices, [
        index for index in indices if flattener.flatten_page(pdf.pages[index])
    ]


class _Flattener:
    """Replaces the transparent art of pages by pictures."""

    def __init__(self, pdf: Pdf, ink: Ink, cache: ResultCache) -> None:
        self._pdf = pdf
        self._ink = ink
        self._cache = cache
        self._splitter = Splitter(pdf, cache)

    def flatten_page(self, page: Page) -> bool:
        """Replace the art of a page by a picture. Return True if text became part of it."""
        form = make_page_form(self._pdf, page)
        size = _find_size(page)
        pixels = _find_pixels(size, PICTURE_DPI)
        resources = form["/Resources"]
        inputs = [
            read_content(form),
            hash_resources(resources, *sorted(resources.keys())),
            repr(pixels).encode(),
        ]

        def make_picture() -> Result:
            return self._rasterize_form(form, size, pixels)

        data, words = self._cache.get("flat", inputs, make_picture)
        is_type_drawn = bool(words[0])
        type_form = None if is_type_drawn else self._splitter.split(form, "type")
        _replace_content(self._pdf, page, data, pixels, type_form)
        return is_type_drawn

    def _rasterize_form(self, form: Object, size: PageSize, pixels: Pixels) -> Result:
        """Return a form as a compressed picture in inks.

        The tuple contains "over" if text became a part of the picture, because art lies
        above it.
        """
        art = self._splitter.split(form, "art")
        type_form = self._splitter.split(form, "type")
        # The pages are: the art, all, and all with the type above the art.
        file = _make_file(size, ((art,), (form,), (art, type_form)))
        with open_document(file) as document:
            is_type_drawn = _look_different(document, 1, 2)
            picture = render_page(document, int(is_type_drawn), pixels)
            inks = self._ink.convert_picture(picture).tobytes()
        return zlib.compress(inks, 6), ("over" if is_type_drawn else "",)


def _find_size(page: Page) -> PageSize:
    return float(page.mediabox[2]), float(page.mediabox[3])


def _find_pixels(size: PageSize, dpi: int) -> Pixels:
    width, height = size
    return round(width / POINTS_PER_INCH * dpi), round(height / POINTS_PER_INCH * dpi)


def _look_different(document: PdfDocument, first: int, second: int) -> bool:
    """Return True if 2 pages of a document look different."""
    from PIL import ImageChops

    pictures: list[Image] = []
    for index in (first, second):
        pixels = _find_pixels(document[index].get_size(), COMPARISON_DPI)
        pictures.append(render_page(document, index, pixels))
    # Averages of 2 x 2 pixels, so that a single pixel counts little.
    difference = ImageChops.difference(*pictures).reduce(2)
    extremes = cast("tuple[tuple[int, int], ...]", difference.getextrema())
    return any(highest > MAX_INVISIBLE_DIFFERENCE for _lowest, highest in extremes)


def _make_file(size: PageSize, pages: Sequence[Sequence[Object]]) -> bytes:
    """Return a PDF with pages of one size, each of which draws some forms on top of each other."""
    with Pdf.new() as pdf:
        for forms in pages:
            page = pdf.add_blank_page(page_size=size)
            copies = {
                f"/L{index}": pdf.copy_foreign(form) for index, form in enumerate(forms)
            }
            content = "".join(f"{name} Do\n" for name in copies)
            page.Resources = Dictionary(XObject=Dictionary(copies))
            page.Contents = pdf.make_stream(content.encode())
        out = BytesIO()
        pdf.save(out)
        return out.getvalue()


def _replace_content(
    pdf: Pdf, page: Page, inks: bytes, pixels: Pixels, type_form: Object | None
) -> None:
    """Make a page draw a picture in inks, and then the remaining text."""
    image = pdf.make_stream(b"")
    image["/Type"] = Name.XObject
    image["/Subtype"] = Name.Image
    image["/Width"], image["/Height"] = pixels
    image["/ColorSpace"] = Name.DeviceCMYK
    image["/BitsPerComponent"] = 8
    image.write(inks, filter=Name.FlateDecode)
    width, height = _find_size(page)
    content = b"q %s 0 0 %s 0 0 cm /Art Do Q\n" % (
        format_number(width),
        format_number(height),
    )
    objects = Dictionary(Art=image)
    if type_form is not None:
        objects["/Type"] = type_form
        content += b"/Type Do\n"
    page.obj["/Resources"] = Dictionary(XObject=objects)
    page.obj["/Contents"] = pdf.make_stream(content)
