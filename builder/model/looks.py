"""The files of a pack that shape how its cards look, as bytes, and the letters that its fonts have. Pure values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Location
from builder.model.loaded import LoadedPack


@dataclass(frozen=True, slots=True)
class LooksFile:
    """One file, named as findings name it."""

    file: str
    data: bytes

    @property
    def text(self) -> str:
        """Its text; what is no UTF-8 counts as a sign that no letter is."""
        return self.data.decode("utf-8", "replace")

    def at(self, offset: int = 0) -> Location:
        """The place of a sign of its text."""
        before = self.text[:offset]
        line = before.count("\n")
        return Location(self.file, line + 1, offset - (before.rfind("\n") + 1) + 1)


class PictureFile(LooksFile):
    """A picture made of pixels."""

    __slots__ = ()


class TemplateFile(LooksFile):
    """A template: HTML with gaps."""

    __slots__ = ()


TOLD = 20
"""Findings of one check that are told of one file: a file with more was not written by hand."""
SPANS = 1000
"""Columns or rows that a cell of a table may span; browsers stop there too."""
_MANY = re.compile(r"""=\s*(?:["']\s*)?\d{4}""")
_SPAN = re.compile(r"""\b((?:col|row)?span)\s*=\s*(?:["']\s*)?(\d+)""", re.IGNORECASE)


def wide_spans(html: str) -> Iterator[tuple[str, str, int]]:
    """Spans of more than that: the attribute, its number, and where the number stands."""
    for found in _SPAN.finditer(html) if _MANY.search(html) else ():
        if len(found[2]) > 9 or int(found[2]) > SPANS:
            yield found[1], found[2][:12], found.start(2)


@dataclass(frozen=True, slots=True)
class DrawingFile(LooksFile):
    """An SVG file, and the font families there are, as fonts are compared: small letters without spaces."""

    families: frozenset[str] = frozenset()


class StyleSheet(LooksFile):
    """A CSS file."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PackLetters:
    """A pack, and the code points that some font has a sign for: first and last of each stretch."""

    loaded: LoadedPack
    covered: tuple[tuple[int, int], ...]
