"""Rosters as players save them, and the collection of what a player owns."""

from collections.abc import Mapping

from pydantic import Field, field_validator, model_validator

from builder.messages import gettext as _
from builder.model.base import (
    DataPath,
    Id,
    InnerPath,
    Json,
    Lang,
    Model,
    RuleName,
    VersionName,
    look_up,
)

MAX_COPIES = 999
"""Copies of a model on one line of a roster, at most."""
FORMAT_VERSION = 2
"""The newest format of roster files and tokens. Version 2 added `origin`."""


class EntryOrigin(Model):
    """The selections in a list of another program from which an entry was imported."""

    selections: tuple[str, ...] = Field(
        default=(),
        description="The ids of the selections in the original file, one per copy.",
    )


class RosterOrigin(Model):
    """The file of another program that a roster was imported from."""

    file: InnerPath = Field(
        description="The original file, from the folder of the pack."
    )
    id: str = Field(default="", description="The id of the list in that file.")


class Attachment(Model):
    """A card attached to an entry. `slot` is the slot that the player chose, if any."""

    card: Id = Field(description="The attached card's id.")
    slot: str | None = Field(
        default=None,
        description="The slot type that it takes; chosen automatically if absent.",
    )
    count: int = Field(
        default=1,
        ge=1,
        le=99,
        description=(
            "Copies for each model of the entry; the same as listing the card several times."
        ),
    )


class Entry(Model):
    """A line of a roster: a card, its number of copies, its choices and its attachments."""

    card: Id = Field(description="The model's card.")
    id: Id | None = Field(
        default=None, description="An id for this entry, so that links can refer to it."
    )
    count: int = Field(default=1, ge=1, le=MAX_COPIES, description="Number of copies.")
    name: str | None = Field(
        default=None, description="The player's name for the model."
    )
    note: str = Field(default="", description="The player's private note on the model.")
    attachments: tuple[Attachment, ...] = Field(
        default=(), description="Cards attached to each copy of the entry."
    )
    choices: Mapping[str, str] = Field(
        default_factory=dict,
        description="Values of the choices that the pack declares.",
    )
    links: Mapping[str, str] = Field(
        default_factory=dict,
        description="Links that the pack declares, by name: the id or card of another entry.",
    )
    origin: EntryOrigin | None = Field(
        default=None, description="The source of an imported entry."
    )

    @field_validator("attachments")
    @classmethod
    def _repeat_attachments(
        cls, load: tuple[Attachment, ...]
    ) -> tuple[Attachment, ...]:
        # Each copy takes a slot of its own, so the copies are listed one by one.
        attachments: list[Attachment] = []
        for item in load:
            attachments += [item.model_copy(update={"count": 1})] * item.count
        return tuple(attachments)


class DeckCard(Model):
    """A card that belongs to the whole roster and not to one model."""

    card: Id = Field(description="The card's id.")
    count: int = Field(default=1, ge=1, le=99, description="Number of copies.")


class Expectation(Model):
    """The expected result of a sample roster, which a test checks."""

    legal: bool = Field(description="True: no errors.")
    breaks: tuple[RuleName, ...] = Field(
        default=(), description="The rules that it breaks, and no others."
    )


MAX_LINES = 20_000
"""The greatest size of a roster: its models' lines, what they carry, and the lines of its deck,
together.
"""


def count_lines(roster: Mapping[str, object]) -> int:
    """Return the number of lines that a roster has in its file, before it is validated."""
    count = 0
    for name in ("entries", "deck"):
        entries = roster.get(name)
        if not isinstance(entries, list | tuple):
            continue
        count += len(entries)
        for entry in entries:
            load = entry.get("attachments") if isinstance(entry, Mapping) else None
            if isinstance(load, list | tuple):
                count += sum(map(_count_copies, load))
    return count


