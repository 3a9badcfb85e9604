"""A roster written as a new YAML file, in the short forms an author would use."""

from __future__ import annotations

from builder.model.base import Json
from builder.model.roster import Entry, Roster
from builder.store.yaml_edit import flow, plain_or_quoted


def dump(roster: Roster) -> str:
    """The file's text; reading it gives the same roster (samples' expectations are left out)."""
    head: dict[str, Json] = {"pack": roster.pack}
    if roster.version is not None:
        head["version"] = roster.version
    if roster.name:
        head["name"] = roster.name
    head |= dict(roster.params)
    lines = [f"{key}: {plain_or_quoted(value)}" for key, value in head.items()]
    if roster.entries:
        lines += ["entries:", *(f"  - {flow(entry_fields(entry))}" for entry in roster.entries)]
    if roster.deck:
        lines += ["deck:", *(f"  - {flow(_counted(card.card, card.count))}" for card in roster.deck)]
    return "\n".join(lines) + "\n"


def _counted(card: str, count: int) -> Json:
    return {"card": card, "count": count} if count > 1 else card


def entry_fields(entry: Entry) -> Json:
    """One entry as an author writes it: its card, then what it states."""
    items: list[Json] = [
        item.card if item.slot is None else {"card": item.card, "slot": item.slot} for item in entry.attachments
    ]
    stated: dict[str, Json] = {
        "card": entry.card,
        "id": entry.id,
        "count": entry.count if entry.count > 1 else None,
        "name": entry.name,
        "attachments": items or None,
        **entry.choices,
        **entry.links,
    }
    return {key: value for key, value in stated.items() if value is not None}
