"""Rosters held against a collection: what is claimed and not owned, or claimed twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from builder.checks.roster import codes
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.model.spelling import suggestion
from builder.roster.owning import everything, shortages
from builder.rules.names import Names
from builder.store.collections import load_collection
from builder.store.project import Project
from builder.usecases.roster_check import Judged


def owning(project: Project, judged: Sequence[Judged], file: Path, painted: bool = False) -> tuple[Finding, ...]:
    """A finding for each card that the rosters of the collection's pack together claim too often.

    UsageError where the collection names a card that its pack does not have, or is of another pack than all rosters.
    """
    collection = load_collection(file, project)
    read = [one for one in judged if one.roster is not None]
    own = [one for one in read if one.roster is not None and one.roster.pack == collection.pack]
    if read and not own:
        raise UsageError(f"{file} is a collection of {collection.pack}, and no squad here is", "Name another one.")
    judge = next((one.judge for one in own if one.judge is not None), None)
    if judge is None:
        return ()
    for card in collection.owned:
        if card not in judge.pack.cards:
            raise UsageError(f"{file} lists {card}, which is no card", suggestion(card, tuple(judge.pack.cards)))
    owned = everything(judge.pack, collection.copies(painted))
    names = Names(judge.pack, own[0].lang)
    found = []
    for item in shortages({one.file: one.roster for one in own if one.roster is not None}, owned):
        claims = ", ".join(f"{name} ×{many}" for name, many in item.claims)
        kind = "painted" if painted else "owned"
        message = f"{names.card(item.card)}: {item.claimed} claimed, {item.owned} {kind}; {claims}"
        found.append(codes.NOT_OWNED.finding(message, Location(file=item.claims[0][0])))
    return tuple(found)
