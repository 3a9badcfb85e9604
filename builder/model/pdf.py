"""The content of a finished PDF or image as frozen values.

Lengths are in mm from the top left corner of the visible page. Checks of these values are pure
functions. This module reads no files.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.findings import Box

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paint:
    """One color as the PDF file states it.

    `space` is the PDF colour space, such as `DeviceCMYK`, `ICCBased` or `Separation`. `base` is its
    alternate space, or `DeviceRGB` for a profile with 3 components. `values` are the components as
    written. `name` is the ink of a separation. `calibrated` is True if the file defines the
    colour's appearance by a profile or by measured values.
    """

    space: str
    values: tuple[float, ...] = ()
    base: str = ""
    name: str = ""
    calibrated: bool = False

    @property
    def family(self) -> str:
        """The color model without its profile: "Gray", "RGB", "CMYK" or another name."""
        space = self.base or self.space
        return FAMILIES_BY_SPACE.get(space, space)

    @property
    def ink(self) -> float | None:
        """The total ink of a gray or CMYK color in per cent. None for other colors."""
        if self.family == "CMYK" and len(self.values) == 4:
            return sum(self.values) * 100
        # A separation is ink of its own; its gray is only how screens show it.
        if (
            self.family == "Gray"
            and len(self.values) == 1
            and self.space != "Separation"
        ):
            # Gray counts light: 0 is black, which is full ink.
            return (1 - self.values[0]) * 100
        return None

    @property
    def lightness(self) -> float | None:
        """The approximate lightness of a color: 0 is black, 1 is white.

        None if it depends on a conversion.
        """
        # Their values are amounts of named inks or indexes, not shades.
        if self.space in ("Separation", "DeviceN", "Indexed", "Pattern"):
            return None
        if self.family == "Gray" and len(self.values) == 1:
            return self.values[0]
        if self.family == "RGB" and len(self.values) == 3:
            red, green, blue = self.values
            # The eye sees green as the lightest of the three, and blue as the darkest.
            return 0.3 * red + 0.59 * green + 0.11 * blue
        if self.family == "CMYK" and len(self.values) == 4:
            cyan, magenta, yellow, black = self.values
            return (1 - black) * (1 - 0.3 * cyan - 0.59 * magenta - 0.11 * yellow)
        return None


FAMILIES_BY_SPACE = {
    "DeviceGray": "Gray",
    "CalGray": "Gray",
    "DeviceRGB": "RGB",
    "CalRGB": "RGB",
    "DeviceCMYK": "CMYK",
}

LIGHT_FAMILIES = frozenset({"RGB", "Lab"})
"""Colour models of light, which a printing press must convert to inks."""


@dataclass(frozen=True, slots=True)
class Look:
    """The opacity, blend mode, clip and overprint of a drawn object.

    `clip` is the bounding box of the clip path, None without one. `tags` are the marked-content
    tags around the object, with the `Id` of their properties: `Gauge:ruler-6`. `form` is the depth
    of nested form XObjects. `overprint` is the overprint setting for fills and for strokes.
    `by_zero` is True in overprint mode 1: inks with the value 0 are left as they are.
    """

    alpha: float = 1.0
    blend: str = "Normal"
    soft_mask: bool = False
    clip: Box | None = None
    tags: tuple[str, ...] = ()
    form: int = 0
    overprint: tuple[bool, bool] = (False, False)
    by_zero: bool = False

    @property
    def transparent(self) -> bool:
        """True if the object is drawn with transparency."""
        return (
            self.alpha < 1
            or self.soft_mask
            or self.blend not in ("Normal", "Compatible")
        )


@dataclass(frozen=True, slots=True)
class Shape:
    """A painted path.

    `box` is its bounding box without the stroke, and `points` are its on-curve points. `width` is
    that of the stroke in mm. `thin` is the smallest thickness of the filled area in mm. It is None
    if nothing is filled, or only dots are.
    """

    box: Box
    points: tuple[Point, ...]
    fill: Paint | None
    stroke: Paint | None
    width: float
    look: Look
    thin: float | None = None

    @property
    def extent(self) -> Box:
        """The box of the shape, including half the line width on each side."""
        return grow_box(self.box, self.width / 2) if self.stroke else self.box


@dataclass(frozen=True, slots=True)
class PdfText:
    """A string of text on a page.

    `size` is the type size in pt after all scaling, `width` that of the stroke in mm. `box` has the
    font's full height. `letters` is the box of the glyphs, if the file allows to compute it.
    """

    box: Box
    text: str
    font: str
    size: float
    angle: float
    fill: Paint | None
    stroke: Paint | None
    look: Look
    letters: Box | None = None
    width: float = 0.0

    @property
    def visible(self) -> bool:
        """False for invisible text, such as the text layer of a scan."""
        return self.fill is not None or self.stroke is not None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture on a page with its pixels, its printed resolution, and its colors.

    The paint of a stencil is the colour that shows through. `is_flat` is True for a few pixels that
    make a plain colour or a gradient. These have no resolution.
    """

    box: Box
    pixels: tuple[int, int]
    dpi: tuple[float, float]
    paint: Paint
    look: Look
    is_flat: bool = False


