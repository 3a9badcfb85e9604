"""Colour spaces of PDF objects, as far as turning them into inks needs."""

from __future__ import annotations

from typing import Any, Literal

Family = Literal["rgb", "grey", "cmyk", "pattern", "other"]

_DEVICE: dict[str, Family] = {
    "/DeviceRGB": "rgb",
    "/RGB": "rgb",
    "/CalRGB": "rgb",
    "/DeviceGray": "grey",
    "/G": "grey",
    "/CalGray": "grey",
    "/DeviceCMYK": "cmyk",
    "/CMYK": "cmyk",
    "/Pattern": "pattern",
}


def family(space: Any, resources: Any = None) -> Family:
    """What a colour space holds; names are looked up in the resources first."""
    import pikepdf

    if isinstance(space, pikepdf.Name):
        named = resources.get("/ColorSpace", {}).get(str(space)) if resources is not None else None
        return family(named) if named is not None else _DEVICE.get(str(space), "other")
    if isinstance(space, pikepdf.Array) and len(space):
        kind = str(space[0])
        if kind == "/ICCBased":
            counts: dict[int, Family] = {1: "grey", 3: "rgb", 4: "cmyk"}
            return counts.get(int(space[1].get("/N", 0)), "other")
        if kind == "/Indexed":
            return family(space[1], resources)
        return _DEVICE.get(kind, "other")
    return "other"
