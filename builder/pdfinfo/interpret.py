"""Reads content streams: follows the graphics state and collects what is painted, through form XObjects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import floor, hypot

import pikepdf

from builder.findings import Box
from builder.model.pdf import (
    MAX_SWATCH_PIXELS,
    Font,
    Image,
    Look,
    Paint,
    Shading,
    Shape,
    TransparencyGroup,
    meet,
)
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Operand, Stream
from builder.pdfinfo import text
from builder.pdfinfo.fonts import MALFORMED, Metrics, metrics
from builder.pdfinfo.geometry import (
    BUILDS,
    FILLS,
    PAINTS,
    STROKES,
    PathBuilder,
    stroke_width,
    thinnest,
    transformed,
)
from builder.pdfinfo.state import (
    BLACK,
    BY_COMPONENTS,
    NOISE,
    DrawnForm,
    PageContents,
    State,
    colour_space,
    device,
    key_of,
    numbers,
    remember,
)

DEEPEST = 24
FONTS = 48
"""Fonts that are held ready at once."""


class ContentReader:
    """One content stream (a page or a form) being read into `found`."""

    def __init__(
        self,
        found: PageContents,
        resources: Object,
        state: State,
        tags: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        self.found = found
        self.resources = resources
        self.state = state
        self.start = state.ctm
        self.saved: list[State] = []
        self.tags = list(tags)
        self.depth = depth
        self.path = PathBuilder()
        self.text = text.Lines()

    def read(self, stream: Object) -> None:
        """Follow a page's contents or a form."""
        for instruction in pikepdf.parse_content_stream(stream):
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                if packed(instruction.iimage.obj, Name.LZWDecode, Name.LZW):
                    self.found.features.add("lzw")
                self._image(instruction.iimage.obj, instruction.iimage)
            else:
                try:
                    self.step(str(instruction.operator), list(instruction.operands))
                except MALFORMED:
                    self.found.damaged += 1

    def step(self, operator: str, operands: Sequence[Operand]) -> None:
        """One operator; unknown ones are passed over, as viewers do."""
        if operator in BUILDS:
            self.path.add(operator, numbers(operands), self.state.ctm)
        elif operator in PAINTS:
            self._paint(operator)
        elif operator in text.OPERATORS:
            shown = self.text.step(operator, operands, self)
            self.found.items += shown
            if shown:
                self._record_font(is_visible=any(item.visible for item in shown))
        elif operator in COLOURS:
            self._colour(operator, operands)
        elif operator in HANDLERS:
            HANDLERS[operator](self, operands)
        else:
            self._graphics(operator, numbers(operands))

    def look(self, *, stroke: bool = False) -> Look:
        """How a thing painted now appears."""
        return self.state.look(tuple(self.tags), self.depth, stroke=stroke)

    def _resource(self, kind: str, names: Sequence[object]) -> Object | None:
        kinds = self.resources.get(kind) if isinstance(self.resources, Dictionary) else None
        return kinds.get(str(names[0])) if isinstance(kinds, Dictionary) and names else None

    def use_font(self, name: object, size: float) -> None:
        """`Tf`: choose a font of the resources."""
        self._choose_font(self._resource("/Font", [name]), size, str(name))

    def _choose_font(self, resource: Object | None, size: float, name: str) -> None:
        """Make a font the current one. Each font is read once a page; `name` identifies one written in place."""
        self.state.size = size
        if resource is None:
            self.state.font = MISSING
            return
        fonts, memory = self.found.fonts, self.found.memory
        key = resource.objgen if resource.is_indirect else name
        if key not in fonts:
            known = memory.fonts.get(key) if isinstance(key, tuple) else None
            fonts[key] = known or self._new_font(resource)
            if known is None and isinstance(key, tuple):
                remember(memory.fonts, key, fonts[key], FONTS)
        self.state.font = fonts[key]

    def _new_font(self, resource: Object) -> Metrics:
        """A font, its letters those of another one that is the same."""
        font, known = metrics(resource), self.found.memory.letters
        if font.letters is None or not (key := font.letters.key):
            return font
        if key not in known:
            remember(known, key, font.letters, FONTS)
        return replace(font, letters=known[key])

    def _record_font(self, *, is_visible: bool) -> None:
        """Record that the current font shows text; invisible text is a layer for searching."""
        if not is_visible:
            if self.state.font is not MISSING:
                self.found.invisible.add(self.state.font.font)
        elif self.state.font is MISSING:
            self.found.damaged += 1
        else:
            self.found.shown.add(self.state.font.font)

    def draw_letter(self, drawing: Object, place: Matrix, resources: Object | None) -> None:
        """A letter of a Type3 font with its colours, once on a page."""
        key = drawing.objgen
        if key in self.found.seen or self.depth >= DEEPEST:
            return
        self.found.seen.add(key)
        state = replace(self.state, ctm=place)
        tags = tuple(self.tags)
        ContentReader(self.found, resources or self.resources, state, tags, self.depth + 1).read(
            drawing
        )

    def _paint(self, operator: str) -> None:
        path, state = self.path, self.state
        self.path = PathBuilder()
        if not path.points:
            return
        fill = state.fill if operator in FILLS else None
        stroke = state.stroke if operator in STROKES else None
        width = stroke_width(state.ctm, state.width, path.outlines) if stroke else 0.0
        look = self.look(stroke=fill is None)
        if fill and fill.space == "Pattern" and self._pattern(state.pattern_fill, path, look):
            fill = None
        if fill or stroke:
            thin = thinnest(path.outlines, even_odd="*" in operator) if fill else None
            self.found.items.append(
                Shape(path.box, tuple(path.points), fill, stroke, width, look, thin)
            )
        if fill and fill.space == "Pattern":
            self._tile(state.pattern_fill, path.box)
        if path.clipping:
            state.clip = meet(state.clip, path.box)

    def _pattern(self, pattern: Object | None, path: PathBuilder, look: Look) -> bool:
        """A shading pattern becomes a Shading over the filled area; a tiling stays a paint."""
        if pattern is None or int(pattern.get("/PatternType", 1)) != 2:
            return False
        paint = colour_space(pattern["/Shading"].get("/ColorSpace"), self.resources)
        self.found.items.append(Shading(path.box, paint, look))
        return True

    def _tile(self, pattern: Object | None, area: Box) -> None:
        """One cell of a tiling that paints with colours of its own, where the filled area begins."""
        if not isinstance(pattern, Stream) or int(pattern.get("/PaintType", 1)) != 1:
            return
        sides = numbers(pattern.get("/BBox", []))
        across, up = (abs(float(pattern.get(key, 0))) for key in ("/XStep", "/YStep"))
        cell = Matrix(*numbers(pattern.get("/Matrix", [1, 0, 0, 1, 0, 0]))) @ self.start
        if len(sides) != 4 or not across or not up or not cell.a * cell.d - cell.b * cell.c:
            return
        begun = transformed(cell.inverse(), area.x, area.y, area.width, area.height)
        x = floor((begun.x - sides[0]) / across + NOISE) * across
        y = floor((begun.y - sides[1]) / up + NOISE) * up
        state = replace(self.state, clip=meet(self.state.clip, area), fill=BLACK, stroke=BLACK)
        state.pattern_fill = state.pattern_stroke = None
        state.ctm = Matrix(1, 0, 0, 1, x, y) @ cell
        state.enter_group()
        self._placed(pattern, state)

    def _shading(self, operands: Sequence[Operand]) -> None:
        shading = self._resource("/Shading", operands)
        if shading is None:
            raise LookupError
        paint = colour_space(shading.get("/ColorSpace"), self.resources)
        self.found.items.append(Shading(self.state.clip or self.found.area, paint, self.look()))

    def _object(self, operands: Sequence[Operand]) -> None:
        placed = self._resource("/XObject", operands)
        if not isinstance(placed, Stream):
            raise LookupError
        self._features(placed)
        if placed.get("/Subtype") == Name.Form:
            self._form(placed)
        elif placed.get("/Subtype") == Name.Image:
            self._image(placed)

    def _features(self, placed: Stream) -> None:
        """What standards for print forbid of forms and pictures."""
        found = self.found.features
        if "/OPI" in placed or "/Ref" in placed:
            found.add("opi")
        if (
            placed.get("/Subtype") == Name.PS
            or placed.get("/Subtype2") == Name.PS
            or "/PS" in placed
        ):
            found.add("postscript")
        if any(
            bool(one.get("/DefaultForPrinting", False)) for one in placed.get("/Alternates", [])
        ):
            found.add("alternate")
        if packed(placed, Name.LZWDecode, Name.LZW):
            found.add("lzw")
        if packed(placed, Name.JPXDecode):
            found.add("jpx")

    def _form(self, form: Stream) -> None:
        ctm = Matrix(*numbers(form.get("/Matrix", [1, 0, 0, 1, 0, 0]))) @ self.state.ctm
        state = replace(self.state, ctm=ctm)
        if "/Group" in form:
            self.found.groups.append(group(form["/Group"]))
            state.enter_group()
        self._placed(form, state)

    def _placed(self, form: Stream, state: State) -> None:
        """What a form or a pattern's cell holds, in a state whose matrix is that of its own space."""
        if self.depth >= DEEPEST:
            return
        sides = numbers(form.get("/BBox", []))
        box = None
        if len(sides) == 4:
            box = transformed(
                state.ctm, sides[0], sides[1], sides[2] - sides[0], sides[3] - sides[1]
            )
        key = key_of(form, state, tuple(self.tags), self.depth + 1)
        if key is None or box is None:
            self._inside(form, self.found, replace(state, clip=meet(state.clip, box)))
            return
        found, memory = self.found, self.found.memory
        drawn = memory.forms.get(key)
        move = Matrix() if drawn is None else drawn.move(state.ctm)
        if drawn is None or move is None:
            first = replace(state, clip=box)
            drawn, move = DrawnForm(replace(first), PageContents(memory=memory)), Matrix()
            self._inside(form, drawn.found, first)
            remember(memory.forms, key, drawn, 100)
        found.items += drawn.placed(move, state.clip, again=key in found.seen)
        found.seen.add(key)
        found.fonts |= drawn.found.fonts
        found.shown |= drawn.found.shown
        found.invisible |= drawn.found.invisible
        found.features |= drawn.found.features
        found.groups += drawn.found.groups
        found.damaged += drawn.found.damaged

    def _inside(self, form: Stream, found: PageContents, state: State) -> None:
        resources = form.get("/Resources", self.resources)
        ContentReader(found, resources, state, tuple(self.tags), self.depth + 1).read(form)

    def _image(self, image: Object, inline: pikepdf.PdfInlineImage | None = None) -> None:
        ctm = self.state.ctm
        width = int(image.get("/Width", image.get("/W", 1)))
        height = int(image.get("/Height", image.get("/H", 1)))
        stated = image.get("/ColorSpace", image.get("/CS"))
        space = colour_space(stated, self.resources)
        if stated is None and isinstance(image, Stream) and packed(image, Name.JPXDecode):
            space = jpx_colour(bytes(image.read_raw_bytes()))
        paint = self.state.fill if image.get("/ImageMask", image.get("/IM", False)) else space
        look = self.look()
        dpi = (
            width * 25.4 / max(hypot(ctm.a, ctm.b), 1e-6),
            height * 25.4 / max(hypot(ctm.c, ctm.d), 1e-6),
        )
        look = replace(look, soft_mask=look.soft_mask or "/SMask" in image)
        is_flat = max(width, height) <= MAX_SWATCH_PIXELS and is_one_colour(image, inline)
        self.found.items.append(
            Image(transformed(ctm, 0, 0, 1, 1), (width, height), dpi, paint, look, is_flat)
        )

    def _graphics(self, operator: str, values: tuple[float, ...]) -> None:
        """What needs no resource: saved states, the matrix, the line width, clips, and tags that end."""
        match operator:
            case "q":
                self.saved.append(replace(self.state))
            case "Q" if self.saved:
                self.state = self.saved.pop()
            case "cm" if len(values) == 6:
                self.state.ctm = Matrix(*values) @ self.state.ctm
            case "w":
                self.state.width = (*values, 1.0)[0]
            case "W" | "W*":
                self.path.clipping = True
            case "EMC" if self.tags:
                self.tags.pop()

    def _colour(self, operator: str, operands: Sequence[Operand]) -> None:
        """The paint of fills, or of strokes where the operator is written in capitals."""
        which, last = "stroke" if operator.isupper() else "fill", operands[-1] if operands else None
        if operator in ("cs", "CS"):
            paint = colour_space(last if isinstance(last, Object) else None, self.resources)
            if paint.space not in SPACES:
                raise LookupError
        elif operator.lower() in DEVICES:
            paint = device(DEVICES[operator.lower()], self.resources, numbers(operands))
        else:
            old: Paint = getattr(self.state, which)
            paint = replace(old, values=numbers(operands))
            pattern = self._resource("/Pattern", [last]) if isinstance(last, Name) else None
            if isinstance(last, Name) and pattern is None:
                raise LookupError
            setattr(self.state, f"pattern_{which}", pattern)
        setattr(self.state, which, paint)

    def _extended(self, operands: Sequence[Operand]) -> None:
        values = self._resource("/ExtGState", operands)
        if values is None:
            raise LookupError
        state = self.state
        # An entry /Font [font size] does the work of Tf (PDF 32000-1, table 58).
        font_entry = values.get("/Font")
        if isinstance(font_entry, Array) and len(font_entry) == 2:
            font, size = font_entry
            self._choose_font(
                font if isinstance(font, Dictionary) else None, float(size), f"gs {operands[0]}"
            )
        state.alpha_fill = float(values.get("/ca", state.alpha_fill))
        state.alpha_stroke = float(values.get("/CA", state.alpha_stroke))
        state.width = float(values.get("/LW", state.width))
        strokes = bool(values.get("/OP", state.overprint[1]))
        state.overprint = (
            bool(values.get("/op", strokes if "/OP" in values else state.overprint[0])),
            strokes,
        )
        state.by_zero = bool(values.get("/OPM", state.by_zero))
        if "/TR" in values or "/HTP" in values or values.get("/TR2", Name.Default) != Name.Default:
            self.found.features.add("transfer")
        if "/SMask" in values:
            state.soft_mask = values["/SMask"] != Name("/None")
        if "/BM" in values:
            mode = values["/BM"]
            state.blend = str(mode if isinstance(mode, Name) else mode[0])[1:]

    def _begin_tag(self, operands: Sequence[Operand]) -> None:
        tag = str(operands[0])[1:] if operands else ""
        properties = operands[1] if len(operands) > 1 else None
        if isinstance(properties, Dictionary) and "/Id" in properties:
            tag += f":{properties['/Id']}"
        self.tags.append(tag)


