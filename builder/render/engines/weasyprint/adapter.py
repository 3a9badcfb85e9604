"""The adapter of WeasyPrint: its versions, its libraries, and the way to open it."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
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
    from builder.render.engines.weasyprint.engine import WeasyPrint

TESTED_VERSIONS = frozenset({"70.0"})
"""Versions whose corrections and drawings are tested."""
PACKAGES = (
    "weasyprint",
    "pydyf",
    "tinycss2",
    "cssselect2",
    "tinyhtml5",
    "fonttools",
    "pikepdf",
    "pillow",
    "pyphen",
)
"""Python packages that shape a face."""
LIBRARIES = (
    "libgobject-2.0.so.0",
    "libpango-1.0.so.0",
    "libpangoft2-1.0.so.0",
    "libharfbuzz.so.0",
    "libharfbuzz-subset.so.0",
    "libfontconfig.so.1",
)
"""The Linux names of the libraries that the engine opens."""


@dataclass(frozen=True, slots=True)
class WeasyPrintAdapter:
    """The adapter of WeasyPrint, the reference engine."""

    name: str = "weasyprint"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A note if the installed version of the engine was not tested."""
        version = installed("weasyprint")
        if version in TESTED_VERSIONS:
            return ()
        tested_versions = ", ".join(sorted(TESTED_VERSIONS))
        form = _("WeasyPrint {found} is installed; the tested versions are {tried}")
        what = _(form, found=version, tried=tested_versions)
        return (render_codes.UNTRIED.finding(what),)

    def make_fingerprint(self) -> str:
        """Return the names and versions of the engine, its packages and its libraries."""
        versions = " ".join(f"{name} {installed(name)}" for name in PACKAGES)
        return f"{self.name} {versions} {_read_text_library_versions()}"

    def import_engine(self) -> None:
        """Import the engine. Raise ToolMissing if a library is missing."""
        # Pango then finds fonts through fontconfig on all systems.
        os.environ.setdefault("PANGOCAIRO_BACKEND", "fc")
        check_libraries()
        import pikepdf  # noqa: F401
        from weasyprint import pdf  # noqa: F401

        from builder.render.engines.weasyprint import engine  # noqa: F401

    def list_libraries(self) -> Mapping[str, str]:
        """Return the versions of the packages and of the libraries for text."""
        check_libraries()
        from weasyprint.text.ffi import harfbuzz, pango

        number = pango.pango_version()
        versions = {"pango": f"{number // 10_000}.{number // 100 % 100}.{number % 100}"}
        versions["harfbuzz"] = _read_harfbuzz_version(harfbuzz.hb_version_atleast)
        return versions | {name: installed(name) for name in PACKAGES}

    def open(self, places: Places, fonts: tuple[Path, ...]) -> WeasyPrint:
        """Return the engine for this process. Raise ToolMissing if a library is missing."""
        configure_fontconfig(places.cache, fonts)
        self.import_engine()
        from builder.render.engines.weasyprint.engine import WeasyPrint

        return WeasyPrint(places)


ADAPTER = WeasyPrintAdapter()


def _read_text_library_versions() -> str:
    """Return the versions of the libraries that shape text, without importing the engine."""
    # A missing library is reported when the engine is imported.
    with suppress(OSError, AttributeError):
        pango = ctypes.CDLL("libpango-1.0.so.0")
        harfbuzz = ctypes.CDLL("libharfbuzz.so.0")
        harfbuzz.hb_version_string.restype = ctypes.c_char_p
        return f"pango {pango.pango_version()} harfbuzz {harfbuzz.hb_version_string().decode()}"
    return ""


def check_libraries() -> None:
    """Raise ToolMissing if a library that shapes text is missing.

    Without harfbuzz-subset a document takes 100 times longer.
    """
    try:
        # The engine prints advice of its own before it gives up.
        with redirect_stdout(StringIO()), skip_library_search():
            from weasyprint.text import ffi
    except OSError as error:
        raise ToolMissing(
            _(
                "a library for text layout is missing: {reason}",
                reason=str(error).splitlines()[0],
            ),
            _(
                "Debian, Ubuntu: sudo apt-get install "
                "libpango-1.0-0 "
                "libpangoft2-1.0-0 "
                "libharfbuzz-subset0 · "
                "macOS: brew install pango harfbuzz, and set "
                "DYLD_FALLBACK_LIBRARY_PATH to "
                "Homebrew's lib folder"
            ),
        ) from error
    if not ffi.harfbuzz_subset:
        raise ToolMissing(
            _(
                "the library harfbuzz-subset is missing; without it rendering is many times slower"
            ),
            _(
                "Debian, Ubuntu: sudo apt-get install libharfbuzz-subset0 · macOS: "
                "brew install harfbuzz"
            ),
        )


@contextmanager
def skip_library_search() -> Iterator[None]:
    """Make the engine open its libraries by their known names, because its search is slow.

    The engine first tries names of other systems. For each name it runs 30 programs, which
    takes a third of its import time. If the loader does not know all names, nothing is changed.
    """
    search = ctypes.util.find_library
    if sys.platform == "linux" and all(map(_can_open, LIBRARIES)):
        ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = search


def _can_open(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _read_harfbuzz_version(at_least: Callable[[int, int, int], int]) -> str:
    """Return the version of the HarfBuzz library.

    The engine declares only a function that compares versions.
    """
    parts = [0, 0, 0]
    for place in range(3):
        # Each part counts up until the library is older.
        while at_least(*parts):
            parts[place] += 1
        parts[place] -= 1
    return ".".join(map(str, parts))
