"""What may be added to a squad, and for every other card why not: ready to be printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.model.rules import Source
from builder.roster.operations import Remove
from builder.roster.owning import ANY, used
from builder.rules.choices import Chooser, Option
from builder.rules.leaving import carriers, leaving
from builder.rules.telling import Teller
from builder.rules.violation import Violation
from builder.usecases.roster_check import Judged


@dataclass(frozen=True, slots=True)
class Offer:
    """One card. `more` says how many in words (per bearer for attachments), empty for a refused card; `notes` say
    what it would need then, or which rule refuses it and what would have to go."""

    id: str
    kind: str
    name: str
    cost: int | float | None
    more: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def open(self) -> bool:
        """True if it may be added."""
        return bool(self.more)


def offers(judged: Judged, owned: Mapping[str, int] | None = None, painted: bool = False) -> tuple[Offer, ...]:
    """Every card that may stand in a roster of the pack; nothing for a roster that could not be read.

    With `owned` (copies of every card; only the painted ones if `painted`) no more is offered than the squad leaves on
    the shelf.
    """
    judge, squad = judged.judge, judged.squad
    if judge is None or squad is None:
        return ()
    by_card: dict[str, list[Option]] = {}
    for option in Chooser(squad, judge.evaluator).options():
        by_card.setdefault(option.card.id, []).append(option)
    desk = _Desk(judged, owned, painted)
    offered = {card: desk.offer(options) for card, options in by_card.items()}
    pack = judge.pack
    alone = sorted(card.id for card in pack.cards.values() if pack.role(card).value == "attachment")
    for card in alone if not squad.entries else ():
        offered[card] = desk.bearerless(card)
    return tuple(offered.values())


class _Desk:
    """Words for the options of one judged roster."""

    def __init__(self, judged: Judged, owned: Mapping[str, int] | None, painted: bool) -> None:
        assert judged.judge is not None
        assert judged.roster is not None
        self.judge = judged.judge
        self.roster = judged.roster
        self.teller = Teller(judged.judge.evaluator, judged.lang)
        self.say = self.teller.names.say
        self.shelf = owned or {}
        self.used = used(judged.roster)
        self.lacking = "not-painted" if painted else "not-owned"

    def offer(self, options: Sequence[Option]) -> Offer:
        """One card at all its places."""
        card = options[0].card
        names = self.teller.names
        more, notes = [], []
        left = self.shelf.get(card.id, ANY) - self.used[card.id]
        if left < 1:
            told = self.say(self.lacking, owned=self.shelf[card.id], used=self.used[card.id])
            return Offer(card.id, names.kind(card.kind), names.card(card.id), card.cost, (), (told,))
        for option in (option for option in options if not option.refusals):
            fits = min(left, ANY if option.more is None else option.more)
            many = self.say("any-number") if fits >= ANY - self.used[card.id] else self.say("more", many=fits)
            if option.source is Source.ATTACHMENTS:
                bearer = self.teller.line(self.roster, option.line)
                many = self.say("for-bearer", bearer=bearer, many=many)
            more.append(many)
            notes += [self.say("then", told=self._told(item)) for item in option.then]
        if not more:
            notes = list(self._refused(options))
        kind = names.kind(card.kind)
        return Offer(card.id, kind, names.card(card.id), card.cost, tuple(more), tuple(dict.fromkeys(notes)))

    def bearerless(self, card: str) -> Offer:
        """An attachment in a squad without models."""
        names, found = self.teller.names, self.judge.pack.cards[card]
        notes = (self.say("no-bearer"), self._carriers(found.id))
        return Offer(card, names.kind(found.kind), names.card(card), found.cost, (), notes)

    def _refused(self, options: Sequence[Option]) -> Iterator[str]:
        """Each rule that refuses the card, where it comes nearest to being let in; then what would make room."""
        nearest = min(len(option.refusals) for option in options)
        told: dict[str, None] = {}
        bearers = False
        for option in (option for option in options if len(option.refusals) == nearest):
            for item in option.refusals:
                room = "" if item.kind == "not-allowed" else f"; {self._room(item, option)}"
                told[self._told(item) + room] = None
                bearers = bearers or item.kind in ("not-allowed", "no-slot")
        yield from list(told)[:LONG]
        if bearers:
            yield self._carriers(options[0].card.id)

    def _carriers(self, card: str) -> str:
        """Who of the pack could carry a card."""
        found = carriers(self.judge.pack.cards[card], self.judge.evaluator)
        names = ", ".join(self.teller.names.card(name) for name in found)
        return self.say("could-carry", names=names) if found else self.say("nobody-carries")

    def _told(self, item: Violation) -> str:
        """A rule and what it counted."""
        return f"{item.rule} ({self.teller.title(item)}; {item.source}): {self.teller.message(item)}"

    def _room(self, item: Violation, option: Option) -> str:
        """What would have to go."""
        sets = leaving(item, option, self.judge.evaluator)
        if not sets:
            return self.say("go-none")
        told = tuple(dict.fromkeys(" + ".join(self._removal(step) for step in removals) for removals in sets))
        form = "go-any" if len(told) > 1 else "go-one"
        return self.say(form, names="; ".join(told[:LONG]))

    def _removal(self, step: Remove) -> str:
        """One removal by name."""
        name = self.teller.names.card(step.card)
        return f"{name} ×{step.count}" if step.count > 1 else name


LONG = 6
"""Reasons or removals told of one card."""
