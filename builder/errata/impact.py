"""What a release does to squads: ids that moved, and rules and cards that break what was legal. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from builder.errata.change import ABSENT, CardChange, Difference, FieldChange
from builder.errata.difference import has_same_demand, list_rules
from builder.errata.format_changes import compare_formats
from builder.errata.snapshot import Snapshot
from builder.messages import gettext as _, join_messages
from builder.model.base import DataPath, Json, find_mentions
from builder.model.card import Migration, successor
from builder.model.formats import Legality
from builder.model.roster import (
    MOST_COPIES,
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
    """One id in a roster that has a successor; `path` is where it stands."""

    path: DataPath
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class LostId:
    """One id in a roster that is gone; `heirs` are what a split left to choose from."""

    path: DataPath
    old: str
    heirs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MigratedRoster:
    """A roster with today's ids, what was moved, and what could not be."""

    roster: Roster
    moved: tuple[MovedId, ...] = ()
    lost: tuple[LostId, ...] = ()


def migrate_roster(
    roster: Roster, migrations: tuple[Migration, ...], cards: Collection[str]
) -> MigratedRoster:
    """Follow renames and merges; what was split or deleted stays and is reported."""
    heirs = {step.old: step.new for step in migrations}
    moved, lost = [], []
    for path, card in list_ids(roster):
        if card in cards:
            continue
        heir = successor(card, migrations, cards)
        if heir is not None:
            moved.append(MovedId(path, card, heir))
        elif len(path) != 3:  # a tie or a choice may name other things than cards
            lost.append(LostId(path, card, heirs.get(card, ())))
    return MigratedRoster(
        replace_ids(roster, {step.old: step.new for step in moved}), tuple(moved), tuple(lost)
    )


def migrate_collection(
    collection: CardCollection, migrations: tuple[Migration, ...], cards: Collection[str]
) -> tuple[CardCollection, dict[str, str]]:
    """Return the collection with today's ids, and the new ids by the old ones.

    Copies of cards that are one card by now are added up. Ids without a single successor stay.
    """
    new_ids: dict[str, str] = {}
    owned: dict[str, Owned] = {}
    for card, item in collection.owned.items():
        heir = None if card in cards else successor(card, migrations, cards)
        if heir is not None:
            new_ids[card] = heir
        name = heir or card
        before = owned.get(name, Owned(count=0))
        count, painted = before.count + item.count, before.painted + item.painted
        owned[name] = Owned(count=min(count, MOST_COPIES), painted=min(painted, MOST_COPIES))
    return collection.model_copy(update={"owned": owned}), new_ids


def return_to_predecessors(
    roster: Roster, migrations: Sequence[Migration], cards: Collection[str]
) -> Roster:
    """Return a roster with the ids that an older state has: those before a rename or split that was made since.

    An id stays as it is if it leads back to several cards, as after a merge, or to none.
    """
    replacements = {}
    for _path, card in list_ids(roster):
        if card not in cards and (older := predecessor_of(card, migrations, cards)) is not None:
            replacements[card] = older
    return replace_ids(roster, replacements)


def predecessor_of(
    card: str, migrations: Sequence[Migration], cards: Collection[str]
) -> str | None:
    """Return the one card of `cards` that became this one; None if there is none, or more than one."""
    visited_ids = {card}
    current = {card}
    while current.isdisjoint(cards):
        current = {step.old for step in migrations if current & set(step.new)} - visited_ids
        visited_ids |= current
        if not current:
            return None
    return next(iter(current), None) if len(current) == 1 else None


def list_ids(roster: Roster) -> Iterator[tuple[DataPath, str]]:
    """Every id that a roster names, with its place. Ties and choices name cards too, among other things."""
    for line, entry in enumerate(roster.entries):
        yield ("entries", line), entry.card
        for index, item in enumerate(entry.attachments):
            yield ("entries", line, "attachments", index), item.card
        for name, value in (*entry.links.items(), *entry.choices.items()):
            yield ("entries", line, name), value
    for index, owned in enumerate(roster.deck):
        yield ("deck", index), owned.card


def replace_ids(roster: Roster, new: Mapping[str, str]) -> Roster:
    """The roster with ids replaced wherever they stand."""
    if not new:
        return roster

    def values(pairs: Mapping[str, str]) -> dict[str, str]:
        return {key: new.get(value, value) for key, value in pairs.items()}

    def entry(one: Entry) -> Entry:
        items = tuple(
            Attachment(card=new.get(item.card, item.card), slot=item.slot)
            for item in one.attachments
        )
        ties = {"links": values(one.links), "choices": values(one.choices)}
        return one.model_copy(
            update={"card": new.get(one.card, one.card), "attachments": items, **ties}
        )

    deck = tuple(
        DeckCard(card=new.get(owned.card, owned.card), count=owned.count) for owned in roster.deck
    )
    return roster.model_copy(update={"entries": tuple(map(entry, roster.entries)), "deck": deck})


RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


@dataclass(frozen=True, slots=True)
class Risk:
    """One way in which squads break: `card` or `rule` may be None where the other alone is the cause."""

    rule: str | None
    card: str | None
    reason: str


def find_risks(old: Snapshot, new: Snapshot, difference: Difference) -> tuple[Risk, ...]:
    """Every changed card against every rule that reads what changed, then the rules that changed themselves."""
    rules = list_rules(new)
    read = {name: _read(rule) for name, rule in rules.items()}
    found = [risk for card in difference.cards for risk in _card(card, rules, read)]
    before = list_rules(old)
    for name, rule in rules.items():
        if not has_same_demand(before.get(name), rule):
            found.append(
                Risk(name, None, _("the rule changed") if name in before else _("the rule is new"))
            )
    for change in compare_formats(old, new):
        if change.now.legality is not Legality.LEGAL:
            title = change.now.title(change.format)
            reason = join_messages([title, *change.period.words])
            found += [
                Risk(f"{change.format}:{change.now.legality}", card, reason)
                for card in change.cards
            ]
    return tuple(found)


def _card(
    card: CardChange, rules: Mapping[str, Mapping[str, Json]], read: Mapping[str, Collection[str]]
) -> Iterator[Risk]:
    if card.status.gone:
        yield Risk(
            None,
            card.old_id or card.id,
            _("the card is {status}", status=get_term(card.status.value)),
        )
        return
    for field in card.fields:
        if not field.type.matters and field.type.value != "name":
            continue
        for name, rule in rules.items():
            near = (
                f"{field.path}.".startswith(f"{one}.") or one.startswith(f"{field.path}.")
                for one in read[name]
            )
            if any(near) and _tightens(rule, field):
                old, new = (
                    _("nothing") if value is ABSENT else str(value)
                    for value in (field.old, field.new)
                )
                yield Risk(
                    name,
                    card.id,
                    _("{path}: {old} -> {new}", path=get_term(field.path), old=old, new=new),
                )


def _read(rule: Mapping[str, Json]) -> frozenset[str]:
    """The card fields that a rule reads; none for one of a form that is not known any more."""
    try:
        return frozenset(
            one.value for one in find_mentions(RULE.validate_python(rule)) if one.ref == "field"
        )
    except ValidationError:
        return frozenset()


def _tightens(rule: Mapping[str, Json], field: FieldChange) -> bool:
    """False where a summed number moves away from the rule's only bound."""
    measure = rule.get("measure")
    if not isinstance(measure, Mapping) or measure.get("sum") != field.path or "exactly" in rule:
        return True
    old, new = (value if isinstance(value, int | float) else 0 for value in (field.old, field.new))
    return ("max" in rule and new > old) or ("min" in rule and new < old)
