"""Check that the fonts of a pack have every character of its texts, in every language."""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from unicodedata import category, name as name_of, normalize

from builder.findings import Finding
from builder.messages import gettext as _, join_messages
from builder.model.base import walk_values
from builder.model.codes import define
from builder.model.loaded import Document, PackLetters

LETTER = define(
    "looks/missing-letter",
    _("No font of the pack has a character"),
    _(
        "Only the fonts of the pack and of the program are used. A character that is in "
        "none of them is printed as a box."
    ),
    _(
        "Use another character, draw it as an icon, or put a font that has it into "
        "templates/<pack>/fonts."
    ),
)
MAX_LISTED_CHARACTERS = 6
"""Letters that one finding names."""
SOURCES = ("pack.yaml", "vocabulary.yaml")
"""Files besides cards whose words are printed."""


def check(letters: PackLetters) -> Iterator[Finding]:
    """Report characters of cards, translations and vocabulary that no font has."""
    loaded = letters.loaded
    pack = loaded.whole
    covered = _FontCoverage(letters.covered, "".join(pack.manifest.icons))
    for card in pack.cards.values():
        if covered.find_missing(
            card.name, json.dumps(dict(card.data), ensure_ascii=False)
        ):
            yield from _report_missing_glyphs(loaded.documents[card.id], covered)
    for (lang, card_id), document in loaded.translations.items():
        strings = pack.translations.get(lang, {}).get(card_id, {})
        if covered.find_missing(*(string.text for string in strings.values())):
            yield from _report_missing_glyphs(document, covered)
    for name in SOURCES:
        if name in loaded.sources:
            yield from _check_file(loaded.sources[name], covered)


def _check_file(document: Document, covered: "_FontCoverage") -> Iterator[Finding]:
    # one quick test of the whole file, and only then of each of its texts
    if covered.find_missing(json.dumps(document.value, ensure_ascii=False)):
        yield from _report_missing_glyphs(document, covered)


class _FontCoverage:
    """Finds characters that no font of the pack has."""

    def __init__(
        self, ranges: Iterable[tuple[int, int]], icon_symbols: str = ""
    ) -> None:
        self._ranges = sorted(ranges)
        self._starts = [first for first, _unused in self._ranges]
        self._good = set(icon_symbols)  # printed as icons

    def find_missing(self, *texts: str) -> list[str]:
        """Return the characters of these texts that no font has, sorted."""
        new = set().union(*texts) - self._good
        missing = sorted(sign for sign in new if not self._has_glyph(sign))
        self._good |= new.difference(missing)
        return missing

    def _has_glyph(self, character: str) -> bool:
        """Return True if a font has the character or its parts, or if it is never drawn."""
        if (
            # Control characters, format characters and variation selectors are never drawn.
            category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")
            or "\ufe00" <= character <= "\ufe0f"
        ):
            return True
        # Fonts often have an accent only combined with its letter, or only on its own.
        return category(character) == "Mn" or any(
            self._has_glyphs(normalize(form, character)) for form in ("NFC", "NFD")
        )

    def _has_glyphs(self, characters: str) -> bool:
        """Return True if some font has each of these characters."""
        for sign in map(ord, characters):
            # Only the last range that begins at or before the character can contain it.
            at = bisect_right(self._starts, sign) - 1
            if at < 0 or sign > self._ranges[at][1]:
                return False
        return True


def _report_missing_glyphs(
    document: Document, covered: _FontCoverage
) -> Iterator[Finding]:
    """Report each text of a file with characters that no font has."""
    for path, value in walk_values(document.value):
        # Notes of a card's history are not printed on it.
        if not isinstance(value, str) or path[:1] == ("history",):
            continue
        lacking = covered.find_missing(value)
        if lacking:
            names = join_messages(
                _(
                    "{sign} ({name})",
                    sign=sign,
                    name=name_of(sign, f"U+{ord(sign):04X}"),
                )
                for sign in lacking[:MAX_LISTED_CHARACTERS]
            )
            yield LETTER.finding(
                _("no font has the characters {letters}", letters=names),
                document.locate(path),
            )
