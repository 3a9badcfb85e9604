"""What a difference of two releases is made of: leaves of JSON, words of texts, changes of cards. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum, StrEnum
from typing import Final, Literal, TypeAlias

from builder.messages import gettext as _, joined, ngettext
from builder.model.base import Json, Path


class Absent(Enum):
    """The value of a leaf that is not there, which differs from null."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = Absent.ABSENT
Value: TypeAlias = Json | Absent


@dataclass(frozen=True, slots=True)
class LeafChange:
    """One leaf that differs."""

    path: Path
    old: Value
    new: Value


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every leaf with its path. A list of scalars and an empty container are leaves: they change as a whole."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    elif path or not isinstance(value, Mapping):
        yield path, value


def changed_leaves(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[LeafChange, ...]:
    """The leaves that differ, in the order of the new value, then what is gone."""
    before, after = dict(leaves(dict(old))), dict(leaves(dict(new)))
    found = [LeafChange(path, before.get(path, ABSENT), value) for path, value in after.items()]
    found += [LeafChange(path, value, ABSENT) for path, value in before.items() if path not in after]
    return tuple(change for change in found if not same(change.old, change.new))


def same(one: Value, other: Value) -> bool:
    """Equality that tells true from 1, inside lists too."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(left, right) for left, right in zip(one, other, strict=True))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def identical(one: object, other: object) -> bool:
    """A quick sufficient test: true only if nothing differs at any depth."""
    return one == other and repr(one) == repr(other)


TOKEN = re.compile(r"\n|[^\S\n]+|(?:\{[^{}]*\}|\S)+")
SUBSTANCE = re.compile(r"\{[^{}]*\}|\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A run of text that stayed, is gone or is new."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_difference(old: str, new: str) -> tuple[TextPiece, ...]:
    """Pieces in reading order; the kept and gone ones join to `old`, the kept and new ones to `new`.

    Words are what stands between spaces: marks put around a piece have spaces around them. Changed words with nothing
    but a space between them are one change.
    """
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    runs: list[list[str]] = []
    """Kept, gone and new letters, in turn: of each three only the first, or the other two, are there."""
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for index, (tag, start, stop, left, right) in enumerate(opcodes):
        gone, fresh = "".join(before[start:stop]), "".join(after[left:right])
        between = tag == "equal" and gone.isspace() and "\n" not in gone and 0 < index < len(opcodes) - 1
        if tag == "equal" and not between:
            runs.append([gone, "", ""])
        elif runs and not runs[-1][0]:
            runs[-1][1:] = runs[-1][1] + gone, runs[-1][2] + fresh
        else:
            runs.append(["", gone, fresh])
    kinds: tuple[Literal["same", "gone", "new"], ...] = ("same", "gone", "new")
    return tuple(TextPiece(kind, text) for run in runs for kind, text in zip(kinds, run, strict=True) if text)


def marked(pieces: Iterable[TextPiece], mark: Callable[[str, str], str]) -> str:
    """Pieces as one text, in which `mark` (a piece's kind, its words) marks words and never the spaces around them."""
    told = ""
    for piece in pieces:
        if told and piece.kind != "same" and not (told[-1].isspace() or piece.text[0].isspace()):
            told += " "  # what is new beside what is gone
        lines = []
        for line in piece.text.split("\n"):
            core = line.strip()
            at = line.find(core)
            lines.append(line[:at] + mark(piece.kind, core) + line[at + len(core) :] if core else line)
        told += "\n".join(lines)
    return told


def substance(text: str) -> tuple[str, ...]:
    """What a text commits to: its numbers, and what its markup names (grammatical forms left out)."""
    return tuple(found.partition("|")[0].rstrip("}") for found in SUBSTANCE.findall(text))


def same_substance(old: str, new: str) -> bool:
    """True if numbers and marked-up words are the same: only the wording can differ."""
    return sorted(substance(old)) == sorted(substance(new))


WORD = re.compile(r"\{[^{}]*\}|\w+")


def number_as_word(old: str, new: str) -> bool:
    """True if all that changed of the numbers is that one is a word now, or was one: `a token`, `1 token`."""
    before, after = WORD.findall(old), WORD.findall(new)
    found = False
    for tag, start, stop, left, right in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, fresh = before[start:stop], after[left:right]
        if tag == "equal" or substance(" ".join(gone)) == substance(" ".join(fresh)):
            continue
        changed = [(one, other) for one, other in zip(gone, fresh, strict=False) if substance(one) != substance(other)]
        if len(gone) != len(fresh) or not all(
            {one.isdigit(), other.isdigit()} == {True, False} for one, other in changed
        ):
            return False
        found |= all((one + other).isalnum() for one, other in changed)
    return found


class ChangeClass(StrEnum):
    """What sort of thing changed; the order is the order of importance."""

    COST = "cost"
    STAT = "stat"
    SLOT = "slot"
    KEYWORD = "keyword"
    RULE_TEXT = "rule text"
    WORDING = "wording"
    NAME = "name"
    ART = "art"
    TRANSLATION = "translation"

    @property
    def matters(self) -> bool:
        """True if play changes with it."""
        return self in (self.COST, self.STAT, self.SLOT, self.KEYWORD, self.RULE_TEXT)


class Status(StrEnum):
    """What became of a card."""

    ADDED = "added"
    CHANGED = "changed"
    RENAMED = "renamed"
    MERGED = "merged"
    SPLIT = "split"
    DELETED = "deleted"
    VANISHED = "vanished"

    @property
    def gone(self) -> bool:
        """True if the id is no longer there and no single card continues it."""
        return self in (self.MERGED, self.SPLIT, self.DELETED, self.VANISHED)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a card: `path` is dotted; `lang` is set where a translation changed."""

    path: str
    type: ChangeClass
    old: Value
    new: Value
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class CardChange:
    """One card that differs. `id` is the new id where there is one; `successors` are what a gone id became."""

    id: str
    status: Status
    kind: str
    name: str
    faction: str | None = None
    old_id: str | None = None
    successors: tuple[str, ...] = ()
    fields: tuple[FieldChange, ...] = ()
    old_revision: int | None = None
    new_revision: int | None = None
    history: tuple[Mapping[str, Json], ...] = ()
    """The history entries made since, oldest first, raw."""

    @property
    def matters(self) -> bool:
        """True if play changes: a card comes or goes, or a field that plays changed."""
        return self.status not in (Status.CHANGED, Status.RENAMED) or any(field.type.matters for field in self.fields)

    @property
    def translated(self) -> bool:
        """True if nothing but translations changed."""
        fields = bool(self.fields) and all(field.type is ChangeClass.TRANSLATION for field in self.fields)
        return fields and self.status is Status.CHANGED and not self.history

    @property
    def unrevised(self) -> bool:
        """True if the card continues and says something else, in its source language, under the same revision."""
        own = any(field.type is not ChangeClass.TRANSLATION for field in self.fields)
        continues = self.status in (Status.CHANGED, Status.RENAMED)
        return continues and own and (self.new_revision or 0) <= (self.old_revision or 0)


def tally(cards: Iterable[CardChange]) -> str:
    """How many of these are new, changed, only translated otherwise, and gone."""
    counts = Counter(
        0 if card.status is Status.ADDED else 3 if card.status.gone else 2 if card.translated else 1 for card in cards
    )
    forms = (
        ngettext("{count} new card", "{count} new cards", counts[0]),
        ngettext("{count} card changed", "{count} cards changed", counts[1]),
        ngettext("{count} card translated anew", "{count} cards translated anew", counts[2]),
        ngettext("{count} card withdrawn", "{count} cards withdrawn", counts[3]),
    )
    told = [form for sort, form in enumerate(forms) if counts[sort]]
    return joined(told) if told else _("no card changed")


@dataclass(frozen=True, slots=True)
class PartChange:
    """One place outside the cards that differs: `part` is rules, vocabulary, pack, schema, template or art."""

    part: str
    path: str
    old: Value
    new: Value


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed from one state of a pack to another."""

    pack: str
    old: str
    new: str
    cards: tuple[CardChange, ...] = ()
    parts: tuple[PartChange, ...] = ()

    @property
    def empty(self) -> bool:
        """True if nothing differs."""
        return not self.cards and not self.parts

    def card(self, card: str) -> CardChange | None:
        """The change of one card, by its new or old id."""
        return next((change for change in self.cards if card in (change.id, change.old_id)), None)
