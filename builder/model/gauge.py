"""Models of gauges.yaml: measuring tools and tokens that are printed true to scale. No I/O."""

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from builder.messages import gettext as _
from builder.model.base import IconId, Id, Localized, Model, Words
from builder.model.outline import Length, Outline, Position

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour as #rrggbb."""
Figure = Literal["circle", "square", "triangle", "diamond", "pentagon", "hex", "shield"]
"""A simple outline known by name."""


class GaugeStyle(Model):
    """The colors and type sizes of all gauges of a pack."""

    ink: Colour = Field(
        default="#1b1f24", description="Colour of lines, numbers and dark bands."
    )
    paper: Colour = Field(default="#ffffff", description="Background colour of gauges.")
    tint: Colour = Field(
        default="#e9ecef",
        description="Colour of pale bands that make units easy to count.",
    )
    accent: Colour = Field(default="#d9480f", description="Default colour of a gauge.")
    cut: Colour = Field(default="#8a9199", description="Colour of cut lines.")
    band: Colour | None = Field(
        default=None,
        description="Colour of bands with a name; the ink colour if absent.",
    )


class Gauge(Model):
    """The keys that all gauges have in common."""

    id: Id = Field(description="An id that is unique in the file.")
    name: Localized = Field(
        description="The name, per language. It is printed on the gauge or below it."
    )
    note: Localized = Field(
        default_factory=dict, description="A short line that explains its use."
    )
    count: int = Field(default=1, ge=1, le=200, description="Number of copies.")
    colour: Colour | None = Field(
        default=None, description="Its colour; the style's accent if absent."
    )


class Scale(Model):
    """A scale of marks along one edge of a ruler."""

    unit: Length = Field(default=25.4, description="Length of one unit of the scale.")
    steps: tuple[float, ...] = Field(
        default=(1, 0.5, 0.25),
        min_length=1,
        description="Marked parts of a unit, longest marks first.",
    )
    every: int = Field(
        default=1, ge=1, description="Number of units between printed numbers."
    )
    start: int = Field(default=0, description="The number at the origin.")
    offset: Position = Field(
        default=0.0,
        ge=0,
        description="Distance from the end of the gauge to the origin.",
    )
    sign: Words = Field(
        default="", description="The symbol of the unit, printed after the last number."
    )


class Repeat(Model):
    """A symbol that is repeated along a ruler at multiples of a distance."""

    figure: Figure = Field(description="The symbol.")
    every: Length = Field(description="The distance that the symbol means.")


class Ruler(Gauge):
    """A straight strip with a scale on one edge or on both."""

    type: Literal["ruler"] = Field(
        description="A straight strip with a scale on one edge or on both."
    )
    length: Length = Field(
        description=(
            "Its length. If it is longer than the paper, it is printed in parts to glue together."
        )
    )
    width: Length = Field(default=22.0, description="Its width.")
    scale: Scale = Field(default=Scale(), description="Marks along the upper edge.")
    opposite: Scale | None = Field(
        default=None, description="Marks along the lower edge."
    )
    repeats: tuple[Repeat, ...] = Field(
        default=(), max_length=4, description="Symbols repeated along it, row by row."
    )

    @model_validator(mode="after")
    def _check_width(self) -> Self:
        min_width = (34 if self.opposite else 20) + 6.5 * len(self.repeats)
        if self.width < min_width:
            raise ValueError(
                _(
                    "width is {width:g} mm, but its scales and symbols need {least:g} mm",
                    width=self.width,
                    least=min_width,
                )
            )
        return self


class HeightRuler(Gauge):
    """A ruler that stands on the table, to be read from either end.

    On a base, or turned over beside the model, on the table.
    """

    type: Literal["height-ruler"] = Field(
        description="A ruler that stands upright and can be read from either end."
    )
    unit: Length = Field(description="Length of one unit of height.")
    units: int = Field(ge=1, le=12, description="Number of units.")
    steps: tuple[float, ...] = Field(
        default=(1, 0.5), min_length=1, description="Marked parts of a unit."
    )
    offset: Position = Field(
        default=0.0,
        ge=0,
        description="Height of zero above the table when it is turned over.",
    )
    width: Length = Field(default=25.0, description="Its width.")
    base: Localized = Field(
        default_factory=dict, description="Label of the end that stands on the base."
    )
    table: Localized = Field(
        default_factory=dict, description="Label of the end that stands on the table."
    )


class Ring(Model):
    """A ring around the centre of a disc."""

    radius: Length = Field(description="Distance from the centre.")
    label: Words = Field(default="", description="Text on the line.")