@dataclass(frozen=True, slots=True)
class Shading:
    """A gradient. `box` is the area that it may cover."""

    box: Box
    paint: Paint
    look: Look


Item = Shape | PdfText | Image | Shading

MAX_SWATCH_PIXELS = 4
"""Pixels per side up to which an image may be a plain colour or a gradient. Larger ones are
pictures.
"""


@dataclass(frozen=True, slots=True)
class Font:
    """A font of a PDF. `name` is without the prefix of a subset."""

    name: str
    kind: str
    embedded: bool
    subset: bool


@dataclass(frozen=True, slots=True)
class TransparencyGroup:
    """A transparency group: its color space ("" if none), and whether it is a knockout group."""

    space: str
    knockout: bool = False


FEATURES = ("alternate", "jpx", "lzw", "opi", "postscript", "script", "transfer")
"""Features that standards for print forbid.

`alternate` is another picture for print, `jpx` and `lzw` are compressions. `opi` are pictures or
pages to be inserted later, and `postscript` are programs of printers. `transfer` are curves or
screens that change the inks.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF with everything drawn on it.

    Missing boxes have the defaults of the PDF standard: crop is media, the others are crop.
    `declared_boxes` are the boxes in the file. `fonts` are those of visible text, `invisible_fonts`
    are only used by invisible text. `groups` are the transparency groups of its forms.

    `damaged` is the number of operators that could not be read. `origin` is the corner of the media
    box in the file, in mm. `drawing_hash` is a hash of all items, valid in this process. `features`
    are those of `FEATURES`. `notes` is the number of annotations inside the bleed.
    """

    number: int
    media: Box
    crop: Box
    bleed: Box
    trim: Box
    art: Box
    declared_boxes: frozenset[str]
    rotate: int
    group: TransparencyGroup | None
    items: tuple[Item, ...]
    fonts: tuple[Font, ...]
    groups: tuple[TransparencyGroup, ...]
    annotations: int
    damaged: int = 0
    origin: Point = (0.0, 0.0)
    drawing_hash: int = 0
    features: frozenset[str] = frozenset()
    notes: int = 0
    invisible_fonts: tuple[Font, ...] = ()

    @property
    def shapes(self) -> Iterator[Shape]:
        """All painted paths, from bottom to top."""
        return (item for item in self.items if isinstance(item, Shape))

    @property
    def texts(self) -> Iterator[PdfText]:
        """All strings of text, from bottom to top."""
        return (item for item in self.items if isinstance(item, PdfText))

    @property
    def images(self) -> Iterator[Image]:
        """All pictures, from bottom to top."""
        return (item for item in self.items if isinstance(item, Image))

    @property
    def brief(self) -> "Page":
        """The page with one object of each kind, which is enough for checks of the whole file."""
        first: dict[object, Item] = {}
        for item in self.items:
            first.setdefault(_make_summary_key(item), item)
        return replace(self, items=tuple(first.values()))


