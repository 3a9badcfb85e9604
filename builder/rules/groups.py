"""How a limit groups what it selects: the picks of a squad, and the parts of a squad in the making."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.linear import NO, YES
from builder.model.rules import Limit, Source
from builder.roster.resolve import Pick, Squad
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Meant
from builder.rules.query import Passes, Selector, values


@dataclass(frozen=True, slots=True)
class PickGroup:
    """The picks that are measured together; `card` holds the bound where it stands on a card."""

    key: str
    picks: tuple[Pick, ...]
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PartGroup:
    """The parts that are measured together; `gate` is the literal under which the group exists at all."""

    key: str
    parts: tuple[Meant, ...]
    card: Card | None = None
    gate: int = YES


def groups(
    rule: Limit, selector: Selector, whose: Passes | None, squad: Squad
) -> Iterator[PickGroup]:
    """The groups of a squad, in the order of the file; `whose` are the picks whose values form groups."""
    if rule.per == "roster":
        yield PickGroup("", tuple(selector.of(squad)))
    elif rule.per == "entry":
        yield from _per_entry(selector, squad)
    else:
        yield from _per_value(rule.group_path, selector, whose, squad)


def _per_entry(selector: Selector, squad: Squad) -> Iterator[PickGroup]:
    """Each entry that the rule is about; one without any pick counts 0."""
    for entry in squad.entries:
        if selector.bearer is not None and not selector.bearer(entry, None):
            continue
        if selector.source is Source.ENTRIES:
            if selector.takes(entry):
                yield PickGroup(str(entry.line), (entry,), entry.card)
            continue
        own = (
            squad.carried(entry)
            if selector.source is not Source.ALL
            else (entry, *squad.carried(entry))
        )
        picks = tuple(pick for pick in own if selector.passes(pick, None))
        yield PickGroup(str(entry.line), picks, entry.card)


def _per_value(
    path: str | None, selector: Selector, whose: Passes | None, squad: Squad
) -> Iterator[PickGroup]:
    """Each value of the path, each card without one; a list or map stands for each of its values or keys."""
    owners = (
        [pick for pick in squad.picks(selector.source) if whose(pick, None)]
        if whose is not None
        else []
    )
    found: dict[str, list[Pick]] = {
        value: [] for pick in owners for value in values(pick, path or "id")
    }
    for pick in selector.of(squad):
        for value in values(pick, path or "id"):
            if whose is None or value in found:
                found.setdefault(value, []).append(pick)
    yield from (
        PickGroup(key, tuple(picks), None if path else picks[0].card)
        for key, picks in found.items()
    )


def part_groups(rule: Limit, selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    """The groups that a limit may measure in a squad in the making."""
    if rule.per == "roster":
        yield PartGroup("", tuple(writer.taken(selector)))
    elif rule.per == "entry":
        yield from _parts_per_entry(selector, writer)
    else:
        yield from _parts_per_value(rule, selector, writer)


def _parts_per_entry(selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    source, select = selector.source, selector.select
    for line in writer.model.lines:
        entry, both = line.entry, writer.program.all_of
        meant = writer.where(select.bearer, entry) if select.bearer is not None else YES
        if source is Source.ENTRIES:
            meant = both([meant, writer.takes(selector, entry)])
            own: list[Meant] = [(entry, meant)]
        else:
            every = [entry, *line.carried] if source is Source.ALL else line.carried
            own = [(part, both([meant, writer.where(select.where, part)])) for part in every]
        if (there := both([entry.on, meant])) != NO:
            parts = tuple(item for item in own if item[1] != NO)
            yield PartGroup(str(entry.pick.line), parts, entry.pick.card, there)


def _parts_per_value(rule: Limit, selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    """Each value, or each card, that some part has or may have."""
    path = rule.group_path or "id"
    found = writer.by_value(path, writer.taken(selector))
    whose = found
    if rule.groups is not None:
        owners = [
            (part, writer.where(rule.groups, part)) for part in writer.model.parts(selector.source)
        ]
        whose = writer.by_value(path, [item for item in owners if item[1] != NO])
    for value, parts in whose.items():
        card = parts[0][0].pick.card if rule.group_path is None else None
        yield PartGroup(value, tuple(found.get(value, ())), card, writer.some(parts))
