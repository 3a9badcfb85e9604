"""A card: the common envelope; what a kind adds stays in `data`, described by the kind's JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from builder.model.base import Id, Json, Lang, Model, lookup

ENVELOPE = frozenset({"id", "kind", "name", "faction", "keywords", "cost", "revision", "released", "history"})


class ChangeType(StrEnum):
    """Why a card changed."""

    RULES = "rules"
    BALANCE = "balance"
    WORDING = "wording"
    MISPRINT = "misprint"
    ART = "art"


class HistoryEntry(Model):
    """One revision of a card as its author records it."""

    revision: int = Field(ge=1, description="The revision this entry made, counted from 1.")
    released: date = Field(description="The day this revision was published.")
    effective: date | None = Field(default=None, description="The day play must use it; the release day where absent.")
    type: ChangeType = Field(description="What sort of change it was.")
    note: Mapping[Lang, str] = Field(description="What changed and why, one text per language.")


class Card(Model):
    """One card of any game.

    `cost` counts in the pack's own currency (a game without one leaves it out). `data` is everything outside the
    envelope, as parsed from YAML and valid against the kind's schema.
    """

    id: Id = Field(description="The card's permanent name: equal to the file name, never reused.")
    kind: Id = Field(description="Which kind of card this is; one of the kinds in pack.yaml.")
    name: str = Field(min_length=1, description="The printed name, in the pack's source language.")
    faction: Id | None = Field(default=None, description="The faction it belongs to.")
    keywords: tuple[Id, ...] = Field(default=(), description="Keywords from vocabulary.yaml.")
    cost: int | float | None = Field(default=None, ge=0, description="What fielding it costs.")
    revision: int = Field(ge=1, description="How many times the card was published, from 1.")
    released: date = Field(description="The day of the card's last change.")
    history: tuple[HistoryEntry, ...] = Field(default=(), description="One entry per revision, oldest first.")
    data: Mapping[str, Json] = Field(default_factory=dict, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, value: Any) -> Any:
        """Move the kind's own fields into `data`."""
        if isinstance(value, Mapping) and "data" not in value:
            own = {key: item for key, item in value.items() if key not in ENVELOPE}
            envelope = {key: item for key, item in value.items() if key in ENVELOPE}
            return {**envelope, "data": own}
        return value

    def field(self, name: str) -> Json:
        """A field by its dotted path, envelope or own; None where it is absent."""
        head, _, rest = name.partition(".")
        if head in ENVELOPE:
            value: Json = getattr(self, head)
            return lookup(value, rest.split(".")) if rest else value
        return lookup(self.data, name.split("."))
