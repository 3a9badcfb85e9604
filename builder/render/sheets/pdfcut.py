"""Records from a written PDF: the way for any engine and any drawing."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from builder.render.sheets.cutting import Cutter, Drawing, glyphs_of, stream
from builder.render.sheets.record import FontUse, Loose, Record, pack


def cut_file(data: bytes, height: float, fonts: Mapping[str, FontUse]) -> list[Record]:
    """The records of all pages of a file; only the top `height` points of each are the face."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as pdf:
        return [_cut(page, height, fonts) for page in pdf.pages]


def _cut(page: Any, height: float, fonts: Mapping[str, FontUse]) -> Record:
    left, bottom, right, top = (float(edge) for edge in page.mediabox)
    return _FileCutter().record(_drawing(page.Contents, page.Resources), (left, bottom, right, top), height, fonts)


def _drawing(contents: Any, resources: Any) -> Drawing:
    content: bytes = contents.read_bytes()
    return Drawing(content, resources, glyphs_of(content))


class _FileCutter(Cutter):
    """Reads from an opened file."""

    def resource(self, resources: Any, group: str, name: str) -> bytes:
        """One of a drawing's resources as text."""
        return self.text(resources["/" + group]["/" + name])

    def loose(self, item: Any) -> Loose:
        """One indirect object; drawings inside drawings are renamed too, images keep their compression."""
        import pikepdf

        if not isinstance(item, pikepdf.Stream):
            return Loose(self.direct(item))
        # The engine gives each drawing the whole document's resources: only those it uses are cut loose, below.
        kept = (key for key in item.stream_dict.keys() if key not in ("/Length", "/Resources"))  # noqa: SIM118
        entries = {key: self.text(item.stream_dict[key]) for key in sorted(kept)}
        if "/Resources" not in item.stream_dict:
            return stream(entries, item.read_raw_bytes())
        content, entries["/Resources"] = self.drawing(_drawing(item, item.stream_dict["/Resources"]))
        entries["/Filter"] = b"/FlateDecode"
        entries.pop("/DecodeParms", None)
        return stream(entries, pack(content))

    def text(self, item: Any) -> bytes:
        """Any PDF value as text; indirect objects become references within the record."""
        import pikepdf

        if isinstance(item, pikepdf.Object) and item.is_indirect:
            return self.reference(item.objgen, item)
        return self.direct(item)

    def direct(self, item: Any) -> bytes:
        """A value written out where it stands."""
        import pikepdf

        if isinstance(item, pikepdf.Dictionary):
            parts = [key.encode() + b" " + self.text(item[key]) for key in sorted(item.keys())]
            return b"<<" + b" ".join(parts) + b">>"
        if isinstance(item, pikepdf.Array):
            return b"[" + b" ".join(self.text(part) for part in list(item)) + b"]"
        return bytes(item.unparse(resolved=True)) if isinstance(item, pikepdf.Object) else _scalar(item)


def _scalar(item: Any) -> bytes:
    """A value that the PDF library hands over as plain Python."""
    if isinstance(item, bool):
        return b"true" if item else b"false"
    if item is None:
        return b"null"
    return (str(item) if isinstance(item, int) else f"{float(item):.6f}".rstrip("0").rstrip(".")).encode()