class Disc(Gauge):
    """A round measuring tool with rings."""

    type: Literal["disc"] = Field(description="A round gauge with rings.")
    radius: Length | None = Field(
        default=None, description="Its radius. Use either this or `diameter`."
    )
    diameter: Length | None = Field(
        default=None, description="Its diameter. Use either this or `radius`."
    )
    hole: Length | None = Field(
        default=None, description="Diameter of a hole to cut out in the middle."
    )
    rings: tuple[Ring, ...] = Field(default=(), description="Lines around the centre.")
    centre: Literal["cross", "dot", "none"] = Field(
        default="cross", description="The mark at the centre."
    )
    spokes: int = Field(
        default=0, ge=0, le=24, description="Lines from the centre to the edge."
    )
    label: Words = Field(default="", description="Large text in the middle.")
    icon: IconId | None = Field(
        default=None, description="An icon of the pack in the middle."
    )
    solid: bool = Field(default=False, description="True: filled with its colour.")

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if (self.radius is None) == (self.diameter is None):
            raise ValueError(_("give either radius or diameter"))
        if self.hole and self.hole >= 2 * self.r:
            raise ValueError(_("the hole is as large as the disc"))
        return self

    @property
    def r(self) -> float:
        """The radius in mm."""
        return self.radius if self.radius is not None else (self.diameter or 0.0) / 2


class TemplateLine(Model):
    """A line drawn on a template."""

    start: tuple[Position, Position] = Field(
        description="[x, y] from the origin of the outline."
    )
    end: tuple[Position, Position] = Field(
        description="[x, y] from the origin of the outline."
    )
    label: Words = Field(default="", description="Text next to its middle.")
    dashed: bool = Field(default=False, description="True: a dashed line.")


class Template(Gauge):
    """A flat measuring tool of any outline, which is cut out and laid on the table."""

    type: Literal["template"] = Field(
        description="A shape to cut out and put on the table."
    )
    outline: Outline = Field(description="The outline of the shape.")
    hole: Outline | None = Field(
        default=None, description="A shape that is cut out of it, from the same origin."
    )
    lines: tuple[TemplateLine, ...] = Field(
        default=(), description="Lines drawn on it."
    )
    degrees: float | None = Field(
        default=None,
        gt=0,
        le=90,
        description="For a sector: degrees between numbered lines.",
    )
    label: Words = Field(
        default="", description="Large text on it; its name if absent."
    )
    icon: IconId | None = Field(default=None, description="An icon of the pack on it.")


class Side(Model):
    """One side of a token."""

    icon: IconId | None = Field(default=None, description="An icon of the pack.")
    text: Words = Field(
        default="",
        description="Short text: large without an icon, small below an icon.",
    )
    colour: Colour | None = Field(
        default=None, description="Background colour; the token's colour if absent."
    )
    ink: Colour | None = Field(
        default=None, description="Colour of icon and text; a legible colour if absent."
    )


class TokenFace(Side):
    """A token's front, its number of copies, and its own back if it has one."""

    count: int = Field(
        default=1, ge=1, le=200, description="Number of tokens with this front."
    )
    back: Side | None = Field(
        default=None,
        description="A different back for this front; the common back if absent.",
    )


class Token(Gauge):
    """A marker that is cut out and laid on the table.

    With backs they are printed on the following page, behind their fronts.
    """

    type: Literal["token"] = Field(description="A marker to cut out.")
    figure: Figure = Field(default="circle", description="The outline of the token.")
    size: Length = Field(default=25.0, description="Its width.")
    faces: tuple[TokenFace, ...] = Field(
        min_length=1, description="The fronts of the token."
    )
    back: Side | None = Field(
        default=None,
        description="One back for all fronts, so that they look the same from behind.",
    )
    series: tuple[str, ...] = Field(
        default=(),
        description=(
            "Symbols (A, B, C ...). The whole set is printed once for each, with the "
            "symbol on both sides."
        ),
    )
    caption: bool = Field(default=True, description="True: print the name below it.")


class Cell(Model):
    """One box of a track."""

    label: Words = Field(default="", description="The text in the zone.")
    icon: IconId | None = Field(default=None, description="An icon of the pack.")
    colour: Colour | None = Field(
        default=None, description="The background of the zone."
    )


class Zone(Model):
    """Neighbouring boxes of a track that have one color."""

    first: int = Field(ge=1, description="Number of its first box, counted from 1.")
    last: int = Field(ge=1, description="Number of its last box.")
    colour: Colour = Field(description="Background of these boxes.")


