"""The engine's fonts: those that fontconfig was pointed at, and no others; which families they are of.

A font that a style sheet brings along would be set with, but shapes no face's address and could not be embedded.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.render import codes
from builder.render.engine.weasyprint.logs import Complaint, listen, log_finding
from builder.render.files import BASE_URL
from builder.render.fonts import compared
from builder.render.html.icons import FAMILY

GENERIC = frozenset({
    "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace",
    "ui-rounded", "math", "emoji", "fangsong", FAMILY,
})  # fmt: skip
"""Names that ask for no family of that name, and the icons: a pack without any may be written to have some."""

_IGNORED = re.compile(r"/\*.*?\*/|@font-face\s*\{[^}]*\}", re.DOTALL | re.IGNORECASE)
_DECLARED = re.compile(r"(?<![\w-])font(?:-family)?\s*:[^;{}]*", re.IGNORECASE)


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
            LOGGER.warning(_("the font {font} is brought along by @font-face", font=font), extra={"font": font})

    def names(config: Any) -> Iterator[str]:
        fonts, name = fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem), ffi.new("FcChar8 **")
        for pattern in fonts.fonts[0 : fonts.nfont]:
            number = 0
            while fontconfig.FcPatternGetString(pattern, b"family", number, name) == fontconfig.FcResultMatch:
                yield ffi.string(name[0]).decode(errors="replace")
                number += 1

    return Installed()


def style_findings(file: str, sheet: str, heard: Iterable[Complaint], known: Collection[str]) -> Iterator[Finding]:
    """What the engine complained of in a style sheet, and families it names that are not among those known."""
    for message in heard:
        yield log_finding(message, Location(file=file, line=_brought_line(sheet, message.font)))
    yield from _unknown(file, sheet, known)


def _brought_line(sheet: str, font: str) -> int | None:
    """The line of a style sheet in which it brings along a font; None where there is no such font."""
    found = re.search(rf"@font-face\s*\{{[^}}]*{re.escape(font)}", sheet, re.IGNORECASE) if font else None
    return sheet.count("\n", 0, found.start()) + 1 if found else None


def _unknown(file: str, sheet: str, known: Collection[str]) -> Iterator[Finding]:
    """Families that a style sheet names and no font is of."""
    text = _IGNORED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), sheet)
    told: set[str] = set()
    for found in _DECLARED.finditer(text):
        for family in _named(found[0]):
            if family.lower() not in GENERIC and compared(family) not in known and family not in told:
                told.add(family)
                place = Location(file=file, line=text.count("\n", 0, found.start()) + 1)
                yield codes.FAMILY.finding(_("no font is of the family {family}", family=family), place)


@lru_cache(maxsize=1000)
def _named(declaration: str) -> tuple[str, ...]:
    """The families in a declaration, as the engine reads it; what it complains of is told where it reads the whole."""
    from tinycss2 import parse_blocks_contents
    from weasyprint.css import preprocess_declarations

    with listen():
        declared = list(preprocess_declarations(BASE_URL, parse_blocks_contents(declaration)))
    families = [value for name, value, _unused in declared if name == "font_family" and isinstance(value, tuple)]
    return tuple(name for value in families for name in value)
