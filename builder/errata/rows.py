"""List what changed on a card, field by field, in one language. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from builder.errata.change import (
    ABSENT,
    CardChange,
    CardEffect,
    ChangeClass,
    FieldChange,
    LeafChange,
    TextPiece,
    Value,
    are_identical,
    compare_leaves,
    compare_words,
    has_same_letters,
)
from builder.errata.difference import BOOKKEEPING, RULE_TEXTS, is_only_renamed
from builder.errata.reader import ENVELOPE_FIELDS, RULE_WORDS, NoteReader, ReaderPair
from builder.messages import gettext as _
from builder.model.base import Json, format_path

MIN_WORD_DIFFERENCE_CHARACTERS = 25
"""A longer text shows its changed words; a shorter one is shown twice, as it was and as it is."""
RANKS = {change_class: rank for rank, change_class in enumerate(ChangeClass)}
# Readers of a translation see its changes where those of the rules text would be.
RANKS[ChangeClass.TRANSLATION] = RANKS[ChangeClass.RULE_TEXT]

Fields: TypeAlias = dict[str, Json]
Part: TypeAlias = Mapping[str, Json]


class PartKey(NamedTuple):
    """The field and key of a named part of a card, such as an attack."""

    field: str
    name: str


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A changed field in a release note: its name, old and new value, and changed words.

    For lists and named parts, `joined` and `removed` are the added and removed items. If
    `is_moved` is True, `old` and `new` are positions of a part that still exists.
    """

    field: str
    old: str = ""
    new: str = ""
    pieces: tuple[TextPiece, ...] = ()
    joined: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_moved: bool = False
    remark: str = ""
    """Whether the change is a gain or a loss for the card, and the release that it reverts."""
    effect: CardEffect | None = None


@dataclass(frozen=True, slots=True)
class CardState:
    """A card in one state of a pack, prepared for a comparison of its parts."""

    fields: Fields
    parts: Mapping[PartKey, Part]
    reader: NoteReader


@dataclass(frozen=True, slots=True)
class CardStates:
    """A changed card before and after the change.

    A part that continues has the same key in both.
    """

    before: CardState
    after: CardState

    @property
    def removed_parts(self) -> dict[PartKey, Part]:
        """The parts that only the old card has, in fields that both cards have."""
        return _subtract_parts(self.before, self.after)

    @property
    def added_parts(self) -> dict[PartKey, Part]:
        """The parts that only the new card has, in fields that both cards have."""
        return _subtract_parts(self.after, self.before)


def list_card_rows(
    card: CardChange, before: NoteReader, after: NoteReader, renames: Mapping[str, str]
) -> tuple[NoteRow, ...]:
    """Return the rows of a card, the most important first. None for a new or withdrawn card.

    `renames` maps old ids to new ones. A value that only names a renamed card by its new id is
    not a change.
    """
    if card.old_id is None or card.status.gone:
        return ()
    states = _read_states(card.old_id, card.id, before, after)
    ranked_rows = [
        (RANKS[ChangeClass.RULE_TEXT], row) for row in _compare_parts(states)
    ]
    ranked_rows += _rank_leaves(card, states, renames)
    ranked_rows += [
        (RANKS[ChangeClass.TRANSLATION], row)
        for row in _compare_translations(card, after)
    ]
    if any(field.redrawn for field in card.fields):
        row = NoteRow(
            after.translate(_("Picture")), new=after.translate(_("new picture"))
        )
        ranked_rows.append((RANKS[ChangeClass.ART], row))
    ranked_rows.sort(key=lambda ranked_row: ranked_row[0])
    return _merge_typography_rows([row for _rank, row in ranked_rows], after)


def _merge_typography_rows(
    rows: Sequence[NoteRow], reader: NoteReader
) -> tuple[NoteRow, ...]:
    """Merge the rows whose texts differ only in typography. The merged row lists their fields."""
    # A reader gains nothing from two equal texts with other quotation marks.
    other_rows = [
        row for row in rows if not has_same_letters(row.old, row.new) or row.is_moved
    ]
    fields = [row.field for row in rows if row not in other_rows]
    if not fields:
        return tuple(rows)
    label = reader.translate(_("Quotation marks, dashes, spaces"))
    return (*other_rows, NoteRow(label, new=", ".join(dict.fromkeys(fields))))


