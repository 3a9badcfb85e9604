"""Checks for rules that never apply: they select no card, or their bounds are out of reach."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from builder.checks.cards.references import NOTHING_FITS, KnownNames
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, find_mentions, look_up, walk_values
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack
from builder.model.rules import (
    Allow,
    Bound,
    Limit,
    LinkRule,
    Requires,
    Rule,
    Select,
    Slots,
    Source,
    Where,
)
from builder.model.words import list_words, suggest_word
from builder.roster.resolve import (
    SelectedCard,
    make_test_selection,
    make_test_selections,
)
from builder.rules.bounds import find_bound_ends, find_empty_ranges, to_number
from builder.rules.query import (
    COMPARE,
    compile_condition,
    keep_static_part,
    list_values,
)

NO_OTHER_CARD = define(
    "rules/no-other-card",
    _("A condition uses `other`, but there is no other card to compare with"),
    _(
        "`other` works in 3 conditions only: `bearer` of `allow`, `target` of `link`, and "
        "`needs` of `requires`. Elsewhere there is no other card, so the condition is always false."
    ),
    _("Use a fixed value, or use a rule of type `allow`, `link` or `requires`."),
)
OUT_OF_REACH = define(
    "rules/out-of-reach",
    _("No squad can satisfy or break a bound of a rule"),
    _("With the pack's cards, every squad breaks the rule, or no squad can break it."),
    _("Correct the bound, the measure or the selection, or add the missing cards."),
)
UNKNOWN_CHOICE_VALUE = define(
    "rules/unknown-choice-value",
    _("A rule tests a choice for a value that it cannot have"),
    _("No model can have this value, so the condition is always false."),
    _("Correct the value, or add it to the choice in pack.yaml."),
)


@dataclass(frozen=True, slots=True)
class LocatedSelect:
    """A selection of cards in rules.yaml with its path.

    `has_other` if it is compared with another card. `is_where` if the path is that of its condition
    alone.
    """

    path: DataPath
    select: Select
    has_other: bool = False
    is_where: bool = False

    def list_conditions(self) -> Iterator[tuple[DataPath, Where]]:
        """Yield the conditions of the selection, each with its path."""
        yield (self.path if self.is_where else (*self.path, "where")), self.select.where
        if self.select.bearer is not None:
            yield (*self.path, "bearer"), self.select.bearer


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that each rule can select a card and that its bounds can be reached.

    Nothing is checked if a card cannot be read, because a rule may be about it.
    """
    document = loaded.sources.get("rules.yaml")
    pack = loaded.whole
    if document is None or loaded.verdict_errors:
        return
    reach = _SelectableCards(loaded, document, KnownNames.collect(loaded))
    for index, rule in enumerate(pack.rules.rules):
        path: DataPath = ("rules", index)
        for placed in _list_selections(rule, path):
            yield from reach.check_selection(placed)
        if isinstance(rule, Limit):
            yield from reach.check_limit(rule, path)
        elif isinstance(rule, Slots):
            yield from reach.check_slots(rule, path)
    if pack.rules.order is not None:
        for number, step in enumerate(pack.rules.order.steps):
            placed = LocatedSelect(("order", "steps", number, "select"), step.select)
            yield from reach.check_selection(placed)
    for index, distance in enumerate(pack.rules.distances):
        yield from reach.check_distance(distance.cards, ("distances", index, "cards"))


def _list_selections(rule: Rule, path: DataPath) -> Iterator[LocatedSelect]:
    """Yield all selections of a rule with their paths.

    A condition on entries counts as a selection of entries.
    """
    yield LocatedSelect((*path, "select"), rule.select)
    if rule.when is not None:
        for key in ("exists", "not_exists"):
            select: Select | None = getattr(rule.when, key)
            if select is not None:
                yield LocatedSelect((*path, "when", key), select)
    match rule:
        case Limit():
            yield from _list_selections_of_limit(rule, path)
        case Allow():
            select = Select(where=rule.bearer or Where())
            yield LocatedSelect(
                (*path, "bearer"), select, has_other=True, is_where=True
            )
        case LinkRule():
            select = Select(where=rule.target)
            yield LocatedSelect(
                (*path, "target"), select, has_other=True, is_where=True
            )
        case Requires():
            yield LocatedSelect((*path, "needs"), rule.needs, has_other=True)


def _list_selections_of_limit(rule: Limit, path: DataPath) -> Iterator[LocatedSelect]:
    """Yield the selections in the ratios and groups of a limit."""
    for key in ("min", "max", "exactly"):
        bound: Bound | None = getattr(rule, key)
        if bound is not None and bound.ratio is not None:
            yield LocatedSelect((*path, key, "ratio", "of"), bound.ratio.of)
    if rule.groups is not None:
        select = Select(source=rule.select.source, where=rule.groups)
        yield LocatedSelect((*path, "groups"), select, is_where=True)


