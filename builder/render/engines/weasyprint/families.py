"""The fonts of the engine: those in fontconfig's folders, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import MAX_QUOTED_LETTERS, Complaint
from builder.render.fonts import fold_family_name
from builder.render.html.icons import FAMILY


def list_engine_fonts() -> Any:
    """Return a new font configuration of the engine, which refuses fonts from style sheets.

    It has the available `families`, and those of them that are `slanted`: that have an italic.
    """
    from weasyprint.text.ffi import ffi, fontconfig
    from weasyprint.text.fonts import LOGGER, FontConfiguration

    class Installed(FontConfiguration):  # type: ignore[misc]
        """The fonts that are known before anything is set."""

        def __init__(self) -> None:
            super().__init__()
            cuts = [
                (fold_family_name(name), style.lower()) for name, style in list_names(self._config)
            ]
            self.families = frozenset(name for name, _style in cuts)
            self.slanted = frozenset(
                name for name, style in cuts if "italic" in style or "oblique" in style
            )

        def add_font_face(self, rule_descriptors: Any, url_fetcher: Any) -> None:
            font = rule_descriptors["font_family"]
            LOGGER.warning("the font %s is brought along by @font-face", font, extra={"font": font})

    def list_names(config: Any) -> Iterator[tuple[str, str]]:
        fonts = fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem)
        for pattern in fonts.fonts[0 : fonts.nfont]:
            styles = " ".join(read_strings(pattern, b"style"))
            yield from ((name, styles) for name in read_strings(pattern, b"family"))

    def read_strings(pattern: Any, what: bytes) -> Iterator[str]:
        number = 0
        value = ffi.new("FcChar8 **")
        while (
            fontconfig.FcPatternGetString(pattern, what, number, value) == fontconfig.FcResultMatch
        ):
            yield ffi.string(value[0]).decode(errors="replace")
            number += 1

    return Installed()


def find_missing_italics(pages: Iterable[Any], fonts: Any) -> Iterator[Complaint]:
    """Find texts drawn upright instead of italic because their family has no italic."""
    for page in pages:
        for box in page.descendants():
            if (
                type(box).__name__ == "TextBox"
                and box.style["font_style"] != "normal"
                and box.text.strip()
            ):
                family = next(
                    (
                        name
                        for name in box.style["font_family"]
                        if fold_family_name(name) in fonts.families
                    ),
                    FAMILY,
                )
                if family != FAMILY and fold_family_name(family) not in fonts.slanted:
                    text = " ".join(box.text.split())[:MAX_QUOTED_LETTERS]
                    yield Complaint(
                        render_codes.ITALIC,
                        _("{family} has no italic for {text!r}", family=family, text=text),
                    )
