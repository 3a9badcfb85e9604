"""Rosters held against a collection: what is claimed and not owned, or claimed twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.checks.roster import codes
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.roster import Collection, Roster
from builder.model.spelling import suggestion
from builder.roster.owning import everything, shortages
from builder.rules.names import Names
from builder.usecases.roster.check import Judges


@dataclass(frozen=True, slots=True)
class OwnedCards:
    """The player's collection, by the name that messages call it, and whether only what is painted counts."""

    name: str
    collection: Collection
    painted: bool = False

    def copies(self, pack: Pack) -> dict[str, int]:
        """Copies of every card of a pack. UsageError where the collection is of another pack or names no card of it."""
        if self.collection.pack != pack.id:
            form = _("{file} is a collection of {other}, not of {pack}")
            message = _(form, file=self.name, other=self.collection.pack, pack=pack.id)
            raise UsageError(message, _("Name one of the squad's pack."))
        for card in self.collection.owned:
            if card not in pack.cards:
                message = _("{file} lists {card}, which is no card", file=self.name, card=card)
                raise UsageError(message, suggestion(card, tuple(pack.cards)))
        return everything(pack, self.collection.copies(self.painted))


def not_owned(judges: Judges, squads: Mapping[str, Roster], owned: OwnedCards, lang: str) -> tuple[Finding, ...]:
    """A finding for each card that the squads (by name) of the collection's pack together claim too often.

    UsageError where the collection names a card that its pack does not have, or is of another pack than all squads.
    """
    pack = owned.collection.pack
    own = {name: squad for name, squad in squads.items() if squad.pack == pack}
    if squads and not own:
        message = _("{file} is a collection of {pack}, and no squad here is", file=owned.name, pack=pack)
        raise UsageError(message, _("Name another one."))
    judge = judges.judge(pack)[0] if own else None
    if judge is None:
        return ()
    return tuple(claims(own, owned.copies(judge.pack), Names(judge.pack, lang), owned.painted))


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
