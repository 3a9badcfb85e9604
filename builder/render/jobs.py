"""The values that flow through setting: which faces are wanted, where files lie, what a set face is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from builder.findings import Finding
from builder.geometry.boxes import FaceBoxes
from builder.geometry.spacing import PaintedBlock

SideName = Literal["front", "back"]
Plate = Literal["foil", "white"]
Variant = Literal["full", "ink", "foil", "white"]
PLATES: tuple[Plate, ...] = ("foil", "white")
"""Variants that show only where foil or white ink goes, in black."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where setting may read and keep things: the pack's templates, the engine's own, the pack's data, the cache.

    `project` is only for saying where a template lies in a finding.
    """

    templates: Path
    base: Path
    data: Path
    cache: Path
    project: Path

    def shown(self, path: Path) -> str:
        """A file as findings name it: relative to the project where it lies inside."""
        try:
            return path.resolve().relative_to(self.project.resolve()).as_posix()
        except ValueError:
            return path.as_posix()


@dataclass(frozen=True, slots=True)
class FaceJob:
    """One face that is wanted. `card` is None for a common back; `frame` holds the values a frame is set for.

    `least` are the blocks that may not be larger than at a step, since the card's other face needs it.
    """

    kind: str
    side: SideName
    lang: str
    variant: Variant = "full"
    card: str | None = None
    frame: tuple[tuple[str, str], ...] | None = None
    least: tuple[tuple[str, int], ...] = ()

    @property
    def label(self) -> str:
        """The face as a person names it."""
        who = self.card or ("frame " + " ".join(value for _, value in self.frame) if self.frame else "common")
        return f"{self.kind}/{who.strip()} {self.side} [{self.lang}]"


@dataclass(frozen=True, slots=True)
class FaceHtml:
    """One face ready for the engine.

    `key` is its address in the cache; `file` holds its text and `template` its look, for findings. `least` are steps
    that blocks begin at: no larger size is tried.
    """

    key: str
    html: str
    label: str
    card: str | None
    file: str
    template: str = ""
    deps: Mapping[str, str] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Style:
    """Everything a batch shares: the style sheets (name, text), the face's boxes, and the blocks that may shrink."""

    key: str
    sheets: tuple[tuple[str, str], ...]
    boxes: FaceBoxes
    fit: Mapping[str, tuple[float, ...]]
    lang: str


@dataclass(frozen=True, slots=True)
class Batch:
    """A few faces of one style, set in one document."""

    style: Style
    faces: tuple[FaceHtml, ...]


@dataclass(frozen=True, slots=True)
class BlockFact:
    """How one shrinking block came out: the step chosen, its size in pt, and how full the block is (1 = full)."""

    name: str
    step: int
    size: float
    fill: float


@dataclass(frozen=True, slots=True)
class FaceFacts:
    """What is known of a set face besides its drawing."""

    key: str
    label: str
    blocks: tuple[BlockFact, ...] = ()
    findings: tuple[Finding, ...] = ()
    deps: Mapping[str, str] = field(default_factory=dict)
    pages: int = 1
    painted: tuple[PaintedBlock, ...] = ()
