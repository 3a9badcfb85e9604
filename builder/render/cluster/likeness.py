"""What must be alike on two machines for their faces to be alike, byte for byte."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import builder
from builder.messages import gettext as _
from builder.render.fonts import check_libraries, fonts_hash
from builder.render.keys import ENGINE

LIBRARIES = (*ENGINE, "pillow", "pyphen", "tinyhtml5")
"""Python packages that shape a face."""

SOURCES = ("render", "layout")
"""The program's own folders that shape a face, and the two files beside them."""


@cache
def likeness() -> Mapping[str, str]:
    """Names and versions of all that shapes a face besides its data. Loads the engine.

    Raises ToolMissing where a library or font is not installed.
    """
    check_libraries()
    from weasyprint.text.ffi import harfbuzz, pango

    found = {"squadpress": _sources(), "fonts": fonts_hash()[:12], "zlib": zlib.ZLIB_RUNTIME_VERSION}
    number = pango.pango_version()
    found["pango"] = f"{number // 10_000}.{number // 100 % 100}.{number % 100}"
    found["harfbuzz"] = _harfbuzz(harfbuzz.hb_version_atleast)
    return found | {name: _version(name) for name in LIBRARIES}


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> tuple[str, ...]:
    """What another machine has in another version, in words."""
    names = sorted({*here, *there})
    return tuple(
        _("{name} {there} there, {here} here", name=name, there=there.get(name, "-"), here=here.get(name, "-"))
        for name in names
        if here.get(name) != there.get(name)
    )


def _harfbuzz(at_least: Callable[[int, int, int], int]) -> str:
    """The library's version; of what it offers, the engine has declared only this question."""
    parts = [0, 0, 0]
    for place in range(3):
        while at_least(*(number + (index == place) for index, number in enumerate(parts))):
            parts[place] += 1
    return ".".join(map(str, parts))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "-"


def _sources() -> str:
    """A hash of the code that sets faces: a version's number says nothing of a checkout."""
    package = Path(builder.__file__).resolve().parent
    files = [path for folder in SOURCES for path in (package / folder).rglob("*.py")]
    files += [package / "units.py", package / "findings.py"]
    found = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(package).as_posix()):
        found.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]
