"""What changed on a card, field by field, as a player reads it in one language. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias

from builder.errata.change import (
    ABSENT,
    CardChange,
    ChangeClass,
    LeafChange,
    TextPiece,
    Value,
    changed_leaves,
    identical,
    word_difference,
)
from builder.errata.difference import BOOKKEEPING, only_renamed
from builder.errata.reader import NoteReader, ReaderPair
from builder.messages import gettext as _
from builder.model.base import Json, dotted

ENVELOPE_FIELDS = {
    "cost": _("Cost"),
    "name": _("Name"),
    "keywords": _("Keywords"),
    "faction": _("Faction"),
    "art": _("Picture"),
}
LONG = 25
"""From this many letters on a text is told by its changed words."""

Fields: TypeAlias = dict[str, Json]
Place: TypeAlias = tuple[str, str]
"""A named part: the field that holds it, and its key there."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """One changed field: what it is called, its values as read, and for texts the changed words.

    Of a list or of named parts what `joined` and what `left`; with `moved`, old and new are places of one that stayed.
    """

    field: str
    old: str = ""
    new: str = ""
    pieces: tuple[TextPiece, ...] = ()
    joined: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    moved: bool = False


def card_rows(
    card: CardChange, before: NoteReader, after: NoteReader, renames: Mapping[str, str]
) -> tuple[NoteRow, ...]:
    """The rows of a card, the most important first; none for one that is new or gone.

    `renames` are ids that are only called otherwise now, old to new: naming them so is no change.
    """
    if card.old_id is None or card.status.gone:
        return ()
    was, now = ReaderPair(before, after).cards(card.old_id, card.id)
    pair = paired(_told(was), _told(now))
    one, other = (dict(side) if isinstance(side, Mapping) else {} for side in pair)
    types = {field.path: field.type for field in card.fields if field.lang in (None, after.reading)}
    ranks = {sort: rank for rank, sort in enumerate(ChangeClass)} | {ChangeClass.TRANSLATION: 4}
    texts = frozenset(
        (*before.state.texts.get(card.old_id, ()), *after.state.texts.get(card.id, ()))
    )
    old, new = _named(one), _named(other)
    found = [
        (ranks[ChangeClass.RULE_TEXT], row)
        for row in _parts(old, new, (one, other), (before, after))
    ]
    alone = {place for place in old.keys() ^ new.keys() if place[0] in one and place[0] in other}
    for change in changed_leaves(one, other):
        path = dotted(change.path)
        if change.path[:2] not in alone and not only_renamed(change.old, change.new, renames):
            rank = ranks[types.get(path, ChangeClass.RULE_TEXT)]
            found.append((rank, _row(change, before, after, (one, other), path in texts)))
    found += [(ranks[ChangeClass.TRANSLATION], row) for row in _translations(card, after)]
    if any(field.redrawn for field in card.fields):
        found.append(
            (
                ranks[ChangeClass.ART],
                NoteRow(after.say(_("Picture")), new=after.say(_("drawn anew"))),
            )
        )
    return tuple(row for _rank, row in sorted(found, key=lambda pair: pair[0]))


def _translations(card: CardChange, after: NoteReader) -> Iterator[NoteRow]:
    """One row for texts that are translated now, one for those that are no longer; their words are not compared."""
    fields = [
        field for field in card.fields if field.lang is not None and field.lang == after.reading
    ]
    for is_concerned, text in (
        (any(field.old is ABSENT for field in fields), _("now translated")),
        (any(field.new is ABSENT for field in fields), _("no longer translated")),
    ):
        if is_concerned:
            yield NoteRow(after.say(_("Translation")), new=after.say(text))


def _told(card: Json) -> Json:
    told = card.items() if isinstance(card, Mapping) else ()
    return {key: value for key, value in told if key not in BOOKKEEPING}


def paired(old: Json, new: Json) -> tuple[Json, Json]:
    """Both values, lists of parts as maps in which a part has the same key as what it has become: its place now.

    Parts are the same by id, else by name, else by all they say, else by their place.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        both = {key: paired(old[key], new[key]) for key in old if key in new}
        return {**old, **{key: pair[0] for key, pair in both.items()}}, {
            key: both[key][1] if key in both else value for key, value in new.items()
        }
    if not (isinstance(old, list) and isinstance(new, list) and _are_parts([*old, *new])):
        return old, new
    places = _places(old, new)
    one = {str(places.get(was, f"was {was}")): item for was, item in enumerate(old)}
    return paired(one, {str(at): item for at, item in enumerate(new)})


