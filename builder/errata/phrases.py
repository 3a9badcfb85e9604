"""What release notes say besides what cards say. No game's words: those come from the pack."""

from __future__ import annotations

from collections.abc import Mapping

from builder.messages import Message, translate
from builder.messages import gettext as _

PHRASES: Mapping[str, Message] = {
    "title": _("{pack}: what changed in {new}"),
    "dates": _("Published {released}, in force from {effective}. Compared with {old}."),
    "title-work": _("{pack}: what the next release changes"),
    "dates-work": _("Not yet published. Compared with {old}."),
    "none": _("No card changed."),
    "added": _("New card."),
    "renamed": _("Formerly “{old}”."),
    "merged": _("Withdrawn; its place is taken by {names}."),
    "split": _("Withdrawn; split into {names}."),
    "deleted": _("Withdrawn."),
    "vanished": _("Withdrawn."),
    "rules": _("Rules"),
    "rule-changed": _("The rule changed."),
    "rule-added": _("A new rule."),
    "rule-gone": _("The rule is withdrawn."),
    "revision": _("revision {number}"),
    "everyone": _("For everyone"),
    "cost": _("Cost"),
    "name": _("Name"),
    "keywords": _("Keywords"),
    "faction": _("Faction"),
    "art": _("Picture"),
    "before": _("Before"),
    "after": _("After"),
    "type-rules": _("Rules change"),
    "type-balance": _("Balance"),
    "type-wording": _("Wording"),
    "type-misprint": _("Misprint"),
    "type-art": _("Art"),
    "checklist": _("Cards to swap after {old}"),
    "swap": _("Swap"),
    "put-in": _("Add"),
    "take-out": _("Take out"),
}


def phrase(lang: str, name: str, **values: object) -> str:
    """One phrase in a language, in English where the language has none."""
    return translate(Message(PHRASES[name], **values), lang)
