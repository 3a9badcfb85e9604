"""Which class a changed field belongs to, told from the pack's own data: its rules, its texts, its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.errata.change import ChangeClass
from builder.errata.leaves import LeafChange
from builder.errata.snapshot import Snapshot
from builder.errata.words import same_substance
from builder.model.base import Json, dotted

BOOKKEEPING = frozenset({"revision", "released", "history"})
"""Fields that record a change and are none."""

PICTURES = (".png", ".jpg", ".jpeg", ".svg", ".webp")
WORDING_TYPES = frozenset({"wording", "misprint", "art"})


@dataclass(frozen=True, slots=True)
class Classifier:
    """Classes of the fields of one pack. `slots` are the fields in which its rules look for slots."""

    slots: frozenset[str]

    def of(self, change: LeafChange, texts: frozenset[str], rich: frozenset[str], types: Sequence[str]) -> ChangeClass:
        """The class of one leaf; `types` are the history entries' types since the old state."""
        path = dotted(change.path)
        head = str(change.path[0]) if change.path else ""
        if head in ("cost", "name"):
            return ChangeClass.COST if head == "cost" else ChangeClass.NAME
        if head in ("keywords", "faction"):
            return ChangeClass.KEYWORD
        if head in self.slots:
            return ChangeClass.SLOT
        if head == "art" or any(isinstance(v, str) and v.endswith(PICTURES) for v in (change.old, change.new)):
            return ChangeClass.ART
        if path in rich:
            return text_class(change, types)
        if path in texts:
            return ChangeClass.NAME if path.endswith(".name") else ChangeClass.WORDING
        return ChangeClass.STAT


def text_class(change: LeafChange, types: Sequence[str]) -> ChangeClass:
    """Rule text, unless the text commits to the same things and the author calls the change a wording."""
    old, new = change.old, change.new
    if not (isinstance(old, str) and isinstance(new, str) and same_substance(old, new)):
        return ChangeClass.RULE_TEXT
    declared = set(types)
    return ChangeClass.RULE_TEXT if declared and not declared & WORDING_TYPES else ChangeClass.WORDING


def classifier(*states: Snapshot) -> Classifier:
    """The classifier for a difference of these states."""
    return Classifier(frozenset(field for state in states for field in _slot_fields(state.rules)))


def _slot_fields(rules: Mapping[str, Json]) -> Iterator[str]:
    listed = rules.get("rules")
    for rule in listed if isinstance(listed, list) else ():
        if isinstance(rule, Mapping) and rule.get("type") == "slots":
            for key in ("slots", "need"):
                value = rule.get(key)
                if isinstance(value, str):
                    yield value.partition(".")[0]
