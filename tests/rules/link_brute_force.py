"""A second judge of squads, written apart from the program.

It tries every assignment of every copy.

It knows the rules that `random_games` makes: links with capacities and loads, and limits on counts
and costs of the whole roster. It reads the same models of files as the program, and nothing else of
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from builder.model.roster import Entry, Roster

CardFields = dict[str, Any]


@dataclass
class BruteVerdict:
    """The rules that a squad breaks, each with the reason."""

    broken: dict[str, str] = field(default_factory=dict)
    has_problem: bool = False
    """True if a link names no line, or several."""


def judge_by_trying(
    rules: Sequence[CardFields], cards: dict[str, CardFields], roster: Roster
) -> BruteVerdict:
    """Return the broken rules of a squad."""
    named = list(name_targets(roster))
    if any(target is None for _line, _link, target in named):
        return BruteVerdict(has_problem=True)
    stated = {
        (line, link): target for line, link, target in named if target is not None
    }
    found = BruteVerdict()
    for rule in rules:
        reason = (
            LinkTrial(rule, rules, cards, roster, stated).reason()
            if rule["type"] == "link"
            else limit(rule, cards, roster)
        )
        if reason:
            found.broken[rule["id"]] = reason
    return found


def name_targets(roster: Roster) -> Iterator[tuple[int, str, int | None]]:
    """Yield each stated link with the line that it names: by its id, else by its card.

    None if that is not one line.
    """
    for line, entry in enumerate(roster.entries):
        for link, word in entry.links.items():
            others = [
                (other, item)
                for other, item in enumerate(roster.entries)
                if other != line
            ]
            by_id = [other for other, item in others if item.id == word]
            by_card = [other for other, item in others if item.card == word]
            lines = by_id or by_card
            yield line, link, lines[0] if len(lines) == 1 else None


def passes(where: CardFields, card: CardFields) -> bool:
    """Return True if a card passes a condition of the few forms that `random_games` writes."""
    for path, test in where.items():
        value = card.get(path)
        if isinstance(test, str):
            holds = value == test
        elif "has" in test:
            holds = test["has"] in (value or ())
        elif "lacks" in test:
            holds = test["lacks"] not in (value or ())
        else:
            holds = (value is not None) == test["exists"]
        if not holds:
            return False
    return True


def limit(rule: CardFields, cards: dict[str, CardFields], roster: Roster) -> str:
    """Return why a limit is broken, the empty text if it is not."""
    total = 0
    for entry in roster.entries:
        where = rule.get("select", {}).get("where", {})
        if rule["measure"] == "count":
            total += entry.count * passes(where, cards[entry.card])
        else:
            load = sum(cards[item.card].get("cost", 0) for item in entry.attachments)
            total += entry.count * (cards[entry.card].get("cost", 0) + load)
    if "max" in rule and total > rule["max"]:
        return "too much"
    return "too little" if "min" in rule and total < rule["min"] else ""


class LinkTrial:
    """One link rule in one squad."""

    def __init__(
        self,
        rule: CardFields,
        rules: Sequence[CardFields],
        cards: dict[str, CardFields],
        roster: Roster,
        stated: dict[tuple[int, str], int],
    ) -> None:
        self.rule = rule
        self.same_link = [
            one
            for one in rules
            if one["type"] == "link" and one["link"] == rule["link"]
        ]
        self.cards = cards
        self.entries = roster.entries
        self.stated = stated

    def reason(self) -> str:
        """Return why the rule is broken, the empty text if it is not."""
        models: list[tuple[int, int, list[tuple[int, int]]]] = []
        for line, entry in enumerate(self.entries):
            if not passes(self.rule["select"]["where"], self.cards[entry.card]):
                continue
            target = self.stated.get((line, self.rule["link"]))
            if target is None and self.rule["required"] == "never":
                continue
            if target is not None and not self.fits(target):
                return "wrong target"
            if target is None and self.rule["required"] == "always":
                return "not named"
            for copy in range(entry.count):
                every = range(len(self.entries))
                lines = (
                    [target]
                    if target is not None
                    else [n for n in every if self.fits_every_rule(n, line)]
                )
                places = [
                    (n, other)
                    for n in lines
                    for other in range(self.entries[n].count)
                    if (n, other) != (line, copy)
                ]
                if not places:
                    return "no target"
                models.append((line, copy, places))
        assignments = self.assignments(models)
        if not assignments:
            return "no room"
        return "not named" if len(assignments) > 1 else ""

    def fits(self, line: int) -> bool:
        """Return True if a line may be the target."""
        return passes(self.rule["target"], self.cards[self.entries[line].card])

    def fits_every_rule(self, target: int, line: int) -> bool:
        """Return True if a line may be another's target by all link rules about that other."""
        card, own = (
            self.cards[self.entries[target].card],
            self.cards[self.entries[line].card],
        )
        return all(
            passes(rule["target"], card)
            for rule in self.same_link
            if passes(rule["select"]["where"], own)
        )

    def assignments(
        self, models: list[tuple[int, int, list[tuple[int, int]]]]
    ) -> set[tuple[Any, ...]]:
        """Return the assignments of all models that differ.

        How many of equal lines go to which equal lines.
        """
        rooms = {
            (line, copy): self.room(line)
            for line, entry in enumerate(self.entries)
            for copy in range(entry.count)
        }
        places = sorted(rooms)
        states: set[tuple[tuple[Any, ...], tuple[Any, ...]]] = {
            (tuple(rooms[place] for place in places), ())
        }
        for line, _copy, targets in models:
            load, after = self.load(line), set()
            for free, pairs in states:
                for target in targets:
                    number = places.index(target)
                    room = free[number]
                    if room is not None and room < load:
                        continue
                    left = room if room is None else room - load
                    pair = (self.key(line), self.key(target[0]))
                    after.add(
                        (
                            (*free[:number], left, *free[number + 1 :]),
                            tuple(sorted((*pairs, pair), key=repr)),
                        )
                    )
            states = after
        return {pairs for _free, pairs in states}

    def room(self, line: int) -> Fraction | None:
        """Return what one copy of a line holds, None for any load."""
        value = self.cards[self.entries[line].card].get(self.rule.get("capacity", ""))
        return None if value is None else Fraction(str(value))

    def load(self, line: int) -> Fraction:
        """Return what one copy of a line fills."""
        value = (
            self.cards[self.entries[line].card].get(self.rule["load"])
            if "load" in self.rule
            else None
        )
        return Fraction(1) if value is None else Fraction(str(value))

    def key(self, line: int) -> tuple[Any, ...]:
        """Return what makes a line equal to others; a line that a link names is equal to none."""
        if line in self.stated.values():
            return (line,)
        entry: Entry = self.entries[line]
        links = sorted(
            (link, target) for (own, link), target in self.stated.items() if own == line
        )
        return (
            entry.card,
            entry.name or "",
            tuple(sorted(item.card for item in entry.attachments)),
            tuple(links),
        )
