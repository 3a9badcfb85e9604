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
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import DecisionEntry, Part
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
    """The slots that one attachment needs: their number, and the types it accepts (None: any)."""

    accepts: frozenset[str] | None
    size: int = 1

    def accepts_slot(self, slot: str) -> bool:
        """Return True if the attachment may use a slot of this type."""
        return self.accepts is None or slot in self.accepts


@dataclass(frozen=True, slots=True)
class SlotPlacement:
    """The slots that each item uses, by index, and the items that found no slot."""

    slots: tuple[tuple[int, ...], ...]
    unplaced: tuple[int, ...]


def match_slots(needs: Sequence[SlotNeed], slots: Sequence[str]) -> SlotPlacement:
    """Find slots for all items, or for as many as possible in their order.

    This is a maximum matching, found by augmenting paths (Kuhn 1955).
    """
    owner_by_slot: dict[int, int] = {}
    unplaced = []
    for item, need in enumerate(needs):
        # an item that gets only some of its slots gives them back
        owners_before = dict(owner_by_slot)
        for _slot in range(need.size):
            if not _assign_slot(item, needs, slots, owner_by_slot, set()):
                owner_by_slot = owners_before
                unplaced.append(item)
                break
    slots_by_item: list[list[int]] = [[] for _ in needs]
    for slot in sorted(owner_by_slot):
        slots_by_item[owner_by_slot[slot]].append(slot)
    return SlotPlacement(tuple(map(tuple, slots_by_item)), tuple(unplaced))


def _assign_slot(
    item_index: int,
    needs: Sequence[SlotNeed],
    slots: Sequence[str],
    owner_by_slot: dict[int, int],
    seen_slots: set[int],
) -> bool:
    """Give an item one more slot, moving other items if necessary. Return True on success.

    Free slots are taken first, in their order.
    """
    fitting = []
    for index, slot in enumerate(slots):
        if index not in seen_slots and needs[item_index].accepts_slot(slot):
            fitting.append(index)
    for index in fitting:
        if index not in owner_by_slot:
            owner_by_slot[index] = item_index
            return True
    for index in fitting:
        owner = owner_by_slot[index]
        # the search for another owner may have visited the slot meanwhile
        if owner == item_index or index in seen_slots:
            continue
        seen_slots.add(index)
        if _assign_slot(owner, needs, slots, owner_by_slot, seen_slots):
            owner_by_slot[index] = item_index
            return True
    return False


MAX_CACHED_PLACEMENTS = 50_000
ANY_SLOT = ""
"""The type of an untyped slot."""
MAX_SLOTS = 99
"""The largest number and size of slots. A typing error must not fill the memory."""


