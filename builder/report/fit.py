"""Reports how far the shrinking blocks of a pack's faces had to shrink. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from builder.messages import gettext as _, translate


@dataclass(frozen=True, slots=True)
class BlockFit:
    """The final type size of one text block on a card face, and how full the block is.

    `sizes` are the declared sizes in pt, largest first. `fill` is the used share of the block's
    height, 0 to 1.
    """

    card: str
    name: str
    kind: str
    side: str
    lang: str
    block: str
    size: float
    sizes: tuple[float, ...]
    fill: float
    heading: bool = False
    letters: int = 0
    """Printed characters without spaces."""

    @property
    def shrunk(self) -> bool:
        """True if the block is printed below its largest declared size."""
        return self.size < self.sizes[0]

    @property
    def strain(self) -> tuple[float, float]:
        """The sort key by shrinking: the used share of the size range (0 to 1), then the fill."""
        size_range = self.sizes[0] - self.sizes[-1]
        share = (self.sizes[0] - self.size) / size_range if size_range else 0.0
        return share, self.fill

    @property
    def place(self) -> str:
        """The name of the block in messages. It also sorts blocks of equal strain."""
        return f"{self.kind}/{self.card} {self.side} [{self.lang}] {self.block}"


@dataclass(frozen=True, slots=True)
class TypeSizes:
    """All sizes in pt of the running text of one kind of card, largest first."""

    kind: str
    sizes: tuple[float, ...]

    @property
    def spread(self) -> float:
        """The ratio of the largest to the smallest size."""
        return self.sizes[0] / self.sizes[-1]

    @property
    def is_uniform(self) -> bool:
        """True if the sizes are so similar that readers do not notice a difference."""
        return len(self.sizes) <= MAX_SIZES and round(self.spread, 3) <= MAX_SPREAD


@dataclass(frozen=True, slots=True)
class FitReport:
    """The fit of all text blocks on the requested card faces."""

    pack: str
    blocks: tuple[BlockFit, ...]

    @property
    def shrunk(self) -> tuple[BlockFit, ...]:
        """The blocks that had to shrink, the most shrunken first."""
        shrunk = [block for block in self.blocks if block.shrunk]
        # Sorting is stable: blocks of equal strain stay in the order of their names.
        shrunk.sort(key=lambda block: block.place)
        shrunk.sort(key=lambda block: block.strain, reverse=True)
        return tuple(shrunk)

    @property
    def voices(self) -> tuple[TypeSizes, ...]:
        """The type sizes of running text, per kind of card."""
        sizes_by_kind: dict[str, set[float]] = {}
        for block in self.blocks:
            if not block.heading:
                sizes_by_kind.setdefault(block.kind, set()).add(block.size)
        voices: list[TypeSizes] = []
        for kind, sizes in sizes_by_kind.items():
            voices.append(TypeSizes(kind, tuple(sorted(sizes, reverse=True))))
        return tuple(voices)

    def find_emptiest(self, count: int) -> tuple[BlockFit, ...]:
        """Return the `count` emptiest blocks among those at their largest size."""
        full_size = [block for block in self.blocks if not block.shrunk]
        full_size.sort(key=lambda block: (block.fill, block.place))
        return tuple(full_size[:count])


MAX_LISTED_BLOCKS = 10
MAX_SIZES, MAX_SPREAD = 3, 1.35
"""Type sizes of a kind's running text, and the ratio of its largest to its smallest size."""


def format_fit_report(report: FitReport, lang: str) -> str:
    """Format the fit report: shrunken blocks, their share per language, and the emptiest blocks."""
    return "".join(f"{translate(line, lang)}\n" for line in _list_report_lines(report))


def _list_report_lines(report: FitReport) -> Iterator[str]:
    blocks = report.blocks
    shrunk = report.shrunk
    form = _("{pack}: {shrunk} of {many} blocks were shrunk")
    yield _(form, pack=report.pack, shrunk=len(shrunk), many=len(blocks))
    shrunk_counts = Counter(block.lang for block in shrunk)
    smallest_counts = Counter(
        block.lang for block in shrunk if block.size == block.sizes[-1]
    )
    for lang, count in sorted(Counter(block.lang for block in blocks).items()):
        form = _("  {lang}: {shrunk} of {many}, {last} of them to their smallest size")
        yield _(
            form,
            lang=lang,
            shrunk=shrunk_counts[lang],
            many=count,
            last=smallest_counts[lang],
        )
    if report.voices:
        yield from ("", _("Sizes of body text"))
    for voice in report.voices:
        listed = ", ".join(f"{size:g}" for size in voice.sizes)
        form = _(
            "{mark} {kind}: {listed} pt, the largest {spread:.2f} times the smallest"
        )
        yield _(
            form,
            mark=" " if voice.is_uniform else "!",
            kind=voice.kind,
            listed=listed,
            spread=voice.spread,
        )
    if shrunk:
        yield from ("", _("Shrunk, smallest first"))
    for block in shrunk:
        mark = "!" if block.size == block.sizes[-1] else " "
        form = _("{size:5.4g} pt{mark} ({most:g} to {least:g})")
        size = _(
            form, size=block.size, mark=mark, most=block.sizes[0], least=block.sizes[-1]
        )
        yield _(
            "  {size}  {block}  {fill:.0%} full",
            size=size,
            block=block.place,
            fill=block.fill,
        )
    empty = report.find_emptiest(MAX_LISTED_BLOCKS)
    if empty:
        yield from ("", _("Emptiest"))
    for block in empty:
        form = _("  {fill:4.0%} full at {size:g} pt  {block}")
        yield _(form, fill=block.fill, size=block.size, block=block.place)
