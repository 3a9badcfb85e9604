"""Models of stats.yaml: how a game rolls attacks, as data for exact chances.

One closed form serves many games: an attack makes an optional roll against a number; the best `way`
it reaches says which pools of dice are thrown for damage; each die may have to pass further rolls;
saves may take successes away. A new key needs two packs that want it.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import (
    Id,
    Localized,
    Model,
    NameOf,
    require_exactly_one,
    walk_models,
)
from builder.model.rules import Where
from builder.model.statvalues import Dice, Named, Value, collect_axes, contains_throw

CERTAIN = frozenset(
    {
        "reach",
        "reroll",
        "each",
        "strong",
        "again",
        "sharpen",
        "sure",
        "stamina",
        "guarded",
    }
)
"""Numbers that decide what a die does: they cannot be thrown themselves."""


class Against(Model):
    """The roll of the other side in an opposed roll. Its total is subtracted from the result."""

    dice: Dice = Field(description="Dice added up, such as 1d6.")
    plus: Value = Field(default=0, description="Number added to the dice.")


class Roll(Model):
    """A roll: the sum of dice and a bonus, minus the other side's total, compared with a number."""

    dice: Dice = Field(description="Dice added up, such as 2d6.")
    plus: Value = Field(
        default=0,
        description="Number added to the dice. If the card has no value, no roll is made.",
    )
    against: Against | None = Field(
        default=None,
        description="An opposed roll: `reach` is the margin by which it must win.",
    )
    reach: Value | None = Field(
        default=None,
        description="The result that must be reached. Only if no `ways` have it.",
    )
    under: bool = Field(
        default=False,
        description="True: the sum must be at most this, instead of at least this.",
    )
    always: int | None = Field(
        default=None,
        description="Natural results (before the bonus) that always succeed.",
    )
    never: int | None = Field(
        default=None, description="Natural results (before the bonus) that always fail."
    )
    reroll: Value = Field(
        default=0, description="Natural results up to this are rolled again, once."
    )


class Step(Roll):
    """A further roll that each success of a pool must pass."""

    where: Where = Field(
        default=Where(),
        description="Only for these attacks: tests of the attack's fields.",
    )
    fails: bool = Field(
        default=False,
        description="True: the target rolls. If it succeeds, the success is lost.",
    )

    @model_validator(mode="after")
    def _check_reach(self) -> Self:
        if self.reach is None:
            raise ValueError(_("each roll of `then` needs a required result"))
        return self


class Echo(Model):
    """Further rolls by which a success may count twice. They come after all other rolls.

    Further successes are not rolled again.
    """

    where: Where = Field(
        default=Where(),
        description="Only for these attacks: tests of the attack's fields.",
    )
    then: tuple[Step, ...] = Field(
        min_length=1,
        description="Each success that passes all these rolls counts twice.",
    )


class Pool(Model):
    """Dice that are rolled together and compared with a number one by one."""

    count: Value = Field(
        description="Number of dice. If the card has no value, none are rolled."
    )
    sides: int = Field(
        default=6, ge=2, le=100, description="Number of sides of each die."
    )
    each: Value | None = Field(
        default=None,
        description=(
            "A die succeeds from this result on. Absent: every die succeeds. Null on "
            "the card: no die succeeds."
        ),
    )
    under: bool = Field(
        default=False, description="True: a die succeeds up to this result."
    )
    strong: Value | None = Field(
        default=None, description="From this result on, a success is a strong one."
    )
    reroll: Value = Field(
        default=0, description="Dice up to this result are rolled again, once."
    )
    again: Value = Field(
        default=0,
        description="Maximum number of failed dice that are rolled again, once.",
    )
    sharpen: Value = Field(
        default=0,
        description="If any success is strong: number of common successes that become strong.",
    )
    then: tuple[Step, ...] = Field(
        default=(),
        description="Rolls that each success must pass, one after the other.",
    )
    echo: Echo | None = Field(
        default=None,
        description="The remaining successes are rolled again and may add more.",
    )


