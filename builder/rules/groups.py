"""Group what a limit selects: cards of a squad, or parts that the solver decides."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.linear import NO, YES
from builder.model.rules import Limit, Source
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import CandidateTerm, DecisionEntry, Part
from builder.rules.query import CardTest, Selector, list_values


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that a limit measures together. `card` is the card that states the bound, if any."""

    key: str
    cards: tuple[SelectedCard, ...]
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PartGroup:
    """Parts of the linear program that a limit measures together.

    `gate` is the literal under which the group exists at all.
    """

    key: str
    parts: tuple[CandidateTerm, ...]
    card: Card | None = None
    gate: int = YES


def find_card_groups(
    rule: Limit, selector: Selector, owner_matches: CardTest | None, squad: Squad
) -> Iterator[CardGroup]:
    """Yield the groups of cards that a limit measures, in the order of the roster.

    `owner_matches` is the condition of the cards whose values form groups. None if every counted
    card does.
    """
    if rule.per == "roster":
        yield CardGroup("", tuple(selector.select_from(squad)))
    elif rule.per == "entry":
        yield from _group_per_entry(selector, squad)
    else:
        yield from _group_per_value(rule.group_path, selector, owner_matches, squad)


def _group_per_entry(selector: Selector, squad: Squad) -> Iterator[CardGroup]:
    """Yield one group for each entry. An entry without counted cards has an empty group."""
    for entry in squad.entries:
        if selector.host_matches is not None and not selector.host_matches(entry, None):
            continue
        if selector.source is Source.ENTRIES:
            if selector.matches_card(entry):
                yield CardGroup(str(entry.line), (entry,), entry.card)
            continue
        cards = squad.list_attachments(entry)
        if selector.source is Source.ALL:
            cards = (entry, *cards)
        selected_cards = tuple(
            card for card in cards if selector.where_matches(card, None)
        )
        yield CardGroup(str(entry.line), selected_cards, entry.card)


def _group_per_value(
    group_path: str | None,
    selector: Selector,
    owner_matches: CardTest | None,
    squad: Squad,
) -> Iterator[CardGroup]:
    """Yield one group for each value at a path. A card with a list is in several groups."""
    path = group_path or "id"
    groups = {}
    if owner_matches is not None:
        groups = _start_groups(path, selector.source, owner_matches, squad)
    for selected in selector.select_from(squad):
        for value in list_values(selected, path):
            if owner_matches is None or value in groups:
                groups.setdefault(value, []).append(selected)
    for key, cards in groups.items():
        # several cards may share a value, so only a group per card has a card
        card = None if group_path else cards[0].card
        yield CardGroup(key, tuple(cards), card)


def _start_groups(
    path: str, source: Source, owner_matches: CardTest, squad: Squad
) -> dict[str, list[SelectedCard]]:
    """Return an empty group for each value of the cards that meet the condition."""
    groups: dict[str, list[SelectedCard]] = {}
    for owner in squad.list_cards(source):
        if owner_matches(owner, None):
            groups.update({value: [] for value in list_values(owner, path)})
    return groups


def find_part_groups(
    rule: Limit, selector: Selector, writer: ConstraintWriter
) -> Iterator[PartGroup]:
    """Yield the groups that a limit measures in any squad that the solver may find."""
    if rule.per == "roster":
        yield PartGroup("", tuple(writer.find_parts(selector)))
    elif rule.per == "entry":
        yield from _group_parts_per_entry(selector, writer)
    else:
        yield from _group_parts_per_value(rule, selector, writer)


def _group_parts_per_entry(
    selector: Selector, writer: ConstraintWriter
) -> Iterator[PartGroup]:
    """Yield one group for each entry, with the parts that may be counted."""
    for entry in writer.model.entries:
        entry_matches = _make_entry_literal(selector, writer, entry.part)
        gate = writer.program.make_all_of([entry.part.is_present, entry_matches])
        if gate == NO:
            continue
        terms = []
        for part, literal in _match_entry_parts(selector, writer, entry):
            if literal != NO:
                terms.append((part, literal))
        yield PartGroup(
            str(entry.part.selected.line), tuple(terms), entry.part.selected.card, gate
        )


def _make_entry_literal(
    selector: Selector, writer: ConstraintWriter, entry: Part
) -> int:
    """Return a literal that is true if the limit measures this entry. The entry may be absent."""
    entry_matches = YES
    if selector.select.bearer is not None:
        entry_matches = writer.match_condition(selector.select.bearer, entry)
    if selector.source is Source.ENTRIES:
        matches = writer.match_part(selector, entry)
        entry_matches = writer.program.make_all_of([entry_matches, matches])
    return entry_matches


def _match_entry_parts(
    selector: Selector, writer: ConstraintWriter, entry: DecisionEntry
) -> Iterator[CandidateTerm]:
    """Yield the parts of an entry that may be counted, each with a literal: true if it counts."""
    entry_matches = _make_entry_literal(selector, writer, entry.part)
    if selector.source is Source.ENTRIES:
        yield entry.part, entry_matches
        return
    parts = entry.attachments
    if selector.source is Source.ALL:
        parts = [entry.part, *parts]
    for part in parts:
        part_matches = writer.match_condition(selector.select.where, part)
        yield part, writer.program.make_all_of([entry_matches, part_matches])


def _group_parts_per_value(
    rule: Limit, selector: Selector, writer: ConstraintWriter
) -> Iterator[PartGroup]:
    """Yield one group for each value, or each card, that the squad may have."""
    path = rule.group_path or "id"
    terms_by_value = writer.group_by_value(path, writer.find_parts(selector))
    owners_by_value = terms_by_value
    if rule.groups is not None:
        owners = []
        for part in writer.model.list_parts(selector.source):
            literal = writer.match_condition(rule.groups, part)
            if literal != NO:
                owners.append((part, literal))
        owners_by_value = writer.group_by_value(path, owners)
    for value, owner_terms in owners_by_value.items():
        card = owner_terms[0][0].selected.card if rule.group_path is None else None
        parts = tuple(terms_by_value.get(value, ()))
        yield PartGroup(value, parts, card, writer.make_presence_literal(owner_terms))
