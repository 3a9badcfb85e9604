"""A card: common fields, the kind's own fields in `data`, translations, and removed ids.

Ids are never reused, so the list in migrations.yaml only grows.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Self, TypeAlias

from pydantic import Field, SkipValidation, StringConstraints, model_validator

from builder.messages import gettext as _
from builder.model.base import Id, Json, Lang, Model, look_up

Day: TypeAlias = date
"""A date, where a field has that name."""

ENVELOPE = frozenset(
    {
        "id",
        "kind",
        "name",
        "faction",
        "keywords",
        "cost",
        "revision",
        "released",
        "history",
        "reprint_of",
    }
)


class ChangeType(StrEnum):
    """Why a card was changed, such as balance or misprint."""

    RULES = "rules"
    BALANCE = "balance"
    WORDING = "wording"
    MISPRINT = "misprint"
    ART = "art"


class HistoryEntry(Model):
    """One revision in the history of a card, as its author records it."""

    revision: int = Field(
        ge=1, description="The revision of this entry, counted from 1."
    )
    released: date = Field(description="The day this revision was published.")
    effective: date | None = Field(
        default=None,
        description="The day it takes effect in play; the release day if absent.",
    )
    type: ChangeType = Field(description="The type of change.")
    note: Mapping[Lang, str] = Field(description="What changed and why, per language.")


class Card(Model):
    """A card of a game, with the fields that all kinds of cards have.

    `cost` counts in the pack's own currency (a game without one leaves it out). `data` is
    everything outside the envelope, as parsed from YAML and valid against the kind's schema.
    """

    id: Id = Field(
        description="The card's permanent name: equal to the file name, never reused."
    )
    kind: Id = Field(description="The kind of card, one of the kinds in pack.yaml.")
    name: str = Field(
        min_length=1, description="The printed name, in the pack's source language."
    )
    faction: Id | None = Field(default=None, description="The card's faction.")
    keywords: tuple[Id, ...] = Field(
        default=(), description="Keywords from vocabulary.yaml."
    )
    cost: int | float | None = Field(
        default=None, ge=0, description="The cost of the card in a squad."
    )
    revision: int = Field(
        ge=1, description="The number of times the card was published, from 1."
    )
    released: date = Field(description="The day of the card's last change.")
    history: tuple[HistoryEntry, ...] = Field(
        default=(), description="One entry per revision, oldest first."
    )
    reprint_of: Id | None = Field(
        default=None,
        description="The id of the card that this one prints again, in another product.",
    )
    data: SkipValidation[Mapping[str, Json]] = Field(default_factory=dict, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _gather_data(cls, value: object) -> object:
        """Move the fields that only this kind of card has into `data`."""
        if isinstance(value, Mapping) and "data" not in value:
            card: dict[str, object] = {}
            fields: dict[str, object] = {}
            for key, item in value.items():
                if key in ENVELOPE:
                    card[key] = item
                else:
                    fields[key] = item
            card["data"] = fields
            return card
        return value

    def get_field(self, name: str) -> Json:
        """Return the value of a field by its dotted path, or None if it is absent."""
        head, _, rest = name.partition(".")
        if head in ENVELOPE:
            value: Json = getattr(self, head)
            return look_up(value, rest.split(".")) if rest else value
        return look_up(self.data, name.split("."))


SourceHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
"""First 8 hex digits of the SHA-256 of a source text with its white space folded."""


def hash_source(text: str) -> str:
    """Return the hash of a source text, which a translation stores to notice changes."""
    # Line breaks move when a file is formatted, and then translations must not be outdated.
    folded_text = " ".join(text.split())
    return hashlib.sha256(folded_text.encode()).hexdigest()[:8]


class TranslatedText(Model):
    """A translated text, with the hash of the source text it was made from."""

    text: str = Field(description="The translated text.")
    source: SourceHash = Field(
        description=(
            "Hash of the source text that was translated. If it is out of date, "
            "squadpress prints the right one."
        )
    )
    same: bool = Field(
        default=False,
        description="True: the translation is equal to the source text on purpose.",
    )


class Translation(Model):
    """A translation file: the translated texts of one card."""

    id: Id = Field(description="The card's id: equal to the file name.")
    strings: Mapping[str, TranslatedText] = Field(
        default_factory=dict,
        description="Translations by dotted path, such as attacks.bite.name.",
    )


class MigrationType(StrEnum):
    """What happened to a removed card id: renamed, merged, split or deleted."""

    RENAME = "rename"
    MERGE = "merge"
    SPLIT = "split"
    DELETE = "delete"


class Migration(Model):
    """A removed card id, and the ids that replaced it."""

    old: Id = Field(description="The id that no longer exists.")
    new: tuple[Id, ...] = Field(
        default=(),
        description="The ids that replace it: one, or several after a split.",
    )
    type: MigrationType = Field(description="rename, merge, split or delete.")
    date: Day = Field(description="The day of the release that made the change.")

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, value: object) -> object:
        if isinstance(value, dict) and isinstance(value.get("new"), str):
            return {**value, "new": (value["new"],)}
        return value

    @model_validator(mode="after")
    def _check_successor_count(self) -> Self:
        count = len(self.new)
        if self.type is MigrationType.DELETE:
            is_valid = count == 0
        elif self.type is MigrationType.SPLIT:
            is_valid = count >= 2
        else:
            is_valid = count == 1
        if not is_valid:
            raise ValueError(
                _(
                    "`delete` has no `new`; `rename` and `merge` have one; `split` has two or more"
                )
            )
        return self


class Migrations(Model):
    """migrations.yaml: all removed card ids, the oldest first."""

    migrations: tuple[Migration, ...] = Field(
        default=(), description="One line per id that no longer exists, oldest first."
    )


def follow_migrations(
    card: str, migrations: Iterable[Migration], present: Iterable[str]
) -> str | None:
    """Return the one id of `present` that replaced a removed card id.

    None if there is not exactly one.
    """
    new_ids = {step.old: step.new for step in migrations}
    present_ids = set(present)
    while card not in present_ids:
        # Each step is taken once, so that ids that replace each other end the search.
        replacements = new_ids.pop(card, ())
        if len(replacements) != 1:
            return None
        card = replacements[0]
    return card