class _SlotLimit(AdditionLimit):
    """Says how many more attachments fit into the free slots of each host."""

    form: "SlotsForm"

    def __init__(self, form: "SlotsForm", squad: Squad) -> None:
        super().__init__(form, squad)
        self._loads: dict[int, list[tuple[Card, str | None]]] = {}
        for item in squad.attachments:
            if form.selector.matches_card(item):
                self._loads.setdefault(item.line, []).append((item.card, item.slot))

    def count_further_copies(self, selected: SelectedCard) -> int:
        """Return how many more of these attachments get a slot on their host."""
        form, host = self.form, selected.host
        if host is None or not form.selector.matches_card(selected):
            return UNLIMITED
        load = list(self._loads.get(host.line, ()))
        unplaced_before = len(form.assign_slots(host.card, load).unplaced)
        for more in range(len(form.list_slots(host.card)) + 1):
            load.append((selected.card, None))
            if len(form.assign_slots(host.card, load).unplaced) > unplaced_before:
                return more
        # only items of size 0 fit more often than there are slots
        return UNLIMITED

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that the host has no free slot for the card."""
        for item in self.form.find_violations(add_card(self.squad, selected)):
            if item.group == str(selected.line):
                return item
        raise AssertionError("a host that allows more refuses nothing")


class SlotsForm(RuleForm):
    """A rule of the type `slots`, compiled: attachments need slots of their host."""

    rule: Slots
    limit_class = _SlotLimit
    is_about_host = True
    no_removal_message = _(
        "the model has no such slot, even without its other equipment"
    )

    def __init__(self, rule: Slots, pack: Pack) -> None:
        super().__init__(rule, pack)
        self._placed: dict[
            tuple[str, tuple[tuple[str, str | None], ...]], SlotPlacement
        ] = {}

    def list_slots(self, host_card: Card) -> tuple[str, ...]:
        """Return the type of each slot that a host has. "" is an untyped slot."""
        value = host_card.get_field(self.rule.slots)
        if isinstance(value, Mapping):
            slots = []
            for slot_type, count in value.items():
                slots += [slot_type] * _read_count(count)
            return tuple(slots)
        if isinstance(value, list | tuple):
            return tuple(ANY_SLOT if item is None else str(item) for item in value)
        return (ANY_SLOT,) * _read_count(value)

    def find_need(self, card: Card, named_slot: str | None) -> SlotNeed:
        """Return the slots that an attachment needs.

        If the player named a slot, only slots of that type are accepted.
        """
        value = card.get_field(self.rule.need) if self.rule.need is not None else None
        accepts = None
        if value is not None:
            types = value if isinstance(value, list | tuple) else (value,)
            accepts = frozenset(map(str, types))
        if named_slot is not None:
            is_accepted = accepts is None or named_slot in accepts
            # a wrong slot is an error of the list: the item does not go elsewhere
            accepts = frozenset((named_slot,)) if is_accepted else frozenset()
        size = None
        if self.rule.size is not None:
            size = to_number(card.get_field(self.rule.size))
        return SlotNeed(accepts, 1 if size is None else min(int(size), MAX_SLOTS))

    def assign_slots(
        self, host: Card, attachments: Sequence[tuple[Card, str | None]]
    ) -> SlotPlacement:
        """Return which slots of a host its attachments use.

        The result is cached, because the same attachments are in many rosters.
        """
        # a list inside tuple() is quicker than a generator, and this runs for every entry
        key = (host.id, tuple([(card.id, slot) for card, slot in attachments]))
        placement = self._placed.get(key)
        if placement is None:
            if len(self._placed) > MAX_CACHED_PLACEMENTS:
                self._placed.clear()
            needs = [self.find_need(card, slot) for card, slot in attachments]
            placement = match_slots(needs, self.list_slots(host))
            self._placed[key] = placement
        return placement

    def assign_slots_by_entry(
        self, squad: Squad
    ) -> Iterator[tuple[SelectedCard, list[SelectedCard], SlotPlacement]]:
        """Yield each entry, its attachments that need slots, and the slots they use."""
        for entry in squad.entries:
            items = self._select_attachments(entry, squad)
            if items:
                load = [(item.card, item.slot) for item in items]
                yield entry, items, self.assign_slots(entry.card, load)

    def _select_attachments(
        self, entry: SelectedCard, squad: Squad
    ) -> list[SelectedCard]:
        return [
            item
            for item in squad.list_attachments(entry)
            if self.selector.matches_card(item)
        ]

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield a violation for each entry whose attachments do not fit into its slots."""
        for entry, items, placement in self.assign_slots_by_entry(squad):
            if not placement.unplaced:
                continue
            counted = []
            for item in items:
                need = self.find_need(item.card, item.slot)
                types = "/".join(_list_needed_types(need, item.slot))
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
        """Return True if the rule gives this attachment a slot."""
        return self.selector.matches_card(selected)

    def find_attachment_slots(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """Return the types of the slots that each attachment uses, by its path.

        An attachment without a slot is missing.
        """
        slots_by_path = {}
        for entry, items, placement in self.assign_slots_by_entry(squad):
            slots = self.list_slots(entry.card)
            for index, item in enumerate(items):
                if index not in placement.unplaced:
                    item_slots = placement.slots[index]
                    slots_by_path[item.path] = tuple(slots[slot] for slot in item_slots)
        return slots_by_path

    def format_sentence(self, names: Names) -> str:
        """Return a sentence that says which attachments use which slots."""
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
        """Return the error message: the attachment without a slot, the reason, the slots in use."""
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
        """Return True if the player chose a slot type that the attachment does not fit."""
        accepts = self.find_need(self.pack.cards[item.card], None).accepts
        return accepts is not None and not accepts & set((item.value or "").split("/"))

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad has an attachment that needs a slot."""
        return make_presence_trigger(self.rule.select)

    def allows_attachments(
        self, host: SelectedCard, attachments: Sequence[SelectedCard]
    ) -> bool:
        """Return True if each of these attachments gets a slot on the host."""
        items = [
            (item.card, item.slot)
            for item in attachments
            if self.selector.matches_card(item)
        ]
        return not items or not self.assign_slots(host.card, items).unplaced

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield the number of free slots of each entry."""
        for entry in squad.entries:
            slots = len(self.list_slots(entry.card))
            if slots:
                items = self._select_attachments(entry, squad)
                used = sum(self.find_need(item.card, item.slot).size for item in items)
                yield Headroom(
                    str(entry.line), "max", used, DerivedBound(slots, "slots")
                )

    def find_removals(
        self, violation: Violation, card_path: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Return the smallest sets of attachments whose removal frees enough slots."""
        host = self.pack.cards[violation.host]
        items = [item for item in violation.counted if item.path != card_path]
        for count in range(1, len(items) + 1):
            sets = tuple(self._find_removals_of_count(count, host, items, card))
            if sets:
                # larger sets would only remove more
                return sets
        return ()

    def _find_removals_of_count(
        self, count: int, host: Card, items: Sequence[Counted], card: Card
    ) -> Iterator[Removals]:
        """Yield sets of `count` attachments whose removal frees slots for the card."""
        for removed_items in combinations(items, count):
            cards = [
                self.pack.cards[item.card]
                for item in items
                if item not in removed_items
            ]
            cards.append(card)
            load = [(attachment, None) for attachment in cards]
            if not self.assign_slots(host, load).unplaced:
                yield tuple(Remove(item.path, item.card) for item in removed_items)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits: free a chosen slot, move the card to another entry, then removals."""
        named_paths = {item.path for item in squad.attachments if item.slot is not None}
        for item in violation.counted:
            if item.path in named_paths:
                yield (FreeSlot(item.path, item.card),)
        yield from move_subject(violation, squad)
        for item in reversed(violation.counted):
            yield (remove_copies(item),)

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Require slots for the attachments of each entry."""
        for entry in writer.model.entries:
            self._write_entry_slots(writer, entry, when)

    def _write_entry_slots(
        self, writer: ConstraintWriter, entry: DecisionEntry, when: tuple[int, ...]
    ) -> None:
        """Require that each attachment of an entry gets its slots, and no slot is used twice.

        Slots of one type are interchangeable, so that the flow goes to types and not to slots.
        """
        slots_by_type = Counter(self.list_slots(entry.part.selected.card))
        terms_by_type: dict[str, list[Term]] = {
            slot_type: [] for slot_type in slots_by_type
        }
        for part in entry.attachments:
            matches = writer.match_part(self.selector, part)
            if matches != NO:
                self._write_attachment_slots(
                    writer, part, terms_by_type, (*when, matches)
                )
        for slot_type, terms in terms_by_type.items():
            writer.program.add_constraint(
                terms, high=slots_by_type[slot_type], when=when
            )

    def _write_attachment_slots(
        self,
        writer: ConstraintWriter,
        part: Part,
        terms_by_type: Mapping[str, list[Term]],
        when: tuple[int, ...],
    ) -> None:
        """Require that an attachment gets its slots, and count them for each slot type."""
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
    """Return the names of slot types, joined by "or"."""
    return names.translate(_(" or ")).join(map(names.name_slot, slot_types))


def _list_needed_types(need: SlotNeed, named_slot: str | None) -> list[str]:
    """Return the slot types that an attachment accepts, or the type that the player chose."""
    if need.accepts:
        return sorted(need.accepts)
    return [named_slot] if need.accepts is not None and named_slot is not None else []


def _read_count(value: object) -> int:
    amount = to_number(value)
    return 0 if amount is None else max(0, min(int(amount), MAX_SLOTS))
