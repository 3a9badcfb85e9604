"""The rules of a pack as rows of a program: what `rules/` asks of a squad, asked of every squad a draft may become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.findings import Severity
from builder.model.card import Card
from builder.model.rules import Rule, Source
from builder.rules.bounds import number
from builder.rules.evaluate import Evaluator, Form, applies_to
from builder.rules.forms.counting import Counter
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Need, Permit, Tied
from builder.rules.query import Selector
from builder.solver.conditions import Conditions
from builder.solver.draft import Draft, Line, Part
from builder.solver.program import NO, YES, Term
from builder.solver.ties import Bonds

Meant = tuple[Part, int]
"""A part, and the literal that the rule means it if it is there."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The parts that are measured together; `gate` is the literal under which the group exists at all."""

    parts: tuple[Meant, ...]
    card: Card | None = None
    gate: int = YES


class Translation:
    """All rules in force, put into a draft's program; `switches[rule]` is the literal that turns a rule on."""

    def __init__(self, draft: Draft, evaluator: Evaluator, *, switched: bool = False, keep: bool = False) -> None:
        self.draft = draft
        self.program = draft.program
        self.conditions = Conditions(draft)
        self.switches: dict[str, int] = {}
        self.bonds = Bonds(draft, self.conditions)
        for rule, form in evaluator.rules:
            if rule.severity is Severity.ERROR and applies_to(rule.when, draft.squad.params):
                if switched:
                    self.switches[rule.id] = self.program.var()
                self._rule(form, self._when(rule))
        self.bonds.finish(keep)

    def _when(self, rule: Rule) -> tuple[int, ...]:
        """The literals under which a rule is in force."""
        when = (self.switches[rule.id],) if rule.id in self.switches else ()
        if rule.when is None or rule.when.exists is None:
            return when
        return (*when, self._some(self._taken(Selector(rule.when.exists))))

    def _taken(self, selector: Selector, other: Part | None = None) -> list[Meant]:
        """The parts that a selection means or may mean."""
        meant = ((part, self.conditions.takes(selector, part, other)) for part in self.draft.parts(selector.source))
        return [(part, literal) for part, literal in meant if literal != NO]

    def _some(self, parts: Sequence[Meant]) -> int:
        """The literal that one of the parts is there and meant."""
        return self.program.any_of([self.program.all_of([part.on, literal]) for part, literal in parts])

    def _rule(self, form: Form, when: tuple[int, ...]) -> None:
        """One rule."""
        if isinstance(form, Counter):
            for group in self._groups(form):
                self._limit(form, group, when)
        elif isinstance(form, Placer):
            for line in self.draft.lines:
                self._slots(form, line, when)
        elif isinstance(form, Permit):
            for part, literal in self._taken(form.selector):
                self.program.clause([~part.on, ~literal, self._permits(form, part)], when)
        elif isinstance(form, Tied):
            self.bonds.rule(form, when)
        else:
            self._needs(form, when)

    def _permits(self, form: Permit, part: Part) -> int:
        """The literal that its bearer may carry an attachment."""
        if part.bearer is None or not part.bearer.ways:
            bearer = part.pick.bearer
            return YES if bearer is None or form.permits(part.pick, bearer) else NO
        stated = (form.rule.bearer, form.asks(part.pick.card.id))
        return self.program.all_of(
            [self.conditions.where(where, part.bearer, part) for where in stated if where is not None]
        )

    def _groups(self, form: Counter) -> Iterator[Gathered]:
        """The groups that a limit may measure."""
        rule = form.rule
        if rule.per == "roster":
            yield Gathered(tuple(self._taken(form.selector)))
        elif rule.per == "entry":
            yield from self._per_entry(form)
        elif rule.per == "card":
            found: dict[str, list[Meant]] = {}
            for part, literal in self._taken(form.selector):
                found.setdefault(part.pick.card.id, []).append((part, literal))
            yield from (Gathered(tuple(parts), parts[0][0].pick.card, self._some(parts)) for parts in found.values())
        else:
            yield from self._per_value(form)

    def _per_entry(self, form: Counter) -> Iterator[Gathered]:
        """Each line that the rule is about."""
        source, bearer = form.rule.select.source, form.selector.select.bearer
        for line in self.draft.lines:
            entry = line.entry
            gate = [entry.on]
            if bearer is not None:
                gate.append(self.conditions.where(bearer, entry))
            if source is Source.ENTRIES:
                gate.append(self.conditions.takes(form.selector, entry))
                own: list[Meant] = [(entry, YES)]
            else:
                every = [entry, *line.carried] if source is Source.ALL else line.carried
                where = form.selector.select.where
                own = [(part, self.conditions.where(where, part)) for part in every]
            if source is not Source.DECK and (there := self.program.all_of(gate)) != NO:
                yield Gathered(tuple(item for item in own if item[1] != NO), entry.pick.card, there)

    def _per_value(self, form: Counter) -> Iterator[Gathered]:
        """Each value that some part has or may have."""
        path = form.rule.group_path
        assert path is not None
        found = self._by_value(path, self._taken(form.selector))
        whose = found
        if form.whose is not None and form.rule.groups is not None:
            owners = [
                (part, self.conditions.where(form.rule.groups, part)) for part in self.draft.parts(form.selector.source)
            ]
            whose = self._by_value(path, [item for item in owners if item[1] != NO])
        for value, parts in whose.items():
            yield Gathered(tuple(found.get(value, ())), None, self._some(parts))

    def _by_value(self, path: str, parts: Sequence[Meant]) -> dict[str, list[Meant]]:
        """Parts by the values they have at a path, each with the literal that it is meant and has the value."""
        found: dict[str, list[Meant]] = {}
        for part, literal in parts:
            for value, held in self.conditions.held(part, path):
                found.setdefault(value, []).append((part, self.program.all_of([literal, held])))
        return found

    def _limit(self, form: Counter, group: Gathered, when: tuple[int, ...]) -> None:
        """One group within its bounds."""
        terms = list(self._measure(form, group.parts))
        for kind, bound in form.bounds(self.draft.squad.params, group.card):
            low = None if kind == "max" else bound.value
            high = None if kind == "min" else bound.value
            plain = kind == "max" and bound.value >= 0 and all(factor >= 0 for _, factor in terms)
            self.program.add(terms, low, high, when if plain else (*when, group.gate))

    def _measure(self, form: Counter, parts: Sequence[Meant]) -> Iterator[Term]:
        """What a group measures, as terms."""
        rule, program = form.rule, self.program
        if rule.measure.distinct is not None:
            holders = self._by_value(rule.measure.distinct, parts)
            yield from ((program.positive(self._some(owners)), 1) for owners in holders.values())
            return
        single = rule.per == "entry" and rule.select.source is not Source.ENTRIES
        for part, literal in parts:
            factor = number(part.pick.value(rule.measure.sum)) or 0 if rule.measure.sum is not None else 1
            if factor:
                yield (program.times(part.on if single else part.many, literal), factor)

    def _slots(self, form: Placer, line: Line, when: tuple[int, ...]) -> None:
        """A flow from what the line carries into its slots."""
        room: dict[str, int] = {}
        for kind in form.slots(line.entry.pick.card):
            room[kind] = room.get(kind, 0) + 1
        used: Mapping[str, list[Term]] = {kind: [] for kind in room}
        for part in line.carried:
            takes = self.conditions.takes(form.selector, part)
            if takes == NO:
                continue
            named = form.need(part.pick.card, part.pick.slot)
            need = form.need(part.pick.card, None) if part.freed is not None else named
            if need.size <= 0:
                continue
            places = []
            for kind in (kind for kind in room if need.fits(kind)):
                place = self.program.var(need.size)
                places.append((place, 1))
                used[kind].append((place, 1))
                if part.freed is not None and not named.fits(kind):
                    self.program.add([(place, 1), (part.freed, -need.size)], high=0)
            self.program.add([*places, (part.on, -need.size)], low=0, high=0, when=(*when, takes))
        for kind, terms in used.items():
            self.program.add(terms, high=room[kind], when=when)

    def _needs(self, form: Need, when: tuple[int, ...]) -> None:
        """Each pick that needs another has it."""
        for part, literal in self._taken(form.selector):
            others = [item for item in self._taken(form.needs, part) if item[0] is not part]
            self.program.clause([~part.on, ~literal, self._some(others)], when)
