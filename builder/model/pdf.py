"""What a finished PDF or image says, as frozen values.

Lengths in mm from the page's top left corner as it is seen.

Checks over these values are pure functions; nothing here knows of files or of libraries that read
them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.findings import Box

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paint:
    """One colour as the file states it.

    `space` is the PDF family (`DeviceGray`, `DeviceRGB`, `DeviceCMYK`, `ICCBased`, `CalRGB`, `Lab`,
    `Indexed`, `Separation`, `DeviceN`, `Pattern`); `base` is what it rests on (the alternate space,
    `DeviceRGB` for a profile of three components); `values` are the components as written; `name`
    is the ink of a separation; `calibrated` tells that the file itself says how the colour looks,
    by a profile or by measure.
    """

    space: str
    values: tuple[float, ...] = ()
    base: str = ""
    name: str = ""
    calibrated: bool = False

    @property
    def family(self) -> str:
        """`Gray`, `RGB`, `CMYK` or the space itself: the paint's colours without its profile."""
        return FAMILIES_BY_SPACE.get(self.base or self.space, self.base or self.space)

    @property
    def ink(self) -> float | None:
        """Total ink in per cent of a gray or CMYK paint; None where it depends on a conversion."""
        if self.family == "CMYK" and len(self.values) == 4:
            return sum(self.values) * 100
        if self.family == "Gray" and len(self.values) == 1 and self.space != "Separation":
            return (1 - self.values[0]) * 100
        return None

    @property
    def lightness(self) -> float | None:
        """About how light the paint looks: 0 for black, 1 for white.

        None where it depends on a conversion.
        """
        if self.space in ("Separation", "DeviceN", "Indexed", "Pattern"):
            return None
        if self.family == "Gray" and len(self.values) == 1:
            return self.values[0]
        if self.family == "RGB" and len(self.values) == 3:
            red, green, blue = self.values
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
"""Families that stand for light, not ink."""


@dataclass(frozen=True, slots=True)
class Look:
    """The opacity, blend mode and current clip of a drawn object.

    `clip` is the bounding box of the clip path (None: not clipped); `tags` are the marked-content
    tags around it, with the `Id` of their property list where they have one (`Gauge:ruler-6`);
    `form` is how deep inside form XObjects; `overprint` tells of fills and of strokes whether what
    lies below stays in the inks that they do not name, `by_zero` whether inks of which they ask for
    none count as not named.
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
        """True if the object needs transparency to be shown."""
        return self.alpha < 1 or self.soft_mask or self.blend not in ("Normal", "Compatible")


@dataclass(frozen=True, slots=True)
class Shape:
    """One painted path.

    `box` is the geometry without the stroke; `points` its on-curve points; `width` the stroke.

    `thin` is how thick what is filled is where it is thinnest, in mm; None where nothing is, or
    nothing but dots.
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
        """The box including half the stroke on each side."""
        return grow_box(self.box, self.width / 2) if self.stroke else self.box


@dataclass(frozen=True, slots=True)
class PdfText:
    """One shown string.

    `size` is the type size in pt (vertical, after all scaling), `width` the stroke in mm.

    `box` has the font's full height; `letters` that of the letters shown, where the file tells it.
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
        """False for invisible text (a layer for searching)."""
        return self.fill is not None or self.stroke is not None


@dataclass(frozen=True, slots=True)
class Image:
    """A placed picture: pixels, resolution on paper, and paint (for a stencil: what shows through).

    `is_flat` is True for a few pixels that stand for one colour or for a gradient; these have no
    resolution.
    """

    box: Box
    pixels: tuple[int, int]
    dpi: tuple[float, float]
    paint: Paint
    look: Look
    is_flat: bool = False


@dataclass(frozen=True, slots=True)
class Shading:
    """One gradient painted directly or through a pattern. `box` is the area it can reach."""

    box: Box
    paint: Paint
    look: Look


Item = Shape | PdfText | Image | Shading

MAX_SWATCH_PIXELS = 4
"""Pixels a side up to which an image may stand for a plain colour or a gradient; larger ones are
pictures.
"""


@dataclass(frozen=True, slots=True)
class Font:
    """One font resource. `name` is without the subset tag."""

    name: str
    kind: str
    embedded: bool
    subset: bool


@dataclass(frozen=True, slots=True)
class TransparencyGroup:
    """A transparency group's colour space (`''` if none), and whether its parts knock out."""

    space: str
    knockout: bool = False