def list_rule_rows(
    old_rule: Mapping[str, Json], new_rule: Mapping[str, Json], readers: ReaderPair
) -> tuple[NoteRow, ...]:
    """Return what changed in a rule, with its keys and conditions in words."""
    rows: list[NoteRow] = []
    before = _word_rule(old_rule, readers.before)
    after = _word_rule(new_rule, readers.after)
    for change in compare_leaves(before, after):
        names = []
        for step in change.path:
            word = RULE_WORDS.get(str(step))
            names.append(readers.after.translate(word) if word else str(step))
        old_text = readers.before.format_value(change.old)
        new_text = readers.after.format_value(change.new)
        rows.append(NoteRow(": ".join(names), old_text, new_text))
    return tuple(rows)


def _word_rule(rule: Mapping[str, Json], reader: NoteReader) -> Fields:
    rule_in_words = reader.word_conditions(
        {key: rule[key] for key in rule if key != "id" and key not in RULE_TEXTS}
    )
    return rule_in_words if isinstance(rule_in_words, dict) else {}


def _read_states(
    old_id: str, new_id: str, before: NoteReader, after: NoteReader
) -> CardStates:
    old_card, new_card = ReaderPair(before, after).read_cards(old_id, new_id)
    # Conditions are worded first, because a changed operator would have no name as a path.
    old_words = before.word_conditions(_drop_bookkeeping(old_card))
    new_words = after.word_conditions(_drop_bookkeeping(new_card))
    old_fields, new_fields = pair_parts(old_words, new_words)
    return CardStates(_make_state(old_fields, before), _make_state(new_fields, after))


def _drop_bookkeeping(card: Json) -> Json:
    if not isinstance(card, Mapping):
        return {}
    return {key: value for key, value in card.items() if key not in BOOKKEEPING}


def _make_state(card: Json, reader: NoteReader) -> CardState:
    """Collect the named parts of a card: the maps in a field that holds nothing but maps."""
    fields = dict(card) if isinstance(card, Mapping) else {}
    parts: dict[PartKey, Part] = {}
    for field, value in fields.items():
        # `pair_parts` has made maps of lists, so attacks and abilities look the same here.
        if not isinstance(value, Mapping) or not _are_parts(value.values()):
            continue
        for name, part in value.items():
            if isinstance(part, Mapping):
                parts[PartKey(field, name)] = part
    return CardState(fields, parts, reader)


def _subtract_parts(state: CardState, other_state: CardState) -> dict[PartKey, Part]:
    return {
        key: part
        for key, part in state.parts.items()
        if key not in other_state.parts and key.field in other_state.fields
    }


def _rank_leaves(
    card: CardChange, states: CardStates, renames: Mapping[str, str]
) -> Iterator[tuple[int, NoteRow]]:
    """Yield (rank, row) for each changed value outside added and removed parts."""
    before, after = states.before.reader, states.after.reader
    fields = {
        field.path: field
        for field in card.fields
        if field.lang in (None, after.reading)
    }
    text_paths = {
        *before.state.texts.get(card.old_id or "", ()),
        *after.state.texts.get(card.id, ()),
    }
    unpaired_parts = states.removed_parts.keys() | states.added_parts.keys()
    for change in compare_leaves(states.before.fields, states.after.fields):
        path = format_path(change.path)
        # The row about an added or removed part contains its values already.
        if change.path[:2] in unpaired_parts or is_only_renamed(
            change.old, change.new, renames
        ):
            continue
        if _is_empty(change.old) and _is_empty(
            change.new
        ):  # both would be printed as a dash
            continue
        field = fields.get(path)
        rank = RANKS[ChangeClass.RULE_TEXT if field is None else field.type]
        if path == "kind":
            yield rank, _compare_kinds(change, states)
            continue
        row = _compare_leaf(change, states, is_text=path in text_paths)
        yield rank, _add_remark(row, change, field, after)


def _is_empty(value: Value) -> bool:
    return value is ABSENT or value in (None, "", [], {}, ())


