"""Which release was in force when. Nothing is stored as "current": it follows from the dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from builder.errata.version import Version, parse_version


@dataclass(frozen=True, slots=True)
class Release:
    """One release by its manifest."""

    version: str
    released: date
    effective: date

    @property
    def number(self) -> Version:
        """The version as numbers; 0.0.0 where it has not the form."""
        return parse_version(self.version) or Version(0, 0, 0)


def in_force(releases: Iterable[Release], day: date) -> Release | None:
    """The release that play used on a day; None before the first."""
    begun = [release for release in releases if release.effective <= day]
    return max(begun, key=lambda release: (release.effective, release.number), default=None)


def newest(releases: Iterable[Release]) -> Release | None:
    """The release with the greatest version."""
    return max(releases, key=lambda release: release.number, default=None)


def as_of(releases: Iterable[Release], asked: str) -> Release | None:
    """The release named by a version or by a day (YYYY-MM-DD)."""
    known = tuple(releases)
    named = next((release for release in known if release.version == asked), None)
    if named is not None:
        return named
    try:
        return in_force(known, date.fromisoformat(asked))
    except ValueError:
        return None
