"""rules.yaml as models: the closed language in which a game states its roster limits.

Every form is linear in the number of picks, so that one text can judge a roster, explain a refusal,
list what may be picked next and complete a half-built squad with a solver. A new form or predicate
needs two packs that want it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, field_validator, model_validator

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.base import (
    FieldName,
    Id,
    LinkName,
    Localized,
    Model,
    NameOf,
    ParamName,
    require_exactly_one,
)

Scalar = bool | int | float | str


class Ref(Model):
    """A value taken from the other card of a comparison (bearer, target, or the pick that asks)."""

    other: FieldName = Field(
        description="Dotted path of a field of the other card, or `choice.NAME`."
    )


class Test(Model):
    """A comparison with one field of a card. All the stated parts must hold.

    A missing field (or null) fails every part except `exists: false`, `ne` and `lacks`.
    """

    eq: Scalar | Ref | None = Field(default=None, description="Equal to.")
    ne: Scalar | Ref | None = Field(default=None, description="Not equal to.")
    lt: int | float | Ref | None = Field(default=None, description="Less than.")
    le: int | float | Ref | None = Field(default=None, description="At most.")
    gt: int | float | Ref | None = Field(default=None, description="Greater than.")
    ge: int | float | Ref | None = Field(default=None, description="At least.")
    one_of: tuple[Scalar, ...] | None = Field(default=None, description="One of these values.")
    has: Scalar | Ref | None = Field(
        default=None, description="The list or map holds this value or key."
    )
    has_any: tuple[Scalar, ...] | None = Field(
        default=None, description="Holds at least one of these."
    )
    lacks: Scalar | Ref | None = Field(
        default=None, description="The list or map does not hold this."
    )
    exists: bool | None = Field(default=None, description="The field is present and not null.")


class Where(Model):
    """Which cards (or picks) are meant: every key is a field and its test, all must hold.

    Keys are dotted card fields (`cost`, `keywords`, `slots.head`), or `choice.NAME` for a choice of
    the roster entry, or the combinators `any`, `all`, `none`. A bare scalar means `eq`, a bare list
    `one_of`. Written in a card, it says which bearer may carry the card; written in a rule, which
    picks are counted.
    """

    spread = "fields"

    fields: Mapping[FieldName, Test] = Field(default_factory=dict, description="Field tests.")
    any: "tuple[Where, ...]" = Field(default=(), description="At least one of these holds.")
    all: "tuple[Where, ...]" = Field(default=(), description="All of these hold.")
    none: "tuple[Where, ...]" = Field(default=(), description="None of these holds.")

    @model_validator(mode="before")
    @classmethod
    def _expand_tests(cls, value: object) -> object:
        """Accept `{cost: 3, keywords: {has: x}}` for `{fields: {cost: {eq: 3}, ...}}`."""
        if not isinstance(value, Mapping) or "fields" in value:
            return value
        known = {key: item for key, item in value.items() if key in ("any", "all", "none")}
        tests = {key: _expand_test(item) for key, item in value.items() if key not in known}
        return {**known, "fields": tests}


def _expand_test(value: object) -> object:
    """Expand the short forms of a test: a scalar is `eq`, a list is `one_of`."""
    if isinstance(value, bool | int | float | str):
        return {"eq": value}
    if isinstance(value, list | tuple):
        return {"one_of": value}
    return value


class Source(StrEnum):
    """Where picks are taken from."""

    ENTRIES = "entries"
    ATTACHMENTS = "attachments"
    DECK = "deck"
    ALL = "all"


class Select(Model):
    """The picks a rule looks at."""

    source: Source = Field(
        default=Source.ENTRIES, alias="from", description="Entries, attachments, deck or all."
    )
    where: Where = Field(default=Where(), description="Only picks whose card passes.")
    bearer: Where | None = Field(
        default=None, description="Attachments only: the entry that carries it passes."
    )

    model_config = ConfigDict(populate_by_name=True)


class Measure(Model):
    """What is measured of the selected picks: their number, a sum, or how many different values."""

    count: bool = Field(default=False, description="The number of picks, copies counted.")
    sum: FieldName | None = Field(
        default=None, description="The sum of this card field over the picks."
    )
    distinct: FieldName | None = Field(
        default=None, description="How many different values of this field."
    )

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, value: object) -> object:
        return {"count": True} if value == "count" else value

    _check_one = require_exactly_one("count", "sum", "distinct")


class OnePer(Model):
    """A declared formula: one for every N of an amount."""

    each: float | FieldName = Field(description="N: a number, or the card field that holds it.")
    of: ParamName = Field(description="The roster parameter that is divided.")
    round: Literal["down", "up"] = Field(default="down", description="How a remainder is treated.")


class Share(Model):
    """A declared formula: a card field written `1/N` gives that share of an amount, a whole number itself."""

    field: FieldName = Field(description="The card field that holds `1/N` or a whole number.")
    of: ParamName = Field(description="The roster parameter that is shared out.")
    round: Literal["down", "up"] = Field(default="down", description="How a remainder is treated.")


class Ratio(Model):
    """A declared formula: a part of what other picks of the squad come to, measured as the rule measures."""

    share: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}/[1-9]\d{0,3}$")] = Field(
        description="The part, such as `1/3`."
    )
    of: Select = Field(default=Select(), description="Whose count (or sum) is divided.")
    within: Literal["roster", "group"] = Field(
        default="roster",
        description="`group`: only those in the group (of `per`) that is measured.",
    )
    round: Literal["down", "up"] | None = Field(
        default=None, description="Counts only: how a remainder is treated; exact if absent."
    )

    @property
    def parts(self) -> tuple[int, int]:
        """Above and below the line."""
        top, _unused, each = self.share.partition("/")
        return int(top), int(each)


class Bound(Model):
    """A limit and how it comes about. Exactly one form."""

    number: int | float | None = Field(default=None, description="A fixed number.")
    param: ParamName | None = Field(default=None, description="A roster parameter.")
    field: FieldName | None = Field(
        default=None, description="A field of the card (with `per: card` or `entry`)."
    )
    one_per: OnePer | None = Field(default=None, description="One for every N of a parameter.")
    share: Share | None = Field(default=None, description="A share written on the card.")
    table: Mapping[str, int | float] | None = Field(
        default=None, description="A number per value of the parameter named in `by`."
    )
    by: ParamName | None = Field(
        default=None, description="The parameter that selects from `table`."
    )
    sum: "tuple[Bound, ...]" = Field(
        default=(), description="Bounds that are added; none if one of them is not stated."
    )
    ratio: Ratio | None = Field(default=None, description="A part of what other picks come to.")

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, value: object) -> object:
        return {"number": value} if isinstance(value, int | float) else value

    _check_one = require_exactly_one(
        "number", "param", "field", "one_per", "share", "table", "sum", "ratio"
    )

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        if (self.table is None) != (self.by is None):
            raise ValueError(_("`table` and `by` must be used together"))
        if any(part.ratio is not None for part in self.sum):
            raise ValueError(_("a ratio cannot be combined with other bounds"))
        return self

    @property
    def card_fields(self) -> tuple[str, ...]:
        """The fields of the card measured that hold part of the bound."""
        each = self.one_per.each if self.one_per is not None else None
        named = (self.field, self.share.field if self.share is not None else None, each)
        fields = [name for name in named if isinstance(name, str)]
        for part in self.sum:
            fields += part.card_fields
        return tuple(fields)


class Condition(Model):
    """When a rule applies: all that is stated holds."""

    params: Mapping[ParamName, Scalar | tuple[Scalar, ...]] = Field(
        default_factory=dict, description="Parameter values; a list means any of them."
    )
    exists: Select | None = Field(default=None, description="Some pick is selected.")
    not_exists: Select | None = Field(default=None, description="No pick is selected.")


class RuleBase(Model):
    """What every rule states."""

    id: Id = Field(description="The rule's id; violations name it.")
    title: Localized = Field(description="A short name per language.")
    source: Annotated[str, Field(min_length=1)] | Localized = Field(
        description="Where in the rulebook the rule stands; the same in all languages, or a text per language."
    )
    severity: Severity = Field(default=Severity.ERROR, description="error or warning.")
    when: Condition | None = Field(
        default=None, description="When the rule applies; always if absent."
    )
    hint: Localized = Field(default_factory=dict, description="Advice for mending, per language.")

    @property
    def group_path(self) -> str | None:
        """The path whose values form groups, `choice.NAME` for a choice.

        None for a rule without such groups.
        """
        return None


def _parse_group_path(per: str) -> str:
    """Return the path that `per` names: that of a field, or `choice.NAME`."""
    form, _unused, name = per.partition(" ")
    return {"field": name, "choice": f"choice.{name}"}.get(form, "")


class Limit(RuleBase):
    """So many picks (or points, or different values), at least, at most or exactly."""

    type: Literal["limit"]
    select: Select = Field(default=Select(), description="Which picks are counted.")
    per: Annotated[str, NameOf("field", _parse_group_path)] = Field(
        default="roster",
        pattern=r"^(roster|card|entry|field \S+|choice \S+)$",
        description="`roster`, `card` (each different card), `entry` (each line of the roster: what one copy carries,"
        " or, for entries, its count), or `field PATH` / `choice NAME` (each value of the selected picks).",
    )
    groups: Where | None = Field(
        default=None,
        description="With `field` or `choice`: each value found among these picks of the source is measured, so that a"
        " value for which nothing is selected counts 0. The selected picks if absent.",
    )
    measure: Measure = Field(description="What is counted.")
    min: Bound | None = Field(default=None, description="Smallest allowed.")
    max: Bound | None = Field(default=None, description="Largest allowed.")
    exactly: Bound | None = Field(default=None, description="The only allowed value.")

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        bounds = [bound for bound in (self.min, self.max, self.exactly) if bound is not None]
        if not bounds:
            raise ValueError(_("give at least one of min, max, exactly"))
        if self.exactly is not None and len(bounds) > 1:
            raise ValueError(_("exactly cannot be combined with min or max"))
        if self.per not in ("card", "entry") and any(bound.card_fields for bound in bounds):
            raise ValueError(_("a bound from a card's field needs `per: card` or `per: entry`"))
        if self.groups is not None and not self.per.startswith(("field ", "choice ")):
            raise ValueError(_("`groups` needs `per: field` or `per: choice`"))
        if self.per == "entry" and self.select.source is Source.DECK:
            raise ValueError(
                _(
                    "the deck belongs to the whole roster: `from: deck` cannot be combined "
                    "with `per: entry`"
                )
            )
        ratios = [bound.ratio for bound in bounds if bound.ratio is not None]
        if ratios and self.measure.distinct is not None:
            raise ValueError(_("a ratio compares counts or sums, not numbers of different values"))
        if not self.measure.count and any(ratio.round is not None for ratio in ratios):
            raise ValueError(_("only a ratio of counts can be rounded"))
        return self

    @property
    def group_path(self) -> str | None:
        """The field or choice of `per`; None for its other forms."""
        return _parse_group_path(self.per) or None


class Slots(RuleBase):
    """Attachments go into slots of their bearer: a true matching of needs to slots."""

    type: Literal["slots"]
    select: Select = Field(description="Which attachments need a slot.")
    slots: FieldName = Field(
        description="Bearer field: a list of slot types, a map of type to number, or a number of untyped slots."
    )
    need: FieldName | None = Field(
        default=None,
        description="Attachment field with its slot type (a list: any of them); absent or null fits any slot.",
    )
    size: FieldName | None = Field(
        default=None, description="Attachment field: how many slots it takes; 1 if absent."
    )


class Allow(RuleBase):
    """An attachment is allowed on a bearer only under conditions."""

    type: Literal["allow"]
    select: Select = Field(description="Which attachments the rule is about.")
    bearer: Where | None = Field(
        default=None, description="What the bearer must be; may compare with `other`."
    )
    field: FieldName | None = Field(
        default=None, description="Attachment field that holds such a condition itself."
    )


class LinkRule(RuleBase):
    """An entry is tied to another entry."""

    type: Literal["link"]
    select: Select = Field(description="Which entries need the tie.")
    link: LinkName = Field(description="The tie's name from pack.yaml.")
    target: Where = Field(
        default=Where(), description="What it may be tied to; may compare with `other`."
    )
    required: Literal["never", "several", "always"] = Field(
        default="several",
        description="Must the roster name it? `several`: only if different targets fit; one target must exist"
        " in any case. `never`: the link is optional, but a named target must fit.",
    )
    capacity: FieldName | None = Field(
        default=None, description="Field of the target: the capacity of one copy."
    )
    load: FieldName | None = Field(
        default=None,
        description="Field of the entry: the load of one copy, 0 or more; 1 if absent.",
    )


class Requires(RuleBase):
    """Each selected pick needs other picks in the roster; none is its own answer."""

    type: Literal["requires"]
    select: Select = Field(description="The picks that need something.")
    needs: Select = Field(
        description="What must be there; its tests may compare with `other`, the needing pick."
    )
    count: int = Field(default=1, ge=1, le=99, description="How many such picks, copies counted.")


Rule: TypeAlias = Annotated[
    Limit | Slots | Allow | LinkRule | Requires, Field(discriminator="type")
]


class OrderStep(Model):
    """One step of the order in which a roster goes to the table."""

    select: Select = Field(description="What is placed in this step.")
    by: FieldName | None = Field(default=None, description="Card field that sorts the step.")
    falling: bool = Field(default=True, description="Largest first.")
    after_link: LinkName | None = Field(
        default=None, description="An entry waits for the one it is tied to by this link."
    )
    label: Localized = Field(default_factory=dict, description="What the step is called.")


class Order(Model):
    """The deployment order as data."""

    source: str = Field(description="Where in the rulebook it stands.")
    steps: tuple[OrderStep, ...] = Field(min_length=1, description="One after the other.")


class Distance(Model):
    """A demand on a card's diagram: distances between its points, held by a check.

    Points are read from the card field `points` (a map of id to `{x, y, ...}`, inches from the
    table's centre). Each point that passes `select` is measured to the `to` target: `centre`,
    `centre-line` (y = 0), `nearest` (the nearest other point of the card), or a test (the nearest
    other point that passes it).
    """

    id: Id = Field(description="The demand's id.")
    source: str = Field(description="Where in the rulebook it stands.")
    cards: Where = Field(description="Which cards it holds for.")
    points: str = Field(default="points", description="Card field with the map of points.")
    select: Where = Field(default=Where(), description="Which points are measured.")
    to: Literal["centre", "centre-line"] | Literal["nearest"] | Where = Field(
        description="What they are measured to."
    )
    number: int | None = Field(default=None, description="How many points `select` must find.")
    min: float | None = Field(default=None, description="Smallest allowed distance.")
    max: float | None = Field(default=None, description="Largest allowed distance.")


class RuleSet(Model):
    """rules.yaml: the roster rules of a pack, the deployment order, and demands on diagrams."""

    page = "rules.md"

    rules: tuple[Rule, ...] = Field(default=(), description="The roster rules.")
    order: Order | None = Field(default=None, description="The deployment order.")
    distances: tuple[Distance, ...] = Field(default=(), description="Demands on diagrams.")

    @field_validator("rules")
    @classmethod
    def _check_ids(cls, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Raise ValueError if two rules have the same id: results name rules by it."""
        known: set[str] = set()
        for rule in rules:
            if rule.id in known:
                raise ValueError(_("two rules have the id {name}", name=rule.id))
            known.add(rule.id)
        return rules
