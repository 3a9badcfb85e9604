"""The graphics state of a content stream, and what one stream is read with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from pikepdf import Object

from builder.findings import Box
from builder.model.pdf import Group, Item, Look, Page, Paint
from builder.pdfinfo.colour import BLACK
from builder.pdfinfo.fonts import UNKNOWN, Metrics
from builder.pdfinfo.matrix import Matrix


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
    overprint_fill: bool = False
    overprint_stroke: bool = False
    clip: Box | None = None
    font: Metrics = UNKNOWN
    size: float = 1.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def copy(self) -> State:
        """A saved state."""
        return replace(self)

    def look(self, tags: tuple[str, ...], form: int, *, stroke: bool = False) -> Look:
        """How a thing painted now appears."""
        alpha = self.alpha_stroke if stroke else self.alpha_fill
        overprint = self.overprint_stroke if stroke else self.overprint_fill
        blend = self.blend if self.blend != "Normal" else self.group_blend
        mask = self.soft_mask or self.group_mask
        return Look(alpha * self.group_alpha, blend, mask, overprint, self.clip, tags, form)

    def enter_group(self) -> None:
        """A transparency group starts afresh; what was in force applies to it as a whole."""
        self.group_alpha *= self.alpha_fill
        self.group_blend = self.blend if self.blend != "Normal" else self.group_blend
        self.group_mask = self.group_mask or self.soft_mask
        self.alpha_fill = self.alpha_stroke = 1.0
        self.blend, self.soft_mask = "Normal", False


@dataclass(slots=True)
class Found:
    """What reading a page collects. `fonts` by object; `groups` are those of forms; `damaged` counts
    operators that could not be followed; `memory` is shared by all pages, `seen` are the forms the page has drawn."""

    items: list[Item] = field(default_factory=list)
    fonts: dict[tuple[int, int] | str, Metrics] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    damaged: int = 0
    memory: Memory = field(default_factory=lambda: Memory())
    seen: set[object] = field(default_factory=set)


K = TypeVar("K")
V = TypeVar("V")


class Lately(Generic[K, V]):
    """The values that were asked for last, no more than `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """A value, if it is still there."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def put(self, key: K, value: V) -> None:
        """Hold a value; the one that nobody asked for longest goes where there are too many."""
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self._most:
            del self._values[next(iter(self._values))]


@dataclass(slots=True)
class Memory:
    """What is known of a file already: fonts by object, pages by what they say, and forms by all that their content
    depends on. What recurs does so soon: copies of a card one after another, a frame on each card of its sort.
    """

    fonts: dict[tuple[int, int], Metrics] = field(default_factory=dict)
    pages: Lately[bytes, Page] = field(default_factory=lambda: Lately(16))
    forms: Lately[object, Any] = field(default_factory=lambda: Lately(100))