class Saves(Pool):
    """The dice by which a target avoids damage.

    Each success cancels a success of the attacker, so that the least damage remains.
    """

    fewer_if_strong: Value = Field(
        default=0,
        description=(
            "If the attacker has a strong success, the target rolls this many dice fewer."
        ),
    )
    two_for_strong: bool = Field(
        default=False, description="True: two common saves cancel one strong success."
    )
    strong_for_common: bool = Field(
        default=True, description="True: a strong save may cancel a common success."
    )


class Damage(Model):
    """One type of damage: the dice that are rolled, and how much damage each success does."""

    title: Localized = Field(
        default_factory=dict, description="Name of this type of damage."
    )
    dice: Pool = Field(description="The dice.")
    worth: Value = Field(
        default=1, description="Damage per success; dice are rolled for each."
    )
    strong_worth: Value | None = Field(
        default=None, description="Damage per strong success; `worth` if absent."
    )
    sure: Value = Field(
        default=0, description="Damage per strong success that no save cancels."
    )
    saves: Saves | None = Field(
        default=None, description="The target's dice for saves."
    )


class Way(Model):
    """One possible result of a roll, and the damage that follows from it."""

    title: Localized = Field(
        default_factory=dict, description="The name of this outcome."
    )
    reach: Value | None = Field(
        default=None,
        description="The result that the roll must reach. Absent only without a roll.",
    )
    damage: tuple[Damage, ...] = Field(
        default=(),
        description="Types of damage, each rolled separately; none if only the hit counts.",
    )


class Duel(Model):
    """A duel, in which both sides roll the dice of their own attack.

    Then each spends a success in turn, the attacker first. A success strikes, or cancels a
    success of the other side. Both play for the best difference between damage dealt and taken.
    """

    title: Localized = Field(
        default_factory=dict, description="The name of the damage."
    )
    dice: Pool = Field(description="The dice of both sides.")
    worth: Value = Field(default=1, description="Damage of a success that strikes.")
    strong_worth: Value | None = Field(
        default=None, description="Damage per strong success; `worth` if absent."
    )
    sure: Value = Field(
        default=0,
        description="Damage of each strong success, dealt before any success is spent.",
    )
    stamina: Value = Field(
        description="Damage that a side can take. At 0 it no longer strikes."
    )
    guarded: Value = Field(
        default=0, description="1: only strong successes cancel these."
    )
    strong_for_common: bool = Field(
        default=True, description="True: a strong success may cancel a common one."
    )


class Given(Model):
    """A circumstance that is on no card, such as cover. Tables have a line for each value."""

    title: Localized = Field(description="The printed name.")
    values: tuple[int, ...] = Field(
        min_length=1, max_length=12, description="The values that are counted."
    )


class Bearers(Model):
    """How many models of a line have the attack, if not all of them have it."""

    some: Value = Field(description="Number of models with the attack ...")
    of: Value = Field(description="... out of each group of this many models.")


class EffectSource(Model):
    """Where rules that may change an attack are written. It has exactly one key."""

    attack: Annotated[str, NameOf("attack field")] | None = Field(
        default=None,
        description=(
            "Dotted field of the attack with a map of rules, a list of rules, or one rule."
        ),
    )
    model: Annotated[str, NameOf("division")] | None = Field(
        default=None,
        description="Dotted field of the attacking card, or `choice.NAME`.",
    )
    carried: Where | None = Field(
        default=None, description="A test that selects attached cards."
    )

    _check_one = require_exactly_one("attack", "model", "carried")


