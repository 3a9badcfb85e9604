"""Reports the type sizes of each kind, and the texts that keep it from one body size. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

from builder.messages import Message, gettext as _, ngettext, translate
from builder.report.fit import BlockFit

MIN_LEGIBLE_PT = 7
"""Smaller letters are counted."""
MAX_EMPTY_SHARE = 0.25
"""A face with a larger band without content looks unfinished."""
MAX_LISTED_TEXTS = 12


@dataclass(frozen=True, slots=True)
class EmptyBand:
    """The tallest empty horizontal band of a card face.

    `share` is its part of the face's height.
    """

    face: str
    share: float


@dataclass(slots=True)
class KindSizes:
    """The printed type sizes of one kind of card in one language.

    `letters_by_size` counts all printed letters by their size in pt. `declared_size` is the body
    size of pack.yaml, if any.
    """

    kind: str
    lang: str
    declared_size: float | None = None
    letters_by_size: Counter[float] = field(default_factory=Counter)
    blocks: list[BlockFit] = field(default_factory=list)
    bands: list[EmptyBand] = field(default_factory=list)

    @property
    def largest_band(self) -> EmptyBand:
        """The tallest empty band of all faces of the kind."""
        return max(self.bands, key=lambda band: band.share, default=EmptyBand("", 0.0))

    @property
    def smallest_size(self) -> float:
        """The size of the smallest characters in pt, or 0 if there are none."""
        return min(self.letters_by_size, default=0.0)

    @property
    def small_share(self) -> float:
        """The share of letters smaller than `MIN_LEGIBLE_PT`, 0 to 1."""
        total = self.letters_by_size.total()
        small_count = 0
        for size, count in self.letters_by_size.items():
            if size < MIN_LEGIBLE_PT:
                small_count += count
        return small_count / total if total else 0.0

    @property
    def body_sizes(self) -> tuple[float, ...]:
        """The sizes of running text, the largest first."""
        sizes = {block.size for block in self.blocks}
        return tuple(sorted(sizes, reverse=True))

    @property
    def spread(self) -> float:
        """The ratio of the largest to the smallest size of running text."""
        return self.body_sizes[0] / self.body_sizes[-1] if self.blocks else 1.0

    @property
    def target_size(self) -> float:
        """The declared body size in pt, or else the most frequent size of the text blocks."""
        if self.declared_size is not None:
            return self.declared_size
        counts = Counter(block.size for block in self.blocks)
        return max(counts, key=lambda size: (counts[size], size), default=0.0)

    def list_long_texts(self) -> list[tuple[BlockFit, int]]:
        """Return the texts below the target size with the number of characters each must lose."""
        target_size = self.target_size
        # A block whose declared sizes are all below the target is meant to be small.
        blocks = [
            block for block in self.blocks if block.size < target_size <= block.sizes[0]
        ]
        texts = [(block, count_surplus(block, target_size)) for block in blocks]
        return sorted(texts, key=lambda text: (-text[1], text[0].place))


def count_surplus(block: BlockFit, target_size: float) -> int:
    """Estimate how many characters a text must lose to fit at a larger type size.

    Text fills an area, so its fill goes with the square of its size.
    """
    fill = block.fill * (target_size / block.size) ** 2
    return max(ceil(block.letters * (1 - 1 / fill)), 1)


def format_type_sizes(pack: str, kinds: Sequence[KindSizes], lang: str) -> str:
    """Format the report: a table of all kinds, texts to shorten, and faces with empty bands."""
    headers = [
        _("kind"),
        "",
        _("smallest"),
        _("body text, pt"),
        _("spread"),
        _("below {limit} pt", limit=MIN_LEGIBLE_PT),
        _("empty band"),
    ]
    rows = [["", *(translate(header, lang) for header in headers)]]
    rows += [_list_cells(sizes) for sizes in kinds]
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = [translate(_("{pack}: type sizes", pack=pack), lang)]
    for row in rows:
        mark, *cells = map(str.ljust, row, widths)
        lines.append(f"{mark} {'  '.join(cells)}".rstrip())
    for sizes in kinds:
        lines += [translate(line, lang) for line in _format_long_texts(sizes)]
        lines += [translate(line, lang) for line in _format_bands(sizes)]
    return "\n".join(lines) + "\n"


def _list_cells(sizes: KindSizes) -> list[str]:
    """Return the table cells of one kind and language.

    The first marks values to improve with `!`.
    """
    empty_share = sizes.largest_band.share
    is_good = (
        sizes.spread == 1 and not sizes.small_share and empty_share <= MAX_EMPTY_SHARE
    )
    return [
        " " if is_good else "!",
        sizes.kind,
        sizes.lang,
        f"{sizes.smallest_size:g}",
        ", ".join(f"{size:g}" for size in sizes.body_sizes) or "-",
        f"{sizes.spread:.2f}",
        f"{sizes.small_share:.0%}",
        f"{empty_share:.0%}",
    ]


def _format_bands(sizes: KindSizes) -> Iterator[Message | str]:
    """Yield a line for each face with a large empty band, the emptiest first."""
    empty_bands = [band for band in sizes.bands if band.share > MAX_EMPTY_SHARE]
    empty_bands.sort(key=lambda band: (-band.share, band.face))
    if not empty_bands:
        return
    form = _("Empty bands above {limit:.0%}: {kind} [{lang}]")
    yield ""
    yield _(form, limit=MAX_EMPTY_SHARE, kind=sizes.kind, lang=sizes.lang)
    for band in empty_bands[:MAX_LISTED_TEXTS]:
        yield f"  {band.share:.0%}  {band.face}"
    yield from _format_unlisted_count(len(empty_bands))


def _format_unlisted_count(count: int) -> Iterator[Message]:
    """Yield a line with the number of items above `MAX_LISTED_TEXTS`, if there are any."""
    if count > MAX_LISTED_TEXTS:
        yield _("  ... and {count} more", count=count - MAX_LISTED_TEXTS)


def _format_long_texts(sizes: KindSizes) -> Iterator[Message | str]:
    """Yield a line for each text that should be shortened."""
    texts = sizes.list_long_texts()
    if not texts:
        return
    form = _("Shorten for {size:g} pt: {kind} [{lang}]")
    yield ""
    yield _(form, size=sizes.target_size, kind=sizes.kind, lang=sizes.lang)
    for block, surplus in texts[:MAX_LISTED_TEXTS]:
        yield ngettext(
            "  {place}: about {count} of {letters} characters too many, {size:g} pt",
            "  {place}: about {count} of {letters} characters too many, {size:g} pt",
            surplus,
            size=block.size,
            place=f"{block.card} {block.side} {block.block}",
            letters=block.letters,
        )
    yield from _format_unlisted_count(len(texts))