class Track(Model):
    """A row of boxes on a board. They are numbered by `first`, `last` and `step`, or listed."""

    title: Localized = Field(
        default_factory=dict, description="The title above the track."
    )
    icon: IconId | None = Field(default=None, description="An icon before the title.")
    first: int | None = Field(default=None, description="The first number.")
    last: int | None = Field(default=None, description="The last number.")
    step: int = Field(
        default=1, ge=1, description="Difference between neighbouring numbers."
    )
    plus: bool = Field(default=False, description="Print + before positive numbers.")
    cells: tuple[Cell, ...] = Field(
        default=(), description="Texts of the boxes, instead of numbers."
    )
    zones: tuple[Zone, ...] = Field(default=(), description="Coloured groups of boxes.")
    width: Length = Field(default=12.0, description="Width of a box.")
    height: Length = Field(default=12.0, description="Height of a box.")
    per_row: int | None = Field(
        default=None,
        ge=1,
        description="Number of boxes in a row; all in one row if absent.",
    )

    @model_validator(mode="after")
    def _check_labels(self) -> Self:
        count = None
        if self.first is not None and self.last is not None:
            count = (self.last - self.first) // self.step
        if (count is not None) == bool(self.cells):
            raise ValueError(_("give either first and last, or cells"))
        # Checked before `boxes` makes them, because a typing error may mean millions.
        if count is not None and not 0 <= count < 200:
            raise ValueError(
                _(
                    "a track has 1 to 200 boxes, and `last` must not be less than `first`"
                )
            )
        if any(not zone.first <= zone.last <= len(self.boxes) for zone in self.zones):
            raise ValueError(
                _("a zone is outside the {many} boxes", many=len(self.boxes))
            )
        return self

    @property
    def boxes(self) -> tuple[Cell, ...]:
        """The boxes of the track, with their numbers."""
        if self.cells or self.first is None or self.last is None:
            return self.cells
        boxes: list[Cell] = []
        for number in range(self.first, self.last + 1, self.step):
            label = f"+{number}" if self.plus and number > 0 else str(number)
            boxes.append(Cell(label=label))
        return tuple(boxes)


class Panel(Gauge):
    """A board with tracks, which lies beside the table."""

    type: Literal["panel"] = Field(
        description="A board of tracks to put next to the table."
    )
    tracks: tuple[Track, ...] = Field(
        min_length=1, description="The tracks from top to bottom."
    )


class Slider(Gauge):
    """A strip of boxes with a folded sleeve, whose window slides along it."""

    type: Literal["slider"] = Field(
        description="A strip of boxes and a folded sleeve that slides along it."
    )
    track: Track = Field(description="The strip; it has one row.")
    pointer: Literal["window", "arrow"] = Field(
        default="window", description="The pointer: a window around a box, or an arrow."
    )


class Reach(Gauge):
    """A measuring stick for a distance that the game names with a symbol."""

    type: Literal["reach"] = Field(
        description="A stick with the length of a distance that the game names by a symbol."
    )
    figure: Figure | None = Field(
        default=None, description="The symbol, if the distance has one."
    )
    length: Length = Field(description="The distance.")
    form: Literal["stick", "outline"] = Field(
        default="stick",
        description=(
            "A stick with symbols, or the symbol itself as a shape whose sides (or "
            "diameter) have this length."
        ),
    )
    width: Length = Field(default=22.0, description="Width of the stick.")
    label: Words = Field(
        default="", description="The distance in words; inches if absent."
    )

    @model_validator(mode="after")
    def _check_sign(self) -> Self:
        if self.form == "outline" and self.figure is None:
            raise ValueError(_("an outline needs a silhouette"))
        return self


class GridRuler(Gauge):
    """A grid of squares, each with the cost of moving there from a corner."""

    type: Literal["grid-ruler"] = Field(
        description="A grid of squares, numbered with the cost to reach each one from a corner."
    )
    cell: Length = Field(description="Length of a side.")
    columns: int = Field(ge=1, le=40, description="Number of columns.")
    rows: int = Field(ge=1, le=40, description="Number of rows.")
    diagonal: float = Field(
        default=1.5,
        gt=0,
        description="Cost of a diagonal step; a straight one costs 1.",
    )


AnyGauge = Annotated[
    Ruler | HeightRuler | Disc | Template | Token | Panel | Slider | Reach | GridRuler,
    Field(discriminator="type"),
]
"""One gauge, told apart by `type`."""


class GaugeGroup(Model):
    """Gauges that are printed together and begin on a new page."""

    id: Id = Field(description="The group's id.")
    title: Localized = Field(description="Header of its pages.")
    gauges: tuple[AnyGauge, ...] = Field(
        min_length=1, description="Gauges in the order of printing."
    )


class GaugeSet(Model):
    """gauges.yaml: the measuring tools of a game that are printed."""

    page = "gauges.md"

    style: GaugeStyle = Field(
        default=GaugeStyle(), description="Colours of all gauges."
    )
    groups: tuple[GaugeGroup, ...] = Field(
        min_length=1, description="Groups of gauges. Each starts on a new page."
    )

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        counts: Counter[str] = Counter()
        for group in self.groups:
            counts.update(gauge.id for gauge in group.gauges)
        repeated_ids = sorted(name for name, count in counts.items() if count > 1)
        if repeated_ids:
            raise ValueError(
                _("ids used twice: {listed}", listed=", ".join(repeated_ids))
            )
        return self
