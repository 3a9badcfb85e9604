"""The engine's fonts: those that fontconfig was pointed at, and no others; which families they are of.

A font that a style sheet brings along would be set with, but shapes no face's address and could not be embedded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.render.fonts import compared


def engine_fonts() -> Any:
    """A new font configuration of the engine, which refuses fonts that a style sheet brings along. It knows the
    `families` there are.
    """
    from weasyprint.text.ffi import ffi, fontconfig
    from weasyprint.text.fonts import LOGGER, FontConfiguration

    class Installed(FontConfiguration):  # type: ignore[misc]
        """The fonts that are known before anything is set."""

        def __init__(self) -> None:
            super().__init__()
            self.families = frozenset(compared(name) for name in names(self._config))

        def add_font_face(self, rule_descriptors: Any, url_fetcher: Any) -> None:
            font = rule_descriptors["font_family"]
            LOGGER.warning("the font %s is brought along by @font-face", font, extra={"font": font})

    def names(config: Any) -> Iterator[str]:
        fonts, name = fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem), ffi.new("FcChar8 **")
        for pattern in fonts.fonts[0 : fonts.nfont]:
            number = 0
            while fontconfig.FcPatternGetString(pattern, b"family", number, name) == fontconfig.FcResultMatch:
                yield ffi.string(name[0]).decode(errors="replace")
                number += 1

    return Installed()
