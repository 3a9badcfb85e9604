"""What a player owns: a YAML file of cards with their copies, painted or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import Id, Model


class Owned(Model):
    """One card's copies; a bare number counts them unpainted."""

    count: int = Field(ge=0, le=999, description="How many copies the player owns.")
    painted: int = Field(default=0, ge=0, le=999, description="How many of them are painted.")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        """Accept a bare number."""
        return {"count": value} if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _no_more(self) -> Owned:
        if self.painted > self.count:
            raise ValueError(_("{painted} are painted, but only {owned} owned", painted=self.painted, owned=self.count))
        return self


class Collection(Model):
    """A player's shelf for one pack. Kinds of which no card is listed are taken as owned."""

    pack: Id = Field(description="The pack the cards belong to.")
    owned: Mapping[Id, Owned] = Field(description="Card id to the copies owned; a bare number will do.")

    def copies(self, painted: bool = False) -> dict[str, int]:
        """Copies by card, only the painted ones if asked."""
        return {card: item.painted if painted else item.count for card, item in self.owned.items()}
