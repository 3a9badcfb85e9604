"""What all programs that draw scenes have in common."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tests.checks.preflight.corpus.scenes import colour

PT = 72 / 25.4
LETTERS = "abcdefghijklmnopqrstuvwxyz ALMOENPS.\u00c5\u00c9"


@cache
def font() -> Path:
    """Return a typeface with the letters of the pages alone: files stay small."""
    from importlib.resources import files
    from tempfile import gettempdir

    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    complete_font = TTFont(
        str(files("font_roboto").joinpath("files/Roboto-Regular.ttf"))
    )
    subsetter = Subsetter(
        Options(hinting=False, layout_features=[], name_IDs=[1, 2, 4, 6])
    )
    subsetter.populate(text=LETTERS)
    subsetter.subset(complete_font)
    path = Path(gettempdir()) / "Roboto-Corpus.ttf"
    complete_font.save(path)
    return path


Specials: TypeAlias = Mapping[str, tuple[tuple[str, ...], Callable[[Path], object]]]
"""By name: the defects that are put in, and what writes the file. A first word with a colon names
the preset.
"""


class Painter:
    """Draws operations; each program has its own, whose methods are named like the operations."""

    space: str

    def own(self, draw: Callable[[Any], object]) -> None:
        """Something that only this program draws."""
        draw(self)

    def draw(self, ops: Sequence[Sequence[Any]]) -> None:
        """All operations, in order."""
        for name, *values in ops:
            getattr(self, name)(*values)

    def numbers(self, name: Any) -> list[float]:
        """Return a colour in the program's space."""
        return colour(name, self.space)


def gradient(wide: int, high: int, space: str = "RGB") -> Any:
    """Return a picture of a few flat fields, which compresses well."""
    from PIL import Image

    inks = space == "CMYK"
    fields = [
        ((x * 40, y * 40, (x + y) * 20) + ((20,) if inks else ()))
        for y in range(4)
        for x in range(4)
    ]
    picture = Image.new("CMYK" if inks else "RGB", (4, 4))
    picture.putdata(fields)
    picture = picture.resize((wide, high), Image.Resampling.NEAREST)
    return picture.convert(space) if space not in ("RGB", "CMYK") else picture


def encoded(picture: Any, form: str, **options: Any) -> bytes:
    """Return a picture as a file of a format."""
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def under(scene: Mapping[str, Any], draw: Callable[[Any], object]) -> dict[str, Any]:
    """Return a scene with something of a program's own on its front."""
    front, *rest = scene["pages"]
    return {**scene, "pages": [{**front, "ops": [*front["ops"], ["own", draw]]}, *rest]}


def profile() -> Path:
    """Return a small ICC profile of a press with four inks: a table with the corners alone."""
    import struct
    from itertools import product
    from tempfile import gettempdir

    def described(words: str) -> bytes:
        return (
            b"desc"
            + bytes(4)
            + struct.pack(">I", len(words) + 1)
            + words.encode()
            + bytes(1 + 4 + 4 + 2 + 1 + 67)
        )

    def table(inputs: int, outputs: int, corners: list[list[int]]) -> bytes:
        straight = struct.pack(">256B", *range(256))
        unit = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
        head = b"mft1" + bytes(4) + struct.pack(">4B", inputs, outputs, 2, 0) + unit
        return (
            head
            + straight * inputs
            + bytes(value for corner in corners for value in corner)
            + straight * outputs
        )

    def lab(inks: tuple[int, ...]) -> list[int]:
        cyan, magenta, yellow, black = inks
        light = max(20, 255 - 90 * cyan - 110 * magenta - 20 * yellow) * (
            1 - 0.8 * black
        )
        return [
            round(light),
            128 - 35 * cyan + 70 * magenta,
            128 - 45 * cyan + 85 * yellow,
        ]

    forth = table(4, 3, [lab(inks) for inks in product((0, 1), repeat=4)])
    inverse_table = table(
        3,
        4,
        [[0, 0, 0, 255 * (1 - light)] for light, _, _ in product((0, 1), repeat=3)],
    )
    parts = {"desc": described("Corpus press"), "cprt": b"text" + bytes(4) + b"none\0"}
    parts["wtpt"] = b"XYZ " + bytes(4) + struct.pack(">3i", 63190, 65536, 54061)
    parts |= dict.fromkeys(("A2B0", "A2B1", "A2B2"), forth) | dict.fromkeys(
        ("B2A0", "B2A1", "B2A2"), inverse_table
    )
    body, places, at = b"", {}, 128 + 4 + 12 * len(parts)
    for data in dict.fromkeys(parts.values()):
        places[data] = (at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    listed = struct.pack(">I", len(parts))
    listed += b"".join(
        name.encode() + struct.pack(">2I", *places[data])
        for name, data in parts.items()
    )
    head = struct.pack(
        ">I4sI4s4s4s", at + len(body), b"none", 0x02400000, b"prtr", b"CMYK", b"Lab "
    )
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(24)
    head += struct.pack(">I3i", 0, 63190, 65536, 54061) + bytes(48)
    path = Path(gettempdir()) / "corpus.icc"
    path.write_bytes(head + listed + body)
    return path
