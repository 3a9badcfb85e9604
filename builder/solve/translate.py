"""The rules of a pack as rows of a program: what `rules/` asks of a squad, asked of every squad a draft may become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.findings import Severity
from builder.model.card import Card
from builder.model.rules import Rule, Source
from builder.rules.bounds import number
from builder.rules.counting import Counter, values
from builder.rules.evaluate import Evaluator, Form, applies_to
from builder.rules.placing import Placer
from builder.rules.query import Selector
from builder.rules.relations import Need, Permit, Tied
from builder.solve.draft import Draft, Line, Part
from builder.solve.program import Term
from builder.solve.ties import Bonds


@dataclass(frozen=True, slots=True)
class Gathered:
    """The parts that are measured together; `gate` is the literal under which the group exists at all."""

    parts: tuple[Part, ...]
    card: Card | None = None
    gate: int | None = None


class Translation:
    """All rules in force, put into a draft's program; `switches[rule]` is the literal that turns a rule on."""

    def __init__(self, draft: Draft, evaluator: Evaluator, *, switched: bool = False) -> None:
        self.draft = draft
        self.program = draft.program
        self.switches: dict[str, int] = {}
        self.bonds = Bonds(draft)
        for rule, form in evaluator.rules:
            if rule.severity is Severity.ERROR and applies_to(rule.when, draft.squad.params):
                if switched:
                    self.switches[rule.id] = self.program.var()
                self._rule(form, self._when(rule))
        self.bonds.finish()

    def _when(self, rule: Rule) -> tuple[int, ...]:
        """The literals under which a rule is in force."""
        when = (self.switches[rule.id],) if rule.id in self.switches else ()
        if rule.when is None or rule.when.exists is None:
            return when
        return (*when, self.program.any_of(part.on for part in self._taken(Selector(rule.when.exists))))

    def _taken(self, selector: Selector, other: Part | None = None) -> list[Part]:
        """The parts that a selection means."""
        seen = other.pick if other is not None else None
        return [part for part in self.draft.parts(selector.source) if selector.takes(part.pick, seen)]

    def _rule(self, form: Form, when: tuple[int, ...]) -> None:
        """One rule."""
        if isinstance(form, Counter):
            for group in self._groups(form):
                self._limit(form, group, when)
        elif isinstance(form, Placer):
            for line in self.draft.lines:
                self._slots(form, line, when)
        elif isinstance(form, Permit):
            for part in self.draft.parts(Source.ATTACHMENTS):
                assert part.pick.bearer is not None
                if form.selector.takes(part.pick) and not form.permits(part.pick, part.pick.bearer):
                    self.program.forbid(part.on, when)
        elif isinstance(form, Tied):
            self.bonds.rule(form, when)
        else:
            self._needs(form, when)

    def _groups(self, form: Counter) -> Iterator[Gathered]:
        """The groups that a limit may measure."""
        rule = form.rule
        if rule.per == "roster":
            yield Gathered(tuple(self._taken(form.selector)))
        elif rule.per == "entry":
            yield from self._per_entry(form)
        elif rule.per == "card":
            found: dict[str, list[Part]] = {}
            for part in self._taken(form.selector):
                found.setdefault(part.pick.card.id, []).append(part)
            yield from (Gathered(tuple(parts), parts[0].pick.card, self._some(parts)) for parts in found.values())
        else:
            yield from self._per_value(form)

    def _per_entry(self, form: Counter) -> Iterator[Gathered]:
        """Each line that the rule is about."""
        source, bearer = form.rule.select.source, form.selector.bearer
        for line in self.draft.lines:
            entry = line.entry
            if bearer is not None and not bearer(entry.pick, None):
                continue
            if source is Source.ENTRIES:
                own = [entry] if form.selector.takes(entry.pick) else None
            else:
                every = [entry, *line.carried] if source is Source.ALL else line.carried
                own = [part for part in every if form.selector.passes(part.pick, None)]
            if own is not None and source is not Source.DECK:
                yield Gathered(tuple(own), entry.pick.card, entry.on)

    def _per_value(self, form: Counter) -> Iterator[Gathered]:
        """Each value that some part has."""
        path = form.rule.group_path
        assert path is not None
        found: dict[str, list[Part]] = {}
        for part in self._taken(form.selector):
            for value in values(part.pick, path):
                found.setdefault(value, []).append(part)
        whose = found
        if form.whose is not None:
            whose = {}
            for part in self.draft.parts(form.selector.source):
                for value in values(part.pick, path) if form.whose(part.pick, None) else ():
                    whose.setdefault(value, []).append(part)
        for value, owners in whose.items():
            yield Gathered(tuple(found.get(value, ())), None, self._some(owners))

    def _some(self, parts: Sequence[Part]) -> int:
        return self.program.any_of(part.on for part in parts)

    def _limit(self, form: Counter, group: Gathered, when: tuple[int, ...]) -> None:
        """One group within its bounds."""
        terms = list(self._measure(form, group.parts))
        gated = when if group.gate is None else (*when, group.gate)
        for kind, bound in form.bounds(self.draft.squad.params, group.card):
            low = None if kind == "max" else bound.value
            high = None if kind == "min" else bound.value
            plain = kind == "max" and bound.value >= 0 and all(factor >= 0 for _, factor in terms)
            self.program.add(terms, low, high, when if plain else gated)

    def _measure(self, form: Counter, parts: Sequence[Part]) -> Iterator[Term]:
        """What a group measures, as terms."""
        rule = form.rule
        if rule.measure.distinct is not None:
            holders: dict[str, list[Part]] = {}
            for part in parts:
                for value in values(part.pick, rule.measure.distinct):
                    holders.setdefault(value, []).append(part)
            yield from ((self._some(owners), 1) for owners in holders.values())
            return
        single = rule.per == "entry" and rule.select.source is not Source.ENTRIES
        for part in parts:
            factor = number(part.pick.value(rule.measure.sum)) or 0 if rule.measure.sum is not None else 1
            yield (part.on if single else part.many, factor)

    def _slots(self, form: Placer, line: Line, when: tuple[int, ...]) -> None:
        """A flow from what the line carries into its slots."""
        room: dict[str, int] = {}
        for kind in form.slots(line.entry.pick.card):
            room[kind] = room.get(kind, 0) + 1
        used: Mapping[str, list[Term]] = {kind: [] for kind in room}
        for part in line.carried:
            if not form.selector.takes(part.pick):
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
            self.program.add([*places, (part.on, -need.size)], low=0, high=0, when=when)
        for kind, terms in used.items():
            self.program.add(terms, high=room[kind], when=when)

    def _needs(self, form: Need, when: tuple[int, ...]) -> None:
        """Each pick that needs another has it."""
        for part in self._taken(form.selector):
            others = [other for other in self._taken(form.needs, part) if other is not part]
            self.program.add([(other.on, 1) for other in others], low=1, when=(*when, part.on))