@dataclass(frozen=True, slots=True)
class OutputIntent:
    """The printing condition for which a PDF was made.

    `components` is the number of colours of its profile, 0 without one. `registered` is True if it
    names a registry of conditions.
    """

    subtype: str
    condition: str
    profile: str
    components: int
    registered: bool = False


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF file with the facts of all its pages.

    `standard` is the standard that it claims to meet (`PDF/X-4`), if any. `ids` are the two file
    ids in hexadecimal. `guessed_count` is the number of damaged places that were guessed. `dated`
    is True if the file has both dates, `packed` if it has object streams (PDF 1.5). `attached` is
    the number of attached files.
    """

    version: str
    standard: str
    encrypted: bool
    ids: tuple[str, ...]
    title: str
    trapped: str
    intents: tuple[OutputIntent, ...]
    layers: bool
    javascript: bool
    pages: tuple[Page, ...]
    guessed_count: int = 0
    dated: bool = True
    packed: bool = False
    attached: int = 0

    @property
    def fonts(self) -> tuple[Font, ...]:
        """All fonts of all pages, each once, sorted by name."""
        fonts: set[Font] = set()
        for page in self.pages:
            fonts.update(page.fonts)
        return tuple(sorted(fonts, key=lambda font: font.name))


def _make_summary_key(item: Item) -> tuple[object, ...]:
    """Return the properties of an object that checks of the whole file need."""
    text = (item.font, item.visible) if isinstance(item, PdfText) else ()
    colors: set[tuple[str, bool]] = set()
    for paint in list_paints(item):
        light_family = paint.family if paint.family in LIGHT_FAMILIES else ""
        colors.add((light_family, paint.calibrated))
    return (*text, item.look.transparent, frozenset(colors))


def list_paints(item: Item) -> tuple[Paint, ...]:
    """Return the colors that an object is painted with."""
    if isinstance(item, Shape | PdfText):
        return tuple(paint for paint in (item.fill, item.stroke) if paint)
    return (item.paint,)


def grow_box(box: Box, by: float) -> Box:
    """Return a box that is larger by `by` mm on each side."""
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def intersect_boxes(first: Box | None, second: Box | None) -> Box | None:
    """Return the common part of two boxes. Its width or height is 0 if there is none.

    None is an unlimited box.
    """
    if first is None or second is None:
        return first or second
    x = max(first.x, second.x)
    y = max(first.y, second.y)
    width = min(first.right, second.right) - x
    height = min(first.bottom, second.bottom) - y
    return Box(x, y, max(0.0, width), max(0.0, height))


def find_visible_box(item: Item) -> Box:
    """Return the part of an object's box that its clip leaves visible."""
    box = item.extent if isinstance(item, Shape) else item.box
    return intersect_boxes(box, item.look.clip) or box


@dataclass(frozen=True, slots=True)
class InkSpot:
    """An area of a page whose total ink exceeds the limit. `percent` is the highest value in it."""

    page: int
    box: Box
    percent: float


@dataclass(frozen=True, slots=True)
class InkLimitViolations:
    """The areas of a PDF whose total ink exceeds the limit.

    `missing` is the reason if nothing could be measured.
    """

    spots: tuple[InkSpot, ...] = ()
    missing: str = ""


Edges: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are not included."""


@dataclass(frozen=True, slots=True)
class Raster:
    """An image file with the facts that are checked.

    `form` is its format, such as `PNG`, and `mode` its colour mode, such as `RGBA`. `alpha` is True
    if it can be transparent. `clear` are the edges of the area that is not opaque. `drawn_area` is
    the area that differs from the corner pixel, None for a single colour.

    `dpi` is the resolution in the file, across and down. `profile` is the name of its colour
    profile, if any. `shade` is a digest of the pixels. `filled` is the share (0 to 1) of each edge
    of `drawn_area` that differs from the corner.
    """

    form: str
    pixels: tuple[int, int]
    mode: str
    alpha: bool = False
    clear: Edges | None = None
    drawn_area: Edges | None = None
    dpi: tuple[float, float] | None = None
    profile: str = ""
    shade: str = ""
    filled: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
