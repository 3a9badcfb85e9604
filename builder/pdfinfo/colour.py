"""Colour spaces of a PDF object as `Paint`s."""

from __future__ import annotations

from typing import Any

from pikepdf import Array, Dictionary, Name, Object

from builder.model.pdf import Paint

SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}
BY_COMPONENTS = {1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}
INITIAL = {"DeviceGray": (0.0,), "DeviceRGB": (0.0, 0.0, 0.0), "DeviceCMYK": (0.0, 0.0, 0.0, 1.0)}
BLACK = Paint("DeviceGray", (0.0,))


def space(value: Object | None, resources: Object | None = None, depth: int = 0) -> Paint:
    """What a colour space object or name means; `values` are its initial colour where PDF names one."""
    if value is None or depth > 8:
        return Paint("")
    if isinstance(value, Name):
        name = str(value)[1:]
        named = _named(name, resources)
        if named is not None:
            return space(named, resources, depth + 1)
        name = SHORT.get(name, name)
        return Paint(name, INITIAL.get(name, ()))
    if isinstance(value, Array) and len(value):
        return _family(value, resources, depth)
    return Paint("")


def _named(name: str, resources: Object | None) -> Object | None:
    if not isinstance(resources, Dictionary):
        return None
    spaces = resources.get("/ColorSpace")
    return spaces.get(f"/{name}") if isinstance(spaces, Dictionary) else None


def _family(value: Object, resources: Object | None, depth: int) -> Paint:
    family = SHORT.get(str(value[0])[1:], str(value[0])[1:])
    if len(value) < 2:
        return Paint(family, INITIAL.get(family, ()))
    if family == "ICCBased":
        base = BY_COMPONENTS.get(int(value[1].get("/N", 0)), "")
        return Paint(family, INITIAL.get(base, ()), base)
    if family in ("Indexed", "Pattern"):
        under = space(value[1], resources, depth + 1)
        return Paint(family, (), under.base or under.space)
    if family in ("Separation", "DeviceN") and len(value) > 2:
        under = space(value[2], resources, depth + 1)
        names = [str(value[1])[1:]] if isinstance(value[1], Name) else [str(item)[1:] for item in value[1]]
        return Paint(family, (1.0,) * len(names), under.base or under.space, " ".join(names))
    return Paint(family)


def numbers(operands: Any) -> tuple[float, ...]:
    """The numbers in an operand list or PDF array, as floats; anything else is left out."""
    found = []
    for item in operands:
        try:
            found.append(float(item))
        except (TypeError, ValueError):
            continue
    return tuple(found)
