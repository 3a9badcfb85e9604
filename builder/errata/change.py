"""The values a difference of two releases is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from builder.errata.leaves import Value
from builder.messages import gettext as _
from builder.model.base import Json


class ChangeClass(StrEnum):
    """What sort of thing changed; the order is the order of importance."""

    COST = "cost"
    STAT = "stat"
    SLOT = "slot"
    KEYWORD = "keyword"
    RULE_TEXT = _("rule text")
    WORDING = "wording"
    NAME = "name"
    ART = "art"
    TRANSLATION = "translation"

    @property
    def matters(self) -> bool:
        """True if play changes with it."""
        return self in (
            ChangeClass.COST,
            ChangeClass.STAT,
            ChangeClass.SLOT,
            ChangeClass.KEYWORD,
            ChangeClass.RULE_TEXT,
        )


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
        return self in (Status.MERGED, Status.SPLIT, Status.DELETED, Status.VANISHED)


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
