"""The neutral tree of a foreign roster, the same for all file formats. Pure.

The words are those of the BattleScribe roster format: a roster has forces, a force has selections, and a selection has
profiles, rules, categories, costs and selections of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cost:
    """An amount of one cost type, such as points. A selection's cost is already multiplied by its number."""

    name: str
    type_id: str
    value: float


@dataclass(frozen=True, slots=True)
class Profile:
    """A row of values. `characteristics` maps the names of the columns to their texts, in order."""

    id: str
    name: str
    type_id: str
    type_name: str
    characteristics: Mapping[str, str]
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its full text."""

    id: str
    name: str
    text: str
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Category:
    """A category of a selection. The primary one is its place in the force, such as a battlefield role."""

    id: str
    name: str
    is_primary: bool = False


@dataclass(frozen=True, slots=True)
class Selection:
    """A model, unit or upgrade in a list. `number` is how many of it the list has, `type` one of these three words.

    `entry_id` names the catalogue's entry and is equal in all lists. `custom_name` and `notes` are the player's.
    """

    id: str
    name: str
    entry_id: str = ""
    number: int = 1
    type: str = "upgrade"
    group: str = ""
    custom_name: str = ""
    notes: str = ""
    costs: tuple[Cost, ...] = ()
    categories: tuple[Category, ...] = ()
    profiles: tuple[Profile, ...] = ()
    rules: tuple[Rule, ...] = ()
    selections: tuple[Selection, ...] = ()

    def walk(self) -> Iterator[Selection]:
        """Yield this selection and all below it, parents first."""
        yield self
        for selection in self.selections:
            yield from selection.walk()


@dataclass(frozen=True, slots=True)
class Force:
    """A part of a roster that uses one catalogue. Its own rules and profiles hold for the whole force."""

    id: str
    name: str
    catalogue_id: str = ""
    catalogue_name: str = ""
    profiles: tuple[Profile, ...] = ()
    rules: tuple[Rule, ...] = ()
    selections: tuple[Selection, ...] = ()
    forces: tuple[Force, ...] = ()

    def walk(self) -> Iterator[Force]:
        """Yield this force and all below it, parents first."""
        yield self
        for force in self.forces:
            yield from force.walk()


@dataclass(frozen=True, slots=True)
class ForeignRoster:
    """A roster of another program. `unknown_elements` counts what the reader does not know, by name."""

    id: str
    name: str
    game_system_id: str
    game_system_name: str
    costs: tuple[Cost, ...] = ()
    cost_limits: tuple[Cost, ...] = ()
    forces: tuple[Force, ...] = ()
    profiles: tuple[Profile, ...] = ()
    rules: tuple[Rule, ...] = ()
    notes: str = ""
    unknown_elements: Mapping[str, int] = field(default_factory=dict)

    def walk_forces(self) -> Iterator[Force]:
        """Yield all forces, parents first."""
        for force in self.forces:
            yield from force.walk()

    def walk_selections(self) -> Iterator[Selection]:
        """Yield all selections of all forces, parents first."""
        for force in self.walk_forces():
            for selection in force.selections:
                yield from selection.walk()
