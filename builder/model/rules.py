"""rules.yaml as models: the closed language in which a game states its roster limits.

Every form is linear in the number of picks, so that one text can judge a roster, explain a refusal,
list what may be picked next and complete a half-built squad with a solver. A new form or predicate
needs two packs that want it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, field_validator, model_validator

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.base import (
    Announcement,
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
    """A value of the other card in a comparison.

    The other card is the model, the target, or the card with the condition.
    """

    other: FieldName = Field(
        description="Dotted path of a field of the other card, or `choice.NAME`."
    )


class Test(Model):
    """Comparisons with one field of a card, all of which must be true.

    All its parts must be true. A missing field (or null) fails every part except `exists:
    false`, `ne` and `lacks`.
    """

    eq: Scalar | Ref | None = Field(default=None, description="Equal to.")
    ne: Scalar | Ref | None = Field(default=None, description="Not equal to.")
    lt: int | float | Ref | None = Field(default=None, description="Less than.")
    le: int | float | Ref | None = Field(default=None, description="At most.")
    gt: int | float | Ref | None = Field(default=None, description="Greater than.")
    ge: int | float | Ref | None = Field(default=None, description="At least.")
    one_of: tuple[Scalar, ...] | None = Field(
        default=None, description="One of these values."
    )
    has: Scalar | Ref | None = Field(
        default=None, description="The list or map contains this value or key."
    )
    has_any: tuple[Scalar, ...] | None = Field(
        default=None, description="The list or map contains at least one of these."
    )
    lacks: Scalar | Ref | None = Field(
        default=None, description="The list or map does not contain this."
    )
    exists: bool | None = Field(
        default=None, description="The field is present and not null."
    )


class Where(Model):
    """A condition that selects cards by their fields.

    Every key is a field and its test, and all tests must be true. Keys are dotted card fields
    (`cost`, `keywords`, `slots.head`), `choice.NAME` for a choice of the roster entry, or the
    combinations `any`, `all` and `none`. A single value means `eq`, a list means `one_of`. In a
    card, the condition selects the models that may have the card attached. In a rule, it
    selects the cards that are counted.
    """

    spread = "fields"

    fields: Mapping[FieldName, Test] = Field(
        default_factory=dict, description="Tests of fields."
    )
    any: "tuple[Where, ...]" = Field(
        default=(), description="At least one of these conditions is true."
    )
    all: "tuple[Where, ...]" = Field(
        default=(), description="All of these conditions are true."
    )
    none: "tuple[Where, ...]" = Field(
        default=(), description="None of these conditions is true."
    )

    @model_validator(mode="before")
    @classmethod
    def _expand_tests(cls, value: object) -> object:
        """Accept `{cost: 3, keywords: {has: x}}` in place of `{fields: {cost: {eq: 3}, ...}}`."""
        if not isinstance(value, Mapping) or "fields" in value:
            return value
        condition: dict[str, object] = {}
        tests: dict[str, object] = {}
        for key, item in value.items():
            if key in ("any", "all", "none"):
                condition[key] = item
            else:
                tests[key] = _expand_test(item)
        condition["fields"] = tests
        return condition


def _expand_test(value: object) -> object:
    """Convert the short form of a test: a scalar means `eq`, a list means `one_of`."""
    if isinstance(value, bool | int | float | str):
        return {"eq": value}
    if isinstance(value, list | tuple):
        return {"one_of": value}
    return value


class Source(StrEnum):
    """The section of a roster from which cards are selected: entries, attachments, deck or all."""

    ENTRIES = "entries"
    ATTACHMENTS = "attachments"
    DECK = "deck"
    ALL = "all"


class Select(Model):
    """A selection of cards from a roster."""

    source: Source = Field(
        default=Source.ENTRIES,
        alias="from",
        description="The part of the roster: entries, attachments, deck or all.",
    )
    where: Where = Field(default=Where(), description="Only cards that pass this test.")
    bearer: Where | None = Field(
        default=None, description="Attachments only: a test of the entry that has it."
    )

    model_config = ConfigDict(populate_by_name=True)


class Measure(Model):
    """The quantity that is measured: number of cards, a sum, or the number of different values."""

    count: bool = Field(
        default=False, description="The number of cards, with all copies."
    )
    sum: FieldName | None = Field(
        default=None, description="The sum of this card field."
    )
    distinct: FieldName | None = Field(
        default=None, description="The number of different values of this field."
    )

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, value: object) -> object:
        return {"count": True} if value == "count" else value

    _check_one = require_exactly_one("count", "sum", "distinct")


class OnePer(Model):
    """A bound that allows one for every N of an amount."""

    each: float | FieldName = Field(
        description="N: a number, or the card field with it."
    )
    of: ParamName = Field(description="The roster parameter that is divided.")
    round: Literal["down", "up"] = Field(
        default="down", description="How a remainder is treated."
    )


class Share(Model):
    """A bound that is a share of a roster parameter, such as a third of the points.

    The card field contains the share, such as `1/3`. A whole number is used as it is.
    """

    field: FieldName = Field(description="The card field with `1/N` or a whole number.")
    of: ParamName = Field(
        description="The roster parameter that the share is taken of."
    )
    round: Literal["down", "up"] = Field(
        default="down", description="How a remainder is treated."
    )


class Ratio(Model):
    """A bound that is a share of the number or sum of other cards."""

    share: Annotated[str, Field(pattern=r"^[1-9]\d{0,3}/[1-9]\d{0,3}$")] = Field(
        description="The share, such as `1/3`."
    )
    of: Select = Field(
        default=Select(), description="The cards whose count (or sum) is divided."
    )
    within: Literal["roster", "group"] = Field(
        default="roster",
        description="`group`: only the cards in the measured group (see `per`).",
    )
    round: Literal["down", "up"] | None = Field(
        default=None,
        description="Counts only: how a remainder is treated; exact if absent.",
    )

    @property
    def parts(self) -> tuple[int, int]:
        """The numerator and the denominator of the share."""
        top, _unused, divisor = self.share.partition("/")
        return int(top), int(divisor)


class Bound(Model):
    """A limit and how it is calculated. It has exactly one form."""

    number: int | float | None = Field(default=None, description="A fixed number.")
    param: ParamName | None = Field(default=None, description="A roster parameter.")
    field: FieldName | None = Field(
        default=None, description="A field of the card (with `per: card` or `entry`)."
    )
    one_per: OnePer | None = Field(
        default=None, description="One for every N of a parameter."
    )
    share: Share | None = Field(
        default=None, description="A share written on the card."
    )
    table: Mapping[str, int | float] | None = Field(
        default=None, description="A number for each value of the parameter in `by`."
    )
    by: ParamName | None = Field(
        default=None, description="The parameter that selects from `table`."
    )
    sum: "tuple[Bound, ...]" = Field(
        default=(),
        description="Bounds to add. If one of them is missing, there is no bound.",
    )
    ratio: Ratio | None = Field(
        default=None, description="A share of the count or sum of other cards."
    )

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
        """The fields of the measured card that the bound is calculated from."""
        one_per_field = self.one_per.each if self.one_per is not None else None
        share_field = self.share.field if self.share is not None else None
        possible_fields = (self.field, share_field, one_per_field)
        fields = [name for name in possible_fields if isinstance(name, str)]
        for part in self.sum:
            fields += part.card_fields
        return tuple(fields)


class Condition(Model):
    """The condition under which a rule applies. All its keys must be true."""

    params: Mapping[ParamName, Scalar | tuple[Scalar, ...]] = Field(
        default_factory=dict,
        description="Values of parameters; a list means any of them.",
    )
    exists: Select | None = Field(
        default=None, description="At least one such card is in the squad."
    )
    not_exists: Select | None = Field(
        default=None, description="No such card is in the squad."
    )


class RuleBase(Model):
    """The keys that all rules have in common."""

    id: Id = Field(description="The rule's id. Messages name it.")
    title: Localized = Field(description="A short name per language.")
    source: Annotated[str, Field(min_length=1)] | Localized = Field(
        description="The place in the rulebook, as one text or one per language."
    )
    severity: Severity = Field(
        default=Severity.ERROR, description="Severity: error or warning."
    )
    when: Condition | None = Field(
        default=None, description="When the rule applies; always if absent."
    )
    hint: Localized = Field(
        default_factory=dict, description="Advice for a fix, per language."
    )
    announcement: Announcement | None = Field(
        default=None,
        description="The page on which the rule or its last change was announced.",
    )

    @property
    def group_path(self) -> str | None:
        """The path whose values form groups, `choice.NAME` for a choice.

        None for a rule without such groups.
        """
        return None


def _parse_group_path(per: str) -> str:
    """Return the card field or `choice.NAME` that `per` names, or ""."""
    form, _unused, name = per.partition(" ")
    return {"field": name, "choice": f"choice.{name}"}.get(form, "")


class Limit(RuleBase):
    """A rule that sets a minimum, maximum or exact number of cards, points or different values."""

    type: Literal["limit"]
    select: Select = Field(default=Select(), description="The cards that are counted.")
    per: Annotated[str, NameOf("field", _parse_group_path)] = Field(
        default="roster",
        pattern=r"^(roster|card|entry|field \S+|choice \S+)$",
        description=(
            "`roster`, `card` (each different card), `entry` (each line of the "
            "roster), or `field PATH` / `choice NAME` (each value among the selected "
            "cards). For entries, `entry` measures the count; otherwise what one copy carries."
        ),
    )
    groups: Where | None = Field(
        default=None,
        description=(
            "With `field` or `choice`: the cards whose values form the groups. A "
            "value without selected cards counts as 0. The selected cards if absent."
        ),
    )
    measure: Measure = Field(description="The printed name of what is counted.")
    min: Bound | None = Field(default=None, description="Minimum.")
    max: Bound | None = Field(default=None, description="Maximum.")
    exactly: Bound | None = Field(default=None, description="The only allowed value.")

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        bounds = [
            bound for bound in (self.min, self.max, self.exactly) if bound is not None
        ]
        if not bounds:
            raise ValueError(_("give at least one of min, max, exactly"))
        if self.exactly is not None and len(bounds) > 1:
            raise ValueError(_("exactly cannot be combined with min or max"))
        if self.per not in ("card", "entry") and any(
            bound.card_fields for bound in bounds
        ):
            raise ValueError(
                _("a bound from a card's field needs `per: card` or `per: entry`")
            )
        if self.groups is not None and not self.per.startswith(("field ", "choice ")):
            raise ValueError(_("`groups` needs `per: field` or `per: choice`"))
        if self.per == "entry" and self.select.source is Source.DECK:
            form = _(
                "the deck belongs to the whole roster: `from: deck` cannot be combined "
                "with `per: entry`"
            )
            raise ValueError(form)
        self._check_ratios([bound.ratio for bound in bounds if bound.ratio is not None])
        return self

    def _check_ratios(self, ratios: Sequence[Ratio]) -> None:
        if ratios and self.measure.distinct is not None:
            raise ValueError(
                _("a ratio compares counts or sums, not numbers of different values")
            )
        if not self.measure.count and any(ratio.round is not None for ratio in ratios):
            raise ValueError(_("only a ratio of counts can be rounded"))

    @property
    def group_path(self) -> str | None:
        """The field or choice that `per` names, or None for its other forms."""
        return _parse_group_path(self.per) or None


class Slots(RuleBase):
    """A rule that attachments need slots of their model. Each slot is used once."""

    type: Literal["slots"]
    select: Select = Field(description="The attachments that need a slot.")
    slots: FieldName = Field(
        description=(
            "Field of the model: a list of slot types, a map of type to number, or a "
            "number of untyped slots."
        )
    )
    need: FieldName | None = Field(
        default=None,
        description=(
            "Field of the attachment with its slot type, or a list of possible "
            "types. Without it, any slot fits."
        ),
    )
    size: FieldName | None = Field(
        default=None,
        description="Field of the attachment: number of slots that it needs; 1 if absent.",
    )


class Allow(RuleBase):
    """A rule that allows an attachment only on certain models."""

    type: Literal["allow"]
    select: Select = Field(description="The attachments that the rule is about.")
    bearer: Where | None = Field(
        default=None,
        description="A condition for the model with the attachment; can compare with `other`.",
    )
    field: FieldName | None = Field(
        default=None,
        description="Field of the attachment that contains such a condition.",
    )


class LinkRule(RuleBase):
    """A rule that links an entry to another entry."""

    type: Literal["link"]
    select: Select = Field(description="The entries that need the link.")
    link: LinkName = Field(description="The link's name in pack.yaml.")
    target: Where = Field(
        default=Where(),
        description="A condition for the target; can compare with `other`.",
    )
    required: Literal["never", "several", "always"] = Field(
        default="several",
        description="Must the roster name it? `several`: only if "
        "different targets fit; one target must exist"
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
    """A rule that cards need other cards in the roster."""

    type: Literal["requires"]
    select: Select = Field(description="The cards that need something.")
    needs: Select = Field(
        description="The needed cards; can compare with `other`, the card that needs them."
    )
    count: int = Field(
        default=1, ge=1, le=99, description="Number of needed cards, with all copies."
    )


Rule: TypeAlias = Annotated[
    Limit | Slots | Allow | LinkRule | Requires, Field(discriminator="type")
]


class OrderStep(Model):
    """One step of the order in which cards are deployed."""

    select: Select = Field(description="The cards that are placed in this step.")
    by: FieldName | None = Field(
        default=None, description="Card field that sorts the cards of the step."
    )
    falling: bool = Field(default=True, description="True: largest first.")
    after_link: LinkName | None = Field(
        default=None, description="An entry is placed after the target of this link."
    )
    label: Localized = Field(default_factory=dict, description="The name of the step.")


class Order(Model):
    """The order in which the cards of a squad are deployed."""

    source: str = Field(description="The place in the rulebook.")
    steps: tuple[OrderStep, ...] = Field(
        min_length=1, description="The steps in their order."
    )


class Distance(Model):
    """A requirement for the distances between points of a card's diagram.

    Points are read from the card field `points`: a map of id to `{x, y, ...}`, in inches from
    the centre of the table. Each point that passes `select` is measured to the target `to`. It
    is `centre`, `centre-line` (y = 0), `nearest` (the nearest other point of the card), or a
    test (the nearest other point that passes it).
    """

    id: Id = Field(description="The requirement's id.")
    source: str = Field(description="The place in the rulebook.")
    cards: Where = Field(description="The cards that it applies to.")
    points: str = Field(
        default="points", description="Card field with the map of points."
    )
    select: Where = Field(default=Where(), description="The points to measure.")
    to: Literal["centre", "centre-line"] | Literal["nearest"] | Where = Field(
        description="The target of the measurement."
    )
    number: int | None = Field(
        default=None, description="Number of points that `select` must match."
    )
    min: float | None = Field(default=None, description="Minimum distance.")
    max: float | None = Field(default=None, description="Maximum distance.")


class RuleSet(Model):
    """rules.yaml: the rules for rosters, the deployment order, and distances in diagrams."""

    page = "rules.md"

    rules: tuple[Rule, ...] = Field(default=(), description="The roster rules.")
    order: Order | None = Field(default=None, description="The deployment order.")
    distances: tuple[Distance, ...] = Field(
        default=(), description="Requirements for diagrams."
    )

    @field_validator("rules")
    @classmethod
    def _check_ids(cls, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Raise ValueError if two rules have the same id, because results name rules by id."""
        seen_ids: set[str] = set()
        for rule in rules:
            if rule.id in seen_ids:
                raise ValueError(_("two rules have the id {name}", name=rule.id))
            seen_ids.add(rule.id)
        return rules
