"""Extract the pages of a PDF as records.

Drawings, resources and glyphs without the document around them.
"""

import re
from binascii import unhexlify
from collections.abc import Iterable, Mapping
from dataclasses import replace
from io import BytesIO
from math import ceil
from struct import unpack
from typing import NamedTuple

import pikepdf

from builder.pdf import Object, ObjectId, Page
from builder.render.sheets.record import FontUse, PdfObject, Record, compress

_USE = re.compile(
    rb"/([^\s/<>\[\]()]+)(\s+(?:gs|Do|sh|scn|SCN|cs|CS)\b|\s+-?[\d.]+\s+Tf\b)"
)
"""The name of a resource with the operator that uses it."""
_GROUPS = {
    b"gs": "ExtGState",
    b"Do": "XObject",
    b"sh": "Shading",
    b"scn": "Pattern",
    b"SCN": "Pattern",
    b"cs": "ColorSpace",
    b"CS": "ColorSpace",
    b"Tf": "Font",
}
"""The resource group of each operator."""
_DEVICE = frozenset({"DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"})
_TEXT = re.compile(
    rb"/([^\s/<>\[\]()]+)\s+-?[\d.]+\s+Tf\b|<([0-9a-fA-F]+)>|q(?<!\S.)(?!\S)|Q(?<!\S.)(?!\S)"
)
"""Each way begins with a letter of its own: so others are skipped at once."""

Edges = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""


class Drawing(NamedTuple):
    """The PDF operators of a drawing, and the glyph numbers that it shows by font name."""

    content: bytes
    glyphs: Mapping[str, set[int]]


class PageExtractor:
    """Extracts one page of an opened PDF with everything that it draws.

    `fonts` are the document's by name.
    """

    def __init__(self, fonts: Mapping[str, FontUse]) -> None:
        self._fonts = fonts
        self._glyphs: dict[str, set[int]] = {}
        self._objects: list[PdfObject | None] = []
        self._numbers: dict[ObjectId, int] = {}

    def extract_page(self, page: Page, edges: Edges, height: float) -> Record:
        """Return the drawing of a page with these edges.

        Only its top `height` points are the face.
        """
        x_min, _y_min, x_max, y_max = edges
        content, resources = self._copy_drawing(page.Contents, page.Resources)
        objects = tuple(copied for copied in self._objects if copied is not None)
        uses: dict[str, FontUse] = {}
        for name, glyphs in sorted(self._glyphs.items()):
            uses[name] = self.select_glyphs(name, glyphs)
        box = (x_min, round(y_max - height, 4), x_max, y_max)
        return Record(box, compress(content), resources, objects, uses)

    def read_drawing(self, stream: Object) -> Drawing:
        """Return the operators and glyph numbers of a PDF stream."""
        content = stream.read_bytes()
        return Drawing(content, list_glyphs(content))

    def select_glyphs(self, name: str, glyphs: set[int]) -> FontUse:
        """Return which glyphs of a font a face uses."""
        use = self._fonts[name]
        widths = {
            glyph: width for glyph, width in use.widths.items() if glyph in glyphs
        }
        letters = {
            glyph: letter for glyph, letter in use.letters.items() if glyph in glyphs
        }
        return replace(use, widths=widths, letters=letters)

    def _copy_drawing(self, stream: Object, resources: Object) -> tuple[bytes, bytes]:
        """Return a drawing with new names for its resources, and these resources as text."""
        drawing = self.read_drawing(stream)
        for font, glyphs in drawing.glyphs.items():
            self._glyphs.setdefault(font, set()).update(glyphs)
        content, new_names = _rename_resources(drawing.content)
        texts_by_group: dict[str, list[bytes]] = {}
        for (group, old_name), new_name in new_names.items():
            if group == "Font":
                # A placeholder: the document gives each font its number.
                text = b"\x02" + old_name.encode("latin-1") + b"\x02"
            else:
                text = self._write(resources["/" + group]["/" + old_name])
            entry = b"/" + new_name.encode("latin-1") + b" " + text
            texts_by_group.setdefault(group, []).append(entry)
        parts = [
            b"/%s<<%s>>" % (group.encode(), b" ".join(sorted(texts)))
            for group, texts in texts_by_group.items()
        ]
        return content, b"<<" + b"".join(sorted(parts)) + b">>"

    def _write(self, item: Object) -> bytes:
        """Return a PDF value as text.

        An indirect object is copied, and becomes a reference within the record.
        """
        if not isinstance(item, pikepdf.Object) or not item.is_indirect:
            return self._write_direct(item)
        if item.objgen not in self._numbers:
            index = len(self._objects)
            self._numbers[item.objgen] = index
            # Its place is taken before it is copied: an object may refer to itself.
            self._objects.append(None)
            self._objects[index] = self._copy_object(item)
        return b"\x01%d\x01" % self._numbers[item.objgen]

    def _write_direct(self, item: Object) -> bytes:
        if isinstance(item, pikepdf.Dictionary):
            texts = {key: self._write(item[key]) for key in sorted(item.keys())}
            return b"<<%s>>" % _join_entries(texts)
        if isinstance(item, pikepdf.Array):
            return b"[%s]" % b" ".join([self._write(part) for part in list(item)])
        if isinstance(item, pikepdf.Object):
            return bytes(item.unparse(resolved=True))
        return _write_scalar(item)

    def _copy_object(self, item: Object) -> PdfObject:
        """Copy an indirect object of the PDF.

        Images keep their compression. A drawing's resources are renamed too.
        """
        if not isinstance(item, pikepdf.Stream):
            return PdfObject(self._write_direct(item))
        # The engine gives each drawing the whole document's resources: only those it uses are
        # copied.
        texts: dict[str, bytes] = {}
        for key in sorted(item.keys()):
            if key not in ("/Length", "/Resources"):
                texts[key] = self._write(item[key])
        if "/Resources" in item:
            content, texts["/Resources"] = self._copy_drawing(item, item["/Resources"])
            data = compress(content)
            texts["/Filter"] = b"/FlateDecode"
            texts.pop("/DecodeParms", None)
        else:
            data = item.read_raw_bytes()
        return PdfObject(_join_entries(texts), data)


