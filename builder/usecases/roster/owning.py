"""Rosters held against a collection: what is claimed and not owned, or claimed twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.checks.roster import codes
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.spelling import suggestion
from builder.roster.owning import everything, shortages
from builder.rules.names import Names
from builder.store.collections import load_collection
from builder.store.project import Project
from builder.usecases.roster.check import Bench


@dataclass(frozen=True, slots=True)
class Shelf:
    """The player's collection: its file, and whether only what is painted counts."""

    file: Path
    painted: bool = False

    def copies(self, project: Project, pack: Pack) -> dict[str, int]:
        """Copies of every card of a pack. UsageError where the collection is of another pack or names no card of it."""
        collection = load_collection(self.file, project, pack.id)
        for card in collection.owned:
            if card not in pack.cards:
                message = _("{file} lists {card}, which is no card", file=self.file, card=card)
                raise UsageError(message, suggestion(card, tuple(pack.cards)))
        return everything(pack, collection.copies(self.painted))


def owning(
    project: Project, bench: Bench, squads: Mapping[str, Roster], shelf: Shelf, lang: str
) -> tuple[Finding, ...]:
    """A finding for each card that the squads (by file) of the collection's pack together claim too often.

    UsageError where the collection names a card that its pack does not have, or is of another pack than all squads.
    """
    pack = load_collection(shelf.file, project).pack
    own = {file: squad for file, squad in squads.items() if squad.pack == pack}
    if squads and not own:
        message = _("{file} is a collection of {pack}, and no squad here is", file=shelf.file, pack=pack)
        raise UsageError(message, _("Name another one."))
    judge = bench.judge(pack)[0] if own else None
    if judge is None:
        return ()
    return tuple(claims(own, shelf.copies(project, judge.pack), Names(judge.pack, lang), shelf.painted))


def claims(
    squads: Mapping[str, Roster], owned: Mapping[str, int], names: Names, painted: bool = False
) -> Iterator[Finding]:
    """A finding for each card that squads (by file) together claim oftener than it is owned (copies by card)."""
    for item in shortages(squads, owned):
        each = ", ".join(f"{name} ×{many}" for name, many in item.claims)
        form = _("{card}: {claimed} claimed, {owned} owned; {claims}")
        if painted:
            form = _("{card}: {claimed} claimed, {owned} painted; {claims}")
        told = names.say(_(form, card=names.card(item.card), claimed=item.claimed, owned=item.owned, claims=each))
        yield codes.NOT_OWNED.finding(
            told,
            Location(file=item.claims[0][0]),
            names.say(_("Take the card out of a squad, or correct the collection.")),
        )