def _are_parts(values: Iterable[Json]) -> bool:
    listed = list(values)
    return bool(listed) and all(isinstance(value, Mapping) for value in listed)


def _places(old: Sequence[Json], new: Sequence[Json]) -> dict[int, int]:
    """Where the parts of the old list stand in the new one."""
    found: dict[int, int] = {}
    for key in ("id", "name", ""):
        keys = [_key(item, key) for item in new]
        for was, item in enumerate(old):
            wanted = _key(item, key)
            if (
                was not in found
                and wanted is not None
                and wanted in keys
                and keys.index(wanted) not in found.values()
            ):
                found[was] = keys.index(wanted)
    for at in range(min(len(old), len(new))):
        if at not in found and at not in found.values():
            found[at] = at
    return found


def _key(part: Json, key: str) -> Json:
    return part.get(key) if key and isinstance(part, Mapping) else None if key else repr(part)


def _named(fields: Fields) -> dict[Place, Mapping[str, Json]]:
    """The named parts of a card: what stands in a field that holds nothing else."""
    holders = {
        key: parts
        for key, parts in fields.items()
        if isinstance(parts, Mapping) and _are_parts(parts.values())
    }
    return {
        (key, name): part
        for key, parts in holders.items()
        for name, part in parts.items()
        if isinstance(part, Mapping)
    }


def _parts(
    old: Mapping[Place, Mapping[str, Json]],
    new: Mapping[Place, Mapping[str, Json]],
    cards: tuple[Fields, Fields],
    readers: tuple[NoteReader, NoteReader],
) -> Iterator[NoteRow]:
    """The rows of named parts that moved to another field, joined, left, or stand elsewhere in their field."""
    (one, other), (before, after) = cards, readers
    gone = {place: part for place, part in old.items() if place not in new and place[0] in other}
    fresh = {place: part for place, part in new.items() if place not in old and place[0] in one}
    for place in list(fresh):
        was = next(
            (
                was
                for was, part in gone.items()
                if was[0] != place[0] and identical(part, fresh[place])
            ),
            None,
        )
        if was is not None:
            old_field, new_field = (after.field({}, (key,)) for key in (was[0], place[0]))
            yield NoteRow(after.field(other, place), old_field, new_field, moved=True)
            del fresh[place], gone[was]
    for key in dict.fromkeys(place[0] for place in (*fresh, *gone)):
        joined = tuple(after.item(part, name) for (of, name), part in fresh.items() if of == key)
        left = tuple(
            before.called(str(part.get("name", name)))
            for (of, name), part in gone.items()
            if of == key
        )
        yield NoteRow(after.field({}, (key,)), joined=joined, left=left)
    both = old.keys() & new.keys()
    for key in dict.fromkeys(place[0] for place in old if place in both):
        were, are = (
            [place for place in places if place in both and place[0] == key]
            for places in (old, new)
        )
        blocks = SequenceMatcher(None, were, are).get_matching_blocks()
        stayed = {place for block in blocks for place in were[block.a : block.a + block.size]}
        for place in (place for place in are if place not in stayed):
            spots = (_("place {number}", number=places.index(place) + 1) for places in (were, are))
            old_spot, new_spot = map(after.say, spots)
            yield NoteRow(after.field(other, place), old_spot, new_spot, moved=True)


def _row(
    change: LeafChange,
    before: NoteReader,
    after: NoteReader,
    cards: tuple[Fields, Fields],
    text: bool,
) -> NoteRow:
    """One changed leaf."""
    one, other = cards
    head = dotted(change.path)
    if head in ENVELOPE_FIELDS:
        name = after.say(ENVELOPE_FIELDS[head])
    else:
        name = (
            before.field(one, change.path)
            if change.new is ABSENT
            else after.field(other, change.path)
        )
    were, are = _words(change.old), _words(change.new)
    if were is not None and are is not None and (were or are):
        joined, left = Counter(are) - Counter(were), Counter(were) - Counter(are)
        if joined or left:
            there, gone = (
                tuple(map(after.called, joined.elements())),
                tuple(map(before.called, left.elements())),
            )
            return NoteRow(name, joined=there, left=gone)
    old, new = before.value(change.old, text=text), after.value(change.new, text=text)
    both = (
        isinstance(change.old, str)
        and isinstance(change.new, str)
        and max(len(old), len(new)) >= LONG
    )
    return NoteRow(name, old, new, word_difference(old, new) if both and text else ())


def _words(value: Value) -> list[str] | None:
    """A list of words; none for any other value."""
    listed = [] if value is ABSENT or value is None else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        return None
    return [item for item in listed if isinstance(item, str)]
