"""Pages as data that any program may draw, each with the defects that are put into it.

Lengths in mm from the bottom left of a page of 69 x 94 with 3 mm of bleed, type in points. Colours
are names (`ground`, `black`, `accent`, `white`), three numbers of light or four of ink.
"""

from __future__ import annotations

from typing import Any

Op = list[Any]
GROUND: Op = ["rect", "ground", 0, 0, 69, 94]
TITLE: Op = ["text", "black", 9, 12, 60, "Lantern"]

INKS = {
    "ground": [0.1, 0.2, 0.3, 0.05],
    "black": [0, 0, 0, 1],
    "accent": [0.6, 0.1, 0, 0.1],
    "white": [0, 0, 0, 0],
}
LIGHT = {
    "ground": [0.8, 0.75, 0.6],
    "black": [0, 0, 0],
    "accent": [0.3, 0.5, 0.8],
    "white": [1, 1, 1],
}


def colour(name: Any, space: str) -> list[float]:
    """Return a colour's numbers in a program's space, `cmyk` or `rgb`."""
    return list(
        (INKS if space == "cmyk" else LIGHT)[name] if isinstance(name, str) else name
    )


def page(*ops: Op, **boxes: Any) -> dict[str, Any]:
    """One page on its ground."""
    return {
        "size": [69, 94],
        "trim": [3, 3, 66, 91],
        "bleed": [0, 0, 69, 94],
        "ops": [GROUND, TITLE, *ops],
        **boxes,
    }


def bare(*ops: Op, **boxes: Any) -> dict[str, Any]:
    """One page without a ground."""
    return {**page(**boxes), "ops": list(ops)}


def scene(*ops: Op, defects: tuple[str, ...] = (), preset: str = "") -> dict[str, Any]:
    """Return a front with something on it, and a sound back."""
    return {"pages": [page(*ops), page()], "defects": list(defects), "preset": preset}


