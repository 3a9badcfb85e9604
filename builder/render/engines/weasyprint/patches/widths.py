"""Correct the engine's glyph metrics: take widths and heights from the font file."""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from struct import unpack_from
from typing import Any

from builder.render.engines.weasyprint.patches.replacing import Replacement


class Widths(dict[int, int]):
    """The widths of glyphs in thousandths of the type size, read from the font file.

    `advances` are those of all glyphs of the file.
    """

    def __init__(self, advances: dict[int, int]) -> None:
        super().__init__()
        self.advances = advances

    def __contains__(self, glyph: Any) -> bool:
        if dict.__contains__(self, glyph):
            return True
        # The engine measures a glyph itself if it is not here: so it never does.
        if glyph not in self.advances:
            return False
        self[glyph] = self.advances[glyph]
        return True


def find_replacements() -> Iterator[Replacement]:
    """Return the replacements of the engine's fonts and of the function that finishes them."""
    from weasyprint import pdf
    from weasyprint.pdf import stream

    original = pdf.build_fonts_dictionary

    class FontWithFileWidths(stream.Font):  # type: ignore[misc]
        """A font of the engine that takes glyph widths from the font file."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            if not (self.bitmap or self.png or self.variations):
                advances, self.ascent, self.descent = _read_metrics(
                    self.file_content, self.index
                )
                self.widths = Widths(advances)

    def build_fonts_dictionary(document: Any, fonts: Any, *rest: Any) -> Any:
        # From here on only the glyphs that were used count.
        for font in fonts.values():
            font.widths = dict(font.widths)
        return original(document, fonts, *rest)

    yield stream, "Font", FontWithFileWidths
    yield pdf, "build_fonts_dictionary", build_fonts_dictionary


@lru_cache(maxsize=64)
def _read_metrics(data: bytes, index: int) -> tuple[dict[int, int], int, int]:
    """Return the glyph widths, ascent and descent of a font, in thousandths of the type size."""
    from fontTools.ttLib import TTFont

    # The tables as they lie in the file: the library's own way goes by glyph names and takes a
    # hundred times as long.
    tables = TTFont(BytesIO(data), fontNumber=index, lazy=True).reader
    scale = 1000 / unpack_from(">H", tables["head"], 18)[0]
    ascent, descent = unpack_from(">hh", tables["hhea"], 4)
    stored_count = unpack_from(">H", tables["hhea"], 34)[0]
    glyph_count = unpack_from(">H", tables["maxp"], 4)[0]
    # Each entry holds an advance and a bearing.
    stored = unpack_from(f">{stored_count * 2}H", tables["hmtx"])[::2]
    advances = [round(advance * scale) for advance in stored]
    # The table omits equal advances at its end.
    advances += advances[-1:] * (glyph_count - stored_count)
    return dict(enumerate(advances)), round(ascent * scale), round(descent * scale)
