"""The `limit` form: so many picks, so much of a field, so many different values, in each group."""

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
from builder.roster.resolve import Pick, Squad
from builder.rules.candidates import (
    Candidate,
    Removals,
    additions,
    fewer,
    fewer_values,
    other_values,
    rechoose,
    removed,
    set_params,
    without,
)
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Meant
from builder.rules.forms.base import Wants, watch_for
from builder.rules.forms.measured import Kind, MeasuredForm
from builder.rules.forms.ratio import RatioRows, mend_ratio
from builder.rules.groups import part_groups
from builder.rules.names import Names
from builder.rules.query import choices_in, is_static
from builder.rules.rule_index import AlwaysJudged, JudgedByCopies, JudgedBySum, Span, Watch
from builder.rules.violation import Derived, Headroom, Params, Violation, broken, number
from builder.rules.wording import bound_words, derivation, listed, listed_by_value, selection

BROKEN: Mapping[str, str] = {
    "max": _("{actual}, at most {bound} allowed"),
    "min": _("{actual}, at least {bound} needed"),
    "exactly": _("{actual}, exactly {bound} needed"),
}
DEMANDED: Mapping[Kind, str] = {
    "min": _("at least {bound}"),
    "max": _("at most {bound}"),
    "exactly": pgettext("rule", "exactly {bound}"),
}
NONE = {"broken": _("{actual}, none allowed"), "demanded": pgettext("rule", "none")}
"""What is said in their stead of a count that must be 0: a ban is no limit."""
PER = {"roster": "", "card": _("each card on its own"), "entry": _("each model line on its own")}
ADDED = 9
"""Copies of a card that one repair adds at most."""


