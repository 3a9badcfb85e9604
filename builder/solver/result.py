"""A solution read back: the roster it stands for, and what was done to the one there was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Free, Remove
from builder.rules.decision_model import DecisionModel, Line, Part, TieDecisions


@dataclass(frozen=True, slots=True)
class Given:
    """A card that came in: `bearer` is the line of the new roster that carries it, -1 for a model or the deck;
    `choices` is what is chosen for a model."""

    card: str
    source: Source
    count: int
    bearer: int = -1
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """A tie that was named: the lines of the new roster; `target` is -1 for one that was taken away."""

    line: int
    link: str
    target: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen anew for a model that was there: the line of the new roster; no value if nothing is any more."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The new roster; what left the old one, what came, what is tied and chosen anew; what all its cards cost."""

    roster: Roster
    gone: tuple[Remove | Free, ...]
    came: tuple[Given, ...]
    ties: tuple[Named, ...]
    chosen: tuple[Chosen, ...]
    cost: int | float


def outcome(model: DecisionModel, ties: TieDecisions, values: Sequence[int]) -> Outcome:
    """The roster that the variables' values describe."""
    roster = model.squad.roster
    kept = [line for line in model.lines if values[line.entry.on]]
    entries = [_entry(line, roster, values) for line in kept]
    numbers = {id(line.entry): number for number, line in enumerate(kept)}
    deck = [DeckCard(card=part.pick.card.id, count=values[part.many]) for part in model.deck if values[part.many]]
    named = _name_ties(entries, numbers, ties, values)
    cost = sum(factor * values[var] for var, factor in model.cost())
    made = roster.model_copy(update={"entries": tuple(entries), "deck": tuple(deck)})
    chosen = tuple(_chosen(kept, entries))
    return Outcome(made, tuple(_gone(model, values)), tuple(_came(model, kept, values)), tuple(named), chosen, cost)


def _entry(line: Line, roster: Roster, values: Sequence[int]) -> Entry:
    """One line of the new roster; an attachment whose named slot was not kept is let free."""
    pick = line.entry.pick
    items = tuple(
        Attachment(
            card=part.pick.card.id, slot=None if part.freed is not None and values[part.freed] else part.pick.slot
        )
        for part in line.carried
        if values[part.on]
    )
    choices = choices_of(line.entry, values)
    if line.entry.was:
        old = roster.entries[pick.line]
        return old.model_copy(update={"count": values[line.entry.many], "attachments": items, "choices": choices})
    return Entry(card=pick.card.id, count=values[line.entry.many], choices=choices, attachments=items)


def choices_of(part: Part, values: Sequence[int]) -> dict[str, str]:
    """What is chosen for an entry: as it was where that was not open, in the order in which it was written."""
    made = dict(part.pick.choices)
    for name, domain in part.domains.items():
        value = next((value for value, literal in domain.items() if values[literal]), None)
        if value is not None:
            made[name] = value
        else:
            made.pop(name, None)
    return made


def _chosen(kept: Sequence[Line], entries: Sequence[Entry]) -> Iterator[Chosen]:
    """Every choice of an old line that is another one now."""
    for number, (line, entry) in enumerate(zip(kept, entries, strict=True)):
        was = line.entry.pick.choices
        if line.entry.was:
            for name in sorted(was.keys() | entry.choices.keys()):
                if was.get(name) != entry.choices.get(name):
                    yield Chosen(number, name, entry.choices.get(name, ""))


def _name_ties(entries: list[Entry], numbers: dict[int, int], ties: TieDecisions, values: Sequence[int]) -> list[Named]:
    """Write the ties that the solution names, giving a target a name where its card alone would not tell it."""
    named: list[Named] = []
    for tie in ties.ties.values():
        for other, var in tie.targets.items():
            if not values[var]:
                continue
            line, target = numbers[id(tie.entry)], numbers[id(ties.entries[other])]
            if other == tie.stated and _tells(entries, line, tie.link, target):
                continue
            _name(entries, line, tie.link, target)
            if other != tie.stated:
                named.append(Named(line, tie.link, target))
        if tie.stated is not None and values[tie.entry.on] and not values[tie.named]:
            line = numbers[id(tie.entry)]
            links = {link: word for link, word in entries[line].links.items() if link != tie.link}
            entries[line] = entries[line].model_copy(update={"links": links})
            named.append(Named(line, tie.link, -1))
    return named


def _tells(entries: Sequence[Entry], line: int, link: str, target: int) -> bool:
    """True if the tie as it is written means that line and no other."""
    word = entries[line].links.get(link)
    others = [number for number in range(len(entries)) if number != line]
    by_id = [number for number in others if entries[number].id == word]
    return (by_id or [number for number in others if entries[number].card == word]) == [target]


def _name(entries: list[Entry], line: int, link: str, target: int) -> None:
    """Write a tie."""
    aim = entries[target]
    word = aim.id or aim.card
    entries[line] = entries[line].model_copy(update={"links": {**entries[line].links, link: word}})
    if aim.id is None and not _tells(entries, line, link, target):
        taken = {entry.id for entry in entries} | {entry.card for entry in entries}
        word = next(f"{aim.card}-{n}" for n in range(1, len(entries) + 2) if f"{aim.card}-{n}" not in taken)
        entries[target] = aim.model_copy(update={"id": word})
        entries[line] = entries[line].model_copy(update={"links": {**entries[line].links, link: word}})


def _gone(model: DecisionModel, values: Sequence[int]) -> list[Remove | Free]:
    """What left the roster; what goes with its bearer is not told by itself."""
    steps: list[Remove | Free] = []
    for line in model.lines:
        steps += _less(line.entry, values)
        for part in line.carried:
            if values[line.entry.on] and part.was and not values[part.on]:
                steps.append(Remove(part.pick.path, part.pick.card.id))
            elif part.freed is not None and values[part.freed]:
                steps.append(Free(part.pick.path, part.pick.card.id))
    for part in model.deck:
        steps += _less(part, values)
    return steps


def _less(part: Part, values: Sequence[int]) -> list[Remove | Free]:
    less = part.was - values[part.many]
    return [Remove(part.pick.path, part.pick.card.id, less)] if less > 0 else []


def _came(model: DecisionModel, kept: Sequence[Line], values: Sequence[int]) -> list[Given]:
    """What came into the roster."""
    found: list[Given] = []
    for number, line in enumerate(kept):
        if not line.entry.was:
            choices = tuple(choices_of(line.entry, values).items())
            found.append(Given(line.entry.pick.card.id, Source.ENTRIES, values[line.entry.many], choices=choices))
        found += [
            Given(part.pick.card.id, Source.ATTACHMENTS, 1, number)
            for part in line.carried
            if not part.was and values[part.on]
        ]
    found += [
        Given(part.pick.card.id, Source.DECK, values[part.many])
        for part in model.deck
        if not part.was and values[part.many]
    ]
    return found
