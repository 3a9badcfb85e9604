"""Change a kept squad by what a player says: a line by its number or name, a card by its id."""

from __future__ import annotations

from dataclasses import dataclass

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.model.words import suggestion
from builder.roster.operations import Edit, Remove
from builder.roster.resolve import SOURCE_OF
from builder.usecases.release.states import load_as_of
from builder.usecases.roster.check import known
from builder.usecases.storage import PackStorage, RosterStorage


@dataclass
class Editor:
    """One squad that is being edited."""

    rosters: RosterStorage
    name: str
    pack: Pack
    roster: Roster

    def card(self, name: str) -> str:
        """A card's id; UsageError with the nearest ones if there is none such."""
        known(self.pack, name)
        return name

    def source(self, card: str) -> Source:
        """Where a card stands in a roster; UsageError for a card that has no place there."""
        found = SOURCE_OF.get(self.pack.role(self.pack.cards[self.card(card)]))
        if found is None:
            message = _("{card} is no part of a roster", card=card)
            raise UsageError(message, _("Only models, what they carry and the deck are."))
        return found

    def line(self, who: str) -> int:
        """The entry meant by its number (from 1), its id, its own name or its card; UsageError if it is not one."""
        entries = self.roster.entries
        number = who.removeprefix("#")
        if number.isdigit() and 1 <= int(number) <= len(entries):
            return int(number) - 1
        for field in ("id", "name", "card"):
            found = [line for line, entry in enumerate(entries) if getattr(entry, field) == who]
            if len(found) == 1:
                return found[0]
            if found:
                numbers = ", ".join(f"#{line + 1}" for line in found)
                message = _("{value} stands on several lines", value=who)
                raise UsageError(message, _("Say which: {listed}.", listed=numbers))
        called = tuple(dict.fromkeys(word for e in entries for word in (e.id, e.name, e.card) if word))
        raise UsageError(_("no entry is called {who}", who=who), suggestion(who, called))

    def held(self, line: int, card: str) -> Remove:
        """The removal of a card that an entry carries; UsageError if it carries none."""
        items = self.roster.entries[line].attachments
        found = next((index for index, item in enumerate(items) if item.card == card), None)
        if found is None:
            carried = ", ".join(item.card for item in items) or _("nothing")
            message = _("entry #{line} does not carry {card}", line=line + 1, card=card)
            raise UsageError(message, _("It carries {listed}.", listed=carried))
        return Remove(("entries", line, "attachments", found), card)

    def pick(self, what: str, count: int | None) -> Remove:
        """The removal of an entry or a card of the deck: so many copies, all of them if None."""
        owned = [index for index, item in enumerate(self.roster.deck) if item.card == what]
        if owned and not any(entry.card == what for entry in self.roster.entries):
            there = self.roster.deck[owned[-1]].count
            return Remove(("deck", owned[-1]), what, min(count or there, there))
        line = self.line(what)
        entry = self.roster.entries[line]
        return Remove(("entries", line), entry.card, min(count or entry.count, entry.count))

    def do(self, edit: Edit, what: str) -> None:
        """Make an edit, which is called so when it is taken back."""
        self.roster = self.rosters.edit(self.name, edit, what)


def open_editor(packs: PackStorage, rosters: RosterStorage, name: str) -> Editor:
    """An editor of the squad of that name. UsageError where it or its pack cannot be read."""
    roster = rosters.load(name).roster
    if roster is None:
        message = _("{file} is not a roster that can be edited", file=name)
        raise UsageError(message, _("`squadpress roster check` says what is wrong."))
    pack = load_as_of(packs, roster.pack, roster.version).pack
    if pack is None:
        message = _("the pack {pack} cannot be read", pack=roster.pack)
        raise UsageError(message, _("`squadpress check` says what is wrong."))
    return Editor(rosters, name, pack, roster)
