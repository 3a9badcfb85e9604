"""The fonts of the engine: those in fontconfig's folders, and no others."""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import MAX_QUOTED_LETTERS, Complaint
from builder.render.fonts import fold_family_name
from builder.render.html.icons import FAMILY


def list_engine_fonts() -> Any:
    """Return a font configuration of the engine that ignores fonts in style sheets.

    It has the available `families`, and those of them that are `slanted`: that have an italic.
    """
    from weasyprint.text.ffi import ffi, fontconfig
    from weasyprint.text.fonts import LOGGER, FontConfiguration

    class Installed(FontConfiguration):  # type: ignore[misc]
        """The installed fonts, before any style sheet loads another."""

        def __init__(self) -> None:
            super().__init__()
            families: set[str] = set()
            slanted: set[str] = set()
            for name, style in list_names(self._config):
                family = fold_family_name(name)
                families.add(family)
                if "italic" in style.lower() or "oblique" in style.lower():
                    slanted.add(family)
            self.families = frozenset(families)
            self.slanted = frozenset(slanted)

        def add_font_face(self, rule_descriptors: Any, url_fetcher: Any) -> None:
            font = rule_descriptors["font_family"]
            LOGGER.warning(
                "the font %s comes from @font-face", font, extra={"font": font}
            )

    def list_names(config: Any) -> Iterator[tuple[str, str]]:
        fonts = fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem)
        for pattern in fonts.fonts[0 : fonts.nfont]:
            styles = " ".join(read_strings(pattern, b"style"))
            yield from ((name, styles) for name in read_strings(pattern, b"family"))

    def read_strings(pattern: Any, what: bytes) -> Iterator[str]:
        value = ffi.new("FcChar8 **")
        # A font may have several names of a kind: fontconfig hands them out one by one.
        for number in count():
            result = fontconfig.FcPatternGetString(pattern, what, number, value)
            if result != fontconfig.FcResultMatch:
                return
            yield ffi.string(value[0]).decode(errors="replace")

    return Installed()


def find_missing_italics(pages: Iterable[Any], fonts: Any) -> Iterator[Complaint]:
    """Find texts that are drawn upright because their font family has no italic."""
    for page in pages:
        for box in page.descendants():
            if type(box).__name__ != "TextBox" or box.style["font_style"] == "normal":
                continue
            family = _find_family(box, fonts)
            text = " ".join(box.text.split())[:MAX_QUOTED_LETTERS]
            if (
                text
                and family != FAMILY
                and fold_family_name(family) not in fonts.slanted
            ):
                what = _(
                    "{family} has no italic for {text!r}", family=family, text=text
                )
                yield Complaint(render_codes.ITALIC, what)


def _find_family(box: Any, fonts: Any) -> str:
    """Return the first available font family of a text, or the program's own.

    That is also the result for icons, which need no italic.
    """
    for name in box.style["font_family"]:
        if fold_family_name(name) in fonts.families:
            return str(name)
    return FAMILY
