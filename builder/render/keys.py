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
    """Return a hash of the program and the fonts that shape a face, without an engine."""
    made_by = fingerprint(
        "render",
        "geometry",
        "model",
        but=("render/cluster", "render/prepress", "render/shared_store"),
        libraries=("fonttools", "jinja2"),
    )
    return digest(made_by, hash_fonts())


@cache
def hash_engine(engine: str) -> str:
    """Return a hash of the rendering engine, without importing it.

    The hash of "auto" covers all engines, because each of them may be chosen.
    """
    names = ENGINES if engine == AUTO else (engine,)
    return digest(hash_program(), *(find_adapter(name).make_fingerprint() for name in names))


def digest(*parts: str) -> str:
    """Return a hash of texts, in order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def describe_environment(engine: str = DEFAULT) -> Mapping[str, str]:
    """Return names and versions of everything that shapes a face, except its data.

    Loads the engine.

    Raises ToolMissing if a library or font is not installed.
    """
    sources = fingerprint(
        "render", "geometry", "model"
    )  # a version's number says nothing of a checkout
    versions = {
        "squadpress": sources[:12],
        "fonts": hash_fonts()[:12],
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    return versions | dict(find_adapter(engine).list_libraries())
