"""A release that someone wants to make, with everything its checks need. A value without judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from builder.errata.change import Difference
from builder.errata.difference import difference
from builder.errata.snapshot import Snapshot
from builder.findings import Location
from builder.model.loaded import Document


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would be released, after what.

    `known` are the versions that exist; `documents` are the cards' files, for the places of findings;
    `migrations_file` is the path a missing line belongs into.
    """

    version: str
    released: date
    effective: date
    state: Snapshot
    previous: Snapshot | None
    difference: Difference
    known: tuple[str, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)
    migrations_file: str = "migrations.yaml"

    def place(self, card: str, path: str = "") -> Location:
        """Where a card (or a field of it, by its dotted path) stands."""
        document = self.documents.get(card)
        steps = tuple(path.split(".")) if path else ()
        return document.locate(steps) if document else Location(path=path or None)


def proposal(
    version: str,
    released: date,
    effective: date,
    state: Snapshot,
    previous: Snapshot | None,
    known: tuple[str, ...] = (),
    documents: Mapping[str, Document] | None = None,
) -> Proposal:
    """The proposal, with the difference to the release before it (to an empty pack for the first)."""
    before = previous or Snapshot(pack=state.pack, label="nothing", manifest=state.manifest)
    return Proposal(
        version=version,
        released=released,
        effective=effective,
        state=state,
        previous=previous,
        difference=difference(before, state),
        known=known,
        documents=documents or {},
        migrations_file=f"cards/{state.pack}/migrations.yaml",
    )
