"""The `slots` form: the attachments of an entry are matched to its slots, exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from builder.messages import gettext as _
from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.linear import NO, Term
from builder.model.pack import Pack
from builder.model.rules import Slots
from builder.roster.operations import FreeSlot, Remove
from builder.roster.resolve import SelectedCard, Squad, add_card
from builder.rules.bounds import DerivedBound, Params, to_number
from builder.rules.candidates import Candidate, Removals, move_subject, remove_copies
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import DecisionLine, Part
from builder.rules.forms.base import (
    UNLIMITED,
    AdditionLimit,
    RuleForm,
    make_presence_trigger,
)
from builder.rules.names import Names
from builder.rules.rule_index import CheckTrigger
from builder.rules.violation import Counted, Headroom, Violation
from builder.rules.wording import format_selection


@dataclass(frozen=True, slots=True)
class SlotNeed:
    """One item: the slot types it accepts (None: any) and how many slots it takes."""

    accepts: frozenset[str] | None
    size: int = 1

    def accepts_slot(self, slot: str) -> bool:
        """Return True if a slot of this type is accepted."""
        return self.accepts is None or slot in self.accepts


@dataclass(frozen=True, slots=True)
class Placement:
    """The indexes of slots by item, and the items without a slot."""

    slots: tuple[tuple[int, ...], ...]
    unplaced: tuple[int, ...]


def match_slots(needs: Sequence[SlotNeed], slots: Sequence[str]) -> Placement:
    """Place all items if that is possible; else as many, in order, as fit together.

    This is a maximum matching, found by augmenting paths (Kuhn 1955).
    """
    owner_by_slot: dict[int, int] = {}
    unplaced = []
    for item, need in enumerate(needs):
        # an item that gets only some of its slots gives them back
        owners_before = dict(owner_by_slot)
        for _slot in range(need.size):
            if not _add_slot(item, needs, slots, owner_by_slot, set()):
                owner_by_slot = owners_before
                unplaced.append(item)
                break
    slots_by_item: list[list[int]] = [[] for _ in needs]
    for slot in sorted(owner_by_slot):
        slots_by_item[owner_by_slot[slot]].append(slot)
    return Placement(tuple(map(tuple, slots_by_item)), tuple(unplaced))


def _add_slot(
    item: int,
    needs: Sequence[SlotNeed],
    slots: Sequence[str],
    owner_by_slot: dict[int, int],
    seen_slots: set[int],
) -> bool:
    """Give an item one more slot, other items another one if necessary. Return True if possible.

    Free slots are taken first, in their order.
    """
    fitting = []
    for index, slot in enumerate(slots):
        if index not in seen_slots and needs[item].accepts_slot(slot):
            fitting.append(index)
    for index in fitting:
        if index not in owner_by_slot:
            owner_by_slot[index] = item
            return True
    for index in fitting:
        owner = owner_by_slot[index]
        # the search for another owner may have visited the slot meanwhile
        if owner == item or index in seen_slots:
            continue
        seen_slots.add(index)
        if _add_slot(owner, needs, slots, owner_by_slot, seen_slots):
            owner_by_slot[index] = item
            return True
    return False


MAX_CACHED_PLACEMENTS = 50_000
ANY_SLOT = ""
"""The type of an untyped slot."""
MAX_SLOTS = 99
"""The largest number and size of slots. A typing error must not fill the memory."""


class _SlotLimit(AdditionLimit):
    """The limit of a slots rule: the free slots of each host, matched anew."""

    form: "SlotsForm"

    def __init__(self, form: "SlotsForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self._loads: dict[int, list[tuple[Card, str | None]]] = {}
        for item in squad.attachments:
            if form.selector.matches_card(item):
                self._loads.setdefault(item.line, []).append((item.card, item.slot))

    def count_more(self, selected: SelectedCard) -> int:
        """Return how many more such attachments get a slot beside the present ones."""
        form, host = self.form, selected.host
        if host is None or not form.selector.matches_card(selected):
            return UNLIMITED
        load = list(self._loads.get(host.line, ()))
        unplaced_before = len(form.match_load(host.card, load).unplaced)
        for more in range(len(form.list_slots(host.card)) + 1):
            load.append((selected.card, None))
            if len(form.match_load(host.card, load).unplaced) > unplaced_before:
                return more
        # only items of size 0 fit more often than there are slots
        return UNLIMITED

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that the host has no slot for the card."""
        for item in self.form.find_violations(add_card(self.squad, selected)):
            if item.group == str(selected.line):
                return item
        raise AssertionError("a host that allows more refuses nothing")


