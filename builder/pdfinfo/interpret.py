"""Read content streams: follow the graphics state and collect what is painted, also in forms."""

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
    intersect_boxes,
)
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Operand, Stream
from builder.pdfinfo.fonts import Metrics, read_metrics
from builder.pdfinfo.geometry import (
    FILL_OPERATORS,
    PAINT_OPERATORS,
    PATH_OPERATORS,
    STROKE_OPERATORS,
    PathBuilder,
    find_min_thickness,
    measure_stroke,
    transform_box,
    transform_sides,
)
from builder.pdfinfo.glyph_extents import MALFORMED
from builder.pdfinfo.state import (
    BLACK,
    MATRIX_TOLERANCE,
    SPACES_BY_COMPONENTS,
    DrawnForm,
    PageContents,
    State,
    keep_numbers,
    make_device_paint,
    make_form_key,
    read_colour_space,
    remember,
)
from builder.pdfinfo.text import TEXT_OPERATORS, TextCursor
from builder.units import MM_PER_INCH

MAX_NESTED_FORMS = 24
MAX_CACHED_FONTS = 48
MAX_CACHED_FORMS = 100
IDENTITY = (1, 0, 0, 1, 0, 0)
MISSING_FONT = Metrics(Font("", "", embedded=True, subset=False))
"""Stands for a font that the resources do not hold."""
COLOUR_SPACES = {
    "DeviceGray",
    "DeviceRGB",
    "DeviceCMYK",
    "CalGray",
    "CalRGB",
    "Lab",
    "ICCBased",
}
COLOUR_SPACES |= {"Indexed", "Separation", "DeviceN", "Pattern"}
DEVICES_BY_OPERATOR = {"g": "DeviceGray", "rg": "DeviceRGB", "k": "DeviceCMYK"}
COLOUR_OPERATORS = {
    "cs",
    "CS",
    "sc",
    "scn",
    "SC",
    "SCN",
    "g",
    "rg",
    "k",
    "G",
    "RG",
    "K",
}
JPX_SPACES_BY_NUMBER = {
    12: "DeviceCMYK",
    16: "DeviceRGB",
    17: "DeviceGray",
    18: "DeviceRGB",
}
JPX_SPACES_BY_PROFILE = {
    b"RGB ": "DeviceRGB",
    b"CMYK": "DeviceCMYK",
    b"GRAY": "DeviceGray",
}
JPX_HEAD_BYTES = 4096