def drop_fields(where: Where, fields: frozenset[str]) -> Where:
    """Return a condition without its tests of these fields."""
    if not fields:
        return where
    tests = {path: test for path, test in where.fields.items() if path not in fields}
    return Where(
        fields=tests,
        all=tuple(drop_fields(part, fields) for part in where.all),
        any=tuple(drop_fields(part, fields) for part in where.any),
        # a weaker part would make the negation stronger, so such a part is left out
        none=tuple(part for part in where.none if drop_fields(part, fields) == part),
    )


@dataclass(frozen=True)
class _SelectableCards:
    """Checks rules against the cards that they can select."""

    loaded: LoadedPack
    document: Document
    names: KnownNames

    @property
    def pack(self) -> Pack:
        return self.loaded.whole

    @cached_property
    def has_unknown_names(self) -> bool:
        """True if some card refers to an unknown name.

        A misspelt keyword may be why a rule selects nothing.
        """
        for card, mentioned in self.loaded.mentions.items():
            locate = self.loaded.documents[card].locate
            for mention in mentioned:
                if any(self.names.check_name(mention.ref, mention.value, locate)):
                    return True
        return False

    @cached_property
    def selected_cards(self) -> Sequence[SelectedCard]:
        """All cards that may be in a roster."""
        return tuple(make_test_selections(self.pack).values())

    @cached_property
    def chosen_fields(self) -> frozenset[str]:
        """The fields whose value depends on a player's choice and not only on the card."""
        choices = self.pack.manifest.roster.choices.values()
        has_keyword_choice = any(choice.keyword is not None for choice in choices)
        return frozenset({"keywords"} if has_keyword_choice else ())

    def check_selection(self, located_select: LocatedSelect) -> Iterator[Finding]:
        """Report the first fault of a selection. Other faults may follow from it."""
        findings: list[Finding] = []
        if not located_select.has_other:
            condition = look_up(self.document.value, located_select.path)
            findings += self._check_comparisons(condition, located_select.path)
        if not findings:
            findings += self._check_choice_values(located_select)
        if not findings and self._selects_nothing(located_select):
            message = _("no card of the pack matches this selection")
            if located_select.select.bearer is not None:
                on_any_host = located_select.select.model_copy(update={"bearer": None})
                if any(self.find_matching(on_any_host)):
                    message = _("no card with attachments matches `bearer`")
            findings.append(
                NOTHING_FITS.finding(message, self.document.locate(located_select.path))
            )
        yield from findings

    def _selects_nothing(self, located_select: LocatedSelect) -> bool:
        """Return True if a selection matches no card and no other finding explains why."""
        if any(self.find_matching(located_select.select)):
            return False
        return not self._has_reported_cause(located_select)

    def _has_reported_cause(self, located_select: LocatedSelect) -> bool:
        """Return True if another finding explains why a selection matches no card.

        An unknown name, or a range without a number.
        """
        for _path, value in walk_values(
            look_up(self.document.value, located_select.path)
        ):
            if isinstance(value, dict) and any(find_empty_ranges(value)):
                return True
        if self.has_unknown_names:
            return True
        for path, where in located_select.list_conditions():
            for mention in find_mentions(where, path):
                if not mention.key:
                    continue
                test = look_up(self.document.value, mention.path)
                if any(
                    self.names.check_test(
                        mention.value, test, mention.path, self.document
                    )
                ):
                    return True
        return False

    def _check_comparisons(self, condition: Json, path: DataPath) -> Iterator[Finding]:
        """Report comparisons with `other` where there is no other card."""
        for at, value in walk_values(condition, path):
            if (
                isinstance(value, dict)
                and value.keys() == {"other"}
                and at[-1] in COMPARE
            ):
                message = _(
                    "{field} is compared with `other`, but there is no other card here",
                    field=str(at[-2]),
                )
                yield NO_OTHER_CARD.finding(message, self.document.locate(at))

    def _check_choice_values(self, located_select: LocatedSelect) -> Iterator[Finding]:
        """Report values that a choice is compared with but never has."""
        for path, where in located_select.list_conditions():
            for mention in find_mentions(where, path):
                if mention.key and mention.value.startswith("choice."):
                    choice = mention.value.removeprefix("choice.")
                    yield from self._check_values(choice, mention.path)

    def _check_values(self, choice_name: str, path: DataPath) -> Iterator[Finding]:
        """Report the values in one test of a choice that the choice never has."""
        choice = self.pack.manifest.roster.choices.get(choice_name)
        if (
            choice is None
            or not choice.values
            or choice.free
            or choice.cards
            or choice.field
        ):
            return
        for at, value in walk_values(look_up(self.document.value, path), path):
            # a choice may well be compared with a value that it must not have
            is_required = isinstance(value, str) and at[-1] not in ("ne", "other")
            if isinstance(value, str) and is_required and value not in choice.values:
                message = _(
                    "{name} never has the value {value}", name=choice_name, value=value
                )
                hint = suggest_word(value, choice.values, _("Allowed values"))
                yield UNKNOWN_CHOICE_VALUE.finding(
                    message, self.document.locate(at), hint
                )

    def find_matching(self, select: Select) -> Iterator[SelectedCard]:
        """Yield the cards that a selection can match, whatever players choose."""
        matches = compile_condition(self._keep_fixed_part(select.where))
        if select.bearer is not None:
            host_matches = compile_condition(self._keep_fixed_part(select.bearer))
            hosts = [
                card for card in self.selected_cards if card.source is Source.ENTRIES
            ]
            if not any(host_matches(host, None) for host in hosts):
                return
        for selected in self.selected_cards:
            if select.source in (Source.ALL, selected.source) and matches(
                selected, None
            ):
                yield selected

    def _keep_fixed_part(self, where: Where) -> Where:
        """Return the part of a condition that players' choices cannot affect."""
        return keep_static_part(drop_fields(where, self.chosen_fields))

    def check_limit(self, rule: Limit, path: DataPath) -> Iterator[Finding]:
        """Report bounds that no squad can break or that no squad can keep."""
        selected = list(self.find_matching(rule.select))
        if not selected:
            return  # reported already
        min_value, max_value, what = self._measure_range(rule, selected)
        for key in ("min", "max", "exactly"):
            bound: Bound | None = getattr(rule, key)
            if bound is None or bound.ratio is not None:
                continue
            low, high = find_bound_ends(bound, self.pack)
            reason = ""
            if key != "max" and low > max_value:
                reason = _(
                    "the rule requires at least {bound:g}, but {what}",
                    bound=low,
                    what=what,
                )
            elif key != "min" and high < min_value:
                form = _(
                    "the rule allows at most {bound:g}, but every squad has at least {least:g}"
                )
                reason = _(form, bound=high, least=min_value)
            elif key == "max" and low > max_value and max_value < inf:
                reason = _(
                    "the rule allows at most {bound:g}, but {what}",
                    bound=low,
                    what=what,
                )
            elif (
                key == "exactly"
                and low == high
                and not rule.measure.sum
                and low != int(low)
            ):
                reason = _(
                    "the rule requires exactly {bound:g}, but counts whole numbers",
                    bound=low,
                )
            if reason:
                yield OUT_OF_REACH.finding(reason, self.document.locate((*path, key)))

    def _measure_range(
        self, rule: Limit, selected: Sequence[SelectedCard]
    ) -> tuple[float, float, str]:
        """Return the smallest and largest amount that a limit can measure, and why."""
        measure = rule.measure
        if measure.distinct is not None:
            if (
                measure.distinct.startswith("choice.")
                or measure.distinct in self.chosen_fields
            ):
                return 0, inf, ""
            values: set[str] = set()
            for card in selected:
                values.update(list_values(card, measure.distinct))
            form = _("the cards have {count} different values of {field}: {listed}")
            reason = _(
                form,
                count=len(values),
                field=measure.distinct,
                listed=list_words(sorted(values)) or _("none"),
            )
            return 0, len(values), reason
        if measure.sum is None:
            return 0, inf, ""
        amounts = [
            to_number(item.card.get_field(measure.sum)) or 0 for item in selected
        ]
        if measure.sum.startswith("choice.") or (
            measure.sum == "cost" and self._has_cost_steps
        ):
            return -inf, inf, ""
        reason = _("no selected card has the field {field}", field=measure.sum)
        # A squad may have any number of copies, so only the sign of the amounts limits the sum.
        low = 0 if min(amounts) >= 0 else -inf
        high = 0 if max(amounts) <= 0 else inf
        return low, high, reason

    @property
    def _has_cost_steps(self) -> bool:
        """True if further copies of some card have another cost than the first."""
        return any(kind.costs for kind in self.pack.manifest.kinds.values())

    def check_slots(self, rule: Slots, path: DataPath) -> Iterator[Finding]:
        """Report a slots rule if no card has slots."""
        hosts = [card for card in self.selected_cards if card.source is Source.ENTRIES]
        if not any(host.card.get_field(rule.slots) for host in hosts):
            message = _(
                "no card with attachments has slots in the field {field}",
                field=rule.slots,
            )
            yield OUT_OF_REACH.finding(message, self.document.locate((*path, "slots")))

    def check_distance(self, where: Where, path: DataPath) -> Iterator[Finding]:
        """Report a rule about distances that matches no card."""
        matches = compile_condition(self._keep_fixed_part(where))
        if not any(
            matches(make_test_selection(card), None)
            for card in self.pack.cards.values()
        ):
            message = _("no card of the pack matches this selection")
            yield NOTHING_FITS.finding(message, self.document.locate(path))
