"""The `limit` form: so many picks, so much of a field, so many different values, in each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.rules import Limit, Source
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import Derived, derive, number
from builder.rules.query import Selector, compile_where
from builder.rules.violation import Counted, Kind, Violation


@dataclass(frozen=True, slots=True)
class Group:
    """The picks that are measured together; `card` holds the bound where it stands on a card."""

    key: str
    picks: tuple[Pick, ...]
    card: Card | None = None


class Counter:
    """A compiled limit."""

    def __init__(self, rule: Limit) -> None:
        self.rule = rule
        self.selector = Selector(rule.select)
        self.whose = compile_where(rule.groups) if rule.groups is not None else None

    def groups(self, squad: Squad) -> Iterator[Group]:
        """The groups of a squad, in the order of the file."""
        rule = self.rule
        if rule.per == "roster":
            yield Group("", tuple(self.selector.of(squad)))
        elif rule.per == "entry":
            yield from self._per_entry(squad)
        elif rule.per == "card":
            found: dict[str, list[Pick]] = {}
            for pick in self.selector.of(squad):
                found.setdefault(pick.card.id, []).append(pick)
            yield from (Group(key, tuple(picks), picks[0].card) for key, picks in found.items())
        else:
            yield from self._per_value(squad)

    def _per_entry(self, squad: Squad) -> Iterator[Group]:
        """Each entry that the rule is about; one without any pick counts 0."""
        source = self.rule.select.source
        bearer = self.selector.bearer
        for entry in squad.entries:
            if bearer is not None and not bearer(entry, None):
                continue
            if source is Source.ENTRIES:
                if self.selector.takes(entry):
                    yield Group(str(entry.line), (entry,), entry.card)
                continue
            own = squad.carried(entry) if source is not Source.ALL else (entry, *squad.carried(entry))
            picks = tuple(pick for pick in own if self.selector.passes(pick, None))
            yield Group(str(entry.line), picks, entry.card)

    def _per_value(self, squad: Squad) -> Iterator[Group]:
        """Each value of the path; a list or map stands for each of its values or keys."""
        path = self.rule.group_path
        assert path is not None
        found: dict[str, list[Pick]] = {}
        if self.whose is not None:
            for pick in squad.picks(self.selector.source):
                if self.whose(pick, None):
                    for value in values(pick, path):
                        found.setdefault(value, [])
        for pick in self.selector.of(squad):
            for value in values(pick, path):
                if self.whose is None or value in found:
                    found.setdefault(value, []).append(pick)
        yield from (Group(key, tuple(picks)) for key, picks in found.items())

    def amount(self, pick: Pick) -> int | float:
        """What one pick adds to a count or sum; per entry, what one copy of the entry has."""
        copies = pick.count
        if self.rule.per == "entry" and self.rule.select.source is not Source.ENTRIES:
            copies = 1
        if self.rule.measure.sum is None:
            return copies
        return copies * (number(pick.value(self.rule.measure.sum)) or 0)

    def measure(self, picks: Sequence[Pick]) -> int | float:
        """The measured value of a group."""
        path = self.rule.measure.distinct
        if path is not None:
            return len({value for pick in picks for value in values(pick, path)})
        return sum(self.amount(pick) for pick in picks)

    def bounds(self, params: Mapping[str, int | str], card: Card | None) -> Iterator[tuple[Kind, Derived]]:
        """The bounds that apply, each with the way it would be broken."""
        stated: tuple[tuple[Kind, object], ...] = (("max", self.rule.max), ("min", self.rule.min))
        for kind, bound in (*stated, ("exactly", self.rule.exactly)):
            if bound is not None:
                derived = derive(bound, params, card)  # type: ignore[arg-type]
                if derived is not None:
                    yield kind, derived

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every group that is beyond its bound."""
        for group in self.groups(squad):
            actual = self.measure(group.picks)
            for kind, bound in self.bounds(squad.params, group.card):
                if broken(kind, actual, bound.value):
                    yield self.violation(group, kind, actual, bound)

    def violation(self, group: Group, kind: Kind, actual: int | float, bound: Derived) -> Violation:
        """One group's violation; picks that add nothing are not named."""
        rule = self.rule
        path = rule.measure.distinct
        counted = tuple(
            Counted(
                pick.path,
                pick.card.id,
                1 if path else self.amount(pick),
                pick.count,
                ", ".join(values(pick, path)) if path else None,
            )
            for pick in group.picks
            if (values(pick, path) if path else self.amount(pick))
        )
        where = Counted(("entries", int(group.key)), group.card.id, 0) if rule.per == "entry" and group.card else None
        return Violation(
            rule.id, rule.title, rule.source, rule.severity, kind, group.key, counted, actual, bound, where,
            hint=rule.hint or None,
        )  # fmt: skip


def broken(kind: Kind, actual: int | float, bound: int | float) -> bool:
    """True if a measured value breaks a bound."""
    if kind == "max":
        return actual > bound
    return actual < bound if kind == "min" else actual != bound


def values(pick: Pick, path: str) -> tuple[str, ...]:
    """The values at a path as text: none where it is absent, each item of a list, each key of a map."""
    value = pick.value(path)
    if value is None:
        return ()
    if isinstance(value, Mapping):
        return tuple(value)
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    return (str(value),)