def group(stated: Object) -> TransparencyGroup:
    """A transparency group by its dictionary."""
    return TransparencyGroup(colour_space(stated.get("/CS")).space, bool(stated.get("/K", False)))


def packed(stream: Object, *ways: Name) -> bool:
    """True for a stream that one of these filters unpacks."""
    filters = stream.get("/Filter", stream.get("/F"))
    return any(one in ways for one in (list(filters) if isinstance(filters, Array) else [filters]))


def is_one_colour(image: Object, inline: pikepdf.PdfInlineImage | None) -> bool:
    """True if an image of a few pixels shows one colour, or colours that run into each other (`/Interpolate`).

    A stencil paints one colour. An image that cannot be decoded counts as one colour: whether it is damaged is judged
    elsewhere.
    """
    is_stencil = bool(image.get("/ImageMask", image.get("/IM", False)))
    is_gradient = bool(image.get("/Interpolate", image.get("/I", False)))
    if is_stencil or is_gradient:
        return True
    try:
        # pikepdf itself decodes an inline image on a page of its size, and refuses pages this small.
        with pikepdf.new() as holder:
            if inline is not None:
                image = Stream(holder, inline.read_raw_bytes(), image)
                image.Subtype = Name.Image
            if not isinstance(image, Stream):
                return True
            # A single colour makes a palette of one.
            colours = pikepdf.PdfImage(image).as_pil_image().convert("RGBA").getcolors()
    except (ImportError, OSError, *MALFORMED):
        return True
    return colours is not None and len(colours) == 1


