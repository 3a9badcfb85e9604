"""The values that pass through rendering."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from builder.findings import Finding
from builder.geometry.boxes import FaceBoxes
from builder.geometry.contrast import PaintedText
from builder.geometry.spacing import PaintedBlock

T = TypeVar("T")
SideName = Literal["front", "back"]
Plate = Literal["foil", "white"]
Steps: TypeAlias = tuple[tuple[str, int], ...]
Frame: TypeAlias = tuple[tuple[str, str], ...]
"""The values that a frame is set for, by field."""
Variant = Literal["full", "ink", "foil", "white"]
PLATES: tuple[Plate, ...] = ("foil", "white")
"""Variants that show only where foil or white ink goes, in black."""
PAGE_HEIGHT_IN_FACES = 5
"""The height of a page in heights of a face. Overflowing text then stays visible."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders for rendering: the pack's templates and data, the shared templates, the cache.

    `project` tells where a template lies in a finding, and what else may be read.
    """

    templates: Path
    base: Path
    data: Path
    cache: Path
    project: Path

    def format_path(self, path: Path) -> str:
        """Return the name of a file in findings, relative to the project if it is inside."""
        try:
            return path.resolve().relative_to(self.project.resolve()).as_posix()
        except ValueError:
            return path.as_posix()


@dataclass(frozen=True, slots=True)
class FaceJob:
    """One face of a card that is to be rendered, with its language and variant.

    `card` is None for a common back. `frame` holds the values a frame is set for.

    `min_steps` are the blocks that may not be larger than at a step, since the card's other face
    needs it.
    """

    kind: str
    side: SideName
    lang: str
    variant: Variant = "full"
    card: str | None = None
    frame: Frame | None = None
    min_steps: Steps = ()

    @property
    def label(self) -> str:
        """The name of the face in messages."""
        name = "common"
        if self.card:
            name = self.card
        elif self.frame:
            values = [value for _name, value in self.frame]
            name = " ".join(["frame", *values]).strip()
        return f"{self.kind}/{name} {self.side} [{self.lang}]"


@dataclass(frozen=True, slots=True)
class FaceHtml:
    """The HTML of one face, ready to be rendered.

    `key` is its address in the cache. `file` holds its text and `template` its look, for findings.
    `min_steps` are the steps at which blocks begin: no larger size is tried.
    """

    key: str
    html: str
    label: str
    card: str | None
    file: str
    template: str = ""
    deps: Mapping[str, str] = field(default_factory=dict)
    min_steps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Style:
    """What all faces of a batch share: style sheets, sizes, and the blocks that may shrink."""

    key: str
    sheets: tuple[tuple[str, str], ...]
    boxes: FaceBoxes
    fit: Mapping[str, tuple[float, ...]]
    lang: str
    body_blocks: frozenset[str] = frozenset()
    """Blocks with a declared body size: the card's other face does not shrink them."""

    def list_matched_blocks(self, blocks: Iterable["BlockFact"]) -> list["BlockFact"]:
        """Return the blocks that must have the same text size on both faces of a card."""
        return [block for block in blocks if block.name not in self.body_blocks]


@dataclass(frozen=True, slots=True)
class Batch:
    """Faces of one style that are rendered together in one document.

    With `match_sizes`, both faces of a card get the same text sizes. In a `draft`, faces whose text
    does not fit are drawn, too.
    """

    style: Style
    faces: tuple[FaceHtml, ...]
    match_sizes: bool = False
    draft: bool = False


@dataclass(frozen=True, slots=True)
class BlockFact:
    """The result for a block that may shrink: its step, its text size in pt, and how full it is.

    `letters` are the characters printed in it, without spaces.
    """

    name: str
    step: int
    size: float
    fill: float
    letters: int = 0


@dataclass(frozen=True, slots=True)
class FaceFacts:
    """What is known of a rendered face except its drawing: text sizes, errors and warnings.

    `pages` is empty if another size of the face takes its place. `texts` are those with a low
    contrast, and those with nothing below them.
    """

    key: str
    label: str
    blocks: tuple[BlockFact, ...] = ()
    findings: tuple[Finding, ...] = ()
    deps: Mapping[str, str] = field(default_factory=dict)
    pages: int = 1
    painted: tuple[PaintedBlock, ...] = ()
    texts: tuple[PaintedText, ...] = ()


def split_into_chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of at most `size`, so that only these stay in memory."""
    remaining = iter(items)
    chunk = list(islice(remaining, size))
    while chunk:
        yield chunk
        chunk = list(islice(remaining, size))


def match_steps(blocks: Sequence[BlockFact], others: Sequence[BlockFact]) -> Steps:
    """Return the steps at which no text of a face is larger than on the card's other face."""
    other_steps = {block.name: block.step for block in others}
    steps_by_name: dict[str, int] = {}
    for block in blocks:
        # A higher step is a smaller size.
        other_step = other_steps.get(block.name, 0)
        steps_by_name[block.name] = max(block.step, other_step)
    return tuple(steps_by_name.items())


def add_steps_to_key(key: str, min_steps: Steps) -> str:
    """Return the cache key of a face whose text sizes start at these steps."""
    if not min_steps:
        return key
    return sha256(repr((key, min_steps)).encode()).hexdigest()