class AttackForm(Model):
    """A type of attack: where its numbers are on cards, and which dice are rolled."""

    title: Localized = Field(
        default_factory=dict, description="The name of these attacks."
    )
    note: Localized = Field(
        default_factory=dict, description="A note on what the numbers do not include."
    )
    rulebook: str = Field(default="", description="The place in the rulebook.")
    of: Literal["entries", "attachments"] = Field(
        default="entries", description="The cards with these attacks."
    )
    source: Annotated[str, NameOf("card field")] | None = Field(
        default=None,
        alias="from",
        description="Card field with a map of attacks. If absent, the card itself is the attack.",
    )
    where: Where = Field(
        default=Where(), description="A test of the attack's own fields."
    )
    bearer: Where = Field(
        default=Where(), description="A test of the attacking card and of its choices."
    )
    bearers: Bearers | None = Field(
        default=None,
        description="Number of models of a line with the attack; all if absent.",
    )
    given: Mapping[Id, Given] = Field(
        default_factory=dict, description="Circumstances that the numbers depend on."
    )
    let: Mapping[Id, Value] = Field(
        default_factory=dict, description="Numbers with a name, for `named`."
    )
    unrelated: tuple[str, ...] = Field(
        default=(),
        description="Ids of further rules that do not change the numbers of this form.",
    )
    targets: Where | None = Field(
        default=None,
        description="The targets of these attacks; those of the file if absent.",
    )
    roll: Roll | None = Field(
        default=None, description="The roll to hit. Without it, the dice pools decide."
    )
    ways: tuple[Way, ...] = Field(
        default=(),
        description="Outcomes, best first. The first one that is reached counts.",
    )
    duel: Duel | None = Field(
        default=None,
        description=(
            "Instead of ways: an exchange of strikes with each attack of this form "
            "that targets have."
        ),
    )
    then: Roll | None = Field(
        default=None, description="A second roll that must succeed too."
    )

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        self._check_rolls()
        self._check_numbers()
        for axis in collect_axes(self.parts):
            if axis.startswith("given.") and axis[6:] not in self.given:
                raise ValueError(_("{name} is not listed under `given`", name=axis[6:]))
        for index in range(self.count_damages()):
            if len(self.list_damage_axes(index)) > 2:
                form = _(
                    "damage may depend on at most two things besides the attack "
                    "(target fields, given)"
                )
                raise ValueError(form)
        return self

    def _check_numbers(self) -> None:
        """Raise ValueError for a number that is not defined, or must not be rolled."""
        for part in walk_models(self.parts):
            if isinstance(part, Named):
                form = _(
                    "the number {name} is not defined; define it with `let` in the form or the file"
                )
                raise ValueError(_(form, name=part.named))
        for part in walk_models(self.parts):
            for name in CERTAIN.intersection(type(part).model_fields):
                if contains_throw(getattr(part, name)):
                    form = _(
                        "{name} is rolled, but must be a fixed number; only counts, "
                        "bonuses and values may be rolled"
                    )
                    raise ValueError(_(form, name=name))

    def _check_rolls(self) -> None:
        has_duel = self.duel is not None
        has_rolls = self.roll is not None or self.then is not None
        if has_duel == bool(self.ways) or (has_duel and has_rolls):
            raise ValueError(_("give either ways or a duel; a duel has no other rolls"))
        if has_duel and collect_axes(self.duel):
            message = _(
                "in a duel each side has its own attack and model, no target, and nothing given"
            )
            raise ValueError(message)
        if self.roll is not None:
            self._check_ways_of_roll(self.roll)
        elif len(self.ways) > 1:
            raise ValueError(_("several ways need a roll"))
        elif not has_duel and not self.count_damages():
            raise ValueError(_("without a roll, a way needs damage"))
        if self.then is not None and self.then.reach is None:
            raise ValueError(_("the second roll needs a required result"))

    def _check_ways_of_roll(self, roll: Roll) -> None:
        # The result decides which way is reached, so the way requires it and not the roll.
        if roll.reach is not None or any(way.reach is None for way in self.ways):
            message = _(
                "with a roll, each way needs a required result and the roll has none"
            )
            raise ValueError(message)

    @property
    def parts(self) -> tuple[object, ...]:
        """All rolls and pools of the attack."""
        return (self.roll, *self.ways, self.duel, self.then)

    def count_damages(self) -> int:
        """Return how many types of damage the outcome with the most types has."""
        return max((len(way.damage) for way in self.ways), default=0)

    def list_hit_axes(self) -> tuple[str, ...]:
        """Return the target fields and circumstances that the chance to hit depends on."""
        if self.roll is not None:
            return collect_axes(self.roll, *(way.reach for way in self.ways), self.then)
        pools: list[Pool] = []
        for way in self.ways:
            pools += [damage.dice for damage in way.damage]
        # What happens after a hit does not change the chance to hit.
        simple_pools = [
            pool.model_copy(update={"then": (), "echo": None}) for pool in pools
        ]
        return collect_axes(*simple_pools)

    def list_damage_axes(self, index: int) -> tuple[str, ...]:
        """Return the target fields and circumstances that one type of damage depends on."""
        axes = () if self.roll is None else self.list_hit_axes()
        damages = [way.damage[index] for way in self.ways if index < len(way.damage)]
        axes += collect_axes(*damages)
        unique_axes = dict.fromkeys(axes)
        return tuple(sorted(unique_axes, key=lambda axis: axis.startswith("given.")))


