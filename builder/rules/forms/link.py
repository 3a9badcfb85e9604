"""The `link` form: an entry is tied to another entry, which holds so much."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.messages import gettext as _
from builder.model.linear import NO, Term
from builder.model.pack import Pack, Role
from builder.model.rules import LinkRule, Source
from builder.roster.operations import Add, Tie
from builder.roster.resolve import Pick, Squad, alone
from builder.rules.candidates import Candidate, removed, without
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter, TieDecision
from builder.rules.forms.base import EndlessRoom, RuleForm, Wants, counted
from builder.rules.names import Names
from builder.rules.query import asked_choices, compile_where, likeness, static_part
from builder.rules.rule_index import RuleIndex
from builder.rules.violation import Counted, Derived, Headroom, Violation, number
from builder.rules.wording import after, listed, selection

BROKEN: Mapping[str, str] = {
    "no-target": _("{subject} needs “{link}”, and nobody in the roster can be it"),
    "unnamed": _("{subject} must name its “{link}”: {counted} would do"),
    "wrong-target": _("{counted} cannot be “{link}” of {subject}"),
    "overfull": _("{subject} holds {actual}, its room is {bound}"),
}


class LinkForm(RuleForm):
    """A compiled link rule."""

    rule: LinkRule
    pick_room = EndlessRoom
    later_kinds = frozenset({"no-target", "unnamed", "overfull"})

    def __init__(self, rule: LinkRule, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.link = rule.link
        self.target = compile_where(rule.target)
        self.asked = asked_choices(rule.target)

    def fitting(self, entry: Pick, squad: Squad) -> tuple[Pick, ...]:
        """The other lines that the entry may be tied to."""
        return tuple(other for other in squad.entries if other is not entry and self.target(other, entry))

    def tied(self, squad: Squad) -> Callable[[Pick], Pick | None]:
        """The stated target, or the only one where the rule lets it be left unsaid."""
        return Targets(self, squad).of

    def loads(self, entry: Pick) -> int | float:
        """How much of a target's room one copy of an entry fills."""
        stated = number(entry.value(self.rule.load)) if self.rule.load is not None else None
        return 1 if stated is None else stated

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Entries without a target, with an unnamed or wrong one, and targets that hold too much."""
        load: dict[int, list[Pick]] = {}
        targets = Targets(self, squad)
        for entry in self.selector.of(squad):
            stated = squad.ties.get((entry.line, self.link))
            target = targets.of(entry)
            if stated is not None and not self.target(stated, entry):
                yield self.refuse("wrong-target", entry, (stated,))
            elif target is not None:
                load.setdefault(target.line, []).append(entry)
            elif self.rule.required != "never":
                yield self._untied(entry, targets.fitting(entry))
        for target, actual, bound in self._rooms(load, squad):
            if actual > bound.value:
                held = tuple(counted(pick, self.loads(pick) * pick.count) for pick in load[target.line])
                yield self.violation("overfull", f"held.{target.line}", held, actual, bound, counted(target))

    def _untied(self, entry: Pick, fitting: Sequence[Counted]) -> Violation:
        """That an entry names no target."""
        models = sum(item.count for item in fitting)
        group, cards = ".".join(map(str, entry.path)), tuple(item.card for item in fitting)
        kind, subject = "unnamed" if fitting else "no-target", counted(entry)
        return self.violation(kind, group, tuple(fitting) or (subject,), models, None, subject, cards)

    def _rooms(self, load: Mapping[int, list[Pick]], squad: Squad) -> Iterator[tuple[Pick, int | float, Derived]]:
        """What each target with a capacity holds, against its room; every copy of the target holds its own."""
        capacity = self.rule.capacity
        for target in squad.entries if capacity is not None else ():
            room = number(target.card.field(capacity or ""))
            if room is not None:
                actual = sum(self.loads(pick) * pick.count for pick in load.get(target.line, ()))
                bound = Derived(room * target.count, "capacity", field=capacity or "", amount=target.count, each=room)
                yield target, actual, bound

    def sentence(self, names: Names) -> str:
        """Who is tied to whom."""
        rule = self.rule
        form = _("{select} need a tie “{link}” to a model{target}")
        if rule.required == "never":
            form = _("{select} may have the tie “{link}” only to a model{target}")
        select, target = selection(rule.select, names), after(rule.target, names)
        told = [names.say(_(form, select=select, link=names.link(rule.link), target=target))]
        if rule.required == "several":
            told.append(names.say(_("it is named when more than one fits")))
        elif rule.required == "always":
            told.append(names.say(_("it is always named")))
        if rule.capacity is not None:
            field = names.field(rule.capacity)
            told.append(names.say(_("each holds no more than its {field}", field=field)))
            if rule.load is not None:
                load = names.field(rule.load)
                told.append(
                    names.say(_("a model fills as much as its {load} says, 1 where nothing is stated", load=load))
                )
        return "; ".join(told)

    def message(self, violation: Violation, names: Names) -> str:
        """What is wrong with the tie, or what is held and by whom."""
        held = listed(violation.counted, names)
        bound = f"{violation.bound.value:g}" if violation.bound is not None else ""
        text = names.say(_(
            BROKEN[violation.kind], subject=names.subject(violation), link=names.link(self.link), counted=held,
            actual=f"{violation.actual:g}", bound=bound,
        ))  # fmt: skip
        if violation.kind == "overfull":
            text += "; " + names.say(_("counted: {names}", names=held))
        return text

    def index(self, number: int, index: RuleIndex) -> None:
        """Asked where a card may need a tie."""
        index.ask(number, self.rule.select)

    def headroom(self, squad: Squad) -> Iterator[Headroom]:
        """What each target could still hold."""
        held: dict[int, list[Pick]] = {}
        tied = self.tied(squad)
        for entry in self.selector.of(squad):
            target = tied(entry)
            if target is not None and self.target(target, entry):
                held.setdefault(target.line, []).append(entry)
        for target, actual, bound in self._rooms(held, squad):
            yield Headroom(str(target.line), "max", actual, bound)

    def repairs(self, violation: Violation, squad: Squad, domains: ChoiceDomains) -> Iterator[Candidate]:
        """Name a target that fits, bring one in, or take the entry (or one that is tied) out."""
        if violation.kind == "overfull":
            tied = (int(item.path[1]) for item in violation.counted)
            yield from ((Tie(line, self.link),) for line in tied if (line, self.link) in squad.ties)
            yield from ((without(item, copies),) for item in violation.counted for copies in range(1, item.count + 1))
            return
        subject = next(pick for pick in squad.entries if violation.subject and pick.path == violation.subject.path)
        yield from ((Tie(subject.line, self.link, pick.line),) for pick in self.fitting(subject, squad))
        if violation.kind == "wrong-target":
            yield (Tie(subject.line, self.link),)
        if violation.kind == "no-target":
            for card in self.pack.cards.values():
                fits = self.pack.role(card) is Role.ENTRY
                if fits and self.target(alone(card), subject):
                    yield (Add(card.id, Source.ENTRIES),)
        yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each entry is tied to one that fits, and none holds more than it can."""
        ties, held = writer.ties, dict[int, list[Term]]()
        for index, entry in enumerate(ties.entries):
            takes = writer.takes(self.selector, entry)
            if takes == NO:
                continue
            load, tie = self.loads(entry.pick), ties.tie(index, self.link)
            for other, literal in self._tied(writer, index, tie, takes, when).items():
                held.setdefault(other, []).append((writer.program.times(entry.many, literal), load))
        for other, terms in held.items() if self.rule.capacity is not None else ():
            target = ties.entries[other]
            room = number(target.pick.card.field(self.rule.capacity or ""))
            if room is not None:
                writer.program.add([*terms, (target.many, -room)], high=0, when=(*when, target.on))

    def _tied(
        self, writer: RowWriter, index: int, tie: TieDecision, takes: int, when: tuple[int, ...]
    ) -> dict[int, int]:
        """For each target the literal that the entry is tied to it, named or not."""
        program, ties = writer.program, writer.ties
        fits = {
            other: fit
            for other, part in enumerate(ties.entries)
            if other != index and (fit := writer.where(self.rule.target, part, tie.entry)) != NO
        }
        loads = {other: [ties.target(tie, other)] for other in fits}
        ties.restrict(tie, fits, (*when, takes))
        if self.rule.required == "always":
            program.clause([tie.named, ~tie.entry.on], when=(*when, takes))
        elif self.rule.required == "several":
            there = {other: program.all_of([ties.entries[other].on, fit]) for other, fit in fits.items()}
            count = [(program.times(ties.entries[other].many, fit), 1) for other, fit in fits.items()]
            unsaid = {other: program.var() for other in fits}
            for other, var in unsaid.items():
                loads[other].append(var)
                program.clause([there[other], ~var])
                program.clause([takes, ~var])
                program.add(count, high=1, when=(var,))
            every = [(var, 1) for var in unsaid.values()]
            program.add([*every, (tie.named, 1), (tie.entry.on, -1)], low=0, high=0, when=(*when, takes))
        return {other: program.all_of([takes, program.any_of(literals)]) for other, literals in loads.items()}

    def wants(self, weak: bool) -> Wants:
        """A target for one that needs it."""
        target = compile_where(static_part(self.rule.target)) if weak else self.target
        return lambda pick, asking: pick.source is Source.ENTRIES and any(target(pick, other) for other in asking)