def pages(*page_plans: dict[str, Any], defects: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a file of these pages."""
    return {"pages": list(page_plans), "defects": list(defects), "preset": ""}


def wide(width: float, height: float) -> dict[str, Any]:
    """Return a page of another size, its ground to the end."""
    boxes: dict[str, Any] = {"size": [width, height], "bleed": [0, 0, width, height]}
    return bare(
        ["rect", "ground", 0, 0, width, height],
        TITLE,
        trim=[3, 3, width - 3, height - 3],
        **boxes,
    )


def narrow() -> dict[str, Any]:
    """Return a page with one millimetre of bleed."""
    ground: Op = ["rect", "ground", 0, 0, 65, 90]
    return bare(ground, TITLE, size=[65, 90], trim=[1, 1, 64, 89], bleed=[0, 0, 65, 90])


SHORT: Op = ["rect", "ground", 3, 3, 63, 88]
RICH_CMYK, DARK = [0.6, 0.5, 0.5, 0.9], [0.9, 0.85, 0.85, 0]

SCENES: dict[str, dict[str, Any]] = {
    "sound": scene(
        ["rect", "accent", 15, 20, 20, 10], ["line", "black", 0.3, 15, 40, 50, 40]
    ),
    "small-type": scene(
        ["text", "black", 4.5, 15, 40, "hardly to be read"], defects=("small-type",)
    ),
    "type-enough": scene(["text", "black", 6.1, 15, 40, "to be read"]),
    "thin-line": scene(["line", "black", 0.05, 15, 40, 50, 40], defects=("thin-line",)),
    "thin-bar": scene(["rect", "black", 15, 40, 35, 0.05], defects=("thin-line",)),
    "thin-scaled": scene(
        ["scaled", 0.05, 1, [["line", "black", 1, 600, 30, 600, 60]]],
        defects=("thin-line",),
    ),
    "broad-scaled": scene(
        ["scaled", 0.04, 0.5, [["line", "black", 0.3, 400, 80, 1200, 80]]]
    ),
    "coarse-image": scene(["image", 15, 20, 20, 20, 60, 60], defects=("coarse-image",)),
    "low-resolution": scene(
        ["image", 15, 20, 20, 20, 180, 180], defects=("low-resolution",)
    ),
    "fine-image": scene(["image", 15, 20, 20, 20, 250, 250]),
    "squeezed-image": scene(
        ["image", 15, 20, 20, 10, 60, 130], defects=("coarse-image",)
    ),
    "text-cut": scene(
        ["text", "black", 12, 45, 40, "over the cut"],
        defects=("text-cut", "?text-outside-safe"),
    ),
    "text-safe": scene(
        ["text", "black", 12, 4, 40, "near it"], defects=("text-outside-safe",)
    ),
    "descender": scene(
        ["text", "black", 20, 20, 6.5, "gypgy"], defects=("text-outside-safe",)
    ),
    "no-descender": scene(["text", "black", 20, 20, 6.2, "AMEN"]),
    "accents": scene(
        ["text", "black", 20, 20, 82.3, "\u00c5\u00c9\u00c5"],
        defects=("text-outside-safe",),
    ),
    "no-accents": scene(["text", "black", 20, 20, 82.3, "aceno"]),
    "descender-cut": scene(
        ["text", "black", 20, 20, 3.6, "gypgy"],
        defects=("text-cut", "?text-outside-safe"),
    ),
    "turned-text": scene(
        ["turned", 90, 40, 30, [["text", "black", 10, 0, 0, "upwards"]]]
    ),
    "ends-at-cut": pages(bare(SHORT, TITLE), page(), defects=("art-ends-at-cut",)),
    "panel-ends": pages(
        bare(["rect", "accent", 3, 40, 20, 30], TITLE),
        page(),
        defects=("part-ends-at-cut",),
    ),
    "panel-on-ground": scene(["rect", "accent", 3, 40, 20, 30]),
    "panel-goes-on": scene(["rect", "accent", 0, 40, 20, 30]),
    "no-bleed": pages(narrow(), narrow(), defects=("no-bleed",)),
    "odd": pages(page(), page(), page(), defects=("odd-pages",)),
    "mixed": pages(
        page(), page(), wide(76, 126), wide(76, 126), defects=("mixed-sizes", "size")
    ),
    "blank": pages(page(), bare(), defects=("blank-page",)),
    "marks": scene(["line", "black", 0.2, 1, 40, 2.5, 40], defects=("marks",)),
    "alpha": scene(
        ["alpha", 0.5, [["rect", "accent", 15, 20, 20, 10]]],
        defects=("transparency",),
        preset="opaque",
    ),
    "alpha-allowed": scene(["alpha", 0.5, [["rect", "accent", 15, 20, 20, 10]]]),
    "light-in-inks": scene(["rect", [0.9, 0.2, 0.1], 15, 20, 20, 10], defects=("rgb",)),
    "light-text": scene(
        ["text", [0, 0, 0], 9, 15, 40, "black of light"], defects=("rgb",)
    ),
    "inks-in-light": scene(
        ["rect", [0.9, 0.2, 0.1, 0], 15, 20, 20, 10], defects=("cmyk",)
    ),
    "rich-text": scene(
        ["text", RICH_CMYK, 8, 15, 40, "in four inks"], defects=("text-in-many-inks",)
    ),
    "coloured-black": scene(
        ["text", DARK, 8, 15, 40, "in three inks"], defects=("text-in-many-inks",)
    ),
    "coloured-text": scene(["text", [0.2, 0.9, 0.9, 0], 8, 15, 40, "plainly red"]),
    "rich-headline": scene(["text", RICH_CMYK, 24, 12, 40, "Large"]),
    "outlined": scene(
        ["text", "black", 20, 12, 40, "Outline", "stroke", 0.04], defects=("thin-line",)
    ),
    "outlined-well": scene(["text", "black", 20, 12, 40, "Outline", "stroke", 0.2]),
    "outlined-rich": scene(
        ["text", RICH_CMYK, 12, 12, 40, "Outline", "stroke", 0.2],
        defects=("text-in-many-inks",),
    ),
    "white-overprint": scene(
        ["over", [["rect", "white", 15, 20, 20, 10]]], defects=("white-overprint",)
    ),
    "white-text-overprint": scene(
        ["over", [["text", "white", 12, 15, 40, "gone"]]], defects=("white-overprint",)
    ),
    "white-knockout": scene(["rect", "white", 15, 20, 20, 10]),
    "black-overprint": scene(["over", [["rect", "black", 15, 20, 20, 10]]]),
    "registration": scene(
        ["ink", "All", 1, [["text", None, 12, 15, 40, "all"]]],
        defects=("registration-colour",),
    ),
    "too-much-ink": scene(
        ["rect", [0.9, 0.9, 0.9, 0.6], 15, 20, 20, 10], defects=("ink",), preset="inked"
    ),
    "enough-ink": scene(
        ["rect", [0.75, 0.7, 0.7, 0.8], 15, 20, 20, 10], preset="inked"
    ),
    "spot": scene(
        ["ink", "Gold", 1, [["rect", None, 15, 20, 20, 10]]], defects=("spot-colour",)
    ),
    "process-ink": scene(["ink", "Black", 1, [["rect", None, 15, 20, 20, 10]]]),
}
"""By name. Without a preset the one that is like the program's colours judges."""
