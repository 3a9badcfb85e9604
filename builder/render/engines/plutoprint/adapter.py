"""The adapter of PlutoPrint: its version, and the way to open it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.cache import installed
from builder.errors import ToolMissing
from builder.findings import Finding
from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.fonts import configure_fontconfig
from builder.render.jobs import Places

if TYPE_CHECKING:
    from builder.render.engines.plutoprint.engine import PlutoPrint

TESTED_VERSIONS = frozenset({"0.23.0"})
"""Versions whose faces were compared with those of the reference engine."""

PACKAGES = ("plutoprint", "fonttools", "pikepdf")
"""Python packages that shape a face. PlutoPrint contains its own libraries."""


@dataclass(frozen=True, slots=True)
class PlutoPrintAdapter:
    """The adapter of PlutoPrint, an optional package."""

    name: str = "plutoprint"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning if the installed version of the engine was not tested."""
        version = installed("plutoprint")
        if version in TESTED_VERSIONS:
            return ()
        tested_versions = ", ".join(sorted(TESTED_VERSIONS))
        form = _("PlutoPrint {found} is installed; the tested versions are {tried}")
        what = _(form, found=version, tried=tested_versions)
        return (render_codes.UNTRIED.finding(what),)

    def make_fingerprint(self) -> str:
        """Return the names and versions of the engine and its packages."""
        versions = " ".join(f"{name} {installed(name)}" for name in PACKAGES)
        return f"{self.name} {versions}"

    def import_engine(self) -> None:
        """Import the engine. Raise ToolMissing if it is not installed."""
        _import_library()
        from builder.render.engines.plutoprint import engine  # noqa: F401

    def list_libraries(self) -> Mapping[str, str]:
        """Return the versions of the packages, and of the library that they contain."""
        _import_library()
        from plutoprint import plutobook_build_info, plutobook_version_string

        build_info = " ".join(plutobook_build_info().split())
        versions = {"plutobook": f"{plutobook_version_string()} {build_info}"}
        return versions | {name: installed(name) for name in PACKAGES}

    def open(self, places: Places, fonts: tuple[Path, ...]) -> PlutoPrint:
        """Return the engine for this process. Raise ToolMissing if it is not installed."""
        configure_fontconfig(places.cache, ())
        _import_library()
        from plutoprint import Book

        # The engine lists the installed fonts once in a process: when it lays out its first
        # document.
        book = Book()
        book.load_html("<p>First document")
        book.get_page_count()
        from builder.render.engines.plutoprint.drawn import OriginalFonts
        from builder.render.engines.plutoprint.engine import PlutoPrint

        return PlutoPrint(places, OriginalFonts(fonts))


def _import_library() -> None:
    """Import PlutoPrint. Raise ToolMissing if it is not installed."""
    try:
        import plutoprint  # noqa: F401
    except ImportError as error:
        raise ToolMissing(
            _("the engine PlutoPrint is not installed"),
            _(
                "Install it: pip install 'plutoprint<0.24'; or choose the engine weasyprint."
            ),
        ) from error


ADAPTER = PlutoPrintAdapter()
