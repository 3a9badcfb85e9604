"""The `link` form: an entry is tied to another entry, which holds so much."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TypeAlias

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.linear import NO, Term
from builder.model.pack import Pack, Role
from builder.model.rules import LinkRule, Source
from builder.roster.operations import Add, SetLink
from builder.roster.resolve import SelectedCard, Squad, select_card
from builder.rules.bounds import DerivedBound, Params, to_number
from builder.rules.candidates import Candidate, remove_copies, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Part
from builder.rules.forms.base import (
    NoAdditionLimit,
    RuleForm,
    WantedTest,
    count_card,
    make_presence_watch,
)
from builder.rules.link_assignment import CopyTargets, LinkAssignment, LinkQuestions, Overload
from builder.rules.names import Names
from builder.rules.packing import MAX_MODELS_TO_PACK, UndecidedPackingError
from builder.rules.query import compile_where, find_choices, keep_static_part
from builder.rules.rule_index import Watch
from builder.rules.violation import UNDECIDED, Counted, Headroom, Violation
from builder.rules.wording import format_counted, format_selection, format_where_suffix

MAX_CAPACITY_TO_SUM = 1_000
"""The largest room of one carrier of which is worked out how much of it loads can fill."""
MAX_COPIES_IN_ROWS = 12
"""The largest number of copies on a line for each of which the solver gets variables of its own."""
LoadTerms: TypeAlias = tuple[int | float, list[Term]]
"""The load of one model, and the terms that count the models."""
BROKEN: Mapping[str, str] = {
    "no-target": _("{subject} needs “{link}”, but no model in the roster qualifies"),
    "unnamed": _("{subject} must name its “{link}”: {counted} qualify"),
    "wrong-target": _("{counted} cannot be “{link}” of {subject}"),
    "overfull": _("{subject} carries {actual}; its limit is {bound}"),
    "no-fit": _(
        "{subject} ×{many}: each can take {each}, and loads cannot be split. These do not "
        "fit: {counted}"
    ),
    "no-room": _("there is not enough capacity for “{link}”, and loads cannot be split: {counted}"),
    UNDECIDED: _(
        "not decided: {counted} have too many possible distributions; the limit is {limit} "
        "models and carriers in total"
    ),
}


class LinkForm(RuleForm):
    """A compiled link rule."""

    rule: LinkRule
    limit_class = NoAdditionLimit
    kinds_fixed_by_additions = frozenset(
        {"no-target", "unnamed", "overfull", "no-fit", "no-room", UNDECIDED}
    )

    def __init__(self, rule: LinkRule, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.link = rule.link
        self.target_matches = compile_where(rule.target)
        self.choice_names = find_choices(rule.target)
        self.questions = LinkQuestions(
            rule,
            self.selector,
            self.target_matches,
            self.choice_names,
            self.find_load,
            self.find_capacity,
        )

    def find_targets(self, entry: SelectedCard, squad: Squad) -> tuple[SelectedCard, ...]:
        """The other lines that the entry may be tied to."""
        return tuple(
            other
            for other in squad.entries
            if other is not entry and self.target_matches(other, entry)
        )

    def assign_links(self, squad: Squad) -> CopyTargets:
        """What each copy of a linked entry is linked to."""
        return LinkAssignment(self.questions, squad, self._others(squad)).assign_copies()

    @cached_property
    def _siblings(self) -> tuple["LinkForm", ...]:
        """The other rules for the same link."""
        rules = (
            rule
            for rule in self.pack.rules.rules
            if isinstance(rule, LinkRule) and rule.link == self.link
        )
        return tuple(LinkForm(rule, self.pack) for rule in rules if rule.id != self.rule.id)

    def _others(self, squad: Squad) -> tuple[LinkQuestions, ...]:
        """What the other rules ask that are in force for the same link."""
        errors = (form for form in self._siblings if form.rule.severity is Severity.ERROR)
        return tuple(form.questions for form in errors if form.is_in_force(squad))

    def find_load(self, entry: SelectedCard) -> int | float:
        """How much of a target's room one copy of an entry fills, 0 or more."""
        stated = to_number(entry.get_value(self.rule.load)) if self.rule.load is not None else None
        return 1 if stated is None else max(0, stated)

    def find_capacity(self, target: SelectedCard) -> int | float | None:
        """How much one copy of a target holds; None for any load."""
        return (
            to_number(target.card.get_field(self.rule.capacity))
            if self.rule.capacity is not None
            else None
        )

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Entries without a target, with an unnamed or wrong one, and targets that hold too much."""
        links = LinkAssignment(self.questions, squad, self._others(squad))
        decided, unnamed = True, frozenset[int]()
        try:
            crowded = not links.overloads and not links.can_assign_all()
            if not links.overloads and not crowded:
                unnamed = links.find_ambiguous_lines()
        except UndecidedPackingError:
            crowded = decided = False
        unlinked = {entry.line for entry in links.unlinked}
        for entry in squad.entries:
            if entry.line in links.wrong_targets:
                yield self.make_refusal("wrong-target", entry, (links.wrong_targets[entry.line],))
            elif entry.line in unlinked or entry.line in unnamed:
                yield self._untied(entry, links.count_targets(entry))
        for overload in links.overloads:
            yield self._overload(overload)
        if crowded or not decided:
            held = tuple(
                count_card(entry, self.find_load(entry) * entry.count)
                for entry in links.entries_without_target
            )
            kind = "no-room" if crowded else UNDECIDED
            yield self.make_violation(
                kind,
                f"free.{links.entries_without_target[0].line}",
                held,
                sum(item.amount for item in held),
            )

    def _untied(self, entry: SelectedCard, fitting: Sequence[Counted]) -> Violation:
        """That an entry names no target."""
        models = sum(item.count for item in fitting)
        group, cards = ".".join(map(str, entry.path)), tuple(item.card for item in fitting)
        kind, subject = "unnamed" if fitting else "no-target", count_card(entry)
        return self.make_violation(
            kind, group, tuple(fitting) or (subject,), models, None, subject, cards
        )

    def _overload(self, overload: Overload) -> Violation:
        """That what is linked to a line does not fit into its copies."""
        target = overload.target
        held = tuple(
            count_card(entry, self.find_load(entry) * entry.count) for entry in overload.entries
        )
        actual, bound = sum(item.amount for item in held), self._room(target)
        kind = "overfull" if bound is not None and actual > bound.value else "no-fit"
        group = f"held.{target.line}"
        return self.make_violation(
            kind if overload.decided else UNDECIDED, group, held, actual, bound, count_card(target)
        )

    def _room(self, target: SelectedCard) -> DerivedBound | None:
        """What all copies of a target hold together; None for any load."""
        room, capacity = self.find_capacity(target), self.rule.capacity or ""
        if room is None:
            return None
        return DerivedBound(
            room * target.count, "capacity", field=capacity, amount=target.count, each=room
        )

    def format_sentence(self, names: Names) -> str:
        """Who is tied to whom."""
        rule = self.rule
        form = _("{select} need a link “{link}” to a model{target}")
        if rule.required == "never":
            form = _("{select} may have the link “{link}” only to a model{target}")
        select, target = (
            format_selection(rule.select, names),
            format_where_suffix(rule.target, names),
        )
        told = [
            names.translate(_(form, select=select, link=names.name_link(rule.link), target=target))
        ]
        if rule.required == "several":
            told.append(names.translate(_("it must be named if more than one model fits")))
        elif rule.required == "always":
            told.append(names.translate(_("it must always be named")))
        if rule.capacity is not None:
            field = names.name_field(rule.capacity)
            told.append(names.translate(_("each carries at most its {field}", field=field)))
            if rule.load is not None:
                load = names.name_field(rule.load)
                told.append(
                    names.translate(
                        _(
                            "each model counts as its {load}, or as 1 if it has none",
                            load=load,
                        )
                    )
                )
        return "; ".join(told)

    def format_message(self, violation: Violation, names: Names) -> str:
        """What is wrong with the tie, or what is held and by whom."""
        held = format_counted(violation.counted, names)
        bound = f"{violation.bound.value:g}" if violation.bound is not None else ""
        each = f"{violation.bound.each:g}" if violation.bound is not None else ""
        many = violation.subject.count if violation.subject is not None else 1
        text = names.translate(_(
            BROKEN[violation.kind], subject=names.name_subject(violation), link=names.name_link(self.link),
            counted=held, actual=f"{violation.actual:g}", bound=bound, each=each, many=many, limit=MAX_MODELS_TO_PACK,
        ))  # fmt: skip
        if violation.kind == "overfull":
            text += "; " + names.translate(_("counted: {names}", names=held))
        return text

    def make_card_watch(self, params: Params) -> Watch:
        """Return a watch for the cards that may need a link."""
        return make_presence_watch(self.rule.select)

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """What each target could still hold, as far as a load fits into a single copy."""
        if self.rule.capacity is None:
            return
        held: dict[int, int | float] = {}
        entries = {entry.line: entry for entry in squad.entries}
        for (line, _copy), (target, _number) in self.assign_links(squad).items():
            if self.target_matches(target, entries[line]):
                held[target.line] = held.get(target.line, 0) + self.find_load(entries[line])
        for target in squad.entries:
            bound = self._room(target)
            if bound is not None:
                usable = self._usable_room(bound.each)
                yield Headroom(
                    str(target.line),
                    "max",
                    held.get(target.line, 0),
                    replace(bound, value=usable * target.count),
                )

    @cached_property
    def _possible_loads(self) -> tuple[int | float, ...]:
        """The loads of the pack's cards that may be linked."""
        picks = (
            select_card(card)
            for card in self.pack.cards.values()
            if self.pack.find_role(card) is Role.ENTRY
        )
        weak = self.make_selector(self.rule.select, weak=True)
        return tuple(
            sorted(
                {self.find_load(selected) for selected in picks if weak.matches_card(selected)}
                - {0}
            )
        )

    def _usable_room(self, room: int | float) -> int | float:
        """How much of one carrier's room loads can fill; all of it where the loads are no whole numbers."""
        loads = self._possible_loads
        if (
            not loads
            or 1 in loads
            or not all(isinstance(load, int) for load in loads)
            or room > MAX_CAPACITY_TO_SUM
        ):
            return room
        sums = {0}
        for amount in range(1, int(room) + 1):
            if any(amount - load in sums for load in loads):
                sums.add(amount)
        return max(sums)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Name a target that fits, bring one in, or take the entry (or one that is tied) out."""
        if violation.kind in ("overfull", "no-fit", "no-room", UNDECIDED):
            tied = (int(item.path[1]) for item in violation.counted)
            yield from (
                (SetLink(line, self.link),) for line in tied if (line, self.link) in squad.links
            )
            yield from (
                (remove_copies(item, copies),)
                for item in violation.counted
                for copies in range(1, item.count + 1)
            )
            if violation.kind == "no-room":
                yield from self._added_targets(violation, squad)
            return
        path = violation.subject.path if violation.subject else None
        subject = next((selected for selected in squad.entries if selected.path == path), None)
        if subject is None:
            return
        yield from (
            (SetLink(subject.line, self.link, selected.line),)
            for selected in self.find_targets(subject, squad)
        )
        if violation.kind == "wrong-target":
            yield (SetLink(subject.line, self.link),)
        if violation.kind == "no-target":
            yield from self._added_targets(violation, squad)
        yield from remove_subject(violation)

    def _added_targets(self, violation: Violation, squad: Squad) -> Iterator[Candidate]:
        """Each card that one of the entries may be linked to."""
        paths = {item.path for item in (violation.subject, *violation.counted) if item is not None}
        entries = [entry for entry in squad.entries if entry.path in paths]
        for card in self.pack.cards.values():
            if self.pack.find_role(card) is Role.ENTRY and any(
                self.target_matches(select_card(card), entry) for entry in entries
            ):
                yield (Add(card.id, Source.ENTRIES),)

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each entry is tied to one that fits, and none holds more than it can.

        An entry that names no target has a variable for each target: how many of its copies go there. That two such
        assignments differ is not in the rows; what the solver finds is checked for it.
        """
        ties, held = writer.links, dict[int, list[LoadTerms]]()
        for index, entry in enumerate(ties.entries):
            takes = writer.match_part(self.selector, entry)
            if takes == NO:
                continue
            load = self.find_load(entry.selected)
            for other, terms in self._tied(writer, index, takes, when).items():
                held.setdefault(other, []).append((load, terms))
        for other, loads in held.items() if self.rule.capacity is not None else ():
            self._limit(writer, ties.entries[other], [item for item in loads if item[0]], when)

    def _tied(
        self, writer: RowWriter, index: int, takes: int, when: tuple[int, ...]
    ) -> dict[int, list[Term]]:
        """For each target how many copies of an entry are tied to it, named or not."""
        program, ties = writer.program, writer.links
        tie = ties.get_link(index, self.link)
        fits = {
            other: fit
            for other, part in enumerate(ties.entries)
            if (fit := writer.match_where(self.rule.target, part, tie.entry)) != NO
        }
        named = {other: fit for other, fit in fits.items() if other != index}
        ties.restrict_targets(tie, named, (*when, takes))
        counts: dict[int, list[Term]] = {}
        for other in named:
            literal = program.make_all_of([takes, ties.get_target(tie, other)])
            counts[other] = [(program.make_product(tie.entry.copies, literal), 1)]
        if self.rule.required == "always":
            program.add_clause([tie.is_named, ~tie.entry.is_present], when=(*when, takes))
        elif self.rule.required == "several":
            for other, flow in self._flows(writer, index, fits, takes, when).items():
                counts.setdefault(other, []).append((flow, 1))
        return counts

    def _flows(
        self,
        writer: RowWriter,
        index: int,
        fits: Mapping[int, int],
        takes: int,
        when: tuple[int, ...],
    ) -> dict[int, int]:
        """For each target how many copies of an entry go there where it names none."""
        program, ties = writer.program, writer.links
        tie = ties.get_link(index, self.link)
        entry, most = tie.entry, program.ranges[tie.entry.copies][1]
        flows = ties.flows[self.rule.id, index] = {}
        cards: dict[str, list[int]] = {}
        for other, fit in fits.items():
            # another copy of its own line will do
            on = (
                ties.entries[other].is_present
                if other != index
                else program.make_at_least(entry.copies, 2)
            )
            there = program.make_all_of([on, fit, takes])
            if there == NO:
                continue
            flow = flows[other] = program.add_variable(most)
            cards.setdefault(ties.entries[other].selected.card.id, []).append(there)
            if most == 1:
                program.add_clause([there, ~flow])
            else:
                program.add_row([(flow, 1)], high=0, when=(~there,))
        total = [(flow, 1) for flow in flows.values()]
        if most == 1:
            program.add_row(
                [*total, (tie.is_named, 1), (entry.is_present, -1)],
                low=0,
                high=0,
                when=(*when, takes),
            )
        else:
            program.add_row(total, high=0, when=(tie.is_named,))
            program.add_row(
                [*total, (entry.copies, -1)], low=0, high=0, when=(*when, takes, ~tie.is_named)
            )
        if self.rule.capacity is None:
            # without capacities, targets with different cards are always different assignments
            several = [
                (program.make_positive(program.make_any_of(literals)), 1)
                for literals in cards.values()
            ]
            program.add_row(several, high=1, when=(*when, takes, entry.is_present, ~tie.is_named))
        return flows

    def _limit(
        self, writer: RowWriter, target: Part, loads: Sequence[LoadTerms], when: tuple[int, ...]
    ) -> None:
        """No copy of a target holds more than its room: exact for equal loads and for few copies, else together."""
        program, room = writer.program, self.find_capacity(target.selected)
        copies = program.ranges[target.copies][1]
        if room is None or not loads:
            return
        if len({load for load, _terms in loads}) == 1:
            places = floor(Fraction(str(room)) / Fraction(str(loads[0][0])))
            terms = [term for _load, items in loads for term in items]
            program.add_row(
                [*terms, (target.copies, -max(0, places))], high=0, when=(*when, target.is_present)
            )
            return
        if copies == 1 or copies > MAX_COPIES_IN_ROWS:
            weighed = [(var, factor * load) for load, items in loads for var, factor in items]
            program.add_row(
                [*weighed, (target.copies, -room)], high=0, when=(*when, target.is_present)
            )
            return
        self._limit_each(writer, target, loads, when)

    def _limit_each(
        self, writer: RowWriter, target: Part, loads: Sequence[LoadTerms], when: tuple[int, ...]
    ) -> None:
        """The same with variables for each copy of the target."""
        program, room = writer.program, self.find_capacity(target.selected) or 0
        in_copy: list[list[Term]] = [[] for _copy in range(program.ranges[target.copies][1])]
        for load, terms in loads:
            most = sum(program.ranges[var][1] for var, _factor in terms)
            fitting = max(0, min(most, floor(Fraction(str(room)) / Fraction(str(load)))))
            shares = [program.add_variable(fitting) for _copy in in_copy]
            program.add_row([*terms, *((share, -1) for share in shares)], low=0, high=0, when=when)
            for items, share in zip(in_copy, shares, strict=True):
                items.append((share, load))
        for copies, items in enumerate(in_copy, 1):
            there = program.make_positive(program.make_at_least(target.copies, copies))
            program.add_row([*items, (there, -room)], high=0, when=when)

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """A target of its own for each model that needs one."""
        yield 1 + sum(entry.count for entry in self._entries_without_target(squad))

    def find_needed_line_size(self, selected: SelectedCard, squad: Squad) -> int:
        """As many copies as a line has that may have to name the new one as its target."""
        if self.rule.capacity is None:
            return 1
        return max(
            (
                entry.count
                for entry in self._entries_without_target(squad)
                if self.target_matches(selected, entry)
            ),
            default=1,
        )

    def _entries_without_target(self, squad: Squad) -> Iterator[SelectedCard]:
        """The entries that need a target and name none."""
        for entry in self.selector.select_from(squad) if self.rule.required != "never" else ():
            if (entry.line, self.link) not in squad.links:
                yield entry

    def make_wanted_test(self, weak: bool) -> WantedTest:
        """A target for one that needs it."""
        target = compile_where(keep_static_part(self.rule.target)) if weak else self.target_matches
        return lambda selected, asking: (
            selected.source is Source.ENTRIES and any(target(selected, other) for other in asking)
        )