def _join_entries(texts: Mapping[str, bytes]) -> bytes:
    """Return the entries of a dictionary as text, sorted so that equal ones give equal bytes."""
    entries = [b"%s %s" % (key.encode(), texts[key]) for key in sorted(texts)]
    return b" ".join(entries)


def _rename_resources(content: bytes) -> tuple[bytes, dict[tuple[str, str], str]]:
    """Rename the resources in a drawing. Return it, and the new names by group and old name.

    Fonts and the colour spaces of devices keep their names.
    """
    new_names: dict[tuple[str, str], str] = {}
    replacements: dict[bytes, bytes] = {}

    def rename(match: re.Match[bytes]) -> bytes:
        # A drawing uses the same few names hundreds of times.
        if match[0] not in replacements:
            replacements[match[0]] = find_replacement(match)
        return replacements[match[0]]

    def find_replacement(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("latin-1")
        operator = match[2]
        group = _GROUPS[operator.split()[-1]]
        if group == "ColorSpace" and name in _DEVICE:
            return match[0]
        if group == "Font":
            new_names[group, name] = name
        else:
            new_names.setdefault((group, name), f"n{len(new_names)}")
        return b"/" + new_names[group, name].encode("latin-1") + operator

    return _USE.sub(rename, content), new_names


def list_glyphs(content: bytes) -> dict[str, set[int]]:
    """Return the glyph numbers that a drawing shows, by font name.

    The engine writes a glyph as 4 hexadecimal digits.
    """
    if b"Tf" not in content:
        return {}
    texts_by_font: dict[str, list[bytes]] = {}
    font = ""
    saved_fonts: list[str] = []
    for match in _TEXT.finditer(content):
        if match[1] is not None:
            font = match[1].decode("latin-1")
            texts_by_font.setdefault(font, [])
        elif match[2] is not None and font:
            texts_by_font[font].append(match[2])
        elif match[0] == b"q":
            saved_fonts.append(font)
        elif match[0] == b"Q" and saved_fonts:
            font = saved_fonts.pop()
    return {font: parse_glyph_ids(texts) for font, texts in texts_by_font.items()}


def parse_glyph_ids(texts: Iterable[bytes]) -> set[int]:
    """Return the glyph numbers in hexadecimal texts."""
    # A text shorter than whole glyphs is filled up with zeros in front.
    digits = b""
    for text in texts:
        digits += text.zfill(ceil(len(text) / 4) * 4)
    return set(unpack(f">{len(digits) // 4}H", unhexlify(digits)))


def extract_file(
    data: bytes, height: float, fonts: Mapping[str, FontUse]
) -> list[Record]:
    """Return the drawings of all pages of a PDF, each cut to the top `height` points."""
    records = []
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            x_min, y_min, x_max, y_max = (float(edge) for edge in page.mediabox)
            extractor = PageExtractor(fonts)
            records.append(
                extractor.extract_page(page, (x_min, y_min, x_max, y_max), height)
            )
    return records


def _write_scalar(item: object) -> bytes:
    """Return a plain value of the PDF library as text."""
    if isinstance(item, bool):
        return b"true" if item else b"false"
    if item is None:
        return b"null"
    if isinstance(item, int):
        return str(item).encode()
    return f"{float(str(item)):.6f}".rstrip("0").rstrip(".").encode()
