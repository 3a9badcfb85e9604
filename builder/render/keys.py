"""Compute the cache key of a face: a hash of everything that it depends on."""

import hashlib
import zlib
from collections.abc import Mapping
from functools import cache

from builder.cache import fingerprint
from builder.model.engines import AUTO
from builder.render.engines import DEFAULT, ENGINES, find_adapter
from builder.render.fonts import hash_fonts


@cache
def hash_program() -> str:
    """Return a hash of the program's code and fonts that affect faces, without the engine."""
    # These parts do not shape a face: a change of them need not render all faces again.
    unrelated_parts = ("render/cluster", "render/prepress", "render/shared_store")
    libraries = ("fonttools", "jinja2")
    sources = fingerprint(
        "render", "geometry", "model", but=unrelated_parts, libraries=libraries
    )
    return digest(sources, hash_fonts())


@cache
def hash_engine(engine: str) -> str:
    """Return a hash of the rendering engine and its libraries, without importing it.

    The hash of "auto" covers all engines, because each of them may be chosen.
    """
    names = ENGINES if engine == AUTO else (engine,)
    fingerprints = [find_adapter(name).make_fingerprint() for name in names]
    return digest(hash_program(), *fingerprints)


def digest(*parts: str) -> str:
    """Return a hash of these texts in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def describe_environment(engine: str = DEFAULT) -> Mapping[str, str]:
    """Return the versions of everything that affects a face, except its data, by name.

    Loads the engine.

    Raises ToolMissing if a library or font is not installed.
    """
    # The sources, because two checkouts may have the same version number.
    sources = fingerprint("render", "geometry", "model")
    versions = {
        "squadpress": sources[:12],
        "fonts": hash_fonts()[:12],
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    return versions | dict(find_adapter(engine).list_libraries())
