"""The files that travel with the program: core schemas, base templates, the pattern of a new pack.

In a wheel they lie in `builder/data`; in a checkout at their usual places beside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_CHECKOUT = _PACKAGE.parent


def resource(inside: str, checkout: str) -> Path:
    """A folder of the program: `inside` under builder/data if it is there, else `checkout` beside the package."""
    packed = _PACKAGE / "data" / inside
    return packed if packed.is_dir() else _CHECKOUT / checkout


def core_schemas() -> Path:
    """The schemas generated from the models."""
    return resource("schemas", "schemas/core")


def base_templates() -> Path:
    """The templates every game shares."""
    return resource("templates/base", "templates/base")


def new_pack() -> Path:
    """The pattern that `squadpress new` copies."""
    return _PACKAGE / "data" / "new"