class LimitForm(MeasuredForm):
    """A compiled limit."""

    rule: Limit
    later_kinds = frozenset({"min"})

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.lower = rule.min is not None or rule.exactly is not None
        self.asks_more = (rule.per != "roster" and self.lower) or bool(self.ratios)
        counted = rule.per == "entry" and rule.measure.distinct is None
        self.sizes_lines = counted and rule.select.source is Source.ENTRIES

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every group that is beyond its bound."""
        for group, actual, kind, bound in self.measured(squad):
            if broken(kind, actual, bound.value):
                yield self.beyond(group, kind, bound, squad)

    def later(self, violation: Violation) -> bool:
        """True where something lacks, and of a ratio: what it divides may grow."""
        if violation.bound is not None and violation.bound.of is not None:
            return True
        if violation.kind == "exactly":
            return violation.bound is not None and violation.actual < violation.bound.value
        return violation.kind == "min"

    def sentence(self, names: Names) -> str:
        """Who is counted, what is measured, the bounds, and in which groups."""
        measure, group, what = self.rule.measure, self.rule.group_path, ""
        if measure.sum is not None:
            what = names.say(_("the sum of {field}", field=names.field(measure.sum))) + " "
        elif measure.distinct is not None:
            what = (
                names.say(_("different values of {field}:", field=names.field(measure.distinct)))
                + " "
            )
        limits = ", ".join(
            names.say(
                NONE["demanded"] if self._bans(kind) else _(form, bound=self._bound(kind, names))
            )
            for kind, form in DEMANDED.items()
            if kind in self.stated
        )
        per = names.say(
            PER[self.rule.per] if group is None else _("for each {field}", field=names.field(group))
        )
        return f"{selection(self.rule.select, names)}: {what}{limits}" + (f", {per}" if per else "")

    def _bound(self, kind: Kind, names: Names) -> str:
        told = bound_words(self.stated[kind], names, summed=self.rule.measure.sum is not None)
        whole = (
            kind in self.ratios
            and self.ratios[kind].within == "roster"
            and self.rule.per != "roster"
        )
        return told + (" " + names.say(_("(of the whole roster)")) if whole else "")

    def _bans(self, kind: Kind) -> bool:
        """True if a bound forbids what is counted."""
        return kind != "min" and self.rule.measure.sum is None and self.stated[kind].number == 0

    def message(self, violation: Violation, names: Names) -> str:
        """The group, actual against bound, how the bound came about, what was counted."""
        bound, measure = violation.bound, self.rule.measure
        path = measure.distinct
        assert bound is not None
        actual, most = f"{violation.actual:g}", f"{bound.value:g}"
        ban = bound.value == 0 and violation.kind != "min" and measure.sum is None
        text = names.say(
            _(NONE["broken"] if ban else BROKEN[violation.kind], actual=actual, bound=most)
        )
        group = self._group(violation, names)
        text = names.say(_("{group}: ", group=group)) + text if group else text
        text += f" ({how})" if (how := derivation(bound, names)) else ""
        counted = (
            listed_by_value(violation.counted, path, names)
            if path
            else listed(violation.counted, names)
        )
        return text + ("; " + names.say(_("counted: {names}", names=counted)) if counted else "")

    def _group(self, violation: Violation, names: Names) -> str:
        name, path = (
            self.group_name(violation.group, names, lambda _line: names.subject(violation)),
            self.rule.group_path,
        )
        return f"{names.field(path)} {name}" if path is not None else name

    def group_name(self, group: str, names: Names, line: Callable[[int], str]) -> str:
        """A line, a card, a value; nothing for the whole roster."""
        if self.rule.per == "entry":
            return line(int(group))
        if self.rule.per == "card":
            return names.card(group)
        return names.value(self.rule.group_path, group) if self.rule.group_path is not None else ""

    def watch_picks(self, params: Params) -> Watch:
        """Return a watch by numbers where the cards alone decide, else one for the cards that may concern the rule."""
        rule = self.rule
        if self._is_decided_by_cards():
            if rule.per == "card":
                return JudgedByCopies(
                    self.selector.takes, lambda pick: self._span(params, pick.card)
                )
            return JudgedBySum(self._weight_of_selected, self._span(params, None))
        may_break_without_picks = self.lower and not (
            rule.per in ("entry", "card") and rule.select.source is Source.ENTRIES
        )
        return AlwaysJudged() if self.ratios or may_break_without_picks else watch_for(rule.select)

    def _is_decided_by_cards(self) -> bool:
        """True if the number of copies of each card, or a sum over all cards, decides the rule."""
        rule, summed_field = self.rule, self.rule.measure.sum or ""
        if (
            rule.per not in ("roster", "card")
            or rule.select.bearer is not None
            or not is_static(rule.select.where)
        ):
            return False
        if self.ratios or rule.measure.distinct is not None or choices_in(summed_field):
            return False
        if summed_field == "cost" and any(kind.costs for kind in self.pack.manifest.kinds.values()):
            return False
        return rule.per == "roster" or rule.measure.count

    def _weight_of_selected(self, pick: Pick) -> int | float:
        return self.weight(pick) if self.selector.takes(pick) else 0

    def _span(self, params: Params, card: Card | None) -> Span:
        """Return the smallest and the largest number allowed, infinite where no bound applies."""
        low, high = -inf, inf
        for kind, bound in self.bounds(params, card):
            if kind != "max":
                low = max(low, bound.value)
            if kind != "min":
                high = min(high, bound.value)
        return low, high

    def headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Every group against every bound."""
        for group, actual, kind, bound in self.measured(squad):
            yield Headroom(group.key, kind, actual, bound)

    def removals(self, violation: Violation, place: DataPath, card: Card) -> tuple[Removals, ...]:
        """The smallest sets of counted picks."""
        if violation.bound is None or violation.actual < violation.bound.value:
            return ()
        others = tuple(item for item in violation.counted if item.amount > 0 and item.path != place)
        if self.rule.measure.distinct is not None:
            own = next((item.value for item in violation.counted if item.path == place), None)
            surplus = int(violation.actual - violation.bound.value)
            return other_values([item for item in others if item.value != own], surplus)
        if violation.actual - sum(item.amount for item in others) > violation.bound.value:
            return ()
        kept = self.violation(
            violation.kind, violation.group, others, violation.actual, violation.bound
        )
        steps = (
            [step for step in found if isinstance(step, Remove)] for found in fewer(kept) if found
        )
        found = tuple(
            dict.fromkeys(
                tuple(sorted(removals, key=lambda step: str(step.path))) for removals in steps
            )
        )
        sizes = [sum(step.count for step in removals) for removals in found]
        return tuple(
            removals for removals, size in zip(found, sizes, strict=True) if size == min(sizes)
        )

    def alone(self, violation: Violation, place: DataPath, copies: int = 1) -> bool:
        """By what the pick itself adds."""
        own = sum(item.amount for item in violation.counted if item.path == place)
        return (
            violation.bound is not None
            and violation.kind != "min"
            and own > violation.bound.value * copies
        )

    def line_bounds(self, pick: Pick, params: Params) -> Iterator[tuple[str, Derived]]:
        """Those of a limit that counts the models of each line, or sums up a field of theirs, in models."""
        weight = self.weight(pick)
        if self.sizes_lines and weight > 0 and self.selector.takes(pick):
            for kind, bound in self.bounds(params, pick.card):
                yield kind, replace(bound, value=bound.value / weight)

    def cost_limits(self, params: Params) -> Iterator[int | float]:
        """Those of a limit on the sum of costs of the whole roster."""
        rule = self.rule
        if rule.per == "roster" and rule.measure.sum == "cost" and rule.select.where == Where():
            yield from (bound.value for kind, bound in self.bounds(params, None) if kind != "min")

    def repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Other choices; then additions where something lacks, removals where there is too much."""
        too_few = violation.bound is not None and violation.actual < violation.bound.value
        yield from set_params(self.rule, squad, self.pack)
        yield from rechoose(violation, squad, domains, too_few)
        ratio = next((self.ratios[kind] for kind in self.ratios if kind == violation.kind), None)
        if ratio is not None:
            yield from mend_ratio(violation, ratio, self, squad)
        elif too_few:
            yield from self._more(violation)
        else:
            yield from (
                fewer(violation) if self.rule.measure.distinct is None else fewer_values(violation)
            )

    def _more(self, violation: Violation) -> Iterator[Candidate]:
        """Additions of one card (as often as the count lacks), or the removal of the entry that lacks something."""
        assert violation.bound is not None
        line = int(violation.group) if self.rule.per == "entry" else -1
        if self.sizes_lines and violation.subject is not None:
            own = violation.subject.card
            yield from ((Add(own, Source.ENTRIES, line, count),) for count in range(1, ADDED + 1))
        times = (
            max(1, int(violation.bound.value - violation.actual)) if self.rule.measure.count else 1
        )
        for card, source in additions(self.selector, self.pack):
            fits = self.rule.per != "card" or card.id == violation.group
            if fits and times <= ADDED and (source is not Source.ATTACHMENTS or line >= 0):
                yield (Add(card.id, source, line if source is Source.ATTACHMENTS else -1),) * times
        if self.rule.per != "roster":
            yield tuple(without(item, item.count) for item in violation.counted)
            yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each group within its bounds."""
        shares = {kind: RatioRows(ratio, self.rule, writer) for kind, ratio in self.ratios.items()}
        for group in part_groups(self.rule, self.selector, writer):
            terms = list(self._terms(writer, group.parts, self.of_one_copy))
            for kind, share in shares.items():
                of_one_copy = self.of_one_copy and share.ratio.within == "group"
                whole = self._terms(writer, share.parts(group.key), of_one_copy)
                share.add(kind, terms, whole, (*when, group.gate))
            for kind, bound in self.bounds(writer.params, group.card):
                low = None if kind == "max" else bound.value
                high = None if kind == "min" else bound.value
                plain = (
                    kind == "max" and bound.value >= 0 and all(factor >= 0 for _, factor in terms)
                )
                writer.program.add(terms, low, high, when if plain else (*when, group.gate))

    def _terms(
        self, writer: RowWriter, parts: Sequence[Meant], of_one_copy: bool
    ) -> Iterator[Term]:
        """What the parts come to: `of_one_copy` of each line, else all its copies."""
        rule, program = self.rule, writer.program
        if rule.measure.distinct is not None:
            holders = writer.by_value(rule.measure.distinct, parts)
            yield from ((program.positive(writer.some(owners)), 1) for owners in holders.values())
            return
        if rule.measure.sum == "cost" and not of_one_copy:
            yield from writer.model.costs.terms(parts)
            return
        for part, literal in parts:
            if factor := self.weight(part.pick):
                yield (program.times(part.on if of_one_copy else part.many, literal), factor)

    def wants(self, weak: bool) -> Wants:
        """What may bring a lower bound nearer, or takes from an upper one."""
        takes = self.selector_of(self.rule.select, weak)
        others = [self.selector_of(ratio.of, weak) for ratio in self.ratios.values()]
        return lambda pick, _asking: (
            (takes.takes(pick) and (self.lower or self.weight(pick) < 0))
            or any(of.takes(pick) for of in others)
        )

    def needed_copies(self, squad: Squad) -> Iterator[int]:
        """Lower bounds; of a ratio as many as would outweigh all that is there."""
        copies = sum(pick.count for pick in squad.picks(Source.ALL))
        yield from (
            1 + copies * max(ratio.parts) // min(ratio.parts) for ratio in self.ratios.values()
        )
        cards = self.pack.cards.values() if self.rule.per in ("card", "entry") else ()
        field = self.rule.measure.sum
        held = (
            (number(card.field(field)) or 0 for card in self.pack.cards.values())
            if field is not None
            else ()
        )
        weight = max(held, default=1) if field is not None else 1
        for card in (None, *cards):
            for kind, bound in self.bounds(squad.params, card):
                if kind != "max" and weight > 0:
                    yield max(1, math.ceil(bound.value / weight))