class Division(Model):
    """A way to divide a squad into parts for its statistics."""

    title: Localized = Field(
        default_factory=dict,
        description="The name of the division; the field's name if absent.",
    )
    by: Annotated[str, NameOf("division")] = Field(
        description="Card field or `choice.NAME` whose value is the group of a model."
    )
    of: tuple[str, ...] = Field(
        default=(),
        description="With a list field: the first of these values in the list.",
    )


class StatsFile(Model):
    """stats.yaml: how attacks are rolled, and how squads are divided into parts."""

    roles: tuple[Division, ...] = Field(
        default=(),
        description=(
            "Divisions of the squad's points. If absent, they come from the roster rules."
        ),
    )
    targets: Where = Field(
        default=Where(),
        description="Cards that can be attacked. Their values are the target's values.",
    )
    let: Mapping[Id, Value] = Field(
        default_factory=dict,
        description="Numbers with a name, for `named` in any form.",
    )
    effects: tuple[EffectSource, ...] = Field(
        default=(),
        description=(
            "Places with rules that may change an attack. Rules that the numbers do "
            "not include are listed as not counted."
        ),
    )
    unrelated: tuple[str, ...] = Field(
        default=(),
        description="Ids of rules that never change an attack. They are not listed.",
    )
    attacks: tuple[AttackForm, ...] = Field(
        default=(), description="The attack forms: how attacks are rolled."
    )

    @model_validator(mode="before")
    @classmethod
    def _insert_named_numbers(cls, value: object) -> object:
        """Replace `{named: x}` everywhere by the number that `let` defines."""
        return _expand_names(value)


def _expand_names(raw: object) -> object:
    """Replace `{named: x}` by what `let` defines. Names of the form come before those of the file.

    Raise ValueError if names refer to each other in a circle.
    """
    if not isinstance(raw, Mapping) or not isinstance(raw.get("attacks"), list | tuple):
        return raw
    forms: list[object] = []
    for form in raw["attacks"]:
        names = {**_read_names(raw), **_read_names(form)}
        forms.append(_expand_form(form, names))
    return {**raw, "attacks": forms}


def _expand_form(form: object, names: Mapping[str, object]) -> object:
    if not isinstance(form, Mapping):
        return form
    expanded_form: dict[str, object] = {}
    for key, item in form.items():
        # The definitions stay as they are, and names in them are replaced where they are used.
        expanded_form[key] = item if key == "let" else _replace_names(item, names, ())
    return expanded_form


def _read_names(part: object) -> Mapping[str, object]:
    name = part.get("let") if isinstance(part, Mapping) else None
    return name if isinstance(name, Mapping) else {}


def _replace_names(
    value: object, names: Mapping[str, object], outer_names: tuple[str, ...]
) -> object:
    """Replace names in a value by their numbers.

    `outer_names` are those that are being replaced.
    """
    if isinstance(value, list | tuple):
        return [_replace_names(item, names, outer_names) for item in value]
    if not isinstance(value, Mapping):
        return value
    name = value.get("named")
    if isinstance(name, str) and len(value) == 1 and name in names:
        nested_names = (*outer_names, name)
        if name in outer_names:
            listed = " → ".join(nested_names)
            raise ValueError(_("`let` refers to itself: {listed}", listed=listed))
        return _replace_names(names[name], names, nested_names)
    return {
        key: _replace_names(item, names, outer_names) for key, item in value.items()
    }


Profile: TypeAlias = Mapping[str, int | None]
"""The target's numbers by field, and given ones as `given.NAME`; None is a dash, which no die
reaches.
"""
