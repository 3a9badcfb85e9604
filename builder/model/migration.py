"""migrations.yaml: what became of the ids that are gone. Ids are never reused, so the list only grows."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import Id, Model


class MigrationType(StrEnum):
    """What happened to an id."""

    RENAME = "rename"
    MERGE = "merge"
    SPLIT = "split"
    DELETE = "delete"


class Migration(Model):
    """One id that is gone."""

    old: Id = Field(description="The id that is gone.")
    new: tuple[Id, ...] = Field(default=(), description="What stands for it now: one id, several after a split.")
    type: MigrationType = Field(description="rename, merge, split or delete.")
    date: datetime.date = Field(description="The day of the release that made the change.")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        """Accept a bare id for `new`."""
        if isinstance(value, dict) and isinstance(value.get("new"), str):
            return {**value, "new": (value["new"],)}
        return value

    @model_validator(mode="after")
    def _count(self) -> Self:
        number = len(self.new)
        fits = {"delete": number == 0, "split": number >= 2}.get(self.type.value, number == 1)
        if not fits:
            raise ValueError(_("delete has no `new`, rename and merge have one, split has two or more"))
        return self


class Migrations(Model):
    """The whole file, oldest first."""

    migrations: tuple[Migration, ...] = Field(default=(), description="One line per id that is gone, oldest first.")


def successor(card: str, migrations: Iterable[Migration], present: Iterable[str]) -> str | None:
    """The one id of `present` that a gone id leads to through renames and merges; None where there is no single one."""
    steps = {step.old: step for step in migrations}
    alive = set(present)
    seen: set[str] = set()
    while card not in alive:
        step = steps.get(card)
        if step is None or card in seen or len(step.new) != 1:
            return None
        seen.add(card)
        card = step.new[0]
    return card
