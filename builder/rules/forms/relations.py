"""The forms about two cards: `allow` (attachment and bearer), `link` (entry and entry), `requires` (pick and pick)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from builder.model.card import Card
from builder.model.rules import Allow, LinkRule, Requires, RuleBase, Where
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import Derived, number
from builder.rules.query import Passes, Selector, compile_where
from builder.rules.violation import Counted, Kind, Violation


def counted(pick: Pick, amount: int | float | None = None) -> Counted:
    """A pick as it is named in a violation."""
    return Counted(pick.path, pick.card.id, pick.count if amount is None else amount, pick.count)


def refuse(
    rule: RuleBase, kind: Kind, subject: Pick, others: tuple[Pick, ...] = (), candidates: tuple[str, ...] = ()
) -> Violation:
    """A violation about one pick."""
    names = tuple(counted(pick) for pick in others) or (counted(subject),)
    return Violation(
        rule.id, rule.title, rule.source, rule.severity, kind, ".".join(str(part) for part in subject.path), names,
        len(others), None, counted(subject), candidates, rule.hint or None,
    )  # fmt: skip


def own_condition(card: Card, field: str) -> Where | None:
    """The condition that a card states on its bearer; None if it states none.

    One that cannot be read lets nobody pass: the pack's own check reports it, and a squad must not profit from it.
    """
    value = card.field(field)
    if value is None:
        return None
    try:
        return Where.model_validate(value)
    except ValidationError:
        return Where(any=(Where(fields={}, none=(Where(),)),))


class Permit:
    """A compiled allow rule."""

    def __init__(self, rule: Allow, cards: Mapping[str, Card]) -> None:
        self.rule = rule
        self.selector = Selector(rule.select)
        self.bearer = compile_where(rule.bearer) if rule.bearer is not None else None
        self.asked: dict[str, Where] = {}
        if rule.field is not None:
            stated = ((card.id, own_condition(card, rule.field)) for card in cards.values())
            self.asked = {name: where for name, where in stated if where is not None}
        self.own: dict[str, Passes] = {name: compile_where(where) for name, where in self.asked.items()}

    def asks(self, card: str) -> Where | None:
        """The condition that a card states on its bearer."""
        return self.asked.get(card)

    def permits(self, pick: Pick, bearer: Pick) -> bool:
        """True if the bearer may carry the pick."""
        if self.bearer is not None and not self.bearer(bearer, pick):
            return False
        own = self.own.get(pick.card.id)
        return own is None or own(bearer, pick)

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every attachment on a bearer that may not carry it."""
        for pick in squad.attachments:
            if pick.bearer is not None and self.selector.takes(pick) and not self.permits(pick, pick.bearer):
                yield refuse(self.rule, "not-allowed", pick, (pick.bearer,))


class Tied:
    """A compiled link rule."""

    def __init__(self, rule: LinkRule) -> None:
        self.rule = rule
        self.selector = Selector(rule.select)
        self.target = compile_where(rule.target)

    def fitting(self, entry: Pick, squad: Squad) -> tuple[Pick, ...]:
        """The other lines that the entry may be tied to."""
        return tuple(other for other in squad.entries if other is not entry and self.target(other, entry))

    def bond(self, entry: Pick, squad: Squad) -> Pick | None:
        """What the entry is tied to: the stated target, or the only one where the rule lets it be left unsaid."""
        stated = squad.ties.get((entry.line, self.rule.link))
        if stated is not None or self.rule.required != "several":
            return stated
        fitting = self.fitting(entry, squad)
        return fitting[0] if len(fitting) == 1 else None

    def held(self, squad: Squad) -> dict[int, list[Pick]]:
        """The entries that each line holds."""
        found: dict[int, list[Pick]] = {}
        for entry in self.selector.of(squad):
            target = self.bond(entry, squad)
            if target is not None and self.target(target, entry):
                found.setdefault(target.line, []).append(entry)
        return found

    def loads(self, entry: Pick) -> int | float:
        """How much of a target's room one copy of an entry fills."""
        return (number(entry.value(self.rule.load)) or 0) if self.rule.load is not None else 1

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Entries without a target, with an unnamed or wrong one, and targets that hold too much."""
        load: dict[int, list[Pick]] = {}
        for entry in self.selector.of(squad):
            stated = squad.ties.get((entry.line, self.rule.link))
            target = self.bond(entry, squad)
            if stated is not None and not self.target(stated, entry):
                yield refuse(self.rule, "wrong-target", entry, (stated,))
            elif target is not None:
                load.setdefault(target.line, []).append(entry)
            elif self.rule.required != "never":
                fitting = self.fitting(entry, squad)
                kind: Kind = "unnamed" if fitting else "no-target"
                yield refuse(self.rule, kind, entry, fitting, tuple(pick.card.id for pick in fitting))
        if self.rule.capacity is not None:
            yield from self._overfull(load, squad)

    def _overfull(self, load: Mapping[int, list[Pick]], squad: Squad) -> Iterator[Violation]:
        """Targets that hold more than they can; every copy of the target holds its own."""
        rule = self.rule
        assert rule.capacity is not None
        for target in squad.entries:
            room = number(target.card.field(rule.capacity))
            held = load.get(target.line, [])
            if not held or room is None:
                continue
            names = tuple(counted(pick, self.loads(pick) * pick.count) for pick in held)
            actual = sum(item.amount for item in names)
            if actual > room * target.count:
                bound = Derived(room * target.count, "capacity", field=rule.capacity, amount=target.count, each=room)
                yield Violation(
                    rule.id, rule.title, rule.source, rule.severity, "overfull", f"held.{target.line}", names, actual,
                    bound, counted(target), hint=rule.hint or None,
                )  # fmt: skip


class Need:
    """A compiled requires rule."""

    def __init__(self, rule: Requires) -> None:
        self.rule = rule
        self.selector = Selector(rule.select)
        self.needs = Selector(rule.needs)

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every pick whose need nothing else in the roster answers."""
        there = squad.picks(self.needs.source)
        for pick in self.selector.of(squad):
            if not any(other is not pick and self.needs.takes(other, pick) for other in there):
                yield refuse(self.rule, "needs", pick)
