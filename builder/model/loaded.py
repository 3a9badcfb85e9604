"""Loaded data files with the location of each value, and the files that affect appearance.

Pure values: packs/ makes them, checks/ checks them.
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
    """A parsed data file with the location of every value.

    `file` is relative to the project, with `/`. `marks` has the position of each value by path, for
    a map entry that of its value. `key_marks` has the position of each key.
    """

    file: str
    value: Json
    marks: Mapping[DataPath, Position] = field(default_factory=dict)
    key_marks: Mapping[DataPath, Position] = field(default_factory=dict)

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        """Return the location of the value at a path, or of its key.

        If the value is missing, it is the location of its nearest parent.
        """
        marks = self.key_marks if key else self.marks
        parent = path
        while parent and parent not in marks:
            parent = parent[:-1]
        # The root of a file has no key, so its value is located instead.
        # Marks from the cache are plain tuples.
        line, column = marks.get(parent) or self.marks.get(parent) or Position(1, 1)
        return Location(self.file, line, column, format_path(path) or None)


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file: its parsed content, the folder of its kind, and its name without `.yaml`."""

    document: Document
    folder: str
    stem: str

    @property
    def id(self) -> str | None:
        """The card id in the file, if there is one."""
        return self._get_text("id")

    @property
    def kind(self) -> str | None:
        """The kind of card in the file, if there is one."""
        return self._get_text("kind")

    def _get_text(self, key: str) -> str | None:
        card = self.document.value
        value = card.get(key) if isinstance(card, dict) else None
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack with the files that it was loaded from, and what is wrong with them.

    `pack` is None only if pack.yaml cannot be used. `files` are all card files that could be
    parsed, valid or not. `unread` are the kind folders of the others, by name. `documents` are the
    files of valid cards by id, `translations` those by language and id.

    `mentions` are the names in each valid card, `wheres` the paths of its conditions. `art` are the
    pictures of the pack, relative to an art folder. `sources` are the documents of the pack's own
    files, such as rules.yaml, by name. `files_read` are those that were not in the cache.
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
    files_read: frozenset[str] = frozenset()

    @property
    def whole(self) -> Pack:
        """The pack, which must not be None."""
        assert self.pack is not None
        return self.pack

    @property
    def verdict_errors(self) -> tuple[Finding, ...]:
        """The errors that make it impossible to check rosters of the pack.

        With any of them a squad cannot be checked.
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
        if document is None:
            return None
        # Loading has reported the errors of the file already.
        with suppress(ValidationError):
            return model.model_validate(document.value)
        return None


FILES_WITHOUT_RULES = frozenset(
    {"gauges.yaml", "stats.yaml", "products.yaml", "i18n", "rosters", "art"}
)
"""Files and folders of `cards/<pack>/` that do not affect whether a squad is legal."""


def select_verdict_errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the errors of a pack that make it impossible to check its rosters.

    All files count but FILES_WITHOUT_RULES, so that a new file is never ignored by mistake.
    """
    errors = [finding for finding in findings if has_errors((finding,))]
    return tuple(
        error for error in errors if _affects_rosters(error.location.file or "")
    )


def _affects_rosters(file: str) -> bool:
    """Return True if a file affects whether a squad is legal."""
    parts = file.split("/")
    is_in_pack = len(parts) > 2 and parts[0] == "cards"
    return not is_in_pack or parts[2] not in FILES_WITHOUT_RULES


@dataclass(frozen=True, slots=True)
class PublishFile:
    """A print profile or shop preset: its parsed file, its name, and its model."""

    document: Document
    stem: str
    says: Profile | Preset


@dataclass(frozen=True, slots=True)
class LoadedRoster:
    """A roster with its file. `roster` is None if the file has no valid roster."""

    roster: Roster | None
    document: Document | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class AppearanceFile:
    """A file that affects the look of cards, with its name in findings."""

    file: str
    data: bytes

    @property
    def text(self) -> str:
        """The text of the file. Bytes that are not UTF-8 become replacement characters."""
        return self.data.decode("utf-8", "replace")

    def locate_offset(self, offset: int = 0) -> Location:
        """Return the location of the character at an offset in the text."""
        line, column = find_position(self.text, offset)
        return Location(self.file, line, column)


class PictureFile(AppearanceFile):
    """A picture made of pixels, such as a PNG."""

    __slots__ = ()


class TemplateFile(AppearanceFile):
    """A template of a card: HTML with Jinja tags."""

    __slots__ = ()


MAX_FINDINGS_PER_FILE = 20
"""Findings of one check in one file. A file with more was not written by hand."""
MAX_CELL_SPAN = 1000
"""Columns or rows that a table cell may span, as in browsers."""
# A quick test for any attribute of 4 digits, because the search for spans is slow.
_FOUR_DIGITS = re.compile(r"""=\s*(?:["']\s*)?\d{4}""")
_SPAN = re.compile(r"""\b((?:col|row)?span)\s*=\s*(?:["']\s*)?(\d+)""", re.IGNORECASE)


def find_wide_spans(html: str) -> Iterator[tuple[str, str, int]]:
    """Yield attributes such as `colspan` that are above MAX_CELL_SPAN, with number and offset."""
    if not _FOUR_DIGITS.search(html):
        return
    for match in _SPAN.finditer(html):
        # int() would be slow for a number of many digits, and refuses one of over 4300.
        if len(match[2]) > 9 or int(match[2]) > MAX_CELL_SPAN:
            yield match[1], match[2][:12], match.start(2)


@dataclass(frozen=True, slots=True)
class DrawingFile(AppearanceFile):
    """An SVG file, with the available font families in lower case without spaces."""

    families: frozenset[str] = frozenset()


class StyleSheet(AppearanceFile):
    """A CSS file."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PackLetters:
    """A pack with the ranges of characters that its fonts have."""

    loaded: LoadedPack
    covered: tuple[tuple[int, int], ...]
