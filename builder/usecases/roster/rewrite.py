"""A squad that grew, written into the text it came from: the player's remarks, order and quotes stay."""

from __future__ import annotations

from pathlib import Path

from builder.errors import SquadpressError
from builder.model.roster import Entry, Roster
from builder.store.project import Project
from builder.store.roster_dump import dump, entry_fields
from builder.store.rosters import parse_roster
from builder.store.yaml_list import ListText
from builder.usecases.roster.edit import attach, put_field, spread


def grown(project: Project, file: Path, old: Roster, new: Roster) -> str:
    """The text of `file`, which says `old`, made to say `new`, which only added to it.

    Written anew, without remarks, where the text cannot be made to say that; a sample's expectation is left out.
    """
    wanted = new.model_copy(update={"expect": None})
    text = ListText(file.read_bytes().decode("utf-8"), str(file))
    try:
        _grow(text, old, wanted)
    except (SquadpressError, IndexError, AttributeError, StopIteration):
        return dump(wanted)
    return text.text if parse_roster(text.text, str(file), project).roster == wanted else dump(wanted)


def _grow(text: ListText, old: Roster, new: Roster) -> None:
    """Every difference in its place."""
    if text.kind(("expect",)):
        text.drop_key(("expect",))
    for line, entry in enumerate(new.entries):
        if line < len(old.entries):
            _entry(text, line, old.entries[line], entry)
        else:
            text.push(("entries",), entry_fields(entry))
    for index, card in enumerate(new.deck):
        if index >= len(old.deck):
            text.push(("deck",), {"card": card.card, "count": card.count} if card.count > 1 else card.card)
        elif card.count != old.deck[index].count:
            if text.kind(("deck", index)) == "scalar":
                spread(text, index, "deck")
            text.put(("deck", index), "count", card.count)


def _entry(text: ListText, line: int, old: Entry, new: Entry) -> None:
    """One model: more copies, a name for ties to point at, ties, what it was given."""
    if new.count != old.count:
        put_field(text, line, "count", new.count)
    if new.id != old.id and new.id is not None:
        put_field(text, line, "id", new.id)
    for link, target in new.links.items():
        if old.links.get(link) != target:
            put_field(text, line, link, target)
    for item in new.attachments[len(old.attachments) :]:
        attach(text, line, item.card, item.slot)
