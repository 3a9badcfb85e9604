"""What must be alike on two machines for their faces to be alike, byte for byte."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import builder
from builder.messages import gettext as _
from builder.render.engine import adapter
from builder.render.fonts import fonts_hash

SOURCES = ("render", "geometry")
"""The program's own folders that shape a face, and the two files beside them."""


@cache
def environment() -> Mapping[str, str]:
    """Names and versions of all that shapes a face besides its data. Loads the engine.

    Raises ToolMissing where a library or font is not installed.
    """
    libraries = adapter().libraries()
    found = {"squadpress": _sources(), "fonts": fonts_hash()[:12], "zlib": zlib.ZLIB_RUNTIME_VERSION}
    return found | dict(libraries)


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> tuple[str, ...]:
    """What another machine has in another version, in words."""
    names = sorted({*here, *there})
    return tuple(
        _("{name} {there} there, {here} here", name=name, there=there.get(name, "-"), here=here.get(name, "-"))
        for name in names
        if here.get(name) != there.get(name)
    )


def _sources() -> str:
    """A hash of the code that sets faces: a version's number says nothing of a checkout."""
    package = Path(builder.__file__).resolve().parent
    files = [path for folder in SOURCES for path in (package / folder).rglob("*.py")]
    files += [package / "units.py", package / "findings.py"]
    found = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(package).as_posix()):
        found.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]