def jpx_colour(data: bytes) -> Paint:
    """The colours of a JPEG 2000 picture as it tells them itself (ISO 15444-1, I.5.3.3; A.5.1)."""
    at, by_number = (
        data.find(b"colr", 0, 4096),
        {12: "DeviceCMYK", 16: "DeviceRGB", 17: "DeviceGray", 18: "DeviceRGB"},
    )
    if at > 0 and data[at + 4] == 1:
        return Paint(
            by_number.get(int.from_bytes(data[at + 7 : at + 11], "big"), ""), calibrated=True
        )
    if at > 0:
        by_profile = {b"RGB ": "DeviceRGB", b"CMYK": "DeviceCMYK", b"GRAY": "DeviceGray"}
        return Paint("ICCBased", (), by_profile.get(data[at + 23 : at + 27], ""), calibrated=True)
    sizes = data.find(b"\xff\x51", 0, 4096)
    return Paint(
        BY_COMPONENTS.get(int.from_bytes(data[sizes + 38 : sizes + 40], "big"), "")
        if sizes >= 0
        else ""
    )


MISSING = Metrics(Font("", "", embedded=True, subset=False))
"""Stands for a font that the resources do not hold."""
SPACES = {"DeviceGray", "DeviceRGB", "DeviceCMYK", "CalGray", "CalRGB", "Lab", "ICCBased"}
SPACES |= {"Indexed", "Separation", "DeviceN", "Pattern"}
DEVICES = {"g": "DeviceGray", "rg": "DeviceRGB", "k": "DeviceCMYK"}
COLOURS = {"cs", "CS", "sc", "scn", "SC", "SCN", "g", "rg", "k", "G", "RG", "K"}
HANDLERS: Mapping[str, Callable[[ContentReader, Sequence[Operand]], None]] = {
    "gs": ContentReader._extended,
    "Do": ContentReader._object,
    "sh": ContentReader._shading,
    "BMC": ContentReader._begin_tag,
    "BDC": ContentReader._begin_tag,
}
