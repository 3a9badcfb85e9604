"""The tree of a foreign roster, the same for all file formats. Pure.

The words are those of the BattleScribe roster format: a roster has forces, a force has selections,
and a selection has profiles, rules, categories, costs and selections of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ForeignCost:
    """An amount of one cost type, such as points.

    A selection's cost is already multiplied by its number.
    """

    name: str
    type_id: str
    value: float


@dataclass(frozen=True, slots=True)
class ForeignProfile:
    """A named row of values, such as a stat line.

    `characteristics` are in column order.
    """

    name: str
    type_id: str
    type_name: str
    characteristics: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ForeignRule:
    """A rule of a foreign roster, with its full text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ForeignSelection:
    """A model, unit or upgrade that a player chose in another program.

    `number` is its count in the list. `type` is `model`, `unit` or `upgrade`. `categories` are the
    names of its categories.

    `entry_id` names the catalogue's entry and is equal in all lists. `custom_name` and `notes` are
    the player's.
    """

    id: str
    name: str
    entry_id: str = ""
    number: int = 1
    type: str = "upgrade"
    custom_name: str = ""
    notes: str = ""
    costs: tuple[ForeignCost, ...] = ()
    categories: tuple[str, ...] = ()
    profiles: tuple[ForeignProfile, ...] = ()
    rules: tuple[ForeignRule, ...] = ()
    selections: tuple[ForeignSelection, ...] = ()

    def walk(self) -> Iterator[ForeignSelection]:
        """Yield this selection and all below it, parents first."""
        yield self
        for selection in self.selections:
            yield from selection.walk()


@dataclass(frozen=True, slots=True)
class ForeignForce:
    """A part of a foreign roster whose selections come from one catalogue.

    Its own rules and profiles hold for the whole force. Few game systems let forces cost something.
    """

    name: str
    catalogue_name: str = ""
    costs: tuple[ForeignCost, ...] = ()
    profiles: tuple[ForeignProfile, ...] = ()
    rules: tuple[ForeignRule, ...] = ()
    selections: tuple[ForeignSelection, ...] = ()
    forces: tuple[ForeignForce, ...] = ()

    def walk(self) -> Iterator[ForeignForce]:
        """Yield this force and all below it, parents first."""
        yield self
        for force in self.forces:
            yield from force.walk()


@dataclass(frozen=True, slots=True)
class ForeignRoster:
    """A roster made with another program.

    `unknown_elements` counts what the reader does not know, by name. `problems` are messages about
    numbers that cannot be read.
    """

    id: str
    name: str
    game_system_id: str
    game_system_name: str
    costs: tuple[ForeignCost, ...] = ()
    cost_limits: tuple[ForeignCost, ...] = ()
    forces: tuple[ForeignForce, ...] = ()
    profiles: tuple[ForeignProfile, ...] = ()
    rules: tuple[ForeignRule, ...] = ()
    notes: str = ""
    unknown_elements: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def walk_forces(self) -> Iterator[ForeignForce]:
        """Yield all forces, parents first."""
        for force in self.forces:
            yield from force.walk()

    def walk_selections(self) -> Iterator[ForeignSelection]:
        """Yield all selections of all forces, parents first."""
        for force in self.walk_forces():
            for selection in force.selections:
                yield from selection.walk()
