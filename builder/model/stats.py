"""stats.yaml as models: how the attacks of a game are rolled, as data, so that chances can be counted exactly.

One closed form serves many games: an attack makes an optional roll against a number; the best `way` it reaches says
which pools of dice are thrown for damage; saves may take successes away. A new key needs two packs that want it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, StringConstraints, model_validator

from builder.model.base import Localized, Model
from builder.model.rules import Where

Dice = Annotated[str, StringConstraints(pattern=r"^([1-9]|1[0-9]|20)d([2-9]|[1-9][0-9]|100)$")]
"""Dice added up, such as `2d6`: at most 20, of at most 100 sides."""


class FieldOf(Model):
    """A number that stands on a card: exactly one of the three says on which."""

    attack: str | None = Field(default=None, description="Dotted field of the attack itself.")
    model: str | None = Field(default=None, description="Dotted field of the card that attacks (the bearer).")
    target: str | None = Field(default=None, description="Dotted field of the card that is attacked.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(part is not None for part in (self.attack, self.model, self.target)) != 1:
            raise ValueError("state exactly one of attack, model, target")
        return self


Value: TypeAlias = int | FieldOf
"""A number, or the field that holds it."""


class Roll(Model):
    """Dice added up, plus a bonus, compared with a number."""

    dice: Dice = Field(description="Dice added up, such as 2d6.")
    plus: Value = Field(default=0, description="Added to the dice. Where the card does not state it, no roll is made.")
    reach: Value | None = Field(default=None, description="What must be reached; only where no `ways` say it.")
    under: bool = Field(default=False, description="True: the sum must be this or less, instead of this or more.")
    always: int | None = Field(default=None, description="Dice, before the bonus, that succeed whatever is needed.")
    never: int | None = Field(default=None, description="Dice, before the bonus, that fail whatever is needed.")


class Pool(Model):
    """Dice thrown together, each looked at by itself."""

    count: Value = Field(description="How many dice. Where the card does not state it, none are thrown.")
    sides: int = Field(default=6, ge=2, le=100, description="Sides of each die.")
    each: Value = Field(description="A die succeeds from this result on. Null on the card: no die ever does.")
    under: bool = Field(default=False, description="True: a die succeeds up to this result.")
    strong: int | None = Field(default=None, description="A success from this result on is a strong one.")


class Saves(Pool):
    """The target's dice: each success takes a success of the attacker away, so that the least damage is left."""

    two_for_strong: bool = Field(default=False, description="Two common saves take one strong success away.")
    strong_for_common: bool = Field(default=True, description="A strong save may take a common success away.")


class Damage(Model):
    """Dice for damage: each success is worth so much."""

    title: Localized = Field(default_factory=dict, description="What this sort of damage is called.")
    dice: Pool = Field(description="The dice.")
    worth: Value = Field(default=1, description="Damage of a success.")
    strong_worth: Value | None = Field(default=None, description="Damage of a strong success; `worth` if absent.")
    saves: Saves | None = Field(default=None, description="Dice with which the target defends itself.")

    @property
    def values(self) -> Iterator[Value]:
        """Every number of it."""
        yield from (self.dice.count, self.dice.each, self.worth)
        if self.strong_worth is not None:
            yield self.strong_worth
        if self.saves is not None:
            yield from (self.saves.count, self.saves.each)


class Way(Model):
    """One outcome of the roll and the damage that follows."""

    title: Localized = Field(default_factory=dict, description="What this outcome is called.")
    reach: Value | None = Field(
        default=None, description="What the roll must reach for it; absent only without a roll."
    )
    damage: tuple[Damage, ...] = Field(min_length=1, description="Sorts of damage, each thrown by itself.")


class AttackForm(Model):
    """How some attacks are rolled."""

    title: Localized = Field(default_factory=dict, description="What these attacks are called.")
    note: Localized = Field(default_factory=dict, description="What the numbers leave out.")
    of: Literal["entries", "attachments"] = Field(default="entries", description="Whose cards hold them.")
    source: str | None = Field(
        default=None,
        alias="from",
        description="Card field with a map of attacks; the card itself is the attack if absent.",
    )
    where: Where = Field(default=Where(), description="Which of them: tests of the attack's own fields.")
    roll: Roll | None = Field(default=None, description="The roll to hit; without it the pools decide.")
    ways: tuple[Way, ...] = Field(min_length=1, description="Outcomes, best first: the first that is reached counts.")
    then: Roll | None = Field(default=None, description="A second roll that must succeed too.")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.roll is None and len(self.ways) > 1:
            raise ValueError("several ways need a roll")
        if self.roll is not None and (self.roll.reach is not None or any(way.reach is None for way in self.ways)):
            raise ValueError("with a roll each way states what it must reach, and the roll itself does not")
        if self.then is not None and self.then.reach is None:
            raise ValueError("the second roll states what it must reach")
        for index in range(self.damages()):
            if len(self.axes(index)) > 2:
                raise ValueError("damage may depend on two fields of the target, no more")
        return self

    def damages(self) -> int:
        """How many sorts of damage the longest way has."""
        return max(len(way.damage) for way in self.ways)

    def hit_axes(self) -> tuple[str, ...]:
        """Target fields that the rolls look at."""
        rolls = [*(way.reach for way in self.ways), self.then.reach if self.then else None]
        return targets(value for value in rolls if value is not None)

    def axes(self, index: int) -> tuple[str, ...]:
        """Target fields that one sort of damage depends on, those of the rolls first."""
        found = [value for way in self.ways if index < len(way.damage) for value in way.damage[index].values]
        return tuple(dict.fromkeys((*self.hit_axes(), *targets(found))))


class Role(Model):
    """One way to divide a squad into parts."""

    title: Localized = Field(default_factory=dict, description="What it is called; the field's name if absent.")
    by: str = Field(description="Card field or `choice.NAME` whose value is the part a model belongs to.")
    of: tuple[str, ...] = Field(default=(), description="With a list field: the first of these that it holds.")


class StatsFile(Model):
    """stats.yaml: divisions of a squad, and how its attacks are rolled."""

    roles: tuple[Role, ...] = Field(
        default=(), description="Divisions of the squad's points; those that the roster rules suggest if absent."
    )
    targets: Where = Field(default=Where(), description="Cards that may be attacked: their values are the targets'.")
    attacks: tuple[AttackForm, ...] = Field(default=(), description="How attacks are rolled, one form after the other.")


def targets(values: Iterator[Value] | list[Value]) -> tuple[str, ...]:
    """The target fields among numbers, each once."""
    named = (value.target for value in values if isinstance(value, FieldOf))
    return tuple(dict.fromkeys(name for name in named if name is not None))


Profile: TypeAlias = Mapping[str, int | None]
"""The target's numbers by field; None is a dash, which no die reaches."""
