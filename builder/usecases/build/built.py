"""What a build gives. Loads nothing else, so that a build with nothing to do is over at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.findings import Finding


@dataclass(frozen=True, slots=True)
class Built:
    """One finished file. `changed` is False where it was there already, byte for byte.

    `unit` says what is counted as cards: `cards`, `gauges` or the `cuts` of a cutting machine.
    """

    path: Path
    pages: int
    cards: int
    changed: bool
    unit: str = "cards"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did. With an error among the findings no file was written.

    `pages` are the keys of pages that follow the cards, by language.
    """

    files: tuple[Built, ...] = ()
    findings: tuple[Finding, ...] = ()
    fresh: int = 0
    known: int = 0
    pages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
