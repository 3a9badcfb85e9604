"""Loaded data files with the location of each value, and the files that affect appearance.

Pure values.

The store makes them, the checks judge them; neither knows the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from builder.findings import Finding, Location, Position, find_position, has_errors
from builder.model.base import DataPath, Json, Mention, format_path
from builder.model.pack import Pack

if TYPE_CHECKING:  # models that few need take long to load
    from builder.model.gauge import GaugeSet
    from builder.model.product import ProductSet
    from builder.model.profile import Profile
    from builder.model.roster import Roster
    from builder.model.shop import Preset
    from builder.model.stats import StatsFile

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Document:
    """One data file.

    `file` is relative to the project, with `/`. `marks` holds the place of each value by path (for
    a map entry the place of its value); `key_marks` the place of each key.
    """

    file: str
    value: Json
    marks: Mapping[DataPath, Position] = field(default_factory=dict)
    key_marks: Mapping[DataPath, Position] = field(default_factory=dict)

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        """Return the location of a value or its key.

        Of the nearest parent if the value is missing.
        """
        marks = self.key_marks if key else self.marks
        parent = path
        while parent and parent not in marks:
            parent = parent[:-1]
        line, column = marks.get(parent, self.marks.get(parent, Position(1, 1)))
        return Location(file=self.file, line=line, column=column, path=format_path(path) or None)


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file: its parsed document, its kind folder, and its name without `.yaml`."""

    document: Document
    folder: str
    stem: str

    @property
    def id(self) -> str | None:
        """The id the file states, if it states one."""
        value = self.document.value.get("id") if isinstance(self.document.value, dict) else None
        return value if isinstance(value, str) else None

    @property
    def kind(self) -> str | None:
        """The kind the file states, if it states one."""
        value = self.document.value.get("kind") if isinstance(self.document.value, dict) else None
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack with the files that it was read from.

    `pack` is None only where pack.yaml itself cannot be used. `files` are all card files that could
    be parsed, also those that are not valid; `unread` the names of those that could not, with their
    folders; `documents` the files of valid cards by id; `translations` those by language and id;
    `mentions` and `wheres` say what each valid card names and where it states conditions; `art` the
    pictures of the pack, relative to an art folder; `sources` the documents of pack.yaml,
    vocabulary.yaml, rules.yaml, formats.yaml, gauges.yaml, stats.yaml and products.yaml by name;
    `read` the files that had to be read: all others are as they were last time.
    """

    pack: Pack | None
    files: tuple[CardFile, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    translations: Mapping[tuple[str, str], Document] = field(default_factory=dict)
    mentions: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)
    wheres: Mapping[str, tuple[DataPath, ...]] = field(default_factory=dict)
    art: frozenset[str] = frozenset()
    sources: Mapping[str, Document] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    read: frozenset[str] = frozenset()

    @property
    def whole(self) -> Pack:
        """The pack, for who knows that it could be read."""
        assert self.pack is not None
        return self.pack

    @property
    def verdict_errors(self) -> tuple[Finding, ...]:
        """The errors in files that decide whether a squad is legal.

        With any of them there is no verdict.
        """
        return select_verdict_errors(self.findings)

    @property
    def gauges(self) -> GaugeSet | None:
        """The content of gauges.yaml, or None if it is missing or invalid."""
        from builder.model.gauge import GaugeSet

        return self._read_model("gauges.yaml", GaugeSet)

    @property
    def stats(self) -> StatsFile | None:
        """The content of stats.yaml, or None if it is missing or invalid."""
        from builder.model.stats import StatsFile

        return self._read_model("stats.yaml", StatsFile)

    @property
    def products(self) -> ProductSet | None:
        """The content of products.yaml, or None if it is missing or invalid."""
        from builder.model.product import ProductSet

        return self._read_model("products.yaml", ProductSet)

    def _read_model(self, name: str, model: type[M]) -> M | None:
        document = self.sources.get(name)
        with suppress(ValidationError):
            return model.model_validate(document.value) if document is not None else None
        return None


FILES_WITHOUT_RULES = frozenset(
    {"gauges.yaml", "stats.yaml", "products.yaml", "i18n", "rosters", "art"}
)
"""Files and folders of `cards/<pack>/` that change no verdict: what they hold is printed or
counted, not judged.
"""


def select_verdict_errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the errors of reading a pack or release that make a roster check impossible.

    Every file counts that is not known to change no verdict, so that a new file is never ignored by
    mistake.
    """
    return tuple(
        finding
        for finding in findings
        if has_errors((finding,)) and _is_basis(finding.location.file or "")
    )


def _is_basis(file: str) -> bool:
    """Return True if a verdict depends on a file, named from the project's root."""
    parts = file.split("/")
    return not (len(parts) > 2 and parts[0] == "cards" and parts[2] in FILES_WITHOUT_RULES)


@dataclass(frozen=True, slots=True)
class PublishFile:
    """A publish profile: its parsed document, its file's name without `.yaml`, and what it says."""

    document: Document
    stem: str
    says: Profile | Preset


@dataclass(frozen=True, slots=True)
class LoadedRoster:
    """A roster and the file it came from; `roster` is None where the file does not hold one."""

    roster: Roster | None
    document: Document | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class AppearanceFile:
    """One file, named as findings name it."""

    file: str
    data: bytes

    @property
    def text(self) -> str:
        """Its text; what is no UTF-8 counts as a sign that no letter is."""
        return self.data.decode("utf-8", "replace")

    def locate_offset(self, offset: int = 0) -> Location:
        """Return the location of the character at an offset in its text."""
        line, column = find_position(self.text, offset)
        return Location(self.file, line, column)


class PictureFile(AppearanceFile):
    """A picture made of pixels."""

    __slots__ = ()


class TemplateFile(AppearanceFile):
    """A template: HTML with gaps."""

    __slots__ = ()


MAX_FINDINGS_PER_FILE = 20
"""Findings of one check that are told of one file: a file with more was not written by hand."""
MAX_CELL_SPAN = 1000
"""Columns or rows that a cell of a table may span; browsers stop there too."""
_FOUR_DIGITS = re.compile(r"""=\s*(?:["']\s*)?\d{4}""")
_SPAN = re.compile(r"""\b((?:col|row)?span)\s*=\s*(?:["']\s*)?(\d+)""", re.IGNORECASE)


def find_wide_spans(html: str) -> Iterator[tuple[str, str, int]]:
    """Return the spans above MAX_CELL_SPAN: the attribute, its number, and the number's offset."""
    for match in _SPAN.finditer(html) if _FOUR_DIGITS.search(html) else ():
        if len(match[2]) > 9 or int(match[2]) > MAX_CELL_SPAN:
            yield match[1], match[2][:12], match.start(2)


@dataclass(frozen=True, slots=True)
class DrawingFile(AppearanceFile):
    """An SVG file, and the font families there are, as fonts are compared.

    Small letters without spaces.
    """

    families: frozenset[str] = frozenset()


class StyleSheet(AppearanceFile):
    """A CSS file."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PackLetters:
    """A pack, and the code points that some font has a sign for: first and last of each stretch."""

    loaded: LoadedPack
    covered: tuple[tuple[int, int], ...]
