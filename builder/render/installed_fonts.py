"""Fonts that are installed on this machine, for letters that the program's fonts lack.

A pack gets copies of them: cards never depend on the fonts of a machine.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from builder.render.html.packfonts import MAX_FONT_BYTES, UnusableFont, check_font

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "~/Library/Fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "%WINDIR%/Fonts",
    "%LOCALAPPDATA%/Microsoft/Windows/Fonts",
)
"""Folders of fonts on Linux, macOS and Windows."""
MAX_INSTALLED_FONTS = 4_000
REGULAR_WEIGHT, BOLD_WEIGHT, NORMAL_WIDTH = 400, 700, 5
UNSUITABLE_WORDS = (
    "mono",
    "condensed",
    "serif",
    "math",
    "light",
    "thin",
    "display",
    "emoji",
)
"""Words in the names of families that suit running text on cards less."""
REGION_ENDINGS = {"ja": "jp", "ko": "kr", "zh": "sc"}
"""Endings of families whose Chinese characters have the shapes of a language."""


class InstalledFont(NamedTuple):
    """A font installed on this machine: its file, family, weight and characters."""

    path: Path
    number: int
    family: str
    weight: int
    characters: frozenset[int]


class FontCopy(NamedTuple):
    """Copies of an installed font family: file names with their bytes."""

    family: str
    files: tuple[tuple[str, bytes], ...]
    characters: frozenset[int]


def find_family(characters: Collection[int], lang: str) -> FontCopy | None:
    """Find the installed font family that has most of these characters. Return copies of it.

    None if no font has any.
    """
    fonts = [
        font
        for font in list_installed_fonts()
        if font.characters.intersection(characters)
    ]
    regular_fonts = [font for font in fonts if font.weight == REGULAR_WEIGHT]
    ordered = sorted(regular_fonts, key=lambda font: rank_font(font, characters, lang))
    for regular in ordered:
        files = copy_font(regular)
        # A licence may forbid embedding: then the next font is tried.
        if not files:
            continue
        files += _copy_bold_font(fonts, regular.family)
        return FontCopy(regular.family, files, regular.characters)
    return None


def _copy_bold_font(
    fonts: Sequence[InstalledFont], family: str
) -> tuple[tuple[str, bytes], ...]:
    """Copy the bold font of a family. Empty if there is none that may be copied."""
    for font in fonts:
        if font.family == family and font.weight == BOLD_WEIGHT:
            files = copy_font(font)
            if files:
                return files
    return ()


def rank_font(
    font: InstalledFont, characters: Collection[int], lang: str
) -> tuple[int, bool, int, str, str]:
    """Return a sort key that puts the fonts most suitable for a language first."""
    name = font.family.lower()
    missing_count = len(set(characters) - font.characters)
    # Every name ends with an empty text: other languages have no region.
    region = REGION_ENDINGS.get(lang.partition("-")[0], "")
    is_other_region = not name.endswith(region)
    unsuitable_count = sum(word in name for word in UNSUITABLE_WORDS)
    return (missing_count, is_other_region, unsuitable_count, name, str(font.path))


def list_installed_fonts() -> Iterator[InstalledFont]:
    """Yield the upright fonts on this machine that a pack can use."""
    count = 0
    for folder in list_font_folders():
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in (".ttf", ".ttc") or not path.is_file():
                continue
            count += 1
            if count > MAX_INSTALLED_FONTS:
                return
            yield from read_fonts(path)


def list_font_folders() -> Sequence[Path]:
    """Return the folders of fonts that this machine has."""
    folders = [Path(os.path.expandvars(name)).expanduser() for name in FONT_FOLDERS]
    return [folder for folder in folders if folder.is_dir()]


def read_fonts(path: Path) -> Iterator[InstalledFont]:
    """Yield the fonts in a file. Nothing if the file cannot be read."""
    from fontTools.ttLib import TTCollection, TTFont

    try:
        if path.suffix.lower() == ".ttc":
            fonts = list(TTCollection(path, lazy=True).fonts)
        else:
            fonts = [TTFont(path, lazy=True)]
        for number, font in enumerate(fonts):
            table = font["OS/2"]
            # The bits of italic and oblique; fvar is the table of a variable font.
            is_slanted = bool(table.fsSelection & 0x201 or font["head"].macStyle & 2)
            if is_slanted or "glyf" not in font or "fvar" in font:
                continue
            if table.usWidthClass == NORMAL_WIDTH:
                family = font["name"].getBestFamilyName() or ""
                font.setGlyphOrder(
                    range(font["maxp"].numGlyphs)
                )  # names take long to make
                characters = frozenset(font.getBestCmap() or ())
                yield InstalledFont(
                    path, number, family, table.usWeightClass, characters
                )
    except Exception:  # whatever the library meets in a file that is no font
        return


def copy_font(font: InstalledFont) -> tuple[tuple[str, bytes], ...]:
    """Return a font as a file name with bytes. Empty if a pack cannot use or embed it."""
    data = read_single_font(font)
    name = "".join(character for character in font.family if character.isalnum())
    name += "-Bold.ttf" if font.weight == BOLD_WEIGHT else "-Regular.ttf"
    if len(data) > MAX_FONT_BYTES:
        return ()
    try:
        _cut, forbidden_uses = check_font(name, data)
    except UnusableFont:
        return ()
    return () if forbidden_uses else ((name, data),)


def read_single_font(font: InstalledFont) -> bytes:
    """Return the bytes of one font, also of a font inside a collection."""
    if font.path.suffix.lower() != ".ttc":
        return font.path.read_bytes()
    from fontTools.ttLib import TTCollection

    single_font: TTFont = TTCollection(font.path, lazy=True).fonts[font.number]
    out = BytesIO()
    single_font.save(out)
    return out.getvalue()
