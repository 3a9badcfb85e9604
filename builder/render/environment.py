"""What must be alike on two machines for their faces to be alike, byte for byte."""

import zlib
from collections.abc import Mapping
from functools import cache

from builder.cache import fingerprint
from builder.messages import gettext as _
from builder.render.engine import DEFAULT, adapter
from builder.render.fonts import fonts_hash


@cache
def environment(engine: str = DEFAULT) -> Mapping[str, str]:
    """Names and versions of all that shapes a face besides its data. Loads the engine.

    Raises ToolMissing where a library or font is not installed.
    """
    sources = fingerprint("render", "geometry", "model")  # a version's number says nothing of a checkout
    found = {"squadpress": sources[:12], "fonts": fonts_hash()[:12], "zlib": zlib.ZLIB_RUNTIME_VERSION}
    return found | dict(adapter(engine).libraries())


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> tuple[str, ...]:
    """What another machine has in another version, in words."""
    return tuple(
        _("{name} {there} there, {here} here", name=name, there=there.get(name, "-"), here=here.get(name, "-"))
        for name in sorted({*here, *there})
        if here.get(name) != there.get(name)
    )
