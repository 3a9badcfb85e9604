"""The `limit` form: bounds on the number of cards, a sum or the different values of each group."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from builder.messages import gettext as _, pgettext
from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Pack
from builder.model.rules import Limit, Source, Where
from builder.roster.operations import Add, Remove
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.bounds import DerivedBound, Params, is_beyond, to_number
from builder.rules.candidates import (
    Candidate,
    Removals,
    find_additions,
    find_choice_changes,
    find_param_changes,
    find_removals,
    find_value_removals,
    remove_copies,
    remove_other_values,
    remove_subject,
)
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import CandidateTerm
from builder.rules.forms.base import CandidateTest, make_presence_trigger
from builder.rules.forms.measured import Kind, MeasuredForm
from builder.rules.forms.ratio import RatioConstraints, find_ratio_repairs
from builder.rules.groups import PartGroup, find_part_groups
from builder.rules.names import Names
from builder.rules.query import find_path_choices, is_static
from builder.rules.rule_index import (
    AllowedRange,
    AlwaysChecked,
    CheckedByCopies,
    CheckedBySum,
    CheckTrigger,
)
from builder.rules.violation import Headroom, Violation
from builder.rules.wording import (
    format_bound,
    format_counted,
    format_counted_by_value,
    format_derivation,
    format_selection,
)

VIOLATION_MESSAGES: Mapping[str, str] = {
    "max": _("{actual}, at most {bound} allowed"),
    "min": _("{actual}, at least {bound} needed"),
    "exactly": _("{actual}, exactly {bound} needed"),
}
LIMIT_MESSAGES: Mapping[Kind, str] = {
    "min": _("at least {bound}"),
    "max": _("at most {bound}"),
    "exactly": pgettext("rule", "exactly {bound}"),
}
BAN_VIOLATION_MESSAGE = _("{actual}, none allowed")
"""The message if a count must be 0: a ban does not read as a limit."""
BAN_MESSAGE = pgettext("rule", "none")
"""The text of a bound that is 0."""
PER_MESSAGES = {
    "roster": "",
    "card": _("for each card"),
    "entry": _("for each line of the roster"),
}
MAX_ADDED_COPIES = 9
"""Copies of a card that one repair adds."""


class LimitForm(MeasuredForm):
    """A rule of the type `limit`, compiled: bounds on a count, a sum or different values."""

    rule: Limit
    kinds_fixed_by_additions = frozenset({"min"})

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.has_lower_bound = rule.min is not None or rule.exactly is not None
        self.needs_more_cards = (rule.per != "roster" and self.has_lower_bound) or bool(
            self.ratios
        )
        counted = rule.per == "entry" and rule.measure.distinct is None
        self.sets_entry_size = counted and rule.select.source is Source.ENTRIES

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield a violation for each group of cards whose amount breaks a bound."""
        for group, actual, kind, bound in self.measure_groups(squad):
            if is_beyond(kind, actual, bound.value):
                yield self.make_group_violation(group, kind, bound, squad)

    def is_fixed_by_additions(self, violation: Violation) -> bool:
        """Return True if adding cards can fix the violation."""
        if violation.bound is not None and violation.bound.of is not None:
            return True
        if violation.kind == "exactly":
            return (
                violation.bound is not None and violation.actual < violation.bound.value
            )
        return violation.kind == "min"

    def format_sentence(self, names: Names) -> str:
        """Return a sentence: which cards count, how they are measured, and the bounds."""
        limits = []
        for kind, form in LIMIT_MESSAGES.items():
            if kind in self.bounds_by_kind:
                limits.append(self._format_limit(kind, form, names))
        select = format_selection(self.rule.select, names)
        sentence = f"{select}: {self._format_measure(names)}{', '.join(limits)}"
        if self.rule.group_path is None:
            groups = PER_MESSAGES[self.rule.per]
        else:
            groups = _("for each {field}", field=names.name_field(self.rule.group_path))
        group_text = names.translate(groups)
        return f"{sentence}, {group_text}" if group_text else sentence

    def _format_limit(self, kind: Kind, form: str, names: Names) -> str:
        """Return one bound as text, such as "at most 3"."""
        if self._is_ban(kind):
            return names.translate(BAN_MESSAGE)
        return names.translate(_(form, bound=self._format_bound(kind, names)))

    def _format_measure(self, names: Names) -> str:
        """Return the measured quantity with a space after it, or "" for a number of cards."""
        measure = self.rule.measure
        if measure.sum is not None:
            message = _("the sum of {field}", field=names.name_field(measure.sum))
        elif measure.distinct is not None:
            field = names.name_field(measure.distinct)
            message = _("different values of {field}:", field=field)
        else:
            return ""
        return names.translate(message) + " "

    def _format_bound(self, kind: Kind, names: Names) -> str:
        is_sum = self.rule.measure.sum is not None
        text = format_bound(self.bounds_by_kind[kind], names, is_sum)
        ratio = self.ratios.get(kind)
        if ratio is not None and ratio.within == "roster" and self.rule.per != "roster":
            text += " " + names.translate(_("(of the whole roster)"))
        return text

    def _is_ban(self, kind: Kind) -> bool:
        """Return True if the bound allows no card at all."""
        if kind == "min" or self.rule.measure.sum is not None:
            return False
        return self.bounds_by_kind[kind].number == 0

    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the error message: group, actual number, allowed number and counted cards."""
        bound = violation.bound
        assert bound is not None
        form = VIOLATION_MESSAGES[violation.kind]
        if (
            bound.value == 0
            and violation.kind != "min"
            and self.rule.measure.sum is None
        ):
            form = BAN_VIOLATION_MESSAGE
        text = names.translate(
            _(form, actual=f"{violation.actual:g}", bound=f"{bound.value:g}")
        )
        group = self._format_group(violation, names)
        if group:
            text = names.translate(_("{group}: ", group=group)) + text
        derivation = format_derivation(bound, names)
        if derivation:
            text += f" ({derivation})"
        counted = self._format_counted(violation, names)
        if counted:
            text += "; " + names.translate(_("counted: {names}", names=counted))
        return text

    def _format_counted(self, violation: Violation, names: Names) -> str:
        path = self.rule.measure.distinct
        if path is not None:
            return format_counted_by_value(violation.counted, path, names)
        return format_counted(violation.counted, names)

    def _format_group(self, violation: Violation, names: Names) -> str:
        path = self.rule.group_path
        name = self.name_group(
            violation.group, names, lambda _line: names.name_subject(violation)
        )
        return f"{names.name_field(path)} {name}" if path is not None else name

    def name_group(
        self, group_key: str, names: Names, name_line: Callable[[int], str]
    ) -> str:
        """Return the name of a line, a card or a value. "" for the whole roster."""
        path = self.rule.group_path
        if self.rule.per == "entry":
            return name_line(int(group_key))
        if self.rule.per == "card":
            return names.name_card(group_key)
        return names.name_value(path, group_key) if path is not None else ""

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad needs a full check by this limit.

        It compares numbers of copies if these decide the rule, else it looks for any counted card.
        """
        rule = self.rule
        if self._is_decided_by_cards():
            if rule.per == "roster":
                return CheckedBySum(
                    self._weigh_selected, self._find_allowed_range(params, None)
                )

            def find_span(selected: SelectedCard) -> AllowedRange:
                return self._find_allowed_range(params, selected.card)

            return CheckedByCopies(self.selector.matches_card, find_span)
        # a lower bound can be broken by cards that are missing
        has_groups_by_entry = (
            rule.per in ("entry", "card") and rule.select.source is Source.ENTRIES
        )
        if self.ratios or (self.has_lower_bound and not has_groups_by_entry):
            return AlwaysChecked()
        return make_presence_trigger(rule.select)

    def _is_decided_by_cards(self) -> bool:
        """Return True if the number of copies of each card is enough to decide the rule."""
        rule = self.rule
        if (
            rule.per not in ("roster", "card")
            or self.ratios
            or rule.measure.distinct is not None
        ):
            return False
        if rule.select.bearer is not None or not is_static(rule.select.where):
            return False
        field = rule.measure.sum
        if field is not None and find_path_choices(field):
            return False
        # with cost steps, a copy's cost depends on the copies before it
        if field == "cost" and any(
            kind.costs for kind in self.pack.manifest.kinds.values()
        ):
            return False
        return rule.per == "roster" or rule.measure.count

    def _weigh_selected(self, selected: SelectedCard) -> float:
        return self.weigh_card(selected) if self.selector.matches_card(selected) else 0

    def _find_allowed_range(self, params: Params, card: Card | None) -> AllowedRange:
        """Return the smallest and largest allowed number, infinite without a bound."""
        low, high = -inf, inf
        for kind, bound in self.derive_bounds(params, card):
            if kind != "max":
                low = max(low, bound.value)
            if kind != "min":
                high = min(high, bound.value)
        return low, high

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield how far each group of cards is from each of its bounds."""
        for group, actual, kind, bound in self.measure_groups(squad):
            yield Headroom(group.key, kind, actual, bound)

    def find_removals(
        self, violation: Violation, card_path: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Return the smallest sets of counted cards whose removal makes room for a refused card."""
        bound = violation.bound
        if bound is None or violation.actual < bound.value:
            return ()
        others = tuple(
            item
            for item in violation.counted
            if item.amount > 0 and item.path != card_path
        )
        if self.rule.measure.distinct is not None:
            surplus = int(violation.actual - bound.value)
            # cards with the value of the card itself do not bring the number of values down
            card_values = [
                item.value for item in violation.counted if item.path == card_path
            ]
            different = [item for item in others if item.value not in card_values[:1]]
            return remove_other_values(different, surplus)
        removable_amount = sum(item.amount for item in others)
        if violation.actual - removable_amount > bound.value:
            return ()
        without_card = self.make_violation(
            violation.kind, violation.group, others, violation.actual, bound
        )
        return _select_smallest_removals(find_removals(without_card))

    def is_broken_alone(
        self, violation: Violation, card_path: DataPath, copies: int = 1
    ) -> bool:
        """Return True if the refused card alone is beyond the bound."""
        if violation.bound is None or violation.kind == "min":
            return False
        amount = sum(
            item.amount for item in violation.counted if item.path == card_path
        )
        return amount > violation.bound.value * copies

    def find_entry_bounds(
        self, selected: SelectedCard, params: Params
    ) -> Iterator[tuple[str, DerivedBound]]:
        """Yield the bounds on the number of models in one entry, each with its kind."""
        weight = self.weigh_card(selected)
        if self.sets_entry_size and weight > 0 and self.selector.matches_card(selected):
            for kind, bound in self.derive_bounds(params, selected.card):
                # a sum of a field becomes a number of models
                yield kind, replace(bound, value=bound.value / weight)

    def find_cost_limits(self, params: Params) -> Iterator[float]:
        """Yield the upper bounds, if the rule limits the cost of the whole roster."""
        rule = self.rule
        if (
            rule.per == "roster"
            and rule.measure.sum == "cost"
            and rule.select.where == Where()
        ):
            for kind, bound in self.derive_bounds(params, None):
                if kind != "min":
                    yield bound.value

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits: other choices, then additions if too few cards, removals if too many."""
        too_few = (
            violation.bound is not None and violation.actual < violation.bound.value
        )
        yield from find_param_changes(self.rule, squad, self.pack)
        yield from find_choice_changes(violation, squad, domains, too_few)
        ratios = [
            ratio for kind, ratio in self.ratios.items() if kind == violation.kind
        ]
        if ratios:
            yield from find_ratio_repairs(violation, ratios[0], self, squad)
        elif too_few:
            yield from self._find_missing_cards(violation)
        elif self.rule.measure.distinct is None:
            yield from find_removals(violation)
        else:
            yield from find_value_removals(violation)

    def _find_missing_cards(self, violation: Violation) -> Iterator[Candidate]:
        """Yield edits that add a missing card, or remove the entry that lacks one."""
        assert violation.bound is not None
        line = int(violation.group) if self.rule.per == "entry" else -1
        if self.sets_entry_size and violation.subject is not None:
            for count in range(1, MAX_ADDED_COPIES + 1):
                yield (Add(violation.subject.card, Source.ENTRIES, line, count),)
        # of a sum or of values, one card may be enough: the check of the repair decides
        times = 1
        if self.rule.measure.count:
            times = max(1, int(violation.bound.value - violation.actual))
        if times <= MAX_ADDED_COPIES:
            yield from self._generate_additions(violation.group, line, times)
        if self.rule.per != "roster":
            yield tuple(remove_copies(item, item.count) for item in violation.counted)
            yield from remove_subject(violation)

    def _generate_additions(
        self, group: str, line: int, copies: int
    ) -> Iterator[Candidate]:
        """Yield the edit that adds copies of one card, for each card that would be counted."""
        for card, source in find_additions(self.selector, self.pack):
            if self.rule.per == "card" and card.id != group:
                continue
            if source is not Source.ATTACHMENTS:
                yield (Add(card.id, source),) * copies
            elif line >= 0:
                yield (Add(card.id, source, line),) * copies

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Add a linear constraint for each group and bound."""
        ratio_rows = {}
        for kind, ratio in self.ratios.items():
            ratio_rows[kind] = RatioConstraints(ratio, self.rule, writer)
        for group in find_part_groups(self.rule, self.selector, writer):
            terms = list(self._make_terms(writer, group.parts, self.of_one_copy))
            for kind, rows in ratio_rows.items():
                of_one_copy = self.of_one_copy and rows.ratio.within == "group"
                divided_terms = self._make_terms(
                    writer, rows.find_parts(group.key), of_one_copy
                )
                rows.add_ratio_constraint(
                    kind, terms, divided_terms, (*when, group.gate)
                )
            self._write_bounds(writer, group, terms, when)

    def _write_bounds(
        self,
        writer: ConstraintWriter,
        group: PartGroup,
        terms: Sequence[Term],
        when: tuple[int, ...],
    ) -> None:
        """Add a constraint for each bound of a group, except ratios."""
        has_negative_terms = any(factor < 0 for _var, factor in terms)
        for kind, bound in self.derive_bounds(writer.params, group.card):
            low = None if kind == "max" else bound.value
            high = None if kind == "min" else bound.value
            conditions = (*when, group.gate)
            if kind == "max" and bound.value >= 0 and not has_negative_terms:
                # An absent group has no parts, so it meets such a bound: fewer conditions make
                # the program easier.
                conditions = when
            writer.program.add_constraint(terms, low, high, conditions)

    def _make_terms(
        self,
        writer: ConstraintWriter,
        parts: Sequence[CandidateTerm],
        of_one_copy: bool,
    ) -> Iterator[Term]:
        """Yield the terms whose sum is the amount of these parts.

        With `of_one_copy` it is the amount of one model of each line.
        """
        measure, program = self.rule.measure, writer.program
        if measure.distinct is not None:
            for owners in writer.group_by_value(measure.distinct, parts).values():
                yield (program.make_positive(writer.make_presence_literal(owners)), 1)
        elif measure.sum == "cost" and not of_one_copy:
            yield from writer.model.costs.make_terms(parts)
        else:
            for part, literal in parts:
                factor = self.weigh_card(part.selected)
                if factor:
                    copies = part.is_present if of_one_copy else part.copies
                    yield (program.make_product(copies, literal), factor)

    def make_candidate_test(self, ignore_choices: bool) -> CandidateTest:
        """Return a function that tells whether adding a card can help to satisfy the limit.

        It raises an amount that is too low, or lowers one that is too high.
        """
        counts = self.make_selector(self.rule.select, ignore_choices)
        divisors = [
            self.make_selector(ratio.of, ignore_choices)
            for ratio in self.ratios.values()
        ]

        def is_candidate(
            selected: SelectedCard, _trigger_cards: Sequence[SelectedCard]
        ) -> bool:
            # the weight is known at once, while the conditions of a selector are many
            helps = self.has_lower_bound or self.weigh_card(selected) < 0
            if helps and counts.matches_card(selected):
                return True
            return any(divisor.matches_card(selected) for divisor in divisors)

        return is_candidate

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """Yield numbers of copies of one card that the bounds may require.

        They are the lower bounds, and for each ratio the copies that outweigh the squad.
        """
        copies = sum(selected.count for selected in squad.list_cards(Source.ALL))
        for ratio in self.ratios.values():
            numerator, divisor = ratio.parts
            # One copy more than all cards of the squad, weighted by the ratio, always outweighs
            # them.
            yield 1 + copies * max(numerator, divisor) // min(numerator, divisor)
        weight = self._find_largest_weight()
        if weight <= 0:
            return
        cards: list[Card | None] = [None]
        if self.rule.per in ("card", "entry"):
            cards += self.pack.cards.values()
        for card in cards:
            for kind, bound in self.derive_bounds(squad.params, card):
                if kind != "max":
                    yield max(1, math.ceil(bound.value / weight))

    def _find_largest_weight(self) -> float:
        """Return the largest amount that one copy of a card adds."""
        field = self.rule.measure.sum
        if field is None:
            return 1
        amounts = [
            to_number(card.get_field(field)) or 0 for card in self.pack.cards.values()
        ]
        return max(amounts, default=1)


def _select_smallest_removals(candidates: Iterator[Candidate]) -> tuple[Removals, ...]:
    """Return the sets of removals with the fewest copies, without duplicates."""
    copies_by_set = {}
    for steps in candidates:
        removals = [step for step in steps if isinstance(step, Remove)]
        if removals:
            key = tuple(sorted(removals, key=lambda step: str(step.path)))
            copies_by_set[key] = sum(step.count for step in removals)
    min_copies = min(copies_by_set.values(), default=0)
    return tuple(
        removals for removals, copies in copies_by_set.items() if copies == min_copies
    )
