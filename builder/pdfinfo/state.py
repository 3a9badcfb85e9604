"""Graphics state of a content stream, colour spaces as paints, and repeated forms."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import TypeVar

from builder.findings import Box
from builder.model.pdf import (
    Font,
    Image,
    Item,
    Look,
    Page,
    Paint,
    PdfText,
    Shape,
    TransparencyGroup,
    find_visible_box,
    intersect_boxes,
)
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Operand
from builder.pdfinfo.fonts import UNKNOWN_FONT, Metrics
from builder.pdfinfo.geometry import find_direction, find_scale, transform_box
from builder.pdfinfo.glyph_extents import GlyphExtents

FULL_NAMES = {
    "G": "DeviceGray",
    "RGB": "DeviceRGB",
    "CMYK": "DeviceCMYK",
    "I": "Indexed",
}
SPACES_BY_COMPONENTS = {1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}
INITIAL_VALUES = {
    "DeviceGray": (0.0,),
    "DeviceRGB": (0.0, 0.0, 0.0),
    "DeviceCMYK": (0.0, 0.0, 0.0, 1.0),
}
BLACK = Paint("DeviceGray", (0.0,))
MAX_NESTED_SPACES = 8
MATRIX_TOLERANCE = 1e-7
"""The tolerance for rounding errors in a matrix."""
K = TypeVar("K")
V = TypeVar("V")


def read_colour_space(
    value: Object | None, resources: Object | None = None, depth: int = 0
) -> Paint:
    """Return a color space, with its initial color if PDF defines one."""
    if value is None or depth > MAX_NESTED_SPACES:
        return Paint("")
    if isinstance(value, Name):
        name = str(value)[1:]
        resource = _find_space(name, resources)
        if resource is not None:
            return read_colour_space(resource, resources, depth + 1)
        return make_device_paint(FULL_NAMES.get(name, name), resources)
    if not isinstance(value, Array) or not len(value):
        return Paint("")
    return _read_family(value, resources, depth)


def make_device_paint(
    name: str, resources: Object | None, values: tuple[float, ...] | None = None
) -> Paint:
    """Return a color such as DeviceRGB, or of the profile that the resources state in its place."""
    # The resource `DefaultRGB` replaces `DeviceRGB`.
    default_name = f"Default{name.removeprefix('Device')}"
    is_calibrated = _find_space(default_name, resources) is not None
    if values is None:
        values = INITIAL_VALUES.get(name, ())
    return Paint(name, values, calibrated=is_calibrated)


def _find_space(name: str, resources: Object | None) -> Object | None:
    spaces = resources.get("/ColorSpace") if isinstance(resources, Dictionary) else None
    return spaces.get(f"/{name}") if isinstance(spaces, Dictionary) else None


def _read_family(value: Object, resources: Object | None, depth: int) -> Paint:
    family = str(value[0])[1:]
    family = FULL_NAMES.get(family, family)
    if len(value) < 2:
        return Paint(family, INITIAL_VALUES.get(family, ()))
    if family == "ICCBased":
        base = SPACES_BY_COMPONENTS.get(int(value[1].get("/N", 0)), "")
        return Paint(family, INITIAL_VALUES.get(base, ()), base, calibrated=True)
    if family in ("Indexed", "Pattern"):
        base_paint = read_colour_space(value[1], resources, depth + 1)
        base = base_paint.base or base_paint.space
        return Paint(family, (), base, calibrated=base_paint.calibrated)
    if family in ("Separation", "DeviceN") and len(value) > 2:
        base_paint = read_colour_space(value[2], resources, depth + 1)
        # A separation has one name, the inks of DeviceN are a list.
        inks = [value[1]] if isinstance(value[1], Name) else value[1]
        names = [str(ink)[1:] for ink in inks]
        full_ink = (1.0,) * len(names)
        base = base_paint.base or base_paint.space
        return Paint(family, full_ink, base, " ".join(names), base_paint.calibrated)
    return Paint(family, calibrated=family in ("CalGray", "CalRGB", "Lab"))


def keep_numbers(operands: Iterable[Operand] | Object) -> tuple[float, ...]:
    """Return the numbers among operands or in a PDF array, without anything else."""
    return tuple(
        float(item) for item in operands if isinstance(item, int | float | Decimal)
    )


@dataclass(slots=True)
class State:
    """The graphics state, which `q` saves and `Q` restores. Lengths are in units of user space."""

    ctm: Matrix
    fill: Paint = BLACK
    stroke: Paint = BLACK
    pattern_fill: Object | None = None
    pattern_stroke: Object | None = None
    width: float = 1.0
    alpha_fill: float = 1.0
    alpha_stroke: float = 1.0
    blend: str = "Normal"
    soft_mask: bool = False
    group_alpha: float = 1.0
    group_blend: str = "Normal"
    group_mask: bool = False
    overprint: tuple[bool, bool] = (False, False)
    by_zero: bool = False
    clip: Box | None = None
    font: Metrics = UNKNOWN_FONT
    size: float = 1.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def make_look(
        self, tags: tuple[str, ...], form: int, *, stroke: bool = False
    ) -> Look:
        """Return the opacity, clip and overprint of an object that is painted now."""
        alpha = self.alpha_stroke if stroke else self.alpha_fill
        return Look(
            alpha=alpha * self.group_alpha,
            blend=self._combine_blend(),
            soft_mask=self.soft_mask or self.group_mask,
            clip=self.clip,
            tags=tags,
            form=form,
            overprint=self.overprint,
            by_zero=self.by_zero,
        )

    def _combine_blend(self) -> str:
        """Return the blend mode of an object, or else that of the groups around it."""
        return self.blend if self.blend != "Normal" else self.group_blend

    def enter_group(self) -> None:
        """Start a transparency group, to which the current transparency applies as a whole."""
        self.group_alpha *= self.alpha_fill
        self.group_blend = self._combine_blend()
        self.group_mask = self.group_mask or self.soft_mask
        self.alpha_fill = self.alpha_stroke = 1.0
        self.blend, self.soft_mask = "Normal", False


@dataclass(slots=True)
class Memory:
    """What is remembered of one file: fonts, pages and forms that were read already.

    They are small, because equal things are near each other: copies of a card, or one frame on
    all cards of a kind.
    """

    fonts: dict[tuple[int, int], Metrics] = field(default_factory=dict)
    extents: dict[bytes, GlyphExtents] = field(default_factory=dict)
    pages: dict[bytes, Page] = field(default_factory=dict)
    forms: "dict[object, DrawnForm]" = field(default_factory=dict)


@dataclass(slots=True)
class PageContents:
    """Everything that a page draws, and the features it uses.

    `fonts` are by object, `visible_fonts` and `invisible_fonts` those of such text, `groups` those
    of forms. `damaged` counts operators that could not be followed. `area` is the page, `memory` is
    shared by all pages. `drawn_keys` are the forms and coloured glyphs that the page has drawn.
    """

    items: list[Item] = field(default_factory=list)
    visible_fonts: set[Font] = field(default_factory=set)
    invisible_fonts: set[Font] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    fonts: dict[tuple[int, int] | str, Metrics] = field(default_factory=dict)
    groups: list[TransparencyGroup] = field(default_factory=list)
    damaged: int = 0
    memory: Memory = field(default_factory=Memory)
    area: Box = Box(0, 0, 0, 0)  # noqa: RUF009
    drawn_keys: set[object] = field(default_factory=set)

    def add(self, form: "PageContents") -> None:
        """Add what a form uses, except the objects that it draws."""
        self.fonts |= form.fonts
        self.visible_fonts |= form.visible_fonts
        self.invisible_fonts |= form.invisible_fonts
        self.features |= form.features
        self.groups += form.groups
        self.damaged += form.damaged


def remember(cache: dict[K, V], key: K, value: V, max_entries: int) -> None:
    """Add an entry to a cache. Remove the oldest entry if there are too many."""
    cache[key] = value
    if len(cache) > max_entries:
        # A dictionary is in the order in which its entries were added.
        del cache[next(iter(cache))]


# A form that is drawn elsewhere may have other values only in these fields.
_FIELDS_OF_PLACE = {"ctm", "clip", "pattern_fill", "pattern_stroke", "font"}
_INHERITED_FIELDS = tuple(
    item.name for item in fields(State) if item.name not in _FIELDS_OF_PLACE
)


@dataclass
class DrawnForm:
    """What a form draws, in the state where it was first drawn, clipped by its own box alone."""

    state: State
    contents: PageContents
    _placed_items: dict[tuple[object, Box | None, bool], tuple[Item, ...]] = field(
        default_factory=dict
    )

    def place(
        self, matrix: Matrix, clip: Box | None, *, repeated: bool
    ) -> tuple[Item, ...]:
        """Return the objects of the form moved to another place.

        If the form is `repeated` on its page, only visible ones: the others were reported before.
        """
        key = (matrix.shorthand, clip, repeated)
        if key not in self._placed_items:
            items: list[Item] = []
            for item in self.contents.items:
                placed_item = _move_item(item, matrix, clip)
                box = find_visible_box(placed_item)
                if not repeated or (box.width > 0 and box.height > 0):
                    items.append(placed_item)
            self._placed_items[key] = tuple(items)
        return self._placed_items[key]

    def find_matrix(self, ctm: Matrix) -> Matrix | None:
        """Return the matrix from the place where the form was first drawn to this one.

        None if boxes would not stay exact.
        """
        first = self.state.ctm
        has_inverse = bool(first.a * first.d - first.b * first.c)
        if not has_inverse:
            return None
        change = first.inverse() @ ctm
        # Rounded, so that equal moves of different copies are the same key of `place`.
        matrix = Matrix(*(round(part, 9) for part in change.shorthand))
        is_even = abs(abs(matrix.a) - abs(matrix.d)) < MATRIX_TOLERANCE < abs(matrix.a)
        is_upright = (
            abs(matrix.b) < MATRIX_TOLERANCE and abs(matrix.c) < MATRIX_TOLERANCE
        )
        return matrix if is_even and is_upright else None


def make_form_key(
    form: Object, state: State, tags: tuple[str, ...], depth: int
) -> tuple[object, ...] | None:
    """Return everything that the objects of a form depend on, except its place.

    None if it depends on its surroundings.
    """
    # Without resources of its own, a form uses those of the page.
    if (
        not form.is_indirect
        or "/Resources" not in form
        or len(form.get("/BBox", [])) != 4
    ):
        return None
    if state.pattern_fill is not None or state.pattern_stroke is not None:
        return None
    inherited = [getattr(state, name) for name in _INHERITED_FIELDS]
    return (form.objgen, tags, depth, id(state.font), *inherited)


def _move_item(item: Item, matrix: Matrix, clip: Box | None) -> Item:
    """Return an object moved by a matrix, and clipped by a further box."""
    look: Look = item.look
    moved_clip = None if look.clip is None else _move_box(look.clip, matrix)
    new_clip = intersect_boxes(clip, moved_clip)
    if new_clip != look.clip:
        look = replace(look, clip=new_clip)
    if matrix == Matrix():
        return item if look is item.look else replace(item, look=look)
    scale = find_scale(matrix)
    item = replace(item, box=_move_box(item.box, matrix), look=look)
    if isinstance(item, Shape):
        points = tuple(matrix.transform(point) for point in item.points)
        thin = None if item.thin is None else item.thin * scale
        return replace(item, points=points, width=item.width * scale, thin=thin)
    if isinstance(item, PdfText):
        letters = None if item.letters is None else _move_box(item.letters, matrix)
        return replace(
            item,
            size=item.size * scale,
            angle=find_direction(matrix, item.angle),
            letters=letters,
            width=item.width * scale,
        )
    if isinstance(item, Image):
        dpi = item.dpi[0] / scale, item.dpi[1] / scale
        return replace(item, dpi=dpi)
    return item


def _move_box(box: Box, matrix: Matrix) -> Box:
    return box if matrix == Matrix() else transform_box(matrix, box)
