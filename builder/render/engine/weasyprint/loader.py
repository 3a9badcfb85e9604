"""The engine's libraries, found without asking a compiler where they are."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = (
    *("libgobject-2.0.so.0", "libpango-1.0.so.0", "libpangoft2-1.0.so.0"),
    *("libharfbuzz.so.0", "libharfbuzz-subset.so.0", "libfontconfig.so.1"),
)
"""What Linux calls the libraries that the engine opens."""


@contextmanager
def by_name() -> Iterator[None]:
    """Have the engine open its libraries by the loader's names for them.

    It tries names of other systems first, and for each that fails thirty programs are run to find out what might have
    been meant: a third of the time it takes to import. Where the loader does not know all names, nothing is changed.
    """
    search = ctypes.util.find_library
    if sys.platform == "linux" and all(map(_opens, NAMES)):
        ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = search


def _opens(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
