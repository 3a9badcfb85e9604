"""Find what a release does to squads: changed ids, and rules and cards that make them illegal."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from builder.errata.change import ABSENT, CardChange, Difference, FieldChange, Value
from builder.errata.difference import has_same_demand, list_rules
from builder.errata.format_changes import compare_formats
from builder.errata.snapshot import Snapshot
from builder.messages import Message, gettext as _, join_messages
from builder.model.base import DataPath, Json, find_mentions
from builder.model.card import Migration, follow_migrations
from builder.model.formats import Legality
from builder.model.roster import (
    MAX_COPIES,
    Attachment,
    Collection as CardCollection,
    DeckCard,
    Entry,
    Owned,
    Roster,
)
from builder.model.rules import Rule
from builder.model.words import get_term


@dataclass(frozen=True, slots=True)
class MovedId:
    """A renamed card id in a squad, with its path and the new id."""

    path: DataPath
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class LostId:
    """A removed card id in a squad. `heirs` are the cards into which it was split."""

    path: DataPath
    old: str
    heirs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MigratedRoster:
    """A squad with current card ids, and the ids that changed or got lost."""

    roster: Roster
    moved_ids: tuple[MovedId, ...] = ()
    lost: tuple[LostId, ...] = ()


def migrate_roster(
    roster: Roster, migrations: tuple[Migration, ...], cards: Collection[str]
) -> MigratedRoster:
    """Replace renamed and merged card ids in a squad. Report removed and split ones."""
    heirs = {step.old: step.new for step in migrations}
    moved_ids, lost_ids = [], []
    for path, card in list_ids(roster):
        if card in cards:
            continue
        heir = follow_migrations(card, migrations, cards)
        if heir is not None:
            moved_ids.append(MovedId(path, card, heir))
        elif len(path) != 3:  # a link or a choice may name other things than cards
            lost_ids.append(LostId(path, card, heirs.get(card, ())))
    migrated = replace_ids(
        roster, {moved_id.old: moved_id.new for moved_id in moved_ids}
    )
    return MigratedRoster(migrated, tuple(moved_ids), tuple(lost_ids))


def migrate_collection(
    collection: CardCollection,
    migrations: tuple[Migration, ...],
    cards: Collection[str],
) -> tuple[CardCollection, dict[str, str]]:
    """Replace renamed card ids in a collection. Also return the new ids by the old ones.

    Copies of merged cards are added. Ids without a single successor stay.
    """
    new_ids: dict[str, str] = {}
    owned: dict[str, Owned] = {}
    for card, item in collection.owned.items():
        heir = None if card in cards else follow_migrations(card, migrations, cards)
        if heir is not None:
            new_ids[card] = heir
        name = heir or card
        # Two owned cards may have been merged into one.
        before = owned.get(name, Owned(count=0))
        count = before.count + item.count
        painted = before.painted + item.painted
        owned[name] = Owned(
            count=min(count, MAX_COPIES), painted=min(painted, MAX_COPIES)
        )
    return collection.model_copy(update={"owned": owned}), new_ids


def return_to_predecessors(
    roster: Roster, migrations: Sequence[Migration], cards: Collection[str]
) -> Roster:
    """Replace card ids in a squad by those of an older state.

    An id stays if it leads back to several cards, as after a merge, or to none.
    """
    replacements = {}
    for _path, card in list_ids(roster):
        if card not in cards:
            older_id = find_predecessor_card(card, migrations, cards)
            if older_id is not None:
                replacements[card] = older_id
    return replace_ids(roster, replacements)


def find_predecessor_card(
    card: str, migrations: Sequence[Migration], cards: Collection[str]
) -> str | None:
    """Return the only card of `cards` that became this one. None if there is none or several."""
    visited_ids = {card}
    current = {card}
    while current.isdisjoint(cards):
        # Go back one step for all cards at once; visited ids end a circle of renames.
        current = {
            step.old for step in migrations if current & set(step.new)
        } - visited_ids
        visited_ids |= current
        if not current:
            return None
    return next(iter(current), None) if len(current) == 1 else None


def list_ids(roster: Roster) -> Iterator[tuple[DataPath, str]]:
    """Yield every id that a roster names, with its path.

    Links and choices name cards, but also other things.
    """
    for line, entry in enumerate(roster.entries):
        yield ("entries", line), entry.card
        for index, attachment in enumerate(entry.attachments):
            yield ("entries", line, "attachments", index), attachment.card
        for name, value in (*entry.links.items(), *entry.choices.items()):
            yield ("entries", line, name), value
    for index, deck_card in enumerate(roster.deck):
        yield ("deck", index), deck_card.card


def replace_ids(roster: Roster, new_ids: Mapping[str, str]) -> Roster:
    """Return the roster with ids replaced everywhere."""
    if not new_ids:
        return roster
    entries = tuple(_replace_ids_of_entry(entry, new_ids) for entry in roster.entries)
    deck = tuple(
        DeckCard(
            card=new_ids.get(deck_card.card, deck_card.card), count=deck_card.count
        )
        for deck_card in roster.deck
    )
    return roster.model_copy(update={"entries": entries, "deck": deck})


def _replace_ids_of_entry(entry: Entry, new_ids: Mapping[str, str]) -> Entry:
    attachments = tuple(
        Attachment(
            card=new_ids.get(attachment.card, attachment.card), slot=attachment.slot
        )
        for attachment in entry.attachments
    )
    update = {
        "card": new_ids.get(entry.card, entry.card),
        "attachments": attachments,
        "links": {
            name: new_ids.get(value, value) for name, value in entry.links.items()
        },
        "choices": {
            name: new_ids.get(value, value) for name, value in entry.choices.items()
        },
    }
    return entry.model_copy(update=update)


RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


@dataclass(frozen=True, slots=True)
class Risk:
    """A change of a card or rule that can make legal squads illegal."""

    rule: str | None
    card: str | None
    reason: str


def find_risks(
    old: Snapshot, new: Snapshot, difference: Difference
) -> tuple[Risk, ...]:
    """Find changes that can make legal squads illegal: changed cards, then changed rules."""
    rules = list_rules(new)
    fields_by_rule = {name: _find_fields(rule) for name, rule in rules.items()}
    risks: list[Risk] = []
    for card in difference.cards:
        risks += _find_risks_of_card(card, rules, fields_by_rule)
    old_rules = list_rules(old)
    for name, rule in rules.items():
        if not has_same_demand(old_rules.get(name), rule):
            reason = (
                _("the rule changed") if name in old_rules else _("the rule is new")
            )
            risks.append(Risk(name, None, reason))
    for change in compare_formats(old, new):
        if change.now.legality is not Legality.LEGAL:
            title = change.now.format_title(change.format)
            why = join_messages([title, *change.period.words])
            rule_name = f"{change.format}:{change.now.legality}"
            risks += [Risk(rule_name, card_id, why) for card_id in change.cards]
    return tuple(risks)


def _find_risks_of_card(
    card: CardChange,
    rules: Mapping[str, Mapping[str, Json]],
    fields_by_rule: Mapping[str, Collection[str]],
) -> Iterator[Risk]:
    if card.status.gone:
        yield Risk(None, card.old_id or card.id, _describe_loss(card))
        return
    for field in card.fields:
        if (
            field.path == "kind"
        ):  # the kind decides in which part of a squad a card is counted
            yield Risk(None, card.id, _describe_field(field))
        if not field.type.matters and field.type.value != "name":
            continue
        for name, rule in rules.items():
            if _reads_field(fields_by_rule[name], field) and _may_tighten(rule, field):
                yield Risk(name, card.id, _describe_field(field))


def _reads_field(rule_fields: Collection[str], field: FieldChange) -> bool:
    return any(_paths_overlap(field.path, rule_field) for rule_field in rule_fields)


def _describe_field(field: FieldChange) -> Message:
    old = _format_value(field.old)
    new = _format_value(field.new)
    return _("{path}: {old} -> {new}", path=get_term(field.path), old=old, new=new)


def _describe_loss(card: CardChange) -> Message:
    status = get_term(card.status.value)
    if not card.successors:
        return _("the card is {status}", status=status)
    return _(
        "the card is {status}: {heirs}", status=status, heirs=", ".join(card.successors)
    )


def _paths_overlap(path: str, other_path: str) -> bool:
    """Return True if one dotted path is inside the other, or both are equal."""
    return f"{path}.".startswith(f"{other_path}.") or other_path.startswith(f"{path}.")


def _format_value(value: Value) -> str:
    return _("nothing") if value is ABSENT else str(value)


def _find_fields(rule: Mapping[str, Json]) -> frozenset[str]:
    """Return the card fields that a rule reads. The result is empty if its form is unknown."""
    try:
        mentions = find_mentions(RULE.validate_python(rule))
        return frozenset(
            mention.value for mention in mentions if mention.ref == "field"
        )
    # An old release may have a form of rule that this version no longer knows.
    except ValidationError:
        return frozenset()


def _may_tighten(rule: Mapping[str, Json], field: FieldChange) -> bool:
    """Return True if a changed number can break a rule."""
    measure = rule.get("measure")
    if (
        not isinstance(measure, Mapping)
        or measure.get("sum") != field.path
        or "exactly" in rule
    ):
        return True
    # A missing number counts as 0 in sums.
    old = field.old if isinstance(field.old, int | float) else 0
    new = field.new if isinstance(field.new, int | float) else 0
    return ("max" in rule and new > old) or ("min" in rule and new < old)
