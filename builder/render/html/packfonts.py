"""A pack's own fonts: found in its folder `fonts`, judged, and kept in the cache as they were when they were read.

What is set and what is embedded are then the same bytes, whatever is edited meanwhile. A font that is refused is not
kept, so that nothing can be set with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from builder.files import is_within, read_limited, write_if_changed
from builder.findings import Finding, Location
from builder.messages import Message, describe_os_error, gettext as _
from builder.render import render_codes
from builder.render.fonts import FAMILIES, fold_family_name, hash_font
from builder.render.jobs import Places
from builder.render.keys import digest

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FOLDER = "fonts"
LARGEST = 30_000_000
"""Bytes of a font: one with all signs of Chinese has twenty million."""
KINDS = (".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2")
"""Files that are meant as fonts; what else lies beside them, such as a licence, is left alone."""

_WEB = _("{name} is a compressed web font"), _("Decompress it: fonttools ttLib FILE -o FILE.ttf")
PACKED = {
    **dict.fromkeys((b"wOFF", b"wOF2"), _WEB),
    b"ttcf": (_("{name} contains several fonts"), _("Save each font as its own .ttf file.")),
}
"""How a file begins that holds fonts, but is none: why it cannot be used, and what to do."""
PAINTED = {"COLR", "SVG ", "CBDT", "sbix", "EBDT"}
"""Tables of letters that are pictures or coloured."""
RESTRICTED, LEVEL, WHOLE_ONLY, BITMAPS_ONLY = 0x2, 0xF, 0x100, 0x200
"""What a font's table OS/2 says of embedding: not at all (of four bits), not in parts, not its outlines."""


class FontCut(NamedTuple):
    """What tells the fonts of a family apart. Two fonts of one cut would be taken for each other."""

    family: str
    weight: int
    width: int
    italic: bool


class UnusableFont(Exception):
    """A font that cannot be used: why, and what to do."""

    def __init__(self, why: Message, remedy: str = "") -> None:
        super().__init__(why, remedy)
        self.why, self.remedy = why, remedy


@dataclass(frozen=True, slots=True)
class PackFonts:
    """The kept fonts (in an order that follows from their contents), a hash of them, what is wrong with any, and of
    which families they are."""

    paths: tuple[Path, ...]
    hash: str
    findings: tuple[Finding, ...] = ()
    families: frozenset[str] = frozenset()


def load_pack_fonts(places: Places, is_written: bool = True) -> PackFonts:
    """The fonts of a pack: copies in the cache, or the pack's own files if `is_written` is false, as for a check."""
    findings: list[Finding] = []
    cuts: dict[FontCut, str] = {}
    kept: dict[str, Path] = {}
    folder = places.templates / FOLDER
    for path in (
        sorted(folder.rglob("*")) if folder.is_dir() and is_within(places.templates, folder) else ()
    ):
        if path.suffix.lower() not in KINDS or path.name.startswith(".") or not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        place = Location(file=f"{places.shown(places.templates)}/{FOLDER}/{name}")
        try:
            if not path.resolve().is_relative_to(places.templates.resolve()):
                raise UnusableFont(
                    _("the link {name} leads outside the pack", name=name),
                    _("Replace the link with the file itself."),
                )
            data = _read(path, name)
            file = hash_font(data)
            if file in kept:
                continue
            cut, rights = judged(name, data)
            other = cuts.setdefault(cut, name)
            if other != name:
                why = _(
                    "{name} is the same style of {family} as {other}",
                    name=name,
                    family=cut.family,
                    other=other,
                )
                raise UnusableFont(
                    why, _("Remove one of them, or change its family name in a font editor.")
                )
        except UnusableFont as unusable:
            findings.append(render_codes.FONT.finding(unusable.why, place, unusable.remedy))
            continue
        findings += [render_codes.FONT_RIGHTS.finding(said, place) for said in rights]
        kept[file] = places.cache / "typefaces" / file / f"{file}.ttf" if is_written else path
        if is_written:
            write_if_changed(kept[file], data)
    families = frozenset(cut.family for cut in cuts)
    return PackFonts(
        tuple(kept[file] for file in sorted(kept)), digest(*sorted(kept)), tuple(findings), families
    )


def _read(path: Path, name: str) -> bytes:
    """What a font's file holds. Raises UnusableFont."""
    try:
        return read_limited(path, LARGEST)
    except OSError as error:
        raise UnusableFont(
            _("{file}: {reason}", file=name, reason=describe_os_error(error))
        ) from None


def judged(name: str, data: bytes) -> tuple[FontCut, list[Message]]:
    """Which cut a font is, and what its maker forbids. Raises UnusableFont."""
    if data[:4] in PACKED:
        why, remedy = PACKED[data[:4]]
        raise UnusableFont(_(why, name=name), remedy)
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(BytesIO(data), lazy=True)
        if any(table.offset + table.length > len(data) for table in font.reader.tables.values()):
            raise EOFError
        _check_outlines(name, font.keys())
        _check_families(name, font)
        return _read_font_cut(font), list(_rights(name, font["OS/2"].fsType))
    except (UnusableFont, MemoryError):
        raise
    except Exception as error:  # whatever the library meets in a font that is not whole
        raise UnusableFont(
            _("{name} is damaged or not a font", name=name),
            _("Download it again."),
        ) from error


def _check_outlines(name: str, tables: Collection[str]) -> None:
    if "fvar" in tables:
        raise UnusableFont(
            _("{name} is a variable font", name=name),
            _(
                "Save each style you use as a static font: fonttools varLib.instancer "
                "FILE.ttf wght=400"
            ),
        )
    if not PAINTED.isdisjoint(tables):
        raise UnusableFont(_("the glyphs of {name} are pictures, or coloured", name=name))
    if "glyf" not in tables:
        raise UnusableFont(
            _("{name} has no TrueType outlines", name=name),
            _("Save it as .ttf with TrueType outlines in a font editor."),
        )


def _check_families(name: str, font: TTFont) -> None:
    families = {
        str(record).strip() for record in font["name"].names if record.nameID in (1, 16)
    } - {""}
    if not families:
        raise UnusableFont(
            _("{name} has no family name", name=name), _("Set its family name in a font editor.")
        )
    for family in sorted(families):
        if fold_family_name(family) in map(fold_family_name, FAMILIES):
            raise UnusableFont(
                _(
                    "{name} has the family name {family}, which is built in",
                    name=name,
                    family=family,
                ),
                _("Change its family name in a font editor."),
            )


def _read_font_cut(font: TTFont) -> FontCut:
    table, head = font["OS/2"], font["head"]
    italic = bool(table.fsSelection & 0x201 or head.macStyle & 2)
    return FontCut(
        font["name"].getBestFamilyName(), table.usWeightClass, table.usWidthClass, italic
    )


def _rights(name: str, bits: int) -> Iterator[Message]:
    """What a font says against being embedded as it will be."""
    if bits & LEVEL == RESTRICTED:
        yield _("the licence settings of {name} forbid embedding", name=name)
    elif bits & WHOLE_ONLY:
        yield _("the licence settings of {name} forbid embedding a part of it", name=name)
    elif bits & BITMAPS_ONLY:
        yield _("the licence settings of {name} forbid embedding its outlines", name=name)
