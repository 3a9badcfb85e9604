"""The quick engine before it is loaded: its version, and the way to open it."""

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

TRIED = frozenset({"0.23.0"})
"""Versions that faces were compared with those of the reference in."""

PACKAGES = ("plutoprint", "fonttools", "pikepdf")
"""Python packages that shape a face. PlutoPrint brings its own libraries along."""


@dataclass(frozen=True, slots=True)
class PlutoPrintAdapter:
    """PlutoPrint, an optional part of the program."""

    name: str = "plutoprint"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A note where the version was not tried."""
        found = installed("plutoprint")
        if found in TRIED:
            return ()
        tried = ", ".join(sorted(TRIED))
        what = _(
            "PlutoPrint {found} is installed; the tested versions are {tried}",
            found=found,
            tried=tried,
        )
        return (render_codes.UNTRIED.finding(what),)

    def fingerprint(self) -> str:
        """Names and versions."""
        return f"{self.name} " + " ".join(f"{name} {installed(name)}" for name in PACKAGES)

    def preload(self) -> None:
        """Import the engine. Raises ToolMissing."""
        _load()
        from builder.render.engines.plutoprint import engine  # noqa: F401

    def libraries(self) -> Mapping[str, str]:
        """The packages' versions, and that of the library within."""
        _load()
        from plutoprint import plutobook_build_info, plutobook_version_string

        built = " ".join(plutobook_build_info().split())
        return {"plutobook": f"{plutobook_version_string()} {built}"} | {
            name: installed(name) for name in PACKAGES
        }

    def open(self, places: Places, fonts: tuple[Path, ...]) -> PlutoPrint:
        """This process's engine. Raises ToolMissing."""
        configure_fontconfig(places.cache, ())
        _load()
        from plutoprint import Book

        book = Book()
        book.load_html("<p>The engine reads which fonts there are once in a process: now.")
        book.get_page_count()
        from builder.render.engines.plutoprint.drawn import Originals
        from builder.render.engines.plutoprint.engine import PlutoPrint

        return PlutoPrint(places, Originals(fonts))


def _load() -> None:
    """Import the library. Raises ToolMissing."""
    try:
        import plutoprint  # noqa: F401
    except ImportError as error:
        raise ToolMissing(
            _("the engine PlutoPrint is not installed"),
            _("Install it: pip install 'plutoprint<0.24'; or choose the engine weasyprint."),
        ) from error


ADAPTER = PlutoPrintAdapter()
