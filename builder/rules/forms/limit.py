"""The `limit` form: so many picks, so much of a field, so many different values, in each group."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from builder.messages import gettext as _, pgettext
from builder.model.base import Path
from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Pack
from builder.model.rules import Bound, Limit, Select, Source, Where
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
    without,
)
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import Meant, RowWriter
from builder.rules.forms.base import Mentions, PickRoom, RuleForm, Wants
from builder.rules.groups import PickGroup, groups, part_groups
from builder.rules.headroom import MANY, Headroom, times_left
from builder.rules.names import Names
from builder.rules.query import compile_where, is_static, values
from builder.rules.rule_index import INFINITE, RuleIndex
from builder.rules.violation import Counted, Derived, Params, Violation, broken, derive, number
from builder.rules.wording import bound_words, derivation, listed, listed_by_value, selection

Kind: TypeAlias = Literal["max", "min", "exactly"]
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


class _GroupRoom(PickRoom):
    """The room of a limit: the groups of one squad, measured once."""

    judging: "LimitForm"

    def __init__(self, form: "LimitForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self.groups = {group.key: group for group in form.groups(squad)}
        self.measured = {key: form.measure(group.picks) for key, group in self.groups.items()}

    def more(self, pick: Pick) -> int:
        """As many as every group has room for that the pick would join."""
        return min(
            (self._fits(group, pick, kind, bound.value) for group, kind, bound in self._joined(pick)), default=MANY
        )

    def refusal(self, pick: Pick) -> Violation:
        """The first group that has no room."""
        for group, kind, bound in self._joined(pick):
            if self._fits(group, pick, kind, bound.value) < 1:
                grown = PickGroup(group.key, (*group.picks, pick), group.card)
                return self.judging.beyond(grown, kind, self.judging.measure(grown.picks), bound)
        raise AssertionError("a limit with room refuses nothing")

    def _joined(self, pick: Pick) -> Iterator[tuple[PickGroup, Kind, Derived]]:
        """The groups that the pick would join, as they are without it, with their bounds."""
        for group in self._groups(pick):
            for kind, bound in self.judging.bounds(self.squad.params, group.card):
                yield group, kind, bound

    def _groups(self, pick: Pick) -> Iterator[PickGroup]:
        form, per = self.judging, self.judging.rule.per
        if per == "entry":
            yield from self._of_entry(pick)
        elif not form.selector.takes(pick):
            return
        elif per == "roster":
            yield self.groups[""]
        else:
            opens = form.whose is None or form.whose(pick, None)
            for value in values(pick, form.rule.group_path or "id"):
                if value in self.groups or opens:
                    yield self.groups.get(value, PickGroup(value, (), pick.card if per == "card" else None))

    def _of_entry(self, pick: Pick) -> Iterator[PickGroup]:
        """A new entry is a group of its own, an attachment joins its bearer's."""
        selector = self.judging.selector
        if pick.source is Source.ENTRIES and selector.source in (Source.ENTRIES, Source.ALL):
            if selector.bearer is None and selector.passes(pick, None):
                yield PickGroup(str(pick.line), (), pick.card)
        elif pick.bearer is not None and selector.source in (Source.ATTACHMENTS, Source.ALL):
            key = str(pick.bearer.line)
            if key in self.groups and selector.passes(pick, None):
                yield self.groups[key]

    def _fits(self, group: PickGroup, pick: Pick, kind: Kind, bound: int | float) -> int:
        """How many more such picks one group has room for under one bound."""
        form, actual = self.judging, self.measured.get(group.key, 0)
        if form.rule.measure.distinct is not None:
            after = form.measure((*group.picks, pick))
            return 0 if kind != "min" and after > bound and after > actual else MANY
        times = times_left(kind, actual, bound, form.amount(pick))
        if form.rule.per == "entry" and pick.source is Source.ENTRIES:
            return MANY if times >= 1 else 0
        return times


