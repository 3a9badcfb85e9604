"""The graphics state of a content stream, colour spaces as paints, and forms that are drawn again."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from itertools import islice
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
    meet,
    visible,
)
from builder.pdf import Array, Dictionary, Matrix, Name, Object, Operand
from builder.pdfinfo.fonts import UNKNOWN, Heights, Metrics
from builder.pdfinfo.geometry import direction, scale, transformed

SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}
BY_COMPONENTS = {1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}
INITIAL = {"DeviceGray": (0.0,), "DeviceRGB": (0.0, 0.0, 0.0), "DeviceCMYK": (0.0, 0.0, 0.0, 1.0)}
K = TypeVar("K")
V = TypeVar("V")
BLACK = Paint("DeviceGray", (0.0,))


def colour_space(value: Object | None, resources: Object | None = None, depth: int = 0) -> Paint:
    """What a colour space object or name means; `values` are its initial colour where PDF names one."""
    if value is None or depth > 8:
        return Paint("")
    if isinstance(value, Name):
        name = str(value)[1:]
        named = _named(name, resources)
        if named is not None:
            return colour_space(named, resources, depth + 1)
        return device(SHORT.get(name, name), resources)
    if isinstance(value, Array) and len(value):
        return _family(value, resources, depth)
    return Paint("")


def device(name: str, resources: Object | None, values: tuple[float, ...] | None = None) -> Paint:
    """A colour of a device, or of what the resources say that it stands for."""
    calibrated = _named(f"Default{name.removeprefix('Device')}", resources) is not None
    return Paint(name, INITIAL.get(name, ()) if values is None else values, calibrated=calibrated)


def _named(name: str, resources: Object | None) -> Object | None:
    spaces = resources.get("/ColorSpace") if isinstance(resources, Dictionary) else None
    return spaces.get(f"/{name}") if isinstance(spaces, Dictionary) else None


def _family(value: Object, resources: Object | None, depth: int) -> Paint:
    family = SHORT.get(str(value[0])[1:], str(value[0])[1:])
    if len(value) < 2:
        return Paint(family, INITIAL.get(family, ()))
    if family == "ICCBased":
        base = BY_COMPONENTS.get(int(value[1].get("/N", 0)), "")
        return Paint(family, INITIAL.get(base, ()), base, calibrated=True)
    if family in ("Indexed", "Pattern"):
        under = colour_space(value[1], resources, depth + 1)
        return Paint(family, (), under.base or under.space, calibrated=under.calibrated)
    if family in ("Separation", "DeviceN") and len(value) > 2:
        under = colour_space(value[2], resources, depth + 1)
        names = (
            [str(value[1])[1:]]
            if isinstance(value[1], Name)
            else [str(item)[1:] for item in value[1]]
        )
        return Paint(
            family,
            (1.0,) * len(names),
            under.base or under.space,
            " ".join(names),
            under.calibrated,
        )
    return Paint(family, calibrated=family in ("CalGray", "CalRGB", "Lab"))


def numbers(operands: Iterable[Operand] | Object) -> tuple[float, ...]:
    """The numbers in an operand list or PDF array, as floats; anything else is left out."""
    return tuple(float(item) for item in operands if isinstance(item, int | float | Decimal))


@dataclass(slots=True)
class State:
    """What `q` saves and `Q` restores. Lengths in the units of the current user space."""

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
    font: Metrics = UNKNOWN
    size: float = 1.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def look(self, tags: tuple[str, ...], form: int, *, stroke: bool = False) -> Look:
        """How a thing painted now appears."""
        alpha = self.alpha_stroke if stroke else self.alpha_fill
        blend = self.blend if self.blend != "Normal" else self.group_blend
        mask = self.soft_mask or self.group_mask
        return Look(
            alpha * self.group_alpha,
            blend,
            mask,
            self.clip,
            tags,
            form,
            self.overprint,
            self.by_zero,
        )

    def enter_group(self) -> None:
        """A transparency group starts afresh; what was in force applies to it as a whole."""
        self.group_alpha *= self.alpha_fill
        self.group_blend = self.blend if self.blend != "Normal" else self.group_blend
        self.group_mask = self.group_mask or self.soft_mask
        self.alpha_fill = self.alpha_stroke = 1.0
        self.blend, self.soft_mask = "Normal", False


@dataclass(slots=True)
class PageContents:
    """What reading a page collects. `fonts` by object, `shown` those of visible text, `invisible` those of invisible
    text; `groups` are those of forms;
    `damaged` counts operators that could not be followed; `area` is the page; `memory` is shared by all pages, `seen`
    are the forms and coloured letters that the page has drawn.
    """

    items: list[Item] = field(default_factory=list)
    shown: set[Font] = field(default_factory=set)
    invisible: set[Font] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    fonts: dict[tuple[int, int] | str, Metrics] = field(default_factory=dict)
    groups: list[TransparencyGroup] = field(default_factory=list)
    damaged: int = 0
    memory: "Memory" = field(default_factory=lambda: Memory())
    area: Box = Box(0, 0, 0, 0)  # noqa: RUF009
    seen: set[object] = field(default_factory=set)


@dataclass(slots=True)
class Memory:
    """What is known of a file already: fonts by object, pages by what they say, and forms by all that their content
    depends on. What recurs does so soon: copies of a card one after another, a frame on each card of its sort.
    """

    fonts: dict[tuple[int, int], Metrics] = field(default_factory=dict)
    letters: dict[bytes, Heights] = field(default_factory=dict)
    pages: dict[bytes, Page] = field(default_factory=dict)
    forms: "dict[object, DrawnForm]" = field(default_factory=dict)


def remember(known: dict[K, V], key: K, value: V, most: int) -> None:
    """Hold a page or form among at most so many; the one that came first goes where there are too many."""
    known[key] = value
    if len(known) > most:
        known.pop(*islice(known, 1))


NOISE = 1e-7
"""What rounding may make of a matrix."""

_SKIPPED = {"ctm", "clip", "pattern_fill", "pattern_stroke", "font"}
_INHERITED = tuple(item.name for item in fields(State) if item.name not in _SKIPPED)


@dataclass
class DrawnForm:
    """What one form holds where it was first drawn, clipped by nothing but its own box. `state` is what it met."""

    state: State
    found: PageContents
    _placed: dict[tuple[object, Box | None, bool], tuple[Item, ...]] = field(default_factory=dict)

    def placed(self, move: Matrix, clip: Box | None, *, again: bool) -> tuple[Item, ...]:
        """The items elsewhere; `again`: only what can be seen, as the others were told on the same page before."""
        key = (move.shorthand, clip, again)
        if key not in self._placed:
            items = (
                (item, visible(item))
                for item in (_moved(item, move, clip) for item in self.found.items)
            )
            self._placed[key] = tuple(
                item for item, box in items if not again or (box.width > 0 and box.height > 0)
            )
        return self._placed[key]

    def move(self, ctm: Matrix) -> Matrix | None:
        """From the first place to this one; None where boxes would not stay exact."""
        first = self.state.ctm
        if not first.a * first.d - first.b * first.c:
            return None
        move = Matrix(*(round(part, 9) for part in (first.inverse() @ ctm).shorthand))
        even = abs(abs(move.a) - abs(move.d)) < NOISE and abs(move.a) > NOISE
        return move if even and abs(move.b) < NOISE and abs(move.c) < NOISE else None


def key_of(
    form: Object, state: State, tags: tuple[str, ...], depth: int
) -> tuple[object, ...] | None:
    """What a form's content depends on besides its place; None for one that leans on what is around it."""
    if not form.is_indirect or "/Resources" not in form or len(form.get("/BBox", [])) != 4:
        return None
    if state.pattern_fill is not None or state.pattern_stroke is not None:
        return None
    return (
        form.objgen,
        tags,
        depth,
        id(state.font),
        *(getattr(state, name) for name in _INHERITED),
    )


def _moved(item: Item, move: Matrix, clip: Box | None) -> Item:
    """An item elsewhere, within a further clip."""
    own = item.look.clip
    within = meet(clip, None if own is None else _box(own, move))
    look: Look = item.look if within == own else replace(item.look, clip=within)
    if move == Matrix():
        return item if look is item.look else replace(item, look=look)
    box, grown = _box(item.box, move), scale(move)
    if isinstance(item, Shape):
        points = tuple(move.transform(point) for point in item.points)
        thin = None if item.thin is None else item.thin * grown
        return replace(item, box=box, points=points, width=item.width * grown, look=look, thin=thin)
    if isinstance(item, PdfText):
        letters = None if item.letters is None else _box(item.letters, move)
        turned = direction(move, item.angle)
        width = item.width * grown
        return replace(
            item,
            box=box,
            size=item.size * grown,
            angle=turned,
            look=look,
            letters=letters,
            width=width,
        )
    if isinstance(item, Image):
        return replace(item, box=box, dpi=(item.dpi[0] / grown, item.dpi[1] / grown), look=look)
    return replace(item, box=box, look=look)


def _box(box: Box, move: Matrix) -> Box:
    return box if move == Matrix() else transformed(move, box.x, box.y, box.width, box.height)
