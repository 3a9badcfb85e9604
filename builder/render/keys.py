"""What a face depends on, as one hash: its address in the cache; and what must be alike on two machines for their faces
to be alike, byte for byte.
"""

import hashlib
import zlib
from collections.abc import Mapping
from functools import cache

from builder.cache import fingerprint
from builder.render.engines import DEFAULT, adapter
from builder.render.fonts import fonts_hash


@cache
def engine_hash(engine: str = DEFAULT) -> str:
    """The programs and fonts that set a face. The engine itself is not imported."""
    made_by = fingerprint(
        "render",
        "geometry",
        "model",
        but=("render/cluster", "render/prepress", "render/shared_store"),
        libraries=("fonttools", "jinja2"),
    )
    return digest(made_by, fonts_hash(), adapter(engine).fingerprint())


def digest(*parts: str) -> str:
    """A hash of some texts, in order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def environment(engine: str = DEFAULT) -> Mapping[str, str]:
    """Names and versions of all that shapes a face besides its data. Loads the engine.

    Raises ToolMissing where a library or font is not installed.
    """
    sources = fingerprint(
        "render", "geometry", "model"
    )  # a version's number says nothing of a checkout
    found = {
        "squadpress": sources[:12],
        "fonts": fonts_hash()[:12],
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    return found | dict(adapter(engine).libraries())