def _add_remark(
    row: NoteRow, change: LeafChange, field: FieldChange | None, reader: NoteReader
) -> NoteRow:
    """Return the row with the remark of its field, unless a part has another place in its list."""
    if field is None or (field.old, field.new) != (change.old, change.new):
        return row
    return replace(row, remark=reader.translate(field.remark), effect=field.effect)


def _compare_translations(card: CardChange, after: NoteReader) -> Iterator[NoteRow]:
    """Yield one row for newly translated texts, and one for texts whose translation was removed.

    Words of translations are not compared.
    """
    fields = [
        field
        for field in card.fields
        if field.lang is not None and field.lang == after.reading
    ]
    label = after.translate(_("Translation"))
    if any(field.old is ABSENT for field in fields):
        yield NoteRow(label, new=after.translate(_("now translated")))
    if any(field.new is ABSENT for field in fields):
        yield NoteRow(label, new=after.translate(_("no longer translated")))


def pair_parts(old: Json, new: Json) -> tuple[Json, Json]:
    """Return both values with their lists of parts as maps.

    The key is the part's index in the new list.

    A part continues if id, else name, else the whole part, else the index is equal.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        old_items = dict(old)
        new_items = dict(new)
        for key in old_items.keys() & new_items.keys():
            old_items[key], new_items[key] = pair_parts(old_items[key], new_items[key])
        return old_items, new_items
    if not (
        isinstance(old, list) and isinstance(new, list) and _are_parts([*old, *new])
    ):
        return old, new
    new_indices = _find_new_indices(old, new)
    old_parts: dict[str, Json] = {}
    for index, part in enumerate(old):
        # A removed part needs a key that no new part has.
        key = str(new_indices[index]) if index in new_indices else f"was {index}"
        old_parts[key] = part
    new_parts = {str(index): part for index, part in enumerate(new)}
    return pair_parts(old_parts, new_parts)


def _are_parts(values: Iterable[Json]) -> bool:
    listed = list(values)
    return bool(listed) and all(isinstance(value, Mapping) for value in listed)


def _find_new_indices(old: Sequence[Json], new: Sequence[Json]) -> dict[int, int]:
    """Return the index in the new list by the index in the old one, for parts that continue."""
    new_indices: dict[int, int] = {}
    # An id is the best proof, then a name, then the same content; the place is the last resort.
    for key in ("id", "name", ""):
        identities = [_identify_part(part, key) for part in new]
        for old_index, part in enumerate(old):
            identity = _identify_part(part, key)
            if (
                old_index in new_indices
                or identity is None
                or identity not in identities
            ):
                continue
            new_index = identities.index(identity)
            # Two parts may have the same name, but a new part continues one old part only.
            if new_index not in new_indices.values():
                new_indices[old_index] = new_index
    # What is left has another name and content: a renamed and changed part.
    for index in range(min(len(old), len(new))):
        if index not in new_indices and index not in new_indices.values():
            new_indices[index] = index
    return new_indices


def _identify_part(part: Json, key: str) -> Json:
    """Return the value by which a part is recognised in the other state."""
    if not key:
        return repr(part)
    return part.get(key) if isinstance(part, Mapping) else None


def _compare_parts(states: CardStates) -> Iterator[NoteRow]:
    """Yield the rows of named parts: moved to another field, added, removed, and reordered ones."""
    removed_parts, added_parts = states.removed_parts, states.added_parts
    reader = states.after.reader
    for new_key, old_key in _find_moved_parts(removed_parts, added_parts).items():
        old_field = reader.name_field({}, (old_key.field,))
        new_field = reader.name_field({}, (new_key.field,))
        yield NoteRow(
            reader.name_field(states.after.fields, new_key),
            old_field,
            new_field,
            is_moved=True,
        )
        del removed_parts[old_key], added_parts[new_key]
    for field in dict.fromkeys(key.field for key in (*added_parts, *removed_parts)):
        joined = tuple(
            reader.format_part(part, key.name)
            for key, part in added_parts.items()
            if key.field == field
        )
        removed_names = tuple(
            _name_part(states.before, key)
            for key in removed_parts
            if key.field == field
        )
        yield NoteRow(
            reader.name_field({}, (field,)), joined=joined, removed=removed_names
        )
    yield from _compare_order(states)


def _name_part(state: CardState, key: PartKey) -> str:
    return state.reader.name_id(str(state.parts[key].get("name", key.name)))


def _find_moved_parts(
    removed_parts: Mapping[PartKey, Part], added_parts: Mapping[PartKey, Part]
) -> dict[PartKey, PartKey]:
    """Return new and old key of each part that left one field and appears unchanged in another."""
    old_keys: dict[PartKey, PartKey] = {}
    for new_key, new_part in added_parts.items():
        for old_key, old_part in removed_parts.items():
            # Within a field, `pair_parts` has paired the parts already.
            is_free = (
                old_key.field != new_key.field and old_key not in old_keys.values()
            )
            if is_free and are_identical(old_part, new_part):
                old_keys[new_key] = old_key
                break
    return old_keys


def _compare_order(states: CardStates) -> Iterator[NoteRow]:
    """Yield a row for each part at another position of its list."""
    reader = states.after.reader
    both_keys = states.before.parts.keys() & states.after.parts.keys()
    for field in dict.fromkeys(
        key.field for key in states.before.parts if key in both_keys
    ):
        old_order = [
            key
            for key in states.before.parts
            if key in both_keys and key.field == field
        ]
        new_order = [
            key for key in states.after.parts if key in both_keys and key.field == field
        ]
        for key in _find_reordered_keys(old_order, new_order):
            old_place = _("place {number}", number=old_order.index(key) + 1)
            new_place = _("place {number}", number=new_order.index(key) + 1)
            name = reader.name_field(states.after.fields, key)
            yield NoteRow(
                name,
                reader.translate(old_place),
                reader.translate(new_place),
                is_moved=True,
            )


def _find_reordered_keys(
    old_order: list[PartKey], new_order: list[PartKey]
) -> list[PartKey]:
    """Return the fewest keys that must move to turn the old order into the new one."""
    unmoved_keys: set[PartKey] = set()
    # Keys in matching blocks keep their order, so only the others move.
    for block in SequenceMatcher(None, old_order, new_order).get_matching_blocks():
        unmoved_keys.update(old_order[block.a : block.a + block.size])
    return [key for key in new_order if key not in unmoved_keys]


def _compare_kinds(change: LeafChange, states: CardStates) -> NoteRow:
    old_name = states.before.reader.name_single_kind(str(change.old))
    new_name = states.after.reader.name_single_kind(str(change.new))
    return NoteRow(_name_leaf(change, states), old_name, new_name)


def _compare_leaf(change: LeafChange, states: CardStates, *, is_text: bool) -> NoteRow:
    before, after = states.before.reader, states.after.reader
    name = _name_leaf(change, states)
    old_words = _list_words(change.old)
    new_words = _list_words(change.new)
    if old_words is not None and new_words is not None and (old_words or new_words):
        # Counters keep duplicates: a card may have the same slot twice.
        added_words = Counter(new_words) - Counter(old_words)
        removed_words = Counter(old_words) - Counter(new_words)
        if added_words or removed_words:
            joined = tuple(after.name_id(word) for word in added_words.elements())
            removed_names = tuple(
                before.name_id(word) for word in removed_words.elements()
            )
            return NoteRow(name, joined=joined, removed=removed_names)
    old = before.format_value(change.old, is_text=is_text)
    new = after.format_value(change.new, is_text=is_text)
    are_strings = isinstance(change.old, str) and isinstance(change.new, str)
    if (
        is_text
        and are_strings
        and max(len(old), len(new)) >= MIN_WORD_DIFFERENCE_CHARACTERS
    ):
        return NoteRow(name, old, new, compare_words(old, new))
    return NoteRow(name, old, new)


def _name_leaf(change: LeafChange, states: CardStates) -> str:
    path = format_path(change.path)
    if path in ENVELOPE_FIELDS:
        return states.after.reader.translate(ENVELOPE_FIELDS[path])
    # A removed field has its label only in the old state.
    state = states.before if change.new is ABSENT else states.after
    return state.reader.name_field(state.fields, change.path)


def _list_words(value: Value) -> list[str] | None:
    """Return a list of words, an empty one for no value, or None if the value is anything else."""
    items = [] if value is ABSENT or value is None else value
    if not isinstance(items, list):
        return None
    words = [item for item in items if isinstance(item, str)]
    return words if len(words) == len(items) else None