FEATURES = ("alternate", "jpx", "lzw", "opi", "postscript", "script", "transfer")
"""Another picture for print, a new and an old compression, pictures or pages to be put in later,
programs of printers, scripts, and curves or screens that change inks on their way to the plate.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as seen.

    Missing boxes fall back as PDF says: crop to media, the others to crop.

    `stated` are the boxes the page states; `fonts` those of visible text; `invisible_fonts` those
    that only invisible text uses; `groups` those of its forms; `damaged` counts operators that
    could not be followed; `origin` is where the media box starts in the file, in mm. `drawn` is a
    hash of all items, within this process. `features` are parts that standards for print forbid, by
    the words of `FEATURES`; `notes` counts annotations in the bleed and within it.
    """

    number: int
    media: Box
    crop: Box
    bleed: Box
    trim: Box
    art: Box
    stated: frozenset[str]
    rotate: int
    group: TransparencyGroup | None
    items: tuple[Item, ...]
    fonts: tuple[Font, ...]
    groups: tuple[TransparencyGroup, ...]
    annotations: int
    damaged: int = 0
    origin: Point = (0.0, 0.0)
    drawn: int = 0
    features: frozenset[str] = frozenset()
    notes: int = 0
    invisible_fonts: tuple[Font, ...] = ()

    @property
    def shapes(self) -> Iterator[Shape]:
        """All painted paths, bottom first."""
        return (item for item in self.items if isinstance(item, Shape))

    @property
    def texts(self) -> Iterator[PdfText]:
        """All shown strings."""
        return (item for item in self.items if isinstance(item, PdfText))

    @property
    def images(self) -> Iterator[Image]:
        """All placed pictures."""
        return (item for item in self.items if isinstance(item, Image))

    @property
    def brief(self) -> "Page":
        """The page with only the first item of each sort.

        What judges a file as a whole asks for no other.
        """
        first: dict[object, Item] = {}
        for item in self.items:
            first.setdefault(_make_summary_key(item), item)
        return replace(self, items=tuple(first.values()))


@dataclass(frozen=True, slots=True)
class OutputIntent:
    """The printing condition for which the file was made.

    `components` are the colours of its profile, 0 without one; `registered` tells that it names a
    registry of conditions.
    """

    subtype: str
    condition: str
    profile: str
    components: int
    registered: bool = False


@dataclass(frozen=True, slots=True)
class Pdf:
    """A whole file.

    `standard` is its claim (`PDF/X-4`), empty if it makes none; `ids` the two file ids in hex.

    `guessed_count` counts damaged places of the file whose content the reader had to guess. `dated`
    is true if the file has the dates of its creation and last change, `packed` if its objects are
    in streams (PDF 1.5). `attached` counts the files in it.
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
        """All fonts of all pages, each once, by name."""
        fonts: set[Font] = set()
        for page in self.pages:
            fonts.update(page.fonts)
        return tuple(sorted(fonts, key=lambda font: font.name))


def _make_summary_key(item: Item) -> tuple[object, ...]:
    """Return the item's facts that checks of a whole file need: font, colours, transparency."""
    text = (item.font, item.visible) if isinstance(item, PdfText) else ()
    colors = frozenset(
        (paint.family in LIGHT_FAMILIES and paint.family, paint.calibrated)
        for paint in list_paints(item)
    )
    return (*text, item.look.transparent, colors)


def list_paints(item: Item) -> tuple[Paint, ...]:
    """Return every color that an item is painted with."""
    if isinstance(item, Shape | PdfText):
        return tuple(paint for paint in (item.fill, item.stroke) if paint)
    return (item.paint,)


def grow_box(box: Box, by: float) -> Box:
    """Return a box that is larger by `by` mm on each side."""
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def intersect_boxes(first: Box | None, second: Box | None) -> Box | None:
    """Return the common part of two boxes. None stands for everything.

    Without a common part the result has no width or height.
    """
    if first is None or second is None:
        return first or second
    x, y = max(first.x, second.x), max(first.y, second.y)
    return Box(
        x,
        y,
        max(0.0, min(first.right, second.right) - x),
        max(0.0, min(first.bottom, second.bottom) - y),
    )


def find_visible_box(item: Item) -> Box:
    """Return the visible part of an item: its box within the clip."""
    box = item.extent if isinstance(item, Shape) else item.box
    return intersect_boxes(box, item.look.clip) or box


@dataclass(frozen=True, slots=True)
class InkSpot:
    """One area of a page with more ink than was asked about; `percent` is the most in it."""

    page: int
    box: Box
    percent: float


@dataclass(frozen=True, slots=True)
class Inks:
    """The areas of a file that exceed an ink limit.

    `missing` says in words why nothing could be measured.
    """

    spots: tuple[InkSpot, ...] = ()
    missing: str = ""


Edges: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are the first that lie outside."""


@dataclass(frozen=True, slots=True)
class Raster:
    """One image.

    `form` is the file's format and `mode` its colours by their usual names (`PNG`, `JPEG`; `RGB`,
    `RGBA`, `CMYK`, `L`, `P`, `I;16`); `alpha` tells whether it can be transparent, `clear` where it
    is not opaque; `drawn` is what differs from the colour of its corner (None: one colour
    throughout); `dpi` the resolution written into it, across and down; `profile` the name of its
    colour profile, empty for none; `shade` a digest of its pixels; `filled` how much (0 to 1) of
    each edge of `drawn`, a pixel inside of it, differs from the corner too.
    """

    form: str
    pixels: tuple[int, int]
    mode: str
    alpha: bool = False
    clear: Edges | None = None
    drawn: Edges | None = None
    dpi: tuple[float, float] | None = None
    profile: str = ""
    shade: str = ""
    filled: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
