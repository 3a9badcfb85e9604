"""A pack's own fonts: the files in its folder `fonts`, checked and copied to the cache.

Rendered and embedded fonts are then the same bytes, even if a file is edited meanwhile. Refused
fonts are not copied, so that nothing can be rendered with them.
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
from builder.render.html.webfonts import (
    FontFace,
    list_font_faces,
    rename_font,
    unpack_web_font,
)
from builder.render.jobs import Places
from builder.render.keys import digest

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FOLDER = "fonts"
MAX_FONT_BYTES = 30_000_000
"""Bytes of a font: one with all signs of Chinese has twenty million."""
FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2")
"""Suffixes of font files. Other files in the folder, such as a licence, are ignored."""

COLLECTION = b"ttcf"
"""The first bytes of a file with several fonts."""
COLOUR_TABLES = {"COLR", "SVG ", "CBDT", "sbix", "EBDT"}
"""Tables of fonts with coloured glyphs or pictures as glyphs."""
RESTRICTED = 0x2
LEVEL = 0xF
WHOLE_ONLY = 0x100
BITMAPS_ONLY = 0x200
"""Embedding flags of the OS/2 table: forbidden (in the 4 bits of LEVEL), whole, bitmaps only."""


class FontCut(NamedTuple):
    """The family of a font, and its weight, width and slant within the family.

    Engines would confuse two fonts of one cut.
    """

    family: str
    weight: int
    width: int
    italic: bool


class UnusableFont(Exception):
    """A font cannot be used, with the reason and a hint."""

    def __init__(self, why: Message, remedy: str = "") -> None:
        super().__init__(why, remedy)
        self.why = why
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class PackFonts:
    """The usable fonts of a pack, and the findings about all its fonts."""

    paths: tuple[Path, ...]
    hash: str
    findings: tuple[Finding, ...] = ()
    families: frozenset[str] = frozenset()


def load_pack_fonts(places: Places, is_written: bool = True) -> PackFonts:
    """Return the fonts of a pack: copies in the cache, or the pack's files without `is_written`."""
    loader = _FontLoader(places, is_written)
    folder = places.templates / FOLDER
    if folder.is_dir() and is_within(places.templates, folder):
        for path in sorted(folder.rglob("*")):
            is_font = path.suffix.lower() in FONT_SUFFIXES and not path.name.startswith(
                "."
            )
            if is_font and path.is_file():
                loader.add_font(path, path.relative_to(folder).as_posix())
    for face in list_font_faces(places.templates):
        loader.add_font(face.path, face.path.name, face)
    hashes = sorted(loader.paths_by_hash)
    return PackFonts(
        paths=tuple(loader.paths_by_hash[font_hash] for font_hash in hashes),
        hash=digest(*hashes),
        findings=tuple(loader.findings),
        families=frozenset(cut.family for cut in loader.names_by_cut),
    )


class _FontLoader:
    """Collects the usable fonts of a pack."""

    def __init__(self, places: Places, is_written: bool) -> None:
        self.places = places
        self.is_written = is_written
        self.findings: list[Finding] = []
        self.names_by_cut: dict[FontCut, str] = {}
        self.paths_by_hash: dict[str, Path] = {}

    def add_font(self, path: Path, name: str, face: FontFace | None = None) -> None:
        """Check a font file and add it, or add a finding.

        `face` gives it another family and style.
        """
        templates = self.places.templates
        # A link that leads outside the pack is reported by its own name.
        file = f"{self.places.format_path(templates)}/{FOLDER}/{name}"
        location = Location(
            file=file if face is None else self.places.format_path(path)
        )
        try:
            if not path.resolve().is_relative_to(templates.resolve()):
                raise UnusableFont(
                    _("the link {name} leads outside the pack", name=name),
                    _("Replace the link with the file itself."),
                )
            data = _read_font(path, name)
            if face is not None:
                check_font(name, data)
                data = rename_font(data, face)
            font_hash = hash_font(data)
            # The same file twice harms nothing.
            if font_hash in self.paths_by_hash:
                return
            cut, forbidden_uses = check_font(name, data)
            self._add_cut(cut, name)
        except UnusableFont as unusable:
            finding = render_codes.FONT.finding(unusable.why, location, unusable.remedy)
            self.findings.append(finding)
            return
        for message in forbidden_uses:
            self.findings.append(render_codes.FONT_RIGHTS.finding(message, location))
        if self.is_written:
            path = self.places.cache / "typefaces" / font_hash / f"{font_hash}.ttf"
            write_if_changed(path, data)
        self.paths_by_hash[font_hash] = path

    def _add_cut(self, cut: FontCut, name: str) -> None:
        """Record the family and style of a font.

        Raise UnusableFont if another font already has them.
        """
        earlier_name = self.names_by_cut.setdefault(cut, name)
        if earlier_name != name:
            why = _(
                "{name} is the same style of {family} as {other}",
                name=name,
                family=cut.family,
                other=earlier_name,
            )
            hint = _("Remove one of them, or change its family name in a font editor.")
            raise UnusableFont(why, hint)