@dataclass
class _Alike:
    """Lines that the rule treats alike, and how many models they are together."""

    lines: list[Pick] = field(default_factory=list)
    models: int = 0


class Targets:
    """Who is tied to whom in one squad: found once for all entries that are alike, so that a large squad costs no more
    than its lines."""

    def __init__(self, form: LinkForm, squad: Squad) -> None:
        self.form = form
        self.squad = squad
        self._groups: dict[tuple[str, ...], _Alike] = {}
        for entry in squad.entries:
            group = self._groups.setdefault(likeness(entry, form.asked), _Alike())
            group.lines.append(entry)
            group.models += entry.count
        self._fits: dict[tuple[str, ...], list[_Alike]] = {}

    def _fitting(self, entry: Pick) -> list[tuple[_Alike, Pick, int]]:
        """The groups that an entry may be tied to, each with its first other line and its models on other lines."""
        key = likeness(entry, self.form.asked)
        if key not in self._fits:
            self._fits[key] = [group for group in self._groups.values() if self.form.target(group.lines[0], entry)]
        found, own = [], self._groups.get(key)
        for group in self._fits[key]:
            first = next((other for other in group.lines if other is not entry), None)
            if first is not None:
                found.append((group, first, group.models - (entry.count if group is own else 0)))
        return found

    def fitting(self, entry: Pick) -> tuple[Counted, ...]:
        """The models that an entry may be tied to, those that are alike together."""
        return tuple(Counted(first.path, first.card.id, many, many) for _group, first, many in self._fitting(entry))

    def of(self, entry: Pick) -> Pick | None:
        """The stated target, or the only model that fits where the rule lets it be left unsaid."""
        stated = self.squad.ties.get((entry.line, self.form.link))
        if stated is not None or self.form.rule.required != "several":
            return stated
        found = self._fitting(entry)
        return found[0][1] if sum(many for *_, many in found) == 1 else None