class LimitForm(RuleForm):
    """A compiled limit."""

    rule: Limit
    pick_room = _GroupRoom
    later_kinds = frozenset({"min"})

    def __init__(self, rule: Limit, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.whose = compile_where(rule.groups) if rule.groups is not None else None
        stated: dict[Kind, Bound | None] = {"max": rule.max, "min": rule.min, "exactly": rule.exactly}
        self.stated = {kind: bound for kind, bound in stated.items() if bound is not None}
        self.of_one_copy = rule.per == "entry" and rule.select.source is not Source.ENTRIES
        self.lower = rule.min is not None or rule.exactly is not None
        self.asks_more = rule.per != "roster" and self.lower
        self.counts_lines = rule.per == "entry"
        self.sizes_lines = self.counts_lines and rule.measure.distinct is None and rule.select.source is Source.ENTRIES

    def groups(self, squad: Squad) -> Iterator[PickGroup]:
        """The groups of a squad, in the order of the file."""
        return groups(self.rule, self.selector, self.whose, squad)

    def amount(self, pick: Pick) -> int | float:
        """What one pick adds to a count or sum; per entry, what one copy of the entry has."""
        return (1 if self.of_one_copy else pick.count) * self._weight(pick)

    def _weight(self, pick: Pick) -> int | float:
        return 1 if self.rule.measure.sum is None else number(pick.value(self.rule.measure.sum)) or 0

    def measure(self, picks: Sequence[Pick]) -> int | float:
        """The measured value of a group."""
        path = self.rule.measure.distinct
        if path is not None:
            return len({value for pick in picks for value in values(pick, path)})
        return sum(self.amount(pick) for pick in picks)

    def bounds(self, params: Params, card: Card | None) -> Iterator[tuple[Kind, Derived]]:
        """The bounds that apply, each with the way it would be broken."""
        for kind, bound in self.stated.items():
            derived = derive(bound, params, card)
            if derived is not None:
                yield kind, derived

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every group that is beyond its bound."""
        for group in self.groups(squad):
            actual = self.measure(group.picks)
            for kind, bound in self.bounds(squad.params, group.card):
                if broken(kind, actual, bound.value):
                    yield self.beyond(group, kind, actual, bound)

    def beyond(self, group: PickGroup, kind: Kind, actual: int | float, bound: Derived) -> Violation:
        """One group's violation; picks that add nothing are not named."""
        path = self.rule.measure.distinct
        named: list[Counted] = []
        for pick in group.picks:
            held = values(pick, path) if path else ()
            if amount := int(bool(held)) if path else self.amount(pick):
                named.append(Counted(pick.path, pick.card.id, amount, pick.count, ", ".join(held) if path else None))
        entry = group.card if self.rule.per == "entry" else None
        where = Counted(("entries", int(group.key)), entry.id, 0) if entry is not None else None
        return self.violation(kind, group.key, tuple(named), actual, bound, where)

    def later(self, violation: Violation) -> bool:
        """True where something lacks."""
        if violation.kind == "exactly":
            return violation.bound is not None and violation.actual < violation.bound.value
        return violation.kind == "min"

    def sentence(self, names: Names) -> str:
        """Who is counted, what is measured, the bounds, and in which groups."""
        measure, group, what = self.rule.measure, self.rule.group_path, ""
        if measure.sum is not None:
            what = names.say(_("the sum of {field}", field=names.field(measure.sum))) + " "
        elif measure.distinct is not None:
            what = names.say(_("different values of {field}:", field=names.field(measure.distinct))) + " "
        limits = ", ".join(
            names.say(NONE["demanded"] if self._bans(kind) else _(form, bound=bound_words(self.stated[kind], names)))
            for kind, form in DEMANDED.items()
            if kind in self.stated
        )
        per = names.say(PER[self.rule.per] if group is None else _("for each {field}", field=names.field(group)))
        return f"{selection(self.rule.select, names)}: {what}{limits}" + (f", {per}" if per else "")

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
        text = names.say(_(NONE["broken"] if ban else BROKEN[violation.kind], actual=actual, bound=most))
        group = self._group(violation, names)
        text = names.say(_("{group}: ", group=group)) + text if group else text
        text += f" ({how})" if (how := derivation(bound, names)) else ""
        counted = listed_by_value(violation.counted, path, names) if path else listed(violation.counted, names)
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

    def mentions(self) -> Mentions:
        """The field measured and that of the groups too."""
        measure = self.rule.measure
        return replace(
            super().mentions(), fields={"measure": measure.sum or measure.distinct, "per": self.rule.group_path}
        )

    def index(self, number: int, index: RuleIndex) -> None:
        """A row of numbers where the cards alone decide and not entry by entry; else asked where a card may concern it,
        always where nothing may break it too."""
        rule = self.rule
        if self._tabular():
            self._tabulate(number, index)
        elif rule.per == "roster" and self.lower:
            index.always.add(number)
        elif not self.lower or (rule.per in ("entry", "card") and rule.select.source is Source.ENTRIES):
            index.ask(number, rule.select)
        elif rule.per == "entry":
            index.ask(number, Select(where=rule.select.bearer or Where()))
        else:
            groups = rule.groups if rule.groups is not None else rule.select.where
            index.ask(number, Select(source=rule.select.source, where=groups))

    def _tabular(self) -> bool:
        rule = self.rule
        if rule.per not in ("roster", "card") or rule.select.bearer is not None or not is_static(rule.select.where):
            return False
        asked = rule.measure.sum or rule.measure.distinct or ""
        return not asked.startswith("choice.") and (rule.per == "roster" or rule.measure.count)

    def _tabulate(self, number: int, index: RuleIndex) -> None:
        taken = [pick for pick in index.picks.values() if self.selector.takes(pick)]
        if self.rule.per == "card":
            for pick in taken:
                index.bound_copies(number, pick.card.id, *self._span(index.params, pick.card))
        elif self.rule.measure.distinct is not None:
            held = {pick.card.id: values(pick, self.rule.measure.distinct) for pick in taken}
            index.bound_values(number, held, *self._span(index.params, None))
        else:
            weights = {pick.card.id: weight for pick in taken if (weight := self._weight(pick))}
            index.bound_sum(number, weights, *self._span(index.params, None))

    def _span(self, params: Params, card: Card | None) -> tuple[float, float]:
        """Least and most allowed, unlimited where no bound applies."""
        bounds = list(self.bounds(params, card))
        least = max((bound.value for kind, bound in bounds if kind != "max"), default=-INFINITE)
        return least, min((bound.value for kind, bound in bounds if kind != "min"), default=INFINITE)

    def headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Every group against every bound."""
        for group in self.groups(squad):
            for kind, bound in self.bounds(squad.params, group.card):
                yield Headroom(group.key, kind, self.measure(group.picks), bound)

    def removals(self, violation: Violation, place: Path, card: Card) -> tuple[Removals, ...]:
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
        kept = self.violation(violation.kind, violation.group, others, violation.actual, violation.bound)
        steps = ([step for step in found if isinstance(step, Remove)] for found in fewer(kept) if found)
        found = tuple(dict.fromkeys(tuple(sorted(removals, key=lambda step: str(step.path))) for removals in steps))
        sizes = [sum(step.count for step in removals) for removals in found]
        return tuple(removals for removals, size in zip(found, sizes, strict=True) if size == min(sizes))

    def alone(self, violation: Violation, place: Path, copies: int = 1) -> bool:
        """By what the pick itself adds."""
        own = sum(item.amount for item in violation.counted if item.path == place)
        return violation.bound is not None and violation.kind != "min" and own > violation.bound.value * copies

    def line_bounds(self, pick: Pick, params: Params) -> Iterator[tuple[str, Derived]]:
        """Those of a limit that counts the models of each line, or sums up a field of theirs, in models."""
        weight = self._weight(pick)
        if self.sizes_lines and weight > 0 and self.selector.takes(pick):
            for kind, bound in self.bounds(params, pick.card):
                yield kind, replace(bound, value=bound.value / weight)

    def cost_limits(self, params: Params) -> Iterator[int | float]:
        """Those of a limit on the sum of costs of the whole roster."""
        rule = self.rule
        if rule.per == "roster" and rule.measure.sum == "cost" and rule.select.where == Where():
            yield from (bound.value for kind, bound in self.bounds(params, None) if kind != "min")

    def repairs(self, violation: Violation, squad: Squad, domains: ChoiceDomains) -> Iterator[Candidate]:
        """Other choices; then additions where something lacks, removals where there is too much."""
        too_few = violation.bound is not None and violation.actual < violation.bound.value
        yield from rechoose(violation, squad, domains, too_few)
        if too_few:
            yield from self._more(violation)
        else:
            yield from (fewer(violation) if self.rule.measure.distinct is None else fewer_values(violation))

    def _more(self, violation: Violation) -> Iterator[Candidate]:
        """Additions of one card (as often as the count lacks), or the removal of the entry that lacks something."""
        assert violation.bound is not None
        line = int(violation.group) if self.rule.per == "entry" else -1
        if self.sizes_lines and violation.subject is not None:
            own = violation.subject.card
            yield from ((Add(own, Source.ENTRIES, line, count),) for count in range(1, ADDED + 1))
        times = max(1, int(violation.bound.value - violation.actual)) if self.rule.measure.count else 1
        for card, source in additions(self.selector, self.pack):
            fits = self.rule.per != "card" or card.id == violation.group
            if fits and times <= ADDED and (source is not Source.ATTACHMENTS or line >= 0):
                yield (Add(card.id, source, line if source is Source.ATTACHMENTS else -1),) * times
        if self.rule.per != "roster":
            yield tuple(without(item, item.count) for item in violation.counted)
            yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each group within its bounds."""
        for group in part_groups(self.rule, self.selector, writer):
            terms = list(self._terms(writer, group.parts))
            for kind, bound in self.bounds(writer.params, group.card):
                low = None if kind == "max" else bound.value
                high = None if kind == "min" else bound.value
                plain = kind == "max" and bound.value >= 0 and all(factor >= 0 for _, factor in terms)
                writer.program.add(terms, low, high, when if plain else (*when, group.gate))

    def _terms(self, writer: RowWriter, parts: Sequence[Meant]) -> Iterator[Term]:
        rule, program = self.rule, writer.program
        if rule.measure.distinct is not None:
            holders = writer.by_value(rule.measure.distinct, parts)
            yield from ((program.positive(writer.some(owners)), 1) for owners in holders.values())
            return
        for part, literal in parts:
            if factor := self._weight(part.pick):
                yield (program.times(part.on if self.of_one_copy else part.many, literal), factor)

    def wants(self, weak: bool) -> Wants:
        """What may bring a lower bound nearer, or takes from an upper one."""
        takes = self.selector_of(self.rule.select, weak)
        return lambda pick, _asking: takes.takes(pick) and (self.lower or self._weight(pick) < 0)

    def needed_copies(self, params: Params) -> Iterator[int]:
        """Lower bounds."""
        cards = self.pack.cards.values() if self.rule.per in ("card", "entry") else ()
        field = self.rule.measure.sum
        held = (number(card.field(field)) or 0 for card in self.pack.cards.values()) if field is not None else ()
        weight = max(held, default=1) if field is not None else 1
        for card in (None, *cards):
            for kind, bound in self.bounds(params, card):
                if kind != "max" and weight > 0:
                    yield max(1, math.ceil(bound.value / weight))
