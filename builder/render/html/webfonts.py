"""A pack's web fonts: WOFF and WOFF2 unpacked to TrueType, and `@font-face` rules."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple

from builder.render.files import find_inside, read_text

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

WOFF = b"wOFF"
WOFF2 = b"wOF2"
FONT_EXTENSIONS = frozenset((".ttf", ".otf", ".woff", ".woff2"))
WEIGHTS = {"normal": 400, "bold": 700}
STYLE_NAMES = {False: "Regular", True: "Italic"}
FSSELECTION_ITALIC = 0x01
FSSELECTION_BOLD = 0x20
FSSELECTION_REGULAR = 0x40
HEAD_BOLD = 0x1
HEAD_ITALIC = 0x2
BOLD_WEIGHT = 600
WOFF_HEADER_BYTES = 44
WOFF_ENTRY_BYTES = 20
_RULE = re.compile(r"@font-face\s*\{([^{}]*)\}", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_URL = re.compile(r"""url\(\s*['"]?([^'")]+?)['"]?\s*\)""", re.IGNORECASE)
_DESCRIPTOR = re.compile(r"(?:^|;)\s*([a-z-]+)\s*:\s*([^;]+)", re.IGNORECASE)


class FontFace(NamedTuple):
    """A CSS `@font-face` rule with a font file of the pack.

    `weight` is None if the file decides.
    """

    family: str
    path: Path
    weight: int | None
    is_italic: bool


def unpack_web_font(data: bytes, max_bytes: int) -> bytes:
    """Unpack a WOFF or WOFF2 font to a TrueType font. Other data stays the same.

    Raise ValueError if the font is larger than `max_bytes` when unpacked.
    """
    if data[:4] not in (WOFF, WOFF2):
        return data
    from fontTools.ttLib import TTFont

    if data[:4] == WOFF:
        _check_woff_size(data, max_bytes)
    else:
        _check_woff2_size(data, max_bytes)
    font = TTFont(BytesIO(data), recalcTimestamp=False, recalcBBoxes=False)
    font.flavor = None
    out = BytesIO()
    font.save(out, reorderTables=False)
    return out.getvalue()


def _check_woff_size(data: bytes, max_bytes: int) -> None:
    """Raise ValueError if the tables of a WOFF file would unpack to too many bytes."""
    total = 0
    for number in range(int.from_bytes(data[12:14])):
        start = WOFF_HEADER_BYTES + WOFF_ENTRY_BYTES * number
        # An entry begins with the name of the table, which has 4 bytes.
        entry = data[start : start + WOFF_ENTRY_BYTES].ljust(WOFF_ENTRY_BYTES, b"\0")
        offset, packed_length, length = unpack_from(">III", entry, 4)
        total += length
        if total > max_bytes:
            raise ValueError("too large")
        # A table that would not become smaller is not compressed.
        if packed_length < length:
            unpacker = zlib.decompressobj()
            table = unpacker.decompress(
                data[offset : offset + packed_length], length + 1
            )
            if len(table) != length:
                raise ValueError("damaged")


def _check_woff2_size(data: bytes, max_bytes: int) -> None:
    """Raise ValueError if the tables of a WOFF2 file would unpack to too many bytes."""
    import brotli
    from fontTools.ttLib.woff2 import WOFF2DirectoryEntry, woff2DirectorySize

    file = BytesIO(data)
    file.seek(woff2DirectorySize)
    # Entries differ in length: reading them all leads to the compressed data.
    for _number in range(int.from_bytes(data[12:14])):
        WOFF2DirectoryEntry().fromFile(file)
    packed_length = int.from_bytes(data[20:24])
    unpacker = brotli.Decompressor()
    tables = unpacker.process(
        file.read(packed_length), output_buffer_limit=max_bytes + 1
    )
    if len(tables) > max_bytes or not unpacker.is_finished():
        raise ValueError("too large")


def list_font_faces(templates: Path) -> list[FontFace]:
    """Return the `@font-face` rules of a pack whose font file is in the pack."""
    faces: dict[FontFace, None] = {}
    for sheet in sorted(templates.rglob("*.css")):
        if find_inside(templates, sheet.relative_to(templates).as_posix()) is None:
            continue
        for _rule, face in _find_rules(templates, read_text(sheet)):
            faces[face] = None
    return list(faces)


def remove_font_faces(templates: Path, text: str) -> str:
    """Return a style sheet without the `@font-face` rules whose font is in the pack.

    Line numbers stay as they are.

    The engines know these fonts already. Rules for other files stay and are reported.
    """
    for rule, _face in _find_rules(templates, text):
        text = text.replace(rule, "\n" * rule.count("\n"))
    return text


def _find_rules(templates: Path, text: str) -> Iterator[tuple[str, FontFace]]:
    """Yield the `@font-face` rules whose font file is in the pack."""
    if "@font-face" not in text.lower():
        return
    for rule in _RULE.finditer(text):
        descriptors = {
            name.lower(): value.strip()
            for name, value in _DESCRIPTOR.findall(_COMMENT.sub("", rule[1]))
        }
        family = descriptors.get("font-family", "").strip("'\"")
        weight = descriptors.get("font-weight", "").lower()
        path = _find_font_file(templates, descriptors.get("src", ""))
        is_known_weight = weight in ("", *WEIGHTS) or weight.isdecimal()
        if family and path is not None and is_known_weight:
            style = descriptors.get("font-style", "normal").lower()
            number = WEIGHTS.get(weight) or (int(weight) if weight else None)
            yield (
                rule[0],
                FontFace(family, path, number, style in ("italic", "oblique")),
            )


def _find_font_file(templates: Path, source: str) -> Path | None:
    """Return the first font file in `src` that is in the pack, or None.

    Its path counts from templates/<pack>.
    """
    for name in _URL.findall(source):
        extension = PurePosixPath(name).suffix.lower()
        if extension in FONT_EXTENSIONS:
            path = find_inside(templates, name)
            if path is not None:
                return path
    return None


def rename_font(data: bytes, face: FontFace) -> bytes:
    """Return a font file with the family, weight and slant that a `@font-face` rule declares."""
    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data), recalcTimestamp=False, recalcBBoxes=False)
    weight = font["OS/2"].usWeightClass if face.weight is None else face.weight
    is_bold = weight >= BOLD_WEIGHT
    family = font["name"].getBestFamilyName()
    is_italic = bool(font["OS/2"].fsSelection & FSSELECTION_ITALIC)
    style = (family, font["OS/2"].usWeightClass, is_italic)
    if style == (face.family, weight, face.is_italic):
        # Not saved again, so that the bytes and their hash stay.
        return data
    _set_names(font, face, weight)
    font["OS/2"].usWeightClass = weight
    selection = font["OS/2"].fsSelection
    selection &= ~(FSSELECTION_ITALIC | FSSELECTION_BOLD | FSSELECTION_REGULAR)
    mac_style = 0
    if face.is_italic:
        selection |= FSSELECTION_ITALIC
        mac_style |= HEAD_ITALIC
    if is_bold:
        selection |= FSSELECTION_BOLD
        mac_style |= HEAD_BOLD
    if not (face.is_italic or is_bold):
        selection |= FSSELECTION_REGULAR
    font["OS/2"].fsSelection = selection
    font["head"].macStyle = mac_style
    out = BytesIO()
    font.save(out, reorderTables=False)
    return out.getvalue()


def _set_names(font: TTFont, face: FontFace, weight: int) -> None:
    """Set the family names in a font file. Each weight gets its own full name."""
    style = f"{weight} {STYLE_NAMES[face.is_italic]}"
    full_name = f"{face.family} {style}"
    postscript_name = re.sub(r"[^A-Za-z0-9-]", "", full_name)
    names = {1: face.family, 2: style, 4: full_name, 6: postscript_name}
    table = font["name"]
    # Other names of the family and style would outweigh these.
    replaced_ids = (16, 17, 21, 22, 25, *names)
    table.names = [
        record for record in table.names if record.nameID not in replaced_ids
    ]
    for name_id, name in names.items():
        table.setName(name, name_id, 3, 1, 0x409)
