"""A solution read back: the roster it stands for, and what was done to the one there was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Add, Choose, Free, Remove, Tie, apply
from builder.roster.resolve import LineNames
from builder.rules.decision_model import DecisionModel, TieDecisions
from builder.rules.decision_parts import DecisionLine, Part


@dataclass(frozen=True, slots=True)
class SolvedRoster:
    """The new roster; what left the old one; what came, was tied and was chosen anew, by the lines of the new one (an
    attachment comes to its bearer's, a further copy of a model to its line); what all its cards cost."""

    roster: Roster
    gone: tuple[Remove | Free, ...]
    came: tuple[Add, ...]
    ties: tuple[Tie, ...]
    chosen: tuple[Choose, ...]
    cost: int | float


def solved(model: DecisionModel, ties: TieDecisions, values: Sequence[int]) -> SolvedRoster:
    """The roster that the variables' values describe."""
    old = model.squad.roster
    kept = [line for line in model.lines if values[line.entry.on]]
    entries = tuple(_entry(line, old, values) for line in kept)
    deck = tuple(
        DeckCard(card=part.pick.card.id, count=values[part.many])
        for part in model.deck
        if values[part.many]
    )
    roster, tied = _tied(
        old.model_copy(update={"entries": entries, "deck": deck}), kept, ties, values
    )
    cost = sum(factor * values[var] for var, factor in model.cost)
    gone, came = tuple(_gone(model, values)), tuple(_came(model, kept, values))
    return SolvedRoster(roster, gone, came, tuple(tied), tuple(_chosen(kept, entries)), cost)


def _entry(line: DecisionLine, roster: Roster, values: Sequence[int]) -> Entry:
    """One line of the new roster; an attachment whose named slot was not kept is let free."""
    pick = line.entry.pick
    items = tuple(
        Attachment(
            card=part.pick.card.id,
            slot=None if part.freed is not None and values[part.freed] else part.pick.slot,
        )
        for part in line.carried
        if values[part.on]
    )
    old = roster.entries[pick.line] if line.entry.was else Entry(card=pick.card.id)
    stated = {
        "count": values[line.entry.many],
        "attachments": items,
        "choices": choices_of(line.entry, values),
    }
    return old.model_copy(update=stated)


def choices_of(part: Part, values: Sequence[int]) -> dict[str, str]:
    """What is chosen for an entry: as it was where that was not open, in the order in which it was written."""
    made = dict(part.pick.choices)
    for name, domain in part.domains.items():
        made[name] = next((value for value, literal in domain.items() if values[literal]), "")
    return {name: value for name, value in made.items() if value}


def _chosen(kept: Sequence[DecisionLine], entries: Sequence[Entry]) -> Iterator[Choose]:
    """Every choice of an old line that is another one now."""
    for number, (line, entry) in enumerate(zip(kept, entries, strict=True)):
        was = line.entry.pick.choices
        for name in sorted(was.keys() | entry.choices.keys()) if line.entry.was else ():
            if was.get(name) != entry.choices.get(name):
                yield Choose(number, name, entry.choices.get(name, ""))


def _tied(
    roster: Roster, kept: Sequence[DecisionLine], ties: TieDecisions, values: Sequence[int]
) -> tuple[Roster, list[Tie]]:
    """The roster with the ties that the solution names, and those of them that are new."""
    new: list[Tie] = []
    numbers = {id(line.entry): number for number, line in enumerate(kept)}
    for tie in ties.ties.values():
        for other, var in tie.targets.items():
            if values[var]:
                line, target = numbers[id(tie.entry)], numbers[id(ties.entries[other])]
                step = Tie(line, tie.link, target)
                new += [step] if other != tie.stated else []
                word = roster.entries[line].links.get(tie.link, "")
                if other != tie.stated or LineNames(roster.entries).others(word, line) != [target]:
                    roster = apply(roster, step)
        if tie.stated is not None and values[tie.entry.on] and not values[tie.named]:
            new.append(Tie(numbers[id(tie.entry)], tie.link))
            roster = apply(roster, new[-1])
    return roster, new


def _gone(model: DecisionModel, values: Sequence[int]) -> Iterator[Remove | Free]:
    """What left the roster; what goes with its bearer is not told by itself."""
    for line in model.lines:
        yield from _less(line.entry, values)
        for part in line.carried:
            if values[line.entry.on] and part.was and not values[part.on]:
                yield Remove(part.pick.path, part.pick.card.id)
            elif part.freed is not None and values[part.freed]:
                yield Free(part.pick.path, part.pick.card.id)
    for part in model.deck:
        yield from _less(part, values)


def _less(part: Part, values: Sequence[int]) -> Iterator[Remove]:
    if (less := part.was - values[part.many]) > 0:
        yield Remove(part.pick.path, part.pick.card.id, less)


def _came(
    model: DecisionModel, kept: Sequence[DecisionLine], values: Sequence[int]
) -> Iterator[Add]:
    for number, line in enumerate(kept):
        if line.entry.grown is not None and values[line.entry.grown]:
            yield Add(line.entry.pick.card.id, Source.ENTRIES, number, values[line.entry.grown])
        if not line.entry.was:
            choices = tuple(choices_of(line.entry, values).items())
            yield Add(
                line.entry.pick.card.id,
                Source.ENTRIES,
                count=values[line.entry.many],
                choices=choices,
            )
        new = (part for part in line.carried if not part.was and values[part.on])
        yield from (Add(part.pick.card.id, Source.ATTACHMENTS, number) for part in new)
    for part in model.deck:
        if not part.was and values[part.many]:
            yield Add(part.pick.card.id, Source.DECK, count=values[part.many])
