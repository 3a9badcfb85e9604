"""How a limit groups what it selects: the picks of a squad, and the parts of a squad in the making."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.linear import NO, YES
from builder.model.rules import Limit, Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import CandidateTerm
from builder.rules.query import CardTest, Selector, list_values


@dataclass(frozen=True, slots=True)
class CardGroup:
    """The picks that are measured together; `card` holds the bound where it stands on a card."""

    key: str
    cards: tuple[SelectedCard, ...]
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PartGroup:
    """The parts that are measured together; `gate` is the literal under which the group exists at all."""

    key: str
    parts: tuple[CandidateTerm, ...]
    card: Card | None = None
    gate: int = YES


def find_card_groups(
    rule: Limit, selector: Selector, whose: CardTest | None, squad: Squad
) -> Iterator[CardGroup]:
    """The groups of a squad, in the order of the file; `whose` are the picks whose values form groups."""
    if rule.per == "roster":
        yield CardGroup("", tuple(selector.select_from(squad)))
    elif rule.per == "entry":
        yield from _per_entry(selector, squad)
    else:
        yield from _per_value(rule.group_path, selector, whose, squad)


def _per_entry(selector: Selector, squad: Squad) -> Iterator[CardGroup]:
    """Each entry that the rule is about; one without any pick counts 0."""
    for entry in squad.entries:
        if selector.host_matches is not None and not selector.host_matches(entry, None):
            continue
        if selector.source is Source.ENTRIES:
            if selector.matches_card(entry):
                yield CardGroup(str(entry.line), (entry,), entry.card)
            continue
        own = (
            squad.list_attachments(entry)
            if selector.source is not Source.ALL
            else (entry, *squad.list_attachments(entry))
        )
        picks = tuple(selected for selected in own if selector.where_matches(selected, None))
        yield CardGroup(str(entry.line), picks, entry.card)


def _per_value(
    path: str | None, selector: Selector, whose: CardTest | None, squad: Squad
) -> Iterator[CardGroup]:
    """Each value of the path, each card without one; a list or map stands for each of its values or keys."""
    owners = (
        [selected for selected in squad.list_cards(selector.source) if whose(selected, None)]
        if whose is not None
        else []
    )
    found: dict[str, list[SelectedCard]] = {
        value: [] for selected in owners for value in list_values(selected, path or "id")
    }
    for selected in selector.select_from(squad):
        for value in list_values(selected, path or "id"):
            if whose is None or value in found:
                found.setdefault(value, []).append(selected)
    yield from (
        CardGroup(key, tuple(picks), None if path else picks[0].card)
        for key, picks in found.items()
    )


def find_part_groups(rule: Limit, selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    """The groups that a limit may measure in a squad in the making."""
    if rule.per == "roster":
        yield PartGroup("", tuple(writer.find_parts(selector)))
    elif rule.per == "entry":
        yield from _parts_per_entry(selector, writer)
    else:
        yield from _parts_per_value(rule, selector, writer)


def _parts_per_entry(selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    source, select = selector.source, selector.select
    for line in writer.model.lines:
        entry, both = line.entry, writer.program.all_of
        meant = writer.match_where(select.bearer, entry) if select.bearer is not None else YES
        if source is Source.ENTRIES:
            meant = both([meant, writer.match_part(selector, entry)])
            own: list[CandidateTerm] = [(entry, meant)]
        else:
            every = [entry, *line.attachments] if source is Source.ALL else line.attachments
            own = [(part, both([meant, writer.match_where(select.where, part)])) for part in every]
        if (there := both([entry.is_present, meant])) != NO:
            parts = tuple(item for item in own if item[1] != NO)
            yield PartGroup(str(entry.selected.line), parts, entry.selected.card, there)


def _parts_per_value(rule: Limit, selector: Selector, writer: RowWriter) -> Iterator[PartGroup]:
    """Each value, or each card, that some part has or may have."""
    path = rule.group_path or "id"
    found = writer.group_by_value(path, writer.find_parts(selector))
    whose = found
    if rule.groups is not None:
        owners = [
            (part, writer.match_where(rule.groups, part))
            for part in writer.model.list_parts(selector.source)
        ]
        whose = writer.group_by_value(path, [item for item in owners if item[1] != NO])
    for value, parts in whose.items():
        card = parts[0][0].selected.card if rule.group_path is None else None
        yield PartGroup(value, tuple(found.get(value, ())), card, writer.make_presence(parts))