class ContentReader:
    """Reads what one content stream, of a page or a form, draws."""

    def __init__(
        self,
        contents: PageContents,
        resources: Object,
        state: State,
        tags: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        self.contents = contents
        self.resources = resources
        self.state = state
        self.start_ctm = state.ctm
        self.saved_states: list[State] = []
        self.tags = list(tags)
        self.depth = depth
        self.path = PathBuilder()
        self.text = TextCursor()

    def read_stream(self, stream: Object) -> None:
        """Read all operators of a content stream."""
        for instruction in pikepdf.parse_content_stream(stream):
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                image = instruction.iimage
                if has_filter(image.obj, Name.LZWDecode, Name.LZW):
                    self.contents.features.add("lzw")
                self._add_image(image.obj, image)
                continue
            try:
                self._apply_operator(
                    str(instruction.operator), list(instruction.operands)
                )
            except MALFORMED:
                # Viewers skip a bad operator too and show the rest of the page.
                self.contents.damaged += 1

    def _apply_operator(self, operator: str, operands: Sequence[Operand]) -> None:
        """Apply one PDF operator. Unknown operators are skipped, as viewers do."""
        if operator in PATH_OPERATORS:
            self.path.add(operator, keep_numbers(operands), self.state.ctm)
        elif operator in PAINT_OPERATORS:
            self._paint_path(operator)
        elif operator in TEXT_OPERATORS:
            texts = self.text.apply(operator, operands, self)
            self.contents.items += texts
            if texts:
                self._record_font(is_visible=any(text.visible for text in texts))
        elif operator in COLOUR_OPERATORS:
            self._set_colour(operator, operands)
        elif operator in HANDLERS:
            HANDLERS[operator](self, operands)
        else:
            self._set_state(operator, keep_numbers(operands))

    def get_look(self, *, stroke: bool = False) -> Look:
        """Return the opacity, clip and overprint of an object that is painted now."""
        return self.state.make_look(tuple(self.tags), self.depth, stroke=stroke)

    def _find_resource(self, kind: str, names: Sequence[object]) -> Object | None:
        if not names or not isinstance(self.resources, Dictionary):
            return None
        resources = self.resources.get(kind)
        return (
            resources.get(str(names[0])) if isinstance(resources, Dictionary) else None
        )

    def use_font(self, name: object, size: float) -> None:
        """Apply the operator Tf: select a font of the resources, and its size."""
        self._choose_font(self._find_resource("/Font", [name]), size, str(name))

    def _choose_font(self, resource: Object | None, size: float, name: str) -> None:
        """Make a font the current one.

        Each font is read once a page. `name` identifies a direct one.
        """
        self.state.size = size
        if resource is None:
            self.state.font = MISSING_FONT
            return
        fonts = self.contents.fonts
        key = resource.objgen if resource.is_indirect else name
        if key not in fonts:
            fonts[key] = self._find_font(resource)
        self.state.font = fonts[key]

    def _find_font(self, resource: Object) -> Metrics:
        """Return the facts of a font. An indirect font is read once for each file."""
        if not resource.is_indirect:
            return self._read_font(resource)
        cached_fonts = self.contents.memory.fonts
        key = resource.objgen
        if key not in cached_fonts:
            remember(cached_fonts, key, self._read_font(resource), MAX_CACHED_FONTS)
        return cached_fonts[key]

    def _read_font(self, resource: Object) -> Metrics:
        """Read a font. Equal fonts share their glyph extents."""
        font = read_metrics(resource)
        if font.extents is None or not font.extents.key:
            return font
        key = font.extents.key
        cached_extents = self.contents.memory.extents
        if key not in cached_extents:
            remember(cached_extents, key, font.extents, MAX_CACHED_FONTS)
        return replace(font, extents=cached_extents[key])

    def _record_font(self, *, is_visible: bool) -> None:
        """Record that the current font shows text, visible or not.

        Invisible text is a layer for searching.
        """
        font = self.state.font
        if not is_visible:
            if font is not MISSING_FONT:
                self.contents.invisible_fonts.add(font.font)
        elif font is MISSING_FONT:
            self.contents.damaged += 1
        else:
            self.contents.visible_fonts.add(font.font)

    def draw_glyph(
        self, drawing: Object, position: Matrix, resources: Object | None
    ) -> None:
        """Draw a glyph of a Type3 font with its own colors, once on a page."""
        key = drawing.objgen
        if key not in self.contents.drawn_keys and self.depth < MAX_NESTED_FORMS:
            self.contents.drawn_keys.add(key)
            state = replace(self.state, ctm=position)
            # A font without resources uses those of the page.
            resources = resources or self.resources
            self._open_nested_stream(self.contents, resources, state).read_stream(
                drawing
            )

    def _open_nested_stream(
        self, contents: PageContents, resources: Object, state: State
    ) -> "ContentReader":
        """Return a reader for a content stream inside this one, such as a form."""
        return ContentReader(
            contents, resources, state, tuple(self.tags), self.depth + 1
        )

    def _paint_path(self, operator: str) -> None:
        path = self.path
        state = self.state
        self.path = PathBuilder()
        if not path.points:
            return
        fill = state.fill if operator in FILL_OPERATORS else None
        stroke = state.stroke if operator in STROKE_OPERATORS else None
        width = measure_stroke(state.ctm, state.width, path.outlines) if stroke else 0.0
        look = self.get_look(stroke=fill is None)
        if fill and fill.space == "Pattern" and self._add_shading_pattern(path, look):
            fill = None
        if fill or stroke:
            thin = None
            if fill:
                thin = find_min_thickness(path.outlines, even_odd="*" in operator)
            shape = Shape(path.box, tuple(path.points), fill, stroke, width, look, thin)
            self.contents.items.append(shape)
        if fill and fill.space == "Pattern":
            self._add_tile(state.pattern_fill, path.box)
        # `W` takes effect only after the path has been painted.
        if path.is_clip:
            state.clip = intersect_boxes(state.clip, path.box)

    def _add_shading_pattern(self, path: PathBuilder, look: Look) -> bool:
        """Add a gradient that fills an area.

        False if the fill is a tiling, which stays a paint.
        """
        pattern = self.state.pattern_fill
        # Type 1 is a tiling, type 2 a shading.
        if pattern is None or int(pattern.get("/PatternType", 1)) != 2:
            return False
        paint = read_colour_space(
            pattern["/Shading"].get("/ColorSpace"), self.resources
        )
        self.contents.items.append(Shading(path.box, paint, look))
        return True

    def _add_tile(self, pattern: Object | None, area: Box) -> None:
        """Add one tile of a colored pattern, where the filled area begins."""
        # Paint type 2 has no colours: the tiling shows the colour of the fill.
        if not isinstance(pattern, Stream) or int(pattern.get("/PaintType", 1)) != 1:
            return
        sides = keep_numbers(pattern.get("/BBox", []))
        step_x = abs(float(pattern.get("/XStep", 0)))
        step_y = abs(float(pattern.get("/YStep", 0)))
        # A pattern is placed on the page or form, whatever the matrix is where it fills.
        cell = Matrix(*keep_numbers(pattern.get("/Matrix", IDENTITY))) @ self.start_ctm
        has_inverse = bool(cell.a * cell.d - cell.b * cell.c)
        if len(sides) != 4 or not step_x or not step_y or not has_inverse:
            return
        start = transform_box(cell.inverse(), area)
        x = floor((start.x - sides[0]) / step_x + MATRIX_TOLERANCE) * step_x
        y = floor((start.y - sides[1]) / step_y + MATRIX_TOLERANCE) * step_y
        clip = intersect_boxes(self.state.clip, area)
        state = replace(self.state, clip=clip, fill=BLACK, stroke=BLACK)
        state.pattern_fill = state.pattern_stroke = None
        state.ctm = Matrix(1, 0, 0, 1, x, y) @ cell
        state.enter_group()
        self._add_form_contents(pattern, state)

    def _add_shading(self, operands: Sequence[Operand]) -> None:
        shading = self._find_resource("/Shading", operands)
        if shading is None:
            raise LookupError
        paint = read_colour_space(shading.get("/ColorSpace"), self.resources)
        # `sh` paints all that the clip allows.
        area = self.state.clip or self.contents.area
        self.contents.items.append(Shading(area, paint, self.get_look()))

    def _add_object(self, operands: Sequence[Operand]) -> None:
        item = self._find_resource("/XObject", operands)
        if not isinstance(item, Stream):
            raise LookupError
        self._record_features(item)
        if item.get("/Subtype") == Name.Form:
            self._add_form(item)
        elif item.get("/Subtype") == Name.Image:
            self._add_image(item)

    def _record_features(self, item: Stream) -> None:
        """Record features of forms and pictures that print standards forbid."""
        features = self.contents.features
        if "/OPI" in item or "/Ref" in item:
            features.add("opi")
        if (
            item.get("/Subtype") == Name.PS
            or item.get("/Subtype2") == Name.PS
            or "/PS" in item
        ):
            features.add("postscript")
        alternates = item.get("/Alternates", Array([]))
        if any(bool(image.get("/DefaultForPrinting", False)) for image in alternates):
            features.add("alternate")
        if has_filter(item, Name.LZWDecode, Name.LZW):
            features.add("lzw")
        if has_filter(item, Name.JPXDecode):
            features.add("jpx")

    def _add_form(self, form: Stream) -> None:
        ctm = Matrix(*keep_numbers(form.get("/Matrix", IDENTITY))) @ self.state.ctm
        state = replace(self.state, ctm=ctm)
        if "/Group" in form:
            self.contents.groups.append(read_group(form["/Group"]))
            state.enter_group()
        self._add_form_contents(form, state)

    def _add_form_contents(self, form: Stream, state: State) -> None:
        """Add what a form or a tile of a pattern draws. The state has the matrix of its own space.

        A form that was drawn before is moved instead of read again.
        """
        if self.depth >= MAX_NESTED_FORMS:
            return
        sides = keep_numbers(form.get("/BBox", []))
        box = transform_sides(state.ctm, sides) if len(sides) == 4 else None
        key = make_form_key(form, state, tuple(self.tags), self.depth + 1)
        resources = form.get("/Resources", self.resources)
        if key is None or box is None:
            state = replace(state, clip=intersect_boxes(state.clip, box))
            self._open_nested_stream(self.contents, resources, state).read_stream(form)
            return
        contents = self.contents
        memory = contents.memory
        drawn_form = memory.forms.get(key)
        matrix = drawn_form.find_matrix(state.ctm) if drawn_form is not None else None
        if drawn_form is None or matrix is None:
            first_state = replace(state, clip=box)
            matrix = Matrix()
            # The copy keeps the state at the start: reading changes the other one.
            drawn_form = DrawnForm(replace(first_state), PageContents(memory=memory))
            self._open_nested_stream(
                drawn_form.contents, resources, first_state
            ).read_stream(form)
            remember(memory.forms, key, drawn_form, MAX_CACHED_FORMS)
        is_repeated = key in contents.drawn_keys
        contents.items += drawn_form.place(matrix, state.clip, repeated=is_repeated)
        contents.drawn_keys.add(key)
        contents.add(drawn_form.contents)

    def _add_image(
        self, image: Object, inline: pikepdf.PdfInlineImage | None = None
    ) -> None:
        ctm = self.state.ctm
        # An inline image may have short names of its keys.
        width = int(image.get("/Width", image.get("/W", 1)))
        height = int(image.get("/Height", image.get("/H", 1)))
        space = image.get("/ColorSpace", image.get("/CS"))
        if image.get("/ImageMask", image.get("/IM", False)):
            paint = self.state.fill
        elif (
            space is None
            and isinstance(image, Stream)
            and has_filter(image, Name.JPXDecode)
        ):
            # JPEG 2000 may state its colours itself.
            paint = read_jpx_colour(bytes(image.read_raw_bytes()))
        else:
            paint = read_colour_space(space, self.resources)
        look = self.get_look()
        look = replace(look, soft_mask=look.soft_mask or "/SMask" in image)
        # The matrix enlarges a square of 1 to the size on the page.
        across = max(hypot(ctm.a, ctm.b), 1e-6)
        up = max(hypot(ctm.c, ctm.d), 1e-6)
        dpi = width * MM_PER_INCH / across, height * MM_PER_INCH / up
        is_flat = max(width, height) <= MAX_SWATCH_PIXELS and has_one_colour(
            image, inline
        )
        box = transform_box(ctm, Box(0, 0, 1, 1))
        self.contents.items.append(
            Image(box, (width, height), dpi, paint, look, is_flat)
        )

    def _set_state(self, operator: str, values: tuple[float, ...]) -> None:
        """Apply an operator of the graphics state that needs no resource."""
        match operator:
            case "q":
                self.saved_states.append(replace(self.state))
            case "Q" if self.saved_states:
                self.state = self.saved_states.pop()
            case "cm" if len(values) == 6:
                self.state.ctm = Matrix(*values) @ self.state.ctm
            case "w":
                self.state.width = (*values, 1.0)[0]
            case "W" | "W*":
                self.path.is_clip = True
            case "EMC" if self.tags:
                self.tags.pop()

    def _set_colour(self, operator: str, operands: Sequence[Operand]) -> None:
        """Set the fill or stroke color. Operators in capitals (`RG`, `SCN`) set the stroke."""
        target = "stroke" if operator.isupper() else "fill"
        last = operands[-1] if operands else None
        if operator in ("cs", "CS"):
            paint = read_colour_space(
                last if isinstance(last, Object) else None, self.resources
            )
            if paint.space not in COLOUR_SPACES:
                raise LookupError
        elif operator.lower() in DEVICES_BY_OPERATOR:
            device = DEVICES_BY_OPERATOR[operator.lower()]
            paint = make_device_paint(device, self.resources, keep_numbers(operands))
        else:
            current_paint: Paint = getattr(self.state, target)
            paint = replace(current_paint, values=keep_numbers(operands))
            pattern = None
            if isinstance(last, Name):
                pattern = self._find_resource("/Pattern", [last])
                if pattern is None:
                    raise LookupError
            setattr(self.state, f"pattern_{target}", pattern)
        setattr(self.state, target, paint)

    def _set_extended_state(self, operands: Sequence[Operand]) -> None:
        values = self._find_resource("/ExtGState", operands)
        if values is None:
            raise LookupError
        state = self.state
        # An entry /Font [font size] does the work of Tf (PDF 32000-1, table 58).
        font_entry = values.get("/Font")
        if isinstance(font_entry, Array) and len(font_entry) == 2:
            font, size = font_entry
            resource = font if isinstance(font, Dictionary) else None
            self._choose_font(resource, float(size), f"gs {operands[0]}")
        state.alpha_fill = float(values.get("/ca", state.alpha_fill))
        state.alpha_stroke = float(values.get("/CA", state.alpha_stroke))
        state.width = float(values.get("/LW", state.width))
        strokes = bool(values.get("/OP", state.overprint[1]))
        # /OP without /op applies to fills too.
        fills = bool(
            values.get("/op", strokes if "/OP" in values else state.overprint[0])
        )
        state.overprint = fills, strokes
        state.by_zero = bool(values.get("/OPM", state.by_zero))
        has_transfer = (
            "/TR" in values or values.get("/TR2", Name.Default) != Name.Default
        )
        if has_transfer or "/HTP" in values:
            self.contents.features.add("transfer")
        if "/SMask" in values:
            state.soft_mask = values["/SMask"] != Name("/None")
        if "/BM" in values:
            mode = values["/BM"]
            # Of a list of modes, a viewer uses the first one it knows.
            state.blend = str(mode if isinstance(mode, Name) else mode[0])[1:]

    def _begin_tag(self, operands: Sequence[Operand]) -> None:
        tag = str(operands[0])[1:] if operands else ""
        properties = operands[1] if len(operands) > 1 else None
        if isinstance(properties, Dictionary) and "/Id" in properties:
            tag += f":{properties['/Id']}"
        self.tags.append(tag)


HANDLERS: Mapping[str, Callable[[ContentReader, Sequence[Operand]], None]] = {
    "gs": ContentReader._set_extended_state,
    "Do": ContentReader._add_object,
    "sh": ContentReader._add_shading,
    "BMC": ContentReader._begin_tag,
    "BDC": ContentReader._begin_tag,
}


def read_group(group: Object) -> TransparencyGroup:
    """Read the dictionary of a transparency group."""
    space = read_colour_space(group.get("/CS")).space
    return TransparencyGroup(space, bool(group.get("/K", False)))


def has_filter(stream: Object, *names: Name) -> bool:
    """Return True if a stream is compressed by one of these filters."""
    filters = stream.get("/Filter", stream.get("/F"))
    filter_names = list(filters) if isinstance(filters, Array) else [filters]
    return any(name in names for name in filter_names)


def has_one_colour(image: Object, inline: pikepdf.PdfInlineImage | None) -> bool:
    """Return True if an image of few pixels shows only one color or a gradient.

    A stencil paints one colour. An image that cannot be decoded counts as one colour: whether it is
    damaged is checked elsewhere.
    """
    is_stencil = bool(image.get("/ImageMask", image.get("/IM", False)))
    is_gradient = bool(image.get("/Interpolate", image.get("/I", False)))
    if is_stencil or is_gradient:
        return True
    try:
        # pikepdf itself decodes an inline image on a page of its size, and refuses pages this
        # small.
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


def read_jpx_colour(data: bytes) -> Paint:
    """Return the color space that a JPEG 2000 picture states (ISO 15444-1, I.5.3.3, A.5.1)."""
    start = data.find(b"colr", 0, JPX_HEAD_BYTES)
    # Method 1 is a number of the standard, method 2 a profile.
    if start > 0 and data[start + 4] == 1:
        number = int.from_bytes(data[start + 7 : start + 11], "big")
        return Paint(JPX_SPACES_BY_NUMBER.get(number, ""), calibrated=True)
    if start > 0:
        # The colour space is 16 bytes after the start of the profile.
        base = JPX_SPACES_BY_PROFILE.get(data[start + 23 : start + 27], "")
        return Paint("ICCBased", (), base, calibrated=True)
    # Without a colour box the number of components decides.
    sizes = data.find(b"\xff\x51", 0, JPX_HEAD_BYTES)
    if sizes < 0:
        return Paint("")
    components = int.from_bytes(data[sizes + 38 : sizes + 40], "big")
    return Paint(SPACES_BY_COMPONENTS.get(components, ""))