class SlotsForm(RuleForm):
    """A compiled slots rule."""

    rule: Slots
    limit_class = _SlotLimit
    is_about_host = True
    no_removal_message = _(
        "the model has no such slot, even without its other equipment"
    )

    def __init__(self, rule: Slots, pack: Pack) -> None:
        super().__init__(rule, pack)
        self._placed: dict[
            tuple[str, tuple[tuple[str, str | None], ...]], Placement
        ] = {}

    def list_slots(self, card: Card) -> tuple[str, ...]:
        """Return the type of each slot of a host. An untyped slot has the empty text."""
        value = card.get_field(self.rule.slots)
        if isinstance(value, Mapping):
            slots = []
            for slot_type, count in value.items():
                slots += [slot_type] * _read_count(count)
            return tuple(slots)
        if isinstance(value, list | tuple):
            return tuple(ANY_SLOT if item is None else str(item) for item in value)
        return (ANY_SLOT,) * _read_count(value)

    def find_need(self, card: Card, slot: str | None) -> SlotNeed:
        """Return the need of one attachment.

        Only the slot that the player named is accepted, if any.
        """
        value = card.get_field(self.rule.need) if self.rule.need is not None else None
        accepts = None
        if value is not None:
            types = value if isinstance(value, list | tuple) else (value,)
            accepts = frozenset(map(str, types))
        if slot is not None:
            is_accepted = accepts is None or slot in accepts
            # a wrong slot is an error of the list: the item does not go elsewhere
            accepts = frozenset((slot,)) if is_accepted else frozenset()
        size = None
        if self.rule.size is not None:
            size = to_number(card.get_field(self.rule.size))
        return SlotNeed(accepts, 1 if size is None else min(int(size), MAX_SLOTS))

    def match_load(
        self, host: Card, load: Sequence[tuple[Card, str | None]]
    ) -> Placement:
        """Return the matching for one host.

        It is cached, because the same load is in many rosters.
        """
        # a list inside tuple() is quicker than a generator, and this runs for every entry
        key = (host.id, tuple([(card.id, slot) for card, slot in load]))
        placement = self._placed.get(key)
        if placement is None:
            if len(self._placed) > MAX_CACHED_PLACEMENTS:
                self._placed.clear()
            needs = [self.find_need(card, slot) for card, slot in load]
            placement = match_slots(needs, self.list_slots(host))
            self._placed[key] = placement
        return placement

    def match_loads(
        self, squad: Squad
    ) -> Iterator[tuple[SelectedCard, list[SelectedCard], Placement]]:
        """Yield each entry with attachments that need a slot, these, and their assignment."""
        for entry in squad.entries:
            items = self._select_attachments(entry, squad)
            if items:
                load = [(item.card, item.slot) for item in items]
                yield entry, items, self.match_load(entry.card, load)

    def _select_attachments(
        self, entry: SelectedCard, squad: Squad
    ) -> list[SelectedCard]:
        return [
            item
            for item in squad.list_attachments(entry)
            if self.selector.matches_card(item)
        ]

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield every entry whose attachments do not fit into its slots."""
        for entry, items, placement in self.match_loads(squad):
            if not placement.unplaced:
                continue
            counted = []
            for item in items:
                need = self.find_need(item.card, item.slot)
                types = "/".join(_list_types(need, item.slot))
                counted.append(
                    Counted(item.path, item.card.id, need.size, item.count, types)
                )
            slots = self.list_slots(entry.card)
            bound = DerivedBound(
                len(slots), "slots", field=", ".join(filter(None, slots))
            )
            violation = self.make_violation(
                kind="no-slot",
                group=str(entry.line),
                counted=tuple(counted),
                actual=sum(item.amount for item in counted),
                bound=bound,
                subject=counted[placement.unplaced[0]],
            )
            yield replace(violation, host=entry.card.id)

    def needs_slot(self, selected: SelectedCard) -> bool:
        """Return True for all selected attachments."""
        return self.selector.matches_card(selected)

    def find_placement(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """Return the slot types of each attachment by its path; one without a slot is missing."""
        slots_by_path = {}
        for entry, items, placement in self.match_loads(squad):
            slots = self.list_slots(entry.card)
            for index, item in enumerate(items):
                if index not in placement.unplaced:
                    item_slots = placement.slots[index]
                    slots_by_path[item.path] = tuple(slots[slot] for slot in item_slots)
        return slots_by_path

    def format_sentence(self, names: Names) -> str:
        """Return which attachments take which slots."""
        form = _("{select} use slots of their model ({slots})")
        if self.rule.need is not None:
            form = _(
                "{select} use slots of their model ({slots}), each of its own type"
            )
        select = format_selection(self.rule.select, names)
        sentence = names.translate(
            _(form, select=select, slots=names.name_field(self.rule.slots))
        )
        if self.rule.size is not None:
            size = names.name_field(self.rule.size)
            sentence += "; " + names.translate(
                _("number of slots: the card's {field}", field=size)
            )
        return sentence

    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the message: the attachment without a slot, the reason, and the host's slots.

        It also lists all attachments that use them.
        """
        bound, subject = violation.bound, violation.subject
        assert bound is not None
        assert subject is not None
        type_list = ""
        if bound.field:
            slot_names = map(names.name_slot, bound.field.split(", "))
            type_list = f" ({', '.join(slot_names)})"
        needed_types = [
            slot_type for slot_type in (subject.value or "").split("/") if slot_type
        ]
        slots = list(self.list_slots(self.pack.cards[violation.host]))
        if needed_types:
            slots = [slot for slot in slots if slot in needed_types]
        if violation.actual > bound.value:
            form = _(
                "no slot for {subject}: {actual} needed in total, but {bearer} has {bound}{types}"
            )
        elif len(slots) < subject.amount:
            form = _(
                "no slot for {subject}: {needed} of the type {wanted} needed, but {bearer} "
                "has {fitting}{types}"
            )
        elif self._is_wrongly_named(subject):
            form = _("no slot for {subject}: it does not fit the slot {wanted}")
        else:
            form = _(
                "no slot for {subject}: all slots of the type {wanted} are in use{types}"
            )
        values = {
            "subject": names.name_subject(violation),
            "actual": f"{violation.actual:g}",
            "bound": f"{bound.value:g}",
            "types": type_list,
            "bearer": names.name_card(violation.host),
            "fitting": len(slots),
            "needed": f"{subject.amount:g}",
            "wanted": _join_slot_types(needed_types or [ANY_SLOT], names),
        }
        counted = []
        for item in violation.counted:
            item_types = _join_slot_types((item.value or "").split("/"), names)
            counted.append(f"{names.name_card(item.card)} ({item_types})")
        counted_list = names.translate(_("counted: {names}", names=", ".join(counted)))
        return f"{names.translate(_(form, **values))}; {counted_list}"

    def _is_wrongly_named(self, item: Counted) -> bool:
        """Return True if the player put an attachment into a slot of a wrong type."""
        accepts = self.find_need(self.pack.cards[item.card], None).accepts
        return accepts is not None and not accepts & set((item.value or "").split("/"))

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the trigger: any attachment that may need a slot."""
        return make_presence_trigger(self.rule.select)

    def allows_load(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """Return True if every attachment gets its slot."""
        items = [
            (item.card, item.slot) for item in load if self.selector.matches_card(item)
        ]
        return not items or not self.match_load(host.card, items).unplaced

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield the free slots of each entry."""
        for entry in squad.entries:
            slots = len(self.list_slots(entry.card))
            if slots:
                items = self._select_attachments(entry, squad)
                used = sum(self.find_need(item.card, item.slot).size for item in items)
                yield Headroom(
                    str(entry.line), "max", used, DerivedBound(slots, "slots")
                )

    def find_removals(
        self, violation: Violation, place: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Return each of the smallest sets of attachments whose slots are enough."""
        host = self.pack.cards[violation.host]
        items = [item for item in violation.counted if item.path != place]
        for count in range(1, len(items) + 1):
            sets = tuple(self._find_removals_of_count(count, host, items, card))
            if sets:
                # larger sets would only remove more
                return sets
        return ()

    def _find_removals_of_count(
        self, count: int, host: Card, items: Sequence[Counted], card: Card
    ) -> Iterator[Removals]:
        """Yield sets of this many attachments whose removal gives the rest and the card slots."""
        for removed_items in combinations(items, count):
            cards = [
                self.pack.cards[item.card]
                for item in items
                if item not in removed_items
            ]
            cards.append(card)
            load = [(attachment, None) for attachment in cards]
            if not self.match_load(host, load).unplaced:
                yield tuple(Remove(item.path, item.card) for item in removed_items)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield the release of named slots, then moves of the card, then removals."""
        named_paths = {item.path for item in squad.attachments if item.slot is not None}
        for item in violation.counted:
            if item.path in named_paths:
                yield (FreeSlot(item.path, item.card),)
        yield from move_subject(violation, squad)
        for item in reversed(violation.counted):
            yield (remove_copies(item),)

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Write a flow on each line, from its attachments into its slots."""
        for line in writer.model.lines:
            self._write_flow(writer, line, when)

    def _write_flow(
        self, writer: RowWriter, line: DecisionLine, when: tuple[int, ...]
    ) -> None:
        """Write that each attachment of a line gets slots, and that no slot is used twice.

        Slots of one type are interchangeable, so that the flow goes to types and not to slots.
        """
        slots_by_type = Counter(self.list_slots(line.entry.selected.card))
        terms_by_type: dict[str, list[Term]] = {
            slot_type: [] for slot_type in slots_by_type
        }
        for part in line.attachments:
            matches = writer.match_part(self.selector, part)
            if matches != NO:
                self._write_part(writer, part, terms_by_type, (*when, matches))
        for slot_type, terms in terms_by_type.items():
            writer.program.add_constraint(
                terms, high=slots_by_type[slot_type], when=when
            )

    def _write_part(
        self,
        writer: RowWriter,
        part: Part,
        terms_by_type: Mapping[str, list[Term]],
        when: tuple[int, ...],
    ) -> None:
        """Write that an attachment gets its slots, and add them to the terms of each type."""
        named_need = self.find_need(part.selected.card, part.selected.slot)
        need = named_need
        if part.is_freed is not None:
            need = self.find_need(part.selected.card, None)
        if need.size <= 0:
            return
        terms = []
        for slot_type in filter(need.accepts_slot, terms_by_type):
            var = writer.program.add_variable(need.size)
            terms.append((var, 1))
            terms_by_type[slot_type].append((var, 1))
            # another slot than the named one may be used only if the attachment is freed
            if part.is_freed is not None and not named_need.accepts_slot(slot_type):
                writer.program.add_constraint(
                    [(var, 1), (part.is_freed, -need.size)], high=0
                )
        row = [*terms, (part.is_present, -need.size)]
        writer.program.add_constraint(row, low=0, high=0, when=when)


def _join_slot_types(slot_types: Sequence[str], names: Names) -> str:
    """Return the names of slot types as alternatives."""
    return names.translate(_(" or ")).join(map(names.name_slot, slot_types))


def _list_types(need: SlotNeed, slot: str | None) -> list[str]:
    """Return the slot types that an item needs, or the named type if the item refuses it."""
    if need.accepts:
        return sorted(need.accepts)
    return [slot] if need.accepts is not None and slot is not None else []


def _read_count(value: object) -> int:
    amount = to_number(value)
    return 0 if amount is None else max(0, min(int(amount), MAX_SLOTS))