def _count_copies(item: object) -> int:
    """Return how many attachments one item of a list in the file stands for."""
    count = item.get("count", 1) if isinstance(item, Mapping) else 1
    # The number is not validated yet. One that the model refuses counts as one line.
    return count if isinstance(count, int) and 1 <= count <= 99 else 1


def get_file_path_of_value(roster: Json, path: DataPath) -> DataPath:
    """Convert a path in a roster to the path in its file.

    Attachments with a count are one item in the file and several in the roster.
    """
    if len(path) < 4 or path[2] != "attachments":
        return path
    load = look_up(roster, path[:3])
    # The index in the file of each copy that the roster has.
    indices: list[int] = []
    for index, item in enumerate(load if isinstance(load, list) else ()):
        indices += [index] * _count_copies(item)
    copy = int(path[3])
    return (*path[:3], *indices[copy : copy + 1], *path[4:])


class Roster(Model):
    """A saved squad, as its file states it."""

    format_version: int = Field(
        default=1,
        ge=1,
        description="The format of this file. Files with `origin` have version 2.",
    )
    pack: Id = Field(description="The pack that it is built from.")
    version: VersionName | None = Field(
        default=None,
        description="The release it is pinned to; the current one if absent.",
    )
    play_format: Id | None = Field(default=None, description="The pack's play format.")
    name: str = Field(default="", description="The player's name for the squad.")
    names: Mapping[Lang, str] = Field(
        default_factory=dict, description="The name in other languages."
    )
    params: Mapping[str, int | str] = Field(
        default_factory=dict,
        description="Values of the parameters that the pack declares.",
    )
    entries: tuple[Entry, ...] = Field(default=(), description="The models.")
    deck: tuple[DeckCard, ...] = Field(
        default=(), description="Cards of the squad as a whole."
    )
    expect: Expectation | None = Field(
        default=None, description="For samples: the expected result of the check."
    )
    origin: RosterOrigin | None = Field(
        default=None, description="The source of an imported squad."
    )

    def get_name(self, lang: str) -> str:
        """Return the squad's name in a language, or as the player wrote it."""
        return self.names.get(lang, self.name)

    @field_validator("format_version")
    @classmethod
    def _check_format_version(cls, version: int) -> int:
        if version > FORMAT_VERSION:
            form = _(
                "the roster has format version {version}; this program reads up to {newest}"
            )
            raise ValueError(_(form, version=version, newest=FORMAT_VERSION))
        return version

    @model_validator(mode="before")
    @classmethod
    def _check_size(cls, value: object) -> object:
        lines = count_lines(value) if isinstance(value, Mapping) else 0
        if lines > MAX_LINES:
            form = _("the roster has {lines} lines; at most {most} are allowed")
            raise ValueError(_(form, lines=lines, most=MAX_LINES))
        return value


class Owned(Model):
    """How many copies of a card a player owns. A bare number counts unpainted copies."""

    count: int = Field(ge=0, le=999, description="How many copies the player owns.")
    painted: int = Field(
        default=0, ge=0, le=999, description="How many of them are painted."
    )

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, value: object) -> object:
        # `true` is an int for Python, but no number of copies.
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return {"count": value} if is_number else value

    @model_validator(mode="after")
    def _check_painted(self) -> "Owned":
        if self.painted > self.count:
            raise ValueError(
                _(
                    "{painted} painted, but only {owned} owned",
                    painted=self.painted,
                    owned=self.count,
                )
            )
        return self


class Collection(Model):
    """The models that a player owns of one pack.

    Kinds of which no card is listed are taken as owned.
    """

    pack: Id = Field(description="The pack the cards belong to.")
    owned: Mapping[Id, Owned] = Field(
        description="Card id to the number of owned copies, or to a map."
    )

    def count_copies(self, only_painted: bool = False) -> dict[str, int]:
        """Return the owned copies of each card, or only the painted ones."""
        return {
            card: item.painted if only_painted else item.count
            for card, item in self.owned.items()
        }