def _read_font(path: Path, name: str) -> bytes:
    """Return the font of a file, unpacked if it is a web font.

    Raise UnusableFont if it cannot be read.
    """
    try:
        data = read_limited(path, MAX_FONT_BYTES)
    except OSError as error:
        raise UnusableFont(
            _("{file}: {reason}", file=name, reason=describe_os_error(error))
        ) from None
    try:
        return unpack_web_font(data, MAX_FONT_BYTES)
    except MemoryError:
        raise
    except (
        Exception
    ) as error:  # whatever the libraries meet in a font that is not whole
        raise UnusableFont(
            _("{name} is damaged or not a font", name=name), _("Download it again.")
        ) from error


def check_font(name: str, data: bytes) -> tuple[FontCut, list[Message]]:
    """Return the family and style of a font, and messages about uses that its licence forbids.

    Raise UnusableFont.
    """
    if data.startswith(COLLECTION):
        raise UnusableFont(
            _("{name} contains several fonts", name=name),
            _("Save each font as its own .ttf file."),
        )
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(BytesIO(data), lazy=True)
        # The library reads tables when they are used: a cut-off file must fail now.
        for table in font.reader.tables.values():
            if table.offset + table.length > len(data):
                raise EOFError
        _check_outlines(name, font.keys())
        _check_families(name, font)
        return _read_font_cut(font), list(
            _list_forbidden_uses(name, font["OS/2"].fsType)
        )
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
    if not COLOUR_TABLES.isdisjoint(tables):
        raise UnusableFont(
            _("the glyphs of {name} are pictures, or coloured", name=name)
        )
    if "glyf" not in tables:
        raise UnusableFont(
            _("{name} has no TrueType outlines", name=name),
            _("Save it as .ttf with TrueType outlines in a font editor."),
        )


def _check_families(name: str, font: TTFont) -> None:
    # Name 1 is the family, name 16 the family without the style.
    records = [record for record in font["name"].names if record.nameID in (1, 16)]
    families = {str(record).strip() for record in records} - {""}
    if not families:
        raise UnusableFont(
            _("{name} has no family name", name=name),
            _("Set its family name in a font editor."),
        )
    built_in_families = set(map(fold_family_name, FAMILIES))
    for family in sorted(families):
        if fold_family_name(family) in built_in_families:
            form = _("{name} has the family name {family}, which is built in")
            hint = _("Change its family name in a font editor.")
            raise UnusableFont(_(form, name=name, family=family), hint)


def _read_font_cut(font: TTFont) -> FontCut:
    table = font["OS/2"]
    head = font["head"]
    italic = bool(table.fsSelection & 0x201 or head.macStyle & 2)
    return FontCut(
        font["name"].getBestFamilyName(),
        table.usWeightClass,
        table.usWidthClass,
        italic,
    )


def _list_forbidden_uses(name: str, bits: int) -> Iterator[Message]:
    """Yield messages about the uses that the licence bits of a font forbid."""
    if bits & LEVEL == RESTRICTED:
        yield _("the licence settings of {name} forbid embedding", name=name)
    elif bits & WHOLE_ONLY:
        yield _(
            "the licence settings of {name} forbid embedding a part of it", name=name
        )
    elif bits & BITMAPS_ONLY:
        yield _(
            "the licence settings of {name} forbid embedding its outlines", name=name
        )
